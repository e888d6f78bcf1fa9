"""Writes the table of names of the Python standard library that `references/python/stdlib.txt` is.

The table is the union of what stub files declare (every version and platform
branch), what the sources of the running interpreter assign, and what its
modules answer to `dir`. Usage: stdlib_names.py STUBS_DIR > stdlib.txt
"""
import ast
import importlib
import io
import contextlib
import inspect
import os
import sys
import sysconfig
import warnings

SKIP = ("test", "idlelib", "turtledemo", "lib2to3", "distutils.tests", "antigravity", "this", "msilib",
        "__main__", "site-packages", "ensurepip._bundled", "pydoc_data", "tkinter.test", "_typeshed")
TYPING = ("@typing:", "@typing_extensions:", "@_typeshed", "@collections.abc:", "@__future__:")


class Module:
    def __init__(self):
        self.names = set()
        self.classes = {}
        self.aliases = {}
        self.stars = set()


def dotted(node):
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        base = dotted(node.value)
        return base and base + "." + node.attr
    if isinstance(node, ast.Subscript):
        return dotted(node.value)
    return None


def targets(node):
    if isinstance(node, ast.Name):
        yield node.id
    elif isinstance(node, (ast.Tuple, ast.List)):
        for item in node.elts:
            yield from targets(item)
    elif isinstance(node, ast.Starred):
        yield from targets(node.value)


def class_members(node):
    members = set()
    for item in ast.walk(node):
        if isinstance(item, (ast.FunctionDef, ast.AsyncFunctionDef)):
            members.add(item.name)
        elif isinstance(item, ast.ClassDef) and item is not node:
            members.add(item.name)
        elif isinstance(item, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
            for target in item.targets if isinstance(item, ast.Assign) else [item.target]:
                members.update(targets(target))
                for sub in ast.walk(target):
                    if isinstance(sub, ast.Attribute) and isinstance(sub.ctx, ast.Store):
                        members.add(sub.attr)
    return members


def collect(module, body, package):
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            module.names.add(node.name)
        elif isinstance(node, ast.ClassDef):
            bases, members = module.classes.setdefault(node.name, (set(), set()))
            for base in node.bases:
                bases.add(dotted(base) or "?")
            for keyword in node.keywords:
                if keyword.arg == "metaclass":
                    bases.add("!" + (dotted(keyword.value) or "?"))
            members.update(class_members(node))
        elif isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                for name in targets(target):
                    value = dotted(node.value) if node.value is not None else None
                    if value and not isinstance(node.value, ast.Subscript) and name != value:
                        module.aliases.setdefault(name, set()).add(value)
                    else:
                        module.names.add(name)
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if alias.asname:
                    module.aliases.setdefault(alias.asname, set()).add("@" + alias.name)
                else:
                    top = alias.name.split(".")[0]
                    module.aliases.setdefault(top, set()).add("@" + top)
        elif isinstance(node, ast.ImportFrom):
            source = node.module or ""
            if node.level:
                parts = package.split(".") if package else []
                parts = parts[: len(parts) - node.level + 1]
                source = ".".join(parts + ([node.module] if node.module else []))
            for alias in node.names:
                if alias.name == "*":
                    module.stars.add(source)
                else:
                    module.aliases.setdefault(alias.asname or alias.name, set()).add("@" + source + ":" + alias.name)
        elif isinstance(node, ast.If):
            collect(module, node.body, package)
            collect(module, node.orelse, package)
        elif isinstance(node, (ast.Try,)):
            for part in (node.body, node.orelse, node.finalbody, *[h.body for h in node.handlers]):
                collect(module, part, package)
        elif isinstance(node, (ast.For, ast.While, ast.With)):
            if isinstance(node, ast.For):
                module.names.update(targets(node.target))
            collect(module, node.body, package)


def read_tree(root, modules):
    for folder, folders, files in os.walk(root):
        folders[:] = [f for f in folders if not f.startswith("@") and f not in ("__pycache__", "test", "tests", "site-packages")]
        for file in files:
            stem, ext = os.path.splitext(file)
            if ext not in (".py", ".pyi"):
                continue
            relative = os.path.relpath(os.path.join(folder, stem), root).replace(os.sep, ".")
            is_package = stem == "__init__"
            name = relative[: -len(".__init__")] if is_package and relative != "__init__" else relative
            if any(name == s or name.startswith(s + ".") for s in SKIP) or "-" in name:
                continue
            package = name if is_package else name.rpartition(".")[0]
            try:
                tree = ast.parse(open(os.path.join(folder, file), encoding="utf-8").read())
            except (SyntaxError, UnicodeDecodeError):
                continue
            module = modules.setdefault(name, Module())
            collect(module, tree.body, package)


def read_runtime(modules):
    for name in sorted(set(modules) | set(sys.stdlib_module_names)):
        if name.split(".")[0] in ("test", "idlelib", "antigravity", "this", "turtledemo", "lib2to3", "tkinter") or "__main__" in name:
            continue
        try:
            with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
                warnings.simplefilter("ignore")
                loaded = importlib.import_module(name)
        except BaseException:
            continue
        module = modules.setdefault(name, Module())
        for attribute in dir(loaded):
            value = getattr(loaded, attribute, None)
            if inspect.isclass(value) and value.__module__ == name and value.__name__ == attribute:
                _, members = module.classes.setdefault(attribute, ({*(b.__name__ for b in value.__bases__ if b.__module__ == name)}, set()))
                members.update(m for m in vars(value))
            elif attribute not in module.classes and attribute not in module.aliases:
                module.names.add(attribute)


def resolves(modules, module, path, depth=0):
    """Whether a dotted path names a class of the table."""
    if depth > 12 or module not in modules:
        return False
    first, _, rest = path.partition(".")
    known = modules[module]
    if not rest and first in known.classes:
        return True
    for value in known.aliases.get(first, ()):
        if len(known.aliases[first]) > 1 or first in known.names:
            return False
        if value.startswith("@"):
            source, _, name = value[1:].partition(":")
            target = ".".join(part for part in (name, rest) if part)
            if resolves(modules, source, target, depth + 1):
                return True
        elif resolves(modules, module, ".".join(part for part in (value, rest) if part), depth + 1):
            return True
    if first in known.names or first in known.aliases:
        return False
    for star in known.stars:
        if resolves(modules, star, path, depth + 1):
            return True
    return depth == 0 and first in modules["builtins"].classes


def close_bases(modules):
    """Replaces a base that the table cannot resolve by the members that the running class has."""
    for name, module in modules.items():
        for klass, (bases, members) in module.classes.items():
            for base in sorted(bases):
                plain = base.split(".")[-1] in ("Generic", "Protocol", "object", "ABC")
                if base.startswith("!") or plain or resolves(modules, name, base):
                    continue
                value = getattr(sys.modules.get(name), klass, None)
                if inspect.isclass(value):
                    members.update(dir(value))
                    bases.discard(base)


def dunder(name):
    return name.startswith("__") and name.endswith("__") and name not in ("__getattr__", "__init__", "__new__", "__all__")


def write(modules):
    for name in sorted(modules):
        module = modules[name]
        print("M " + name)
        needed = {base.lstrip("!").split(".")[0] for bases, _ in module.classes.values() for base in bases}
        for star in sorted(module.stars):
            print("S " + star)
        plain = {n for n in module.names if not dunder(n)}
        for alias, values in sorted(module.aliases.items()):
            if all(value.startswith(TYPING) for value in values) and alias not in needed and not name.startswith(("typing", "collections")):
                continue
            if len(values) == 1 and alias not in plain and alias not in module.classes:
                print("A " + alias + " " + next(iter(values)))
            else:
                plain.add(alias)
        for klass, (bases, members) in sorted(module.classes.items()):
            if klass in plain:
                plain.discard(klass)
            kept = sorted(m for m in members if not dunder(m) and m.isidentifier())
            print("C " + klass + " " + (",".join(sorted(bases)) or "-") + " " + " ".join(kept))
        if plain:
            print("N " + " ".join(sorted(plain)))


modules = {}
read_tree(sys.argv[1], modules)
read_tree(sysconfig.get_paths()["stdlib"], modules)
read_runtime(modules)
close_bases(modules)
write(modules)
