//! Leftovers of work: missing first lines, open notes, spaces, paths of one machine.

use super::Untidy;
use crate::source::{self, Masked};
use crate::tree::TextFile;

/// Top directories that exist on some machine only.
const MACHINE_DIRECTORIES: [&str; 3] = ["/home/", "/work/", "/root/"];

/// Hosts that packages come from; the clients know them, files must not.
const REGISTRY_HOSTS: [&str; 6] = [
    "index.crates.io",
    "static.crates.io",
    "registry.npmjs.org",
    "files.pythonhosted.org",
    "deb.debian.org",
    "registry.yarnpkg.com",
];

/// Checks one file.
pub fn check(file: &TextFile) -> Vec<Untidy> {
    let mut found = Vec::new();
    if file.has_extension("rs") {
        found.extend(check_rust(file));
    }
    for (index, line) in file.text.lines().enumerate() {
        found.extend(check_line(file, index + 1, line));
    }
    if !file.text.is_empty() && !file.text.ends_with('\n') {
        found.push(untidy(file, "last-line", 1, "\\n", "the last line has no newline"));
    }
    found
}

fn check_rust(file: &TextFile) -> Vec<Untidy> {
    let mut found = Vec::new();
    if !file.text.starts_with("//! ") {
        let message = "the first line is not `//!` with what the file is for";
        found.push(untidy(file, "first-line", 1, "//!", message));
    }
    let masked = Masked::of(&file.text);
    for (index, comment) in masked.comments.lines().enumerate() {
        if let Some(word) = open_note(comment) {
            let message = "an open note without an issue number; finish it or file it";
            found.push(untidy(file, "open-note", index + 1, word, message));
        }
    }
    for at in source::words(&masked.code, "dbg") {
        if masked.code[at..].starts_with("dbg!") {
            let line = source::line_number(&masked.code, at);
            found.push(untidy(file, "debug-print", line, "dbg!", "a debugging print"));
        }
    }
    found
}

/// A note that must not stay: one kind never, the other without a number.
fn open_note(comment: &str) -> Option<&'static str> {
    if source::words(comment, "FIXME").next().is_some() {
        return Some("FIXME");
    }
    let at = source::words(comment, "TODO").next()?;
    let after = comment[at + 4..].strip_prefix("(#").unwrap_or_default();
    (!after.starts_with(|c: char| c.is_ascii_digit())).then_some("TODO")
}

fn check_line(file: &TextFile, number: usize, line: &str) -> Vec<Untidy> {
    let mut found = Vec::new();
    // In a test it may be what a string is about; rustfmt sees to the rest.
    if line.ends_with([' ', '\t']) && !file.is_test() {
        found.push(untidy(file, "trailing-space", number, " ", "trailing white space"));
    }
    if !file.is_test() {
        for directory in MACHINE_DIRECTORIES {
            if has_absolute(line, directory) {
                let message = "a path of one machine; use a placeholder or list it as an exception";
                found.push(untidy(file, "machine-path", number, directory, message));
            }
        }
    }
    if let Some(host) = REGISTRY_HOSTS.iter().find(|host| line.contains(**host)) {
        let message = "a package host; the clients are configured, files name packages only";
        found.push(untidy(file, "registry-host", number, host, message));
    }
    found
}

/// Whether `directory` begins a path in `line`, and is not the middle of one.
fn has_absolute(line: &str, directory: &str) -> bool {
    line.match_indices(directory).any(|(at, _)| {
        !line[..at].ends_with(|c: char| source::is_word(c) || "-.~}])>*$".contains(c))
    })
}

fn untidy(file: &TextFile, rule: &'static str, line: usize, name: &str, message: &str) -> Untidy {
    let (path, name) = (file.path.clone(), name.to_owned());
    Untidy { rule, path, line, name, message: message.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(path: &str, text: &str) -> Vec<&'static str> {
        let file = TextFile { path: path.to_owned(), text: text.to_owned() };
        check(&file).into_iter().map(|untidy| untidy.rule).collect()
    }

    #[test]
    fn a_file_says_first_what_it_is_for() {
        assert_eq!(rules("a.rs", "//! A.\n"), Vec::<&str>::new());
        assert_eq!(rules("a.rs", "use std::fs;\n"), ["first-line"]);
        assert_eq!(rules("a.toml", "a = 1\n"), Vec::<&str>::new());
    }

    #[test]
    fn open_notes_need_a_number() {
        let with = |comment: &str| rules("a.rs", &format!("//! A.\n// {comment}\n"));
        assert_eq!(with("TODO: later"), ["open-note"]);
        assert_eq!(with("TODO(#12): later"), Vec::<&str>::new());
        assert_eq!(with("FIXME(#12): never"), ["open-note"]);
        assert_eq!(with("a TODOLIST"), Vec::<&str>::new());
        assert_eq!(rules("a.rs", "//! A.\nconst A: &str = \"TODO\";\n"), Vec::<&str>::new());
    }

    #[test]
    fn debugging_prints_and_spaces_are_found() {
        assert_eq!(rules("a.rs", "//! A.\nfn f() { dbg!(1); }\n"), ["debug-print"]);
        assert_eq!(rules("a.rs", "//! A.\nfn f() { my_dbg!(1); }\n"), Vec::<&str>::new());
        assert_eq!(rules("a.md", "text \n"), ["trailing-space"]);
        assert_eq!(rules("a.md", "text"), ["last-line"]);
    }

    #[test]
    fn paths_of_one_machine_are_found_outside_of_tests() {
        let path = ["/ho", "me/someone/x"].concat();
        assert_eq!(rules("a.md", &format!("see {path}\n")), ["machine-path"]);
        assert_eq!(rules("a.md", &format!("see src{path}\n")), Vec::<&str>::new());
        assert_eq!(rules("crates/a/tests/a.md", &format!("{path}\n")), Vec::<&str>::new());
    }

    #[test]
    fn package_hosts_are_found() {
        let host = ["registry.", "npmjs.org"].concat();
        assert_eq!(rules("a.json", &format!("\"https://{host}/x\"\n")), ["registry-host"]);
    }
}
