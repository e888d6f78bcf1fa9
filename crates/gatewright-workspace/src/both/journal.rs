//! The journal: the record of what is under way, and what becomes of it.

use gatewright_model::RepoPath;

use super::directories::Directories;
use super::files::{self, Fault};
use super::state_io::StateFile;
use super::{Core, ring, rollback, state_io};
use crate::error::disk;
use crate::record::Record;
use crate::{RecoveryConflict, WriteError};

/// Writes the record of a transaction; says how many bytes it has. Not synced.
pub(super) fn write(core: &Core, record: &Record) -> Result<(StateFile, u64), WriteError> {
    let bytes = encode(record, "the journal record")?;
    let name = record.journal_name();
    let file = state_io::write_new(&core.state.journal, &name, &bytes)
        .map_err(disk("write", "the journal"))?;
    Ok((file, bytes.len() as u64))
}

/// The bytes of a record.
pub(super) fn encode(record: &Record, what: &str) -> Result<Vec<u8>, WriteError> {
    record.encode().map_err(disk("encode", what))
}

/// Takes a live transaction back; a text says what could not be.
pub(super) fn take_back(
    core: &Core,
    record: &Record,
    directories: &mut Directories,
    made: &[RepoPath],
) -> Result<(), String> {
    let conflicts = rollback::roll_back(core, record, directories, made)
        .map_err(|(path, fault)| format!("{path}: {fault}"))?;
    drop_record(core, record, &conflicts).map_err(|fault| format!("journal: {fault}"))?;
    if conflicts.is_empty() {
        return Ok(());
    }
    let words = |conflict: &RecoveryConflict| format!("{}: {}", conflict.path, conflict.detail);
    Err(conflicts.iter().map(words).collect::<Vec<_>>().join("; "))
}

/// Removes what a transaction that stands left beside its files, and turns its
/// journal record into a snapshot. What fails stays for recovery.
pub(super) fn finish(core: &Core, record: &Record, directories: &mut Directories) -> Vec<String> {
    let mut failures = Vec::new();
    for file in record.files.iter().filter(|file| !file.is_noop()) {
        let parent = file.directory();
        let removed = directories.open(&core.root, parent.as_ref()).and_then(|directory| {
            let Some(directory) = directory else { return Ok(()) };
            files::remove_if_there(directory, &file.part)?;
            files::remove_if_there(directory, &file.side)
        });
        failures.extend(removed.err().map(|fault| format!("{}: {fault}", file.resolved)));
    }
    let removed = rollback::remove_directories(core, directories, record.removes.iter());
    failures.extend(removed.err().map(|(path, fault)| format!("{path}: {fault}")));
    if failures.is_empty() {
        let name = record.journal_name();
        let snapshot = ring::record_name(&record.snapshot);
        let moved = state_io::move_to(&core.state.journal, &name, &core.state.snapshots, &snapshot);
        failures.extend(moved.err().map(|fault| format!("journal: {fault}")));
    }
    failures
}

/// Drops the journal record of what was taken back; one with conflicts is kept apart.
pub(super) fn drop_record(
    core: &Core,
    record: &Record,
    conflicts: &[RecoveryConflict],
) -> Result<(), Fault> {
    let name = record.journal_name();
    if conflicts.is_empty() {
        state_io::remove(&core.state.journal, &name)
    } else {
        state_io::move_to(&core.state.journal, &name, &core.state.conflicts, &name)
    }
}
