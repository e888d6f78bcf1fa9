"""Writes the tables of Android's own classes, in the form of the JDK's.

`android_names.py DECLARATIONS TABLE_A TABLE_B` reads the declarations of the platform
(`android-platform-*-merged.d.ts` of the npm package `@nativescript/types-android`, which
holds the public classes of every version up to the one in its name). Members that are
deprecated or were removed are kept: what was there once is never called missing.
"""

import re
import sys

CLASS = re.compile(r"export (?:abstract )?(?:class|interface) (\w+)(.*)\{\s*$")
MODULE = re.compile(r"(?:export|declare) module ([\w.]+) \{\s*$")
MEMBER = re.compile(r"(?:public|protected) (?:static )?(?:abstract )?(\w+)\s*[(:<]")
KEPT = ("android", "dalvik")
# Their members are resources, which every version has others of.
OPEN = re.compile(r"^R(\.|$)|^Manifest(\.|$)")
# Packages that hardly any program uses: their classes are listed without their members.
RARE = re.compile(
    r"android\.(adservices|icu|opengl|renderscript|ranging|telephony\.\w+|devicelock|drm|gesture|mtp|"
    r"app\.(admin|appsearch|sdksandbox|slice|role|blob|people|wallpaper)|health|se|sax|uwb|"
    r"hardware\.(hdmi|lights|serial|hid)|net\.(eap|ipsec|vcn|rtp|sip|wifi\.\w+)|media\.(tv|quality|audiofx|midi)|"
    r"service\.(controls|autofill|carrier|textservice|vr|credentials|settings)|companion\.virtual|graphics\.pdf\.)"
)


def bases(rest):
    """The classes behind `extends` and `implements`, type arguments left out."""
    while "<" in rest:
        shorter = re.sub(r"<[^<>]*>", "", rest)
        if shorter == rest:
            break
        rest = shorter
    words = re.sub(r"\b(extends|implements)\b", ",", rest).split(",")
    found = [word.strip() for word in words if re.fullmatch(r"[\w.]+", word.strip())]
    return [base for base in found if base != "java.lang.Object"]


def read(path):
    """Classes by package: name in the package, bases, members."""
    classes, stack = {}, []
    for line in open(path, encoding="utf-8"):
        line = line.strip()
        module, declared = MODULE.match(line), CLASS.match(line)
        if module:
            stack.append(("module", module.group(1)))
        elif declared:
            stack.append(("class", declared.group(1)))
            own = classes.setdefault(place(stack), (set(), set()))
            own[0].update(bases(declared.group(2)))
        elif line.endswith("{"):
            stack.append(("other", ""))
        elif line.startswith("}") and stack:
            stack.pop()
        elif stack and stack[-1][0] == "class":
            member = MEMBER.match(line)
            if member and member.group(1) not in ("constructor", "class"):
                classes[place(stack)][1].add(member.group(1))
    return classes


def place(stack):
    """The package and the name of a class: packages begin with a small letter."""
    names = [name for kind, name in stack if kind != "other" for name in name.split(".")]
    # A class may have the name of a package only as the last of all.
    last = next((at for at, name in enumerate(names[:-1]) if name[0].isupper()), len(names) - 1)
    return ".".join(names[:last]), ".".join(names[last:])


def near(base, package):
    """A base as short as it can be told from inside of a package."""
    for known in (package + ".", "java.lang."):
        if base.startswith(known) and base[len(known)].isupper():
            return base[len(known) :]
    return base


def lines(classes, first, last):
    packages = {}
    for (package, name), (above, members) in sorted(classes.items()):
        if package.split(".")[0] in KEPT and first <= package < last:
            line = name
            if not OPEN.match(name) and not RARE.match(package):
                bases = ",".join(near(base, package) for base in sorted(above)) or "-"
                line = " ".join([name, bases, *sorted(members)])
            packages.setdefault(package, []).append(line)
    for package, found in sorted(packages.items()):
        yield f"== {package}"
        yield from found


def main():
    source, *targets = sys.argv[1:]
    classes = read(source)
    head = "# Public classes of Android (21 to 37): `== package`, then a class, its bases and its members, by tests/references/android_names.py.\n"
    middles = ["", "android.media", "android.telephony", "~"]
    for target, first, last in zip(targets, middles, middles[1:]):
        text = head + "\n".join(lines(classes, first, last)) + "\n"
        open(target, "w", encoding="utf-8").write(text)


main()
