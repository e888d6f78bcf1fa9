//! Imports that stand where another one stood whose name the file still uses.
//!
//! Of a package that is not installed nobody can list the names. But when a change
//! takes the import of a name away that the rest of the file goes on using, and brings
//! another from the very same place that nothing uses, the new name is a wrong spelling
//! of the old one.

use super::change::{ChangedFile, check};
use super::collector::{Collector, Kind, Untold};
use super::session::Session;
use super::words;
use crate::syntax::{LanguageId, decode};

/// Calls an import missing that took the place of a used one; the others cannot be told.
pub(super) fn judge(
    change: &ChangedFile,
    language: LanguageId,
    before: &Session<'_>,
    found: &mut Collector,
) {
    let untold = std::mem::take(&mut found.untold);
    let old = Replaced::new(change, language, before, &untold);
    for one in &untold {
        let names = old.as_ref().map(|old| old.names(one, &untold)).unwrap_or_default();
        match names.is_empty() {
            true => found.unknown(one.reason),
            false => found.missing(&one.name, Kind::Import, one.offset, names),
        }
    }
}

/// The file as it was, with the imports that could not be told then.
struct Replaced<'a> {
    old: &'a [u8],
    new: &'a [u8],
    imports: Vec<Untold>,
}

impl<'a> Replaced<'a> {
    /// `None` where no import of the change can have taken the place of another.
    fn new(
        change: &'a ChangedFile,
        language: LanguageId,
        before: &Session<'_>,
        untold: &[Untold],
    ) -> Option<Self> {
        let (old, new) = (change.before.as_deref()?, change.after.as_deref()?);
        if !untold.iter().any(|one| is_unused(old, new, &one.name)) {
            return None;
        }
        let text = decode(old).ok()?.0;
        let imports = check(language, before, &change.path, &text)?.untold;
        Some(Self { old, new, imports })
    }

    /// The names of the imports in whose place one stands; none where it is used itself.
    fn names(&self, one: &Untold, untold: &[Untold]) -> Vec<&str> {
        if !is_unused(self.old, self.new, &one.name) {
            return Vec::new();
        }
        let is_kept = |name: &str| untold.iter().any(|other| other.name == name);
        let was_there = self.imports.iter().filter(|old| old.owner == one.owner);
        let names = was_there.map(|old| old.name.as_str());
        names.filter(|name| !is_kept(name) && self.is_still_used(name)).collect()
    }

    /// Whether only the import of a name went, and every use of it stayed.
    fn is_still_used(&self, name: &str) -> bool {
        let count = |text: &[u8]| words::occurrences(text, name).count();
        let left = count(self.new);
        left > 0 && left + 1 == count(self.old)
    }
}

/// Whether a change brings a name that its import alone spells.
fn is_unused(old: &[u8], new: &[u8], name: &str) -> bool {
    words::occurrences(new, name).count() == 1 && !words::contains(old, name)
}
