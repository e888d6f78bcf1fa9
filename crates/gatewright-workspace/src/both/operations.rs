//! The public operations that are the same on every system, each a few lines over its module.

use std::path::Path;
use std::sync::PoisonError;

use gatewright_guards::Approved;
use gatewright_model::{FileMode, FileState, PathFacts, RequestedPath};

use super::ring::Ring;
use super::{Gone, Workspace, facts, keep, read, recover, state_io, undo};
use crate::commit::AtOnce;
use crate::record::representable;
use crate::{
    Applied, ApplyError, Commit, DirEntry, KeptFile, ReadError, RecoverError, RecoveryReport,
    SnapshotId, SnapshotStats, Survey, TransactionId, UndoError, UndoPlan, WriteError,
};

impl Workspace {
    /// The canonical path of the root, for display only.
    pub fn root(&self) -> &Path {
        self.core.root.path()
    }

    /// The mode that a created file gets.
    pub fn umask_mode(&self, executable: bool) -> FileMode {
        let wanted = if executable { 0o777 } else { 0o666 };
        representable(FileMode::from_bits(wanted & !self.umask))
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

    /// Writes an approved change set, all files or none.
    ///
    /// `commit` runs on the calling thread once every file is in place. If it fails,
    /// everything is taken back. When this returns, everything is synced.
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
        let gone = |_: Gone| RecoverError::ApplierGone;
        let leftovers = self.on_files(recover::leftovers).map_err(gone)??;
        let mut committed = Vec::new();
        for record in &leftovers.records {
            let transaction = &record.transaction;
            committed.push(is_committed(transaction).map_err(|reason| {
                RecoverError::CannotTell { transaction: transaction.to_string(), reason }
            })?);
        }
        self.on_files(move |core| recover::settle(core, leftovers, &committed)).map_err(gone)?
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
        let ring = Ring::load(&self.core.state);
        ring.map(|ring| ring.stats()).unwrap_or_default()
    }
}
