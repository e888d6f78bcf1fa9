//! The ledger: opens it, finds receipts, verifies them.
//!
//! Appending is in `append.rs`, the stage in `stage.rs`, exports and proofs in
//! `export.rs`.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use gatewright_model::{Digest, Receipt};

use crate::audit::{Audit, VerifyOptions, VerifyReport};
use crate::chain;
use crate::checkpoint::Checkpoint;
use crate::error::{LedgerError, StoreError};
use crate::io;
use crate::merkle::{self, Frontier, Hash};
use crate::signer::Signer;
use crate::sqlite::SqliteStore;
use crate::store::{ReceiptQuery, Store, TreeState};

/// Whether an append waits for the disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Durability {
    /// It does: what was appended survives a power cut.
    #[default]
    Full,
    /// It does not: it survives a crash of the program only.
    None,
}

/// Proves that a receipt is in the tree of a checkpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InclusionProof {
    /// The place of the receipt.
    pub seq: u64,
    /// The size of the tree.
    pub size: u64,
    /// The hash of its leaf.
    pub leaf: Hash,
    /// The hashes from the leaf to the root.
    pub path: Vec<Hash>,
    /// The root.
    pub root: Hash,
    /// The signed checkpoint of that size and root.
    pub checkpoint: String,
}

impl InclusionProof {
    /// Whether path, leaf and root fit. The checkpoint is checked apart.
    pub fn holds(&self) -> bool {
        merkle::verify_inclusion(&self.leaf, self.seq, self.size, &self.path, &self.root)
    }
}

/// The receipts, the stage and the settings of one workspace.
pub struct Ledger {
    pub(crate) state: Mutex<State>,
    pub(crate) signer: Signer,
    pub(crate) origin: String,
    pub(crate) second_copy: PathBuf,
}

pub(crate) struct State {
    pub(crate) store: Box<dyn Store>,
    /// What this process wrote last.
    pub(crate) written: Option<Written>,
    /// Why the copy of its checkpoint failed, if so.
    pub(crate) copy_problem: Option<String>,
}

/// The end of the ledger as this process wrote it.
pub(crate) struct Written {
    /// The tree.
    pub(crate) state: TreeState,
    /// The bytes of the last receipt; `None` where there is none.
    pub(crate) last: Option<Vec<u8>>,
}

impl Ledger {
    /// Opens the ledger at `path`, or begins one under the name `origin`.
    ///
    /// A database that is gone while the copy of its checkpoint remains is an
    /// error and not a new beginning.
    pub fn open(
        path: &Path,
        origin: &str,
        signer: Signer,
        durability: Durability,
    ) -> Result<Self, LedgerError> {
        if origin.is_empty() || origin.contains(|c: char| c == '+' || c.is_whitespace()) {
            return Err(LedgerError::BadOrigin { origin: origin.to_owned() });
        }
        let second_copy = second_copy_of(path);
        refuse_vanished(path, &second_copy)?;
        let store: Box<dyn Store> = Box::new(SqliteStore::open(path, durability)?);
        let state = Mutex::new(State { store, written: None, copy_problem: None });
        let ledger = Self { state, signer, origin: origin.to_owned(), second_copy };
        ledger.begin_or_check()?;
        Ok(ledger)
    }

    /// Writes the state of an empty tree into a new database; checks an old one.
    fn begin_or_check(&self) -> Result<(), LedgerError> {
        let mut state = self.lock();
        let found = match state.store.tree_state()? {
            Some(found) => found,
            None => transact(&*state.store, |store| match store.tree_state()? {
                Some(found) => Ok(found),
                None => {
                    let begun = self.tree_state(None, &Frontier::default());
                    store.put_tree_state(&begun)?;
                    Ok(begun)
                }
            })?,
        };
        if found.key_id != self.signer.key_id() {
            let given_key = self.signer.key_id();
            return Err(LedgerError::WrongKey { ledger_key: found.key_id, given_key });
        }
        if found.origin != self.origin {
            let given_origin = self.origin.clone();
            return Err(LedgerError::WrongOrigin { ledger_origin: found.origin, given_origin });
        }
        if found.size == 0 {
            self.copy_checkpoint(&mut state, Written { state: found, last: None });
        }
        Ok(())
    }

    /// The name of the ledger.
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// The signer.
    pub fn signer(&self) -> &Signer {
        &self.signer
    }

    /// The file with the second copy of the checkpoint.
    pub fn second_copy_path(&self) -> &Path {
        &self.second_copy
    }

    /// Why the second copy could not be written after the last append, if so.
    pub fn second_copy_problem(&self) -> Option<String> {
        self.lock().copy_problem.clone()
    }

    pub(crate) fn read_second_copy(&self) -> Result<Option<String>, LedgerError> {
        let path = || self.second_copy.clone();
        let read = io::read_text(&self.second_copy);
        Ok(read.map_err(|source| StoreError::CannotOpen { path: path(), source })?)
    }

    /// The receipt at place `seq`.
    pub fn get(&self, seq: u64) -> Result<Option<Receipt>, LedgerError> {
        read_optional(self.lock().store.receipt_at(seq)?)
    }

    /// The receipt with this id.
    pub fn find(&self, receipt_id: &str) -> Result<Option<Receipt>, LedgerError> {
        read_optional(self.lock().store.receipt_with_id(receipt_id)?)
    }

    /// Up to ten receipts whose id begins with `prefix`.
    pub fn find_prefix(&self, prefix: &str) -> Result<Vec<Receipt>, LedgerError> {
        let found = self.lock().store.receipts_with_prefix(prefix, 10)?;
        found.into_iter().map(|(seq, bytes)| read_receipt(seq, &bytes)).collect()
    }

    /// Whether there is a receipt with this id.
    pub fn contains(&self, receipt_id: &str) -> Result<bool, LedgerError> {
        Ok(self.lock().store.receipt_with_id(receipt_id)?.is_some())
    }

    /// The receipts that `query` asks for, newest first.
    pub fn list(&self, query: &ReceiptQuery) -> Result<Vec<Receipt>, LedgerError> {
        let limit = query.limit.unwrap_or(usize::MAX);
        let mut found = Vec::new();
        let mut failed = None;
        self.lock().store.visit_newest(query, &mut |seq, bytes| {
            if found.len() >= limit {
                return ControlFlow::Break(());
            }
            match read_receipt(seq, bytes) {
                Ok(receipt) if query.matches(&receipt) => found.push(receipt),
                Ok(_) => {}
                Err(error) => {
                    failed = Some(error);
                    return ControlFlow::Break(());
                }
            }
            ControlFlow::Continue(())
        })?;
        failed.map_or(Ok(found), Err)
    }

    /// How many receipts there are.
    pub fn len(&self) -> Result<u64, LedgerError> {
        Ok(self.lock().store.tree_state()?.map_or(0, |state| state.size))
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> Result<bool, LedgerError> {
        Ok(self.len()? == 0)
    }

    /// `self_hash` of the last receipt.
    pub fn head(&self) -> Result<Option<Digest>, LedgerError> {
        let state = self.lock().store.tree_state()?;
        Ok(state.and_then(|state| state.head).map(Digest::from_bytes))
    }

    /// The signed checkpoint of the whole ledger, as text.
    pub fn checkpoint(&self) -> Result<Option<String>, LedgerError> {
        Ok(self.lock().store.tree_state()?.map(|state| state.checkpoint))
    }

    /// Verifies the whole ledger. Appends go on meanwhile.
    pub fn verify(&self, options: VerifyOptions) -> Result<VerifyReport, LedgerError> {
        let key = options.public_key.unwrap_or_else(|| self.signer.public_key());
        let older = options.older_checkpoint.as_deref();
        let older = older.map(|text| Checkpoint::verify(text, &self.origin, &key)).transpose()?;
        // Before the database, which is never behind its copy.
        let second_copy = self.read_second_copy()?;
        let store = self.reader()?;
        let audit = Audit {
            store: &*store,
            origin: &self.origin,
            key,
            second_copy: second_copy.as_deref(),
            older,
            signatures: options.signatures,
        };
        audit.run()
    }

    /// A connection of its own that sees one unchanging state.
    pub(crate) fn reader(&self) -> Result<Box<dyn Store>, LedgerError> {
        let store = self.lock().store.reader()?;
        store.begin_read()?;
        Ok(store)
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, State> {
        // A panic elsewhere cannot leave a transaction half done: it rolls back.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Runs `work` in one write transaction; nothing of it remains when it fails.
pub(crate) fn transact<T>(
    store: &dyn Store,
    work: impl FnOnce(&dyn Store) -> Result<T, LedgerError>,
) -> Result<T, LedgerError> {
    store.begin()?;
    let transaction = RollBack(Some(store));
    let result = work(store)?;
    store.commit()?;
    transaction.disarm();
    Ok(result)
}

/// Rolls back when dropped, be it by an early return or by a panic.
struct RollBack<'a>(Option<&'a dyn Store>);

impl RollBack<'_> {
    fn disarm(mut self) {
        self.0 = None;
    }
}

impl Drop for RollBack<'_> {
    fn drop(&mut self) {
        if let Some(store) = self.0 {
            // The error that led here is the one to report.
            let _ = store.rollback();
        }
    }
}

pub(crate) fn read_receipt(seq: u64, bytes: &[u8]) -> Result<Receipt, LedgerError> {
    chain::read(bytes).map_err(|reason| LedgerError::BadReceipt { seq, reason })
}

fn read_optional(found: Option<(u64, Vec<u8>)>) -> Result<Option<Receipt>, LedgerError> {
    found.map(|(seq, bytes)| read_receipt(seq, &bytes)).transpose()
}

/// The file beside the database that holds the last checkpoint.
fn second_copy_of(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".checkpoint");
    path.with_file_name(name)
}

fn refuse_vanished(path: &Path, second_copy: &Path) -> Result<(), StoreError> {
    let failed = |source| StoreError::CannotOpen { path: path.to_owned(), source };
    if io::is_filled(path).map_err(failed)? {
        return Ok(());
    }
    let copy = io::read_text(second_copy).map_err(failed)?;
    let is_begun = copy.is_some_and(|text| Checkpoint::parse(&text).map_or(true, |c| c.size > 0));
    if is_begun {
        let (path, sidecar) = (path.to_owned(), second_copy.to_owned());
        return Err(StoreError::Missing { path, sidecar });
    }
    Ok(())
}
