//! What a text refers to and does not exist, whoever wrote it.

use gatewright_model::{FileChange, FileMode, FileState, Intent, ReferenceFacts, RequestedPath};

use crate::Engine;

impl Engine {
    /// Every missing reference of a file with this text, as it is or as an editor holds it.
    ///
    /// Unlike a judgement of a change, what was dangling before counts as well.
    pub fn dangling_in(&self, path: &str, text: &[u8]) -> ReferenceFacts {
        let change = FileChange {
            requested: RequestedPath::new(path),
            before: None,
            after: Some(FileState::new(text.to_vec(), FileMode::REGULAR)),
            renamed_from: None,
            intent: Intent::Create,
        };
        let mut facts = self.references.facts(&[change], &self.workspace, self.clock.now());
        facts.pop().unwrap_or_else(ReferenceFacts::not_checked)
    }
}
