//! Seals a receipt: its place, the hash of the one before, its own hash and
//! its signature.
//!
//! `self_hash` is the SHA-256 of the canonical form of every other member but
//! the signature. The signature is over [`DOMAIN`], a zero byte and the 32
//! bytes of `self_hash`, so that it can never stand for anything else.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use gatewright_model::{Digest, Receipt, ReceiptBody};
use serde::Serialize;
use serde_json::Value;

use crate::canonical::{CanonicalError, canonical_value, parse_strict};
use crate::merkle::{Hash, leaf_hash};
use crate::signer::Signer;

/// What a signature of a receipt speaks of.
pub(crate) const DOMAIN: &[u8] = b"gatewright.dev/receipt/v1";

/// The version of the format.
pub(crate) const VERSION: u32 = 1;

/// A receipt with the bytes to store.
#[derive(Debug)]
pub(crate) struct Sealed {
    pub receipt: Receipt,
    pub canonical: Vec<u8>,
    pub leaf: Hash,
}

/// The members that `self_hash` covers.
#[derive(Serialize)]
struct Unsealed<'a> {
    v: u32,
    seq: u64,
    #[serde(flatten)]
    body: &'a ReceiptBody,
    prev_receipt_hash: Option<Digest>,
}

/// Puts `body` at place `seq`, after the receipt with hash `prev`.
pub(crate) fn seal(
    body: ReceiptBody,
    seq: u64,
    prev: Option<Hash>,
    signer: &Signer,
) -> Result<Sealed, CanonicalError> {
    let prev_receipt_hash = prev.map(Digest::from_bytes);
    let unsealed = Unsealed { v: VERSION, seq, body: &body, prev_receipt_hash };
    let mut value =
        serde_json::to_value(unsealed).map_err(|source| CanonicalError::NotJson { source })?;
    let self_hash = Digest::of(&canonical_value(&value)?);
    let signature = BASE64_STANDARD.encode(signer.sign(&signed_message(self_hash.as_bytes())));
    if let Value::Object(members) = &mut value {
        members.insert("self_hash".to_owned(), Value::String(self_hash.to_string()));
        members.insert("signature".to_owned(), Value::String(signature.clone()));
    }
    let canonical = canonical_value(&value)?;
    let leaf = leaf_hash(&canonical);
    let receipt = Receipt { v: VERSION, seq, body, prev_receipt_hash, self_hash, signature };
    Ok(Sealed { receipt, canonical, leaf })
}

/// What is signed for a receipt with this hash.
pub(crate) fn signed_message(self_hash: &Hash) -> Vec<u8> {
    [DOMAIN, &[0], self_hash].concat()
}

/// Reads a stored receipt; says why it cannot.
pub(crate) fn read(canonical: &[u8]) -> Result<Receipt, String> {
    let value = parse_strict(canonical).map_err(|error| error.to_string())?;
    serde_json::from_value(value).map_err(|error| error.to_string())
}
