//! Appends receipts.
//!
//! An append takes its place, the hash before, the signature, the tree and the
//! checkpoint in one exclusive transaction, so the chain cannot fork between
//! processes. It builds only on a state that this key has signed: what was
//! rolled back or doctored is never covered by a fresh signature.

use gatewright_model::{Receipt, ReceiptBody};

use crate::chain::{self, Sealed};
use crate::checkpoint::Checkpoint;
use crate::error::LedgerError;
use crate::io;
use crate::ledger::{Ledger, State, Written, read_receipt, transact};
use crate::merkle::{Frontier, Hash};
use crate::stage;
use crate::store::{Row, StageUpdate, Store, TreeState};

/// A receipt on its way into the ledger, sealed ahead where its place could be foreseen.
#[derive(Debug)]
pub struct Draft(Form);

#[derive(Debug)]
enum Form {
    Unsealed(Box<ReceiptBody>),
    Sealed(Box<Foreseen>),
}

/// A sealed receipt and the tree that it makes of `base`.
#[derive(Debug)]
struct Foreseen {
    base: TreeState,
    sealed: Sealed,
    after: TreeState,
}

impl Ledger {
    /// Appends a receipt.
    pub fn append(&self, body: ReceiptBody) -> Result<Receipt, LedgerError> {
        self.append_after(body, |_| Ok(()))
    }

    /// Seals a receipt for the place that comes next, as far as this process knows.
    ///
    /// Nothing is stored. Another append in between costs the work, nothing else.
    pub fn draft(&self, body: ReceiptBody) -> Result<Draft, LedgerError> {
        let Some(base) = self.lock().written.as_ref().map(|written| written.state.clone()) else {
            return Ok(Draft(Form::Unsealed(Box::new(body))));
        };
        let Some(mut frontier) = Frontier::from_bytes(base.size, &base.frontier) else {
            return Ok(Draft(Form::Unsealed(Box::new(body))));
        };
        let sealed = chain::seal(body, base.size, base.head, &self.signer)?;
        frontier.push(sealed.leaf);
        let after = self.tree_state(Some(*sealed.receipt.self_hash.as_bytes()), &frontier);
        Ok(Draft(Form::Sealed(Box::new(Foreseen { base, sealed, after }))))
    }

    /// Appends a drafted receipt, and changes a staged item with it, both or neither.
    pub fn append_draft(
        &self,
        draft: Draft,
        update: Option<&StageUpdate>,
    ) -> Result<Receipt, LedgerError> {
        self.write(|ledger, store, tree| {
            if let Some(update) = update {
                stage::change(store, update)?;
            }
            match draft.0 {
                Form::Unsealed(body) => ledger.append_one(store, tree, *body),
                Form::Sealed(foreseen) if foreseen.base == tree.base => {
                    refuse_duplicate(store, &foreseen.sealed.receipt.body)?;
                    let receipt = tree.take(store, foreseen.sealed)?;
                    tree.after = Some(foreseen.after);
                    Ok(receipt)
                }
                Form::Sealed(foreseen) => {
                    ledger.append_one(store, tree, foreseen.sealed.receipt.body)
                }
            }
        })
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
        let (result, written) = transact(&**store, |store| {
            let mut tree = self.trusted_tree(store, written.as_ref())?;
            let result = work(self, store, &mut tree)?;
            let foreseen = tree.after.take();
            let after = foreseen.unwrap_or_else(|| self.tree_state(tree.head, &tree.frontier));
            store.put_tree_state(&after)?;
            Ok((result, Written { state: after, last: tree.last }))
        })?;
        self.copy_checkpoint(&mut state, written);
        Ok(result)
    }

    /// The tree to append to, which must be the one that was signed last.
    fn trusted_tree(
        &self,
        store: &dyn Store,
        written: Option<&Written>,
    ) -> Result<Tree, LedgerError> {
        let tampered = |reason: &str| LedgerError::Tampered { reason: reason.to_owned() };
        let state = store.tree_state()?.ok_or_else(|| tampered("the tree's state is missing"))?;
        let frontier = Frontier::from_bytes(state.size, &state.frontier)
            .ok_or_else(|| tampered("the stored frontier does not fit the size"))?;
        let own = written.filter(|written| written.state == state);
        if own.is_none() {
            self.check_signed(&state, &frontier)?;
        }
        self.check_last(store, &state, own.and_then(|own| own.last.as_deref()))?;
        Ok(Tree { head: state.head, frontier, base: state, after: None, last: None })
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
    ///
    /// `own` are its bytes where this process wrote it, which saves reading them.
    fn check_last(
        &self,
        store: &dyn Store,
        state: &TreeState,
        own: Option<&[u8]>,
    ) -> Result<(), LedgerError> {
        let last = match state.size.checked_sub(1) {
            Some(seq) => store.receipt_at(seq)?,
            None => None,
        };
        let next = store.receipt_at(state.size)?;
        let is_signed = match &last {
            Some((_, bytes)) if own == Some(bytes) => true,
            Some((seq, bytes)) => {
                Some(*read_receipt(*seq, bytes)?.self_hash.as_bytes()) == state.head
            }
            None => state.head.is_none(),
        };
        if next.is_some() || !is_signed {
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
        refuse_duplicate(store, &body)?;
        let seq = tree.frontier.size();
        tree.take(store, chain::seal(body, seq, tree.head, &self.signer)?)
    }

    pub(crate) fn tree_state(&self, head: Option<Hash>, frontier: &Frontier) -> TreeState {
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
    pub(crate) fn copy_checkpoint(&self, state: &mut State, written: Written) {
        let copied = io::replace(&self.second_copy, &written.state.checkpoint);
        state.copy_problem = copied.err().map(|error| error.to_string());
        state.written = Some(written);
    }
}

fn refuse_duplicate(store: &dyn Store, body: &ReceiptBody) -> Result<(), LedgerError> {
    match store.receipt_with_id(&body.receipt_id)? {
        Some(_) => Err(LedgerError::DuplicateReceipt { receipt_id: body.receipt_id.clone() }),
        None => Ok(()),
    }
}

/// The tree while an append works on it.
struct Tree {
    head: Option<Hash>,
    frontier: Frontier,
    /// What was stored before the append.
    base: TreeState,
    /// What is to be stored after it, where that is known already.
    after: Option<TreeState>,
    /// The bytes of the last receipt that was appended.
    last: Option<Vec<u8>>,
}

impl Tree {
    /// Stores a receipt that was sealed for the next place.
    fn take(&mut self, store: &dyn Store, sealed: Sealed) -> Result<Receipt, LedgerError> {
        let Sealed { receipt, canonical, leaf } = sealed;
        store.insert(&Row {
            seq: receipt.seq,
            receipt_id: receipt.body.receipt_id.as_bytes(),
            action: receipt.body.action.as_str().as_bytes(),
            timestamp: receipt.body.timestamp.as_bytes(),
            agent: receipt.body.agent.name.as_bytes(),
            run_id: receipt.body.run_id.as_bytes(),
            leaf_hash: &leaf,
            canonical: &canonical,
        })?;
        self.frontier.push(leaf);
        self.head = Some(*receipt.self_hash.as_bytes());
        self.last = Some(canonical);
        self.after = None;
        Ok(receipt)
    }
}
