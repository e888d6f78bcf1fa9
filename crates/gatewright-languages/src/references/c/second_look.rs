//! The last look before a warning: does any file of the workspace spell that name?

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

use super::facts::Include;
use crate::references::session::{Place, Session};
use crate::references::words;

/// How the names of files end that can declare or generate names.
const SPELLING: &str = ".h .hh .hpp .hxx .h++ .c .cc .cpp .cxx .c++ .inc .inl .ipp .tcc .def .in .y \
.l .yy .ll .S .s .asm .tbl .gperf .idl .proto .tmpl .cmake .m4 .py .pl .awk .txt .json .ac .am \
.build .gn .gni .bzl .mk .sh .x .m .mm .cu .cuh .td .re";

/// Whether a file other than `path` spells a name.
///
/// What was spelt once is remembered; it is never said to be missing afterwards.
pub(super) fn is_spelt(session: &Session<'_>, name: &str, path: &str) -> bool {
    type Spelt = Mutex<HashSet<String>>;
    let spelt = session.index.remembered::<Spelt>("c spelt").unwrap_or_else(|| {
        let spelt = Arc::new(Spelt::default());
        session.index.remember("c spelt", Arc::clone(&spelt));
        spelt
    });
    let key = format!("{name} {path}");
    if spelt.lock().unwrap_or_else(PoisonError::into_inner).contains(&key) {
        return true;
    }
    let is_spelt = any(session, path, |text| words::contains(text, name));
    if is_spelt {
        spelt.lock().unwrap_or_else(PoisonError::into_inner).insert(key);
    }
    is_spelt
}

/// Whether a file other than `path` names a header, or one could be made into it.
pub(super) fn is_mentioned(session: &Session<'_>, include: &Include, path: &str) -> bool {
    let last = include.path.rsplit('/').next().unwrap_or_default();
    let stem = last.split('.').next().unwrap_or_default();
    let Some(files) = session.all_files() else { return true };
    let sources = [".y", ".yy", ".l", ".ll", ".proto", ".idl", ".gperf", ".def", ".td", ".fbs"];
    let makes = |file: &String| {
        let name = file.rsplit('/').next().unwrap_or_default();
        name.strip_prefix(stem).is_some_and(|end| sources.contains(&end))
            || name.strip_prefix(last).is_some_and(|end| end.starts_with('.') || end.is_empty())
    };
    let whole = include.path.trim_start_matches("../");
    let library = whole.split(['/', '.']).next().unwrap_or_default();
    let is_built_with = |file: &String| {
        is_of_build(file)
            && session
                .read(&Place::workspace(file.as_str()))
                .is_some_and(|text| words::contains(&text, library))
    };
    (!include.is_system && files.iter().any(makes))
        || files.iter().any(is_built_with)
        || any(session, path, |text| memchr::memmem::find(text, whole.as_bytes()).is_some())
}

/// Whether a file says how the workspace is built.
fn is_of_build(file: &str) -> bool {
    let name = file.rsplit('/').next().unwrap_or_default();
    let ends = [".cmake", ".ac", ".am", ".build", ".bzl", ".bazel", ".gn", ".mk", ".toml"];
    matches!(name, "CMakeLists.txt" | "Makefile" | "BUILD" | "configure" | "conanfile.txt")
        || ends.iter().any(|end| name.ends_with(end))
}

fn any(session: &Session<'_>, path: &str, is_it: impl Fn(&[u8]) -> bool) -> bool {
    let Some(files) = session.all_files() else { return true };
    files
        .iter()
        .filter(|file| file.as_str() != path && can_spell(file))
        .any(|file| session.read(&Place::workspace(file.as_str())).is_some_and(|text| is_it(&text)))
}

fn can_spell(file: &str) -> bool {
    let name = file.rsplit('/').next().unwrap_or_default();
    match name.rfind('.') {
        Some(at) => SPELLING.split_whitespace().any(|end| end == &name[at..]),
        None => true,
    }
}
