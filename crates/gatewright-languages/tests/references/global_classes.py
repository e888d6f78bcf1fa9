"""Writes the members of JavaScript's own classes that `references/script/classes.txt` is.

Usage: global_classes.py DECLARATION_FILE... > classes.txt
One line each: name, bases (`-` for none), members.
"""
import re
import sys

head = re.compile(r"^(?:declare )?interface ([A-Za-z_$][\w$]*)(?:<[^{]*?>)?(?: extends ([^{]+?))? \{$")
member = re.compile(r"^    (?:readonly |get |set )*([A-Za-z_$][\w$]*)\??\s*[(:<]")
classes = {}
for path in sys.argv[1:]:
    current = None
    for line in open(path, encoding="utf-8"):
        line = line.rstrip()
        found = head.match(line)
        if found:
            bases, members = classes.setdefault(found[1], (set(), set()))
            for base in re.sub(r"<.*?>", "", found[2] or "").split(","):
                if base.strip():
                    bases.add(base.strip().rstrip(">"))
            current = members
        elif line == "}":
            current = None
        elif current is not None:
            found = member.match(line)
            if found:
                current.add(found[1])
            elif re.match(r"^    (readonly )?\[\w+: (string|number)\]", line):
                current.add("[]")
for name in sorted(classes):
    bases, members = classes[name]
    print(name, ",".join(sorted(bases)) or "-", " ".join(sorted(members)))
