"""Writes the table of names of well-known Python packages that `references/python/listed.txt` is.

Usage: python_packages.py FOLDER > listed.txt

FOLDER holds installed packages, each version in a folder of its own (`pip install --no-deps --target`).
For each package that can be imported there are four lines: `P` its name; `M` its modules, below
its own name, with `~` before those that make names at run time; `D` classes that get members at run
time; `N` every name that any version defines anywhere. The last is more than a module exports, and
never less. Names that begin with `_` are left out: nothing is said of them.
"""
import ast
import pathlib
import re
import sys

SKIP = {"tests", "test", "testing_data", "docs", "doc", "examples", "benchmarks", "bin", "__pycache__", "migrations", "locale"}
PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_]*\Z")
CLASS = re.compile(r"[A-Z]\w*[a-z]\w*\Z|Q\Z|F\Z")
WORDS_OF_BINARY = re.compile(rb"[A-Za-z][A-Za-z0-9_]{2,60}(?=\0)")
QUIET_METACLASSES = {"ABCMeta", "EnumMeta", "EnumType", "type", "_ProtocolMeta"}
HOOKS = {"__getattr__", "__getattribute__"}
# What these set is there already.
COPIES = {"__setstate__", "__getstate__", "__reduce__", "__copy__", "__deepcopy__", "__eq__", "__repr__", "__hash__", "copy"}
MOST = 40_000
# As many words in one text are no fields, and as many things in one list are data.
FIELDS, LISTED = 20, 60


class Package:
    def __init__(self):
        self.modules, self.dynamic, self.names = {""}, set(), set()
        self.bases, self.makers = {}, set()


def last(node):
    while isinstance(node, (ast.Subscript, ast.Call)):
        node = node.value if isinstance(node, ast.Subscript) else node.func
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "?")


def makes_members(node):
    """Whether objects of a class may get members that its text does not name."""
    if any(word.arg == "metaclass" and last(word.value) not in QUIET_METACLASSES for word in node.keywords):
        return True
    waiting = list(node.body)
    while waiting:
        inner = waiting.pop()
        if isinstance(inner, (ast.FunctionDef, ast.AsyncFunctionDef)):
            if inner.name in HOOKS:
                return True
            if inner.name in COPIES:
                continue
        if isinstance(inner, ast.Call) and last(inner) == "setattr":
            return True
        if isinstance(inner, ast.Attribute) and inner.attr == "__dict__":
            return True
        waiting.extend(ast.iter_child_nodes(inner))
    return False


def is_made_at_run_time(tree):
    """Whether a module has names that its text does not bind."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name == "__getattr__":
            return True
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and last(node) in ("globals", "vars", "locals"):
            return True
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Attribute) and node.value.attr == "modules":
            return True
    return False


def names(tree, package):
    spelt = set()
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            spelt.add(node.name)
            if isinstance(node, ast.ClassDef):
                package.bases.setdefault(node.name, set()).update(last(base) for base in node.bases)
                if makes_members(node):
                    package.makers.add(node.name)
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            spelt.add(node.attr)
        elif isinstance(node, ast.alias):
            spelt.add((node.asname or node.name).split(".")[0])
    # What functions call their own is for nobody else.
    waiting = list(tree.body)
    handed_out = (node for node in waiting if isinstance(node, (ast.Assign, ast.AugAssign, ast.AnnAssign)))
    exported = [node.value for node in handed_out if "__all__" in ast.dump(node)]
    while waiting:
        node = waiting.pop()
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            continue
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            spelt.add(node.id)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            words = node.value.replace(",", " ").split()
            # Several are the fields of a tuple, or they are a sentence.
            spelt.update(words if len(words) == 1 or all(map(PLAIN.match, words)) and len(words) < FIELDS else ())
        # Long lists are data, unless they say what a module hands out.
        is_data = isinstance(node, (ast.List, ast.Tuple, ast.Set, ast.Dict)) and len(list(ast.iter_child_nodes(node))) > LISTED
        if not is_data or node in exported:
            waiting.extend(ast.iter_child_nodes(node))
    package.names.update(name for name in spelt if PLAIN.match(name))


def module(path, root, packages):
    parts = path.relative_to(root).with_suffix("").parts
    # `name.cpython-311-x86_64-linux-gnu.so`
    parts = (*parts[:-1], parts[-1].split(".")[0])
    if any(part in SKIP or "-" in part for part in parts[1:]) or len(parts) == 1 and parts[0] in SKIP:
        return
    package = packages.setdefault(parts[0], Package())
    below = ".".join(part for part in parts[1:] if part != "__init__")
    steps = below.split(".")
    package.modules.update(".".join(steps[: at + 1]) for at in range(len(steps)))
    if path.suffix == ".so":
        package.names.update(word.decode() for word in WORDS_OF_BINARY.findall(path.read_bytes()))
        if not path.with_name(parts[-1] + ".pyi").is_file():
            package.dynamic.add(below)
        return
    try:
        tree = ast.parse(path.read_text(encoding="utf-8", errors="replace"))
    except (SyntaxError, ValueError):
        package.dynamic.add(below)
        return
    names(tree, package)
    if is_made_at_run_time(tree):
        package.dynamic.add(below)


def makers(package):
    """The classes that get members at run time, or build on one that does."""
    found, size = set(package.makers), -1
    while size != len(found):
        size = len(found)
        found.update(name for name, bases in package.bases.items() if bases & found or "?" in bases)
    return found


packages = {}
for version in sorted(pathlib.Path(sys.argv[1]).iterdir()):
    for path in sorted(version.rglob("*")):
        is_top = path.parent == version
        if path.suffix in (".py", ".pyi", ".so") and not (is_top and path.suffix == ".so" and path.name.startswith("_")):
            if "-info" not in str(path.relative_to(version)):
                module(path, version, packages)
for name in sorted(packages):
    package = packages[name]
    if name.startswith("_") or name in SKIP or not name.isidentifier() or "__mypyc" in name or not package.names:
        continue
    if len(package.names) > MOST:
        print(f"{name}: {len(package.names)} names are too many", file=sys.stderr)
        continue
    spelt = sorted(("~" if below in package.dynamic else "") + (below or ".") for below in package.modules)
    print("P", name)
    print("M", *(below for below in spelt if not below.lstrip("~").startswith("_") and "._" not in below))
    print("D", *sorted(name for name in makers(package) if not name.startswith("_")))
    print("N", *sorted(word for word in package.names if 2 < len(word) < 60))
