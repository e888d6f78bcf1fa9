//! What a workspace is opened with. Values only; the caller read them from wherever they come.

use std::path::PathBuf;
use std::time::Duration;

/// How to open a workspace.
#[derive(Debug, Clone)]
pub struct WorkspaceOptions {
    /// The directory that is guarded.
    pub root: PathBuf,
    /// Where snapshots, the journal and the lock live; never beneath `root`.
    pub state_dir: PathBuf,
    /// Absolute paths that are Gatewright's own: state, configuration, binary, key.
    pub own_paths: Vec<PathBuf>,
    /// Whether a write survives a power failure.
    pub durability: Durability,
    /// How much may be kept for undo.
    pub snapshot_limits: SnapshotLimits,
    /// How long to wait for another writer.
    pub lock_timeout: Duration,
}

impl WorkspaceOptions {
    /// The defaults for a root and its state directory.
    pub fn new(root: impl Into<PathBuf>, state_dir: impl Into<PathBuf>) -> Self {
        let state_dir = state_dir.into();
        Self {
            root: root.into(),
            own_paths: vec![state_dir.clone()],
            state_dir,
            durability: Durability::Full,
            snapshot_limits: SnapshotLimits::default(),
            lock_timeout: Duration::from_secs(10),
        }
    }
}

/// Whether a write survives a power failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Durability {
    /// Every step is synced before the next one relies on it.
    Full,
    /// Nothing is synced. For measuring only; a killed process is still safe.
    None,
}

/// How much may be kept for undo; beyond it the oldest snapshots go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SnapshotLimits {
    /// Bytes on disk, compressed.
    pub max_bytes: u64,
    /// Number of snapshots.
    pub max_count: u64,
}

impl Default for SnapshotLimits {
    fn default() -> Self {
        Self { max_bytes: 1_000_000_000, max_count: 10_000 }
    }
}
