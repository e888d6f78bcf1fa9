//! The resolved rules that judgement uses: the built-in catalogue plus what configuration adds.

use crate::write::WriteRules;

/// Everything that judging needs besides the change and its facts.
#[derive(Debug, Clone)]
pub struct Policy {
    /// The rules of the write guard.
    pub write: WriteRules,
}
