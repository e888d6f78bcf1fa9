//! Python: what attributes hold and functions give, as their own code shows it.

use crate::tree::{Tree, missing};

const PROJECT: &str = "\
--- till.py
from functools import cached_property
class Till:
    def __init__(self, size=1):
        self.size = size
    @classmethod
    def of(cls, size):
        till = cls(size)
        till.label = 'of'
        return till
    def open(self):
        return self
class Drawer(Till):
    def slide(self):
        pass
def made():
    till = Till()
    return till
def perhaps(size):
    if not size:
        return None
    return Till(size)
def either(size):
    if size:
        return Till()
    return Drawer()
def several():
    yield Till()
async def later():
    return Till()
@wrapped
def changed():
    return Till()
class Desk:
    drawer: Drawer
    def __init__(self, till: Till, spare: 'Till | None' = None, other=None):
        self.till = till
        self.spare = spare or Till()
        self.own = Till()
        self.late = None
        self.other = other
        self.mixed = Till()
        self.items = []
    def fill(self):
        self.late = Till()
        self.mixed = Drawer()
    @property
    def first(self) -> Till:
        return self.till
    @cached_property
    def second(self):
        return Till()
--- data/till_files/notes.json
{}
--- data/till_files.json
{}
";

fn check(text: &str) -> Vec<String> {
    missing(&Tree::new(PROJECT).write("desk.py", text))
}

#[test]
fn what_attributes_hold_is_quiet_where_it_is_there() {
    let text = "\
from till import Desk, Till
class Big(Desk):
    def work(self):
        self.till.open(); self.spare.size; self.own.of(1); self.late.open()
        self.drawer.slide(); self.first.open(); self.second.open()
        self.other.anything(); self.items.anything(); self.mixed.slide()
        if isinstance(self.till, dict):
            self.till.anything()
        for self.size, self.width in []:
            pass
        return self.own.open.assert_called_once()
def work(desk: Desk):
    desk.own = object()
    desk.own.anything()
    Desk.drawer.anything
    desk.late.return_value
";
    assert_eq!(check(text), Vec::<String>::new());
}

#[test]
fn what_attributes_hold_is_missing_where_it_is_not() {
    let text = "\
from till import Desk
class Big(Desk):
    def work(self):
        self.till.opne()
        self.spare.opend()
        self.own.opens()
        self.late.close()
        self.drawer.slid()
        self.first.shut()
        self.second.bolt()
def work(desk: Desk):
    return desk.own.lock()
";
    let expected = [
        "4 member opne",
        "5 member opend",
        "6 member opens",
        "7 member close",
        "8 member slid",
        "9 member shut",
        "10 member bolt",
        "12 member lock",
    ];
    assert_eq!(check(text), expected);
}

#[test]
fn what_functions_show_to_give_is_known() {
    let quiet = "\
from till import changed, either, later, made, perhaps, several, Till
def work():
    till = made()
    till.open(); made().size; perhaps(1).open()
    either(1).anything(); several().anything(); later().anything(); changed().anything()
class Tall(Till):
    @classmethod
    def new(cls):
        tall = cls()
        tall.mark = 1
        tall.open(); tall.mark; cls().open(); cls.mro()
        return tall
    def again(self):
        other = type(self)()
        return other.open(), self.__class__().size
";
    assert_eq!(check(quiet), Vec::<String>::new());
    let text = "\
from till import made, perhaps, Till
def work():
    till = made()
    till.opne()
    made().sized
    perhaps(1).opens()
class Tall(Till):
    @classmethod
    def new(cls):
        tall = cls()
        tall.shut()
        cls().bolt()
    def again(self):
        other = type(self)()
        return other.lock()
";
    let expected = [
        "4 member opne",
        "5 member sized",
        "6 member opens",
        "11 member shut",
        "12 member bolt",
        "15 member lock",
    ];
    assert_eq!(check(text), expected);
}

#[test]
fn a_member_that_is_only_read_is_not_one_that_is_set() {
    let text = "\
class Desk:
    def __init__(self, wide):
        self.wide = wide
        self.left, self.right = wide, wide
    def work(self):
        return dict(a=self.widht,
                    b=self.left), self.right
    def tell(self):
        if self.hight:
            return {self.wide: 1}
";
    assert_eq!(check(text), ["6 member widht", "9 member hight"]);
}

#[test]
fn a_name_that_another_module_lists_is_not_put_into_this_one() {
    let tree = Tree::new(
        "--- shop/__init__.py\n__all__ = ['Desk']\nfrom .desk import Desk\n--- shop/desk.py\nclass Desk: ...\n--- shop/till.py\nX = 1\n",
    );
    let found = missing(&tree.write("shop/main.py", "from .till import Desk\n"));
    assert_eq!(found, ["1 import Desk"]);
}

#[test]
fn a_folder_of_data_is_no_package() {
    let found = check("import till_files\nimport pytest\n");
    assert_eq!(found, ["1 package till_files"]);
}

#[test]
fn type_parameters_of_a_class_are_seen_in_its_methods() {
    let text = "\
class Desk[Item]:
    def first(self) -> list[Item]:
        found: list[Item] = []
        return found
";
    assert_eq!(check(text), Vec::<String>::new());
}

#[test]
fn a_class_that_makes_others_takes_their_arguments() {
    let text = "\
class Desk:
    def __new__(cls, *args, **named):
        return object.__new__(cls)
    def __init__(self, wide):
        self.wide = wide
Desk(deep=1)
type(Desk(1)).anything
";
    assert_eq!(check(text), Vec::<String>::new());
}

#[test]
fn a_name_is_bound_in_a_class_when_its_value_is_known() {
    let text = "\
import unittest
import uuid
from till import Till
class Desk:
    uuid = Till(uuid.uuid4)
    other = Till(uuid.uuid9)
class Checks:
    def check(self):
        self.assertTrue(1)
        self.assertTruee(1)
class Result(unittest.TextTestResult):
    def add(self):
        self.testsRun += 1
";
    let expected = ["6 member uuid9", "10 member assertTruee"];
    assert_eq!(check(text), expected);
}

#[test]
fn a_loop_goes_through_what_a_list_says_to_hold() {
    let text = "\
from typing import Sequence
from till import Till
def work(tills: list[Till], others: Sequence[Till], pairs: list[tuple[Till, int]], many: dict[str, Till]):
    for till in tills:
        till.open(); till.opne()
    for till2, count in pairs:
        till2.anything()
    for name in many:
        name.anything()
    for other in others:
        if isinstance(other, dict):
            other.anything()
    return [one.opens() for one in tills]
";
    assert_eq!(check(text), ["5 member opne", "13 member opens"]);
}

#[test]
fn a_module_that_a_build_names_may_be_made_by_it() {
    let project = "\
--- pyproject.toml
[project]
name = \"shop\"
[tool.hatch.build.hooks.vcs]
version-file = \"shop/_made.py\"
--- setup.py
from setuptools import Extension, setup
setup(name='shop', ext_modules=[Extension('shop._fast', ['shop/fast.c'])], keywords=['till'])
--- native/CMakeLists.txt
pybind11_add_module(_core core.cpp)
--- shop/__init__.py
";
    let tree = Tree::new(project);
    let write = |text: &str| missing(&tree.write("shop/desk.py", text));
    for name in ["_made", "_fast", "_core"] {
        for text in [
            format!("from . import {name}\n"),
            format!("from .{name} import sell\n"),
            format!("import shop.{name}\n"),
        ] {
            assert_eq!(write(&text), [""; 0], "{text}");
        }
    }
    assert_eq!(write("from . import till\n"), ["1 import till"]);
    assert_eq!(write("from .keywords import sell\n"), ["1 module keywords"]);
}

#[test]
fn the_last_star_import_that_has_a_name_counts() {
    let project = "\
--- shop/__init__.py
from shop.plain import *
from shop.rich import *
--- shop/plain.py
class Till:
    def count(self):
        return 1
--- shop/rich.py
from shop import plain
class Till(plain.Till):
    @classmethod
    def instance(cls):
        return cls()
";
    let tree = Tree::new(project);
    let write = |text: &str| missing(&tree.write("desk.py", text));
    assert_eq!(write("import shop\nshop.Till.instance()\nshop.Till.count\n"), [""; 0]);
    assert_eq!(write("import shop\nshop.Till.instnace()\n"), ["2 member instnace"]);
}

#[test]
fn modules_of_the_second_python_are_no_inventions() {
    let tree = Tree::new("--- shop/__init__.py\n");
    let write = |text: &str| missing(&tree.write("desk.py", text));
    assert_eq!(
        write("import urlparse\nimport cPickle\nfrom httplib import HTTPConnection\n"),
        [""; 0]
    );
    assert_eq!(write("import urlparsers\n"), ["1 package urlparsers"]);
}
