"""Writes the classes of Node's modules and of React that `references/script/base_classes.txt` is.

Usage: base_classes.py FOLDER_OF_DECLARATIONS... > base_classes.txt

The folders are versions of the packages of Node's and React's types; `node` itself is asked too.
One line for each class: its module and name, then every member that any version of any class of
that name declares, inherits or has at run time. What is too much harms nobody.
"""
import json
import pathlib
import re
import subprocess
import sys

HEAD = re.compile(
    r"\b(?:class|interface)\s+([A-Za-z_$][\w$]*)\s*(<(?:[^{};<>]|\{\}|<[^<>]*>)*>)?"
    r"((?:\s*(?:extends|implements)\s+[^{;]+)*)\s*\{"
)
MEMBER = re.compile(r"(?:^|[;{}])\s*(?:(?:readonly|static|get|set|public|protected|private|abstract)\s+)*"
                    r"([A-Za-z_$][\w$]*)\s*[?!]?\s*[(:<]", re.M)
REACT = {"Component": "react", "PureComponent": "react"}
# What the sources of React put on a component without a declaration.
UNDECLARED = {"updater", "isReactComponent", "isMounted", "replaceState", "getDOMNode"}
ASKED = """
const all = {};
for (const module of require('module').builtinModules.filter(name => !name.startsWith('_'))) {
  const it = require(module);
  for (const name of Object.getOwnPropertyNames(it)) {
    let value;
    try { value = it[name]; } catch { continue; }
    if (!/^[A-Z]/.test(name) || typeof value !== 'function' || !value.prototype) continue;
    const names = new Set();
    for (let of = value; of && of !== Function.prototype; of = Object.getPrototypeOf(of)) {
      Object.getOwnPropertyNames(of).forEach(key => names.add(key));
      for (let its = of.prototype; its && its !== Object.prototype; its = Object.getPrototypeOf(its))
        Object.getOwnPropertyNames(its).forEach(key => names.add(key));
    }
    all[module + '.' + name] = [...names];
  }
}
console.log(JSON.stringify(all));
"""


def body(text, start):
    """The text up to the brace that closes the one before `start`, and that of its first level."""
    depth, flat = 1, []
    for at in range(start, len(text)):
        depth += {"{": 1, "}": -1}.get(text[at], 0)
        if not depth:
            break
        flat.append(text[at] if depth == 1 or text[at] in "{}" else " ")
    return "".join(flat)


members, bases = {}, {}
for folder in sys.argv[1:]:
    for path in sorted(pathlib.Path(folder).rglob("*.d.ts")):
        text = re.sub(r"/\*.*?\*/|//[^\n]*", "", path.read_text(encoding="utf-8"), flags=re.S)
        for found in HEAD.finditer(text):
            name = found[1]
            members.setdefault(name, set()).update(MEMBER.findall(body(text, found.end())))
            clause = re.sub(r"<[^<>]*>", "", re.sub(r"<[^<>]*>", "", found[3] or ""))
            bases.setdefault(name, set()).update(re.findall(r"[A-Z][\w$]*", clause))


def every(name, seen):
    if name in seen:
        return set()
    seen.add(name)
    own = set(members.get(name, ()))
    for base in bases.get(name, ()):
        own |= every(base, seen)
    return own


classes = {f"{module}.{name}": every(name, set()) | UNDECLARED for name, module in REACT.items()}
for place, names in json.loads(subprocess.check_output(["node", "-e", ASKED])).items():
    classes[place] = set(names) | every(place.split(".")[-1], set())
for place in sorted(classes):
    own = sorted(name for name in classes[place] if re.fullmatch(r"[A-Za-z$][\w$]*", name))
    # A name of the past for another module.
    if len(own) > 4 and not place.startswith("sys."):
        print(place, *own)
