//! What is kept of a session: logs and receipts, which others may read.

use std::fs;
use std::path::{Path, PathBuf};

use gatewright_testkit::Scratch;

use crate::canary::assert_silent;

/// Directories and files that hold the workspace's own bytes, out of everybody's reach.
const RAW: [&str; 5] = ["snapshot", "stage", "pack", "journal", "object"];

/// Fails when a record in the state directory shows a canary. Gives how many were read.
pub fn assert_silent_records(what: &str, scratch: &Scratch) -> usize {
    let state = scratch.state();
    let mut files = Vec::new();
    list(&state, &mut files);
    files.retain(|path| {
        let name = path.strip_prefix(&state).unwrap_or(path).to_string_lossy().into_owned();
        !RAW.iter().any(|raw| name.contains(raw))
    });
    for path in &files {
        let bytes = fs::read(path).unwrap_or_default();
        let name = path.strip_prefix(&state).unwrap_or(path).display();
        assert_silent(&format!("{what}: {name}"), &String::from_utf8_lossy(&bytes));
    }
    files.len()
}

fn list(directory: &Path, files: &mut Vec<PathBuf>) {
    for path in fs::read_dir(directory).into_iter().flatten().flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            list(&path, files);
        } else if path.is_file() {
            files.push(path);
        }
    }
}
