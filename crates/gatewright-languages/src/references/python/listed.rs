//! What well-known packages define, for workspaces in which they are not installed.
//!
//! `tests/references/python_packages.py` writes the table: the modules of each package, and every
//! name that any of several versions defines anywhere in it. That is more than a module has and
//! never less, so a name that is in none of it is missing, and of one that is there nothing is
//! said. Names that begin with `_` are left alone, and so are modules and classes that make names
//! at run time.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::OnceLock;

use super::Checker;
use super::modules::Lookup;
use super::resolver::Thing;
use crate::references::collector::Kind;
use crate::references::words;

static TABLE: &str = include_str!("listed.txt");

pub(super) const NOT_INSTALLED: &str = "package not installed";
/// Why a member cannot be told of a class that builds on one of a listed package.
pub(super) const BASE_LISTED: &str = "base of a package that is not installed";
/// Names as short as this are left alone.
const SHORTEST: usize = 3;

/// A package of the table.
#[derive(Debug, Clone, Copy)]
pub(super) struct Listed {
    modules: &'static str,
    makers: &'static str,
    names: &'static str,
}

/// What a listed package gives.
#[derive(Debug, Clone)]
pub(super) enum Part {
    /// A module, by its name below the package.
    Module(Rc<str>),
    Class,
}

/// The package of an import name.
pub(super) fn of(top: &str) -> Option<Listed> {
    packages().get(top).copied()
}

fn packages() -> &'static HashMap<&'static str, Listed> {
    static PACKAGES: OnceLock<HashMap<&'static str, Listed>> = OnceLock::new();
    PACKAGES.get_or_init(|| sections().filter_map(read).collect())
}

/// The parts of the table, a package each.
fn sections() -> impl Iterator<Item = &'static str> {
    let begins = memchr::memmem::find_iter(TABLE.as_bytes(), "P ");
    let is_line = |at: &usize| *at == 0 || TABLE.as_bytes()[at - 1] == b'\n';
    begins.filter(is_line).map(|at| &TABLE[at + 2..])
}

fn read(section: &'static str) -> Option<(&'static str, Listed)> {
    let mut lines = section.lines();
    let name = lines.next()?;
    let (modules, makers, names) = (lines.next()?, lines.next()?, lines.next()?);
    Some((name, Listed { modules, makers, names }))
}

/// Whether any listed package spells a name.
pub(super) fn is_spelt(name: &str) -> bool {
    packages().values().any(|listed| listed.has(name))
}

fn is_left_alone(name: &str) -> bool {
    name.len() < SHORTEST || name.starts_with('_')
}

/// Whether a word stands in a line of sorted words, of which the first says what they are.
fn holds(line: &str, word: &str) -> bool {
    let (bytes, wanted) = (line.as_bytes(), word.as_bytes());
    let (mut low, mut high) = (line.find(' ').map_or(line.len(), |blank| blank + 1), line.len());
    while low < high {
        let middle = low + (high - low) / 2;
        let start = memchr::memrchr(b' ', &bytes[low..middle]).map_or(low, |blank| low + blank + 1);
        let end = memchr::memchr(b' ', &bytes[start..high]).map_or(high, |blank| start + blank);
        match bytes[start..end].cmp(wanted) {
            Ordering::Equal => return true,
            Ordering::Less => low = (end + 1).min(high),
            Ordering::Greater => high = start.saturating_sub(1).max(low),
        }
    }
    false
}

impl Listed {
    pub(super) fn has(self, name: &str) -> bool {
        is_left_alone(name) || holds(self.names, name)
    }

    fn names(self) -> impl Iterator<Item = &'static str> {
        self.names.split(' ').skip(1)
    }

    /// Whether a module of this name below the package makes names at run time; `None` when there
    /// is no such module.
    fn is_made(self, below: &str) -> Option<bool> {
        let below = if below.is_empty() { "." } else { below };
        match holds(self.modules, below) {
            true => Some(false),
            false => holds(self.modules, &format!("~{below}")).then_some(true),
        }
    }

    /// The module of this dotted name below the package.
    pub(super) fn find(self, below: &str) -> Lookup {
        match self.is_made(below) {
            Some(false) => return Lookup::Listed(self, below.into()),
            Some(true) => return Lookup::Unknown(NOT_INSTALLED),
            None => {}
        }
        let mut parent = "";
        for (at, part) in parts(below) {
            let path = &below[..at + part.len()];
            match self.is_made(path) {
                Some(_) => parent = path,
                None if self.has(part) || self.is_made(parent) != Some(false) => break,
                None => {
                    let nearest = self.modules.split([' ', '.', '~']).skip(1).map(str::to_owned);
                    let (name, nearest) = (part.to_owned(), nearest.collect());
                    return Lookup::Unlisted { name, nearest };
                }
            }
        }
        Lookup::Unknown(NOT_INSTALLED)
    }

    /// What a module of the package has of this name.
    pub(super) fn member(self, below: &str, name: &str) -> Thing {
        let path = if below.is_empty() { name.to_owned() } else { format!("{below}.{name}") };
        match self.is_made(&path) {
            Some(false) => return Thing::Listed(self, Part::Module(path.into())),
            Some(true) => return Thing::Opaque(NOT_INSTALLED),
            None => {}
        }
        let is_class = name.starts_with(|c: char| c.is_ascii_uppercase())
            && name.contains(|c: char| c.is_ascii_lowercase());
        match self.has(name) {
            true if is_class && !holds(self.makers, name) => Thing::Listed(self, Part::Class),
            true => Thing::Opaque(NOT_INSTALLED),
            false => Thing::Missing,
        }
    }

    /// What a part of the package has of this name.
    pub(super) fn attribute(self, part: &Part, name: &str) -> Thing {
        match part {
            Part::Module(below) => self.member(below, name),
            // It may build on classes of other packages.
            Part::Class if self.has(name) || is_spelt(name) => Thing::Opaque(NOT_INSTALLED),
            Part::Class => Thing::Missing,
        }
    }
}

/// The parts of a dotted name, each with the place where it begins.
fn parts(dotted: &str) -> impl Iterator<Item = (usize, &str)> {
    dotted.split('.').map(|part| (part.as_ptr() as usize - dotted.as_ptr() as usize, part))
}

impl Checker<'_> {
    /// A name that no version of a listed package defines, unless another file spells it.
    pub(super) fn missing_of_listed(
        &mut self,
        listed: Listed,
        name: &str,
        kind: Kind,
        offset: usize,
    ) {
        match self.is_spelt_elsewhere(name) {
            true => self.found.unknown(NOT_INSTALLED),
            false => self.found.missing(name, kind, offset, listed.names()),
        }
    }

    /// Whether another Python file of the workspace spells a name.
    pub(super) fn is_spelt_elsewhere(&self, name: &str) -> bool {
        let is_python = |path: &str| [".py", ".pyi", ".pyx"].iter().any(|end| path.ends_with(end));
        let spells = |_: &str, text: &[u8], _| words::contains(text, name);
        self.resolver.session.any_other(("python listed", name), self.path, is_python, spells)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_in_their_line() {
        let line = "N Ab a abc b zz";
        assert!(["Ab", "a", "abc", "b", "zz"].iter().all(|word| holds(line, word)));
        assert!(["N", "A", "ab", "bc", "z", "zzz", ""].iter().all(|word| !holds(line, word)));
        assert!(!holds("N", "a") && !holds("D", ""));
        let of_all = packages().values().flat_map(|listed| listed.names().map(|it| (*listed, it)));
        assert!(of_all.step_by(97).all(|(listed, name)| holds(listed.names, name)));
    }

    #[test]
    fn the_table_knows_modules_names_and_makers() {
        let django = of("django").unwrap();
        assert_eq!(django.is_made("db.models"), Some(false));
        assert_eq!(django.is_made("db.modelz"), None);
        assert!(django.has("cached_property") && !django.has("cached_propertie"));
        assert!(holds(django.makers, "Model") && !holds(django.makers, "Paginator"));
        assert!(of("left_pad").is_none() && is_spelt("raise_for_status"));
    }
}
