//! Puts names in place again that were lost with the power after their change was committed.
//!
//! A change whose record holds all new bytes is committed while its directories are still
//! being synced. If the machine stops in between, the receipt may be there and the names
//! not: then the record, turned around, is taken back.

use gatewright_model::RepoPath;
use rustix::io::Errno;

use super::Core;
use super::directories::Directories;
use super::{kernel, rollback};
use crate::RecoveryConflict;
use crate::record::{Record, RecordFile, RecordState};

/// Sees to it that the names of a committed change are on disk; says what is in the way.
pub(super) fn make_durable(
    core: &Core,
    record: &Record,
    newest: u64,
) -> Result<Vec<RecoveryConflict>, (RepoPath, Errno)> {
    if record.boot.is_none() {
        return Ok(Vec::new());
    }
    let conflicts = if is_needed(core, record, newest) { redo(core, record)? } else { Vec::new() };
    sync_directories(core, record)?;
    Ok(conflicts)
}

/// Whether the names of a committed change may have been lost.
///
/// Only those of the last change can be: the next one begins when they are on disk.
fn is_needed(core: &Core, record: &Record, newest: u64) -> bool {
    let is_newest = record.snapshot.sequence() >= newest;
    is_newest && record.boot.is_some() && record.boot != core.boot
}

/// Writes again what stands as it was before the change; what changed since is left.
fn redo(core: &Core, record: &Record) -> Result<Vec<RecoveryConflict>, (RepoPath, Errno)> {
    let mut directories = Directories::default();
    for path in &record.makes {
        let made = match directories.open(&core.root, path.parent().as_ref()) {
            Ok(Some(_)) => directories.make(path, &mut Vec::new()),
            Ok(None) => Ok(()),
            Err(errno) => Err(errno),
        };
        made.map_err(|errno| (path.clone(), errno))?;
    }
    let turned_around = turned_around(record);
    let mut conflicts = rollback::roll_back(core, &turned_around, &mut directories, &[])?;
    for conflict in &mut conflicts {
        conflict.detail = "the power failed before it was on disk, and it changed since".to_owned();
    }
    Ok(conflicts)
}

fn turned_around(record: &Record) -> Record {
    let files = record.files.iter().map(|file| RecordFile {
        before: file.after.as_ref().map(|after| with_attributes(after, file.before.as_ref())),
        after: file.before.clone(),
        ..file.clone()
    });
    Record { files: files.collect(), ..record.clone() }
}

/// The attributes of a replaced file are recorded once, with the old one.
fn with_attributes(after: &RecordState, before: Option<&RecordState>) -> RecordState {
    let inherited = || {
        let before = before?;
        let attributes = before.attributes.clone()?;
        Some(attributes.for_bytes(before.digest == after.digest))
    };
    RecordState { attributes: after.attributes.clone().or_else(inherited), ..after.clone() }
}

/// What was cut short may not have synced them.
fn sync_directories(core: &Core, record: &Record) -> Result<(), (RepoPath, Errno)> {
    let mut directories = Directories::default();
    for file in &record.files {
        let parent = file.directory();
        let directory = directories.open(&core.root, parent.as_ref());
        let synced = directory.and_then(|directory| match directory {
            Some(directory) => kernel::sync_directory(directory),
            None => Ok(()),
        });
        synced.map_err(|errno| (file.resolved.clone(), errno))?;
    }
    Ok(())
}
