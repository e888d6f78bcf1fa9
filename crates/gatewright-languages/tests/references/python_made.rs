//! Python: members of what a call gives, and arguments that are passed by name.

use crate::tree::{Tree, missing};

const PROJECT: &str = "\
--- till.py
from dataclasses import dataclass
class Base:
    def __init__(self, size=1):
        self.size = size
    def count(self):
        return self.size
class Till(Base):
    def __enter__(self):
        return self
    def __exit__(self, *error):
        pass
    def open(self):
        return self
class Other:
    def __enter__(self):
        return Till()
    def __exit__(self, *error):
        pass
@dataclass
class Coin:
    worth: int
    name: str = ''
@dataclass(frozen=True)
class Note(Coin):
    paper: str = ''
@dataclass
class Odd:
    worth: int
    def __init__(self, *values, **more):
        pass
class Mixin:
    def close(self):
        super().close()
def stated() -> Till:
    return Till()
def maybe() -> 'Till | None':
    return None
async def later() -> Till:
    return Till()
@wrapped
def changed() -> Till:
    return Till()
def many() -> list:
    return []
";

fn check(text: &str) -> Vec<String> {
    missing(&Tree::new(PROJECT).write("desk.py", text))
}

#[test]
fn what_calls_give_is_quiet_where_it_is_there() {
    let text = "\
from pathlib import Path
from till import Base, Coin, Mixin, Note, Odd, Other, Till
class Desk(Till):
    def open(self):
        super().open()
        super(Desk, self).count()
        return super().open().anything
    def name(self):
        return super().name()
Till(size=2).open()
Till().count()
Till().size
Path('x').exists()
with Till() as till, open('x') as file:
    till.open(); file.anything()
with Other() as other:
    other.anything()
Coin(worth=1, name='')
Note(1, paper='', worth=2)
Odd(anything=1)
Mixin().close()
";
    assert_eq!(check(text), Vec::<String>::new());
}

#[test]
fn what_calls_do_not_give_is_missing() {
    let text = "\
from pathlib import Path
from till import Coin, Note, Till
class Desk(Till):
    def sell(self):
        super().sel()
        super(Desk, self).counted()
Till().opened()
Till(siez=2).count()
Path('x').exist()
with Till() as till:
    till.shut()
Coin(worht=1)
Note(papre='')
Desk(wide=1)
";
    let expected = [
        "5 member sel",
        "6 member counted",
        "7 member opened",
        "8 argument siez",
        "9 member exist",
        "11 member shut",
        "12 argument worht",
        "13 argument papre",
        "14 argument wide",
    ];
    assert_eq!(check(text), expected);
}

#[test]
fn what_functions_say_to_give_is_known() {
    let quiet = "\
from till import changed, later, many, stated
def sell():
    till, other, third, items = stated(), later(), changed(), many()
    first = stated()
    first.open(); first.count(); first.size
    other = later()
    other.anything()
    third = changed()
    third.anything()
    items = many()
    items.anything()
";
    assert_eq!(check(quiet), Vec::<String>::new());
    let text = "\
from till import stated
def sell():
    till = stated()
    till.opne()
";
    assert_eq!(check(text), ["4 member opne"]);
}

#[test]
fn literals_have_the_members_of_their_class() {
    let quiet = "\
shelf = {}
shelf.anything()
def sell(kind):
    coins, names, text = [], {}, 'a'
    coins = []
    coins.append(1); coins.sort(key=len)
    names = {'a': 1}
    names.items(); names.iteritems()
    data = b'a'
    data.decode().anything()
    coins._List__items
    either = []
    if kind:
        either = kind.make()
    either.anything()
";
    assert_eq!(check(quiet), Vec::<String>::new());
    let text = "\
def sell():
    coins = [1]
    coins.apend(2)
    names = {name: 1 for name in coins}
    names.item()
    text = f'{coins}'
    return text.strp()
";
    assert_eq!(check(text), ["3 member apend", "5 member item", "7 member strp"]);
}

#[test]
fn what_is_added_to_has_to_be_there() {
    let text = "\
class Desk:
    count = 0
    def __init__(self):
        self.total = 0
    def sell(self, other):
        self.total += 1
        self.count += 1
        self.totl += 1
        other.anything += 1
";
    assert_eq!(check(text), ["8 member totl"]);
}

#[test]
fn modules_below_those_of_the_standard_library_are_looked_into() {
    let quiet = "\
import concurrent.futures, importlib.metadata, os, urllib.parse
from os import path
os.path.join('a'); path.exists('a'); urllib.parse.quote('a')
importlib.metadata.version('a'); concurrent.futures.ThreadPoolExecutor()
";
    assert_eq!(check(quiet), Vec::<String>::new());
    let text = "\
import os, urllib.parse
from os import path
os.path.joinn('a')
path.exits('a')
urllib.parse.quotee('a')
";
    let expected = ["3 attribute joinn", "4 attribute exits", "5 attribute quotee"];
    assert_eq!(check(text), expected);
}

#[test]
fn a_module_whose_names_a_function_is_given_may_have_any() {
    let tree = Tree::new(
        "--- made.py\ndef put(name, value, export=vars()):\n    export[name] = value\n\
         --- plain.py\ndef put(name, value, export=None):\n    export[name] = value\n",
    );
    let found = missing(&tree.write("desk.py", "from made import SIZE\nfrom plain import WIDTH\n"));
    assert_eq!(found, ["2 import WIDTH"]);
}
