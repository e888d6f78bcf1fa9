//! The ledger: appends receipts, finds them, proves and verifies them.
//!
//! An append takes its place, the hash before, the signature, the tree and the
//! checkpoint in one exclusive transaction, so the chain cannot fork between
//! processes. It builds only on a state that this key has signed: what was
//! rolled back or doctored is never covered by a fresh signature.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use gatewright_model::{Digest, Receipt, ReceiptBody};

use crate::audit::{Audit, VerifyOptions, VerifyReport};
use crate::chain::{self, Sealed};
use crate::checkpoint::Checkpoint;
use crate::error::{LedgerError, StoreError};
use crate::io;
use crate::merkle::{self, Frontier, Hash};
use crate::signer::Signer;
use crate::sqlite::SqliteStore;
use crate::store::{ReceiptQuery, Row, Store, TreeState};

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
    origin: String,
    second_copy: PathBuf,
}

pub(crate) struct State {
    pub(crate) store: Box<dyn Store>,
    /// The state that this process wrote last.
    written: Option<TreeState>,
    /// Why the copy of its checkpoint failed, if so.
    copy_problem: Option<String>,
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
            self.copy_checkpoint(&mut state, found);
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

    /// Appends a receipt.
    pub fn append(&self, body: ReceiptBody) -> Result<Receipt, LedgerError> {
        self.append_after(body, |_| Ok(()))
    }

    /// Appends many receipts in one transaction, under one checkpoint.
    pub fn append_many(
        &self,
        bodies: impl IntoIterator<Item = ReceiptBody>,
    ) -> Result<u64, LedgerError> {
        self.write(|ledger, store, tree| {
            let before = tree.frontier.size();
            for body in bodies {
                ledger.append_one(store, tree, body)?;
            }
            Ok(tree.frontier.size() - before)
        })
    }

    /// Appends a receipt in the transaction in which `first` changes the stage.
    pub(crate) fn append_after(
        &self,
        body: ReceiptBody,
        first: impl FnOnce(&dyn Store) -> Result<(), LedgerError>,
    ) -> Result<Receipt, LedgerError> {
        self.write(|ledger, store, tree| {
            first(store)?;
            ledger.append_one(store, tree, body)
        })
    }

    fn write<T>(
        &self,
        work: impl FnOnce(&Self, &dyn Store, &mut Tree) -> Result<T, LedgerError>,
    ) -> Result<T, LedgerError> {
        let mut state = self.lock();
        let State { store, written, .. } = &mut *state;
        let (result, after) = transact(&**store, |store| {
            let mut tree = self.trusted_tree(store, written.as_ref())?;
            let result = work(self, store, &mut tree)?;
            let after = self.tree_state(tree.head, &tree.frontier);
            store.put_tree_state(&after)?;
            Ok((result, after))
        })?;
        self.copy_checkpoint(&mut state, after);
        Ok(result)
    }

    /// The tree to append to, which must be the one that was signed last.
    fn trusted_tree(
        &self,
        store: &dyn Store,
        written: Option<&TreeState>,
    ) -> Result<Tree, LedgerError> {
        let tampered = |reason: &str| LedgerError::Tampered { reason: reason.to_owned() };
        let state = store.tree_state()?.ok_or_else(|| tampered("the tree's state is missing"))?;
        let frontier = Frontier::from_bytes(state.size, &state.frontier)
            .ok_or_else(|| tampered("the stored frontier does not fit the size"))?;
        if written != Some(&state) {
            self.check_signed(&state, &frontier)?;
        }
        self.check_last(store, &state)?;
        Ok(Tree { head: state.head, frontier })
    }

    fn check_signed(&self, state: &TreeState, frontier: &Frontier) -> Result<(), LedgerError> {
        let tampered = |reason: String| LedgerError::Tampered { reason };
        let key = self.signer.public_key();
        let stored = Checkpoint::verify(&state.checkpoint, &self.origin, &key)
            .map_err(|error| tampered(format!("the stored checkpoint: {error}")))?;
        if stored.size != state.size || stored.root != frontier.root() {
            return Err(tampered("the tree's state is not the one that was signed".to_owned()));
        }
        let Some(text) = self.read_second_copy()? else { return Ok(()) };
        let copy = Checkpoint::verify(&text, &self.origin, &key)
            .map_err(|error| tampered(format!("the second copy of the checkpoint: {error}")))?;
        let is_back = copy.size > stored.size;
        let is_other = copy.size == stored.size && copy.root != stored.root;
        if is_back || is_other {
            let (had, has) = (copy.size, stored.size);
            return Err(tampered(format!("the ledger had {had} receipts and now has {has}")));
        }
        Ok(())
    }

    /// The receipt that the next one will name must be the last one stored.
    fn check_last(&self, store: &dyn Store, state: &TreeState) -> Result<(), LedgerError> {
        let last = match state.size.checked_sub(1) {
            Some(seq) => store.receipt_at(seq)?,
            None => None,
        };
        let next = store.receipt_at(state.size)?;
        let last_hash = match &last {
            Some((seq, bytes)) => Some(*read_receipt(*seq, bytes)?.self_hash.as_bytes()),
            None => None,
        };
        if next.is_some() || last_hash != state.head {
            let reason = "the last receipt is not the one that was signed last".to_owned();
            return Err(LedgerError::Tampered { reason });
        }
        Ok(())
    }

    fn append_one(
        &self,
        store: &dyn Store,
        tree: &mut Tree,
        body: ReceiptBody,
    ) -> Result<Receipt, LedgerError> {
        if store.receipt_with_id(&body.receipt_id)?.is_some() {
            return Err(LedgerError::DuplicateReceipt { receipt_id: body.receipt_id });
        }
        let seq = tree.frontier.size();
        let Sealed { receipt, canonical, leaf } = chain::seal(body, seq, tree.head, &self.signer)?;
        store.insert(&Row {
            seq,
            receipt_id: receipt.body.receipt_id.as_bytes(),
            action: receipt.body.action.as_str().as_bytes(),
            timestamp: receipt.body.timestamp.as_bytes(),
            agent: receipt.body.agent.name.as_bytes(),
            run_id: receipt.body.run_id.as_bytes(),
            leaf_hash: &leaf,
            canonical: &canonical,
        })?;
        tree.frontier.push(leaf);
        tree.head = Some(*receipt.self_hash.as_bytes());
        Ok(receipt)
    }

    fn tree_state(&self, head: Option<Hash>, frontier: &Frontier) -> TreeState {
        let (size, root) = (frontier.size(), frontier.root());
        let checkpoint = Checkpoint { origin: self.origin.clone(), size, root };
        TreeState {
            origin: self.origin.clone(),
            key_id: self.signer.key_id(),
            size,
            head,
            frontier: frontier.to_bytes(),
            checkpoint: checkpoint.sign(&self.signer),
        }
    }

    /// The append holds whether or not the copy succeeds; see `second_copy_problem`.
    fn copy_checkpoint(&self, state: &mut State, written: TreeState) {
        let copied = io::replace(&self.second_copy, &written.checkpoint);
        state.copy_problem = copied.err().map(|error| error.to_string());
        state.written = Some(written);
    }

    fn read_second_copy(&self) -> Result<Option<String>, LedgerError> {
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

/// The tree while an append works on it.
struct Tree {
    head: Option<Hash>,
    frontier: Frontier,
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
