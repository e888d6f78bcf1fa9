//! Recovery when somebody changed files after the crash: nothing of theirs is lost.

use std::fs;

use gatewright_workspace::{RecoveryReport, WriteError};

use crate::Workspace;
use crate::fixture::*;

/// Leaves a transaction as a crash after the last rename would: in place, in the journal.
fn crash_after_renames(scratch: &Scratch, changes: &[(&str, Option<&str>)]) {
    let workspace = scratch.open();
    let changes =
        changes.iter().map(|(path, after)| change(&workspace, path, after.map(state))).collect();
    let approved = approved(&workspace, changes).unwrap();
    // The copy is what a crash between the last rename and the commit leaves.
    let copy = scratch.base.path().join("crashed");
    let outcome = workspace.apply(approved, transaction(), |_| {
        assert!(run("cp", &["-a", scratch.root.to_str().unwrap(), copy.to_str().unwrap()]));
        let journal = scratch.state.join("journal");
        assert!(run("cp", &["-a", journal.to_str().unwrap(), copy.join("J").to_str().unwrap()]));
        let objects = scratch.state.join("objects");
        assert!(run("cp", &["-a", objects.to_str().unwrap(), copy.join("O").to_str().unwrap()]));
        Err("crash")
    });
    assert!(outcome.is_err());
    drop(workspace);
    for (from, to) in [("J", "journal"), ("O", "objects")] {
        fs::remove_dir_all(scratch.state.join(to)).unwrap();
        fs::rename(copy.join(from), scratch.state.join(to)).unwrap();
    }
    fs::remove_dir_all(&scratch.root).unwrap();
    fs::rename(copy, &scratch.root).unwrap();
}

fn recover(workspace: &Workspace, committed: bool) -> RecoveryReport {
    workspace.recover(|_| Ok(committed)).unwrap()
}

const CHANGES: [(&str, Option<&str>); 3] =
    [("a.txt", Some("agent")), ("gone.txt", None), ("made/new.txt", Some("new"))];

fn crashed() -> (Scratch, std::collections::BTreeMap<String, Entry>) {
    let scratch = Scratch::new();
    scratch.put("a.txt", "old");
    scratch.put("gone.txt", "old");
    let before = scratch.tree();
    crash_after_renames(&scratch, &CHANGES);
    assert_eq!(scratch.text("a.txt"), "agent");
    assert_eq!(scratch.leftovers().len(), 2);
    (scratch, before)
}

#[test]
fn what_was_not_committed_is_taken_back() {
    let (scratch, before) = crashed();
    let workspace = scratch.open();
    let report = recover(&workspace, false);
    assert_eq!(report.rolled_back.len(), 1);
    assert_eq!(report.conflicts, Vec::new());
    assert_eq!(scratch.tree(), before);
    assert_eq!(recover(&workspace, false), RecoveryReport::default());
}

#[test]
fn what_was_committed_stands_and_can_be_undone() {
    let (scratch, before) = crashed();
    let workspace = scratch.open();
    let report = recover(&workspace, true);
    assert_eq!(report.finished.len(), 1);
    assert_eq!(scratch.leftovers(), Vec::<String>::new());
    assert_eq!(scratch.text("made/new.txt"), "new");
    let snapshots = fs::read_dir(scratch.state.join("snapshots")).unwrap();
    let names: Vec<_> =
        snapshots.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    let id = names[0].strip_suffix(".json").unwrap().parse().unwrap();
    undo(&workspace, &id);
    assert_eq!(scratch.tree(), before);
}

#[test]
fn a_write_before_recovery_is_refused() {
    let (scratch, _) = crashed();
    let workspace = scratch.open();
    let error = write_error(apply(&workspace, vec![rewrite(&workspace, "a.txt", "x")]));
    assert!(matches!(error, WriteError::NeedsRecovery { count: 1 }), "{error:?}");
}

#[test]
fn edits_made_after_the_crash_are_conflicts_and_stay() {
    let (scratch, _) = crashed();
    scratch.put("a.txt", "human");
    scratch.put("gone.txt", "human again");
    scratch.put("made/new.txt", "human too");
    let workspace = scratch.open();
    let report = recover(&workspace, false);
    let paths: Vec<_> = report.conflicts.iter().map(|c| c.path.as_str()).collect();
    assert_eq!(paths, ["made/new.txt", "gone.txt", "a.txt"]);
    assert_eq!(scratch.text("a.txt"), "human");
    assert_eq!(scratch.text("gone.txt"), "human again");
    assert_eq!(scratch.text("made/new.txt"), "human too");
    assert_eq!(scratch.leftovers(), Vec::<String>::new());
    apply(&workspace, vec![rewrite(&workspace, "a.txt", "on it goes")]).unwrap();
}

#[test]
fn the_saved_bytes_come_back_when_the_old_file_itself_is_gone() {
    let (scratch, before) = crashed();
    for name in scratch.leftovers() {
        fs::remove_file(scratch.root.join(name)).unwrap();
    }
    let workspace = scratch.open();
    let report = recover(&workspace, false);
    assert_eq!(report.conflicts, Vec::new());
    assert_eq!(scratch.tree(), before);
}

#[test]
fn a_record_that_was_cut_short_had_begun_nothing() {
    let (scratch, _) = crashed();
    let name = scratch.journal().remove(0);
    let path = scratch.state.join("journal").join(name);
    let bytes = fs::read(&path).unwrap();
    fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
    let workspace = scratch.open();
    let report = recover(&workspace, false);
    assert_eq!(report.abandoned.len(), 1);
    assert_eq!(scratch.journal(), Vec::<String>::new());
}

#[test]
fn an_answer_that_cannot_be_given_leaves_everything() {
    let (scratch, _) = crashed();
    let tree = scratch.tree();
    let workspace = scratch.open();
    assert!(workspace.recover(|_| Err("the ledger is locked".to_owned())).is_err());
    assert_eq!(scratch.tree(), tree);
    assert_eq!(scratch.journal().len(), 1);
}
