"""Writes the table of what well-known npm packages export that `references/script/packages.txt` is.

Usage: package_names.py FOLDER > packages.txt

FOLDER holds packages of many versions, unpacked, each in a folder called `name_version`, with `_`
for `/` and `@`; declarations of `@types` count for the package that they are for. One line for each
package: its name, the newest version that was looked at, then every name that any version declares
or hands on. That is more than it exports, and never less: packages that hand on all names of one
that is not in FOLDER are left out with a word about it.
"""
import json
import pathlib
import re
import sys

# What each package hands on of others.
PACKAGES = {
    "react": ["react"],
    "react-dom": ["react-dom"],
    "react-native": ["react-native", "@react-native/virtualized-lists"],
    "redux": ["redux"],
    "react-redux": ["react-redux"],
    "rxjs": ["rxjs"],
    "react-router": ["react-router"],
    "react-router-dom": ["react-router-dom", "react-router"],
    "vue": ["vue", "@vue/runtime-core", "@vue/reactivity", "@vue/runtime-dom", "@vue/shared"],
    "graphql": ["graphql"],
    "@testing-library/react": ["@testing-library/react", "@testing-library/dom"],
    "inversify": ["inversify"],
}
# What only paths below a package hand on.
BELOW = {"rxjs-compat", "@vue/server-renderer", "@vue/compiler-sfc"}
DECLARED = re.compile(
    r"(?:var|let|const|function\*?|class|interface|type|namespace|enum|get)\s+([A-Za-z_$][\w$]*)"
)
CLAUSE = re.compile(r"\{([^{}]*)\}")
ASSIGNED = re.compile(r"exports\.([A-Za-z_$][\w$]*)")
STAR = re.compile(r"export \* from ['\"]([^.'\"][^'\"]*)['\"]")


def folders(top, name):
    """The unpacked versions of a package and of its types."""
    for path in sorted(pathlib.Path(top).iterdir()):
        for manifest in path.glob("*/package.json"):
            said = json.loads(manifest.read_text(encoding="utf-8"))
            own = said.get("name", "")
            plain = own.removeprefix("@types/").replace("__", "/")
            if own == name or own.startswith("@types/") and plain == name:
                # Before the first version it is the second number that counts.
                numbers = [int(part) for part in said["version"].split("-")[0].split(".")]
                yield manifest.parent, next((number for number in numbers if number), 0)


def names(folder):
    found, stars = set(), set()
    for path in folder.rglob("*"):
        if not path.name.endswith((".d.ts", ".d.mts", ".js", ".cjs")) or "min." in path.name:
            continue
        text = path.read_text(encoding="utf-8", errors="replace")
        if path.name.endswith(("js", "cjs")):
            found.update(ASSIGNED.findall(text))
            if path.parent == folder:
                found.update(DECLARED.findall(text))
            continue
        text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
        found.update(DECLARED.findall(text))
        for clause in CLAUSE.findall(text):
            for part in clause.split(","):
                if re.fullmatch(r"\s*(?:type\s+)?[\w$]+(?:\s+as\s+[\w$]+)?\s*", part):
                    found.update(re.findall(r"[\w$]+", part))
        stars.update(STAR.findall(text))
    return found, stars


for package, parts in PACKAGES.items():
    every, newest, stars = set(), 0, set()
    for part in parts:
        for folder, version in folders(sys.argv[1], part):
            own, more = names(folder)
            every |= own
            stars |= {star.split("/")[0] if star[0] != "@" else "/".join(star.split("/")[:2]) for star in more}
            newest = max(newest, version) if part == package else newest
    beyond = stars - set(parts) - BELOW
    if beyond or not every:
        print(f"{package} hands on {beyond or 'nothing'}: left out", file=sys.stderr)
        continue
    print(package, newest, *sorted(every))
