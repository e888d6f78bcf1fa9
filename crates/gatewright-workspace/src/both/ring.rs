//! The ring of snapshots: which are kept, and what room they take.
//!
//! A snapshot is the journal record of its transaction under another name. When
//! the ring is full the oldest go, and with them the bytes that nothing else needs.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::io;

use gatewright_model::Digest;
use serde::{Deserialize, Serialize};

use super::files::{Fault, fault};
use super::state_io::{self, Directory, StateDir};
use crate::record::Record;
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

/// Removes the bytes under `digest`.
pub(super) fn forget(state: &StateDir, digest: Digest) -> Result<(), Fault> {
    state_io::remove(&state.objects, &object_name(digest))
}

/// The record of a snapshot; `None` where it is gone.
pub(super) fn record(state: &StateDir, id: &SnapshotId) -> Result<Option<Vec<u8>>, Fault> {
    state_io::read(&state.snapshots, &record_name(id))
}

/// The file name of a snapshot's record.
pub(super) fn record_name(id: &SnapshotId) -> String {
    format!("{id}.json")
}

/// The file name of the bytes under `digest`.
pub(super) fn object_name(digest: Digest) -> String {
    format!("{}.zst", hex::encode(digest.as_bytes()))
}

impl Ring {
    /// Reads the totals, or counts them when they are missing.
    pub(super) fn load(state: &StateDir) -> Result<Ring, Fault> {
        let stored = state_io::read(&state.top, RING)?;
        match stored.and_then(|bytes| serde_json::from_slice(&bytes).ok()) {
            Some(ring) => Ok(ring),
            None => Ring::count(state, 0),
        }
    }

    /// Counts everything anew.
    fn count(state: &StateDir, next_at_least: u64) -> Result<Ring, Fault> {
        let ids = ids(state)?;
        let next = ids.last().map_or(0, |id| id.sequence() + 1).max(next_at_least);
        let records = ids.iter().map(|id| state_io::size(&state.snapshots, &record_name(id)));
        let objects = state_io::names(&state.objects)?;
        let objects = objects.iter().map(|name| state_io::size(&state.objects, name));
        Ok(Ring { next, count: ids.len() as u64, bytes: records.chain(objects).sum() })
    }

    /// The id for the next snapshot.
    pub(super) fn next_id(&self) -> Result<SnapshotId, Fault> {
        let mut random = [0; 4];
        getrandom::fill(&mut random).map_err(|error| fault(io::Error::other(error)))?;
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
    ) -> Result<Vec<SnapshotId>, Fault> {
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

    fn store(&self, state: &StateDir) -> Result<(), Fault> {
        let bytes = serde_json::to_vec(self).map_err(|error| fault(error.into()))?;
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
    ) -> Result<Vec<SnapshotId>, Fault> {
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
    fn count(state: &StateDir) -> Result<Users, Fault> {
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
    fn release(&mut self, state: &StateDir, id: &SnapshotId) -> Result<u64, Fault> {
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
    fn drop_unused(&self, state: &StateDir) -> Result<u64, Fault> {
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

fn digests_of(directory: &Directory, name: &str) -> Result<BTreeSet<Digest>, Fault> {
    let record = state_io::read(directory, name)?.and_then(|bytes| Record::decode(&bytes));
    Ok(record.iter().flat_map(|record| &record.files).flat_map(|file| file.digests()).collect())
}

/// The number of the last snapshot.
pub(super) fn newest(state: &StateDir) -> Result<Option<u64>, Fault> {
    Ok(ids(state)?.last().map(SnapshotId::sequence))
}

fn ids(state: &StateDir) -> Result<Vec<SnapshotId>, Fault> {
    let names = state_io::names(&state.snapshots)?;
    Ok(names.iter().filter_map(|name| name.strip_suffix(".json")?.parse().ok()).collect())
}

/// Removes what a crash left of files that were being written.
pub(super) fn remove_temporaries(state: &StateDir) -> Result<(), Fault> {
    for directory in [&state.top, &state.objects, &state.journal, &state.snapshots] {
        for name in state_io::names(directory)? {
            if name.ends_with(".tmp") {
                state_io::remove(directory, &name)?;
            }
        }
    }
    Ok(())
}
