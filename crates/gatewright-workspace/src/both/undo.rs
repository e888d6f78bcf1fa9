//! Turns a snapshot back into a change set, which is judged like any other.
//!
//! Linux and the other systems each build it over their own way to the files.

use gatewright_model::{ChangeSet, FileChange, FileState, Intent, RepoPath, RequestedPath};

use super::plan::Extras;
use super::ring::{self, Ring};
use super::{Core, read, saved, state_io};
use crate::record::{Record, RecordFile, RecordState};
use crate::{ReadError, SnapshotId, UndoConflict, UndoError, UndoPlan};

/// The plan that takes back the transaction of `id`.
pub(super) fn plan(core: &Core, id: &SnapshotId) -> Result<UndoPlan, UndoError> {
    let record = load_record(core, id)?;
    let mut changes = Vec::new();
    let mut conflicts = Vec::new();
    for file in record.files.iter().filter(|file| !file.is_noop()) {
        let requested = RequestedPath::new(file.resolved.as_str());
        let now = present_state(core, &requested)?;
        let restores = saved_state(core, id, (&file.before, &file.after))?;
        if is_as_left(file, now.as_ref()) {
            changes.push(FileChange {
                requested,
                before: now.flatten(),
                after: restores,
                renamed_from: None,
                intent: Intent::Undo,
            });
        } else {
            conflicts.push(UndoConflict {
                path: file.resolved.clone(),
                left_by_apply: saved_state(core, id, (&file.after, &file.before)).ok().flatten(),
                now: now.flatten(),
                restores,
            });
        }
    }
    Ok(UndoPlan {
        change_set: ChangeSet::new(changes),
        conflicts,
        made_directories: made_directories(&record),
        transaction: record.transaction,
    })
}

/// What an undo of `id` needs besides its change set.
pub(super) fn extras(core: &Core, id: &SnapshotId) -> Result<Extras, UndoError> {
    let record = load_record(core, id)?;
    let attributes = record.files.iter().filter_map(|file| {
        let before = file.before.as_ref().filter(|_| file.after.is_none())?;
        Some((file.resolved.clone(), before.attributes.clone()?))
    });
    Ok(Extras { attributes: attributes.collect(), removes: made_directories(&record) })
}

fn made_directories(record: &Record) -> Vec<RepoPath> {
    record.makes.iter().rev().cloned().collect()
}

fn load_record(core: &Core, id: &SnapshotId) -> Result<Record, UndoError> {
    let damaged = |reason: String| UndoError::Damaged { id: id.clone(), reason };
    let bytes = ring::record(&core.state, id).map_err(|error| damaged(error.to_string()))?;
    let Some(bytes) = bytes else {
        let ring = Ring::load(&core.state).map_err(|error| damaged(error.to_string()))?;
        return Err(match ring.has_passed(id) && !is_in_journal(core, id) {
            true => UndoError::Evicted(id.clone()),
            false => UndoError::Unknown(id.clone()),
        });
    };
    Record::decode(&bytes).ok_or_else(|| damaged("its record is not whole".to_owned()))
}

/// A committed transaction whose tidying failed waits for recovery in the journal.
fn is_in_journal(core: &Core, id: &SnapshotId) -> bool {
    let names = state_io::names(&core.state.journal).unwrap_or_default();
    names.iter().any(|name| {
        let bytes = state_io::read(&core.state.journal, name).ok().flatten();
        bytes.and_then(|bytes| Record::decode(&bytes)).is_some_and(|record| record.snapshot == *id)
    })
}

/// The outer `None` is something that is not a regular file.
fn present_state(
    core: &Core,
    requested: &RequestedPath,
) -> Result<Option<Option<FileState>>, UndoError> {
    match read::read(core, requested, u64::MAX >> 1) {
        Ok(state) => Ok(Some(state)),
        Err(ReadError::NotAFile { .. } | ReadError::Path { .. }) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

fn is_as_left(file: &RecordFile, now: Option<&Option<FileState>>) -> bool {
    match (now, &file.after) {
        (Some(None), None) => true,
        (Some(Some(now)), Some(after)) => after.is(Some((now.digest(), now.mode.bits()))),
        _ => false,
    }
}

/// One state of a file, told the other.
fn saved_state(
    core: &Core,
    id: &SnapshotId,
    (state, other): (&Option<RecordState>, &Option<RecordState>),
) -> Result<Option<FileState>, UndoError> {
    let Some(state) = state else { return Ok(None) };
    let damaged = |reason: String| UndoError::Damaged { id: id.clone(), reason };
    let bytes = saved::load(&core.state, state, other.as_ref())
        .map_err(|error| damaged(error.to_string()))?
        .ok_or_else(|| damaged(format!("the bytes {} are missing or damaged", state.digest)))?;
    Ok(Some(FileState::new(bytes, state.file_mode())))
}
