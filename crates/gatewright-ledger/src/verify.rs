//! Verifies rows one after the other, without a database.
//!
//! Each step hashes the stored bytes and looks only at the members that matter,
//! so that a million receipts take seconds. What a step cannot see is left to
//! the root that the checkpoint signed: it covers every byte of every receipt.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use sha2::{Digest as _, Sha256};

use crate::chain::signed_message;
use crate::checkpoint::Checkpoint;
use crate::merkle::{Frontier, Hash, leaf_hash};
use crate::scan::{scan, string_of};
use crate::signer::PublicKey;
use crate::store::{Row, TreeState};

/// The first thing found wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The receipt at fault; `None` when none can be named by itself.
    pub seq: Option<u64>,
    /// What is wrong.
    pub reason: String,
    /// Only the root shows it, so a signature may still name the receipt.
    pub(crate) is_of_root: bool,
}

impl Fault {
    pub(crate) fn at(seq: u64, reason: impl Into<String>) -> Self {
        Self { seq: Some(seq), reason: reason.into(), is_of_root: false }
    }

    pub(crate) fn of_ledger(reason: impl Into<String>) -> Self {
        Self { seq: None, reason: reason.into(), is_of_root: false }
    }

    fn of_root(reason: impl Into<String>) -> Self {
        Self { seq: None, reason: reason.into(), is_of_root: true }
    }
}

/// Steps through the rows of a ledger.
#[derive(Debug, Clone, Default)]
pub struct Verifier {
    head: Option<Hash>,
    frontier: Frontier,
    /// Checkpoints that the tree must pass through.
    awaited: Vec<Checkpoint>,
    /// When given, each receipt's own signature is checked as well.
    key: Option<PublicKey>,
}

impl Verifier {
    /// A verifier that stands before the first receipt.
    pub fn new() -> Self {
        Self::default()
    }

    /// The same, checking each receipt's own signature too.
    pub fn with_signatures(key: PublicKey) -> Self {
        Self { key: Some(key), ..Self::default() }
    }

    /// Demands that the tree has this root when it reaches this size.
    pub fn expect_checkpoint(&mut self, checkpoint: &Checkpoint) -> Result<(), Fault> {
        self.awaited.push(checkpoint.clone());
        self.check_awaited()
    }

    /// How many receipts were seen.
    pub fn size(&self) -> u64 {
        self.frontier.size()
    }

    /// `self_hash` of the last one.
    pub fn head(&self) -> Option<Hash> {
        self.head
    }

    /// The root over all of them.
    pub fn root(&self) -> Hash {
        self.frontier.root()
    }

    /// Takes the next row. After a fault the verifier is of no further use.
    pub fn step(&mut self, row: &Row<'_>) -> Result<(), Fault> {
        let seq = self.size();
        if row.seq != seq {
            return Err(Fault::at(seq, format!("missing; receipt {} comes instead", row.seq)));
        }
        self.check(row).map_err(|reason| Fault::at(seq, reason))?;
        self.check_awaited()
    }

    fn check(&mut self, row: &Row<'_>) -> Result<(), String> {
        let members = Members::of(row.canonical)?;
        members.check_place(self.size(), self.head.as_ref())?;
        members.check_columns(row)?;
        let hash = members.hash_without_seal(row.canonical)?;
        if !is_digest(members.self_hash.value, &hash) {
            return Err("self_hash does not fit the content".to_owned());
        }
        let leaf = leaf_hash(row.canonical);
        if row.leaf_hash != leaf {
            return Err("the leaf hash does not fit the content".to_owned());
        }
        if let Some(key) = &self.key {
            members.check_signature(&hash, key)?;
        }
        self.head = Some(hash);
        self.frontier.push(leaf);
        Ok(())
    }

    fn check_awaited(&mut self) -> Result<(), Fault> {
        let size = self.size();
        let frontier = &self.frontier;
        let is_off = |awaited: &Checkpoint| awaited.size == size && awaited.root != frontier.root();
        if self.awaited.iter().any(is_off) {
            let reason = format!("the first {size} receipts are not those of the checkpoint");
            return Err(Fault::of_root(reason));
        }
        self.awaited.retain(|awaited| awaited.size != size);
        Ok(())
    }

    /// Compares the end with the stored state of the tree and its checkpoint.
    pub fn finish(&self, state: &TreeState, checkpoint: &Checkpoint) -> Result<(), Fault> {
        let size = self.size();
        if let Some(awaited) = self.awaited.iter().map(|awaited| awaited.size).max() {
            let reason = format!("missing; a signed checkpoint counts {awaited} receipts");
            return Err(Fault::at(size, reason));
        }
        if size < checkpoint.size {
            let reason = format!("missing; the checkpoint counts {} receipts", checkpoint.size);
            return Err(Fault::at(size, reason));
        }
        if size > checkpoint.size {
            return Err(Fault::at(checkpoint.size, "not covered by the signed checkpoint"));
        }
        if self.root() != checkpoint.root {
            return Err(Fault::of_root("the receipts do not have the root of the checkpoint"));
        }
        if state.size != size || state.head != self.head {
            return Err(Fault::of_ledger("the stored size or head does not fit the receipts"));
        }
        if state.frontier != self.frontier.to_bytes() {
            return Err(Fault::of_ledger("the stored frontier does not fit the receipts"));
        }
        Ok(())
    }
}

/// One member as written, and where.
#[derive(Debug, Clone, Default)]
struct Found<'a> {
    value: &'a [u8],
    span: std::ops::Range<usize>,
}

/// The members that a step looks at; empty where one is missing.
#[derive(Debug, Default)]
struct Members<'a> {
    v: &'a [u8],
    seq: &'a [u8],
    prev: &'a [u8],
    self_hash: Found<'a>,
    signature: Found<'a>,
    receipt_id: &'a [u8],
    action: &'a [u8],
    timestamp: &'a [u8],
    agent: &'a [u8],
    run_id: &'a [u8],
}

impl<'a> Members<'a> {
    fn of(canonical: &'a [u8]) -> Result<Self, String> {
        let mut members = Self::default();
        let scanned = scan(canonical, &mut |member| match member.key {
            b"v" => members.v = member.value,
            b"seq" => members.seq = member.value,
            b"prev_receipt_hash" => members.prev = member.value,
            b"self_hash" => {
                members.self_hash = Found { value: member.value, span: member.span };
            }
            b"signature" => {
                members.signature = Found { value: member.value, span: member.span };
            }
            b"receipt_id" => members.receipt_id = member.value,
            b"action" => members.action = member.value,
            b"timestamp" => members.timestamp = member.value,
            b"agent" => members.agent = member.value,
            b"run_id" => members.run_id = member.value,
            _ => {}
        });
        match scanned {
            Ok(()) => Ok(members),
            Err(found) => Err(format!("not canonical JSON at byte {}", found.offset)),
        }
    }

    fn check_place(&self, seq: u64, head: Option<&Hash>) -> Result<(), String> {
        if self.v != b"1" {
            return Err("not of version 1".to_owned());
        }
        if number_of(self.seq) != Some(seq) {
            return Err(format!("says it is receipt {}", String::from_utf8_lossy(self.seq)));
        }
        let follows = match head {
            Some(head) => is_digest(self.prev, head),
            None => self.prev == b"null",
        };
        if follows { Ok(()) } else { Err("does not follow the receipt before it".to_owned()) }
    }

    fn check_columns(&self, row: &Row<'_>) -> Result<(), String> {
        let mut agent_name: &[u8] = b"";
        // The whole receipt was scanned, so its parts are canonical too.
        let _ = scan(self.agent, &mut |member| {
            if member.key == b"name" {
                agent_name = member.value;
            }
        });
        let columns = [
            ("receipt_id", self.receipt_id, row.receipt_id),
            ("action", self.action, row.action),
            ("timestamp", self.timestamp, row.timestamp),
            ("agent", agent_name, row.agent),
            ("run_id", self.run_id, row.run_id),
        ];
        for (name, value, column) in columns {
            if string_of(value).is_none_or(|text| *text != *column) {
                return Err(format!("the column {name} does not fit the content"));
            }
        }
        Ok(())
    }

    /// Hashes the receipt as it was before `self_hash` and `signature` came in.
    fn hash_without_seal(&self, canonical: &[u8]) -> Result<Hash, String> {
        let (first, second) = (&self.self_hash.span, &self.signature.span);
        // A span of 0 is a missing member; one that starts at 1 has no comma before it.
        if first.start < 2 || second.start < first.end {
            return Err("no self_hash or no signature".to_owned());
        }
        let hash = Sha256::new()
            .chain_update(&canonical[..first.start])
            .chain_update(&canonical[first.end..second.start])
            .chain_update(&canonical[second.end..])
            .finalize();
        Ok(hash.into())
    }

    fn check_signature(&self, hash: &Hash, key: &PublicKey) -> Result<(), String> {
        let signature = string_of(self.signature.value)
            .and_then(|text| BASE64_STANDARD.decode(&*text).ok())
            .unwrap_or_default();
        if key.has_signed(&signed_message(hash), &signature) {
            return Ok(());
        }
        Err("the signature does not fit".to_owned())
    }
}

/// A scanned number that is not negative.
fn number_of(value: &[u8]) -> Option<u64> {
    let (first, rest) = value.split_first()?;
    let digit_of = |byte: u8| byte.checked_sub(b'0').filter(|digit| *digit < 10).map(u64::from);
    rest.iter().try_fold(digit_of(*first)?, |number, &byte| {
        number.checked_mul(10)?.checked_add(digit_of(byte)?)
    })
}

/// Whether `value` is the digest of `hash` exactly as we write it.
fn is_digest(value: &[u8], hash: &Hash) -> bool {
    let mut digits = [0; 64];
    let digits = hex::encode_to_slice(hash, &mut digits).map(|()| digits);
    let inner = value.strip_prefix(b"\"sha256:").and_then(|rest| rest.strip_suffix(b"\""));
    digits.is_ok_and(|digits| inner == Some(&digits))
}
