//! Where the real code comes from.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use gatewright_languages::syntax::{LanguageId, Parsed, detect};
use gatewright_testkit::Random;

/// The largest file that is taken of this crate itself, and of a corpus.
const LARGEST: [usize; 2] = [12_000, 30_000];

/// One file.
pub struct Source {
    pub name: String,
    pub language: LanguageId,
    pub text: String,
}

/// The files of each language, in an order that the seed decides.
pub fn sources(random: &mut Random) -> BTreeMap<&'static str, Vec<Source>> {
    let mut found = match std::env::var_os("GATEWRIGHT_CORPUS") {
        Some(folder) => walk(PathBuf::from(folder), LARGEST[1]),
        None => own(),
    };
    if let Ok(only) = std::env::var("GATEWRIGHT_LANGUAGE") {
        found.retain(|source| family(source.language).eq_ignore_ascii_case(&only));
    }
    by_language(found, random)
}

/// Whether somebody named a corpus.
pub fn has_corpus() -> bool {
    std::env::var_os("GATEWRIGHT_CORPUS").is_some()
}

/// The pages of the tests alone, in an order that the seed decides.
pub fn page_sources(random: &mut Random) -> BTreeMap<&'static str, Vec<Source>> {
    by_language(pages(), random)
}

fn by_language(mut found: Vec<Source>, random: &mut Random) -> BTreeMap<&'static str, Vec<Source>> {
    found.sort_by(|one, other| one.name.cmp(&other.name));
    let mut by_language = BTreeMap::<&'static str, Vec<Source>>::new();
    while !found.is_empty() {
        let source = found.swap_remove(random.below(found.len()));
        by_language.entry(family(source.language)).or_default().push(source);
    }
    by_language
}

/// TSX counts with TypeScript.
pub fn family(language: LanguageId) -> &'static str {
    language.name()
}

/// Whether the parse of a text is sound enough to be judged by.
pub fn is_sound(parsed: &Parsed) -> bool {
    !parsed.tree().root_node().has_error()
}

fn walk(folder: PathBuf, largest: usize) -> Vec<Source> {
    let mut folders = vec![folder];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        let is_top = found.is_empty();
        for entry in std::fs::read_dir(folder).unwrap() {
            let entry = entry.unwrap();
            let path = entry.path();
            // The projects may be links; a link inside of one may lead in circles.
            let is_link = entry.file_type().unwrap().is_symlink();
            if path.is_dir() && (is_top || !is_link) {
                folders.push(path);
            } else if path.is_file() {
                found.extend(read(&path, largest));
            }
        }
    }
    found
}

fn read(path: &Path, largest: usize) -> Option<Source> {
    let name = path.display().to_string();
    let text = std::fs::read(path).ok().filter(|bytes| bytes.len() <= largest)?;
    let text = String::from_utf8(text).ok()?;
    let language = detect(&name, text.as_bytes())?;
    Some(Source { name, language, text })
}

/// What is always there: the pages of the tests, and the sources of this crate.
fn own() -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = walk(root.join("src"), LARGEST[0]);
    found.extend(pages());
    found
}

fn pages() -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    for folder in ["tests/pages", "tests/gate"] {
        for entry in std::fs::read_dir(root.join(folder)).unwrap() {
            let text = std::fs::read_to_string(entry.unwrap().path()).unwrap();
            let (title, rest) = text.split_once('\n').unwrap();
            let name = title.trim_start_matches("=== ").trim_start_matches("file ").to_owned();
            let text = rest.split("=== ").next().unwrap().to_owned();
            let Some(language) = detect(&name, b"") else { continue };
            found.push(Source { name, language, text });
        }
    }
    found
}
