//! One transaction from the lock to the moment before `commit`, and after it.

use std::sync::{Arc, mpsc};

use gatewright_guards::Approved;
use gatewright_model::{Digest, RepoPath};
use rustix::fd::OwnedFd;

use super::plan::{self, Extras, Plan};
use super::ring::{self, Ring};
use super::settling::{Settled, Settling};
use super::state_io::{self, LockGuard};
use super::{Core, journal, saved, stage, swap};
use crate::error::disk;
use crate::{Applied, TransactionId, WriteError};

/// How many compressed bytes a record may hold itself, which saves waiting for other files.
const MOST_IN_RECORD: usize = 128 * 1024;

/// A transaction whose files are all in place, waiting for the caller's word.
#[derive(Debug)]
pub(super) struct Pending {
    pub(super) applied: Applied,
    plan: Plan,
    /// For each file of the record, the new file while it has no name yet.
    nameless: Vec<Option<OwnedFd>>,
    made: Vec<RepoPath>,
    ring: Ring,
    new_bytes: u64,
    saved: Vec<Digest>,
    settling: Option<Settling>,
    settled: Settled,
    next: Option<Next>,
    _lock: LockGuard,
}

/// The new bytes of the only file of a change: mostly the old ones of the next.
#[derive(Debug)]
struct Next {
    digest: Digest,
    bytes: Arc<[u8]>,
}

impl Next {
    /// `None` where there are several, or more bytes than a record holds.
    fn of(plan: &Plan, approved: &Approved) -> Option<Self> {
        let ([recorded], [approved]) = (plan.record.files.as_slice(), approved.files()) else {
            return None;
        };
        let digest = recorded.after.as_ref()?.digest;
        let bytes = Arc::clone(&approved.after.as_ref()?.content);
        (bytes.len() / 16 <= MOST_IN_RECORD).then_some(Self { digest, bytes })
    }
}

/// Puts every file in place, or none; what comes back with it is done beside the commit.
///
/// `plan` hears what is about to be done as soon as that is known.
pub(super) fn prepare(
    core: &Core,
    approved: &Approved,
    transaction: TransactionId,
    extras: Extras,
    plan: &mpsc::SyncSender<Applied>,
) -> (Result<Pending, WriteError>, impl FnOnce() + use<>) {
    let mut prepared = put_in_place(core, approved, (transaction, extras), plan);
    let settling = prepared.as_mut().ok().and_then(|pending| pending.settling.take());
    (prepared, move || settling.into_iter().for_each(Settling::run))
}

fn put_in_place(
    core: &Core,
    approved: &Approved,
    (transaction, extras): (TransactionId, Extras),
    told: &mpsc::SyncSender<Applied>,
) -> Result<Pending, WriteError> {
    let lock = core.state.lock(core.lock_timeout)?;
    let waiting = state_io::names(&core.state.journal).map_err(disk("read", "the journal"))?;
    if !waiting.is_empty() {
        return Err(WriteError::NeedsRecovery { count: waiting.len() });
    }
    let ring = Ring::load(&core.state).map_err(disk("read", "the snapshots"))?;
    let snapshot = ring.next_id().map_err(disk("name", "the snapshot"))?;
    let plan = plan::make(core, approved, (transaction, snapshot), extras)?;
    let next = Next::of(&plan, approved);
    let mut pending = Pending {
        applied: plan.record.applied(),
        plan,
        nameless: Vec::new(),
        made: Vec::new(),
        ring,
        new_bytes: 0,
        saved: Vec::new(),
        settling: None,
        settled: Settled::default(),
        next,
        _lock: lock,
    };
    // Nobody may be listening.
    let _ = told.try_send(pending.applied.clone());
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
        if core.state.is_durable() && self.plan.record.can_be_redone() {
            self.plan.record.boot.clone_from(&core.boot);
        }
        self.nameless = stage::write_nameless(&self.plan, approved)?;
        let record = &self.plan.record;
        let (file, bytes) = journal::write(core, record)?;
        self.new_bytes += bytes;
        unsynced.push(file);
        sync_saved(core, &mut unsynced, &self.nameless).inspect_err(|_| {
            let _ = state_io::remove(&core.state.journal, &record.journal_name());
        })
    }

    /// Keeps the old bytes for rollback and undo, the new ones for later conflicts.
    ///
    /// A few bytes go into the record, others into files under their digest. Only the old
    /// ones must survive a power failure: their files come back, to be synced with the record.
    fn save_bytes(&mut self, core: &Core, approved: &Approved) -> Result<Vec<OwnedFd>, WriteError> {
        let mut old = Vec::new();
        let mut room = MOST_IN_RECORD;
        for (file, approved) in self.plan.record.files.iter_mut().zip(approved.files()) {
            let path = file.resolved.clone();
            let failed = || disk("save the bytes of", path.as_str());
            saved::hold(&core.state, file, approved, &mut room);
            let before = file.before.as_ref().zip(approved.before.as_ref());
            let after = file.after.as_ref().zip(approved.after.as_ref());
            let both = before.map(|pair| (pair, true)).into_iter().chain(after.map(|p| (p, false)));
            for ((recorded, state), is_old) in both.filter(|((state, _), _)| !state.is_held()) {
                let saved =
                    saved::save(&core.state, recorded.digest, &state.content).map_err(failed())?;
                if saved.new_bytes > 0 {
                    self.saved.push(recorded.digest);
                }
                self.new_bytes += saved.new_bytes;
                old.extend(is_old.then_some(saved.file));
            }
            if old.len() >= 128 {
                sync_saved(core, &mut old, &[])?;
            }
        }
        Ok(old)
    }

    fn carry_out(&mut self, core: &Core, approved: &Approved) -> Result<(), WriteError> {
        self.plan.make_directories(&mut self.made)?;
        stage::write_new_files(core, &mut self.plan, approved, &mut self.nameless)?;
        let mut displaced = Vec::new();
        swap::swap_all(core, &self.plan, approved, &mut displaced)?;
        let settling = Settling::open(core, &self.plan.directories, &self.settled)?;
        if self.plan.record.boot.is_some() {
            self.settling = Some(settling);
        } else {
            settling.run();
            if let Some((path, errno)) = self.settled.failure() {
                return Err(disk("sync the directory", path)(errno));
            }
        }
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
    ///
    /// The old files lose their names here and are freed afterwards, which may take long. What
    /// the next change of the same file saves is compressed then.
    pub(super) fn finish(mut self, core: Arc<Core>) -> (Applied, impl FnOnce() + use<>) {
        let old = stage::old_files(&self.plan);
        self.tidy_up(&core);
        let next = self.next;
        let rest = move || {
            drop(old);
            if let Some(Next { digest, bytes }) = next {
                // Whoever needs them compresses them again where this fails.
                let _ = core.state.compress(digest, &bytes);
            }
        };
        (self.applied, rest)
    }

    fn tidy_up(&mut self, core: &Core) {
        if let Some((path, errno)) = self.settled.failure() {
            // The record stays: a later recovery tries again.
            self.applied.cleanup_failures.push(format!("{path}: {errno}"));
            return;
        }
        let record = &self.plan.record;
        let failures = journal::finish(core, record, &mut self.plan.directories);
        let limits = core.limits;
        let admitted = self.ring.admit(&core.state, &record.snapshot, self.new_bytes, limits);
        match admitted {
            Ok(evicted) => self.applied.evicted = evicted,
            Err(errno) => self.applied.cleanup_failures.push(format!("snapshots: {errno}")),
        }
        self.applied.cleanup_failures.extend(failures);
    }

    /// Removes the bytes that only this failed transaction saved.
    fn forget_saved(&self, core: &Core) {
        for digest in &self.saved {
            let _ = ring::forget(&core.state, *digest);
        }
    }
}

/// Syncs and closes `saved`; syncs what is `held` with it.
fn sync_saved(
    core: &Core,
    saved: &mut Vec<OwnedFd>,
    held: &[Option<OwnedFd>],
) -> Result<(), WriteError> {
    let saved: Vec<OwnedFd> = std::mem::take(saved);
    let all: Vec<&OwnedFd> = saved.iter().chain(held.iter().flatten()).collect();
    core.state.sync_all(&all).map_err(disk("sync", "the saved bytes and the journal"))
}
