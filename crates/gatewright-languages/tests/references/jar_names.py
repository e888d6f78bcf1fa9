"""Prints the public classes of small libraries that hardly change, with bases and members.

`jar_names.py PACKAGE=JAR... > src/references/jvm/libraries.txt`; needs `javap`. One line a class
of the package: its name, its bases (`-` for none) and its own public and protected members. Only
libraries belong here whose interfaces are final or have stayed the same for years: nothing asks
which version a project uses.
"""

import re
import subprocess
import sys
import zipfile

HEAD = re.compile(r"^(?:\w+ )*(?:class|interface) (\S+?)(?:<.*>)?(?: extends (.+?))?(?: implements (.+?))? \{$")
MEMBER = re.compile(r"^  (?:public|protected) [^(;]*?(\w+)(?:\(|;)")


def without_generics(text):
    while "<" in text:
        text = re.sub(r"<[^<>]*>", "", text)
    return text


def classes(package, jar):
    folder = package.replace(".", "/") + "/"
    with zipfile.ZipFile(jar) as archive:
        for name in sorted(archive.namelist()):
            inner = name[len(folder):-len(".class")]
            if not name.startswith(folder) or not name.endswith(".class"):
                continue
            if "/" in inner or inner == "package-info" or re.search(r"\$\d", inner):
                continue
            yield name[:-len(".class")].replace("/", ".")


def line(package, jar, name):
    out = subprocess.run(["javap", "-protected", "-cp", jar, name], capture_output=True, text=True)
    lines = out.stdout.splitlines()
    head = next((it for it in lines if it.endswith("{")), "")
    if not re.match(r"(public|protected) ", head):
        return None
    match = HEAD.match(without_generics(head))
    if not match:
        raise SystemExit(f"cannot read {head}")
    bases = [base for group in match.groups()[1:] if group for base in group.split(",")]
    left = ("java.lang.Object", "java.lang.annotation.Annotation")
    bases = [base.replace("$", ".").strip() for base in bases if base.strip() not in left]
    own = name[len(package) + 1:].replace("$", ".")
    members = {m[1] for m in map(MEMBER.match, map(without_generics, lines)) if m}
    members.discard(own.rsplit(".", 1)[-1])
    members -= {name.rsplit(".", 1)[-1]}
    # An enum without its own ones has these, and one that names no member would look unknown.
    listed = sorted(members) or ["toString"]
    return " ".join([own, ",".join(bases) or "-", *listed])


def main():
    print("# Public classes of small libraries that hardly change, by tests/references/jar_names.py:")
    print("# `== package`, then a class, its bases and its members.")
    for wanted in sorted(sys.argv[1:]):
        package, jar = wanted.split("=")
        print(f"== {package}")
        for name in classes(package, jar):
            found = line(package, jar, name)
            if found:
                print(found)


main()
