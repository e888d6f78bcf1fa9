//! The workspace on other systems than Linux: the public operations, each a few
//! lines over its module.
//!
//! Everything inside the workspace goes through handles of `cap-std`, which
//! does not leave the directory that it was given. There is no second wall, no
//! exchange of two files in one step and no view of mount points, so some
//! promises are weaker than on Linux; the threat model says which.
//!
//! On Linux this is built for its tests only.

mod ambient;
mod apply;
mod attributes;
mod directories;
mod facts;
mod hard_links;
#[allow(clippy::duplicate_mod, reason = "built over the files of each system")]
#[path = "../both/keep.rs"]
mod keep;
mod names;
mod own;
mod plan;
mod read;
mod recover;
mod rollback;
mod root;
mod snapshots;
mod spelling;
mod stage;
mod state_io;
mod swap;
#[allow(clippy::duplicate_mod, reason = "built over the files of each system")]
#[path = "../both/undo.rs"]
mod undo;

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use gatewright_guards::Approved;
use gatewright_model::{FileMode, FileState, PathFacts, RequestedPath};

use self::own::OwnPaths;
use self::plan::Extras;
use self::root::Root;
use self::state_io::StateDir;
use crate::commit::AtOnce;
use crate::{
    Applied, ApplyError, Commit, DirEntry, KeptFile, LandlockStatus, OpenError, ReadError,
    RecoverError, RecoveryReport, SnapshotId, SnapshotLimits, SnapshotStats, Survey, TransactionId,
    UndoError, UndoPlan, WorkspaceOptions, WriteError,
};

/// No watch at all.
#[derive(Debug)]
pub enum Watch {}

impl Watch {
    /// Nothing is told.
    pub fn is_watching(&self, _: &str) -> bool {
        match *self {}
    }

    /// Nothing can be asked of it.
    pub fn take(&mut self) -> crate::Happened {
        crate::Happened::Anything
    }
}

/// A directory that is read and written only beneath one handle.
///
/// It can be shared between threads; writes wait for one another.
#[derive(Debug)]
pub struct Workspace {
    core: Core,
    landlock: LandlockStatus,
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
        if own::lies_within(&options.state_dir, &root) {
            return Err(OpenError::StateInsideWorkspace { path: options.state_dir });
        }
        let state = StateDir::open(&options.state_dir, options.durability)?;
        let umask = state_io::umask(&state);
        let core = Core {
            own: OwnPaths::new(&options.own_paths),
            root,
            state,
            limits: options.snapshot_limits,
            lock_timeout: options.lock_timeout,
        };
        let landlock = LandlockStatus::Unavailable("only Linux has it".to_owned());
        Ok(Workspace { core, landlock, one_writer: Mutex::new(()), umask })
    }

    /// The canonical path of the root, for display only.
    pub fn root(&self) -> &Path {
        self.core.root.path()
    }

    /// Always unavailable: there is no second wall.
    pub fn landlock_status(&self) -> &LandlockStatus {
        &self.landlock
    }

    /// The mode that a created file gets.
    pub fn umask_mode(&self, executable: bool) -> FileMode {
        let wanted = if executable { 0o777 } else { 0o666 };
        FileMode::from_bits(names::representable(wanted & !self.umask))
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

    /// Lists what a walk needs of a directory: its directories, and the files whose names are
    /// wanted. A link is neither.
    pub fn survey(
        &self,
        requested: &RequestedPath,
        is_wanted: &dyn Fn(&str) -> bool,
    ) -> Result<Survey, ReadError> {
        read::survey(&self.core, requested, is_wanted)
    }

    /// There is none here: callers look for themselves.
    pub fn watch(&self) -> Option<Watch> {
        None
    }

    /// There is nothing to add a folder to.
    pub fn watch_folder(&self, _: &mut Watch, _: &str) -> bool {
        false
    }

    /// Writes an approved change set, all files or none.
    ///
    /// `commit` runs once every file is in place and synced. If it fails,
    /// everything is taken back.
    pub fn apply<E>(
        &self,
        approved: Approved,
        transaction: TransactionId,
        commit: impl FnOnce(&Applied) -> Result<(), E>,
    ) -> Result<Applied, ApplyError<E>> {
        self.apply_with(approved, None, transaction, AtOnce(commit))
    }

    /// Writes an approved change set, or that of an [`UndoPlan`] of the snapshot `undone`.
    ///
    /// Of an undo, directories that the undone apply made go if they are empty, and files
    /// that come back get the owner and attributes that they had.
    pub fn apply_with<C: Commit>(
        &self,
        approved: Approved,
        undone: Option<&SnapshotId>,
        transaction: TransactionId,
        commit: C,
    ) -> Result<Applied, ApplyError<C::Error>> {
        // Without the snapshot there is nothing to add; the change set stands for itself.
        let extras = undone.and_then(|undone| undo::extras(&self.core, undone).ok());
        self.write(approved, transaction, extras.unwrap_or_default(), commit)
    }

    fn write<C: Commit>(
        &self,
        approved: Approved,
        transaction: TransactionId,
        extras: Extras,
        mut commit: C,
    ) -> Result<Applied, ApplyError<C::Error>> {
        let _turn = self.one_writer.lock().unwrap_or_else(PoisonError::into_inner);
        let pending = apply::prepare(&self.core, &approved, transaction, extras)?;
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            commit.draft(&pending.applied);
            commit.commit(&pending.applied)
        }));
        if let Ok(Ok(())) = outcome {
            return Ok(pending.finish(&self.core));
        }
        let rolled_back = pending.roll_back(&self.core);
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
        let leftovers = recover::leftovers(&self.core)?;
        let mut committed = Vec::new();
        for record in &leftovers.records {
            let transaction = &record.transaction;
            committed.push(is_committed(transaction).map_err(|reason| {
                RecoverError::CannotTell { transaction: transaction.to_string(), reason }
            })?);
        }
        recover::settle(&self.core, leftovers, &committed)
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
