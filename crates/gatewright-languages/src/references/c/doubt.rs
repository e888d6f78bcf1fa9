//! Names that nothing spells while headers are not there: real, or invented?
//!
//! A library that is not installed gives a file many names that nothing else
//! spells, or none. One alone is rather an invented one, and so is the first
//! that a change brings to a file which had none.

use std::collections::HashSet;
use std::sync::Arc;

use super::facts::{self, CFile, Condition, Name, Reference};
use crate::references::session::Session;
use crate::syntax::{LanguageId, decode};

/// How many doubtful names are taken for invented ones.
const ALONE: usize = 1;

/// One old name in so many that other files spell may be spelt by none, and the first new one that
/// is counts all the same.
const RARE: u64 = 20;

/// From how many references on a file says what it uses.
const TELLING: usize = 6;

/// How likely a name is there although nothing spells it.
pub(super) enum Doubt {
    None,
    Little,
    Much(&'static str),
    /// It begins like a header that is not there.
    Kin,
}

/// A reference that nothing spells.
pub(super) struct Doubtful<'a> {
    pub(super) reference: &'a Reference,
    pub(super) doubt: Doubt,
}

/// What a file referred to before the change.
pub(super) struct Old {
    pub(super) includes: HashSet<Name>,
    names: HashSet<Name>,
    references: usize,
}

impl Old {
    /// The references of the file before; `None` for a new file.
    pub(super) fn of(session: &Session<'_>, language: LanguageId, path: &str) -> Option<Self> {
        let (text, _) = decode(session.before(path)?).ok()?;
        let text: &[u8] = &text;
        let read = || facts::read(language, text).map(Arc::new);
        let facts = session.checked_facts(language.name(), text, read);
        let file: &CFile = facts.as_ref().as_ref()?;
        Some(Self {
            includes: file.includes.iter().map(|include| include.path.clone()).collect(),
            names: file.references.iter().map(|reference| reference.name.clone()).collect(),
            references: file.references.len(),
        })
    }
}

/// Decides by what else nothing spells in the file.
pub(super) struct Jury<'a> {
    old: Option<&'a Old>,
    doubtful: HashSet<&'a Name>,
    /// Those of them that no missing header explains.
    unexplained: HashSet<&'a Name>,
    /// Those of these in code that every build compiles.
    unconditional: HashSet<&'a Name>,
    added: HashSet<&'a Name>,
    /// How many references only other files spell, outside of the headers.
    spelt: u64,
}

impl<'a> Jury<'a> {
    pub(super) fn new(old: Option<&'a Old>, doubtful: &[Doubtful<'a>], spelt: u64) -> Self {
        let names: HashSet<&Name> = doubtful.iter().map(|one| &one.reference.name).collect();
        let is_added = |name: &&Name| old.is_some_and(|old| !old.names.contains(*name));
        let added = names.iter().copied().filter(is_added).collect();
        let is_explained = |one: &&Doubtful<'_>| matches!(one.doubt, Doubt::Kin);
        let is_plain = |one: &&Doubtful<'_>| one.reference.condition == Condition::Always;
        let unexplained = || doubtful.iter().filter(|one| !is_explained(one));
        Self {
            old,
            doubtful: names,
            unexplained: unexplained().map(|one| &one.reference.name).collect(),
            unconditional: unexplained().filter(is_plain).map(|one| &one.reference.name).collect(),
            added,
            spelt,
        }
    }

    /// Whether a name is all that a file without a past may have of headers that are not there.
    pub(super) fn is_all(&self) -> bool {
        self.old.is_none() && self.spelt == 0 && self.doubtful.len() <= ALONE
    }

    /// Whether a name is the only one of its kind in the file.
    pub(super) fn is_alone(&self, name: &Name) -> bool {
        self.doubtful.len() <= ALONE || self.is_first(name)
    }

    /// Whether a change brings the first such name to a file that had none.
    ///
    /// Names that begin like a header which is not there do not count, nor do those under a
    /// condition for code that every build compiles.
    pub(super) fn is_first(&self, name: &Name) -> bool {
        let is_plain = self.unconditional.contains(name);
        let same = if is_plain { &self.unconditional } else { &self.unexplained };
        self.old.is_some_and(|old| old.references >= TELLING)
            && same.iter().filter(|other| !self.added.contains(**other)).count() as u64
                <= self.spelt / RARE
            && self.added.len() <= ALONE
            && self.added.contains(name)
    }
}
