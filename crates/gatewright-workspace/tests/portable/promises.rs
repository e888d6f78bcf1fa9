//! Where the promises differ from those of Linux, said and tested.

use std::fs;

use gatewright_model::ResolutionFailure;
use gatewright_workspace::{Durability, LandlockStatus, WriteError};

use crate::attacks::refused;
use crate::fixture::*;
use crate::generations::{lay_out, recover};
use crate::sweep::{has_strace, strace};

#[test]
fn there_is_no_second_wall_and_it_says_so() {
    let scratch = Scratch::new();
    let workspace = scratch.open();
    assert!(matches!(workspace.landlock_status(), LandlockStatus::Unavailable(_)));
}

#[test]
fn another_volume_is_not_entered() {
    let scratch = Scratch::new();
    let mounted = scratch.root.join("mounted");
    fs::create_dir(&mounted).unwrap();
    let Some(_mount) = Mount::try_new(&["-t", "tmpfs", "none"], &mounted) else { return };
    fs::write(mounted.join("victim.txt"), "victim").unwrap();
    let workspace = scratch.open();
    for path in ["mounted/victim.txt", "mounted/new.txt", "mounted/deep/new.txt"] {
        assert_eq!(failure(&workspace, path), ResolutionFailure::CrossesMount, "{path}");
        refused(&scratch, &workspace, path);
    }
}

/// Weaker than on Linux: a mount of the same volume looks like any directory.
#[test]
fn a_second_mount_of_the_same_volume_is_not_noticed() {
    let scratch = Scratch::new();
    fs::create_dir(scratch.root.join("mounted")).unwrap();
    fs::create_dir(scratch.root.join("real")).unwrap();
    let source = scratch.root.join("real");
    let arguments = ["--bind", source.to_str().unwrap()];
    let Some(_mount) = Mount::try_new(&arguments, &scratch.root.join("mounted")) else { return };
    let workspace = scratch.open();
    assert_eq!(target(&workspace, "mounted/new.txt").resolved.as_str(), "mounted/new.txt");
}

#[test]
fn resolution_does_not_depend_on_the_kernel() {
    if !has_strace() {
        return;
    }
    for error in ["ENOSYS", "EPERM"] {
        let scratch = Scratch::in_memory();
        let base = scratch.base.path();
        lay_out(base);
        let text = format!("inject=openat2:error={error}");
        let arguments = ["apply", base.to_str().unwrap(), "1"];
        let status = strace(&["-o", "/dev/null", "-e", &text], &arguments);
        assert_eq!(status.code(), Some(0), "{error}");
        assert_eq!(crate::crash::files(base), crate::generations::files_of(1), "{error}");
        assert_eq!(recover(base, Durability::None), 0);
    }
}

/// Weaker than on Linux: this holds for a save into the file, not for one that
/// renames a new file into place within the last microseconds.
#[test]
fn a_save_into_the_file_that_comes_first_stands() {
    let scratch = Scratch::new();
    let file = scratch.put("a.txt", "the start");
    let workspace = scratch.open();
    let (mut won, mut lost) = (0_u64, 0_u64);
    for round in 0..cases(15_000) / 100 {
        let changes = vec![rewrite(&workspace, "a.txt", &format!("agent {round}"))];
        let approved = approved(&workspace, changes).unwrap();
        let save = format!("human {round}");
        let outcome = std::thread::scope(|scope| {
            let editor = scope.spawn(|| {
                std::thread::sleep(std::time::Duration::from_micros(round * 37 % 1500));
                fs::write(&file, &save).unwrap();
            });
            let outcome = workspace.apply(approved, transaction(), |_| Ok::<_, String>(()));
            editor.join().unwrap();
            outcome
        });
        match outcome {
            // The save came later. One that had the old file open since before and
            // writes only after the last check is gone, as it is on Linux.
            Ok(_) => won += 1,
            Err(_) => {
                assert_eq!(scratch.text("a.txt"), save);
                lost += 1;
            }
        }
        fs::write(&file, "next").unwrap();
    }
    println!("{won} applies came before the save, {lost} after it and were refused");
    assert_eq!(scratch.leftovers(), Vec::<String>::new());
}

#[test]
fn a_volume_without_second_names_is_written_too() {
    if !has_strace() {
        return;
    }
    let scratch = Scratch::in_memory();
    let base = scratch.base.path();
    lay_out(base);
    let before = scratch.tree();
    let unsupported = ["-o", "/dev/null", "-e", "inject=linkat:error=EOPNOTSUPP"];
    let apply = ["apply", base.to_str().unwrap(), "1"];
    // A crash midway is taken back from the saved bytes alone.
    let mut crash = unsupported.to_vec();
    let kill = format!("inject={}:signal=SIGKILL:when={}", crate::MIDWAY.0, crate::MIDWAY.1);
    crash.extend(["-e", &kill]);
    assert_eq!(strace(&crash, &apply).code(), None);
    assert_ne!(scratch.tree(), before);
    assert!(!crate::crash::settle(base, &before, 1));
    assert_eq!(strace(&unsupported, &apply).code(), Some(0));
    assert!(crate::crash::settle(base, &before, 1));
}

#[test]
fn an_exclusive_creation_overwrites_nothing_that_appeared() {
    let scratch = Scratch::new();
    let workspace = scratch.open();
    let changes = vec![change(&workspace, "new.txt", Some(state("agent")))];
    let held = approved(&workspace, changes).unwrap();
    scratch.put("new.txt", "human");
    let outcome = workspace.apply(held, transaction(), |_| Ok::<_, String>(()));
    let error = write_error(outcome);
    assert!(matches!(error, WriteError::StaleBase { expected: None, .. }), "{error:?}");
    assert_eq!(scratch.text("new.txt"), "human");
}
