//! Every kind of change, and what must hold of each.

use std::fs;
use std::os::unix::fs::{MetadataExt, symlink};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use gatewright_model::{FileMode, FileState};
use gatewright_workspace::{ApplyError, WriteError};

use crate::fixture::*;

#[test]
fn creates_a_file_and_the_directories_above_it() {
    let scratch = Scratch::new();
    let workspace = scratch.open();
    let applied = apply(&workspace, vec![change(&workspace, "a/b/c.txt", Some(state("new")))]);
    let applied = applied.unwrap();
    assert_eq!(scratch.text("a/b/c.txt"), "new");
    assert_eq!(applied.files[0].resolved.as_str(), "a/b/c.txt");
    assert_eq!(applied.files[0].before, None);
    assert_eq!(applied.files[0].after, Some((state("new").digest(), FileMode::REGULAR)));
    assert_eq!(scratch.leftovers(), Vec::<String>::new());
    assert_eq!(scratch.journal(), Vec::<String>::new());
}

#[test]
fn overwrites_deletes_and_changes_modes_in_one_set() {
    let scratch = Scratch::new();
    scratch.put("a.txt", "one");
    scratch.put("b.txt", "two");
    let script = scratch.put("c.txt", "three");
    set_mode(&script, 0o640);
    let workspace = scratch.open();
    let changes = vec![
        rewrite(&workspace, "a.txt", "changed"),
        change(&workspace, "b.txt", None),
        change(
            &workspace,
            "c.txt",
            Some(FileState::new(&b"three"[..], FileMode::from_bits(0o750))),
        ),
        change(&workspace, "d.txt", Some(state("renamed from b"))),
    ];
    apply(&workspace, changes).unwrap();
    assert_eq!(scratch.text("a.txt"), "changed");
    assert!(!scratch.root.join("b.txt").exists());
    assert_eq!(fs::metadata(&script).unwrap().mode() & 0o7777, 0o750);
    assert_eq!(scratch.text("d.txt"), "renamed from b");
    assert_eq!(scratch.leftovers(), Vec::<String>::new());
}

#[test]
fn writes_the_target_of_a_link_and_keeps_the_link() {
    let scratch = Scratch::new();
    scratch.put("real/file.txt", "old");
    symlink("real/file.txt", scratch.root.join("link.txt")).unwrap();
    symlink("real", scratch.root.join("dir")).unwrap();
    let workspace = scratch.open();
    let facts = target(&workspace, "link.txt");
    assert_eq!(facts.resolved.as_str(), "real/file.txt");
    assert!(facts.through_link);
    assert!(!target(&workspace, "real/file.txt").through_link);
    apply(&workspace, vec![rewrite(&workspace, "link.txt", "via link")]).unwrap();
    assert_eq!(scratch.text("real/file.txt"), "via link");
    apply(&workspace, vec![change(&workspace, "dir/new.txt", Some(state("n")))]).unwrap();
    assert_eq!(scratch.text("real/new.txt"), "n");
    let kind = fs::symlink_metadata(scratch.root.join("link.txt")).unwrap().file_type();
    assert!(kind.is_symlink());
}

#[test]
fn a_change_that_changes_nothing_touches_nothing() {
    let scratch = Scratch::new();
    let path = scratch.put("a.txt", "same");
    let inode = fs::metadata(&path).unwrap().ino();
    let workspace = scratch.open();
    apply(&workspace, vec![rewrite(&workspace, "a.txt", "same")]).unwrap();
    assert_eq!(fs::metadata(&path).unwrap().ino(), inode);
}

#[test]
fn a_stale_base_names_both_digests_and_writes_nothing() {
    let scratch = Scratch::new();
    scratch.put("a.txt", "one");
    scratch.put("b.txt", "two");
    let workspace = scratch.open();
    let changes =
        vec![rewrite(&workspace, "b.txt", "new b"), rewrite(&workspace, "a.txt", "agent")];
    scratch.put("a.txt", "human");
    let before = scratch.tree();
    match write_error(apply(&workspace, changes)) {
        WriteError::StaleBase { path, expected, found } => {
            assert_eq!(path, "a.txt");
            assert_eq!(expected, Some(state("one").digest()));
            assert_eq!(found, Some(state("human").digest()));
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(scratch.tree(), before);
}

#[test]
fn a_base_that_vanished_or_appeared_is_stale() {
    let scratch = Scratch::new();
    let gone = scratch.put("gone.txt", "one");
    let workspace = scratch.open();
    let vanished = vec![rewrite(&workspace, "gone.txt", "x")];
    let appeared = vec![change(&workspace, "new.txt", Some(state("agent")))];
    fs::remove_file(gone).unwrap();
    scratch.put("new.txt", "human");
    let error = write_error(apply(&workspace, vanished));
    assert!(matches!(error, WriteError::StaleBase { found: None, .. }), "{error:?}");
    let error = write_error(apply(&workspace, appeared));
    assert!(matches!(error, WriteError::StaleBase { expected: None, .. }), "{error:?}");
    assert_eq!(scratch.text("new.txt"), "human");
}

#[test]
fn a_mode_that_changed_meanwhile_is_stale() {
    let scratch = Scratch::new();
    let path = scratch.put("a.txt", "one");
    set_mode(&path, 0o644);
    let workspace = scratch.open();
    let changes = vec![rewrite(&workspace, "a.txt", "two")];
    set_mode(&path, 0o600);
    let error = write_error(apply(&workspace, changes));
    assert!(matches!(error, WriteError::StaleMode { found: 0o600, .. }), "{error:?}");
    assert_eq!(scratch.text("a.txt"), "one");
}

#[test]
fn a_failed_commit_takes_everything_back() {
    let scratch = Scratch::new();
    scratch.put("a.txt", "one");
    scratch.put("b.txt", "two");
    let workspace = scratch.open();
    let before = scratch.tree();
    let changes = vec![
        rewrite(&workspace, "a.txt", "changed"),
        change(&workspace, "b.txt", None),
        change(&workspace, "x/y/z.txt", Some(state("new"))),
    ];
    let approved = approved(&workspace, changes).unwrap();
    let seen = std::cell::RefCell::new(None);
    let outcome = workspace.apply(approved, transaction(), |applied| {
        assert_eq!(applied.files.len(), 3);
        *seen.borrow_mut() = Some(scratch.text("x/y/z.txt"));
        Err("the ledger is full")
    });
    assert!(matches!(outcome, Err(ApplyError::Commit("the ledger is full"))), "{outcome:?}");
    assert_eq!(seen.into_inner().as_deref(), Some("new"));
    assert_eq!(scratch.tree(), before);
    assert_eq!(scratch.journal(), Vec::<String>::new());
}

#[test]
fn a_panic_in_commit_takes_everything_back() {
    let scratch = Scratch::new();
    scratch.put("a.txt", "one");
    let workspace = scratch.open();
    let approved = approved(&workspace, vec![rewrite(&workspace, "a.txt", "two")]).unwrap();
    let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        workspace.apply(approved, transaction(), |_| -> Result<(), String> { panic!("ledger") })
    }));
    assert!(outcome.is_err());
    assert_eq!(scratch.text("a.txt"), "one");
    apply(&workspace, vec![rewrite(&workspace, "a.txt", "three")]).unwrap();
    assert_eq!(scratch.text("a.txt"), "three");
}

#[test]
fn a_hundred_files_are_written_or_none() {
    let scratch = Scratch::new();
    let workspace = scratch.open();
    let names: Vec<String> = (0..100).map(|n| format!("d{}/f{n}.txt", n % 7)).collect();
    for name in names.iter().step_by(2) {
        scratch.put(name, "old");
    }
    let changes = |workspace: &_| -> Vec<_> {
        names.iter().map(|name| change(workspace, name, Some(state("new")))).collect()
    };
    let stale = changes(&workspace);
    scratch.put("d1/f99.txt", "human");
    let before = scratch.tree();
    assert!(apply(&workspace, stale).is_err());
    assert_eq!(scratch.tree(), before);
    apply(&workspace, changes(&workspace)).unwrap();
    assert!(names.iter().all(|name| scratch.text(name) == "new"));
    assert_eq!(scratch.leftovers(), Vec::<String>::new());
}

#[test]
fn two_changes_of_one_file_are_refused() {
    let scratch = Scratch::new();
    scratch.put("a.txt", "one");
    symlink("a.txt", scratch.root.join("b.txt")).unwrap();
    let workspace = scratch.open();
    let changes = vec![rewrite(&workspace, "a.txt", "x"), rewrite(&workspace, "b.txt", "y")];
    if let Some(approved) = approved(&workspace, changes) {
        let outcome = workspace.apply(approved, transaction(), |_| Ok::<_, String>(()));
        assert!(matches!(write_error(outcome), WriteError::Duplicate { .. }));
    }
    assert_eq!(scratch.text("a.txt"), "one");
}

#[test]
fn a_long_name_can_be_written() {
    let scratch = Scratch::new();
    let name = format!("{}.txt", "n".repeat(251));
    scratch.put(&name, "old");
    let workspace = scratch.open();
    apply(&workspace, vec![rewrite(&workspace, &name, "new")]).unwrap();
    assert_eq!(scratch.text(&name), "new");
}

#[test]
fn readers_never_see_a_missing_or_partial_file() {
    let scratch = Scratch::new();
    let versions = ["a", "b"].map(|letter| format!("{}\n", letter.repeat(7)).repeat(20_000));
    let path = scratch.put("big.txt", &versions[0]);
    let workspace = scratch.open();
    let done = AtomicBool::new(false);
    let looks = AtomicU64::new(0);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                let bytes = fs::read(&path).expect("never missing");
                assert!(versions.iter().any(|version| version.as_bytes() == bytes), "torn");
                looks.fetch_add(1, Ordering::Relaxed);
            }
        });
        for round in 1..=cases(30) {
            let content = &versions[(round % 2) as usize];
            apply(&workspace, vec![rewrite(&workspace, "big.txt", content)]).unwrap();
        }
        done.store(true, Ordering::Relaxed);
    });
    println!("{} whole reads", looks.load(Ordering::Relaxed));
}
