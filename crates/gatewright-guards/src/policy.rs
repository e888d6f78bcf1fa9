//! The resolved rules that judgement uses: the built-in catalogue plus what configuration adds.

use crate::egress::{Catalogue, RedactionContext, Redactor};
use crate::write::WriteRules;

/// Everything that judging needs besides the change and its facts.
#[derive(Debug, Clone)]
pub struct Policy {
    /// The rules of the write guard.
    pub write: WriteRules,
    /// The egress guard of the workspace, which also finds secrets on their way to disk.
    pub redactor: Redactor,
}

impl Policy {
    /// The built-in rules alone, for a workspace of which nothing else is known.
    pub fn builtin() -> Self {
        let redactor = Redactor::new(Catalogue::built_in(), RedactionContext::default());
        Self { write: WriteRules::builtin(), redactor }
    }
}
