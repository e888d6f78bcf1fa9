//! Anchors a ledger in a commit: a trailer with its size and root.
//!
//! A trailer is bound by the hash of its commit and travels with it, so it is
//! a second place for a checkpoint. It is not signed; it can only be compared.

use std::fmt;

use crate::checkpoint::Checkpoint;
use crate::merkle::Hash;

/// The name of the trailer.
pub const TRAILER: &str = "Gatewright-Checkpoint";

/// The size and root of a ledger at some moment.
///
/// ```
/// use gatewright_ledger::Anchor;
/// let anchor = Anchor { size: 3, root: [7; 32] };
/// let message = format!("parser: accept tabs\n\n{anchor}\n");
/// assert_eq!(Anchor::find(&message), Some(anchor));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Anchor {
    /// How many receipts it had.
    pub size: u64,
    /// The root over them.
    pub root: Hash,
}

impl Anchor {
    /// The last anchor in a commit message; `None` when there is none.
    pub fn find(message: &str) -> Option<Self> {
        message.lines().rev().find_map(Self::parse)
    }

    /// Reads one trailer line.
    pub fn parse(line: &str) -> Option<Self> {
        let value = line.strip_prefix(TRAILER)?.strip_prefix(':')?.trim();
        let (size, digits) = value.split_once(':')?;
        let mut root = [0; 32];
        hex::decode_to_slice(digits, &mut root).ok()?;
        let is_number = !size.is_empty() && size.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| size.parse().ok())?.map(|size| Self { size, root })
    }
}

impl From<&Checkpoint> for Anchor {
    fn from(checkpoint: &Checkpoint) -> Self {
        Self { size: checkpoint.size, root: checkpoint.root }
    }
}

impl fmt::Display for Anchor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{TRAILER}: {}:{}", self.size, hex::encode(self.root))
    }
}
