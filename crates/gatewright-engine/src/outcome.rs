//! What became of a proposal.

use gatewright_guards::{Judged, StructureScope};
use gatewright_model::{
    Finding, GuardOutcomes, MissingReference, ReadyCall, Receipt, Resolution, Verdict,
};

/// What became of a proposal, with the receipt that says so.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// What happened.
    pub disposition: Disposition,
    /// The strictest thing that a guard said.
    pub verdict: Verdict,
    /// What the guards said.
    pub findings: Vec<Finding>,
    /// The symbol edits to make instead, where the structural gate refused.
    pub calls: Vec<ReadyCall>,
    /// The receipt.
    pub receipt: Receipt,
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Disposition {
    /// Written.
    Applied,
    /// Held for a person under this id.
    Staged {
        /// The id of the staged change.
        change_id: String,
    },
    /// Refused by a guard.
    Refused,
    /// Refused because the workspace is in manual mode.
    Manual,
    /// Turned down by a person.
    Rejected,
    /// Taken back.
    RolledBack,
}

impl Disposition {
    /// The name on the wire.
    pub fn as_str(&self) -> &'static str {
        match self {
            Disposition::Applied => "applied",
            Disposition::Staged { .. } => "staged",
            Disposition::Refused => "refused",
            Disposition::Manual => "refused-manual",
            Disposition::Rejected => "rejected",
            Disposition::RolledBack => "rolled-back",
        }
    }
}

/// What the guards say of a request that is only checked.
#[derive(Debug, Clone)]
pub struct Checked {
    /// The strictest of it.
    pub verdict: Verdict,
    /// The word of each guard.
    pub guards: GuardOutcomes,
    /// What they said.
    pub findings: Vec<Finding>,
    /// The references that do not exist.
    pub missing: Vec<MissingReference>,
    /// The symbol edits to make instead, where the structural gate refuses.
    pub calls: Vec<ReadyCall>,
    /// Each file: requested path, and where it leads.
    pub files: Vec<(String, Option<String>)>,
}

impl Checked {
    pub(crate) fn of(judged: &Judged) -> Self {
        let files = judged
            .facts()
            .paths
            .iter()
            .map(|facts| {
                let resolved = match &facts.resolution {
                    Resolution::Inside(target) => Some(target.resolved.to_string()),
                    Resolution::Failed(_) => None,
                };
                (facts.requested.to_string(), resolved)
            })
            .collect();
        Self {
            verdict: judged.verdict(),
            guards: judged.outcomes(),
            findings: judged.findings().to_vec(),
            missing: judged.missing_references(),
            calls: calls_of(judged),
            files,
        }
    }
}

/// The calls that the structural gate suggests.
pub(crate) fn calls_of(judged: &Judged) -> Vec<ReadyCall> {
    match &judged.facts().structure {
        StructureScope::Reviewed => Vec::new(),
        StructureScope::Proposal(facts) => {
            facts.iter().flat_map(|facts| facts.calls.clone()).collect()
        }
    }
}
