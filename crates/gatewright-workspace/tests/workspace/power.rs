//! A power failure after the commit, before the names were on disk: they come back.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use gatewright_model::Digest;
use gatewright_workspace::{Durability, RecoveryReport, WorkspaceOptions};

use crate::Workspace;
use crate::fixture::*;

fn open(scratch: &Scratch) -> Workspace {
    let options = WorkspaceOptions { durability: Durability::Full, ..scratch.options() };
    Workspace::open(options).unwrap()
}

/// What a power failure leaves: the old tree, and the record of a change that was committed.
struct Failed {
    scratch: Scratch,
    new: std::collections::BTreeMap<String, Entry>,
}

const CHANGES: [(&str, Option<&str>); 4] = [
    ("a.txt", Some("agent")),
    ("gone.txt", None),
    ("made/deep/new.txt", Some("new")),
    ("src/b.txt", Some("agent too")),
];

fn failed(changes: &[(&str, Option<&str>)]) -> Failed {
    let scratch = Scratch::in_memory();
    scratch.put("gone.txt", "old");
    scratch.put("src/b.txt", "old");
    let script = scratch.put("a.txt", "old");
    fs::set_permissions(script, fs::Permissions::from_mode(0o750)).unwrap();
    let workspace = open(&scratch);
    let changes =
        changes.iter().map(|(path, after)| change(&workspace, path, after.map(state))).collect();
    let approved = approved(&workspace, changes).unwrap();
    let kept = scratch.base.path().join("kept");
    let mut new = None;
    let outcome = workspace.apply(approved, transaction(), |_| {
        let journal = scratch.state.join("journal");
        assert!(run("cp", &["-a", journal.to_str().unwrap(), kept.to_str().unwrap()]));
        new = Some(scratch.tree());
        Err("the power fails")
    });
    assert!(outcome.is_err());
    drop(workspace);
    fs::remove_dir_all(scratch.state.join("journal")).unwrap();
    fs::rename(kept, scratch.state.join("journal")).unwrap();
    let mut new = new.unwrap();
    new.retain(|name, _| !name.contains(".gatewright-"));
    Failed { scratch, new }
}

impl Failed {
    /// The journal's record, as one of another start of the machine.
    fn restart(&self) {
        let path = self.scratch.state.join("journal").join(self.scratch.journal().remove(0));
        let text = fs::read_to_string(&path).unwrap();
        let body = text.lines().next().unwrap();
        let now = fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap();
        let body = body.replace(now.trim(), "another start of the machine");
        let seal = Digest::of(body.as_bytes());
        fs::write(&path, format!("{body}\n{seal}\n")).unwrap();
    }

    fn recover(&self) -> RecoveryReport {
        open(&self.scratch).recover(|_| Ok(true)).unwrap()
    }
}

#[test]
fn names_that_were_lost_with_the_power_are_put_in_place_again() {
    let failed = failed(&CHANGES);
    failed.restart();
    let report = failed.recover();
    assert_eq!(report.conflicts, Vec::new());
    assert_eq!(report.finished.len(), 1);
    assert_eq!(failed.scratch.tree(), failed.new);
    assert_eq!(failed.scratch.journal(), Vec::<String>::new());
    assert_eq!(failed.recover(), RecoveryReport::default());
}

#[test]
fn names_of_which_some_were_lost_are_put_in_place_again() {
    let failed = failed(&CHANGES);
    failed.restart();
    failed.scratch.put("src/b.txt", "agent too");
    fs::create_dir(failed.scratch.root.join("made")).unwrap();
    fs::remove_file(failed.scratch.root.join("gone.txt")).unwrap();
    assert_eq!(failed.recover().conflicts, Vec::new());
    assert_eq!(failed.scratch.tree(), failed.new);
}

#[test]
fn a_change_that_a_person_took_back_before_the_machine_stopped_stays_taken_back() {
    let failed = failed(&CHANGES);
    let old = failed.scratch.tree();
    assert_eq!(failed.recover().finished.len(), 1);
    assert_eq!(failed.scratch.tree(), old, "the same start of the machine has lost no name");
}

#[test]
fn what_changed_after_the_power_came_back_is_left() {
    let failed = failed(&CHANGES);
    failed.restart();
    failed.scratch.put("a.txt", "human");
    failed.scratch.put("gone.txt", "human too");
    let report = failed.recover();
    let paths: Vec<_> = report.conflicts.iter().map(|c| c.path.as_str()).collect();
    assert_eq!(paths, ["gone.txt"]);
    assert_eq!(failed.scratch.text("a.txt"), "human");
    assert_eq!(failed.scratch.text("gone.txt"), "human too");
    assert_eq!(failed.scratch.text("made/deep/new.txt"), "new");
}

#[test]
fn an_older_change_is_not_made_again_over_a_newer_one() {
    let failed = failed(&CHANGES);
    failed.restart();
    let old = failed.scratch.tree();
    // The record of a later change is on disk, wherever the older one's is.
    let name = failed.scratch.journal().remove(0);
    let record = fs::read(failed.scratch.state.join("journal").join(name)).unwrap();
    let later = failed.scratch.state.join("snapshots/s000000000007-00000000.json");
    fs::write(later, record).unwrap();
    assert_eq!(failed.recover().finished.len(), 1);
    assert_eq!(failed.scratch.tree(), old);
}

#[test]
fn a_change_that_its_record_does_not_hold_is_on_disk_before_its_commit() {
    let mut value = 1_u64;
    let mut noise = || {
        value = value.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        format!("{value:016x}")
    };
    let large: String = (0..20_000).map(|_| noise()).collect();
    let failed = failed(&[("a.txt", Some(&large))]);
    let name = failed.scratch.journal().remove(0);
    let text = fs::read_to_string(failed.scratch.state.join("journal").join(name)).unwrap();
    assert!(!text.contains("\"boot\""), "nothing of it could be made again");
}

#[test]
fn new_bytes_that_are_mostly_old_ones_are_made_again_from_both() {
    let failed = failed(&[("a.txt", Some("old and more"))]);
    let name = failed.scratch.journal().remove(0);
    let text = fs::read_to_string(failed.scratch.state.join("journal").join(name)).unwrap();
    assert!(text.contains("\"spliced\""), "the new bytes are told by the old ones");
    failed.restart();
    assert_eq!(failed.recover().conflicts, Vec::new());
    assert_eq!(failed.scratch.tree(), failed.new);
}
