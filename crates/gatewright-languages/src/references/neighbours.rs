//! Imports from a package that is called almost like the one from which others take the name.
//!
//! Of a package in Java and Kotlin that is not installed nobody can list the names. But where
//! other files import a name from a package that one part alone tells apart, the two parts are
//! nearly alike, no other version of each other, and nothing else spells the new one, the new
//! package is hardly there. Only what a change brings is asked for.

use super::change::ChangedFile;
use super::collector::Untold;
use super::doubt::is_telling;
use super::replaced::{bare, odd_part};
use super::session::Session;
use super::suggest::nearest;
use super::words;
use crate::syntax::{LanguageId, detect};

/// How many imports of one file are looked for in others.
const LOOKED_UP: usize = 60;
/// Shorter parts are near too many others.
const SHORTEST: usize = 4;

/// What the search for neighbours rests on.
pub(super) struct Neighbours<'a> {
    path: &'a str,
    old: &'a [u8],
    after: &'a Session<'a>,
    before: &'a Session<'a>,
    left: usize,
}

impl<'a> Neighbours<'a> {
    pub(super) fn new(
        change: &'a ChangedFile,
        language: LanguageId,
        (after, before): (&'a Session<'_>, &'a Session<'_>),
    ) -> Self {
        let left = if is_jvm(Some(language)) { LOOKED_UP } else { 0 };
        let old = change.before.as_deref().unwrap_or_default();
        Self { path: &change.path, old, after, before, left }
    }

    /// The package from which others import the name, where that of the import is not there.
    pub(super) fn of(&mut self, one: &Untold) -> Option<String> {
        if self.left == 0 || memchr::memmem::find(self.old, one.owner.as_bytes()).is_some() {
            return None;
        }
        self.left -= 1;
        let asked = ("imports of a name", one.name.as_str());
        let is_asked = |path: &str| is_jvm(detect(path, b""));
        let imports = |_: &str, text: &[u8]| owners(text, &one.name).next().is_some();
        let files = self.after.answering(asked, is_asked, imports)?;
        files.iter().find_map(|file| {
            let text = self.after.text(file)?;
            let mut owners = owners(text.as_bytes(), &one.name);
            let owner = owners.find(|owner| self.is_near(&one.owner, owner))?;
            Some(owner.to_owned())
        })
    }

    /// Whether one part alone tells two packages apart, hardly, and nothing else spells it.
    fn is_near(&self, package: &str, known: &str) -> bool {
        let Some((part, other)) = odd_part(package, known) else { return false };
        part.len() >= SHORTEST
            && other.len() >= SHORTEST
            && bare(part) != bare(other)
            && !nearest(part, [other]).is_empty()
            && !words::contains(self.old, part)
            && [self.after, self.before].into_iter().all(|session| !self.spells(session, part))
    }

    fn spells(&self, session: &Session<'_>, part: &str) -> bool {
        session.any_other(("replaced package", part), self.path, is_telling, |_, text, _| {
            words::contains(text, part)
        })
    }
}

fn is_jvm(language: Option<LanguageId>) -> bool {
    matches!(language, Some(LanguageId::Java | LanguageId::Kotlin))
}

/// The packages from which a file imports a name.
fn owners<'a>(text: &'a [u8], name: &'a str) -> impl Iterator<Item = &'a str> {
    let lines = text.split(|byte| *byte == b'\n').filter_map(|line| std::str::from_utf8(line).ok());
    lines.filter_map(move |line| {
        let path = line.strip_prefix("import ")?.trim().trim_end_matches(';').trim_end();
        let owner = path.strip_suffix(name)?.strip_suffix('.')?;
        Some(owner.strip_prefix("static ").unwrap_or(owner).trim_start())
    })
}
