//! Saved bytes: the old ones for rollback and undo, the new ones for later conflicts.
//!
//! They are kept once under their digest, compressed; none are in the record.

use std::io;

use gatewright_model::Digest;

use super::ring::object_name;
use super::state_io::{self, StateDir, StateFile};
use crate::record::RecordState;

/// Bytes that were saved, and whether they are on disk for certain yet.
#[derive(Debug)]
pub(super) struct Saved {
    pub(super) file: StateFile,
    pub(super) new_bytes: u64,
}

/// Keeps `bytes` under `digest`, unless they are kept already. Not synced.
pub(super) fn save(state: &StateDir, digest: Digest, bytes: &[u8]) -> io::Result<Saved> {
    let name = object_name(digest);
    if let Some(file) = state_io::open(&state.objects, &name)?
        && unpack(&file).is_ok_and(|kept| kept.as_deref() == Some(bytes))
    {
        return Ok(Saved { file, new_bytes: 0 });
    }
    let packed = state.compress(bytes)?;
    let file = state_io::replace(&state.objects, &name, &packed)?;
    Ok(Saved { file, new_bytes: packed.len() as u64 })
}

/// The bytes of a recorded state; `None` where none are kept or they are damaged.
///
/// No record holds any here, so that the other state of the file is not asked.
pub(super) fn load(
    state: &StateDir,
    recorded: &RecordState,
    _other: Option<&RecordState>,
) -> io::Result<Option<Vec<u8>>> {
    let Some(file) = state_io::open(&state.objects, &object_name(recorded.digest))? else {
        return Ok(None);
    };
    Ok(unpack(&file)?.filter(|bytes| Digest::of(bytes) == recorded.digest))
}

/// `None` for a file that does not unpack.
fn unpack(file: &StateFile) -> io::Result<Option<Vec<u8>>> {
    Ok(zstd::decode_all(state_io::read_open(file)?.as_slice()).ok())
}
