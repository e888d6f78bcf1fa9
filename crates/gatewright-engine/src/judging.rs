//! Facts gathered for a change set, and the judgement on them.

use gatewright_guards::{Facts, Judged, StructureScope, judge};
use gatewright_languages::syntax::structure_facts;
use gatewright_model::{ChangeSet, FileChange, StructureFacts};

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
    pub(crate) fn judge(&self, change_set: ChangeSet, stage: Stage) -> Judged {
        let changes = &change_set.changes;
        let paths = changes.iter().map(|change| self.workspace.facts(&change.requested)).collect();
        let structure = match stage {
            Stage::Proposal => {
                StructureScope::Proposal(changes.iter().map(structure_of).collect())
            }
            Stage::Reviewed => StructureScope::Reviewed,
        };
        judge(change_set, Facts { paths, structure }, &self.policy)
    }
}

fn structure_of(change: &FileChange) -> StructureFacts {
    let bytes = |state: &Option<gatewright_model::FileState>| {
        state.as_ref().map(|state| state.content.clone())
    };
    let (before, after) = (bytes(&change.before), bytes(&change.after));
    structure_facts(
        change.requested.as_str(),
        before.as_deref(),
        after.as_deref(),
        &change.intent,
    )
}
