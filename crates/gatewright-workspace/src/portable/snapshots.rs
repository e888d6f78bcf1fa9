//! Saved bytes and the ring of snapshots.
//!
//! Bytes are kept once under their digest, compressed. A snapshot is the
//! journal record of its transaction under another name. When the ring is full
//! the oldest snapshots go, and with them the bytes that nothing else needs.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::io;
use std::path::Path;

use gatewright_model::Digest;
use serde::{Deserialize, Serialize};

use super::state_io::{self, StateDir, StateFile};
use crate::record::{Record, RecordState};
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

/// Removes the bytes under `digest`.
pub(super) fn forget(state: &StateDir, digest: Digest) -> io::Result<()> {
    state_io::remove(&state.objects, &object_name(digest))
}

/// The record of a snapshot; `None` where it is gone.
pub(super) fn record(state: &StateDir, id: &SnapshotId) -> io::Result<Option<Vec<u8>>> {
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
    pub(super) fn load(state: &StateDir) -> io::Result<Ring> {
        let stored = state_io::read(&state.top, RING)?;
        match stored.and_then(|bytes| serde_json::from_slice(&bytes).ok()) {
            Some(ring) => Ok(ring),
            None => Ring::count(state, 0),
        }
    }

    /// Counts everything anew.
    fn count(state: &StateDir, next_at_least: u64) -> io::Result<Ring> {
        let ids = ids(state)?;
        let next = ids.last().map_or(0, |id| id.sequence() + 1).max(next_at_least);
        let records = ids.iter().map(|id| state_io::size(&state.snapshots, &record_name(id)));
        let objects = state_io::names(&state.objects)?;
        let objects = objects.iter().map(|name| state_io::size(&state.objects, name));
        Ok(Ring { next, count: ids.len() as u64, bytes: records.chain(objects).sum() })
    }

    /// The id for the next snapshot.
    pub(super) fn next_id(&self) -> io::Result<SnapshotId> {
        let mut random = [0; 4];
        getrandom::fill(&mut random).map_err(io::Error::other)?;
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
    ) -> io::Result<Vec<SnapshotId>> {
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

    fn store(&self, state: &StateDir) -> io::Result<()> {
        let bytes = serde_json::to_vec(self)?;
        state_io::replace(&state.top, RING, &bytes).map(drop)
    }

    /// Drops the oldest until a tenth of the room is free, so that a full ring
    /// is not walked at every write.
    fn evict(
        &mut self,
        state: &StateDir,
        newest: &SnapshotId,
        limits: SnapshotLimits,
    ) -> io::Result<Vec<SnapshotId>> {
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
struct Users(HashMap<Digest, u64>);

impl Users {
    fn count(state: &StateDir) -> io::Result<Users> {
        let mut users = Users(HashMap::new());
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
    fn release(&mut self, state: &StateDir, id: &SnapshotId) -> io::Result<u64> {
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
    fn drop_unused(&self, state: &StateDir) -> io::Result<u64> {
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

fn digests_of(directory: &Path, name: &str) -> io::Result<BTreeSet<Digest>> {
    let record = state_io::read(directory, name)?.and_then(|bytes| Record::decode(&bytes));
    Ok(record.iter().flat_map(|record| &record.files).flat_map(|file| file.digests()).collect())
}

fn ids(state: &StateDir) -> io::Result<Vec<SnapshotId>> {
    let names = state_io::names(&state.snapshots)?;
    Ok(names.iter().filter_map(|name| name.strip_suffix(".json")?.parse().ok()).collect())
}

/// Removes what a crash left of files that were being written.
pub(super) fn remove_temporaries(state: &StateDir) -> io::Result<()> {
    for directory in [&state.top, &state.objects, &state.journal, &state.snapshots] {
        for name in state_io::names(directory)? {
            if name.ends_with(".tmp") {
                state_io::remove(directory, &name)?;
            }
        }
    }
    Ok(())
}
