//! Module names that say nothing, and files that no module declares.

use std::collections::BTreeMap;

use super::Untidy;
use crate::source::Masked;
use crate::tree::TextFile;

const EMPTY_NAMES: [&str; 7] = ["utils", "util", "helpers", "helper", "common", "manager", "misc"];

/// A file that may declare others.
struct Declaring<'a> {
    code: String,
    text: &'a str,
}

impl<'a> Declaring<'a> {
    fn of(file: &'a TextFile) -> Self {
        Self { code: Masked::of(&file.text).code, text: &file.text }
    }
}

/// Checks the names and the declarations of all Rust files.
pub fn check(files: &[TextFile]) -> Vec<Untidy> {
    let rust: Vec<&TextFile> =
        files.iter().filter(|file| file.has_extension("rs") && !file.is_fixture()).collect();
    let by_path: BTreeMap<&str, Declaring> =
        rust.iter().map(|file| (file.path.as_str(), Declaring::of(file))).collect();
    let mut found = Vec::new();
    for file in rust {
        if let Some(name) = empty_name(&file.path) {
            found.push(untidy(file, "empty-name", name, "names no concept; find the one it has"));
        }
        if !is_root(&file.path) && !is_declared(&file.path, &by_path) {
            let message = "no module declares this file, so it is never built";
            found.push(untidy(file, "undeclared-file", "mod", message));
        }
    }
    found
}

fn empty_name(path: &str) -> Option<&'static str> {
    let stem = path.strip_suffix(".rs").unwrap_or(path);
    EMPTY_NAMES.into_iter().find(|name| stem.split('/').any(|part| part == *name))
}

/// Files that cargo finds by itself.
fn is_root(path: &str) -> bool {
    let parts: Vec<&str> = path.split('/').collect();
    matches!(
        parts.as_slice(),
        [.., "src", "lib.rs" | "main.rs"]
            | [.., "build.rs"]
            | [.., "src", "bin", _]
            | [.., "tests" | "benches" | "examples" | "fuzz_targets", _]
            | [.., "tests" | "benches" | "examples", _, "main.rs"]
    )
}

/// Whether a file that may hold the `mod` line holds it, by name or by `#[path]`.
fn is_declared(path: &str, by_path: &BTreeMap<&str, Declaring>) -> bool {
    let (directory, file_name) = path.rsplit_once('/').unwrap_or(("", path));
    let (holder, name) = match file_name {
        "mod.rs" => directory.rsplit_once('/').unwrap_or(("", directory)),
        _ => (directory, file_name.trim_end_matches(".rs")),
    };
    by_path.iter().filter(|(other, _)| **other != path).any(|(other, file)| {
        let parent = other.rsplit_once('/').map_or("", |(parent, _)| parent);
        let beside = parent == holder || parent == directory || *other == format!("{holder}.rs");
        // `mod holder { mod name; }` stands one directory up.
        let above = holder
            .rsplit_once('/')
            .is_some_and(|(upper, block)| parent == upper && declares(&file.code, block));
        let by_name = (beside || above) && declares(&file.code, name);
        let has_path = |path: &str| file.text.contains(&format!("#[path = \"{path}\"]"));
        // A folder whose files two modules beside it build, each for itself.
        let upper = |folder: &str| folder.rsplit_once('/').map(|(upper, _)| upper.to_owned());
        let is_next_to = upper(parent).is_some() && upper(parent) == upper(directory);
        let folder = directory.rsplit('/').next().unwrap_or_default();
        by_name
            || beside && has_path(file_name)
            || is_next_to && has_path(&format!("../{folder}/{file_name}"))
    })
}

fn declares(code: &str, name: &str) -> bool {
    code.match_indices(&format!("mod {name}")).any(|(at, text)| {
        let after = code[at + text.len()..].trim_start();
        after.starts_with(';') || after.starts_with('{')
    })
}

fn untidy(file: &TextFile, rule: &'static str, name: &str, message: &str) -> Untidy {
    let (path, name) = (file.path.clone(), name.to_owned());
    Untidy { rule, path, line: 1, name, message: message.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(files: &[(&str, &str)]) -> Vec<(&'static str, String)> {
        let files: Vec<TextFile> = files
            .iter()
            .map(|(path, text)| TextFile { path: (*path).to_owned(), text: (*text).to_owned() })
            .collect();
        check(&files).into_iter().map(|untidy| (untidy.rule, untidy.path)).collect()
    }

    #[test]
    fn declared_files_pass_in_every_form() {
        let found = rules(&[
            (
                "crates/x/src/lib.rs",
                "mod a;\npub mod b;\nmod c;\n#[path = \"c_tests.rs\"]\nmod tests;",
            ),
            ("crates/x/src/a.rs", "mod deep;"),
            ("crates/x/src/a/deep.rs", ""),
            ("crates/x/src/b/mod.rs", "pub(crate) mod inner;"),
            ("crates/x/src/b/inner.rs", ""),
            ("crates/x/src/c_tests.rs", ""),
            ("crates/x/src/c.rs", "mod d;"),
            ("crates/x/src/c/d.rs", "#[path = \"../both/e.rs\"]\nmod e;"),
            ("crates/x/src/both/e.rs", ""),
            ("crates/x/tests/runner.rs", "mod part { }\nmod other;"),
            ("crates/x/tests/other/mod.rs", ""),
            ("crates/x/tests/main.rs", "mod suite {\n    mod gate;\n}"),
            ("crates/x/tests/suite/gate.rs", ""),
        ]);
        assert_eq!(found, []);
    }

    #[test]
    fn a_file_that_nobody_declares_is_found() {
        let found = rules(&[
            ("crates/x/src/lib.rs", "// mod lost;\nmod lost_too_long;"),
            ("crates/x/src/lost_too_long.rs", ""),
            ("crates/x/src/lost.rs", ""),
        ]);
        assert_eq!(found, [("undeclared-file", "crates/x/src/lost.rs".to_owned())]);
    }

    #[test]
    fn names_without_a_concept_are_found() {
        let found = rules(&[
            ("crates/x/src/lib.rs", "mod utils;"),
            ("crates/x/src/utils.rs", ""),
            ("crates/x/tests/common/mod.rs", ""),
            ("crates/x/tests/runner.rs", "mod common;"),
        ]);
        let names: Vec<_> = found.iter().map(|(rule, _)| *rule).collect();
        assert_eq!(names, ["empty-name", "empty-name"]);
    }
}
