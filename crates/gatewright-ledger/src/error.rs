//! What can go wrong with the key, the database and the ledger.

use std::path::PathBuf;

use crate::canonical::CanonicalError;
use crate::checkpoint::CheckpointError;

/// The signing key cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    /// There is no key file.
    #[error("the signing key {path:?} is missing; restore it, or start a new ledger")]
    Missing {
        /// The key file.
        path: PathBuf,
    },
    /// Somebody else can read or replace the key.
    #[error("the signing key {path:?} has mode {mode:03o}; others may use it (chmod 600)")]
    TooOpen {
        /// The key file.
        path: PathBuf,
        /// Its permission bits.
        mode: u32,
    },
    /// The key belongs to another user.
    #[error("the signing key {path:?} belongs to user {owner}, not to user {user}")]
    OtherOwner {
        /// The key file.
        path: PathBuf,
        /// The owner's number.
        owner: u32,
        /// The number of the user who runs this.
        user: u32,
    },
    /// The path is a link, a directory or a device.
    #[error("the signing key {path:?} is not a regular file")]
    NotAFile {
        /// The key file.
        path: PathBuf,
    },
    /// The text is not a key of ours.
    #[error("the signing key {path:?} is not a gatewright key of version 1")]
    Malformed {
        /// The key file.
        path: PathBuf,
    },
    /// The system has no randomness to give.
    #[error("no random bytes for a new signing key")]
    Random {
        /// What the system said.
        #[source]
        source: getrandom::Error,
    },
    /// Reading or writing failed.
    #[error("cannot use the signing key {path:?}")]
    Io {
        /// The key file.
        path: PathBuf,
        /// What the system said.
        #[source]
        source: std::io::Error,
    },
}

/// The database cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The database is not there although it should be.
    #[error("the ledger {path:?} is missing; restore it, or remove {sidecar:?} to start anew")]
    Missing {
        /// The database.
        path: PathBuf,
        /// The copy of its last checkpoint.
        sidecar: PathBuf,
    },
    /// Another process holds it for too long.
    #[error("the ledger {path:?} is locked by another process; try again when it is done")]
    Locked {
        /// The database.
        path: PathBuf,
    },
    /// Its bytes are not a sound database.
    #[error("the ledger {path:?} is corrupt; restore it from a backup")]
    Corrupt {
        /// The database.
        path: PathBuf,
        /// What SQLite said, where it was SQLite that found it.
        #[source]
        source: Option<rusqlite::Error>,
    },
    /// A later version of Gatewright wrote it.
    #[error("the ledger {path:?} has version {found}; this program knows up to {supported}")]
    NewerVersion {
        /// The database.
        path: PathBuf,
        /// Its version.
        found: i64,
        /// The last version known here.
        supported: i64,
    },
    /// A database of another program.
    #[error("{path:?} is a database, but not a ledger of gatewright")]
    NotALedger {
        /// The database.
        path: PathBuf,
    },
    /// It cannot be written.
    #[error("the ledger {path:?} cannot be written; check the mode of file and folder")]
    ReadOnly {
        /// The database.
        path: PathBuf,
    },
    /// No room.
    #[error("the disk of the ledger {path:?} is full")]
    DiskFull {
        /// The database.
        path: PathBuf,
    },
    /// It cannot be opened or created.
    #[error("cannot open the ledger {path:?}")]
    CannotOpen {
        /// The database.
        path: PathBuf,
        /// What the system said.
        #[source]
        source: std::io::Error,
    },
    /// Anything else that SQLite reports.
    #[error("the ledger {path:?} failed")]
    Sqlite {
        /// The database.
        path: PathBuf,
        /// What SQLite said.
        #[source]
        source: rusqlite::Error,
    },
}

/// An operation on the ledger failed.
#[derive(Debug, thiserror::Error)]
pub enum LedgerError {
    /// The database.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The key.
    #[error(transparent)]
    Key(#[from] KeyError),
    /// A receipt that has no canonical form.
    #[error(transparent)]
    Canonical(#[from] CanonicalError),
    /// A checkpoint that was handed in cannot be read.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// A thing that happens once was there before.
    #[error("this was noted before")]
    Noted,
    /// The ledger was begun with another key.
    #[error("the ledger was signed with key {ledger_key}, but the key file holds {given_key}")]
    WrongKey {
        /// The id of the key in the ledger.
        ledger_key: String,
        /// The id of the key that was given.
        given_key: String,
    },
    /// The ledger was begun under another name.
    #[error("the ledger is named {ledger_origin:?}, not {given_origin:?}")]
    WrongOrigin {
        /// The name in the ledger.
        ledger_origin: String,
        /// The name that was given.
        given_origin: String,
    },
    /// The name cannot stand in a signed note.
    #[error("{origin:?} cannot name a ledger: no white space, no plus sign, not empty")]
    BadOrigin {
        /// The name that was given.
        origin: String,
    },
    /// The state that an append would build on is not the one that was signed.
    #[error("nothing can be appended: {reason}; run `gatewright receipts verify`")]
    Tampered {
        /// What does not fit.
        reason: String,
    },
    /// A stored receipt cannot be read.
    #[error("receipt {seq} cannot be read: {reason}")]
    BadReceipt {
        /// Its place.
        seq: u64,
        /// Why.
        reason: String,
    },
    /// The id is taken.
    #[error("there is already a receipt {receipt_id:?}")]
    DuplicateReceipt {
        /// The id.
        receipt_id: String,
    },
    /// There is no receipt at that place, or no tree of that size.
    #[error("there is no receipt {seq}; the ledger has {len}")]
    NoSuchReceipt {
        /// The place that was asked for.
        seq: u64,
        /// How many there are.
        len: u64,
    },
    /// Somebody else changed the staged item first, or it is gone.
    #[error("staged item {id:?} is not at version {expected} any more (now {found:?})")]
    StageConflict {
        /// The item.
        id: String,
        /// The version that the change was made against.
        expected: u64,
        /// The version now; `None` when there is no such item.
        found: Option<u64>,
    },
    /// The id of a new staged item is taken.
    #[error("there is already a staged item {id:?}")]
    StageExists {
        /// The item.
        id: String,
    },
    /// The receiver of an export failed.
    #[error("the export cannot be written")]
    Export {
        /// What the receiver said.
        #[source]
        source: std::io::Error,
    },
}
