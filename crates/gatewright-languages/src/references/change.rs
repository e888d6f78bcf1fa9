//! The entry: changed files in, facts about the references that they add out.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use gatewright_model::{MissingReference, ReferenceFacts};

use super::base::Base;
use super::collector::{Collector, Kind, Missing};
use super::index::Index;
use super::session::Session;
use super::{
    Dependencies, SourceTree, broken, c, csharp, doubt, go, jvm, places, python, replaced, ruby,
    rust, script, words,
};
use crate::syntax::{LanguageId, LineIndex, decode, detect};

/// One file of a change set, as it was and as it would be.
#[derive(Debug, Clone)]
pub struct ChangedFile {
    /// The path, relative to the root of the workspace.
    pub path: String,
    /// The bytes before; `None` for a new file.
    pub before: Option<Arc<[u8]>>,
    /// The bytes after; `None` for a removed file.
    pub after: Option<Arc<[u8]>>,
}

/// The facts about each changed file's references, in the order of `changes`.
///
/// A reference that was dangling in `before` already is not reported again. What
/// a change breaks in other files stands among its missing references, with the
/// kind `broken` and the place of the use.
pub fn reference_facts(
    changes: &[ChangedFile],
    tree: &dyn SourceTree,
    dependencies: &dyn Dependencies,
    index: &Index,
) -> Vec<ReferenceFacts> {
    let base = Base::new(tree, dependencies, index);
    let after = Session::new(changes, |change| change.after.clone(), &base, index);
    let before = Session::new(changes, |change| change.before.clone(), &base, index);
    let mut found: Vec<ReferenceFacts> =
        changes.iter().map(|change| file_facts(change, &after, &before)).collect();
    if base.budget.is_spent() {
        return changes.iter().map(|_| ReferenceFacts::not_checked()).collect();
    }
    let vanishing: Vec<BTreeSet<String>> =
        changes.iter().map(|change| broken::vanishing(change, index)).collect();
    let lost: BTreeSet<String> = vanishing.iter().flatten().cloned().collect();
    if !lost.is_empty() {
        let (after, before) = (after.losing(&lost), before.about(&lost));
        for ((change, names), facts) in changes.iter().zip(&vanishing).zip(&mut found) {
            facts.missing.extend(broken::broken(change, names, &after, &before));
        }
    }
    let is_complete = !base.is_too_large();
    places::tell(&after, &mut found);
    found.iter_mut().for_each(|facts| facts.complete &= is_complete);
    found
}

fn file_facts(change: &ChangedFile, after: &Session<'_>, before: &Session<'_>) -> ReferenceFacts {
    let Some(bytes) = &change.after else { return ReferenceFacts::default() };
    let Some(language) = detect(&change.path, bytes) else { return ReferenceFacts::default() };
    let Ok((text, _)) = decode(bytes) else { return ReferenceFacts::not_checked() };
    let edited = match language {
        LanguageId::Python => python::check_edited(after, &change.path, &text),
        _ => None,
    };
    let found = edited.or_else(|| check(language, after, &change.path, &text));
    let Some(mut found) = found else {
        return ReferenceFacts::not_checked();
    };
    doubt::judge(change, (after, before), &mut found);
    replaced::judge(change, language, (after, before), &mut found);
    found.missing.retain(|missing| is_whole_word(&text, missing));
    if let Some(old) = &change.before
        && let Ok((old, _)) = decode(old)
        && found.missing.iter().any(|missing| may_be_old(&old, missing))
        && let Some(dangling) = check(language, before, &change.path, &old)
    {
        found.missing = added(found.missing, &dangling.missing);
    }
    clear_large(language, after, &mut found);
    drop_missing_suggestions(&mut found.missing);
    facts(&change.path, &text, found)
}

/// What a file spells that is too large to be parsed may be defined there.
fn clear_large(language: LanguageId, after: &Session<'_>, found: &mut Collector) {
    let is_asked = |path: &str| detect(path, b"").is_some_and(|other| is_kin(language, other));
    let mut large: HashMap<String, bool> = HashMap::new();
    for missing in std::mem::take(&mut found.missing) {
        let is_of_file = matches!(missing.kind, Kind::Module | Kind::Package);
        let ask = || after.is_in_large(last_word(&missing.name), is_asked);
        match !is_of_file && *large.entry(missing.name.clone()).or_insert_with(ask) {
            true => *found.unknown.entry("file too large to be read").or_default() += 1,
            false => found.missing.push(missing),
        }
    }
}

/// A name that is imported here and missing itself is no help to another; what lies in a
/// container of its own is there, whatever this file lacks.
fn drop_missing_suggestions(missing: &mut [Missing]) {
    let names: BTreeSet<String> = missing.iter().map(|missing| missing.name.clone()).collect();
    for missing in missing.iter_mut().filter(|missing| !missing.kind.has_container()) {
        missing.suggestions.retain(|suggested| !names.contains(suggested));
    }
}

/// Whether files of one language may use what files of the other define.
pub(super) fn is_kin(language: LanguageId, other: LanguageId) -> bool {
    use LanguageId::{C, Cpp, Java, JavaScript, Kotlin, Tsx, TypeScript};
    let kin: [&[LanguageId]; 3] = [&[C, Cpp], &[Java, Kotlin], &[JavaScript, Tsx, TypeScript]];
    language == other || kin.iter().any(|kin| kin.contains(&language) && kin.contains(&other))
}

/// The last word of a name that may have several.
fn last_word(name: &str) -> &str {
    let mut words = name.split(|c: char| !c.is_alphanumeric() && c != '_');
    words.rfind(|word| !word.is_empty()).unwrap_or(name)
}

/// Whether a text may have referred to a missing name: what it does not spell it did not.
fn may_be_old(old: &[u8], missing: &Missing) -> bool {
    words::contains(old, last_word(&missing.name))
}

/// Whether a name begins where a word does: a parser that lost its way begins inside of one.
fn is_whole_word(text: &[u8], missing: &Missing) -> bool {
    let is_word = |at: usize| text.get(at).is_some_and(|byte| words::is_word(*byte));
    let before = missing.offset.checked_sub(1);
    !(is_word(missing.offset) && before.is_some_and(is_word))
}

/// The answers about one file; `None` when its language has no resolver or it cannot be parsed.
pub(super) fn check(
    language: LanguageId,
    session: &Session<'_>,
    path: &str,
    text: &[u8],
) -> Option<Collector> {
    match language {
        LanguageId::Python => python::check(session, path, text),
        LanguageId::TypeScript | LanguageId::Tsx | LanguageId::JavaScript => {
            script::check(session, language, path, text)
        }
        LanguageId::Rust => rust::check(session, path, text),
        LanguageId::Go => go::check(session, path, text),
        LanguageId::C | LanguageId::Cpp => c::check(session, language, path, text),
        LanguageId::Java | LanguageId::Kotlin => jvm::check(session, language, path, text),
        LanguageId::CSharp => csharp::check(session, path, text),
        LanguageId::Ruby => ruby::check(session, path, text),
    }
}

/// What is missing now beyond what was missing already, counted by name and kind.
pub(super) fn added(now: Vec<Missing>, already: &[Missing]) -> Vec<Missing> {
    let mut known: HashMap<(String, Kind), usize> = HashMap::new();
    for missing in already {
        *known.entry((missing.name.clone(), missing.kind)).or_default() += 1;
    }
    now.into_iter()
        .filter(|missing| match known.get_mut(&(missing.name.clone(), missing.kind)) {
            Some(count) if *count > 0 => {
                *count -= 1;
                false
            }
            _ => true,
        })
        .collect()
}

fn facts(path: &str, text: &[u8], found: Collector) -> ReferenceFacts {
    let missing = located(path, text, found.missing);
    let unknown: BTreeMap<&'static str, u64> = found.unknown;
    ReferenceFacts { checked: found.checked, unknown, missing, complete: !found.incomplete }
}

/// Missing references with their lines and columns, in the order of the file.
///
/// Columns are counted on from the one before, so that a file of one long line
/// costs no more than others.
pub(super) fn located(path: &str, text: &[u8], mut missing: Vec<Missing>) -> Vec<MissingReference> {
    let lines = LineIndex::new(text);
    missing.sort_by_key(|missing| missing.offset);
    let (mut last_line, mut counted, mut column) = (usize::MAX, 0, 1);
    let place = |missing: Missing| {
        let (line, _) = lines.position(missing.offset);
        if line != last_line {
            (last_line, counted, column) = (line, lines.start(line), 1);
        }
        let between = text.get(counted..missing.offset).unwrap_or_default();
        column += String::from_utf8_lossy(between).chars().count();
        counted = counted.max(missing.offset);
        MissingReference {
            name: missing.name,
            path: path.to_owned(),
            line: u32::try_from(line).unwrap_or(u32::MAX),
            col: u32::try_from(column).unwrap_or(u32::MAX),
            kind: missing.kind.as_str().to_owned(),
            suggestions: missing.suggestions,
            places: Vec::new(),
        }
    };
    let mut located: Vec<MissingReference> = missing.into_iter().map(place).collect();
    located.sort_by_key(|reference| (reference.line, reference.col));
    located.dedup();
    located
}
