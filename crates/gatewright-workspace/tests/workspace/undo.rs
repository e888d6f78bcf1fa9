//! Undo: the identity on files that are as the apply left them, a conflict on others.

use std::fs;

use gatewright_model::{FileMode, FileState, Intent};
use gatewright_workspace::UndoError;

use crate::fixture::*;

#[test]
fn undo_takes_back_every_kind_of_change() {
    let scratch = Scratch::new();
    set_mode(&scratch.put("a.txt", "one\r\n"), 0o600);
    set_mode(&scratch.put("b.txt", "two"), 0o755);
    scratch.put("c.txt", "three");
    let workspace = scratch.open();
    let before = scratch.tree();
    let executable = FileState::new(&b"three"[..], FileMode::EXECUTABLE);
    let changes = vec![
        rewrite(&workspace, "a.txt", "changed\n"),
        change(&workspace, "b.txt", None),
        change(&workspace, "c.txt", Some(executable)),
        change(&workspace, "new/deep/d.txt", Some(state("four"))),
    ];
    let applied = apply(&workspace, changes).unwrap();
    let after = scratch.tree();
    let undone = undo(&workspace, &applied.snapshot);
    assert_eq!(scratch.tree(), before);
    undo(&workspace, &undone.snapshot);
    assert_eq!(scratch.tree(), after);
}

#[test]
fn a_plan_is_a_change_set_like_any_other() {
    let scratch = Scratch::new();
    scratch.put("a.txt", "one");
    let workspace = scratch.open();
    let applied = apply(&workspace, vec![rewrite(&workspace, "a.txt", "two")]).unwrap();
    let plan = workspace.undo_plan(&applied.snapshot).unwrap();
    assert_eq!(plan.transaction, applied.transaction);
    let change = &plan.change_set.changes[0];
    assert_eq!(change.intent, Intent::Undo);
    assert_eq!(change.before, Some(state("two")));
    assert_eq!(change.after, Some(state("one")));
}

#[test]
fn a_later_edit_is_a_conflict_with_three_sides() {
    let scratch = Scratch::new();
    scratch.put("a.txt", "one");
    scratch.put("b.txt", "one");
    let workspace = scratch.open();
    let changes = vec![rewrite(&workspace, "a.txt", "two"), rewrite(&workspace, "b.txt", "two")];
    let applied = apply(&workspace, changes).unwrap();
    scratch.put("a.txt", "human");
    let plan = workspace.undo_plan(&applied.snapshot).unwrap();
    assert_eq!(plan.change_set.changes.len(), 1);
    assert_eq!(plan.change_set.changes[0].requested.as_str(), "b.txt");
    let conflict = &plan.conflicts[0];
    assert_eq!(conflict.path.as_str(), "a.txt");
    assert_eq!(conflict.left_by_apply, Some(state("two")));
    assert_eq!(conflict.now, Some(state("human")));
    assert_eq!(conflict.restores, Some(state("one")));
}

#[test]
fn a_changed_mode_a_removal_and_a_new_kind_are_conflicts_too() {
    let scratch = Scratch::new();
    for name in ["a.txt", "b.txt", "c.txt"] {
        scratch.put(name, "one");
    }
    let workspace = scratch.open();
    let changes = ["a.txt", "b.txt", "c.txt"].map(|name| rewrite(&workspace, name, "two"));
    let applied = apply(&workspace, changes.to_vec()).unwrap();
    set_mode(&scratch.root.join("a.txt"), 0o600);
    fs::remove_file(scratch.root.join("b.txt")).unwrap();
    fs::remove_file(scratch.root.join("c.txt")).unwrap();
    fs::create_dir(scratch.root.join("c.txt")).unwrap();
    let plan = workspace.undo_plan(&applied.snapshot).unwrap();
    assert_eq!(plan.conflicts.len(), 3);
    assert!(plan.change_set.is_empty());
}

#[test]
fn a_directory_that_somebody_uses_stays() {
    let scratch = Scratch::new();
    let workspace = scratch.open();
    let changes = vec![change(&workspace, "new/deep/a.txt", Some(state("agent")))];
    let applied = apply(&workspace, changes).unwrap();
    scratch.put("new/human.txt", "mine");
    undo(&workspace, &applied.snapshot);
    assert_eq!(scratch.text("new/human.txt"), "mine");
    assert!(!scratch.root.join("new/deep").exists());
}

#[test]
fn an_unknown_snapshot_is_said_to_be_so() {
    let scratch = Scratch::new();
    let workspace = scratch.open();
    let id = "s000000000099-00000000".parse().unwrap();
    assert!(matches!(workspace.undo_plan(&id), Err(UndoError::Unknown(_))));
    assert!("../../etc/passwd".parse::<gatewright_workspace::SnapshotId>().is_err());
}
