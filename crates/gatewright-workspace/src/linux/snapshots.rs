//! Saved bytes and the ring of snapshots.
//!
//! Few bytes are kept in the record of their transaction, others once under their
//! digest; compressed both. A snapshot is the journal record of its transaction
//! under another name. When the ring is full the oldest snapshots go, and with them
//! the bytes that nothing else needs.

use std::collections::{BTreeSet, HashSet};
use std::io;

use gatewright_guards::ApprovedFile;
use gatewright_model::Digest;
use rustix::fd::OwnedFd;
use rustix::io::Errno;
use serde::{Deserialize, Serialize};

use super::kernel;
use super::record::{Record, RecordFile, RecordState, Spliced};
use super::state_io::{self, StateDir};
use crate::{SnapshotId, SnapshotLimits, SnapshotStats};

const RING: &str = "ring.json";

/// What is known of the ring without walking it.
///
/// A crash can leave the totals a little off; they are counted anew whenever
/// the ring seems full, before anything is evicted.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub(super) struct Ring {
    next: u64,
    count: u64,
    bytes: u64,
}

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

/// Removes the bytes under `digest`.
pub(super) fn forget(state: &StateDir, digest: Digest) -> Result<(), Errno> {
    state_io::remove(&state.objects, &object_name(digest))
}

/// The record of a snapshot; `None` where it is gone.
pub(super) fn record(state: &StateDir, id: &SnapshotId) -> Result<Option<Vec<u8>>, Errno> {
    state_io::read(&state.snapshots, &record_name(id))
}

/// The file name of a snapshot's record.
pub(super) fn record_name(id: &SnapshotId) -> String {
    format!("{id}.json")
}

fn object_name(digest: Digest) -> String {
    format!("{}.zst", hex::encode(digest.as_bytes()))
}

impl Ring {
    /// Reads the totals, or counts them when they are missing.
    pub(super) fn load(state: &StateDir) -> Result<Ring, Errno> {
        let stored = state_io::read(&state.top, RING)?;
        match stored.and_then(|bytes| serde_json::from_slice(&bytes).ok()) {
            Some(ring) => Ok(ring),
            None => Ring::count(state, 0),
        }
    }

    /// Counts everything anew.
    fn count(state: &StateDir, next_at_least: u64) -> Result<Ring, Errno> {
        let ids = ids(state)?;
        let next = ids.last().map_or(0, |id| id.sequence() + 1).max(next_at_least);
        let records = ids.iter().map(|id| state_io::size(&state.snapshots, &record_name(id)));
        let objects = state_io::names(&state.objects)?;
        let objects = objects.iter().map(|name| state_io::size(&state.objects, name));
        Ok(Ring { next, count: ids.len() as u64, bytes: records.chain(objects).sum() })
    }

    /// The id for the next snapshot.
    pub(super) fn next_id(&self) -> Result<SnapshotId, Errno> {
        let mut random = [0; 4];
        getrandom::fill(&mut random).map_err(|_| Errno::IO)?;
        Ok(SnapshotId::from_parts(self.next, u32::from_le_bytes(random)))
    }

    /// Whether `id` is older than anything that could still come.
    pub(super) fn has_passed(&self, id: &SnapshotId) -> bool {
        id.sequence() < self.next
    }

    /// The totals for people.
    pub(super) fn stats(&self) -> SnapshotStats {
        SnapshotStats { count: self.count, bytes: self.bytes }
    }

    /// Takes in a snapshot, evicts what no longer fits, and stores the totals.
    pub(super) fn admit(
        mut self,
        state: &StateDir,
        newest: &SnapshotId,
        new_bytes: u64,
        limits: SnapshotLimits,
    ) -> Result<Vec<SnapshotId>, Errno> {
        self.next = self.next.max(newest.sequence() + 1);
        self.count += 1;
        self.bytes += new_bytes;
        let mut evicted = Vec::new();
        if self.count > limits.max_count || self.bytes > limits.max_bytes {
            self = Ring::count(state, self.next)?;
            evicted = self.evict(state, newest, limits)?;
        }
        self.store(state)?;
        Ok(evicted)
    }

    fn store(&self, state: &StateDir) -> Result<(), Errno> {
        let bytes = serde_json::to_vec(self).map_err(|_| Errno::INVAL)?;
        // Totals that a crash cut short do not parse, and are counted anew.
        state_io::overwrite(&state.top, RING, &bytes)
    }

    /// Drops the oldest until a tenth of the room is free, so that a full ring
    /// is not walked at every write.
    fn evict(
        &mut self,
        state: &StateDir,
        newest: &SnapshotId,
        limits: SnapshotLimits,
    ) -> Result<Vec<SnapshotId>, Errno> {
        let fits = |ring: &Ring| {
            ring.count <= limits.max_count - limits.max_count / 10
                && ring.bytes <= limits.max_bytes - limits.max_bytes / 10
        };
        let is_over = |ring: &Ring| ring.count > limits.max_count || ring.bytes > limits.max_bytes;
        let mut evicted = Vec::new();
        if !is_over(self) {
            return Ok(evicted);
        }
        let mut users = Users::count(state)?;
        for id in ids(state)? {
            if fits(self) || id == *newest {
                break;
            }
            self.bytes = self.bytes.saturating_sub(users.release(state, &id)?);
            self.count = self.count.saturating_sub(1);
            evicted.push(id);
        }
        if !fits(self) {
            self.bytes = self.bytes.saturating_sub(users.drop_unused(state)?);
        }
        Ok(evicted)
    }
}

/// How many records need each digest.
struct Users(std::collections::HashMap<Digest, u64>);

impl Users {
    fn count(state: &StateDir) -> Result<Users, Errno> {
        let mut users = Users(std::collections::HashMap::new());
        for directory in [&state.snapshots, &state.journal, &state.conflicts] {
            for name in state_io::names(directory)? {
                for digest in digests_of(directory, &name)? {
                    *users.0.entry(digest).or_default() += 1;
                }
            }
        }
        Ok(users)
    }

    /// Removes a record and the bytes that only it needed; says how much that freed.
    fn release(&mut self, state: &StateDir, id: &SnapshotId) -> Result<u64, Errno> {
        let name = record_name(id);
        let digests = digests_of(&state.snapshots, &name)?;
        let mut freed = state_io::size(&state.snapshots, &name);
        state_io::remove(&state.snapshots, &name)?;
        for digest in digests {
            let left = self.0.entry(digest).or_insert(1);
            *left -= 1;
            if *left == 0 {
                let object = object_name(digest);
                freed += state_io::size(&state.objects, &object);
                state_io::remove(&state.objects, &object)?;
            }
        }
        Ok(freed)
    }

    /// Removes bytes that no record needs: what transactions that failed left behind.
    fn drop_unused(&self, state: &StateDir) -> Result<u64, Errno> {
        let used: HashSet<String> =
            self.0.iter().filter(|(_, count)| **count > 0).map(|(d, _)| object_name(*d)).collect();
        let mut freed = 0;
        for name in state_io::names(&state.objects)? {
            if !used.contains(&name) {
                freed += state_io::size(&state.objects, &name);
                state_io::remove(&state.objects, &name)?;
            }
        }
        Ok(freed)
    }
}

fn digests_of(directory: &OwnedFd, name: &str) -> Result<BTreeSet<Digest>, Errno> {
    let record = state_io::read(directory, name)?.and_then(|bytes| Record::decode(&bytes));
    Ok(record.iter().flat_map(|record| &record.files).flat_map(|file| file.digests()).collect())
}

/// The number of the last snapshot.
pub(super) fn newest(state: &StateDir) -> Result<Option<u64>, Errno> {
    Ok(ids(state)?.last().map(SnapshotId::sequence))
}

fn ids(state: &StateDir) -> Result<Vec<SnapshotId>, Errno> {
    let names = state_io::names(&state.snapshots)?;
    Ok(names.iter().filter_map(|name| name.strip_suffix(".json")?.parse().ok()).collect())
}

/// Removes what a crash left of files that were being written.
pub(super) fn remove_temporaries(state: &StateDir) -> Result<(), Errno> {
    for directory in [&state.top, &state.objects, &state.journal, &state.snapshots] {
        for name in state_io::names(directory)? {
            if name.ends_with(".tmp") {
                kernel::unlink_if_there(directory, &name)?;
            }
        }
    }
    Ok(())
}
