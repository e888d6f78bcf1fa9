"""Writes the table of what Node's own modules export that `references/script/runtime.txt` is.

Usage: runtime_names.py FOLDER_OF_DECLARATIONS... > runtime.txt

The folders are versions of the package of Node's types; `node` itself is asked too. One line for
each module: its name, then what any version of it has. Modules whose exports are an object that
others add to are left out.
"""
import json
import pathlib
import re
import subprocess
import sys

LEFT_OUT = {"console", "module", "constants", "sys", "test", "punycode", "sqlite", "quic", "ffi"}
DECLARED = re.compile(
    r"(?:var|let|const|function\*?|class|interface|type|namespace|enum)\s+([A-Za-z_$][\w$]*)"
)
CLAUSE = re.compile(r"(?:export|import)\s*(?:type\s*)?\{([^}]*)\}")
IMPORTED = re.compile(r"import\s+(?:\*\s+as\s+)?([A-Za-z_$][\w$]*)\s*(?:=|from|,)")
# Modules that are one object: the interface that declares what it has.
OBJECTS = {"process": re.compile(r"\binterface Process extends [\w.]+ \{")}
MEMBER = re.compile(r"^\s*(?:readonly\s+)?([A-Za-z_$][\w$]*)\s*\??\s*[(:<]", re.M)
ASKED = """
const all = {};
for (const name of require('module').builtinModules.filter(name => !name.startsWith('_'))) {
  const names = new Set();
  for (let of = require(name); of && of !== Object.prototype; of = Object.getPrototypeOf(of))
    Object.getOwnPropertyNames(of).forEach(key => names.add(key));
  all[name] = [...names];
}
console.log(JSON.stringify(all));
"""


def bodies(text):
    """The blocks of `declare module`, each with the name of its module."""
    for found in re.finditer(r"declare module ['\"]([^'\"]+)['\"]\s*\{", text):
        depth, at = 1, found.end()
        while depth and at < len(text):
            depth += {"{": 1, "}": -1}.get(text[at], 0)
            at += 1
        yield found.group(1), text[found.end() : at]


def members(text, head):
    """What the interfaces with a head declare, and what is inside of that."""
    for found in head.finditer(text):
        depth, at = 1, found.end()
        while depth and at < len(text):
            depth += {"{": 1, "}": -1}.get(text[at], 0)
            at += 1
        yield from MEMBER.findall(text[found.end() : at])


names, stars = {}, {}
for folder in sys.argv[1:]:
    for path in sorted(pathlib.Path(folder).rglob("*.d.ts")):
        text = re.sub(r"/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.S)
        for module, head in OBJECTS.items():
            names.setdefault(module, set()).update(members(text, head))
        for module, body in bodies(text):
            module = module.removeprefix("node:")
            known = names.setdefault(module, set())
            known.update(DECLARED.findall(body))
            known.update(IMPORTED.findall(body))
            for clause in CLAUSE.findall(body):
                for part in clause.split(","):
                    known.update(re.findall(r"[\w$]+", part.strip()))
            for star in re.findall(r"export \* from ['\"]([^'\"]+)['\"]", body):
                stars.setdefault(module, set()).add(star.removeprefix("node:"))
for module, own in json.loads(subprocess.check_output(["node", "-e", ASKED])).items():
    names.setdefault(module.removeprefix("node:"), set()).update(own)
for _ in range(3):
    for module, others in stars.items():
        for other in others:
            names[module] |= names.get(other, set())
for module in sorted(names):
    if module.split("/")[0] not in LEFT_OUT and len(names[module]) > 2:
        # Members of classes and parameters are spelt alike; what is too much harms nobody.
        own = sorted(name for name in names[module] if re.fullmatch(r"[A-Za-z_$][\w$]*", name))
        print(module, *own)
