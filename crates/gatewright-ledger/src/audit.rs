//! Verifies a whole ledger: its rows, its tree, its indexes, its checkpoints.

use std::hash::{BuildHasher, RandomState};
use std::ops::ControlFlow;

use gatewright_model::Digest;

use crate::checkpoint::Checkpoint;
use crate::error::LedgerError;
use crate::merkle::Hash;
use crate::signer::PublicKey;
use crate::store::{IndexedColumn, Row, Store, TreeState};
use crate::verify::{Fault, Verifier};

/// What to verify against.
#[derive(Debug, Clone, Default)]
pub struct VerifyOptions {
    /// A checkpoint that was kept elsewhere; the ledger must have grown from it.
    pub older_checkpoint: Option<String>,
    /// The key to check with; the ledger's own signer when `None`.
    pub public_key: Option<PublicKey>,
    /// Check each receipt's own signature too. The checkpoint covers them
    /// already, so this only costs time unless the key's use is in question.
    pub signatures: bool,
}

/// What was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// Every receipt is as it was written, and none is missing.
    Ok,
    /// Something was changed.
    Bad {
        /// The first bad receipt; `None` when the receipts are sound and
        /// something beside them is not.
        seq: Option<u64>,
        /// What is wrong with it.
        reason: String,
    },
    /// Nothing is wrong with what is there, but receipts may be missing at the end.
    CannotTell {
        /// What would be needed.
        reason: String,
    },
}

/// What shows that the end of the ledger is the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Evidence {
    /// Nothing outside the database.
    None,
    /// The copy of the checkpoint beside the database, of this size.
    SecondCopy {
        /// How many receipts it counts.
        size: u64,
    },
    /// A checkpoint that was handed in, of this size.
    OlderCheckpoint {
        /// How many receipts it counts.
        size: u64,
    },
}

/// The result of verifying.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VerifyReport {
    /// How many receipts were found sound, up to the first bad one.
    pub receipts: u64,
    /// The answer.
    pub verdict: Verdict,
    /// What the answer rests on.
    pub evidence: Evidence,
    /// `self_hash` of the last sound receipt.
    pub head: Option<Digest>,
    /// The root over the sound receipts.
    pub root: Hash,
    /// Whether each receipt's own signature was checked.
    pub signatures_checked: bool,
}

/// A ledger to verify, and what to hold against it.
pub(crate) struct Audit<'a> {
    pub store: &'a dyn Store,
    pub origin: &'a str,
    pub key: PublicKey,
    pub second_copy: Option<&'a str>,
    pub older: Option<Checkpoint>,
    pub signatures: bool,
}

impl Audit<'_> {
    /// Verifies everything; an error is a database that cannot be read.
    pub(crate) fn run(&self) -> Result<VerifyReport, LedgerError> {
        let mut verifier = self.verifier(self.signatures);
        let mut evidence = Evidence::None;
        let mut found = self.check(&mut verifier, &mut evidence)?;
        if let Err(Fault { is_of_root: true, .. }) = found
            && !self.signatures
            && let Some(fault) = self.find_bad_signature()?
        {
            found = Err(fault);
        }
        let verdict = match (found, evidence) {
            (Err(Fault { seq, reason, .. }), _) => Verdict::Bad { seq, reason },
            (Ok(()), Evidence::None) => Verdict::CannotTell { reason: NO_EVIDENCE.to_owned() },
            (Ok(()), _) => Verdict::Ok,
        };
        Ok(VerifyReport {
            receipts: verifier.size(),
            verdict,
            evidence,
            head: verifier.head().map(Digest::from_bytes),
            root: verifier.root(),
            signatures_checked: self.signatures,
        })
    }

    fn verifier(&self, signatures: bool) -> Verifier {
        if signatures { Verifier::with_signatures(self.key) } else { Verifier::new() }
    }

    fn check(
        &self,
        verifier: &mut Verifier,
        evidence: &mut Evidence,
    ) -> Result<Result<(), Fault>, LedgerError> {
        let state = self.store.tree_state()?;
        let prepared = self.prepare(verifier, evidence, state);
        let mut columns = ColumnPrints::new();
        if let Err(fault) = self.check_rows(verifier, &mut |row| columns.take(row))? {
            return Ok(Err(fault));
        }
        // A bad receipt is named before a bad checkpoint.
        match prepared.and_then(|(state, checkpoint)| verifier.finish(&state, &checkpoint)) {
            Ok(()) => match columns.compare(self.store)? {
                Ok(()) if columns.rows <= MOST_SEARCHED => self.check_order(),
                compared => Ok(compared),
            },
            Err(fault) => Ok(Err(fault)),
        }
    }

    /// Receipts that are all there, one after the other, may still be missed by a search.
    fn check_order(&self) -> Result<Result<(), Fault>, LedgerError> {
        let damage = self.store.damage()?;
        let fault = |damage| Fault::of_ledger(format!("the database is damaged: {damage}"));
        Ok(damage.map_or(Ok(()), |damage| Err(fault(damage))))
    }

    /// Reads all that was signed, before the receipts that it speaks of.
    fn prepare(
        &self,
        verifier: &mut Verifier,
        evidence: &mut Evidence,
        state: Option<TreeState>,
    ) -> Result<(TreeState, Checkpoint), Fault> {
        let state = state.ok_or_else(|| Fault::of_ledger("the state of the tree is missing"))?;
        if state.origin != self.origin || state.key_id != self.key.key_id() {
            return Err(Fault::of_ledger("the ledger names another origin or another key"));
        }
        let read = |text: &str, what: &str| {
            Checkpoint::verify(text, self.origin, &self.key)
                .map_err(|error| Fault::of_ledger(format!("{what}: {error}")))
        };
        let checkpoint = read(&state.checkpoint, "the stored checkpoint")?;
        if let Some(text) = self.second_copy {
            let copy = read(text, "the second copy of the checkpoint")?;
            verifier.expect_checkpoint(&copy)?;
            *evidence = Evidence::SecondCopy { size: copy.size };
        }
        if let Some(older) = &self.older {
            verifier.expect_checkpoint(older)?;
            *evidence = Evidence::OlderCheckpoint { size: older.size };
        }
        Ok((state, checkpoint))
    }

    fn check_rows(
        &self,
        verifier: &mut Verifier,
        also: &mut dyn FnMut(&Row<'_>),
    ) -> Result<Result<(), Fault>, LedgerError> {
        let mut found = Ok(());
        self.store.visit_rows(&mut |row| {
            also(row);
            found = verifier.step(row);
            if found.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        })?;
        Ok(found)
    }

    /// The root says that something changed, but not what: a signature does.
    fn find_bad_signature(&self) -> Result<Option<Fault>, LedgerError> {
        let mut verifier = self.verifier(true);
        Ok(self.check_rows(&mut verifier, &mut |_| {})?.err())
    }
}

/// Up to so many receipts the order of the database itself is checked, too. A search in a larger
/// one that is damaged there ends with an error.
const MOST_SEARCHED: u64 = 250_000;

const NO_EVIDENCE: &str = "receipts may be missing at the end: the second copy of the checkpoint \
    is gone and no older checkpoint was given";

/// A fingerprint per indexed column, in no order, to compare with its index.
///
/// A search that goes through an index finds what the index says, and finds it
/// only where its order leads: an index that differs from the rows, or that is
/// not sorted, hides receipts.
struct ColumnPrints {
    keyed: RandomState,
    sums: [u64; IndexedColumn::ALL.len()],
    rows: u64,
}

impl ColumnPrints {
    fn new() -> Self {
        Self { keyed: RandomState::new(), sums: Default::default(), rows: 0 }
    }

    fn take(&mut self, row: &Row<'_>) {
        self.rows += 1;
        for (sum, column) in self.sums.iter_mut().zip(IndexedColumn::ALL) {
            *sum = sum.wrapping_add(self.keyed.hash_one((column.of(row), row.seq)));
        }
    }

    fn compare(&self, store: &dyn Store) -> Result<Result<(), Fault>, LedgerError> {
        for (sum, column) in self.sums.iter().zip(IndexedColumn::ALL) {
            let mut indexed: u64 = 0;
            let mut last: (Vec<u8>, u64) = Default::default();
            let mut in_order = true;
            store.visit_index(column, &mut |value, seq| {
                indexed = indexed.wrapping_add(self.keyed.hash_one((value, seq)));
                in_order &= (last.0.as_slice(), last.1) <= (value, seq);
                last.0.clear();
                last.0.extend_from_slice(value);
                last.1 = seq;
            })?;
            if indexed != *sum || !in_order {
                let reason = format!("the index of {} does not fit the receipts", column.as_str());
                return Ok(Err(Fault::of_ledger(reason)));
            }
        }
        Ok(Ok(()))
    }
}
