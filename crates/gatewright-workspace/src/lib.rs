//! The confined filesystem of a workspace: resolve, read, snapshot, apply, undo.
//!
//! A [`Workspace`] holds one descriptor of its root. Every path is resolved by
//! the kernel beneath that descriptor; what cannot be resolved so is a value
//! ([`gatewright_model::ResolutionFailure`]) and never a guess from text.
//!
//! The only thing that is written is a [`gatewright_guards::Approved`], by
//! [`Workspace::apply`], all files or none: the old bytes are saved, a journal
//! record names every step before the first one is made, and the caller's
//! `commit` decides whether the change stands. [`Workspace::recover`] finishes
//! or undoes what a crash left. [`Workspace::undo_plan`] turns a snapshot back
//! into a change set, which takes the same road as every other.
//!
//! Nothing here decides what may be written: that is `gatewright-guards`.

mod commit;
mod error;
mod options;
mod outcome;
mod priority;
mod random;
mod record;

#[cfg(target_os = "linux")]
mod linux;
#[doc(hidden)]
pub mod portable;

pub use commit::Commit;
pub use error::{ApplyError, LockError, OpenError, ReadError, RecoverError, UndoError, WriteError};
pub use options::{Durability, SnapshotLimits, WorkspaceOptions};
pub use outcome::{
    Applied, AppliedFile, BadSnapshotId, DirEntry, Happened, KeptFile, LandlockStatus,
    RecoveryConflict, RecoveryReport, SnapshotId, SnapshotStats, Stamp, Survey, TransactionId,
    UndoConflict, UndoPlan,
};

pub use priority::give_way;

#[cfg(target_os = "linux")]
pub use linux::{Watch, Workspace};
#[cfg(not(target_os = "linux"))]
pub use portable::{Watch, Workspace};
