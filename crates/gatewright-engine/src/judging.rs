//! Facts gathered for a change set, and the judgement on them.

use gatewright_guards::{Facts, Judged, judge};
use gatewright_model::ChangeSet;

use crate::Engine;

/// Whether the structural gate still has to look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// A fresh proposal.
    Proposal,
    /// What a person chose from a proposal that was gated as a whole.
    Reviewed,
}

impl Engine {
    /// Gathers every fact about a change set and judges it.
    pub(crate) fn judge(&self, change_set: ChangeSet, _stage: Stage) -> Judged {
        let paths = change_set
            .changes
            .iter()
            .map(|change| self.workspace.facts(&change.requested))
            .collect();
        judge(change_set, Facts { paths }, &self.config.policy)
    }
}
