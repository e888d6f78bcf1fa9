//! The write guard: may these bytes go to this path?

use gatewright_model::{
    FileChange, Finding, Guard, PathFacts, RequestedPath, Resolution, Severity,
};

use crate::ApprovedFile;

/// The rules of the write guard: the built-in catalogue and what configuration adds.
#[derive(Debug, Clone, Default)]
pub struct WriteRules {}

/// Judges one file change: its place, its name, its bytes and its mode.
pub fn judge(change: &FileChange, facts: &PathFacts, rules: &WriteRules) -> Vec<Finding> {
    judge_place(&change.requested, facts, rules)
}

/// Judges the place alone: the requested text, the resolved path and what stands there.
pub fn judge_place(
    requested: &RequestedPath,
    facts: &PathFacts,
    _rules: &WriteRules,
) -> Vec<Finding> {
    match &facts.resolution {
        Resolution::Inside(_) => Vec::new(),
        Resolution::Failed(failure) => vec![Finding::new(
            Guard::Write,
            Severity::Refuse,
            "W001-outside",
            requested.as_str(),
            failure.to_string(),
        )],
    }
}

/// The refusal for a path that no longer leads to the approved place.
pub fn moved_finding(file: &ApprovedFile, _fresh: &PathFacts) -> Finding {
    Finding::new(
        Guard::Write,
        Severity::Refuse,
        "W002-moved",
        file.requested.as_str(),
        "the path no longer leads to the place that was approved",
    )
}
