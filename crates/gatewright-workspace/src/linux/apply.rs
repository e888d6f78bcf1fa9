//! One transaction from the lock to the moment before `commit`, and after it.

use std::sync::mpsc;

use gatewright_guards::Approved;
use gatewright_model::{Digest, FileMode, RepoPath};
use rustix::fd::OwnedFd;
use rustix::io::Errno;

use super::Core;
use super::directories::Directories;
use super::plan::{self, Extras, Plan};
use super::record::{Record, RecordState};
use super::rollback;
use super::settling::{Settled, Settling};
use super::snapshots::{self, Ring};
use super::stage::{self, disk};
use super::state_io::{self, LockGuard};
use super::{kernel, swap};
use crate::{Applied, AppliedFile, RecoveryConflict, TransactionId, WriteError};

/// How many compressed bytes a record may hold itself, which saves waiting for other files.
const MOST_IN_RECORD: usize = 128 * 1024;

/// A transaction whose files are all in place, waiting for the caller's word.
#[derive(Debug)]
pub(super) struct Pending {
    pub(super) applied: Applied,
    plan: Plan,
    made: Vec<RepoPath>,
    ring: Ring,
    new_bytes: u64,
    saved: Vec<Digest>,
    settling: Option<Settling>,
    settled: Settled,
    _lock: LockGuard,
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
    let mut pending = Pending {
        applied: applied_of(&plan.record),
        plan,
        made: Vec::new(),
        ring,
        new_bytes: 0,
        saved: Vec::new(),
        settling: None,
        settled: Settled::default(),
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
        stage::write_nameless(&mut self.plan, approved)?;
        let journal = |action| disk(action, "the journal");
        let record = &self.plan.record;
        let bytes = record.encode().map_err(|error| WriteError::Disk {
            action: "encode",
            path: "the journal record".to_owned(),
            source: error.into(),
        })?;
        let name = journal_name(record);
        let file =
            state_io::write_new(&core.state.journal, &name, &bytes).map_err(journal("write"))?;
        self.new_bytes += bytes.len() as u64;
        unsynced.push(file);
        sync_saved(core, &mut unsynced, &self.plan.nameless).inspect_err(|_| {
            let _ = state_io::remove(&core.state.journal, &name);
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
            snapshots::hold(&core.state, file, approved, &mut room);
            let before = file.before.as_ref().zip(approved.before.as_ref());
            let after = file.after.as_ref().zip(approved.after.as_ref());
            let both = before.map(|pair| (pair, true)).into_iter().chain(after.map(|p| (p, false)));
            for ((recorded, state), is_old) in both.filter(|((state, _), _)| !state.is_held()) {
                let saved = snapshots::save(&core.state, recorded.digest, &state.content)
                    .map_err(failed())?;
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
        stage::make_directories(&mut self.plan, &mut self.made)?;
        stage::write_new_files(core, &mut self.plan, approved)?;
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
        let record = &self.plan.record;
        let conflicts = rollback::roll_back(core, record, &mut self.plan.directories, &self.made)
            .map_err(|(path, errno)| format!("{path}: {errno}"))?;
        drop_journal(core, record, &conflicts).map_err(|errno| format!("journal: {errno}"))?;
        if conflicts.is_empty() {
            self.forget_saved(core);
            return Ok(());
        }
        Err(conflicts
            .iter()
            .map(|c| format!("{}: {}", c.path, c.detail))
            .collect::<Vec<_>>()
            .join("; "))
    }

    /// Tidies up after the caller's `commit` succeeded; the change stands.
    ///
    /// The old files lose their names here and are freed afterwards, which may take long.
    pub(super) fn finish(mut self, core: &Core) -> (Applied, impl FnOnce() + use<>) {
        let old = stage::old_files(&self.plan);
        self.tidy_up(core);
        (self.applied, move || drop(old))
    }

    fn tidy_up(&mut self, core: &Core) {
        if let Some((path, errno)) = self.settled.failure() {
            // The record stays: a later recovery tries again.
            self.applied.cleanup_failures.push(format!("{path}: {errno}"));
            return;
        }
        let record = &self.plan.record;
        let failures = finish_record(core, record, &mut self.plan.directories);
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
            let _ = snapshots::forget(&core.state, *digest);
        }
    }
}

/// Removes what a transaction that stands left beside its files, and turns its
/// journal record into a snapshot. What fails stays for recovery.
pub(super) fn finish_record(
    core: &Core,
    record: &Record,
    directories: &mut Directories,
) -> Vec<String> {
    let mut failures = Vec::new();
    for file in record.files.iter().filter(|file| !file.is_noop()) {
        let parent = file.directory();
        let removed = directories.open(&core.root, parent.as_ref()).and_then(|directory| {
            let Some(directory) = directory else { return Ok(()) };
            kernel::unlink_if_there(directory, &file.part)?;
            kernel::unlink_if_there(directory, &file.side)
        });
        failures.extend(removed.err().map(|errno| format!("{}: {errno}", file.resolved)));
    }
    let removed = rollback::remove_directories(core, directories, record.removes.iter());
    failures.extend(removed.err().map(|(path, errno)| format!("{path}: {errno}")));
    if failures.is_empty() {
        let name = journal_name(record);
        let snapshot = snapshots::record_name(&record.snapshot);
        let moved = state_io::move_to(&core.state.journal, &name, &core.state.snapshots, &snapshot);
        failures.extend(moved.err().map(|errno| format!("journal: {errno}")));
    }
    failures
}

/// Drops the journal record of what was taken back; one with conflicts is kept apart.
pub(super) fn drop_journal(
    core: &Core,
    record: &Record,
    conflicts: &[RecoveryConflict],
) -> Result<(), Errno> {
    let name = journal_name(record);
    if conflicts.is_empty() {
        state_io::remove(&core.state.journal, &name)
    } else {
        state_io::move_to(&core.state.journal, &name, &core.state.conflicts, &name)
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

/// The file name of a record in the journal: any transaction id gives a plain name.
pub(super) fn journal_name(record: &Record) -> String {
    let digest = Digest::of(record.transaction.as_str().as_bytes());
    format!("{}.json", hex::encode(&digest.as_bytes()[..16]))
}

fn applied_of(record: &Record) -> Applied {
    let state = |state: &RecordState| (state.digest, FileMode::from_bits(state.mode));
    let files = record.files.iter().map(|file| AppliedFile {
        requested: file.requested.clone(),
        resolved: file.resolved.clone(),
        before: file.before.as_ref().map(state),
        after: file.after.as_ref().map(state),
    });
    Applied {
        transaction: record.transaction.clone(),
        snapshot: record.snapshot.clone(),
        files: files.collect(),
        evicted: Vec::new(),
        cleanup_failures: Vec::new(),
    }
}
