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
