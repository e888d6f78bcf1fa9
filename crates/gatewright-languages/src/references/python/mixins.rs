//! Classes that are built to be mixed into others, and use what those have.
//!
//! `class Checks:` calls `self.assertEqual`, which only `class Case(TestCase, Checks)` gives it.

use std::collections::HashSet;
use std::rc::Rc;

use super::facts::{Base, Class, Name, PyFile};
use super::modules::{Lookup, Module};
use super::resolver::{Access, ClassRef, Thing};
use super::{BASE, Checker, second_look};
use crate::references::session::Place;
use crate::references::words;

/// How many other files that name a class are looked at.
const LOOKED_AT: usize = 100;
/// How many of them are read for the classes that build on one.
const READ: usize = 8;

/// Why a member may be there that only an heir has.
const HEIR: &str = "member of a class that it is mixed into";

impl Checker<'_> {
    /// Why a class that builds on this one, and on others, may have a member from those.
    pub(super) fn mixed_in(&self, class: &ClassRef, name: &str) -> Option<&'static str> {
        let file = class.file();
        let own = &file.classes[class.class].name;
        let is_here = std::ptr::eq(file, self.file());
        let mut doubt = is_here.then(|| self.in_heirs(&self.module, own, name)).flatten();
        let places = self.named_as_base(own)?;
        for place in places.iter() {
            if doubt == Some(HEIR) {
                break;
            }
            doubt = self.in_heirs_of(place, own, name).or(doubt);
        }
        doubt.or_else(|| (places.len() == READ).then_some(BASE))
    }

    /// Whether a class that builds on this one may define a member, here or in another file. What
    /// is written to be mixed in is used by classes that do not show it.
    pub(super) fn is_given_below(&self, class: &ClassRef, name: &str) -> bool {
        let own = &class.file().classes[class.class].name;
        let session = self.resolver.session;
        let is_built_on = own.is_empty()
            || own.to_lowercase().contains("mixin")
            || second_look::is_built_on(session, own, self.path);
        let file = self.file();
        let mut heirs = heirs(file, own).into_iter().map(|number| &file.classes[number]);
        let defines = |heir: &Class| {
            heir.attributes.contains(name) || file.scopes[heir.scope].bindings.contains_key(name)
        };
        heirs.any(defines) || is_built_on && second_look::defines_member(session, name, self.path)
    }

    /// Whether a class that builds on nothing uses what every test case has: it is written to
    /// be mixed into one, be there any yet or none.
    pub(super) fn is_of_tests(&self, class: &ClassRef, name: &str) -> bool {
        let is_bare = class.file().classes[class.class].bases.is_empty();
        let Lookup::Found(cases) = self.resolver.standard("unittest.case") else { return false };
        let case = cases.parts[0].classes.iter().find(|class| &*class.name == "TestCase");
        is_bare && case.is_some_and(|case| case.attributes.contains(name))
    }

    /// Other files that name a class among several bases, looked for once in a check; `None`
    /// when there are too many files.
    fn named_as_base(&self, own: &Name) -> Option<Rc<[Place]>> {
        if let Some(known) = self.heirs.borrow().get(own) {
            return Some(Rc::clone(known));
        }
        let session = self.resolver.session;
        let is_other = |path: &&String| {
            path.ends_with(".py") && path.as_str() != self.path && session.may_hold(path, own)
        };
        let is_named = |place: &Place| {
            session.read(place).is_some_and(|text| {
                words::occurrences(&text, own).any(|at| is_one_of_bases(&text, at, own.len()))
            })
        };
        let files = session.all_files()?;
        let looked_at = files.iter().filter(is_other).take(LOOKED_AT);
        let places = looked_at.map(|path| Place::workspace(path.as_str()));
        let found: Rc<[Place]> = places.filter(is_named).take(READ).collect();
        self.heirs.borrow_mut().insert(own.clone(), Rc::clone(&found));
        Some(found)
    }

    fn in_heirs_of(&self, place: &Place, own: &str, name: &str) -> Option<&'static str> {
        let facts = self.resolver.facts(place)?;
        let module = Module { parts: vec![facts], home: place.parent(), ..Module::default() };
        self.in_heirs(&Rc::new(module), own, name)
    }

    /// Why a class of a module that builds on `own`, and on more, may have a member.
    fn in_heirs(&self, module: &Rc<Module>, own: &str, name: &str) -> Option<&'static str> {
        let file = &module.parts[0];
        let several = heirs(file, own).into_iter().filter(|it| file.classes[*it].bases.len() > 1);
        let mut doubt = None;
        for class in several {
            let class = ClassRef { module: Rc::clone(module), part: 0, class };
            match self.resolver.member_of_class(&class, Access::AtLeast, name) {
                Thing::Missing => {}
                Thing::Unknown(_) => doubt = Some(BASE),
                _ => return Some(HEIR),
            }
        }
        doubt
    }
}

/// The classes of a file that build on a class of that name, through others of the file or not.
fn heirs(file: &PyFile, own: &str) -> Vec<usize> {
    let mut names: HashSet<&str> = HashSet::from([own]);
    let mut found = Vec::new();
    for (number, class) in file.classes.iter().enumerate() {
        if class.bases.iter().any(|base| is_on(base, &names)) {
            names.insert(&class.name);
            found.push(number);
        }
    }
    found
}

fn is_on(base: &Base, names: &HashSet<&str>) -> bool {
    match base {
        Base::Path(path) => path.last().is_some_and(|last| names.contains(&**last)),
        _ => false,
    }
}

/// Whether a name stands among several bases in the head of a class.
fn is_one_of_bases(text: &[u8], at: usize, length: usize) -> bool {
    let from = at.saturating_sub(300);
    let before = &text[from..at];
    let Some(open) = memchr::memrchr(b'(', before) else { return false };
    let line = before[..open].rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
    let after = text[at + length..].trim_ascii_start();
    line.trim_ascii_start().starts_with(b"class ")
        && (memchr::memchr(b',', &before[open..]).is_some() || after.starts_with(b","))
}
