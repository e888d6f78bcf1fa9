//! Exports receipts, and proves single ones.
//!
//! JSONL is the stored canonical bytes, one receipt per line. DSSE wraps each
//! receipt in an in-toto statement, so that tools for attestations can read it.

use std::io::Write;
use std::ops::ControlFlow;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use gatewright_model::Receipt;
use serde_json::{Value, json};

use crate::anchor::Anchor;
use crate::canonical::canonical_value;
use crate::error::LedgerError;
use crate::ledger::{InclusionProof, Ledger, read_receipt};
use crate::merkle::{self, Frontier, Hash};
use crate::store::Store;

/// The type of the payload of each envelope.
pub const PAYLOAD_TYPE: &str = "application/vnd.in-toto+json";

/// The type of the predicate of each statement: a receipt.
pub const PREDICATE_TYPE: &str = "https://gatewright.dev/receipt/v1";

impl Ledger {
    /// Writes every receipt as a line of canonical JSON.
    pub fn export_jsonl(&self, out: &mut dyn Write) -> Result<(), LedgerError> {
        self.export(out, |_, canonical| Ok(canonical.to_vec()))
    }

    /// Writes every receipt as a line with a signed DSSE envelope.
    pub fn export_dsse(&self, out: &mut dyn Write) -> Result<(), LedgerError> {
        self.export(out, |seq, canonical| self.envelope(&read_receipt(seq, canonical)?))
    }

    fn export(
        &self,
        out: &mut dyn Write,
        line_of: impl Fn(u64, &[u8]) -> Result<Vec<u8>, LedgerError>,
    ) -> Result<(), LedgerError> {
        let mut result = Ok(());
        self.reader()?.visit_rows(&mut |row| {
            result = line_of(row.seq, row.canonical).and_then(|mut line| {
                line.push(b'\n');
                out.write_all(&line).map_err(|source| LedgerError::Export { source })
            });
            if result.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        })?;
        result.and_then(|()| out.flush().map_err(|source| LedgerError::Export { source }))
    }

    fn envelope(&self, receipt: &Receipt) -> Result<Vec<u8>, LedgerError> {
        let predicate = serde_json::to_value(receipt)
            .map_err(|source| crate::CanonicalError::NotJson { source })?;
        let payload = canonical_value(&json!({
            "_type": "https://in-toto.io/Statement/v1",
            "subject": subjects(receipt),
            "predicateType": PREDICATE_TYPE,
            "predicate": predicate,
        }))?;
        let signature = self.signer.sign(&pre_authentication_encoding(&payload));
        Ok(canonical_value(&json!({
            "payload": BASE64_STANDARD.encode(&payload),
            "payloadType": PAYLOAD_TYPE,
            "signatures": [{
                "keyid": self.signer.key_id(),
                "sig": BASE64_STANDARD.encode(signature),
            }],
        }))?)
    }

    /// Proves that receipt `seq` is in the tree of the current checkpoint.
    pub fn prove(&self, seq: u64) -> Result<InclusionProof, LedgerError> {
        let store = self.reader()?;
        let leaves = leaves_of(&*store)?;
        let (size, root) = (leaves.len() as u64, merkle::root_of(&leaves));
        let missing = || LedgerError::NoSuchReceipt { seq, len: size };
        let index = usize::try_from(seq).map_err(|_| missing())?;
        let path = merkle::inclusion_proof(&leaves, index).ok_or_else(missing)?;
        let checkpoint = store.tree_state()?.map(|state| state.checkpoint).unwrap_or_default();
        Ok(InclusionProof { seq, size, leaf: leaves[index], path, root, checkpoint })
    }

    /// Proves that the ledger grew from its first `from_size` receipts.
    pub fn consistency(&self, from_size: u64) -> Result<Vec<Hash>, LedgerError> {
        let leaves = leaves_of(&*self.reader()?)?;
        let missing = || LedgerError::NoSuchReceipt { seq: from_size, len: leaves.len() as u64 };
        let from = usize::try_from(from_size).map_err(|_| missing())?;
        merkle::consistency_proof(&leaves, from).ok_or_else(missing)
    }

    /// Whether the ledger has grown from the state that `anchor` names.
    pub fn contains_anchor(&self, anchor: &Anchor) -> Result<bool, LedgerError> {
        let mut frontier = Frontier::default();
        self.reader()?.visit_leaves(&mut |_, leaf| {
            if frontier.size() == anchor.size {
                return ControlFlow::Break(());
            }
            frontier.push(leaf.try_into().unwrap_or_default());
            ControlFlow::Continue(())
        })?;
        Ok(frontier.size() == anchor.size && frontier.root() == anchor.root)
    }
}

/// The files that were written; the receipt itself when there are none.
fn subjects(receipt: &Receipt) -> Vec<Value> {
    let subject =
        |name: &str, hash: &[u8]| json!({"name": name, "digest": {"sha256": hex::encode(hash)}});
    let written = receipt.body.files.iter().filter(|_| receipt.body.applied);
    let mut subjects: Vec<Value> =
        written.filter_map(|file| Some(subject(&file.path, file.after_hash?.as_bytes()))).collect();
    if subjects.is_empty() {
        let name = format!("receipt:{}", receipt.body.receipt_id);
        subjects.push(subject(&name, receipt.self_hash.as_bytes()));
    }
    subjects
}

/// What DSSE signs: the type and the payload, each with its length.
fn pre_authentication_encoding(payload: &[u8]) -> Vec<u8> {
    let (type_len, payload_len) = (PAYLOAD_TYPE.len(), payload.len());
    let head = format!("DSSEv1 {type_len} {PAYLOAD_TYPE} {payload_len} ");
    [head.as_bytes(), payload].concat()
}

fn leaves_of(store: &dyn Store) -> Result<Vec<Hash>, LedgerError> {
    let mut leaves = Vec::new();
    store.visit_leaves(&mut |_, leaf| {
        leaves.push(leaf.try_into().unwrap_or_default());
        ControlFlow::Continue(())
    })?;
    Ok(leaves)
}
