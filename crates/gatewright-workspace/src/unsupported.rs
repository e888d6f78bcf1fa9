//! The workspace on systems whose confinement is not built yet: everything is refused.

use std::path::{Path, PathBuf};

use gatewright_guards::Approved;
use gatewright_model::{
    FileMode, FileState, PathFacts, RequestedPath, Resolution, ResolutionFailure,
};

use crate::{
    Applied, ApplyError, DirEntry, KeptFile, LandlockStatus, OpenError, ReadError, RecoverError,
    RecoveryReport, SnapshotId, SnapshotStats, TransactionId, UndoError, UndoPlan,
    WorkspaceOptions, WriteError,
};

/// A workspace that resolves nothing and writes nothing.
#[derive(Debug)]
pub struct Workspace {
    root: PathBuf,
    landlock: LandlockStatus,
}

impl Workspace {
    /// Opens nothing; every path is a refusal.
    pub fn open(options: WorkspaceOptions) -> Result<Workspace, OpenError> {
        let landlock = LandlockStatus::Unavailable("not a Linux system".to_owned());
        Ok(Workspace { root: options.root, landlock })
    }

    /// The root as it was given.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Always unavailable.
    pub fn landlock_status(&self) -> &LandlockStatus {
        &self.landlock
    }

    /// The usual mode of a created file.
    pub fn umask_mode(&self, executable: bool) -> FileMode {
        if executable { FileMode::EXECUTABLE } else { FileMode::REGULAR }
    }

    /// Nothing is ever written here, so nothing is ever left over.
    pub fn has_leftovers(&self) -> bool {
        false
    }

    /// Always a failed resolution.
    pub fn facts(&self, requested: &RequestedPath) -> PathFacts {
        let resolution = Resolution::Failed(ResolutionFailure::Unsupported);
        PathFacts { requested: requested.clone(), resolution }
    }

    /// Always refused.
    pub fn read(
        &self,
        requested: &RequestedPath,
        _limit: u64,
    ) -> Result<Option<FileState>, ReadError> {
        Err(refused(requested))
    }

    /// Always refused.
    pub fn read_dir(&self, requested: &RequestedPath) -> Result<Vec<DirEntry>, ReadError> {
        Err(refused(requested))
    }

    /// Always refused.
    pub fn apply<E>(
        &self,
        _approved: Approved,
        _transaction: TransactionId,
        _commit: impl FnOnce(&Applied) -> Result<(), E>,
    ) -> Result<Applied, ApplyError<E>> {
        Err(WriteError::Unsupported.into())
    }

    /// Always refused.
    pub fn apply_undo<E>(
        &self,
        _approved: Approved,
        _undone: &SnapshotId,
        _transaction: TransactionId,
        _commit: impl FnOnce(&Applied) -> Result<(), E>,
    ) -> Result<Applied, ApplyError<E>> {
        Err(WriteError::Unsupported.into())
    }

    /// Nothing was ever written, so there is nothing to recover.
    pub fn recover(
        &self,
        _is_committed: impl FnMut(&TransactionId) -> Result<bool, String>,
    ) -> Result<RecoveryReport, RecoverError> {
        Ok(RecoveryReport::default())
    }

    /// Always refused.
    pub fn keep(
        &self,
        _transaction: TransactionId,
        _files: &[KeptFile],
    ) -> Result<SnapshotId, WriteError> {
        Err(WriteError::Unsupported)
    }

    /// There are no snapshots.
    pub fn undo_plan(&self, snapshot: &SnapshotId) -> Result<UndoPlan, UndoError> {
        Err(UndoError::Unknown(snapshot.clone()))
    }

    /// There are no snapshots.
    pub fn snapshot_stats(&self) -> SnapshotStats {
        SnapshotStats::default()
    }
}

fn refused(requested: &RequestedPath) -> ReadError {
    let failure = ResolutionFailure::Unsupported;
    ReadError::Path { path: requested.as_str().to_owned(), failure }
}
