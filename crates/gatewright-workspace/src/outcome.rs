//! What the operations of a workspace return.

use std::fmt;
use std::str::FromStr;

use gatewright_model::{
    ChangeSet, Digest, FileMode, FileState, RepoPath, RequestedPath, TargetKind,
};
use serde::{Deserialize, Serialize};

/// Names one apply; the id of the receipt that its `commit` appends.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TransactionId(String);

impl TransactionId {
    /// Takes any text.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for TransactionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Names a snapshot: `s`, its place in the ring, and random digits.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct SnapshotId(String);

/// The text names no snapshot.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not a snapshot id: {text:?}")]
pub struct BadSnapshotId {
    text: String,
}

impl SnapshotId {
    pub(crate) fn from_parts(sequence: u64, random: u32) -> Self {
        Self(format!("s{sequence:012}-{random:08x}"))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The place in the ring; larger is younger.
    pub fn sequence(&self) -> u64 {
        self.0.get(1..13).and_then(|digits| digits.parse().ok()).unwrap_or_default()
    }
}

impl fmt::Display for SnapshotId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for SnapshotId {
    type Err = BadSnapshotId;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let bytes = text.as_bytes();
        let is_good = bytes.len() == 22
            && bytes[0] == b's'
            && bytes[1..13].iter().all(u8::is_ascii_digit)
            && bytes[13] == b'-'
            && bytes[14..].iter().all(u8::is_ascii_hexdigit);
        if is_good {
            Ok(Self(text.to_owned()))
        } else {
            Err(BadSnapshotId { text: text.chars().take(80).collect() })
        }
    }
}

impl TryFrom<String> for SnapshotId {
    type Error = BadSnapshotId;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<SnapshotId> for String {
    fn from(id: SnapshotId) -> Self {
        id.0
    }
}

/// A change set that is on disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Applied {
    /// The transaction that wrote it.
    pub transaction: TransactionId,
    /// Where undo starts from.
    pub snapshot: SnapshotId,
    /// The files, in the order of the change set.
    pub files: Vec<AppliedFile>,
    /// The snapshots that had to go. Known only after `commit`: empty inside it.
    pub evicted: Vec<SnapshotId>,
    /// What could not be tidied up after `commit`; `recover` will. Empty inside `commit`.
    pub cleanup_failures: Vec<String>,
}

/// One file of an [`Applied`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AppliedFile {
    /// The path as it was asked for.
    pub requested: RequestedPath,
    /// Where it led.
    pub resolved: RepoPath,
    /// What stood there; `None` for nothing.
    pub before: Option<(Digest, FileMode)>,
    /// What stands there; `None` for nothing.
    pub after: Option<(Digest, FileMode)>,
}

/// What undoing a snapshot would do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UndoPlan {
    /// The changes that take back every file that is still as the apply left it.
    pub change_set: ChangeSet,
    /// The files that somebody changed since; they are not in the change set.
    pub conflicts: Vec<UndoConflict>,
    /// The directories that the apply made, deepest first.
    pub made_directories: Vec<RepoPath>,
    /// The transaction that made the snapshot.
    pub transaction: TransactionId,
}

/// A file that cannot be taken back, with its three states.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UndoConflict {
    /// The resolved path.
    pub path: RepoPath,
    /// What the apply left; `None` for no file, or when its bytes are no longer kept.
    pub left_by_apply: Option<FileState>,
    /// What stands there now; `None` for no regular file.
    pub now: Option<FileState>,
    /// What undo would put there; `None` for no file.
    pub restores: Option<FileState>,
}

/// What recovery did.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RecoveryReport {
    /// Transactions that had been committed; only leftovers were removed.
    pub finished: Vec<TransactionId>,
    /// Transactions that had not been committed and were taken back.
    pub rolled_back: Vec<TransactionId>,
    /// Files that were left as they are, because somebody changed them since.
    pub conflicts: Vec<RecoveryConflict>,
    /// Journal records that were never complete, so that nothing had begun.
    pub abandoned: Vec<String>,
}

/// A file that recovery left alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecoveryConflict {
    /// The transaction.
    pub transaction: TransactionId,
    /// The resolved path.
    pub path: RepoPath,
    /// What stands in the way, and where the other bytes are kept.
    pub detail: String,
}

/// One name in a directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DirEntry {
    /// The name; bytes that are not UTF-8 are replaced.
    pub name: String,
    /// What it is; a symbolic link counts as special.
    pub kind: TargetKind,
    /// The size in bytes, for a regular file.
    pub size: u64,
    /// Whether it is a symbolic link.
    pub is_link: bool,
    /// What tells without reading whether it is still the same.
    pub stamp: Stamp,
}

/// What a walk needs of a directory.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Survey {
    /// The names of its directories, in order.
    pub directories: Vec<String>,
    /// The regular files that were wanted, in order of their names.
    pub files: Vec<DirEntry>,
}

impl Survey {
    /// Takes in an entry that is wanted; `None` for one that vanished meanwhile.
    pub(crate) fn add(&mut self, entry: Option<DirEntry>, is_wanted: &dyn Fn(&str) -> bool) {
        let Some(entry) = entry else { return };
        match entry.kind {
            TargetKind::Directory => self.directories.push(entry.name),
            TargetKind::Regular if is_wanted(&entry.name) => self.files.push(entry),
            _ => {}
        }
    }

    /// The same in order.
    pub(crate) fn sorted(mut self) -> Self {
        self.directories.sort_unstable();
        self.files.sort_unstable_by(|one, other| one.name.cmp(&other.name));
        self
    }
}

/// What happened in the folders that are watched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Happened {
    /// These files were written, made, moved or removed, and nothing else.
    To(Vec<String>),
    /// It is not known: all has to be looked at again, and the watch is of no more use.
    Anything,
}

/// What the file system says of a file without its bytes being read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Stamp {
    /// The inode.
    pub inode: u64,
    /// When the bytes changed last, in nanoseconds since 1970.
    pub modified: i64,
    /// When the bytes or the attributes changed last, in nanoseconds since 1970.
    pub changed: i64,
    /// The permission bits.
    pub mode: u32,
}

/// A file that somebody else changed, with both of its states, kept for undo.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptFile {
    /// The path.
    pub path: RepoPath,
    /// What stood there; `None` for nothing.
    pub before: Option<FileState>,
    /// What stands there; `None` for nothing.
    pub after: Option<FileState>,
}

/// How much is kept for undo.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SnapshotStats {
    /// Number of snapshots.
    pub count: u64,
    /// Bytes on disk, compressed.
    pub bytes: u64,
}

/// Whether the applying thread has walled itself in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LandlockStatus {
    /// It can write beneath the root and the state directory only.
    Enforced,
    /// The same, but the kernel lacks some of the newer rights.
    Partial,
    /// The kernel offers no Landlock, or not enough of it; the reason.
    Unavailable(String),
}
