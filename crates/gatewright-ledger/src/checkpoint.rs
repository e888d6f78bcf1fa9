//! Signed checkpoints: the size and root of the tree as a C2SP signed note.
//!
//! ```text
//! example.org/ledger
//! 12
//! jn2EWc…=
//!
//! — example.org/ledger 1x2y3z…=
//! ```
//!
//! Exactly one signature, ours, is accepted, and every byte must be as we
//! would write it; cosignatures of witnesses are not read yet.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;

use crate::merkle::Hash;
use crate::signer::{PublicKey, Signer};

/// The size and root of the tree of one ledger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checkpoint {
    /// The name of the ledger.
    pub origin: String,
    /// How many receipts it has.
    pub size: u64,
    /// The root over them.
    pub root: Hash,
}

/// A text that is not a checkpoint of this ledger.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CheckpointError {
    /// Not the form of a checkpoint.
    #[error("not a checkpoint: expected origin, size, root, an empty line and one signature")]
    Malformed,
    /// A checkpoint of another ledger.
    #[error("the checkpoint is of {found:?}, not of {expected:?}")]
    OtherOrigin {
        /// The name in the checkpoint.
        found: String,
        /// The name of this ledger.
        expected: String,
    },
    /// Signed with another key.
    #[error("the checkpoint was signed with another key")]
    OtherKey,
    /// The signature does not fit.
    #[error("the signature of the checkpoint does not fit its text")]
    BadSignature,
}

impl Checkpoint {
    /// The signed note.
    pub fn sign(&self, signer: &Signer) -> String {
        let body = self.body();
        let mut signature = signer.public_key().note_key_hash(&self.origin).to_vec();
        signature.extend_from_slice(&signer.sign(body.as_bytes()));
        format!("{body}\n\u{2014} {} {}\n", self.origin, BASE64_STANDARD.encode(signature))
    }

    /// Reads a signed note and checks that `key` signed it for `origin`.
    pub fn verify(text: &str, origin: &str, key: &PublicKey) -> Result<Self, CheckpointError> {
        let (checkpoint, signature) = Self::split(text).ok_or(CheckpointError::Malformed)?;
        if checkpoint.origin != origin {
            let expected = origin.to_owned();
            return Err(CheckpointError::OtherOrigin { found: checkpoint.origin, expected });
        }
        let (key_hash, signature) =
            signature.split_first_chunk::<4>().ok_or(CheckpointError::Malformed)?;
        if *key_hash != key.note_key_hash(origin) {
            return Err(CheckpointError::OtherKey);
        }
        if !key.has_signed(checkpoint.body().as_bytes(), signature) {
            return Err(CheckpointError::BadSignature);
        }
        Ok(checkpoint)
    }

    /// Reads a signed note without believing it.
    pub fn parse(text: &str) -> Result<Self, CheckpointError> {
        Self::split(text).map(|(checkpoint, _)| checkpoint).ok_or(CheckpointError::Malformed)
    }

    fn split(text: &str) -> Option<(Self, Vec<u8>)> {
        let (body, signatures) = text.split_once("\n\n")?;
        let mut lines = body.split('\n');
        let (origin, size, root) = (lines.next()?, lines.next()?, lines.next()?);
        let checkpoint = Self {
            origin: origin.to_owned(),
            size: size.parse().ok()?,
            root: BASE64_STANDARD.decode(root).ok()?.try_into().ok()?,
        };
        let line = signatures.strip_suffix('\n')?.strip_prefix("\u{2014} ")?;
        let signature = line.strip_prefix(origin)?.strip_prefix(' ')?;
        let signature = BASE64_STANDARD.decode(signature).ok()?;
        let is_exact = checkpoint.body().strip_suffix('\n') == Some(body);
        is_exact.then_some((checkpoint, signature))
    }

    /// The signed part, with its last newline.
    fn body(&self) -> String {
        format!("{}\n{}\n{}\n", self.origin, self.size, BASE64_STANDARD.encode(self.root))
    }
}
