//! The workspace on Linux: the public operations, each a few lines over its module.

mod applier;
mod apply;
mod attributes;
mod directories;
mod facts;
mod hard_links;
mod keep;
mod kernel;
mod own;
mod plan;
mod read;
mod recover;
mod rollback;
mod root;
mod snapshots;
mod stage;
mod state_io;
mod swap;
mod undo;

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use gatewright_guards::Approved;
use gatewright_model::{FileMode, FileState, PathFacts, RequestedPath};

use self::applier::{Applier, Gone};
use self::own::OwnPaths;
use self::plan::Extras;
use self::root::Root;
use self::state_io::StateDir;
use crate::record;
use crate::{
    Applied, ApplyError, DirEntry, KeptFile, LandlockStatus, OpenError, ReadError, RecoverError,
    RecoveryReport, SnapshotId, SnapshotLimits, SnapshotStats, TransactionId, UndoError, UndoPlan,
    WorkspaceOptions, WriteError,
};

/// A directory that is read and written only beneath one descriptor.
///
/// It can be shared between threads; writes wait for one another.
#[derive(Debug)]
pub struct Workspace {
    core: Arc<Core>,
    applier: Applier,
    one_writer: Mutex<()>,
    umask: u32,
}

/// What the operations share.
#[derive(Debug)]
struct Core {
    root: Root,
    own: OwnPaths,
    state: StateDir,
    limits: SnapshotLimits,
    lock_timeout: Duration,
}

impl Workspace {
    /// Opens a workspace and makes what is missing of its state directory.
    ///
    /// Call [`Workspace::recover`] before the first write.
    pub fn open(options: WorkspaceOptions) -> Result<Workspace, OpenError> {
        let root = Root::open(&options.root)?;
        let failed = |source| OpenError::State { path: options.state_dir.clone(), source };
        if own::lies_within(&options.state_dir, &root) {
            return Err(OpenError::StateInsideWorkspace { path: options.state_dir });
        }
        let state = StateDir::open(&options.state_dir, options.durability)?;
        let writable = [root.descriptor(), &state.top].map(|directory| directory.try_clone());
        let writable = writable.into_iter().collect::<Result<Vec<_>, _>>().map_err(failed)?;
        let applier = Applier::start(writable).map_err(failed)?;
        let core = Core {
            own: OwnPaths::new(&options.own_paths, &root.proc_fd),
            root,
            state,
            limits: options.snapshot_limits,
            lock_timeout: options.lock_timeout,
        };
        let umask = state_io::umask();
        Ok(Workspace { core: Arc::new(core), applier, one_writer: Mutex::new(()), umask })
    }

    /// The canonical path of the root, for display only.
    pub fn root(&self) -> &Path {
        self.core.root.path()
    }

    /// Whether the applying thread is walled in by Landlock.
    pub fn landlock_status(&self) -> &LandlockStatus {
        self.applier.status()
    }

    /// The mode that a created file gets.
    pub fn umask_mode(&self, executable: bool) -> FileMode {
        let wanted = if executable { 0o777 } else { 0o666 };
        FileMode::from_bits(wanted & !self.umask)
    }

    /// What the disk says about a path. Failures are facts too.
    pub fn facts(&self, requested: &RequestedPath) -> PathFacts {
        let survey = facts::survey(&self.core.root, &self.core.own, requested, None);
        facts::facts_of(requested, &survey)
    }

    /// What the disk says about a path, and the file there, from one resolution.
    ///
    /// The file is `None` where there is none, or none that can be read whole.
    pub fn look(&self, requested: &RequestedPath, limit: u64) -> (PathFacts, Option<FileState>) {
        let mut file = None;
        let survey = facts::look(&self.core.root, &self.core.own, requested, limit, &mut file);
        (facts::facts_of(requested, &survey), file)
    }

    /// Reads a file of at most `limit` bytes; `None` where there is none.
    pub fn read(
        &self,
        requested: &RequestedPath,
        limit: u64,
    ) -> Result<Option<FileState>, ReadError> {
        read::read(&self.core, requested, limit)
    }

    /// Lists a directory, sorted by name. `.` and the empty path are the root.
    pub fn read_dir(&self, requested: &RequestedPath) -> Result<Vec<DirEntry>, ReadError> {
        read::read_dir(&self.core, requested)
    }

    /// Writes an approved change set, all files or none.
    ///
    /// `commit` runs on the calling thread once every file is in place and
    /// synced. If it fails, everything is taken back.
    pub fn apply<E>(
        &self,
        approved: Approved,
        transaction: TransactionId,
        commit: impl FnOnce(&Applied) -> Result<(), E>,
    ) -> Result<Applied, ApplyError<E>> {
        self.write(approved, transaction, Extras::default(), commit)
    }

    /// Writes the approved change set of an [`UndoPlan`].
    ///
    /// Besides what [`Workspace::apply`] does, directories that the undone
    /// apply made go if they are empty, and files that come back get the owner
    /// and attributes that they had.
    pub fn apply_undo<E>(
        &self,
        approved: Approved,
        undone: &SnapshotId,
        transaction: TransactionId,
        commit: impl FnOnce(&Applied) -> Result<(), E>,
    ) -> Result<Applied, ApplyError<E>> {
        // Without the snapshot there is nothing to add; the change set stands for itself.
        let extras = undo::extras(&self.core, undone).unwrap_or_default();
        self.write(approved, transaction, extras, commit)
    }

    fn write<E>(
        &self,
        approved: Approved,
        transaction: TransactionId,
        extras: Extras,
        commit: impl FnOnce(&Applied) -> Result<(), E>,
    ) -> Result<Applied, ApplyError<E>> {
        let _turn = self.one_writer.lock().unwrap_or_else(PoisonError::into_inner);
        let gone = |Gone| WriteError::ApplierGone;
        let core = Arc::clone(&self.core);
        let prepare = move || apply::prepare(&core, &approved, transaction, extras);
        let pending = self.applier.run(prepare).map_err(gone)??;
        let outcome = catch_unwind(AssertUnwindSafe(|| commit(&pending.applied)));
        let core = Arc::clone(&self.core);
        if let Ok(Ok(())) = outcome {
            return Ok(self.applier.run(move || pending.finish(&core)).map_err(gone)?);
        }
        let rolled_back = self.applier.run(move || pending.roll_back(&core)).map_err(gone)?;
        match (outcome, rolled_back) {
            (Err(panic), _) => resume_unwind(panic),
            (Ok(Err(source)), Err(detail)) => {
                Err(ApplyError::CommitNotRolledBack { source, detail })
            }
            (Ok(Err(source)), Ok(())) => Err(ApplyError::Commit(source)),
            (Ok(Ok(())), _) => Err(WriteError::ApplierGone.into()),
        }
    }

    /// Whether the journal holds anything: a write under way elsewhere, or one cut short.
    pub fn has_leftovers(&self) -> bool {
        state_io::names(&self.core.state.journal).map_or(true, |names| !names.is_empty())
    }

    /// Finishes or takes back what a crash left.
    ///
    /// `is_committed` says whether a transaction's `commit` had succeeded.
    pub fn recover(
        &self,
        mut is_committed: impl FnMut(&TransactionId) -> Result<bool, String>,
    ) -> Result<RecoveryReport, RecoverError> {
        let _turn = self.one_writer.lock().unwrap_or_else(PoisonError::into_inner);
        let gone = |Gone| RecoverError::ApplierGone;
        let core = Arc::clone(&self.core);
        let leftovers = self.applier.run(move || recover::leftovers(&core)).map_err(gone)??;
        let mut committed = Vec::new();
        for record in &leftovers.records {
            let transaction = &record.transaction;
            committed.push(is_committed(transaction).map_err(|reason| {
                RecoverError::CannotTell { transaction: transaction.to_string(), reason }
            })?);
        }
        let core = Arc::clone(&self.core);
        self.applier.run(move || recover::settle(&core, leftovers, &committed)).map_err(gone)?
    }

    /// Keeps both states of files that somebody else changed, so that it can be undone.
    ///
    /// Nothing in the workspace is written.
    pub fn keep(
        &self,
        transaction: TransactionId,
        files: &[KeptFile],
    ) -> Result<SnapshotId, WriteError> {
        let _turn = self.one_writer.lock().unwrap_or_else(PoisonError::into_inner);
        keep::keep(&self.core, transaction, files)
    }

    /// What undoing a snapshot would do now.
    pub fn undo_plan(&self, snapshot: &SnapshotId) -> Result<UndoPlan, UndoError> {
        undo::plan(&self.core, snapshot)
    }

    /// How much is kept for undo.
    pub fn snapshot_stats(&self) -> SnapshotStats {
        let ring = snapshots::Ring::load(&self.core.state);
        ring.map(|ring| ring.stats()).unwrap_or_default()
    }
}
