//! Saved bytes: the old ones for rollback and undo, the new ones for later conflicts.
//!
//! Few bytes are kept in the record of their transaction, others once under their
//! digest; compressed both.

use std::io;

use gatewright_guards::ApprovedFile;
use gatewright_model::Digest;
use rustix::fd::OwnedFd;
use rustix::io::Errno;

use super::ring::object_name;
use super::state_io::{self, StateDir};
use crate::record::{RecordFile, RecordState, Spliced};

/// Bytes that were saved, and whether they are on disk for certain yet.
#[derive(Debug)]
pub(super) struct Saved {
    pub(super) file: OwnedFd,
    pub(super) new_bytes: u64,
}

/// Puts the bytes of a file into the record itself where there is room; the first that do not
/// fit end it. The new ones are mostly the old ones.
pub(super) fn hold(
    state: &StateDir,
    file: &mut RecordFile,
    approved: &ApprovedFile,
    room: &mut usize,
) {
    let mut other = None;
    if let (Some(recorded), Some(old)) = (&mut file.before, &approved.before) {
        recorded.packed = pack(state, recorded.digest, &old.content, room);
        other = recorded.packed.as_ref().map(|_| &*old.content);
    }
    if let (Some(recorded), Some(new)) = (&mut file.after, &approved.after) {
        match other {
            Some(other) => recorded.spliced = splice(state, &new.content, other, room),
            None => recorded.packed = pack(state, recorded.digest, &new.content, room),
        }
    }
}

fn pack(state: &StateDir, digest: Digest, bytes: &[u8], room: &mut usize) -> Option<Vec<u8>> {
    let compress = || state.compress(digest, bytes);
    fit(bytes.len(), compress, room)
}

fn splice(state: &StateDir, bytes: &[u8], other: &[u8], room: &mut usize) -> Option<Spliced> {
    let (head, tail) = Spliced::shared(bytes, other);
    let middle = &bytes[head..bytes.len() - tail];
    let middle = fit(middle.len(), || state.compress_part(middle), room)?;
    Some(Spliced { head, tail, middle })
}

/// What `compress` makes of so many bytes, where there is room for it.
fn fit(
    length: usize,
    compress: impl FnOnce() -> io::Result<Vec<u8>>,
    room: &mut usize,
) -> Option<Vec<u8>> {
    // Bytes that would have to shrink beyond all likelihood are not tried.
    let packed = if length / 16 <= *room { compress().ok() } else { None };
    let left = packed.as_ref().and_then(|packed| room.checked_sub(packed.len()));
    *room = left.unwrap_or_default();
    packed.filter(|_| left.is_some())
}

/// Keeps `bytes` under `digest`, unless they are kept already. Not synced.
pub(super) fn save(state: &StateDir, digest: Digest, bytes: &[u8]) -> Result<Saved, Errno> {
    let name = object_name(digest);
    let there = state_io::open(&state.objects, &name)?;
    let is_there = there.is_some();
    if let Some(file) = there
        && is_held(state, &file, bytes)
    {
        return Ok(Saved { file, new_bytes: 0 });
    }
    let packed = state.compress(digest, bytes).map_err(|_| Errno::NOMEM)?;
    // One that is cut short is known by its bytes, here and in `load`.
    let put = if is_there { state_io::replace } else { state_io::write_new };
    let file = put(&state.objects, &name, &packed)?;
    Ok(Saved { file, new_bytes: packed.len() as u64 })
}

/// The bytes of a recorded state; `None` where none are kept or they are damaged.
///
/// `other` is the other state of the same file.
pub(super) fn load(
    state: &StateDir,
    recorded: &RecordState,
    other: Option<&RecordState>,
) -> Result<Option<Vec<u8>>, Errno> {
    if let Some(bytes) = held(recorded, other) {
        return Ok(Some(bytes));
    }
    let stored = state_io::read(&state.objects, &object_name(recorded.digest))?;
    Ok(stored.and_then(|packed| unpack(recorded, &packed)))
}

/// What the record itself holds.
fn held(recorded: &RecordState, other: Option<&RecordState>) -> Option<Vec<u8>> {
    if let Some(packed) = &recorded.packed {
        return unpack(recorded, packed);
    }
    let (spliced, other) = recorded.spliced.as_ref().zip(other)?;
    let other = unpack(other, other.packed.as_ref()?)?;
    let bytes = spliced.bytes(&other, &zstd::decode_all(spliced.middle.as_slice()).ok()?)?;
    (Digest::of(&bytes) == recorded.digest).then_some(bytes)
}

fn unpack(recorded: &RecordState, packed: &[u8]) -> Option<Vec<u8>> {
    let bytes = zstd::decode_all(packed).ok()?;
    (Digest::of(&bytes) == recorded.digest).then_some(bytes)
}

/// Whether a kept file unpacks to just these bytes.
fn is_held(state: &StateDir, file: &OwnedFd, bytes: &[u8]) -> bool {
    let Ok(packed) = state_io::read_open(file) else { return false };
    // One byte more than there should be shows that there is more.
    state.decompress(&packed, bytes.len() + 1).is_ok_and(|unpacked| unpacked == bytes)
}
