//! The steps under somebody who changes names at the same time.

use cap_std::ambient_authority;

use super::*;

fn directory() -> (tempfile::TempDir, Dir) {
    let base = tempfile::tempdir().unwrap();
    let directory = Dir::open_ambient_dir(base.path(), ambient_authority()).unwrap();
    (base, directory)
}

fn names_in(directory: &Dir) -> Vec<String> {
    let entries = directory.entries().unwrap();
    let mut names: Vec<_> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_taken_name_is_not_taken_over() {
    let (_base, directory) = directory();
    directory.write("own", "ours").unwrap();
    directory.write("new", "theirs").unwrap();
    let error = rename_new(&directory, "own", "new").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::AlreadyExists);
    assert_eq!(directory.read_to_string("new").unwrap(), "theirs");
    directory.remove_file("new").unwrap();
    rename_new(&directory, "own", "new").unwrap();
    assert_eq!(names_in(&directory), ["new"]);
}

#[test]
fn our_name_goes_even_where_both_names_are_one_file() {
    let (_base, directory) = directory();
    directory.write("own", "one file").unwrap();
    directory.hard_link("own", &directory, "new").unwrap();
    rename_over(&directory, "own", "new").unwrap();
    assert_eq!(names_in(&directory), ["new"]);
    assert_eq!(directory.read_to_string("new").unwrap(), "one file");
}

#[test]
fn something_else_under_the_name_is_not_opened() {
    let (_base, directory) = directory();
    directory.write("a", "seen").unwrap();
    directory.write("b", "another").unwrap();
    let seen = look_at(&directory, "a").unwrap().unwrap();
    assert!(open_file(&directory, "a", &seen).unwrap().is_some());
    assert!(open_file(&directory, "b", &seen).unwrap().is_none());
    assert!(open_file(&directory, "missing", &seen).unwrap().is_none());
    #[cfg(unix)]
    {
        directory.symlink("a", "link").unwrap();
        assert!(open_file(&directory, "link", &seen).unwrap().is_none());
    }
}

#[test]
fn only_an_empty_directory_is_removed() {
    let (_base, directory) = directory();
    directory.create_dir("empty").unwrap();
    directory.create_dir("used").unwrap();
    directory.write("used/file", "x").unwrap();
    for name in ["empty", "used", "missing"] {
        remove_if_empty(&directory, name).unwrap();
    }
    assert_eq!(names_in(&directory), ["used"]);
}
