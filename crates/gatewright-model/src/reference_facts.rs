//! What is known about the references that one file change adds.

use std::collections::BTreeMap;

use crate::MissingReference;

/// The answer of the index to the hallucination guard, for one file change.
///
/// There are three answers to a reference: it exists, it is missing, or it
/// cannot be told. Only what is missing is listed; the others are counted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReferenceFacts {
    /// How many references were looked up.
    pub checked: u64,
    /// How many of them could not be told, by reason.
    pub unknown: BTreeMap<&'static str, u64>,
    /// The references that the change adds and that do not exist, in the order of the file.
    pub missing: Vec<MissingReference>,
    /// Whether every reference of the file was looked at.
    pub complete: bool,
}

impl Default for ReferenceFacts {
    fn default() -> Self {
        Self { checked: 0, unknown: BTreeMap::new(), missing: Vec::new(), complete: true }
    }
}

impl ReferenceFacts {
    /// The facts of a file that could not be looked at.
    pub fn not_checked() -> Self {
        Self { complete: false, ..Self::default() }
    }
}
