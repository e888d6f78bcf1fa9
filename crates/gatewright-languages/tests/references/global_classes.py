"""Writes the members of JavaScript's own classes that `references/script/classes.txt` is.

Usage: global_classes.py OLD_TABLE DECLARATION_FILE... --more DECLARATION_FILE... > classes.txt
One line each: name, bases (`-` for none), members. Old versions have members that new ones lost, so a
table is only added to; what follows `--more` adds no classes. `[]` is a member that any text names; one that a number names is none.
"""
import re
import sys

head = re.compile(r"^ *(?:declare )?interface ([A-Za-z_$][\w$]*)(?:<[^{]*?>)?(?: extends ([^{]+?))? \{$")
member = re.compile(r"^ +(?:readonly |get |set )*([A-Za-z_$][\w$]*)\??\s*[(:<]")
classes = {}
for line in open(sys.argv[1], encoding="utf-8"):
    name, bases, *members = line.split(" ")
    members = set(word.strip() for word in members) - {"[]", ""}
    classes[name] = (set(bases.strip().split(",")) - {"-", ""}, members)
is_more = False
for path in sys.argv[2:]:
    if path == "--more":
        is_more = True
        continue
    current = None
    for line in open(path, encoding="utf-8"):
        line = line.rstrip()
        found = head.match(line)
        # What stands inside of a module or a namespace adds to what there is, and is else no global.
        if found and (is_more or line.startswith(" ")) and found[1] not in classes:
            current = None
        elif found:
            bases, members = classes.setdefault(found[1], (set(), set()))
            for base in re.sub(r"<.*?>", "", found[2] or "").split(","):
                base = base.strip().rstrip(">")
                if base and (base in classes or not is_more):
                    bases.add(base)
            current, indent = members, len(line) - len(line.lstrip())
        elif re.match(" *}$", line) and len(line) - 1 <= indent:
            current = None
        elif current is not None:
            found = member.match(line)
            if found:
                current.add(found[1])
            elif re.match(r"^ +(readonly )?\[\w+: string\]", line):
                current.add("[]")
for name in sorted(classes):
    bases, members = classes[name]
    print(name, ",".join(sorted(bases)) or "-", " ".join(sorted(members)))
