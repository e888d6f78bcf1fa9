//! Modules that a build makes, and that an archive or a fresh checkout leaves out.
//!
//! They are known by the files of the build: one that names `_version.py`, `shop/_ext.pyx`, the
//! extension `"shop._ext"` or `pybind11_add_module(_ext …)` makes a module of that name, wherever
//! it puts it. A word that only happens to stand in such a file makes none.

use std::sync::Arc;

use crate::references::session::Session;
use crate::references::words;

/// Files that say what a build makes.
const BUILDS: [&str; 9] = [
    ".gitignore",
    "setup.py",
    "setup.cfg",
    "pyproject.toml",
    "MANIFEST.in",
    "CMakeLists.txt",
    "meson.build",
    "build.py",
    "hatch_build.py",
];
/// How many of them are asked.
const ASKED: usize = 64;
/// How the files end that are modules, or that become some.
const ENDS: [&[u8]; 9] =
    [b".py", b".pyx", b".pyd", b".so", b".c", b".cc", b".cpp", b".cxx", b".rs"];

/// Whether a build names a module of that name as what it makes or takes.
pub(super) fn is_built(session: &Session<'_>, name: &str) -> bool {
    let on_disk = session.of_look("python builds", |files| {
        let builds = files.iter().filter(|path| is_build(path)).take(ASKED);
        Some(builds.cloned().collect::<Vec<String>>())
    });
    let on_disk: Arc<Vec<String>> = on_disk.unwrap_or_default();
    let changed = session.changed().filter(|path| is_build(path));
    let mut all = on_disk.iter().map(String::as_str).chain(changed).chain([".gitignore"]);
    all.any(|path| session.text(path).is_some_and(|text| names(text.as_bytes(), name)))
}

fn is_build(path: &str) -> bool {
    BUILDS.contains(&path.rsplit('/').next().unwrap_or(path))
}

/// Whether a text names a module as a file, as an extension or by its whole name.
fn names(text: &[u8], module: &str) -> bool {
    words::occurrences(text, module).any(|start| {
        let (before, behind) = (&text[..start], &text[start + module.len()..]);
        let is_file = ENDS.iter().any(|end| {
            let rest = behind.strip_prefix(*end);
            rest.is_some_and(|rest| !rest.first().is_some_and(|byte| words::is_word(*byte)))
        });
        // A name that begins so and stands in quotes is no other word.
        let is_private = || module.starts_with('_') && before.ends_with(b"\"");
        is_file || is_whole(behind) && (is_argument(before) || is_private())
    })
}

/// Whether a name ends where it does: nothing joins it to another.
fn is_whole(behind: &[u8]) -> bool {
    behind.first().is_none_or(|byte| matches!(byte, b'"' | b'\'' | b')' | b' ' | b'\n' | b','))
}

/// Whether what stands before a name makes it the first argument, alone or as the end of a path.
fn is_argument(before: &[u8]) -> bool {
    let is_path = |byte: &u8| words::is_word(*byte) || matches!(byte, b'.' | b'/' | b'-');
    let path = before.iter().rev().take_while(|byte| is_path(byte)).count();
    let opening = before[..before.len() - path].trim_ascii_end();
    let (quote, call) = match opening {
        [call @ .., b'"' | b'\''] => (true, call.trim_ascii_end()),
        call => (false, call),
    };
    let [head @ .., b'('] = call else { return quote && is_listed(call) };
    let head = String::from_utf8_lossy(&head[head.len().saturating_sub(LONGEST_CALL)..]);
    let called = head.trim_end().rsplit(|c: char| !c.is_alphanumeric() && c != '_').next();
    let called = called.unwrap_or_default().to_lowercase();
    ["extension", "module", "library", "pythonize", "set_source"]
        .iter()
        .any(|part| called.contains(part))
}

/// How long the name of a call is at most.
const LONGEST_CALL: usize = 80;

/// Whether a value is given to what names an extension: `name="shop._ext"`, `module = "_ext"`.
fn is_listed(before: &[u8]) -> bool {
    let Some((b'=', key)) = before.split_last() else { return false };
    let key = key.trim_ascii_end();
    [&b"name"[..], b"module", b"module-name", b"write_to", b"version-file", b"version_file"]
        .iter()
        .any(|known| key.ends_with(known))
}

#[cfg(test)]
mod tests {
    use super::names;

    #[test]
    fn a_build_names_what_it_makes() {
        for text in [
            "include shop/_ext.pyx",
            "shop/_ext.so\n",
            "Extension('shop._ext', sources)",
            "Extension(name=\"_ext\")",
            "pybind11_add_module(_ext main.cpp)",
            "py.extension_module('_ext', 'a.c')",
            "Extension(\n    \"_ext\",\n)",
            "module-name = \"shop._ext\"",
            "set(EXT_NAME \"_ext\")",
            "ffi.set_source(\n    'shop._ext', source)",
        ] {
            assert!(names(text.as_bytes(), "_ext"), "{text}");
        }
    }

    #[test]
    fn a_word_of_a_build_is_no_module() {
        for text in
            ["import till", "till = 1", "print('till')", "keywords=['till']", "till.pyramid"]
        {
            assert!(!names(text.as_bytes(), "till"), "{text}");
        }
    }
}
