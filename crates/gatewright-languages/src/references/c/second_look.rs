//! The last look before a warning: does any file of the workspace spell that name?

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::facts::{self, Include};
use super::library;
use crate::references::session::{Place, Session};
use crate::references::words::{self, WordSet};
use crate::syntax::detect;

/// How the names of files end that can declare or generate names.
const SPELLING: &str = ".h .hh .hpp .hxx .h++ .c .cc .cpp .cxx .c++ .inc .inl .ipp .tcc .def .in .y \
.l .yy .ll .S .s .asm .tbl .gperf .idl .proto .tmpl .cmake .m4 .py .pl .awk .txt .json .ac .am \
.build .gn .gni .bzl .mk .sh .x .m .mm .cu .cuh .td .re";

/// How many words of files are counted.
const COUNTED: usize = 1 << 27;

/// In how many files each word stands, by its hash.
type Counts = HashMap<u32, u8>;

/// Whether a file other than `path` spelt a name when the words were counted.
pub(super) fn was_spelt(session: &Session<'_>, name: &str, path: &str) -> bool {
    let Some(counts) = counts(session) else { return true };
    let own = session.read_base(path).is_some_and(|text| words::contains(&text, name));
    counts.get(&words::hash(name.as_bytes())).is_some_and(|count| *count > u8::from(own))
}

fn counts(session: &Session<'_>) -> Option<Arc<Counts>> {
    session.of_look("c words", |files| count(session, files))
}

fn count(session: &Session<'_>, files: &[String]) -> Option<Counts> {
    let mut counts = Counts::new();
    let mut left = COUNTED;
    for file in files.iter().filter(|file| can_spell(file)) {
        let Some(words) = session.kept(file, WordSet::of) else { continue };
        left = left.checked_sub(words.hashes().len())?;
        for word in words.hashes() {
            let count = counts.entry(*word).or_default();
            *count = count.saturating_add(1);
        }
    }
    Some(counts)
}

/// Whether a file other than `path` spells a name, by the files as they are now.
pub(super) fn is_spelt(session: &Session<'_>, name: &str, path: &str) -> bool {
    let is_lost = session.is_lost(name);
    let question = if is_lost { "c declares" } else { "c spells" };
    session.any_other((question, name), path, can_spell, |file, text, _| {
        words::contains(text, name) && (!is_lost || declares(session, file, text, name))
    })
}

/// How the names of files end of whose lines a tool makes code.
const TABLES: &str = ".txt .def .tbl .gperf .awk .in";

/// Whether a table of the workspace has a word.
pub(super) fn is_in_table(session: &Session<'_>, word: &str, path: &str) -> bool {
    let is_table = |file: &str| {
        let name = file.rsplit('/').next().unwrap_or_default();
        let end = name.rfind('.').map(|at| &name[at..]).unwrap_or_default();
        name != "CMakeLists.txt" && TABLES.split_whitespace().any(|known| known == end)
    };
    session.any_other(("c tables", word), path, is_table, |_, text, _| words::contains(text, word))
}

/// Whether a file declares a name, as far as its text says; other files than code always do.
fn declares(session: &Session<'_>, file: &str, text: &[u8], name: &str) -> bool {
    let Some(language) = detect(file, text) else { return true };
    let facts =
        session.index.facts(language.name(), text, || facts::read(language, text).map(Arc::new));
    facts.as_ref().as_ref().is_none_or(|facts| facts.declared.contains(name))
}

/// Whether a file other than `path` names a header, or one could be made into it.
pub(super) fn is_mentioned(session: &Session<'_>, include: &Include, path: &str) -> bool {
    if include.is_system && library::is_of_listed_folder(&include.path) {
        return any(session, path, |_, text| {
            memchr::memmem::find(text, include.path.as_bytes()).is_some()
        });
    }
    let last = include.path.rsplit('/').next().unwrap_or_default();
    let stem = last.split('.').next().unwrap_or_default();
    let Some(files) = session.all_files() else { return true };
    let sources = [".y", ".yy", ".l", ".ll", ".proto", ".idl", ".gperf", ".def", ".td", ".fbs"];
    let makes = |file: &String| {
        let name = file.rsplit('/').next().unwrap_or_default();
        let form = stem.strip_prefix("ui_").unwrap_or_default();
        name.strip_prefix(stem).is_some_and(|end| sources.contains(&end))
            || !form.is_empty() && name.strip_prefix(form) == Some(".ui")
            || name.strip_prefix(last).is_some_and(|end| end.starts_with('.') || end.is_empty())
    };
    if lies_in_own_folder(session, include, path, &files) {
        return files.iter().any(makes)
            || any(session, path, |_, text| memchr::memmem::find(text, last.as_bytes()).is_some());
    }
    let whole = include.path.trim_start_matches("../");
    // `<pcap-namedb.h>` is of the library `pcap`.
    let library = whole.split(['/', '.']).next().unwrap_or_default();
    let library = library.split('-').next().filter(|_| include.is_system).unwrap_or(library);
    let is_built_with = |file: &String| {
        is_of_build(file)
            && session
                .read(&Place::workspace(file.as_str()))
                .is_some_and(|text| names(&text, library))
    };
    let folder = include.path.split_once('/').map(|(folder, _)| format!("{folder}/"));
    let in_folder = |text: &[u8]| {
        folder.as_deref().is_some_and(|folder| {
            let mut hits = memchr::memmem::find_iter(text, folder.as_bytes());
            hits.any(|at| at > 0 && matches!(text[at - 1], b'<' | b'"'))
        })
    };
    (!include.is_system && files.iter().any(makes))
        || include.is_system && any(session, path, |_, text| in_folder(text))
        || files.iter().any(is_built_with)
        || any(session, path, |_, text| memchr::memmem::find(text, whole.as_bytes()).is_some())
}

/// Of how many headers of a folder one may be made by a build, and so not be there.
const MADE: usize = 8;

/// Whether a header would lie in a folder of the workspace in which those are that others include.
fn lies_in_own_folder(
    session: &Session<'_>,
    include: &Include,
    path: &str,
    files: &[String],
) -> bool {
    let Some((folder, _)) = include.path.rsplit_once('/') else { return false };
    let below = format!("{folder}/");
    let inside = |file: &'_ String| {
        let start = file.rfind('/')? + 1;
        let around = file[..start].strip_suffix(&below)?;
        (around.is_empty() || around.ends_with('/')).then(|| file[start..].to_owned())
    };
    let own: HashSet<String> = files.iter().filter_map(inside).collect();
    if own.is_empty() {
        return false;
    }
    let mut included: HashSet<String> = HashSet::new();
    let is_code = |file: &str| detect(file, b"").is_some_and(|it| it.name().starts_with('C'));
    for file in files.iter().filter(|file| file.as_str() != path && is_code(file)) {
        if let Some(text) = session.read(&Place::workspace(file.as_str())) {
            included.extend(included_from(&text, &below));
        }
    }
    let there = included.iter().filter(|name| own.contains(*name)).count();
    there > 0 && (included.len() - there) * MADE <= there
}

/// The headers that a text includes from a folder, `below` being its path with a slash.
fn included_from(text: &[u8], below: &str) -> Vec<String> {
    let hits = memchr::memmem::find_iter(text, below.as_bytes());
    let names = hits.filter_map(|at| {
        let is_path = at > 0 && matches!(text[at - 1], b'<' | b'"');
        let rest = &text[at + below.len()..];
        let end = rest.iter().position(|byte| matches!(byte, b'>' | b'"' | b'\n'))?;
        let name = std::str::from_utf8(&rest[..end]).ok()?;
        (is_path && !name.contains('/')).then(|| name.to_owned())
    });
    names.collect()
}

/// Whether a text has a word, in whatever case.
fn names(text: &[u8], word: &str) -> bool {
    words::contains(text, word)
        || words::contains(&text.to_ascii_lowercase(), &word.to_ascii_lowercase())
}

/// Whether a file says how the workspace is built.
fn is_of_build(file: &str) -> bool {
    let name = file.rsplit('/').next().unwrap_or_default();
    let ends = [".cmake", ".ac", ".am", ".build", ".bzl", ".bazel", ".gn", ".mk", ".toml"];
    matches!(name, "CMakeLists.txt" | "Makefile" | "BUILD" | "configure" | "conanfile.txt")
        || ends.iter().any(|end| name.ends_with(end))
}

fn any(session: &Session<'_>, path: &str, is_it: impl Fn(&str, &[u8]) -> bool) -> bool {
    let Some(files) = session.all_files() else { return true };
    files.iter().filter(|file| file.as_str() != path && can_spell(file)).any(|file| {
        session.read(&Place::workspace(file.as_str())).is_some_and(|text| is_it(file, &text))
    })
}

fn can_spell(file: &str) -> bool {
    let name = file.rsplit('/').next().unwrap_or_default();
    match name.rfind('.') {
        Some(at) => SPELLING.split_whitespace().any(|end| end == &name[at..]),
        None => true,
    }
}
