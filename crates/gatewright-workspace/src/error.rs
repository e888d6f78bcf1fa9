//! The errors of each operation: what failed, where, and why in plain words.

use std::io;
use std::path::PathBuf;

use gatewright_model::{Digest, Finding, PathProblem, ResolutionFailure};

use crate::SnapshotId;

/// A workspace could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The root is not a directory that can be opened.
    #[error("cannot open the workspace root {}: {}", path.display(), plain_words(source))]
    Root {
        /// The root.
        path: PathBuf,
        /// The kernel's answer.
        source: io::Error,
    },
    /// The state directory cannot be used.
    #[error("cannot use the state directory {}: {}", path.display(), plain_words(source))]
    State {
        /// The state directory, or the part of it that failed.
        path: PathBuf,
        /// The kernel's answer.
        source: io::Error,
    },
    /// The state directory lies in the workspace, in the agent's reach.
    #[error("the state directory {} lies inside the workspace; it must be elsewhere", path.display())]
    StateInsideWorkspace {
        /// The state directory.
        path: PathBuf,
    },
    /// The kernel cannot resolve paths beneath a descriptor.
    #[error("this system cannot confine paths: {reason}")]
    Unsupported {
        /// What is missing.
        reason: String,
    },
}

/// A confined read failed.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The path leads nowhere that may be read.
    #[error("{path}: {failure}")]
    Path {
        /// The path as it was asked for.
        path: String,
        /// Why.
        failure: ResolutionFailure,
    },
    /// There is something else than a regular file.
    #[error("{path} is not a regular file")]
    NotAFile {
        /// The path as it was asked for.
        path: String,
    },
    /// There is something else than a directory.
    #[error("{path} is not a directory")]
    NotADirectory {
        /// The path as it was asked for.
        path: String,
    },
    /// The file is larger than the caller takes.
    #[error("{path} has {size} bytes, more than the limit of {limit}")]
    TooLarge {
        /// The path as it was asked for.
        path: String,
        /// Its size.
        size: u64,
        /// The limit.
        limit: u64,
    },
    /// The kernel failed.
    #[error("cannot read {path}: {}", plain_words(source))]
    Disk {
        /// The path as it was asked for.
        path: String,
        /// The kernel's answer.
        source: io::Error,
    },
}

impl ReadError {
    pub(crate) fn text(path: &str, problem: PathProblem) -> Self {
        let failure = ResolutionFailure::Text(problem);
        ReadError::Path { path: path.to_owned(), failure }
    }
}

/// The lock of the state directory could not be taken.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    /// Another writer holds it.
    #[error("another process{} is writing to this workspace; gave up after {waited_ms} ms", holder_words(*holder))]
    Busy {
        /// Its process id, when known.
        holder: Option<u32>,
        /// How long was waited.
        waited_ms: u64,
    },
    /// The kernel failed.
    #[error("cannot lock the state directory: {}", plain_words(source))]
    Disk {
        /// The kernel's answer.
        source: io::Error,
    },
}

/// A write failed; the workspace is as it was, unless the variant says otherwise.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// Another writer is at work.
    #[error(transparent)]
    Locked(#[from] LockError),
    /// An earlier write was cut short; call `recover` first.
    #[error("an earlier write was cut short ({count} in the journal); it must be recovered first")]
    NeedsRecovery {
        /// How many records the journal holds.
        count: usize,
    },
    /// A guard refuses the place as it is now.
    #[error("{}: {}", .0.path, .0.message)]
    Refused(Box<Finding>),
    /// The file is not the one that the change was made against.
    #[error(
        "{path} changed since it was read: expected {}, found {}",
        digest_words(expected),
        digest_words(found)
    )]
    StaleBase {
        /// The resolved path.
        path: String,
        /// The base; `None` for no file.
        expected: Option<Digest>,
        /// What stands there; `None` for no file.
        found: Option<Digest>,
    },
    /// The bytes are those of the base, the permission bits are not.
    #[error("the mode of {path} changed since it was read: expected {expected:o}, found {found:o}")]
    StaleMode {
        /// The resolved path.
        path: String,
        /// The mode of the base.
        expected: u32,
        /// The mode now.
        found: u32,
    },
    /// What stands there is no regular file.
    #[error("{path} is not a regular file")]
    NotAFile {
        /// The resolved path.
        path: String,
    },
    /// Two changes of one set lead to the same file.
    #[error("two changes of one set lead to {path}")]
    Duplicate {
        /// The resolved path.
        path: String,
    },
    /// A directory on the way was moved or replaced while writing.
    #[error("{path}: a directory on the way was moved while the change was being written")]
    Moved {
        /// The resolved path.
        path: String,
    },
    /// Somebody changed the new file before it was in place.
    #[error("{path}: the new file was changed by somebody before it was in place")]
    Tampered {
        /// The resolved path.
        path: String,
    },
    /// Owner, attributes or access list of the old file cannot be kept.
    #[error("cannot keep the {what} of {path}: {}", plain_words(source))]
    Attributes {
        /// The resolved path.
        path: String,
        /// What cannot be kept.
        what: String,
        /// The kernel's answer.
        source: io::Error,
    },
    /// The kernel failed.
    #[error("cannot {action} {path}: {}", plain_words(source))]
    Disk {
        /// What was being done.
        action: &'static str,
        /// The resolved path, or the part of the state directory.
        path: String,
        /// The kernel's answer.
        source: io::Error,
    },
    /// The change failed and could not be taken back wholly; the journal keeps
    /// what `recover` needs.
    #[error("{cause}; taking it back failed too: {detail}")]
    NotRolledBack {
        /// Why the change failed.
        cause: Box<WriteError>,
        /// What could not be taken back.
        detail: String,
    },
    /// The applying thread is gone.
    #[error("the applying thread of this workspace has ended")]
    ApplierGone,
}

/// What of a file's owner and attributes could not be read or given.
#[derive(Debug)]
pub(crate) struct AttributeFailure {
    pub(crate) what: String,
    pub(crate) source: io::Error,
}

impl AttributeFailure {
    /// The error of the file that it is about.
    pub(crate) fn at(self, path: &str) -> WriteError {
        WriteError::Attributes { path: path.to_owned(), what: self.what, source: self.source }
    }
}

/// The system's answer as an error, with what was being done.
pub(crate) fn disk<E: Into<io::Error>>(
    action: &'static str,
    path: impl Into<String>,
) -> impl FnOnce(E) -> WriteError {
    let path = path.into();
    move |source| WriteError::Disk { action, path, source: source.into() }
}

/// An apply failed.
#[derive(Debug, thiserror::Error)]
pub enum ApplyError<E> {
    /// The files could not be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The caller's `commit` failed; every file is as it was.
    #[error("the change could not be recorded, so it was taken back")]
    Commit(#[source] E),
    /// The caller's `commit` failed, and taking the change back failed too.
    #[error("the change could not be recorded, and taking it back failed: {detail}")]
    CommitNotRolledBack {
        /// Why the commit failed.
        #[source]
        source: E,
        /// What could not be taken back; `recover` will try again.
        detail: String,
    },
}

/// Recovery could not run, or not to its end.
#[derive(Debug, thiserror::Error)]
pub enum RecoverError {
    /// Another writer is at work.
    #[error(transparent)]
    Locked(#[from] LockError),
    /// The caller could not tell whether a transaction was committed.
    #[error("cannot tell whether {transaction} was committed: {reason}")]
    CannotTell {
        /// The transaction.
        transaction: String,
        /// The caller's words.
        reason: String,
    },
    /// The kernel failed; the journal still holds what is left to do.
    #[error("cannot recover {transaction}: {reason}")]
    Disk {
        /// The transaction.
        transaction: String,
        /// What failed.
        reason: String,
    },
    /// The applying thread is gone.
    #[error("the applying thread of this workspace has ended")]
    ApplierGone,
}

/// An undo could not be planned.
#[derive(Debug, thiserror::Error)]
pub enum UndoError {
    /// The snapshot is older than the ring keeps.
    #[error("the snapshot {0} is no longer kept, so it cannot be undone")]
    Evicted(SnapshotId),
    /// There never was such a snapshot here.
    #[error("there is no snapshot {0} in this workspace")]
    Unknown(SnapshotId),
    /// The record or its saved bytes are damaged.
    #[error("the snapshot {id} is damaged: {reason}")]
    Damaged {
        /// The snapshot.
        id: SnapshotId,
        /// What is wrong with it.
        reason: String,
    },
    /// A file of it cannot be read now.
    #[error(transparent)]
    Read(#[from] ReadError),
}

fn digest_words(digest: &Option<Digest>) -> String {
    digest.map_or_else(|| "no file".to_owned(), |digest| digest.to_string())
}

fn holder_words(holder: Option<u32>) -> String {
    holder.map(|pid| format!(" (pid {pid})")).unwrap_or_default()
}

/// The kernel's answer in words that say what to do about it.
fn plain_words(source: &io::Error) -> String {
    match source.kind() {
        io::ErrorKind::StorageFull => "the disk is full".to_owned(),
        io::ErrorKind::QuotaExceeded => "the disk quota is used up".to_owned(),
        io::ErrorKind::ReadOnlyFilesystem => "the file system is read-only".to_owned(),
        io::ErrorKind::PermissionDenied => format!("permission denied ({source})"),
        _ => source.to_string(),
    }
}
