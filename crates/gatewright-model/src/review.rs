//! What a person decided, bound to exact bytes at an exact place.

use serde::{Deserialize, Serialize};

use crate::{Digest, RepoPath};

/// One file of an approval: the place, the bytes before and after, the mode.
///
/// Any difference at apply time is a refusal.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Binding {
    /// The resolved path that the person saw.
    pub resolved: RepoPath,
    /// The digest of the file that they saw there; `None` for no file.
    pub before: Option<Digest>,
    /// The digest of the bytes that they approved; `None` for a removal.
    pub after: Option<Digest>,
    /// The permission bits that they approved; `None` for a removal.
    pub mode: Option<u32>,
}

/// A person's approval of a whole change set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HumanDecision {
    /// Who decided (a user name).
    pub reviewer: String,
    /// Identifies the approval; it is used once.
    pub approval_id: String,
    /// What they approved, one for each file.
    pub bindings: Vec<Binding>,
    /// Whether they confirmed what asks for confirmation.
    pub confirms: bool,
}
