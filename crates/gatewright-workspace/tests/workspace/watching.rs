//! What the kernel tells of changes is all that changed.

use std::fs;
use std::os::unix::fs::symlink;

use gatewright_model::RequestedPath;
use gatewright_workspace::{Happened, Watch};

use crate::Workspace;
use crate::fixture::Scratch;

fn told(watch: &mut Watch) -> Vec<String> {
    match watch.take() {
        Happened::To(mut files) => {
            files.sort();
            files
        }
        Happened::Anything => panic!("everything has to be looked at"),
    }
}

fn watching(workspace: &Workspace, folders: &[&str]) -> Watch {
    let mut watch = workspace.watch().expect("a watch of a local file system");
    for folder in folders {
        assert!(workspace.watch_folder(&mut watch, folder));
        assert!(workspace.watch_folder(&mut watch, folder), "twice is once");
    }
    watch
}

#[test]
fn files_that_are_made_written_moved_and_removed_are_told_once() {
    let scratch = Scratch::in_memory();
    let kept = scratch.put("a/kept.py", "x");
    scratch.put("a/gone.py", "x");
    scratch.put("a/deep/other.py", "x");
    let workspace = scratch.open();
    let mut watch = watching(&workspace, &["", "a"]);
    assert!(told(&mut watch).is_empty());
    fs::write(&kept, "y").unwrap();
    fs::write(&kept, "z").unwrap();
    fs::remove_file(scratch.root.join("a/gone.py")).unwrap();
    scratch.put("top.py", "x");
    scratch.put("a/deep/other.py", "not watched");
    assert_eq!(told(&mut watch), ["a/gone.py", "a/kept.py", "top.py"]);
    assert!(told(&mut watch).is_empty());
    fs::rename(&kept, scratch.root.join("moved.py")).unwrap();
    assert_eq!(told(&mut watch), ["a/kept.py", "moved.py"]);
}

#[test]
fn a_folder_that_comes_goes_or_moves_ends_the_watch() {
    let changes: [fn(&Scratch); 4] = [
        |scratch| fs::create_dir(scratch.root.join("a/new")).unwrap(),
        |scratch| fs::remove_dir_all(scratch.root.join("a/deep")).unwrap(),
        |scratch| fs::rename(scratch.root.join("a"), scratch.outside.join("a")).unwrap(),
        |scratch| fs::rename(scratch.root.join("a/deep"), scratch.root.join("a/x")).unwrap(),
    ];
    for change in changes {
        let scratch = Scratch::in_memory();
        scratch.put("a/deep/one.py", "x");
        let workspace = scratch.open();
        let mut watch = watching(&workspace, &["a", "a/deep"]);
        change(&scratch);
        assert_eq!(watch.take(), Happened::Anything);
        assert_eq!(watch.take(), Happened::Anything, "and it stays so");
    }
}

#[test]
fn what_is_no_folder_of_the_workspace_is_not_watched() {
    let scratch = Scratch::in_memory();
    scratch.put("file.py", "x");
    symlink(&scratch.outside, scratch.root.join("link")).unwrap();
    let workspace = scratch.open();
    let mut watch = watching(&workspace, &["missing", "file.py", "link", "../outside", "/"]);
    fs::write(scratch.outside.join("secret.py"), "x").unwrap();
    assert!(told(&mut watch).is_empty());
}

#[test]
fn more_than_is_told_one_by_one_ends_the_watch() {
    let scratch = Scratch::in_memory();
    let workspace = scratch.open();
    let mut watch = watching(&workspace, &[""]);
    (0..1_100).for_each(|number| drop(scratch.put(&format!("f{number}"), "x")));
    assert_eq!(watch.take(), Happened::Anything);
}

#[test]
fn a_plain_read_follows_no_link_and_reads_what_any_read_does() {
    let scratch = Scratch::in_memory();
    scratch.put("a/plain.py", "x = 1\n");
    symlink("plain.py", scratch.root.join("a/link.py")).unwrap();
    symlink("a", scratch.root.join("way")).unwrap();
    fs::write(scratch.outside.join("secret"), "s").unwrap();
    symlink(scratch.outside.join("secret"), scratch.root.join("out")).unwrap();
    let workspace = scratch.open();
    let read = |path: &str, limit| workspace.read_plain(&RequestedPath::new(path), limit);
    assert_eq!(read("a/plain.py", 6).as_deref(), Some(&b"x = 1\n"[..]));
    assert_eq!(read("a/plain.py", 5), None, "too large");
    for path in ["a", "a/none", "a/link.py", "way/plain.py", "out", "../outside/secret", "/", ""] {
        assert_eq!(read(path, 100), None, "{path:?}");
    }
}
