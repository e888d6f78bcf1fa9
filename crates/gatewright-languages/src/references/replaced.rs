//! Imports that stand where another one stood whose name the file still uses.
//!
//! Of a package that is not installed nobody can list the names. But when a change
//! takes the import of a name away that the rest of the file goes on using, and brings
//! another from the very same place that nothing uses, the new name is a wrong spelling
//! of the old one. The same holds of a package in Java and Kotlin: a name that was imported
//! from one, and now comes from another that is called like it but for one part and that
//! nothing else spells, is hardly there.

use super::change::{ChangedFile, check};
use super::collector::{Collector, Kind, Untold};
use super::doubt::is_telling;
use super::neighbours::Neighbours;
use super::session::Session;
use super::words;
use crate::syntax::{LanguageId, decode};

/// Calls an import missing that took the place of a used one; the others cannot be told.
pub(super) fn judge(
    change: &ChangedFile,
    language: LanguageId,
    (after, before): (&Session<'_>, &Session<'_>),
    found: &mut Collector,
) {
    let untold = std::mem::take(&mut found.untold);
    let old = Replaced::new(change, language, before, &untold);
    let mut neighbours = Neighbours::new(change, language, (after, before));
    for one in &untold {
        let names = old.as_ref().map(|old| old.names(one, &untold)).unwrap_or_default();
        let place = old.as_ref().and_then(|old| old.place(one, &untold));
        let place = place.filter(|place| is_alone(after, &change.path, one, place));
        let place = place.map(str::to_owned).or_else(|| neighbours.of(one));
        match (place.as_deref(), names.is_empty()) {
            (Some(place), _) => found.missing(&one.owner, Kind::Module, one.offset, [place]),
            (None, true) => found.unknown(one.reason),
            (None, false) => found.missing(&one.name, Kind::Import, one.offset, names),
        }
    }
}

/// Whether no other file spells the package that an import names now.
fn is_alone(after: &Session<'_>, path: &str, one: &Untold, place: &str) -> bool {
    odd_part(&one.owner, place).is_some_and(|(part, _)| {
        !after.any_other(("replaced package", part), path, is_telling, |_, text, _| {
            words::contains(text, part)
        })
    })
}

/// The file as it was, with the imports that could not be told then.
struct Replaced<'a> {
    old: &'a [u8],
    new: &'a [u8],
    imports: Vec<Untold>,
    has_packages: bool,
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
        let has_packages = matches!(language, LanguageId::Java | LanguageId::Kotlin);
        let is_moved = |one: &Untold| has_packages && words::contains(old, &one.name);
        let is_new = |one: &Untold| memchr::memmem::find(old, one.owner.as_bytes()).is_none();
        let may_be = |one: &Untold| is_unused(old, new, &one.name) || is_moved(one) && is_new(one);
        if !untold.iter().any(may_be) {
            return None;
        }
        let text = decode(old).ok()?.0;
        let imports = check(language, before, &change.path, &text)?.untold;
        Some(Self { old, new, imports, has_packages })
    }

    /// The package from which a name came before, where only one part of its name is another.
    fn place(&self, one: &Untold, untold: &[Untold]) -> Option<&str> {
        let is_kept =
            |owner: &str| untold.iter().any(|it| it.name == one.name && it.owner == owner);
        let mut were = self.imports.iter().filter(|old| self.has_packages && old.name == one.name);
        let was = were.find(|old| old.owner != one.owner && !is_kept(&old.owner))?;
        let (part, other) = odd_part(&one.owner, &was.owner)?;
        let is_version = bare(part) == bare(other);
        (!is_version && !words::contains(self.old, part)).then_some(was.owner.as_str())
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

/// The one part that two packages do not share, as each has it; the first part does not count.
pub(super) fn odd_part<'a>(one: &'a str, other: &'a str) -> Option<(&'a str, &'a str)> {
    if one.split('.').count() != other.split('.').count() {
        return None;
    }
    let parts = one.split('.').zip(other.split('.')).enumerate();
    let mut odd = parts.filter(|(_, (one, other))| one != other);
    let (at, parts) = odd.next()?;
    (at > 0 && odd.next().is_none()).then_some(parts)
}

/// A part of a package without the version at its end.
pub(super) fn bare(part: &str) -> &str {
    part.trim_end_matches(|c: char| c.is_ascii_digit())
}

/// Whether a change brings a name that its import alone spells.
fn is_unused(old: &[u8], new: &[u8], name: &str) -> bool {
    words::occurrences(new, name).count() == 1 && !words::contains(old, name)
}
