//! Names that something which is not installed may give: real, or invented?
//!
//! A class whose base is not installed has members that nobody can list, but
//! those that code uses are mostly spelt in more than one file. The first name
//! that nothing spells, which a change brings to a file that had none, is rather
//! an invented one. A file that is new has no such witness, and a second such
//! name takes the warning back.

use std::collections::BTreeSet;

use super::change::ChangedFile;
use super::collector::{Collector, Doubtful, Kind};
use super::session::Session;
use super::words;
use crate::syntax::detect;

/// How many names of the file as it was are looked up.
const LOOKED_UP: usize = 300;
/// One old name in so many may be alone, and the first new one that is counts all the same.
const RARE: usize = 20;
/// Files beside sources that spell names which code gets from outside.
const TELLING: [&str; 9] =
    [".xml", ".kts", ".gradle", ".pyi", ".pyx", ".pxd", ".xaml", ".axaml", ".resx"];

/// Calls a doubtful name missing when it is the first of its kind; the others cannot be told.
pub(super) fn judge(change: &ChangedFile, after: &Session<'_>, found: &mut Collector) {
    let doubtful = std::mem::take(&mut found.doubtful);
    let texts = change.before.as_deref().zip(change.after.as_deref());
    let jury = texts.map(|(old, new)| Jury { old, new, session: after, path: &change.path });
    // What a package brings is named beside it, and does not speak for it.
    let is_place = |one: &Doubtful| matches!(one.kind, Kind::Module | Kind::Package);
    let (places, names): (Vec<Doubtful>, Vec<Doubtful>) = doubtful.into_iter().partition(is_place);
    for doubtful in [places, names] {
        let invented = jury.as_ref().and_then(|jury| jury.first_of_its_kind(&doubtful));
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
    old: &'a [u8],
    new: &'a [u8],
    session: &'a Session<'a>,
    path: &'a str,
}

impl Jury<'_> {
    fn first_of_its_kind(&self, doubtful: &[Doubtful]) -> Option<String> {
        let is_old = |one: &&Doubtful| words::contains(self.old, &one.name);
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
        !self.session.any_other(("doubt", name), self.path, is_telling, |_, text, _| {
            words::contains(text, name)
        })
    }
}

pub(super) fn is_telling(path: &str) -> bool {
    detect(path, b"").is_some() || TELLING.iter().any(|end| path.ends_with(end))
}
