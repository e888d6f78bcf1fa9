//! Python.

use crate::tree::{Tree, missing};

const PROJECT: &str = "\
--- app/__init__.py
from .models import User
--- app/models.py
import threading
class Base:
    def save(self, force=False):
        self.saved = True
class User(Base):
    kind = 'user'
    def rename(self, name):
        self.name = name
        self.save()
class Worker(threading.Thread):
    def run(self):
        pass
class Magic:
    def __getattr__(self, name):
        return name
def load(path, *, strict=False):
    return path
--- app/loose.py
from elsewhere_not_installed import *
--- pyproject.toml
[project]
dependencies = ['somedist', 'PyThing']
--- /packages/tool/__init__.py
from ._impl import run
--- /packages/tool/_impl.py
def run(): pass
--- /packages/native/__init__.py
from ._fast import speed
--- /packages/native/_fast.cpython-311-x86_64-linux-gnu.so
";

fn check(text: &str) -> Vec<String> {
    missing(&Tree::new(PROJECT).write("app/new.py", text))
}

#[test]
fn a_module_that_is_missing_has_the_modules_beside_it_as_suggestions() {
    let project = "\
--- app/__init__.py
--- app/utils.py
def util(): ...
--- app/till.py
";
    let near = |text: &str| {
        let facts = Tree::new(project).write("app/q.py", text);
        facts.missing[0].suggestions.first().cloned().unwrap_or_default()
    };
    assert_eq!(near("import app.util\n"), "app.utils");
    assert_eq!(near("from app.util import util\n"), "app.utils");
    assert_eq!(near("from .util import util\n"), "utils");
    assert_eq!(near("from app import utills\n"), "utils");
    assert_eq!(near("import os.pth\n"), "os.path");
}

#[test]
fn imports_of_what_exists_are_quiet() {
    let text = "\
import os.path, json
from collections import OrderedDict
from . import models
from .models import User, load
from app import User as U
import app.models
import tool
from tool import run
from native import speed
from native._fast import anything
os.path.join('a', 'b'); json.dumps({}); models.User; app.models.load; tool.run()
";
    assert_eq!(check(text), Vec::<String>::new());
}

#[test]
fn missing_imports_are_found() {
    let text = "\
from .models import Userr
from .modelz import User
import app.viewz
from tool import walk
import os.paths
import json
json.dumpz({})
from fastwidgets import x
";
    assert_eq!(
        check(text),
        [
            "1 import Userr",
            "2 module modelz",
            "3 module app.viewz",
            "4 import walk",
            "5 module os.paths",
            "7 attribute dumpz",
            "8 package fastwidgets",
        ]
    );
}

#[test]
fn a_suggestion_is_the_nearest_name_of_the_container() {
    let facts = Tree::new(PROJECT).write("app/new.py", "from .models import Userr\n");
    assert_eq!(facts.missing[0].suggestions[0], "User");
    assert_eq!((facts.missing[0].line, facts.missing[0].col), (1, 21));
}

#[test]
fn names_in_no_scope_are_found_with_what_they_are_used_as() {
    let text = "\
def f(a, *b, c=1, **d):
    e = [x for x in b if x]
    undefined_call(a, c, d, e)
    return lambda y: y + zeta
class A(UnknownBase):
    x: UnknownType = None
@unknown_decorator
def g(): ...
";
    assert_eq!(
        check(text),
        [
            "3 call undefined_call",
            "4 name zeta",
            "5 class UnknownBase",
            "6 class UnknownType",
            "7 call unknown_decorator",
        ]
    );
}

#[test]
fn members_are_looked_up_through_known_bases() {
    let text = "\
from .models import User, Worker
class Admin(User):
    def act(self):
        self.save(); self.rename('x'); self.name; self.saved; self.kind
        self.promote()
user = User()
user.save()
user.sav()
User.renam
worker = Worker()
worker.start()
worker.strat()
";
    assert_eq!(
        check(text),
        ["5 member promote", "8 member sav", "9 member renam", "12 member strat"]
    );
}

#[test]
fn what_is_open_is_left_alone_and_counted() {
    let text = "\
from .models import Magic
from unknowable import Thing
from .loose import whatever
import somedist, thing
class A(Thing):
    def f(self):
        self.anything()
class B:
    def __init__(self, **kw):
        for key, value in kw.items():
            setattr(self, key, value)
        self.anything
Magic().x
m = Magic()
m.anything
try:
    import optional_thing
except ImportError:
    optional_thing = None
optional_thing.x
";
    let facts = Tree::new(PROJECT).write("app/new.py", text);
    assert_eq!(missing(&facts), ["2 package unknowable"]);
    assert!(facts.unknown.values().sum::<u64>() >= 6, "{:?}", facts.unknown);
}

#[test]
fn unknown_arguments_are_found() {
    let text = "\
from .models import load, User
load('x', strict=True)
load('x', strickt=True)
User().save(force=True)
";
    assert_eq!(check(text), ["3 argument strickt"]);
}

#[test]
fn a_definition_of_the_same_change_set_counts() {
    let tree = Tree::new(PROJECT);
    let facts = tree.change(&[
        ("app/user.py", None, Some("from .fresh import make\nfrom .models import extra\nmake()\n")),
        ("app/fresh.py", None, Some("def make(): ...\n")),
        ("app/models.py", Some("x = 1\n"), Some("extra = 1\n")),
    ]);
    assert_eq!(missing(&facts[0]), Vec::<String>::new());
}

#[test]
fn what_was_dangling_before_is_not_said_again() {
    let before = "from .models import Gone\n";
    let after = "from .models import Gone\nfrom .models import AlsoGone\n";
    let facts = Tree::new(PROJECT).change(&[("app/new.py", Some(before), Some(after))]);
    assert_eq!(missing(&facts[0]), ["2 import AlsoGone"]);
}

#[test]
fn a_removed_file_of_the_change_set_is_gone() {
    let tree = Tree::new(PROJECT);
    let facts = tree.change(&[
        ("app/new.py", None, Some("from . import models\nfrom .models import User\n")),
        ("app/models.py", Some("x = 1\n"), None),
    ]);
    assert_eq!(missing(&facts[0]), ["1 import models", "2 module models"]);
}

#[test]
fn class_bodies_are_not_seen_by_their_methods() {
    let text = "\
class A:
    limit = 3
    def f(self):
        return limit
";
    assert_eq!(check(text), ["4 name limit"]);
}

#[test]
fn cycles_of_imports_and_bases_end() {
    let tree = Tree::new(
        "--- a.py\nfrom b import *\nclass A(B): pass\n--- b.py\nfrom a import *\nclass B(A): pass\n",
    );
    let facts = tree.write("c.py", "from a import A, Nope\nA().x\nA.y\n");
    assert!(facts.complete);
    assert!(facts.missing.len() <= 3);
}

#[test]
fn broken_and_deep_text_gets_an_answer() {
    let tree = Tree::new("");
    let deep = format!("x = {}1{}\n", "(".repeat(3000), ")".repeat(3000));
    let _ = tree.write("deep.py", &deep);
    let facts = tree.write("broken.py", "def f(:\n    retrun x y z(\nclass\n");
    assert!(facts.checked < 100);
}

#[test]
fn an_enumeration_that_is_made_by_a_call_is_left_alone() {
    let text = "from enum import Enum\nState = Enum('State', ['OK', 'BROKEN'])\nprint(State.OK)\n";
    assert_eq!(missing(&Tree::new("--- a.py\n").write("b.py", text)), Vec::<String>::new());
}

#[test]
fn a_package_that_imports_its_own_module_is_seen_through() {
    let project = "\
--- shop/__init__.py
from shop import base
--- shop/base.py
class Store:
    def open(self): ...
";
    let text = "\
from shop import base
class Mine(base.Store):
    def go(self):
        self.open()
        self.opne()
";
    assert_eq!(missing(&Tree::new(project).write("shop/mine.py", text)), ["5 member opne"]);
}

#[test]
fn the_first_name_that_nothing_spells_is_missed_where_names_are_made_at_run_time() {
    let project = "\
--- task.py
class Task:
    def __init__(self, **values):
        for name, value in values.items():
            setattr(self, name, value)
--- setup.py
run(colour=3)
";
    let old = "\
from task import Task
class Paint(Task):
    def mix(self): ...
    def go(self):
        self.mix()
";
    let tree = Tree::new(project);
    let change = |old: &str, line: &str| {
        let after = format!("{old}        {line}\n");
        missing(&tree.change(&[("paint.py", Some(old), Some(&after))])[0])
    };
    assert_eq!(change(old, "self.blend()"), ["6 member blend"]);
    assert_eq!(change(old, "print(self.colour)"), Vec::<String>::new());
    let dynamic = format!("{old}        print(self.width)\n");
    assert_eq!(change(&dynamic, "self.blend()"), Vec::<String>::new());
    assert_eq!(missing(&tree.write("paint.py", &dynamic)), Vec::<String>::new());
}

#[test]
fn what_super_gives_has_the_members_of_the_bases() {
    let tree = Tree::new("--- a.py\nclass Base:\n    def render(self): pass\n");
    let text = "from a import Base\n\nclass Desk(Base):\n    def sell(self):\n        \
                above = super(Desk, self)\n        above.render()\n        kind = type(self)\n        \
                kind.sell(self)\n";
    assert_eq!(missing(&tree.write("desk.py", text)), Vec::<String>::new());
}

#[test]
fn a_test_package_is_known_without_being_installed() {
    let tree = Tree::new("--- setup.py\nsetup()\n");
    let text = "import pytest\nfrom pytest import raises, raised\n\n@pytest.mark.slow\n\
                @pytest.fixtures\ndef desk():\n    raises, raised\n";
    let found = missing(&tree.write("tests/test_desk.py", text));
    assert_eq!(found, ["2 import raised", "5 attribute fixtures"]);
    let installed = "--- /packages/pytest/__init__.py\ndef fixtures(): pass\ndef raised(): pass\n\
                     def raises(): pass\nmark = 1\n";
    let found = missing(&Tree::new(installed).write("tests/test_desk.py", text));
    assert_eq!(found, Vec::<String>::new());
}

#[test]
fn a_mixin_has_what_it_is_mixed_into() {
    let tree = Tree::new(
        "--- checks.py\nclass Checks:\n    pass\n\
         --- other.py\nfrom shelf import Shelf\nfrom unittest import TestCase\n\n\
         class Other(TestCase, Shelf):\n    pass\n",
    );
    let here = "\
from unittest import TestCase

class Checks:
    def check(self):
        self.assertIsNone(1)
        self.assert_zebra(1)

class More(Checks):
    def more(self):
        self.addCleanup(1)

class Case(TestCase, More):
    pass
";
    assert_eq!(missing(&tree.write("checks.py", here)), ["6 member assert_zebra"]);
    let elsewhere = "class Shelf:\n    def f(self):\n        self.assertIsNone(self.zebra)\n";
    assert_eq!(missing(&tree.write("shelf.py", elsewhere)), ["3 member zebra"]);
}

#[test]
fn a_package_that_replaces_its_module_makes_no_modules_below() {
    let tree = Tree::new(
        "--- shop/__init__.py\nimport sys\nsys.modules[__name__] = object()\n--- shop/desk.py\n",
    );
    let found = missing(&tree.write("a.py", "from shop.desk import x\nimport shop.zebra\n"));
    assert_eq!(found, ["1 import x", "2 module shop.zebra"]);
}

#[test]
fn what_a_manifest_imports_is_not_declared_by_that() {
    let text =
        "import fastzebra\nfrom setuptools import setup\nsetup(install_requires=['quick'])\n";
    let found = missing(&Tree::new("--- a.py\nimport os\n").write("setup.py", text));
    assert_eq!(found, ["1 package fastzebra"]);
}

#[test]
fn an_annotated_local_has_the_members_of_its_class() {
    let text = "\
from typing import Optional
import logging
from app.models import User
def f(a: 'User', b: Optional[User], c: User | None, made, d: 'list[User]'):
    kept: User = made()
    none: 'User' = None
    shown: logging.Handler = logging.StreamHandler()
    a.rename('x'); b.save(); c.kind; kept.rename('y'); none.save(); shown.stream; d.anything
    a.renam('x')
    b.renam('x')
    c.renam('x')
    kept.renam('x')
    none.renam('x')
class Row:
    kind: User = made_column()
    def f(self): return Row.kind.descending()
";
    let found = check(text);
    let lines: Vec<&str> = found.iter().filter_map(|it| it.split(' ').next()).collect();
    assert_eq!(lines, ["9", "10", "11", "12", "13", "15"], "{found:?}");
}

#[test]
fn a_declared_package_may_bring_a_part_of_an_own_one() {
    let project = "\
--- pyproject.toml
[project]
name = \"shop\"
dependencies = [\"shop-core>=1\"]
--- src/shop/till.py
class Till: ...
";
    let text = "import shop.core.coins\nimport shop.lamp\nfrom shop.till import Till\n";
    let found = missing(&Tree::new(project).write("src/shop/desk.py", text));
    assert_eq!(found, ["2 module shop.lamp"]);
}
