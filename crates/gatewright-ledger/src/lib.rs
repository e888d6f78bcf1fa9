//! Signed receipts in a hash chain and a Merkle tree.
//!
//! Every outcome of the pipeline is one receipt. A receipt is stored as its
//! canonical JSON ([`canonical`]), names the hash of the receipt before it, is
//! signed, and is a leaf of a Merkle tree (RFC 9162). After each append the
//! tree's size and root are signed as a *checkpoint* (C2SP signed note), kept
//! in the database and in a file beside it.
//!
//! [`Ledger::verify`] finds the first altered, removed, reordered or inserted
//! receipt. A log cannot prove its own tail: where only a checkpoint kept
//! elsewhere could tell, it says so instead of "ok".
//!
//! This crate never looks into the workspace and judges nothing.
//!
//! ```
//! # #![allow(clippy::disallowed_methods)]
//! use gatewright_ledger::{Durability, Ledger, Signer, Verdict, VerifyOptions};
//! # let folder = tempfile::tempdir().unwrap();
//! let signer = Signer::load_or_create(&folder.path().join("key")).unwrap();
//! let ledger = Ledger::open(
//!     &folder.path().join("ledger.db"), "example.org/ledger", signer, Durability::Full,
//! ).unwrap();
//! assert_eq!(ledger.len().unwrap(), 0);
//! let report = ledger.verify(VerifyOptions::default()).unwrap();
//! assert_eq!(report.verdict, Verdict::Ok);
//! ```

mod anchor;
mod append;
mod audit;
mod canonical;
mod chain;
mod checkpoint;
mod error;
mod export;
mod io;
mod ledger;
mod merkle;
mod once;
mod query;
mod scan;
mod signer;
mod sqlite;
mod sqlite_rows;
mod stage;
mod store;
mod verify;

pub use anchor::{Anchor, TRAILER};
pub use append::Draft;
pub use audit::{Evidence, Verdict, VerifyOptions, VerifyReport};
pub use canonical::{CanonicalError, MAX_INTEGER, canonical, parse_strict};
pub use checkpoint::{Checkpoint, CheckpointError};
pub use error::{KeyError, LedgerError, StoreError};
pub use export::{PAYLOAD_TYPE, PREDICATE_TYPE};
pub use ledger::{Durability, InclusionProof, Ledger};
pub use merkle::{
    Frontier, Hash, consistency_proof, empty_root, inclusion_proof, leaf_hash, root_of,
    verify_consistency, verify_inclusion,
};
pub use once::Once;
pub use scan::is_canonical;
pub use signer::{PublicKey, Signer};
pub use store::{IndexedColumn, ReceiptQuery, Row, StageItem, StageUpdate, Store, TreeState};
pub use verify::{Fault, Verifier};
