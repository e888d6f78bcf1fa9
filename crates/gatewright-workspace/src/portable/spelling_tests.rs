//! One file, one spelling; names that Windows would read otherwise.
#![allow(
    clippy::disallowed_methods,
    reason = "the test makes a directory to look for spellings in"
)]

use cap_std::ambient_authority;

use super::*;

fn identity_of(directory: &Dir, name: &str) -> Identity {
    names::identity(&directory.symlink_metadata(name).unwrap())
}

#[test]
fn another_spelling_of_a_file_is_told_as_the_directory_has_it() {
    let base = tempfile::tempdir().unwrap();
    let directory = Dir::open_ambient_dir(base.path(), ambient_authority()).unwrap();
    directory.write("ReadMe.md", "x").unwrap();
    directory.write("other.md", "y").unwrap();
    directory.hard_link("ReadMe.md", &directory, "copy.md").unwrap();
    let identity = identity_of(&directory, "ReadMe.md");
    // What a volume that ignores case would have found under these spellings.
    assert_eq!(on_disk(&directory, "README.MD", identity).unwrap(), "ReadMe.md");
    assert_eq!(on_disk(&directory, "COPY.md", identity).unwrap(), "copy.md");
    assert_eq!(on_disk(&directory, "ReadMe.md", identity).unwrap(), "ReadMe.md");
    let short = on_disk(&directory, "OTHER~1.MD", identity_of(&directory, "other.md"));
    assert_eq!(short.unwrap(), "other.md");
}

#[test]
fn a_file_that_vanished_keeps_the_spelling_that_was_asked_for() {
    let base = tempfile::tempdir().unwrap();
    let directory = Dir::open_ambient_dir(base.path(), ambient_authority()).unwrap();
    directory.write("a.txt", "x").unwrap();
    assert_eq!(on_disk(&directory, "A.txt", (0, 0)).unwrap(), "A.txt");
}

#[test]
fn names_that_windows_reads_otherwise_are_not_plain() {
    let meaningful = [
        "a\\b",
        "..\\x",
        "c:x",
        "a.txt:stream",
        "a.",
        "a ",
        "NUL",
        "nul.txt",
        "com1",
        "LPT9.log",
        "con .txt",
        "COM¹",
        "a\tb",
        "what?",
        "conout$",
    ];
    for name in meaningful {
        assert!(!is_plain_on_windows(name), "{name:?}");
    }
    for name in ["a.txt", ".git", "console", "com", "com10", "nullable.rs", "lpt", "a b", "ü"] {
        assert!(is_plain_on_windows(name), "{name:?}");
    }
}
