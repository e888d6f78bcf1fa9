//! What was packed is what was there.

use super::super::{facts, walk};
use super::*;

const TEXT: &str = r#"
import os.path
import sys as system
from ..desk import Drawer as D, handle
from .x import *
__all__ = ["Desk", "open"]
P = namedtuple("P", "x y")
later = Desk()
also = os.path
class Meta(type): ...
@register(1)
@(lambda c: c)
class Desk(D, NamedTuple("N", [("a", int)]), other().thing, metaclass=Meta):
    wide: int = 3
    def __init__(self, legs, *, colour: str = "red"):
        self.legs = legs
        self.first = D()
        setattr(self, legs, 1)
    def __getattr__(self, name): return name
    @property
    def top(self, **any): return handle.x.stored
def outer(a, b: D):
    class Inner(Desk):
        deep = 1
    a.set_here = 1
    return Inner
def __getattr__(name):
    if name == "lazy": return 1
    raise AttributeError(name)
globals()["x"] = 1
z = y )
"#;

fn same(one: &PyFile, other: &PyFile) {
    let told = |file: &PyFile| {
        let scopes: Vec<String> = file
            .scopes
            .iter()
            .map(|scope| {
                let mut bound: Vec<String> =
                    scope.bindings.iter().map(|pair| format!("{pair:?}")).collect();
                bound.sort();
                format!("{:?} {:?} {bound:?}", scope.parent, scope.kind)
            })
            .collect();
        let sorted = |names: &std::collections::HashSet<facts::Name>| {
            let mut names: Vec<facts::Name> = names.iter().cloned().collect();
            names.sort();
            names
        };
        let classes: Vec<String> = file
            .classes
            .iter()
            .map(|class| {
                let mut held: Vec<String> =
                    class.held.iter().map(|pair| format!("{pair:?}")).collect();
                held.sort();
                format!(
                    "{} {} {} {:?} {:?} {:?} {:?} {held:?} {:?}",
                    class.name,
                    class.scope,
                    class.outer,
                    class.bases,
                    class.metaclass,
                    class.decorators,
                    sorted(&class.attributes),
                    class.open
                )
            })
            .collect();
        let flags = (file.hooked, file.makes_modules, file.incomplete, file.open, file.hook);
        let names = [&file.spelled, &file.stored, &file.loose].map(sorted);
        let functions = format!("{:?}", file.functions);
        format!(
            "{scopes:#?} {classes:#?} {functions} {:?} {:?} {flags:?} {names:?}",
            file.stars, file.all
        )
    };
    assert_eq!(told(one), told(other));
}

#[test]
fn a_file_of_which_only_definitions_are_read_says_the_same_to_others() {
    let nested = "class Desk:\n    def open(self, *, till=make().till[0].x):\n        \
        setattr(self, 'a', 1)\n        self.b = Desk().c.d = (lambda: (y := 1))()\n        \
        self.x().__dict__['e'] = globals()\n        return cls().f(g=[h.i for h in j.k()])\n";
    let sources = [TEXT, nested, include_str!("../../../tests/references/stdlib_names.py")];
    for source in sources {
        let whole = walk::read(source.as_bytes()).unwrap();
        assert!(!whole.references.is_empty());
        let definitions = walk::read_definitions(source.as_bytes()).unwrap();
        assert!(definitions.references.is_empty());
        same(&whole.for_others(), &definitions);
    }
}

#[test]
fn a_file_that_was_packed_says_the_same() {
    let file = walk::read(TEXT.as_bytes()).unwrap().for_others();
    assert_eq!((file.classes.len(), file.stars.len(), file.functions.len()), (3, 1, 5));
    assert!(file.open.is_some() && file.hooked && !file.stored.is_empty());
    assert!(file.classes.iter().any(|class| class.held.len() == 1));
    assert!(file.functions.iter().any(|function| function.is_property));
    let mut to = Writer::default();
    file.write(&mut to);
    let bytes = to.into_bytes();
    let mut from = Reader::new(&bytes);
    same(&file, &PyFile::read(&mut from).unwrap());
    assert!(from.is_at_end());
}

#[test]
fn bytes_that_were_changed_are_no_file_or_one_whose_numbers_are_good() {
    let file = walk::read(TEXT.as_bytes()).unwrap().for_others();
    let mut to = Writer::default();
    file.write(&mut to);
    let bytes = to.into_bytes();
    let (mut read, mut refused) = (0, 0);
    for at in 0..bytes.len() {
        for value in [0, 1, 4, 9, 0x30, 0x7f, 0x80, 0xff] {
            let mut other = bytes.clone();
            other[at] = value;
            match PyFile::read(&mut Reader::new(&other)) {
                Some(file) => walk_all(&file),
                None => refused += 1,
            }
            read += 1;
        }
    }
    assert!(refused > 100 && refused < read, "{refused} of {read}");
}

/// Follows every number as a resolver does.
fn walk_all(file: &PyFile) {
    for number in 0..file.scopes.len() {
        assert!(file.lookup(number, "no such name").is_none());
        for binding in file.scopes[number].bindings.values() {
            match binding {
                Binding::Class(class) | Binding::Receiver(class) => {
                    let _ = &file.scopes[file.classes[*class].scope];
                }
                Binding::Function(function) => {
                    let _ = &file.functions[*function];
                }
                _ => {}
            }
        }
    }
}

#[test]
fn every_reason_of_the_reader_is_kept_as_it_is() {
    let sources = [
        include_str!("dynamic.rs"),
        include_str!("expressions.rs"),
        include_str!("walk.rs"),
        include_str!("stdlib.rs"),
    ];
    let mut seen = 0;
    for source in sources {
        for call in source.split("open.get_or_insert(\"").skip(1) {
            let reason = call.split('"').next().unwrap();
            assert!(REASONS.contains(&reason), "{reason}");
            seen += 1;
        }
    }
    assert!(seen > 6, "{seen}");
}
