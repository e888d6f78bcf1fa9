//! One transaction from the lock to the moment before `commit`, and after it.

use gatewright_guards::Approved;
use gatewright_model::{Digest, RepoPath};

use super::plan::{self, Extras, Plan};
use super::ring::{self, Ring};
use super::state_io::{self, LockGuard, StateFile};
use super::{Core, journal, names, saved, stage, swap};
use crate::error::disk;
use crate::{Applied, TransactionId, WriteError};

/// A transaction whose files are all in place, waiting for the caller's word.
#[derive(Debug)]
pub(super) struct Pending {
    pub(super) applied: Applied,
    plan: Plan,
    made: Vec<RepoPath>,
    ring: Ring,
    new_bytes: u64,
    saved: Vec<Digest>,
    _lock: LockGuard,
}

/// Puts every file in place, or none.
pub(super) fn prepare(
    core: &Core,
    approved: &Approved,
    transaction: TransactionId,
    extras: Extras,
) -> Result<Pending, WriteError> {
    let lock = core.state.lock(core.lock_timeout)?;
    let waiting = state_io::names(&core.state.journal).map_err(disk("read", "the journal"))?;
    if !waiting.is_empty() {
        return Err(WriteError::NeedsRecovery { count: waiting.len() });
    }
    let ring = Ring::load(&core.state).map_err(disk("read", "the snapshots"))?;
    let snapshot = ring.next_id().map_err(disk("name", "the snapshot"))?;
    let plan = plan::make(core, approved, (transaction, snapshot), extras)?;
    let mut pending = Pending {
        applied: plan.record.applied(),
        plan,
        made: Vec::new(),
        ring,
        new_bytes: 0,
        saved: Vec::new(),
        _lock: lock,
    };
    if let Err(cause) = pending.write_ahead(core, approved) {
        pending.forget_saved(core);
        return Err(cause);
    }
    match pending.carry_out(core, approved) {
        Ok(()) => Ok(pending),
        Err(cause) => Err(match pending.roll_back(core) {
            Ok(()) => cause,
            Err(detail) => WriteError::NotRolledBack { cause: Box::new(cause), detail },
        }),
    }
}

impl Pending {
    /// Saves the old bytes and the journal record. Nothing in the workspace changes.
    fn write_ahead(&mut self, core: &Core, approved: &Approved) -> Result<(), WriteError> {
        let mut unsynced = self.save_bytes(core, approved)?;
        let record = &self.plan.record;
        let (file, bytes) = journal::write(core, record)?;
        self.new_bytes += bytes;
        unsynced.push(file);
        sync_saved(core, &mut unsynced).inspect_err(|_| {
            let _ = state_io::remove(&core.state.journal, &record.journal_name());
        })
    }

    /// Keeps the old bytes for rollback and undo, the new ones for later conflicts.
    ///
    /// Only the old ones must survive a power failure: those that are not
    /// synced yet come back, to be synced together with the journal.
    fn save_bytes(
        &mut self,
        core: &Core,
        approved: &Approved,
    ) -> Result<Vec<StateFile>, WriteError> {
        let mut old = Vec::new();
        for (file, approved) in self.plan.record.files.iter().zip(approved.files()) {
            let path = file.resolved.as_str();
            let before = file.before.as_ref().zip(approved.before.as_ref());
            let after = file.after.as_ref().zip(approved.after.as_ref());
            let both = before.map(|pair| (pair, true)).into_iter().chain(after.map(|p| (p, false)));
            for ((recorded, state), is_old) in both {
                let saved = saved::save(&core.state, recorded.digest, &state.content)
                    .map_err(disk("save the bytes of", path))?;
                if saved.new_bytes > 0 {
                    self.saved.push(recorded.digest);
                }
                self.new_bytes += saved.new_bytes;
                old.extend(is_old.then_some(saved.file));
            }
            if old.len() >= 128 {
                sync_saved(core, &mut old)?;
            }
        }
        Ok(old)
    }

    fn carry_out(&mut self, core: &Core, approved: &Approved) -> Result<(), WriteError> {
        self.plan.make_directories(&mut self.made)?;
        stage::write_new_files(core, &mut self.plan, approved)?;
        let mut displaced = Vec::new();
        swap::swap_all(core, &self.plan, approved, &mut displaced)?;
        sync_directories(core, &self.plan)?;
        swap::check(core, &self.plan, &displaced)
    }

    /// Takes everything back; a text says what could not be.
    pub(super) fn roll_back(mut self, core: &Core) -> Result<(), String> {
        let (record, directories) = (&self.plan.record, &mut self.plan.directories);
        journal::take_back(core, record, directories, &self.made)?;
        self.forget_saved(core);
        Ok(())
    }

    /// Tidies up after the caller's `commit` succeeded; the change stands.
    pub(super) fn finish(mut self, core: &Core) -> Applied {
        let record = &self.plan.record;
        let failures = journal::finish(core, record, &mut self.plan.directories);
        let limits = core.limits;
        let admitted = self.ring.admit(&core.state, &record.snapshot, self.new_bytes, limits);
        match admitted {
            Ok(evicted) => self.applied.evicted = evicted,
            Err(error) => self.applied.cleanup_failures.push(format!("snapshots: {error}")),
        }
        self.applied.cleanup_failures.extend(failures);
        self.applied
    }

    /// Removes the bytes that only this failed transaction saved.
    fn forget_saved(&self, core: &Core) {
        for digest in &self.saved {
            let _ = ring::forget(&core.state, *digest);
        }
    }
}

fn sync_saved(core: &Core, files: &mut Vec<StateFile>) -> Result<(), WriteError> {
    let files: Vec<StateFile> = std::mem::take(files);
    let all: Vec<&StateFile> = files.iter().collect();
    core.state.sync_all(&all).map_err(disk("sync", "the saved bytes and the journal"))
}

/// Before the commit: there is no journal that could put lost names in place again.
fn sync_directories(core: &Core, plan: &Plan) -> Result<(), WriteError> {
    if core.state.is_durable() {
        for (path, held) in plan.directories.iter() {
            names::sync_directory(&held.handle).map_err(disk("sync the directory", path))?;
        }
    }
    Ok(())
}
