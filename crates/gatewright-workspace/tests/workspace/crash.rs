//! A multi-file apply killed at random moments: old or new, never anything between.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use gatewright_workspace::Durability;

use crate::fixture::*;
use crate::generations::{files_of, is_marked, lay_out, recover};

/// The program that is killed; `cargo test` builds examples before it runs tests.
pub fn program() -> PathBuf {
    let mut path = std::env::current_exe().unwrap();
    path.pop();
    path.pop();
    path.push("examples");
    path.push(crate::PROGRAM);
    assert!(path.exists(), "build it first: cargo build -p gatewright-workspace --examples");
    path
}

/// The regular files of a tree, with their bytes and modes.
pub fn files(base: &Path) -> BTreeMap<String, (String, u32)> {
    let entries = tree(&base.join("root")).into_iter();
    let files = entries.filter_map(|(name, entry)| match entry {
        Entry::File { mode, content } => Some((name, (String::from_utf8(content).unwrap(), mode))),
        _ => None,
    });
    files.collect()
}

/// Recovers after a crash of `generation`; the tree must be the old or the new
/// one, as the marker says. Says which.
pub fn settle(base: &Path, before: &BTreeMap<String, Entry>, generation: u64) -> bool {
    assert_eq!(recover(base, Durability::None), 0, "recovery found a conflict or failed");
    let committed = is_marked(base, generation);
    if committed {
        assert_eq!(files(base), files_of(generation), "a receipt without its write");
    } else {
        assert_eq!(&tree(&base.join("root")), before, "a write without its receipt");
    }
    assert!(!files(base).keys().any(|name| name.contains(".gatewright-")));
    let journal = std::fs::read_dir(base.join("state/journal")).unwrap().count();
    assert_eq!(journal, 0, "the journal is not empty after recovery");
    committed
}

/// Microseconds from start to end, so that kills fall on every part of a run.
fn time_of_a_whole_run() -> u64 {
    let scratch = Scratch::new();
    lay_out(scratch.base.path());
    let start = std::time::Instant::now();
    let arguments = ["apply", scratch.base.path().to_str().unwrap(), "1"];
    assert!(run(program().to_str().unwrap(), &arguments));
    u64::try_from(start.elapsed().as_micros()).unwrap().max(1_000)
}

#[test]
fn a_kill_at_any_moment_leaves_the_old_or_the_new() {
    let scratch = Scratch::new();
    let base = scratch.base.path();
    lay_out(base);
    let mut random = Random(seed());
    let whole_run = time_of_a_whole_run();
    let mut generation = 1;
    let (mut old, mut new) = (0, 0);
    for _ in 0..cases(20) {
        let before = scratch.tree();
        let mut child = Command::new(program())
            .args(["apply", base.to_str().unwrap(), &generation.to_string()])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_micros(random.below(whole_run * 3 / 2)));
        let _ = child.kill();
        child.wait().unwrap();
        if settle(base, &before, generation) {
            new += 1;
            generation += 1;
        } else {
            old += 1;
        }
    }
    println!("{old} kills left the old tree, {new} the new one; 0 anything else");
}
