"""Prints the names of Rust's standard library, read from its documentation pages.

`rust_std_names.py DOC modules > src/references/rust/std_modules.txt` and
`rust_std_names.py DOC members > src/references/rust/std_members.txt`, where DOC
is the `share/doc/rust/html` folder of a toolchain. One line a module: its path,
then the names in it. The members are those of all types together.
"""

import json
import pathlib
import re
import sys

CRATES = ["std", "core", "alloc", "proc_macro", "test"]
SKIPPED = {"arch", "core_arch", "core_simd", "intrinsics", "simd"}


def folders(root):
    for crate in CRATES:
        for index in sorted((root / crate).rglob("index.html")):
            parts = index.parent.relative_to(root).parts
            if not SKIPPED & set(parts[1:]):
                yield parts, index.parent


def names(folder):
    listed = next(iter(folder.glob("sidebar-items*.js")), None)
    found = set()
    if listed is not None:
        text = listed.read_text().partition("=")[2].strip().rstrip(";")
        for group in json.loads(text).values():
            found.update(group)
    for name in re.findall(r'id="reexport\.(\w+)"', (folder / "index.html").read_text()):
        found.add(name)
    return sorted(found)


def modules(root):
    version = next(iter(root.glob("crates*.js"))).name[len("crates"):-len(".js")]
    print(f"# Rust {version}, by tests/references/rust_std_names.py")
    for parts, folder in folders(root):
        print("::".join(parts), *names(folder))


def members(root):
    kinds = "method|tymethod|associatedconstant|associatedtype|variant|structfield"
    pattern = re.compile(rf'id="(?:{kinds})\.(\w+)')
    found = set()
    for _, folder in folders(root):
        for page in folder.glob("*.html"):
            found.update(pattern.findall(page.read_text()))
    print("# by tests/references/rust_std_names.py")
    line = ""
    for name in sorted(found):
        if len(line) + len(name) > 98:
            print(line)
            line = ""
        line = f"{line} {name}".strip()
    print(line)


if __name__ == "__main__":
    {"modules": modules, "members": members}[sys.argv[2]](pathlib.Path(sys.argv[1]))
