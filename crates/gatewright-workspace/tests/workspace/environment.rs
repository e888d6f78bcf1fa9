//! Disks that are full, read-only or forbidden, and more than one writer.

use std::fs;
use std::time::Duration;

use gatewright_workspace::{LockError, WorkspaceOptions, WriteError};

use crate::Workspace;
use crate::fixture::*;

#[test]
fn a_full_disk_is_said_plainly_and_loses_nothing() {
    let base = tempfile::tempdir().unwrap();
    let options = ["-t", "tmpfs", "-o", "size=256k", "none"];
    let Some(_mount) = Mount::try_new(&options, base.path()) else { return };
    let disk = Scratch::within(base.path());
    let state = tempfile::tempdir().unwrap();
    disk.put("a.txt", "old");
    let options = WorkspaceOptions { state_dir: state.path().to_owned(), ..disk.options() };
    let workspace = Workspace::open(options).unwrap();
    let before = disk.tree();
    let big = "x".repeat(200_000);
    let changes = vec![
        rewrite(&workspace, "a.txt", &big),
        change(&workspace, "new/b.txt", Some(crate::fixture::state(&big))),
    ];
    let error = write_error(apply(&workspace, changes));
    assert!(error.to_string().contains("the disk is full"), "{error}");
    assert_eq!(disk.tree(), before);
    apply(&workspace, vec![rewrite(&workspace, "a.txt", "small")]).unwrap();
}

#[test]
fn a_full_state_disk_writes_nothing() {
    let base = tempfile::tempdir().unwrap();
    let options = ["-t", "tmpfs", "-o", "size=64k", "none"];
    let Some(_mount) = Mount::try_new(&options, base.path()) else { return };
    let scratch = Scratch::new();
    scratch.put("a.txt", "old");
    let state_dir = base.path().join("state");
    let workspace = Workspace::open(WorkspaceOptions { state_dir, ..scratch.options() }).unwrap();
    let mut random = Random(seed());
    let noise: String = (0..20_000).map(|_| format!("{:x}", random.next())).collect();
    let before = scratch.tree();
    let error = write_error(apply(&workspace, vec![rewrite(&workspace, "a.txt", &noise)]));
    assert!(error.to_string().contains("the disk is full"), "{error}");
    assert_eq!(scratch.tree(), before);
    apply(&workspace, vec![rewrite(&workspace, "a.txt", "small")]).unwrap();
}

#[test]
fn a_read_only_file_system_is_said_plainly() {
    let base = tempfile::tempdir().unwrap();
    let Some(_mount) = Mount::try_new(&["-t", "tmpfs", "none"], base.path()) else { return };
    let disk = Scratch::within(base.path());
    disk.put("a.txt", "old");
    let state = tempfile::tempdir().unwrap();
    let options = WorkspaceOptions { state_dir: state.path().to_owned(), ..disk.options() };
    let workspace = Workspace::open(options).unwrap();
    assert!(run("mount", &["-o", "remount,ro", base.path().to_str().unwrap()]));
    let error = write_error(apply(&workspace, vec![rewrite(&workspace, "a.txt", "new")]));
    assert!(error.to_string().contains("the file system is read-only"), "{error}");
    assert_eq!(disk.text("a.txt"), "old");
    assert_eq!(fs::read_dir(state.path().join("journal")).unwrap().count(), 0);
}

#[test]
fn a_second_writer_waits_or_says_who_writes() {
    let scratch = Scratch::new();
    scratch.put("a.txt", "one");
    let first = scratch.open();
    let options = WorkspaceOptions { lock_timeout: Duration::from_millis(50), ..scratch.options() };
    let impatient = Workspace::open(options).unwrap();
    let patient = scratch.open();
    let held = approved(&first, vec![rewrite(&first, "a.txt", "two")]).unwrap();
    let late = approved(&patient, vec![change(&patient, "b.txt", Some(state("late")))]).unwrap();
    std::thread::scope(|scope| {
        let outcome = first.apply(held, transaction(), |_| {
            let changes = vec![change(&impatient, "c.txt", Some(state("never")))];
            match write_error(apply(&impatient, changes)) {
                WriteError::Locked(LockError::Busy { holder, .. }) => {
                    assert_eq!(holder, Some(std::process::id()));
                }
                other => panic!("{other:?}"),
            }
            scope.spawn(|| patient.apply(late, transaction(), |_| Ok::<_, String>(())).unwrap());
            Ok::<_, String>(())
        });
        outcome.unwrap();
    });
    assert_eq!(scratch.text("a.txt"), "two");
    assert_eq!(scratch.text("b.txt"), "late");
    assert!(!scratch.root.join("c.txt").exists());
}

#[test]
fn many_writers_of_one_file_lose_no_update() {
    let scratch = Scratch::new();
    scratch.put("n.txt", "0");
    let rounds = cases(25);
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                let workspace = scratch.open();
                let mut done = 0;
                while done < rounds {
                    let now: u64 = match workspace.read(&requested("n.txt"), 100) {
                        Ok(Some(state)) => {
                            String::from_utf8(state.content.to_vec()).unwrap().parse().unwrap()
                        }
                        other => panic!("{other:?}"),
                    };
                    let before = Some(state(&now.to_string()));
                    let after = Some(state(&(now + 1).to_string()));
                    let changes = vec![change_from("n.txt", before, after)];
                    let Some(approved) = approved(&workspace, changes) else { continue };
                    let outcome = workspace.apply(approved, transaction(), |_| Ok::<_, String>(()));
                    match outcome {
                        Ok(_) => done += 1,
                        other => {
                            let error = write_error(other);
                            let is_stale = matches!(error, WriteError::StaleBase { .. });
                            assert!(is_stale, "{error:?}");
                        }
                    }
                }
            });
        }
    });
    assert_eq!(scratch.text("n.txt"), (3 * rounds).to_string());
}

#[test]
fn a_missing_root_is_said_plainly() {
    let options = WorkspaceOptions::new("/no/such/root", std::env::temp_dir().join("unused"));
    let error = Workspace::open(options).unwrap_err().to_string();
    assert!(error.contains("/no/such/root"), "{error}");
}
