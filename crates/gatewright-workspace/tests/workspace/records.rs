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

/// A text of that many lines which does not shrink to nothing.
fn long_text(lines: u64) -> String {
    (0..lines).map(|line| format!("{:x}\n", line.wrapping_mul(0x9e37_79b9_7f4a_7c15))).collect()
}

#[test]
fn an_edit_of_a_long_file_saves_no_other_file() {
    let scratch = Scratch::new();
    let old = long_text(10_000);
    scratch.put("a.txt", &old);
    let workspace = scratch.open();
    let new = old.replacen("0\n", "0\nagent\n", 1);
    let applied = apply(&workspace, vec![rewrite(&workspace, "a.txt", &new)]).unwrap();
    assert_eq!(fs::read_dir(scratch.state.join("objects")).unwrap().count(), 0);
    let records = fs::read_dir(scratch.state.join("snapshots")).unwrap();
    let size: u64 = records.map(|entry| entry.unwrap().metadata().unwrap().len()).sum();
    assert!(size < old.len() as u64, "both states take {size} bytes");
    undo(&workspace, &applied.snapshot);
    assert_eq!(scratch.text("a.txt"), old);
}

#[test]
fn what_an_edit_of_a_long_file_left_is_shown_where_it_changed_since() {
    let scratch = Scratch::new();
    let old = long_text(5_000);
    scratch.put("a.txt", &old);
    let workspace = scratch.open();
    let new = format!("{old}agent\n");
    let applied = apply(&workspace, vec![rewrite(&workspace, "a.txt", &new)]).unwrap();
    scratch.put("a.txt", "human");
    let plan = workspace.undo_plan(&applied.snapshot).unwrap();
    let left = plan.conflicts[0].left_by_apply.as_ref().unwrap();
    assert_eq!(&*left.content, new.as_bytes());
}
