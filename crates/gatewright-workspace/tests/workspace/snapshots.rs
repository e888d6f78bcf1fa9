//! The ring: bounded, oldest out first, bytes shared and dropped with their last user.

use std::fs;

use gatewright_workspace::{SnapshotLimits, UndoError, WorkspaceOptions};

use crate::Workspace;
use crate::fixture::*;

fn open(scratch: &Scratch, limits: SnapshotLimits) -> Workspace {
    Workspace::open(WorkspaceOptions { snapshot_limits: limits, ..scratch.options() }).unwrap()
}

/// Text that does not fit into a record, however it is compressed.
fn too_much_for_a_record(seed: u64) -> String {
    let mut random = Random(seed);
    (0..20_000).map(|_| format!("{:x}", random.next())).collect()
}

#[test]
fn the_oldest_snapshots_go_when_there_are_too_many() {
    let scratch = Scratch::new();
    let workspace = open(&scratch, SnapshotLimits { max_bytes: 1 << 30, max_count: 3 });
    let mut ids = Vec::new();
    for round in 0..5_u64 {
        let changes = vec![rewrite(&workspace, "a.txt", &too_much_for_a_record(round + 1))];
        let applied = apply(&workspace, changes).unwrap();
        let index = ids.len();
        let evicted = if index < 3 { &[] } else { &ids[index - 3..index - 2] };
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
    let [ping, pong] = [1, 2].map(too_much_for_a_record);
    for round in 0..6 {
        let content = [&ping, &pong][round % 2];
        apply(&workspace, vec![rewrite(&workspace, "a.txt", content)]).unwrap();
    }
    assert_eq!(fs::read_dir(scratch.state.join("objects")).unwrap().count(), 2);
}

#[test]
fn few_bytes_and_many_are_taken_back_side_by_side() {
    let scratch = Scratch::new();
    let workspace = scratch.open();
    let much = [1, 2, 3].map(too_much_for_a_record);
    let state =
        |round: usize| [("few.txt", ["one", "two", "three"][round]), ("much.txt", &much[round])];
    let mut snapshots = Vec::new();
    for round in 0..3 {
        let files = state(round).map(|(path, text)| rewrite(&workspace, path, text));
        snapshots.push(apply(&workspace, files.into()).unwrap().snapshot);
    }
    for round in (0..2).rev() {
        undo(&workspace, &snapshots[round + 1]);
        for (path, text) in state(round) {
            assert_eq!(scratch.text(path), text);
        }
    }
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
    let [one, two] = [1, 2].map(too_much_for_a_record);
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
