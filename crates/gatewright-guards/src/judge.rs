//! Facts in, findings and one verdict out.

use gatewright_model::{ChangeSet, Finding, Guard, GuardOutcomes, PathFacts, Severity, Verdict};

use crate::{Policy, write};

/// What is known about a change set. One entry of each list for each file change.
#[derive(Debug, Clone, Default)]
pub struct Facts {
    /// What the disk says about each path.
    pub paths: Vec<PathFacts>,
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
        match facts.paths.get(index) {
            Some(path_facts) => findings.extend(write::judge(change, path_facts, &policy.write)),
            None => findings.push(Finding::new(
                Guard::Write,
                Severity::Refuse,
                "W000-no-facts",
                change.requested.as_str(),
                "the place of this path on disk is not known, so it cannot be judged",
            )),
        }
    }
    let verdict = Verdict::of(&findings);
    Judged { change_set, facts, findings, verdict, policy: policy.clone() }
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
    pub fn outcomes(&self) -> GuardOutcomes {
        GuardOutcomes::of(&self.findings)
    }

    pub(crate) fn into_parts(self) -> (ChangeSet, Facts, Vec<Finding>, Policy) {
        (self.change_set, self.facts, self.findings, self.policy)
    }
}
