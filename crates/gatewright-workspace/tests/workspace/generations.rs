//! A small tree that goes from generation to generation by one multi-file apply.
//!
//! Shared by the crash tests and by the program that they kill.
#![allow(dead_code, reason = "the program uses one half of it, the tests the other")]

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::Path;

use gatewright_guards::{Facts, Policy, StructureScope, approve, judge};
use gatewright_model::{
    Autonomy, ChangeSet, FileChange, FileMode, FileState, Intent, Mode, RequestedPath,
};
use gatewright_workspace::{ApplyError, Durability, TransactionId, WorkspaceOptions, WriteError};

use crate::Workspace;

/// From this generation on, all bytes of a change fit into its record.
pub const SMALL: u64 = 1_000;

/// The files of a generation: some change, one comes, one goes, one gets another mode.
pub fn files_of(generation: u64) -> BTreeMap<String, (String, u32)> {
    let mut files = BTreeMap::new();
    for number in 0..4 {
        let content = match number {
            2 if generation < SMALL => too_much_for_a_record(generation),
            _ => format!("file {number} of generation {generation}\n").repeat(50),
        };
        files.insert(format!("src/keep{number}.txt"), (content, 0o644));
    }
    let mode = if generation.is_multiple_of(2) { 0o644 } else { 0o755 };
    files.insert("tool.txt".to_owned(), ("the same bytes\n".to_owned(), mode));
    match generation % 2 {
        0 => files.insert("even.txt".to_owned(), ("even\n".to_owned(), 0o644)),
        _ => files.insert("odd/deep/odd.txt".to_owned(), ("odd\n".to_owned(), 0o644)),
    };
    files
}

/// Text whose bytes are kept in a file of their own; what comes after it is kept so too.
fn too_much_for_a_record(generation: u64) -> String {
    let mut value = generation + 1;
    let mut next = || {
        value =
            value.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        value >> 32
    };
    (0..40_000).map(|_| format!("{:08x}", next())).collect()
}

/// Lays out generation 0 by plain writes.
pub fn lay_out(base: &Path) {
    lay_out_generation(base, 0);
}

/// Lays out a generation by plain writes.
pub fn lay_out_generation(base: &Path, generation: u64) {
    use std::os::unix::fs::PermissionsExt;
    fs::create_dir_all(base.join("markers")).unwrap();
    for (name, (content, mode)) in files_of(generation) {
        let path = base.join("root").join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, content).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
    }
}

fn open(base: &Path, durability: Durability) -> Option<Workspace> {
    let options = WorkspaceOptions {
        durability,
        ..WorkspaceOptions::new(base.join("root"), base.join("state"))
    };
    Workspace::open(options).ok()
}

/// Applies a generation; the exit code says how it ended.
pub fn apply(base: &Path, generation: u64) -> u8 {
    let Some(workspace) = open(base, Durability::Full) else { return 1 };
    let changes = changes_to(&workspace, generation);
    let paths = changes.iter().map(|change| workspace.facts(&change.requested)).collect();
    let facts = Facts { paths, structure: StructureScope::Reviewed, references: Vec::new() };
    let policy = Policy::builtin();
    let judged = judge(ChangeSet::new(changes), facts, &policy);
    let autonomy = Autonomy { mode: Mode::Autonomous, suggest_only: false };
    let Ok(approved) = approve(judged, autonomy) else { return 1 };
    let transaction = TransactionId::new(format!("g{generation}"));
    let outcome = workspace.apply(approved, transaction, |_| mark(base, generation));
    match outcome {
        Ok(applied) if applied.cleanup_failures.is_empty() => 0,
        Ok(_) | Err(ApplyError::CommitNotRolledBack { .. }) => 3,
        Err(ApplyError::Write(WriteError::NotRolledBack { .. })) => 3,
        Err(_) => 1,
    }
}

fn changes_to(workspace: &Workspace, generation: u64) -> Vec<FileChange> {
    let (old, new) = (files_of(generation - 1), files_of(generation));
    let mut names: Vec<&String> = old.keys().chain(new.keys()).collect();
    names.sort();
    names.dedup();
    let change = |name: &&String| {
        let requested = RequestedPath::new(name.as_str());
        let before = workspace.read(&requested, 1 << 20).unwrap_or_default();
        let after = new
            .get(*name)
            .map(|(content, mode)| FileState::new(content.as_bytes(), FileMode::from_bits(*mode)));
        FileChange { requested, before, after, renamed_from: None, intent: Intent::Patch }
    };
    names.iter().map(change).collect()
}

/// The receipt: it is there wholly or not at all.
fn mark(base: &Path, generation: u64) -> std::io::Result<()> {
    let draft = base.join("draft");
    let mut file = fs::File::create(&draft)?;
    file.write_all(b"committed")?;
    file.sync_all()?;
    fs::rename(draft, base.join(format!("markers/g{generation}")))
}

/// Whether the receipt of a generation is there.
pub fn is_marked(base: &Path, generation: u64) -> bool {
    base.join(format!("markers/g{generation}")).exists()
}

/// Recovers, asking the markers; the exit code says how it ended.
pub fn recover(base: &Path, durability: Durability) -> u8 {
    let Some(workspace) = open(base, durability) else { return 1 };
    let report = workspace
        .recover(|transaction| Ok(base.join("markers").join(transaction.as_str()).exists()));
    match report {
        Ok(report) if report.conflicts.is_empty() => 0,
        Ok(report) => {
            eprintln!("{report:?}");
            2
        }
        Err(error) => {
            eprintln!("{error}");
            1
        }
    }
}
