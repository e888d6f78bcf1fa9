//! What only this kernel gives: resolution beneath a descriptor, the exchange of
//! two files in one step, and a second wall around the applying thread.

use std::fs;

use gatewright_model::ResolutionFailure;
use gatewright_workspace::{Durability, LandlockStatus};

use crate::attacks::refused;
use crate::fixture::*;
use crate::generations::{files_of, lay_out, recover};
use crate::sweep::{has_strace, strace};

#[test]
fn without_openat2_everything_is_refused() {
    if !has_strace() {
        return;
    }
    for error in ["ENOSYS", "EPERM"] {
        let scratch = Scratch::in_memory();
        let base = scratch.base.path();
        lay_out(base);
        let before = scratch.tree();
        let text = format!("inject=openat2:error={error}");
        let status =
            strace(&["-o", "/dev/null", "-e", &text], &["apply", base.to_str().unwrap(), "1"]);
        assert_eq!(status.code(), Some(1), "{error}");
        assert_eq!(scratch.tree(), before);
        assert_eq!(recover(base, Durability::None), 0);
        assert_ne!(files_of(0), files_of(1));
    }
}

#[test]
fn a_mount_point_is_not_crossed() {
    let scratch = Scratch::new();
    fs::create_dir(scratch.root.join("mounted")).unwrap();
    fs::write(scratch.outside.join("victim.txt"), "victim").unwrap();
    let source = scratch.outside.to_str().unwrap();
    let Some(_mount) = Mount::try_new(&["--bind", source], &scratch.root.join("mounted")) else {
        return;
    };
    let workspace = scratch.open();
    for path in ["mounted/victim.txt", "mounted/new.txt", "mounted/deep/new.txt"] {
        assert_eq!(failure(&workspace, path), ResolutionFailure::CrossesMount, "{path}");
        refused(&scratch, &workspace, path);
    }
}

#[test]
fn the_applying_thread_says_whether_it_is_walled_in() {
    let scratch = Scratch::new();
    let workspace = scratch.open();
    match workspace.landlock_status() {
        LandlockStatus::Unavailable(reason) => println!("SKIPPED: no Landlock here: {reason}"),
        status => println!("{status:?}"),
    }
    // The calling thread is not: it writes where it likes.
    fs::write(scratch.outside.join("free.txt"), "x").unwrap();
}

#[test]
fn an_editor_that_saves_meanwhile_never_loses_its_save() {
    let scratch = Scratch::new();
    let file = scratch.put("a.txt", "the start");
    let draft = scratch.root.join("draft.txt");
    let workspace = scratch.open();
    let (mut won, mut lost) = (0_u64, 0_u64);
    // A thread for each save makes these slow, so there are fewer of them.
    for round in 0..cases(15_000) / 100 {
        let changes = vec![rewrite(&workspace, "a.txt", &format!("agent {round}"))];
        let approved = approved(&workspace, changes).unwrap();
        let save = format!("human {round}");
        let outcome = std::thread::scope(|scope| {
            let editor = scope.spawn(|| {
                std::thread::sleep(std::time::Duration::from_micros(round * 37 % 1500));
                fs::write(&draft, &save).unwrap();
                fs::rename(&draft, &file).unwrap();
            });
            let outcome = workspace.apply(approved, transaction(), |_| Ok::<_, String>(()));
            editor.join().unwrap();
            outcome
        });
        // Whoever came last, the save is there, or the apply saw it and stood back.
        assert_eq!(scratch.text("a.txt"), save, "{outcome:?}");
        match outcome {
            Ok(_) => won += 1,
            Err(_) => lost += 1,
        }
    }
    println!("{won} applies came before the save, {lost} after it and were refused");
    assert_eq!(scratch.leftovers(), Vec::<String>::new());
}
