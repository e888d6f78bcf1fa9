//! Another thread swaps names while the workspace writes: nothing lands outside.
//!
//! `GATEWRIGHT_CASES` is the number of writes over all five shapes together.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use rustix::fs::{CWD, RenameFlags, renameat_with};

use crate::Workspace;
use crate::fixture::*;

fn exchange(one: &Path, other: &Path) {
    let _ = renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE);
}

/// Runs `swap` on another thread while `path` is written over and over.
fn race(scratch: &Scratch, shape: &str, path: &str, swap: impl Fn() + Send + Sync) {
    let workspace = scratch.open();
    let outside = scratch.outside_tree();
    let done = AtomicBool::new(false);
    let swaps = AtomicU64::new(0);
    let (mut written, mut refused) = (0_u64, 0_u64);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                swap();
                swaps.fetch_add(1, Ordering::Relaxed);
            }
        });
        for round in 0..cases(1_500) / 5 {
            match write_once(&workspace, path, round) {
                true => written += 1,
                false => refused += 1,
            }
        }
        done.store(true, Ordering::Relaxed);
    });
    let swaps = swaps.into_inner();
    println!("{shape}: {written} written, {refused} refused, {swaps} swaps, 0 bytes outside");
    assert_eq!(scratch.outside_tree(), outside, "{shape}: something lies outside");
    let recovered = workspace.recover(|_| Ok(false)).unwrap();
    assert!(recovered.rolled_back.is_empty(), "{shape}: {recovered:?}");
    assert_eq!(scratch.leftovers(), Vec::<String>::new(), "{shape}");
}

fn write_once(workspace: &Workspace, path: &str, round: u64) -> bool {
    let changes = vec![rewrite(workspace, path, &format!("evil {round}"))];
    let Some(approved) = approved(workspace, changes) else { return false };
    workspace.apply(approved, transaction(), |_| Ok::<_, String>(())).is_ok()
}

#[test]
fn a_parent_swapped_with_a_link_that_leads_out() {
    let scratch = Scratch::new();
    scratch.put("dir/a.txt", "inside");
    fs::write(scratch.outside.join("a.txt"), "victim").unwrap();
    symlink("../outside", scratch.root.join("trap")).unwrap();
    let (dir, trap) = (scratch.root.join("dir"), scratch.root.join("trap"));
    race(&scratch, "parent and outside link", "dir/a.txt", || exchange(&dir, &trap));
}

#[test]
fn a_file_swapped_with_a_link_that_leads_out() {
    let scratch = Scratch::new();
    let file = scratch.put("a.txt", "inside");
    fs::write(scratch.outside.join("victim.txt"), "victim").unwrap();
    let trap = scratch.root.join("trap.txt");
    symlink("../outside/victim.txt", &trap).unwrap();
    race(&scratch, "file and outside link", "a.txt", || exchange(&file, &trap));
}

#[test]
fn an_inside_link_swapped_with_one_that_leads_out() {
    let scratch = Scratch::new();
    scratch.put("real/a.txt", "inside");
    fs::write(scratch.outside.join("a.txt"), "victim").unwrap();
    let (good, trap) = (scratch.root.join("good"), scratch.root.join("trap"));
    symlink("real", &good).unwrap();
    symlink("../outside", &trap).unwrap();
    race(&scratch, "inside link and outside link", "good/a.txt", || exchange(&good, &trap));
}

#[test]
fn a_deep_parent_swapped_while_directories_are_made() {
    let scratch = Scratch::new();
    fs::create_dir_all(scratch.root.join("p/q")).unwrap();
    fs::create_dir_all(scratch.outside.join("q")).unwrap();
    let (parent, trap) = (scratch.root.join("p"), scratch.root.join("trap"));
    symlink("../outside", &trap).unwrap();
    race(&scratch, "deep parent and outside link", "p/q/r/s/new.txt", || {
        exchange(&parent, &trap);
    });
}

#[test]
fn two_inside_directories_swapped_never_mix_their_files() {
    let scratch = Scratch::new();
    scratch.put("one/a.txt", "one");
    scratch.put("two/a.txt", "two");
    let (one, two) = (scratch.root.join("one"), scratch.root.join("two"));
    race(&scratch, "two inside directories", "one/a.txt", || exchange(&one, &two));
}
