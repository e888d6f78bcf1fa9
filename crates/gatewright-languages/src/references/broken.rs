//! References that a change breaks: uses, in files that it leaves alone, of what it takes away.
//!
//! Every file that spells a name that vanishes is looked up as it stands, with
//! the workspace before the change and after it, by the resolver that also
//! judges new code. What is missing only afterwards is broken. So a name that
//! another place still gives is never reported, nor one that cannot be told.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::Arc;

use gatewright_model::MissingReference;

use super::change::{ChangedFile, added, check, located};
use super::index::{Content, Index};
use super::session::{Place, Session};
use super::words;
use crate::syntax::{LanguageId, Parsed, decode, detect};

/// How many names of one change are searched for.
const NAMES: usize = 64;
/// How many files that spell one are looked up.
const FILES: usize = 200;
/// How many places are reported for one change.
const PLACES: usize = 20;

/// What receipts call such a reference.
pub(super) const KIND: &str = "broken";

/// The names that a change takes away: definitions, and what a file is called by.
pub(super) fn vanishing(change: &ChangedFile, index: &Index) -> BTreeSet<String> {
    let Some((language, old)) = source(change, change.before.as_deref()) else {
        return BTreeSet::new();
    };
    let left = match source(change, change.after.as_deref()) {
        Some((_, text)) if keeps_all_words(&old, &text) => return BTreeSet::new(),
        Some((other, text)) if other == language && defines_the_same(language, &old, &text) => {
            return BTreeSet::new();
        }
        Some((language, text)) => definitions(language, &text, index),
        None => Arc::new(Some(BTreeSet::new())),
    };
    let had = definitions(language, &old, index);
    let (Some(had), Some(left)) = (had.as_ref(), left.as_ref()) else {
        return BTreeSet::new();
    };
    let mut names: BTreeSet<String> =
        had.difference(left).filter_map(|path| plain(path)).take(NAMES).collect();
    if change.after.is_none() {
        names.extend(called(&change.path));
    }
    names
}

/// What makes a definition into something else without touching its words.
const HIDING: [&[u8]; 9] =
    [b"\"\"\"", b"'''", b"/*", b"*/", b"#if", b"#el", b"=begin", b"__END__", b"`"];

/// Whether the lines that a text loses have no word that the lines in their place lack: then no
/// definition vanishes, and nothing has to be parsed to know it.
fn keeps_all_words(old: &[u8], new: &[u8]) -> bool {
    let line_start =
        |text: &[u8], end: usize| memchr::memrchr(b'\n', &text[..end]).map_or(0, |at| at + 1);
    let same = old.iter().zip(new).take_while(|(old, new)| old == new).count();
    let start = line_start(old, same);
    let (old, new) = (&old[start..], &new[start..]);
    let same = old.iter().rev().zip(new.iter().rev()).take_while(|(old, new)| old == new).count();
    // A line that ends alike may begin otherwise.
    let tail = &old[old.len() - same..];
    let same = memchr::memchr(b'\n', tail).map_or(0, |at| tail.len() - at - 1);
    let (lost, put) = (&old[..old.len() - same], &new[..new.len() - same]);
    let hides = |text: &[u8]| HIDING.iter().any(|mark| memchr::memmem::find(text, mark).is_some());
    let left = words::WordSet::of(put);
    !hides(put)
        && !hides(lost)
        && words::WordSet::of(lost)
            .hashes()
            .iter()
            .all(|hash| left.hashes().binary_search(hash).is_ok())
}

fn source(change: &ChangedFile, bytes: Option<&[u8]>) -> Option<(LanguageId, Vec<u8>)> {
    let bytes = bytes?;
    let language = detect(&change.path, bytes)?;
    Some((language, decode(bytes).ok()?.0.into_owned()))
}

/// Whether two texts that were parsed a moment ago have the same definitions in the same places
/// of their outlines, as after an edit inside of one.
fn defines_the_same(language: LanguageId, old: &[u8], new: &[u8]) -> bool {
    let known = |text| Parsed::known(language, text);
    let (Some(old), Some(new)) = (known(old), known(new)) else { return false };
    let (old, new) = (old.outline(), new.outline());
    let mut pairs = old.iter().zip(new);
    old.len() == new.len()
        && pairs.all(|(old, new)| {
            (old.kind, old.parent, &old.path) == (new.kind, new.parent, &new.path)
        })
}

/// What is defined, kept: what one change leaves is what the next one starts from.
fn definitions(language: LanguageId, text: &[u8], index: &Index) -> Arc<Option<BTreeSet<String>>> {
    let salt = format!("definitions of {}", language.name());
    // Where the text was parsed a moment ago, its number is known.
    let known = Parsed::known(language, text).map(|parsed| Content::of_parse(&parsed));
    let content = known.unwrap_or_else(|| Content::of(text));
    index.recent_of(&salt, (content, text.len()), || defined(language, text))
}

/// The paths of the definitions that other files can see.
fn defined(language: LanguageId, text: &[u8]) -> Option<BTreeSet<String>> {
    let parsed = Parsed::new(language, text).ok()?;
    let outline = parsed.outline();
    let is_local = |parent: Option<usize>| {
        parent.and_then(|index| outline.get(index)).is_some_and(|around| around.kind.is_callable())
    };
    let seen = outline.iter().filter(|symbol| !is_local(symbol.parent));
    Some(seen.map(|symbol| symbol.path.clone()).collect())
}

/// The name at the end of a symbol's path; `None` when it is no single word.
fn plain(path: &str) -> Option<String> {
    let name = path.rsplit('/').next()?.rsplit(['.', ':']).next()?;
    let is_word = !name.is_empty() && name.bytes().all(words::is_word);
    is_word.then(|| name.to_owned())
}

/// The word by which other files ask for a file.
fn called(path: &str) -> Option<String> {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    let stem = name.split('.').next()?;
    let is_of_folder = matches!(stem, "__init__" | "mod" | "index" | "lib");
    let word = if is_of_folder { folder.rsplit('/').next()? } else { stem };
    (word.len() > 1).then(|| word.to_owned())
}

/// What the change breaks in files that it leaves alone; `after` knows the vanishing names.
pub(super) fn broken(
    change: &ChangedFile,
    names: &BTreeSet<String>,
    after: &Session<'_>,
    before: &Session<'_>,
) -> Vec<MissingReference> {
    let first = change.before.as_deref().unwrap_or_default();
    let (Some(language), false) = (detect(&change.path, first), names.is_empty()) else {
        return Vec::new();
    };
    let is_kin =
        |file: &str| detect(file, b"").is_some_and(|other| family(other) == family(language));
    let mut found = Vec::new();
    let mut looked_up = 0;
    before.each_unchanged_holding(names, &is_kin, &mut |file| {
        let bytes = before.read(&Place::workspace(file));
        let spells = |bytes: &[u8]| names.iter().any(|name| words::contains(bytes, name));
        let Some(bytes) = bytes.filter(|bytes| spells(bytes)) else {
            return ControlFlow::Continue(());
        };
        looked_up += 1;
        if looked_up > FILES || found.len() >= PLACES {
            return ControlFlow::Break(());
        }
        found.extend(in_file(file, &bytes, names, after, before));
        ControlFlow::Continue(())
    });
    found.truncate(PLACES);
    found
}

fn in_file(
    path: &str,
    bytes: &[u8],
    names: &BTreeSet<String>,
    after: &Session<'_>,
    before: &Session<'_>,
) -> Vec<MissingReference> {
    let Some(language) = detect(path, bytes) else { return Vec::new() };
    let Ok((text, _)) = decode(bytes) else { return Vec::new() };
    let Some(now) = check(language, after, path, &text) else { return Vec::new() };
    if now.missing.is_empty() {
        return Vec::new();
    }
    let Some(already) = check(language, before, path, &text) else { return Vec::new() };
    let mut broken = added(now.missing, &already.missing);
    broken
        .retain(|missing| names.iter().any(|name| words::contains(missing.name.as_bytes(), name)));
    let mut places = located(path, &text, broken);
    places.iter_mut().for_each(|place| KIND.clone_into(&mut place.kind));
    places
}

/// Languages whose files see each other's names.
fn family(language: LanguageId) -> u8 {
    match language {
        LanguageId::C | LanguageId::Cpp => 0,
        LanguageId::TypeScript | LanguageId::Tsx | LanguageId::JavaScript => 1,
        LanguageId::Java | LanguageId::Kotlin => 2,
        LanguageId::Python => 3,
        LanguageId::Rust => 4,
        LanguageId::Go => 5,
        LanguageId::CSharp => 6,
        LanguageId::Ruby => 7,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_only_come_or_keep_their_words_take_nothing_away() {
        let old = b"def open():\n    return 1\n\ndef close():\n    return 2\n";
        let keeps = |new: &str| keeps_all_words(old, new.as_bytes());
        let text = std::str::from_utf8(old).unwrap();
        assert!(keeps(text));
        assert!(keeps(&format!("{text}def more(): pass\n")));
        assert!(keeps(&format!("import os\n{text}")));
        assert!(keeps(&text.replace("    return 1\n", "    x = 0\n    return 1 + x\n")));
        assert!(!keeps(&text.replace("open", "opens")));
        assert!(!keeps(&text.replace("close", "clos")));
        assert!(!keeps(&text.replace("def close():\n    return 2\n", "")));
        assert!(!keeps(&format!("\"\"\"\n{text}\"\"\"\n")), "the text is a string now");
        assert!(!keeps(""));
    }

    #[test]
    fn an_edit_inside_of_a_definition_is_told_by_the_outlines() {
        let filler = "# a line that makes this long enough to be kept\n".repeat(60);
        let old = format!("{filler}class Desk:\n    def sell(self):\n        return 1\n");
        let same = |new: &str| {
            let is_told = |_| {
                let texts = [old.as_bytes(), new.as_bytes()];
                let parsed = texts.map(|text| Parsed::new(LanguageId::Python, text));
                parsed.iter().all(Result::is_ok)
                    && defines_the_same(LanguageId::Python, texts[0], texts[1])
            };
            // Other tests may push the parses out in between.
            (0..50).any(is_told)
        };
        assert!(same(&old.replace("return 1", "return 2")));
        assert!(!same(&old.replace("sell", "sold")));
        assert!(!same(&old.replace("class Desk:\n    def", "class Desk: pass\nif 1:\n    def")));
        assert!(!same(&format!("{old}    def more(self): pass\n")));
        assert!(!same(&filler));
    }

    #[test]
    fn names_of_definitions_and_of_removed_files_vanish() {
        let change = |after: Option<&str>| {
            ChangedFile {
            path: "shop/desk.py".to_owned(),
            before: Some(b"def open():\n    def inner(): pass\n\nclass Desk:\n    def sell(self): pass\n"[..].into()),
            after: after.map(|text| text.as_bytes().into()),
        }
        };
        let names = |after| Vec::from_iter(vanishing(&change(after), &Index::new()));
        assert_eq!(names(Some("def open(): pass\n\nclass Desk: pass\n")), ["sell"]);
        assert_eq!(names(None), ["Desk", "desk", "open", "sell"]);
        assert_eq!(called("a/shop/__init__.py").as_deref(), Some("shop"));
    }
}
