"""Writes the table of what well-known npm packages export that `references/script/packages.txt` is.

Usage: package_names.py FOLDER [NAMES] > packages.txt

FOLDER holds packages of many versions, unpacked, each in a folder called `name_version`, with `_`
for `/` and `@`; declarations of `@types` count for the package that they are for. One line for each
package of FOLDER, or for those that the file NAMES names: its name, the oldest and the newest
version that were looked at (`16-19`, or the newest alone where all before were; `=` follows where
the default export is all that the package exports), then every name that any version declares or hands on, and
every member where a value is exported whole. That is more than it exports, and never less: packages
without declarations, and those that hand on all names of one that is not in FOLDER, are left out
with a word about it.
"""
import json
import pathlib
import re
import sys

# What each package of which all versions were looked at hands on of others.
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
# What packages hand on as a whole.
HANDED_ON = {"moment-timezone": ["moment"], "lodash-es": ["lodash"]}
# Packages whose default export, and what `require` brings, has all names and no others.
WHOLES = set(
    """react react-dom lodash lodash-es underscore moment moment-timezone dayjs fs-extra bluebird
    ramda async semver jsonwebtoken js-yaml express axios chalk joi immutable bcrypt bcryptjs
    iconv-lite qs query-string validator""".split()
)
# What others of their kind hand on, or put there.
MORE = {"moment": ["tz"], "lodash": ["templateSettings", "noConflict", "runInContext"]}
# The modules of the runtime.
RUNTIME = pathlib.Path(__file__).parents[2] / "src/references/script/runtime.txt"
# What only paths below a package hand on.
BELOW = {"rxjs-compat", "@vue/server-renderer", "@vue/compiler-sfc"}
DECLARED = re.compile(
    r"(?:var|let|const|function\*?|class|interface|type|namespace|enum|get|as)\s+([A-Za-z_$][\w$]*)"
)
ALIAS = re.compile(r"import\s+([A-Za-z_$][\w$]*)\s*=")
MEMBER = re.compile(r"^\s*(?:readonly\s+|static\s+)*([A-Za-z_$][\w$]*)\s*[?!]?\s*[(:<]", re.M)
# Tables of more names than this are not worth their room.
MOST = 3500
# What a release leaves out of its declarations alone.
EXCLUDED = re.compile(r"Excluded from this release type: ([A-Za-z_$][\w$]*)")
CLAUSE = re.compile(r"\{([^{}]*)\}")
ASSIGNED = re.compile(r"exports\.([A-Za-z_$][\w$]*)")
SET = re.compile(r"[.]([A-Za-z_$][\w$]*)\s*=(?!=)|^\s*(?:get\s+)?['\"]?([A-Za-z_$][\w$]*)['\"]?\s*[:,(]", re.M)
STAR = re.compile(r"export \* from ['\"]([^.'\"][^'\"]*)['\"]")


def unpacked(top):
    """The folders of each package, its types' among them, with the number that counts."""
    found = {}
    for path in sorted(pathlib.Path(top).iterdir()):
        for manifest in path.glob("*/package.json"):
            said = json.loads(manifest.read_text(encoding="utf-8"))
            own = said.get("name", "")
            plain = own.removeprefix("@types/")
            if plain != own and "__" in plain:
                plain = "@" + plain.replace("__", "/")
            # Before the first version it is the second number that counts.
            numbers = [int(part) for part in said["version"].split("-")[0].split(".")]
            number = next((number for number in numbers if number), 0)
            found.setdefault(plain, []).append((manifest.parent, number, numbers[0] > 0))
    return found


def names(folder, is_whole):
    found, stars, members, others = set(), set(), set(), []
    is_declared, is_value = False, is_whole
    for path in folder.rglob("*"):
        is_source = path.name.endswith((".d.ts", ".d.mts", ".js", ".cjs")) and path.is_file()
        if not is_source or "min." in path.name:
            continue
        text = path.read_text(encoding="utf-8", errors="replace")
        if path.name.endswith(("js", "cjs")):
            found.update(ASSIGNED.findall(text))
            if is_whole:
                found.update(name for pair in SET.findall(text) for name in pair if name)
            if path.parent == folder:
                found.update(DECLARED.findall(text))
            continue
        found.update(EXCLUDED.findall(text))
        text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
        is_declared = True
        found.update(DECLARED.findall(text))
        found.update(ALIAS.findall(text))
        is_value = is_value or bool(re.search(r"^\s*export = ", text, re.M))
        if is_value:
            members.update(MEMBER.findall(text))
        else:
            others.append(text)
        for clause in CLAUSE.findall(text):
            for part in clause.split(","):
                if re.fullmatch(r"\s*(?:type\s+)?[\w$]+(?:\s+as\s+[\w$]+)?\s*", part):
                    found.update(re.findall(r"[\w$]+", part))
        stars.update(STAR.findall(text))
    if is_value:
        found.update(members, *(MEMBER.findall(text) for text in others))
    return found, stars, is_declared


def package_of(source):
    return "/".join(source.split("/")[: 2 if source[0] == "@" else 1])


ALL = unpacked(sys.argv[1])
WANTED = set(pathlib.Path(sys.argv[2]).read_text().split() if len(sys.argv) > 2 else ALL)
LINES = [line.split() for line in RUNTIME.read_text().splitlines()]
MODULES = {words[0]: words[1:] for words in LINES}
for package in sorted(WANTED & set(ALL), key=lambda name: (name not in PACKAGES, name)):
    every = set(MORE.get(package, []))
    parts = list(PACKAGES.get(package, [package, *HANDED_ON.get(package, [])]))
    beyond, versions = set(), []
    for part in parts:
        if part in MODULES:
            every |= set(MODULES[part])
        elif part not in ALL and part not in BELOW:
            beyond.add(part)
        for folder, number, is_grown in ALL.get(part, []):
            own, stars, is_declared = names(folder, package in WHOLES)
            every |= own
            if part == package and is_declared:
                versions.append((is_grown, number))
            stars = {package_of(star.removeprefix("node:")) for star in stars}
            parts.extend(star for star in sorted(stars) if star not in parts and star not in BELOW)
    is_long = len(every) > MOST and package not in PACKAGES
    if beyond or not versions or is_long:
        print(f"{package} hands on {beyond or len(every)}: left out", file=sys.stderr)
        continue
    # Where there is a first version, those before it are left alone.
    told = {number for is_grown, number in versions if is_grown == max(versions)[0]}
    newest = oldest = max(told)
    while oldest - 1 in told:
        oldest -= 1
    oldest = "" if package in PACKAGES else f"{oldest}-"
    whole = "=" if package in WHOLES else ""
    print(package, f"{oldest}{newest}{whole}", *sorted(every))
