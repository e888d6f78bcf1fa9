//! The published ways out of a workspace, each judged by the disk.

use std::fs;
use std::os::unix::fs::symlink;

use gatewright_model::{LinkFacts, PathProblem, RequestedPath, ResolutionFailure, TargetKind};
use gatewright_workspace::{OpenError, WorkspaceOptions};

use crate::Workspace;
use crate::fixture::*;

/// Proposes a write, with a person who confirms everything; nothing may change anywhere.
pub fn refused(scratch: &Scratch, workspace: &Workspace, path: &str) {
    let (inside, outside) = (scratch.tree(), scratch.outside_tree());
    for after in [Some(state("evil")), None] {
        let facts = workspace.facts(&RequestedPath::new(path));
        let change = change_from(path, None, after);
        if let Some(approved) = approved_on(vec![change], vec![facts]) {
            let outcome = workspace.apply(approved, transaction(), |_| Ok::<_, String>(()));
            assert!(outcome.is_err(), "{path} was written");
        }
    }
    assert!(workspace.read(&requested(path), 1 << 20).is_err(), "{path} was read");
    assert_eq!(scratch.tree(), inside, "{path}");
    assert_eq!(scratch.outside_tree(), outside, "{path}");
}

#[test]
fn texts_that_are_no_workspace_paths() {
    let scratch = Scratch::new();
    let workspace = scratch.open();
    let long = format!("a/{}", "b".repeat(300));
    let deep = "a/".repeat(2500) + "b";
    let cases = [
        ("../outside/x", PathProblem::ParentComponent),
        ("a/../../outside/x", PathProblem::ParentComponent),
        ("/etc/passwd", PathProblem::Absolute),
        ("a\0b", PathProblem::Nul),
        ("", PathProblem::Empty),
        (".", PathProblem::Empty),
        ("a/", PathProblem::Directory),
        (long.as_str(), PathProblem::TooLong),
        (deep.as_str(), PathProblem::TooLong),
    ];
    for (path, problem) in cases {
        assert_eq!(failure(&workspace, path), ResolutionFailure::Text(problem), "{path:.40}");
        refused(&scratch, &workspace, path);
    }
    let sibling = format!("{}-evil/x", scratch.root.display());
    refused(&scratch, &workspace, &sibling);
}

#[test]
fn links_that_lead_out() {
    let scratch = Scratch::new();
    fs::write(scratch.outside.join("victim.txt"), "victim").unwrap();
    let link = |target: &str, name: &str| symlink(target, scratch.root.join(name)).unwrap();
    fs::create_dir(scratch.root.join("sub")).unwrap();
    link("../outside/victim.txt", "file.txt");
    link("../outside", "dir");
    link(scratch.outside.to_str().unwrap(), "absolute");
    link("../outside/not-there.txt", "dangling-out.txt");
    link("../../outside", "sub/up");
    link("dir", "chain");
    // An absolute link is refused even when it points back inside.
    link(scratch.root.join("sub").to_str().unwrap(), "absolute-inside");
    let workspace = scratch.open();
    let paths = [
        "file.txt",
        "dir/new.txt",
        "dir/victim.txt",
        "absolute/victim.txt",
        "absolute/new.txt",
        "dangling-out.txt",
        "sub/up/victim.txt",
        "chain/new/deep.txt",
        "absolute-inside/x.txt",
    ];
    for path in paths {
        assert_eq!(failure(&workspace, path), ResolutionFailure::Escapes, "{path}");
        refused(&scratch, &workspace, path);
    }
}

#[test]
fn links_that_dangle_loop_or_are_magic() {
    let scratch = Scratch::new();
    let link = |target: &str, name: &str| symlink(target, scratch.root.join(name)).unwrap();
    link("nowhere.txt", "dangling.txt");
    link("nowhere", "dangling-dir");
    link("loop-b", "loop-a");
    link("loop-a", "loop-b");
    link("self/x", "self");
    let workspace = scratch.open();
    let paths = ["dangling.txt", "dangling-dir/x.txt", "loop-a", "loop-b/x", "self"];
    for path in paths {
        assert_eq!(failure(&workspace, path), ResolutionFailure::BadLink, "{path}");
        refused(&scratch, &workspace, path);
    }
    // A root inside /proc shows that magic links are not followed either.
    let options = WorkspaceOptions::new("/proc/self", scratch.base.path().join("other"));
    let proc_workspace = Workspace::open(options).unwrap();
    for path in ["cwd/x", "root/etc/passwd", "exe", "fd/0"] {
        let failure = failure(&proc_workspace, path);
        assert!(
            matches!(failure, ResolutionFailure::BadLink | ResolutionFailure::Escapes),
            "{path}: {failure:?}"
        );
    }
}

#[test]
fn what_is_not_a_regular_file() {
    let scratch = Scratch::new();
    fs::create_dir(scratch.root.join("directory")).unwrap();
    assert!(run("mkfifo", &[scratch.root.join("fifo").to_str().unwrap()]));
    let _socket = std::os::unix::net::UnixListener::bind(scratch.root.join("socket")).unwrap();
    let workspace = scratch.open();
    assert_eq!(target(&workspace, "directory").kind, TargetKind::Directory);
    let mut special = vec!["fifo", "socket"];
    if is_root() {
        let device = scratch.root.join("device");
        assert!(run("mknod", &[device.to_str().unwrap(), "c", "1", "3"]));
        special.push("device");
    } else {
        println!("SKIPPED: making a device needs root");
    }
    for path in special {
        assert_eq!(target(&workspace, path).kind, TargetKind::Special, "{path}");
        refused(&scratch, &workspace, path);
    }
    refused(&scratch, &workspace, "directory");
    scratch.put("file.txt", "x");
    assert_eq!(failure(&workspace, "file.txt/below"), ResolutionFailure::NotADirectory);
}

#[test]
fn hard_links_are_counted_inside_and_out() {
    let scratch = Scratch::new();
    let inside = scratch.put("a/one.txt", "shared");
    scratch.put("b/keep.txt", "x");
    fs::hard_link(&inside, scratch.root.join("b/two.txt")).unwrap();
    let workspace = scratch.open();
    assert_eq!(target(&workspace, "b/two.txt").links, LinkFacts::AllInside { count: 2 });
    assert_eq!(target(&workspace, "b/keep.txt").links, LinkFacts::Single);
    fs::hard_link(&inside, scratch.outside.join("three.txt")).unwrap();
    let facts = target(&workspace, "a/one.txt");
    assert_eq!(facts.links, LinkFacts::SomeOutside { count: 3, found: 2 });
    // Whatever the guards say, the outside name keeps its bytes.
    let changes = vec![rewrite(&workspace, "a/one.txt", "changed")];
    if let Some(approved) = approved(&workspace, changes) {
        let _ = workspace.apply(approved, transaction(), |_| Ok::<_, String>(()));
    }
    assert_eq!(fs::read_to_string(scratch.outside.join("three.txt")).unwrap(), "shared");
    assert_eq!(scratch.text("b/two.txt"), "shared");
}

#[test]
fn own_files_are_known_by_identity_and_by_name() {
    let scratch = Scratch::new();
    let config = scratch.put("conf/own.toml", "x");
    scratch.put("other/plain.txt", "x");
    fs::hard_link(&config, scratch.root.join("other/alias.txt")).unwrap();
    symlink("conf", scratch.root.join("link")).unwrap();
    let mut options = scratch.options();
    options.own_paths.extend([config, scratch.root.join("not-yet"), scratch.root.join("vault")]);
    let workspace = Workspace::open(options).unwrap();
    scratch.put("vault/deep/key", "x");
    for path in [
        "conf/own.toml",
        "link/own.toml",
        "other/alias.txt",
        "not-yet",
        "vault/deep/key",
        "vault/new/file",
    ] {
        assert!(target(&workspace, path).is_own_file, "{path}");
    }
    assert!(!target(&workspace, "other/plain.txt").is_own_file);
    assert!(!target(&workspace, "not-yet-either").is_own_file);
}

#[test]
fn a_bare_repository_is_known_whatever_its_name() {
    let scratch = Scratch::new();
    scratch.put("innocent/HEAD", "ref: refs/heads/main");
    fs::create_dir_all(scratch.root.join("innocent/objects")).unwrap();
    scratch.put("plain/HEAD", "not a repository");
    let workspace = scratch.open();
    assert!(!target(&workspace, "innocent/config").in_bare_repository);
    fs::create_dir_all(scratch.root.join("innocent/refs")).unwrap();
    assert!(target(&workspace, "innocent/config").in_bare_repository);
    assert!(target(&workspace, "innocent/hooks/new/deep").in_bare_repository);
    assert!(!target(&workspace, "plain/config").in_bare_repository);
}

#[test]
fn a_root_that_was_moved_or_deleted_is_noticed() {
    let scratch = Scratch::new();
    scratch.put("a.txt", "x");
    let workspace = scratch.open();
    let elsewhere = scratch.base.path().join("elsewhere");
    fs::rename(&scratch.root, &elsewhere).unwrap();
    assert!(matches!(failure(&workspace, "a.txt"), ResolutionFailure::Other { .. }));
    fs::remove_dir_all(&elsewhere).unwrap();
    assert!(matches!(failure(&workspace, "a.txt"), ResolutionFailure::Other { .. }));
}

#[test]
fn the_state_directory_may_not_lie_in_the_workspace() {
    let scratch = Scratch::new();
    let options = WorkspaceOptions::new(&scratch.root, scratch.root.join("a/state"));
    assert!(matches!(Workspace::open(options), Err(OpenError::StateInsideWorkspace { .. })));
    assert!(scratch.tree().is_empty());
}

#[test]
fn names_that_are_not_text_are_refused_by_fact() {
    use std::os::unix::ffi::OsStrExt;
    let scratch = Scratch::new();
    let strange = std::ffi::OsStr::from_bytes(b"odd-\xff");
    fs::create_dir(scratch.root.join(strange)).unwrap();
    symlink(strange, scratch.root.join("link")).unwrap();
    let workspace = scratch.open();
    assert_eq!(failure(&workspace, "link/x.txt"), ResolutionFailure::NotUtf8);
}

#[test]
fn a_survey_has_the_directories_and_the_wanted_files_and_no_link() {
    let scratch = Scratch::new();
    for name in ["b.py", "a.py", "c.txt"] {
        scratch.put(&format!("d/{name}"), "12345");
    }
    fs::create_dir(scratch.root.join("d/z.py")).unwrap();
    fs::create_dir(scratch.root.join("d/inner")).unwrap();
    symlink("b.py", scratch.root.join("d/link.py")).unwrap();
    symlink("inner", scratch.root.join("d/linked")).unwrap();
    symlink(&scratch.outside, scratch.root.join("out")).unwrap();
    let workspace = scratch.open();
    let is_python = |name: &str| name.ends_with(".py");
    let survey = workspace.survey(&requested("d"), &is_python).unwrap();
    assert_eq!(survey.directories, ["inner", "z.py"]);
    let mut listed = workspace.read_dir(&requested("d")).unwrap();
    listed.retain(|entry| ["a.py", "b.py"].contains(&entry.name.as_str()));
    assert_eq!(survey.files, listed, "a wanted file is described as in a listing");
    for path in ["out", "/", "/etc", "..", "d/b.py", "none"] {
        assert!(workspace.survey(&requested(path), &is_python).is_err(), "{path}");
    }
}

#[test]
fn directories_are_listed_beneath_the_root_only() {
    let scratch = Scratch::new();
    scratch.put("d/b.txt", "12345");
    fs::create_dir(scratch.root.join("d/a")).unwrap();
    symlink(&scratch.outside, scratch.root.join("out")).unwrap();
    symlink("d", scratch.root.join("in")).unwrap();
    let workspace = scratch.open();
    let entries = workspace.read_dir(&requested("in/")).unwrap();
    let names: Vec<_> = entries.iter().map(|entry| (entry.name.as_str(), entry.size)).collect();
    assert_eq!(names, [("a", 0), ("b.txt", 5)]);
    assert_eq!(workspace.read_dir(&requested(".")).unwrap().len(), 3);
    for path in ["out", "/", "/etc", "..", "d/b.txt", "none"] {
        assert!(workspace.read_dir(&requested(path)).is_err(), "{path}");
    }
}

#[test]
fn a_read_by_the_short_way_and_along_links_finds_the_same_and_nothing_outside() {
    let scratch = Scratch::in_memory();
    scratch.put("a/plain.py", "x = 1\n");
    symlink("plain.py", scratch.root.join("a/link.py")).unwrap();
    symlink("a", scratch.root.join("way")).unwrap();
    fs::write(scratch.outside.join("secret"), "s").unwrap();
    symlink(scratch.outside.join("secret"), scratch.root.join("out")).unwrap();
    let workspace = scratch.open();
    let read = |path: &str, limit| workspace.read(&RequestedPath::new(path), limit);
    for path in ["a/plain.py", "a/link.py", "way/plain.py"] {
        let state = read(path, 6).unwrap().unwrap();
        assert_eq!(&*state.content, b"x = 1\n", "{path:?}");
        assert!(read(path, 5).is_err(), "{path:?} is too large");
    }
    assert!(read("a/none", 6).unwrap().is_none());
    for path in ["a", "out", "../outside/secret", "/", ""] {
        assert!(read(path, 100).is_err(), "{path:?}");
    }
}
