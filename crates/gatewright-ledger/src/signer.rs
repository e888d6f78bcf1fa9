//! The Ed25519 key that signs receipts and checkpoints.
//!
//! The key file is one line: `gatewright-key-v1 ed25519 ` and the base64 of
//! the 32 secret bytes. It has mode 0600 and belongs to the user; anything
//! wider is refused.

use std::fmt;
use std::path::Path;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use ed25519_dalek::{Signature, Signer as _, SigningKey, VerifyingKey};
use sha2::{Digest as _, Sha256};

use crate::error::KeyError;
use crate::io;

/// The beginning of a key file.
const HEADER: &str = "gatewright-key-v1 ed25519 ";

/// The algorithm byte of Ed25519 in signed notes.
const NOTE_ED25519: u8 = 1;

/// Signs for one user on one machine.
pub struct Signer {
    key: SigningKey,
}

impl Signer {
    /// Loads the key at `path`; makes one when there is none.
    pub fn load_or_create(path: &Path) -> Result<Self, KeyError> {
        match Self::load(path) {
            Err(KeyError::Missing { .. }) => {
                let mut seed = [0; 32];
                getrandom::fill(&mut seed).map_err(|source| KeyError::Random { source })?;
                let text = format!("{HEADER}{}\n", BASE64_STANDARD.encode(seed));
                io::create_private(path, &text)?;
                // Another process may have been first; its key counts.
                Self::load(path)
            }
            loaded => loaded,
        }
    }

    /// Loads the key at `path`, which must exist.
    pub fn load(path: &Path) -> Result<Self, KeyError> {
        let text = io::read_private(path)?;
        let malformed = || KeyError::Malformed { path: path.to_owned() };
        let line = text.strip_suffix('\n').and_then(|line| line.strip_prefix(HEADER));
        let seed = BASE64_STANDARD.decode(line.ok_or_else(malformed)?).map_err(|_| malformed())?;
        let seed: [u8; 32] = seed.try_into().map_err(|_| malformed())?;
        Ok(Self::from_seed(&seed))
    }

    /// The signer with these secret bytes.
    pub fn from_seed(seed: &[u8; 32]) -> Self {
        Self { key: SigningKey::from_bytes(seed) }
    }

    /// The public half.
    pub fn public_key(&self) -> PublicKey {
        PublicKey(self.key.verifying_key())
    }

    /// Names the key, as [`PublicKey::key_id`].
    pub fn key_id(&self) -> String {
        self.public_key().key_id()
    }

    /// Signs `message`. Callers separate domains; see `chain.rs`, `export.rs`.
    pub(crate) fn sign(&self, message: &[u8]) -> [u8; 64] {
        self.key.sign(message).to_bytes()
    }
}

impl fmt::Debug for Signer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Signer").field("key_id", &self.key_id()).finish_non_exhaustive()
    }
}

/// Checks what a [`Signer`] signed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PublicKey(VerifyingKey);

impl PublicKey {
    /// The key with these bytes; `None` when they are no point of the curve.
    pub fn from_bytes(bytes: &[u8; 32]) -> Option<Self> {
        VerifyingKey::from_bytes(bytes).ok().filter(|key| !key.is_weak()).map(Self)
    }

    /// The 32 bytes.
    pub fn to_bytes(&self) -> [u8; 32] {
        self.0.to_bytes()
    }

    /// Names the key: 16 hex digits of the SHA-256 of its bytes.
    pub fn key_id(&self) -> String {
        hex::encode(&Sha256::digest(self.0.as_bytes())[..8])
    }

    /// The key as a C2SP verifier key, for other tools and `--key`.
    pub fn verifier_key(&self, origin: &str) -> String {
        let mut bytes = vec![NOTE_ED25519];
        bytes.extend_from_slice(self.0.as_bytes());
        let hash = hex::encode(self.note_key_hash(origin));
        format!("{origin}+{hash}+{}", BASE64_STANDARD.encode(bytes))
    }

    /// Reads a C2SP verifier key; gives the origin as well.
    pub fn parse_verifier_key(text: &str) -> Option<(String, Self)> {
        let (origin, rest) = text.trim().split_once('+')?;
        let (_, encoded) = rest.split_once('+')?;
        let bytes = BASE64_STANDARD.decode(encoded).ok()?;
        let key = Self::from_bytes(bytes.strip_prefix(&[NOTE_ED25519])?.try_into().ok()?)?;
        (key.verifier_key(origin) == text.trim()).then(|| (origin.to_owned(), key))
    }

    /// The four bytes that name the key in a signed note of `origin`.
    pub(crate) fn note_key_hash(&self, origin: &str) -> [u8; 4] {
        let hash = Sha256::new()
            .chain_update(origin)
            .chain_update([b'\n', NOTE_ED25519])
            .chain_update(self.0.as_bytes())
            .finalize();
        [hash[0], hash[1], hash[2], hash[3]]
    }

    /// Whether `signature` over `message` was made with this key, strictly.
    pub(crate) fn has_signed(&self, message: &[u8], signature: &[u8]) -> bool {
        Signature::from_slice(signature)
            .is_ok_and(|signature| self.0.verify_strict(message, &signature).is_ok())
    }
}
