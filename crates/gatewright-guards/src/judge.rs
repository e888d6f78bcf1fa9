//! Facts in, findings and one verdict out.

use gatewright_model::{
    ChangeSet, Finding, Guard, GuardOutcome, GuardOutcomes, MissingReference, PathFacts,
    ReferenceFacts, Severity, StructureFacts, Verdict,
};

use crate::{Policy, egress, hallucination, structure, write};

/// What is known about a change set. One entry of each list for each file change.
#[derive(Debug, Clone)]
pub struct Facts {
    /// What the disk says about each path.
    pub paths: Vec<PathFacts>,
    /// What the parse says about each change.
    pub structure: StructureScope,
    /// What is known about the references that each change adds.
    pub references: Vec<ReferenceFacts>,
}

/// Whether the structural gate has still to look.
#[derive(Debug, Clone)]
pub enum StructureScope {
    /// A fresh proposal: the facts of each change.
    Proposal(Vec<StructureFacts>),
    /// What a person chose from a proposal that was gated as a whole, or an undo.
    Reviewed,
}

/// A change set with everything that the guards said of it.
#[derive(Debug, Clone)]
#[must_use]
pub struct Judged {
    change_set: ChangeSet,
    facts: Facts,
    findings: Vec<Finding>,
    verdict: Verdict,
    policy: Policy,
}

/// Judges a change set. Always succeeds; a missing fact is a refusal.
pub fn judge(change_set: ChangeSet, facts: Facts, policy: &Policy) -> Judged {
    let mut findings = Vec::new();
    for (index, change) in change_set.changes.iter().enumerate() {
        let path = change.requested.as_str();
        match facts.paths.get(index) {
            Some(place) => findings.extend(write::judge(change, place, &policy.write)),
            None => findings.push(no_facts(Guard::Write, "W000-no-facts", path)),
        }
        if let StructureScope::Proposal(structures) = &facts.structure {
            match structures.get(index) {
                Some(structure_facts) => findings.extend(structure::judge(path, structure_facts)),
                None => findings.push(no_facts(Guard::Structure, "S000-no-facts", path)),
            }
        }
        findings.extend(missing_references(path, facts.references.get(index)));
        findings.extend(egress::judge(change, &policy.redactor));
    }
    let verdict = Verdict::of(&findings);
    Judged { change_set, facts, findings, verdict, policy: policy.clone() }
}

/// The warnings; that something was not looked up is said by the guard's word, not by a note.
fn missing_references(path: &str, facts: Option<&ReferenceFacts>) -> Vec<Finding> {
    let mut findings = facts.map(|facts| hallucination::judge(path, facts)).unwrap_or_default();
    findings.retain(|finding| finding.severity > Severity::Note);
    findings
}

fn no_facts(guard: Guard, code: &str, path: &str) -> Finding {
    let message = "nothing is known about this change, so it cannot be judged";
    Finding::new(guard, Severity::Refuse, code, path, message)
}

impl Judged {
    /// The change set.
    pub fn change_set(&self) -> &ChangeSet {
        &self.change_set
    }

    /// The facts that it was judged on.
    pub fn facts(&self) -> &Facts {
        &self.facts
    }

    /// What the guards said.
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// The strictest of it.
    pub fn verdict(&self) -> Verdict {
        self.verdict
    }

    /// The word of each guard.
    ///
    /// Where references were not all looked up, the hallucination guard says
    /// so instead of passing.
    pub fn outcomes(&self) -> GuardOutcomes {
        let mut outcomes = GuardOutcomes::of(&self.findings);
        let references = &self.facts.references;
        let is_complete = references.len() == self.change_set.changes.len()
            && references.iter().all(|facts| facts.complete);
        if !is_complete {
            outcomes.raise(Guard::Hallucination, GuardOutcome::NotChecked);
        }
        outcomes
    }

    /// How many references were looked up.
    pub fn symbols_checked(&self) -> u64 {
        self.facts.references.iter().map(|facts| facts.checked).sum()
    }

    /// The references that the change adds and that do not exist.
    pub fn missing_references(&self) -> Vec<MissingReference> {
        self.facts.references.iter().flat_map(|facts| facts.missing.clone()).collect()
    }

    pub(crate) fn into_parts(self) -> (ChangeSet, Facts, Vec<Finding>, Policy) {
        (self.change_set, self.facts, self.findings, self.policy)
    }
}
