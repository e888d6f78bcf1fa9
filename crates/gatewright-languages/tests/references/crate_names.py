"""Prints the names that well-known crates may give, read from their sources.

`crate_names.py SOURCES MEMBERS NAME=VERSION... > src/references/rust/packages.txt`, where SOURCES
is a folder of unpacked crates (`registry/src/*`), MEMBERS the file `std_members.txt` and VERSION
the beginning of a version; the newest that is there counts. A package is one line: `name version`, then its names in order; `*` marks a
type that leads to the members of another one.

More names than a crate really gives do no harm, one that is left out would: all that is declared
counts, whatever its visibility, platform or feature; of a file in which macros declare things
every word outside of the bodies of functions does; what the standard library calls members is
there anyway and not repeated; and what a crate takes over from another one comes with all of that one's names.
What is taken over by name from a crate whose source is not there is marked `*` too, and a crate
that takes over all of such a one is left out. Bindings of systems count as not there, for they are
larger than all the others together, and so does a crate whose line would be longer than LONGEST.
"""

import pathlib
import re
import sys

WORD = re.compile(r"[A-Za-z_]\w*")
KEYWORDS = set(
    "as async await break const continue crate dyn else enum extern false fn for if impl in let"
    " loop match mod move mut pub ref return self Self static struct super trait true type unsafe"
    " use where while macro_rules union".split()
)
STRIPPED = re.compile(
    r'//[^\n]*|/\*.*?\*/|r(#+)".*?"\1|b?"(?:\\.|[^"\\])*"|b?\'(?:\\.[^\']*|[^\'\\\n])\'', re.S
)
DECLARED = re.compile(
    r"\b(?:fn|struct|enum|trait|mod|const|static|type|union|crate|macro)\s+(?:mut\s+)?(\w+)"
)
VARIANT = re.compile(r"^\s*(?:#\[[^\n]*\]\s*)*([A-Z]\w*)\s*(?=[,({=]|\n\s*\})", re.M)
FIELD = re.compile(r"^\s*(?:pub(?:\([^)]*\))?\s+)?([a-z_]\w*)\s*:", re.M)
MAKING = re.compile(r"macro_rules!|^\s*(?:\w+::)*\w+!\s*[{(\[]", re.M)
USE = re.compile(r"\buse\s+([^;]+);")
SHOWN = re.compile(r"\bpub\s+(?:use|extern\s+crate)\s+(?:::)?((\w+)[^;]*);")
LEADING = re.compile(
    r"\bDeref\s+for\s+(\w+)|^type\s+(\w+)|^\s*pub(?:\([^)]*\))?\s+type\s+(\w+)", re.M
)
DERIVE = re.compile(r"proc_macro_derive\s*\(\s*(\w+)")
BINDINGS = {"libc", "windows-sys", "windows", "winapi", "linux-raw-sys", "web-sys", "js-sys"}
LONGEST = 60_000


def release(version):
    return [int(part) for part in re.split(r"[-+]", version)[0].split(".")]


def newest(sources, name, start):
    found = []
    for folder in sources.glob(f"{name}-[0-9]*"):
        version = folder.name[len(name) + 1:]
        if version == start or version.startswith(start + "."):
            found.append((release(version), folder))
    return max(found, default=(None, None))[1]


def dependencies(folder):
    """The packages that a manifest names, by the names that code uses."""
    text, found, section = (folder / "Cargo.toml").read_text(), {}, ""
    for line in text.splitlines():
        if line.startswith("["):
            section = line.strip("[]")
            named = re.match(r"(?:target\..*\.)?(?:build-)?dependencies\.(.+)", section)
            if named:
                last = named[1].strip("\"'")
                found[last.replace("-", "_")] = last
        else:
            pair = re.match(r'package = "(.+)"', line)
            if pair and section.rsplit(".", 1)[-1].replace("-", "_") in found:
                found[section.rsplit(".", 1)[-1].replace("-", "_")] = pair[1]
    return found


def without_bodies(text):
    """The text without what stands inside of functions."""
    kept, at = [], 0
    for head in re.finditer(r"\bfn\s+\w+[^;{}]*\{", text):
        if head.start() < at:
            continue
        kept.append(text[at:head.end()])
        depth, at = 1, head.end()
        while depth and at < len(text):
            brace = re.compile(r"[{}]").search(text, at)
            if not brace:
                return " ".join(kept) + text[at:]
            depth += 1 if brace[0] == "{" else -1
            at = brace.end()
    return " ".join(kept) + text[at:]


def names_of(text, found, leading):
    found.update(DERIVE.findall(text))
    text = STRIPPED.sub(" ", text)
    leading.update(name for pair in LEADING.findall(text) for name in pair if name)
    if MAKING.search(text):
        found.update(WORD.findall(without_bodies(text)))
        return
    for pattern in (DECLARED, VARIANT, FIELD):
        found.update(pattern.findall(text))
    for tree in USE.findall(text):
        found.update(WORD.findall(tree))


def read(folder, known={}):
    """What a crate itself declares, what leads elsewhere, and what it takes over from others."""
    if folder not in known:
        found, leading, shown = set(), set(), {}
        for path in sorted(folder.rglob("*.rs")):
            if {"tests", "benches", "examples"} & set(path.relative_to(folder).parts[:-1]):
                continue
            text = path.read_text(errors="replace")
            names_of(text, found, leading)
            for tree, first in SHOWN.findall(STRIPPED.sub(" ", text)):
                shown.setdefault(first, []).append(tree)
        known[folder] = found, leading, shown
    return known[folder]


def gather(sources, folder, done):
    """The names of a crate and of those that it takes over; `None` where one is not there."""
    done.add(folder)
    found, leading, shown = read(folder)
    found, leading = set(found), set(leading)
    for code, package in dependencies(folder).items():
        if code not in shown or code in ("std", "core", "alloc"):
            continue
        is_there = package not in BINDINGS
        others = [it for it in sources.glob(f"{package}-[0-9]*") if is_there]
        inner = [gather(sources, it, done) for it in others if it not in done]
        if others and None not in inner:
            for names, leads in inner:
                found |= names
                leading |= leads
        elif any("*" in tree for tree in shown[code]):
            return None
        else:
            leading.update(word for tree in shown[code] for word in WORD.findall(tree))
    return found, leading


def main():
    sources = pathlib.Path(sys.argv[1])
    members = set(pathlib.Path(sys.argv[2]).read_text().split())
    print("# What well-known crates may give, by tests/references/crate_names.py.")
    for wanted in sorted(sys.argv[3:]):
        name, start = wanted.split("=")
        folder = newest(sources, name, start)
        gathered = folder and gather(sources, folder, set())
        if not gathered:
            print(f"left out: {wanted}", file=sys.stderr)
            continue
        found, leading = gathered
        words = sorted(word for word in found - KEYWORDS - members if len(word) > 1)
        marked = " ".join(("*" if word in leading else "") + word for word in words)
        if len(marked) > LONGEST:
            print(f"too long: {wanted}", file=sys.stderr)
            continue
        print(name, folder.name[len(name) + 1:], marked)


main()
