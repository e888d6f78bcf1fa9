//! Names that something which is not installed may give: real, or invented?
//!
//! A class whose base is not installed has members that nobody can list, but
//! those that code uses are mostly spelt in more than one file. The first name
//! that nothing spells, which a change brings to a file that had none, is rather
//! an invented one, and a second such name takes the warning back. A file that is
//! new has no such witness; there the only name counts that neither another file nor
//! a well-known package spells, in languages of which such packages are listed.

use std::collections::{BTreeMap, BTreeSet};

use super::change::ChangedFile;
use super::collector::{Collector, Doubtful, Kind};
use super::session::Session;
use super::{jvm, python, script, words};
use crate::syntax::{LanguageId, detect};

/// How many names of the file as it was are looked up.
const LOOKED_UP: usize = 300;
/// One old name in so many may be alone, and the first new one that is counts all the same.
const RARE: usize = 20;
/// How many names of a file that is new are looked up.
const LOOKED_UP_NEW: usize = 40;
/// Reasons of which a file without a past says nothing: the module itself makes such names.
const AT_RUN_TIME: [&str; 2] = ["module with a __getattr__", "names made at run time"];
/// Files beside sources that spell names which code gets from outside.
const TELLING: [&str; 9] =
    [".xml", ".kts", ".gradle", ".pyi", ".pyx", ".pxd", ".xaml", ".axaml", ".resx"];

/// Calls a doubtful name missing when it is the first of its kind; the others cannot be told.
pub(super) fn judge(
    change: &ChangedFile,
    (after, before): (&Session<'_>, &Session<'_>),
    found: &mut Collector,
) {
    let doubtful = std::mem::take(&mut found.doubtful);
    let old = change.before.as_deref();
    let new = change.after.as_deref().unwrap_or_default();
    let jury = Jury { new, past: before, session: after, path: &change.path };
    // What a package brings is named beside it, and does not speak for it.
    let is_place = |one: &Doubtful| matches!(one.kind, Kind::Module | Kind::Package);
    let (places, names): (Vec<Doubtful>, Vec<Doubtful>) = doubtful.into_iter().partition(is_place);
    for doubtful in [places, names] {
        let invented = match old {
            Some(old) => jury.first_of_its_kind(old, &doubtful),
            None => jury.only_stranger(&doubtful),
        };
        for one in doubtful {
            match invented.as_deref() == Some(&one.name) {
                true => found.missing(&one.name, one.kind, one.offset, []),
                false => found.unknown(one.reason),
            }
        }
    }
}

/// What the judgement rests on.
struct Jury<'a> {
    new: &'a [u8],
    session: &'a Session<'a>,
    /// The workspace as it was.
    past: &'a Session<'a>,
    path: &'a str,
}

impl Jury<'_> {
    /// The one name of a file without a past that no other file and no listed package spells.
    fn only_stranger(&self, doubtful: &[Doubtful]) -> Option<String> {
        let language = detect(self.path, self.new)?;
        let is_listed = listed(language)?;
        let is_kotlin = language == LanguageId::Kotlin;
        let mut uses: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
        let is_told = |one: &&Doubtful| {
            let is_kind = match one.kind {
                Kind::Member => !is_kotlin,
                // Of Kotlin's packages hardly one is listed: what only a class around may lend.
                Kind::Call => !is_kotlin || jvm::LENT_BY_CLASSES.contains(&one.reason),
                _ => false,
            };
            is_kind && !AT_RUN_TIME.contains(&one.reason)
        };
        for one in doubtful.iter().filter(is_told) {
            uses.entry(&one.name).or_default().insert(one.offset);
        }
        if uses.len() > LOOKED_UP_NEW {
            return None;
        }
        // The other files are asked last: to look at all of them takes the longest.
        let mut strangers = uses.iter().filter(|(name, _)| !is_listed(name) && self.is_alone(name));
        let (name, uses) = strangers.next()?;
        // What another file had until now was moved.
        let was_there =
            || self.past.any_other(("doubt past", name), self.path, is_telling, spells(name));
        let is_only = strangers.next().is_none()
            && words::occurrences(self.new, name).count() == uses.len()
            && !was_there();
        is_only.then(|| (*name).to_owned())
    }

    fn first_of_its_kind(&self, old: &[u8], doubtful: &[Doubtful]) -> Option<String> {
        let is_old = |one: &&Doubtful| words::contains(old, &one.name);
        let (old, new): (Vec<&Doubtful>, Vec<&Doubtful>) = doubtful.iter().partition(is_old);
        let name = new.first()?.name.as_str();
        if new.iter().any(|one| one.name != name) {
            return None;
        }
        // What one thing that is not known gives says nothing of what another gives.
        let is_alike = |one: &&&Doubtful| new.iter().any(|new| new.reason == one.reason);
        let old: BTreeSet<&str> =
            old.iter().filter(is_alike).map(|one| one.name.as_str()).collect();
        let uses = new.iter().map(|one| one.offset).collect::<BTreeSet<_>>().len();
        let is_first = words::occurrences(self.new, name).count() == uses
            && self.is_alone(name)
            && old.len() <= LOOKED_UP
            && self.are_rarely_alone(&old);
        is_first.then(|| name.to_owned())
    }

    /// Whether names of the file as it was are hardly ever spelt by no other file.
    fn are_rarely_alone(&self, old: &BTreeSet<&str>) -> bool {
        old.iter().filter(|name| self.is_alone(name)).nth(old.len() / RARE).is_none()
    }

    /// Whether no other file spells a name.
    fn is_alone(&self, name: &str) -> bool {
        !self.session.any_other(("doubt", name), self.path, is_telling, spells(name))
    }
}

/// What tells whether a file spells a name.
fn spells(name: &str) -> impl Fn(&str, &[u8], bool) -> bool {
    move |_, text, _| words::contains(text, name)
}

/// What tells whether well-known packages of a language spell a name.
fn listed(language: LanguageId) -> Option<fn(&str) -> bool> {
    match language {
        LanguageId::Python => Some(python::is_of_packages),
        LanguageId::JavaScript | LanguageId::Tsx | LanguageId::TypeScript => {
            Some(script::is_of_packages)
        }
        LanguageId::Kotlin => Some(jvm::may_be_lent),
        _ => None,
    }
}

pub(super) fn is_telling(path: &str) -> bool {
    detect(path, b"").is_some() || TELLING.iter().any(|end| path.ends_with(end))
}
