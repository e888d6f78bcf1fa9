//! Facts gathered for a change set, and the judgement on them.

use gatewright_guards::{Facts, Judged, StructureScope, judge};
use gatewright_languages::syntax::structure_facts;
use gatewright_model::{ChangeSet, FileChange, FileState, PathFacts, StructureFacts};

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
        self.judge_at(change_set, paths, stage)
    }

    /// Judges a change set by what was found at its paths just now.
    pub(crate) fn judge_at(
        &self,
        change_set: ChangeSet,
        paths: Vec<PathFacts>,
        stage: Stage,
    ) -> Judged {
        let changes = &change_set.changes;
        let structure = match stage {
            Stage::Proposal => StructureScope::Proposal(
                changes.iter().map(|change| structure_of(change, changes)).collect(),
            ),
            Stage::Reviewed => StructureScope::Reviewed,
        };
        let references = self.references.facts(changes, &self.workspace, self.clock.now());
        judge(change_set, Facts { paths, structure, references }, &self.policy_now())
    }
}

/// What the parse says of a change; the base of a renamed file is the file of the old name.
fn structure_of(change: &FileChange, all: &[FileChange]) -> StructureFacts {
    let source = change
        .renamed_from
        .as_ref()
        .and_then(|from| all.iter().find(|other| other.requested == *from))
        .unwrap_or(change);
    let bytes = |state: &Option<FileState>| state.as_ref().map(|state| state.content.clone());
    let (before, after) = (bytes(&source.before), bytes(&change.after));
    let path = change.requested.as_str();
    structure_facts(path, before.as_deref(), after.as_deref(), &change.intent)
}
