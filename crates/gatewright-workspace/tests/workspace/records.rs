//! Few old bytes are in the record itself, which is all that is synced for them.
//!
//! After a power failure the files that were not synced may be empty or gone.

use std::fs;

use crate::fixture::*;

/// Leaves of every saved file what a power failure may leave.
fn lose_objects(scratch: &Scratch) {
    for entry in fs::read_dir(scratch.state.join("objects")).unwrap() {
        fs::write(entry.unwrap().path(), "").unwrap();
    }
}

#[test]
fn what_was_replaced_can_be_undone_without_the_saved_files() {
    let scratch = Scratch::new();
    scratch.put("a.txt", "one");
    scratch.put("gone.txt", "two");
    let workspace = scratch.open();
    let changes = vec![rewrite(&workspace, "a.txt", "agent"), change(&workspace, "gone.txt", None)];
    let applied = apply(&workspace, changes).unwrap();
    lose_objects(&scratch);
    undo(&workspace, &applied.snapshot);
    assert_eq!((scratch.text("a.txt"), scratch.text("gone.txt")), ("one".into(), "two".into()));
}

#[test]
fn what_a_crash_left_is_taken_back_without_the_saved_files() {
    let scratch = Scratch::new();
    scratch.put("a.txt", "one");
    let workspace = scratch.open();
    let approved = approved(&workspace, vec![rewrite(&workspace, "a.txt", "agent")]).unwrap();
    let journal = scratch.state.join("journal");
    let kept = scratch.base.path().join("kept");
    let applied = workspace.apply(approved, transaction(), |_| {
        assert!(run("cp", &["-a", journal.to_str().unwrap(), kept.to_str().unwrap()]));
        Ok::<_, String>(())
    });
    assert!(applied.is_ok(), "{applied:?}");
    // The old file beside the new one is gone, and the ledger does not know the transaction.
    fs::remove_dir(&journal).unwrap();
    fs::rename(kept, &journal).unwrap();
    lose_objects(&scratch);
    let report = scratch.open().recover(|_| Ok(false)).unwrap();
    assert_eq!((report.rolled_back.len(), report.conflicts.len()), (1, 0));
    assert_eq!(scratch.text("a.txt"), "one");
}
