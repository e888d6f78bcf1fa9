//! A snapshot of what somebody else did to the files, so that it can be taken back.
//!
//! The record has the form of every other snapshot. It never was a journal
//! entry: there is nothing to finish and nothing to roll back. Linux and the other
//! systems each build it over their own way to the files.

use gatewright_model::RequestedPath;

use super::ring::{self, Ring};
use super::{Core, journal, saved, state_io};
use crate::error::disk;
use crate::record::{Record, RecordFile, RecordState, VERSION};
use crate::{KeptFile, SnapshotId, TransactionId, WriteError};

/// Saves the bytes of both states and the record that names them.
pub(super) fn keep(
    core: &Core,
    transaction: TransactionId,
    files: &[KeptFile],
) -> Result<SnapshotId, WriteError> {
    let _lock = core.state.lock(core.lock_timeout)?;
    let ring = Ring::load(&core.state).map_err(disk("read", "the snapshots"))?;
    let snapshot = ring.next_id().map_err(disk("name", "the snapshot"))?;
    let mut new_bytes = 0;
    let mut unsynced = Vec::new();
    for file in files {
        for state in file.before.iter().chain(&file.after) {
            let saved = saved::save(&core.state, state.digest(), &state.content)
                .map_err(disk("save the bytes of", file.path.as_str()))?;
            new_bytes += saved.new_bytes;
            unsynced.push(saved.file);
        }
    }
    let record = Record {
        version: VERSION,
        transaction,
        snapshot: snapshot.clone(),
        files: files.iter().map(record_file).collect(),
        makes: Vec::new(),
        removes: Vec::new(),
        boot: None,
    };
    let bytes = journal::encode(&record, "the snapshot")?;
    let name = ring::record_name(&snapshot);
    let written = state_io::write_new(&core.state.snapshots, &name, &bytes)
        .map_err(disk("write", "the snapshot"))?;
    unsynced.push(written);
    let unsynced: Vec<_> = unsynced.iter().collect();
    core.state.sync_all(&unsynced).map_err(disk("sync", "the snapshot"))?;
    new_bytes += bytes.len() as u64;
    ring.admit(&core.state, &snapshot, new_bytes, core.limits)
        .map_err(disk("admit", "the snapshot"))?;
    Ok(snapshot)
}

fn record_file(file: &KeptFile) -> RecordFile {
    RecordFile {
        requested: RequestedPath::new(file.path.as_str()),
        resolved: file.path.clone(),
        before: file.before.as_ref().map(RecordState::bare),
        after: file.after.as_ref().map(RecordState::bare),
        part: String::new(),
        side: String::new(),
    }
}
