//! The ring: bounded, oldest out first, bytes shared and dropped with their last user.

use std::fs;

use gatewright_workspace::{SnapshotLimits, UndoError, WorkspaceOptions};

use crate::Workspace;
use crate::fixture::*;

fn open(scratch: &Scratch, limits: SnapshotLimits) -> Workspace {
    Workspace::open(WorkspaceOptions { snapshot_limits: limits, ..scratch.options() }).unwrap()
}

#[test]
fn the_oldest_snapshots_go_when_there_are_too_many() {
    let scratch = Scratch::new();
    let workspace = open(&scratch, SnapshotLimits { max_bytes: 1 << 30, max_count: 3 });
    let mut ids = Vec::new();
    for round in 0..5 {
        let changes = vec![rewrite(&workspace, "a.txt", &format!("round {round}"))];
        let applied = apply(&workspace, changes).unwrap();
        let evicted = if round < 3 { &[] } else { &ids[round - 3..round - 2] };
        assert_eq!(applied.evicted, evicted);
        ids.push(applied.snapshot);
    }
    assert_eq!(workspace.snapshot_stats().count, 3);
    assert!(matches!(workspace.undo_plan(&ids[0]), Err(UndoError::Evicted(_))));
    assert!(workspace.undo_plan(&ids[4]).is_ok());
    // Rounds 1 to 4 are still needed: as before and as after.
    assert_eq!(fs::read_dir(scratch.state.join("objects")).unwrap().count(), 4);
}

#[test]
fn the_oldest_snapshots_go_when_they_take_too_much_room() {
    let scratch = Scratch::new();
    let workspace = open(&scratch, SnapshotLimits { max_bytes: 60_000, max_count: 1000 });
    let mut random = Random(seed());
    let mut evicted = 0;
    for _ in 0..12 {
        let noise: String = (0..2_000).map(|_| format!("{:x}", random.next())).collect();
        let applied = apply(&workspace, vec![rewrite(&workspace, "a.txt", &noise[..9_000])]);
        evicted += applied.unwrap().evicted.len();
        assert!(workspace.snapshot_stats().bytes <= 60_000);
    }
    assert!(evicted > 0);
}

#[test]
fn equal_bytes_are_kept_once() {
    let scratch = Scratch::new();
    let workspace = scratch.open();
    for round in 0..6 {
        let content = ["ping", "pong"][round % 2];
        apply(&workspace, vec![rewrite(&workspace, "a.txt", content)]).unwrap();
    }
    assert_eq!(fs::read_dir(scratch.state.join("objects")).unwrap().count(), 2);
}

#[test]
fn totals_that_are_lost_are_counted_again() {
    let scratch = Scratch::new();
    let workspace = scratch.open();
    apply(&workspace, vec![rewrite(&workspace, "a.txt", "one")]).unwrap();
    let stats = workspace.snapshot_stats();
    fs::write(scratch.state.join("ring.json"), "torn").unwrap();
    assert_eq!(workspace.snapshot_stats(), stats);
    let second = apply(&workspace, vec![rewrite(&workspace, "a.txt", "two")]).unwrap();
    assert_eq!(second.snapshot.sequence(), 1);
}

#[test]
fn damaged_bytes_are_noticed_and_written_again() {
    let scratch = Scratch::new();
    let workspace = scratch.open();
    // Too much for a record, which would hold a second copy.
    let [one, two] = [1, 2].map(|seed| {
        let mut random = Random(seed);
        (0..8_000).map(|_| format!("{:x}", random.next())).collect::<String>()
    });
    let first = apply(&workspace, vec![rewrite(&workspace, "a.txt", &one)]).unwrap();
    let second = apply(&workspace, vec![rewrite(&workspace, "a.txt", &two)]).unwrap();
    for entry in fs::read_dir(scratch.state.join("objects")).unwrap() {
        fs::write(entry.unwrap().path(), "rot").unwrap();
    }
    let error = workspace.undo_plan(&second.snapshot);
    assert!(matches!(error, Err(UndoError::Damaged { .. })), "{error:?}");
    let third = apply(&workspace, vec![rewrite(&workspace, "a.txt", &one)]).unwrap();
    undo(&workspace, &third.snapshot);
    assert_eq!(scratch.text("a.txt"), two);
    assert!(first.snapshot < third.snapshot);
}
