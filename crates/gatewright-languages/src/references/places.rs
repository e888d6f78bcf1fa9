//! Where the names that are suggested live, and where a name that is missing here is defined.
//!
//! A place is told only when one file of the workspace alone defines the name:
//! of several nobody knows which is meant. What cannot be told is left out; a
//! warning stands or falls without it.

use std::collections::BTreeMap;

use gatewright_model::{DefinitionPlace, MissingReference, ReferenceFacts};

use super::change::is_kin;
use super::definition;
use super::session::{Place, Session};
use crate::syntax::{LanguageId, LineIndex, detect};

/// How many names one check looks for: each costs a look at the files that spell it.
const MOST_NAMES: usize = 24;

/// Adds the places of names to what is missing, as the workspace would be after the change.
pub(super) fn tell(after: &Session<'_>, found: &mut [ReferenceFacts]) {
    let mut known: BTreeMap<(LanguageId, String), Option<DefinitionPlace>> = BTreeMap::new();
    for missing in found.iter_mut().flat_map(|facts| &mut facts.missing) {
        let Some(language) = detect(&missing.path, b"") else { continue };
        for name in names(missing) {
            let key = (language, name);
            if known.len() >= MOST_NAMES && !known.contains_key(&key) {
                continue;
            }
            let place =
                known.entry(key).or_insert_with_key(|(_, name)| only(after, language, name));
            missing.places.extend(place.clone());
        }
    }
}

/// The names whose places help: those suggested, and the name itself where it may only be asked
/// of the wrong place.
fn names(missing: &MissingReference) -> Vec<String> {
    let is_bare =
        matches!(missing.kind.as_str(), "call" | "class" | "name" | "import" | "attribute");
    let itself = is_bare.then(|| missing.name.clone());
    itself.into_iter().chain(missing.suggestions.iter().cloned()).collect()
}

/// The place of a name that one file alone defines.
fn only(after: &Session<'_>, language: LanguageId, name: &str) -> Option<DefinitionPlace> {
    let is_asked = |path: &str| detect(path, b"").is_some_and(|other| is_kin(language, other));
    let is_it = |path: &str, text: &[u8]| offset(path, text, name).is_some();
    let [path] = after.answering((question(language), name), is_asked, is_it)?.try_into().ok()?;
    let text = after.read(&Place::workspace(&path))?;
    let (line, _) = LineIndex::new(&text).position(offset(&path, &text, name)?);
    Some(DefinitionPlace { name: name.to_owned(), path, line: u32::try_from(line).ok()? })
}

fn offset(path: &str, text: &[u8], name: &str) -> Option<usize> {
    definition::first(detect(path, b"")?, text, name)
}

/// The question under which answers are remembered; languages that share names share it.
fn question(language: LanguageId) -> &'static str {
    match language {
        LanguageId::Python => "place in python",
        LanguageId::Rust => "place in rust",
        LanguageId::Go => "place in go",
        LanguageId::TypeScript | LanguageId::Tsx | LanguageId::JavaScript => "place in scripts",
        LanguageId::Java | LanguageId::Kotlin => "place in java",
        LanguageId::C | LanguageId::Cpp => "place in c",
        LanguageId::CSharp => "place in c#",
        LanguageId::Ruby => "place in ruby",
    }
}
