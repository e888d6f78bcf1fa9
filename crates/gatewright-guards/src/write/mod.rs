//! The write guard: may these bytes go to this path?
//!
//! A path is judged three times: as the text that was asked for, as the place
//! that it resolves to, and by what stands there. Names are matched in one
//! folded form ([`fold_path`]), so that an alias on any platform is an alias
//! here; a user's name is never rewritten. The bytes are judged for what a
//! reviewer could not see.
//!
//! The hard floor is code with a table of its rules; what asks for a
//! confirmation is data (`rules/write`). Configuration ([`WriteExtension`])
//! adds refusals, and can turn a confirmation for a name into a note. It
//! touches no refusal.

mod catalogue;
mod code_points;
mod content;
mod floor;
mod fold;
mod name;
mod pattern;
mod place;
mod rules;
mod scripts;
mod self_test;
mod short_names;

use gatewright_model::{FileChange, Finding, PathFacts, RequestedPath, Resolution};

use crate::ApprovedFile;

pub use catalogue::{RuleInfo, RuleSubject, catalogue};
pub use content::MAX_FILE_BYTES;
pub use fold::{fold_component, fold_path};
pub use rules::{WriteExtension, WriteRuleError, WriteRules};
pub use self_test::self_test;

/// Judges one file change: its place, its name, its bytes and its mode.
///
/// A removal is judged for its place and name. Each half of a rename is a file
/// change of its own and is judged as such.
pub fn judge(change: &FileChange, facts: &PathFacts, rules: &WriteRules) -> Vec<Finding> {
    let mut findings = judge_place(&change.requested, facts, rules);
    let resolved = match &facts.resolution {
        Resolution::Inside(target) => Some(&target.resolved),
        Resolution::Failed(_) => None,
    };
    findings.extend(content::judge_content(change, resolved, rules));
    findings
}

/// Judges the place alone: the requested text, the resolved path and what stands there.
pub fn judge_place(
    requested: &RequestedPath,
    facts: &PathFacts,
    rules: &WriteRules,
) -> Vec<Finding> {
    place::judge_place(requested, facts, rules)
}

/// The refusal for a path that no longer leads to the approved place.
pub fn moved_finding(file: &ApprovedFile, fresh: &PathFacts) -> Finding {
    let now = match &fresh.resolution {
        Resolution::Inside(target) => {
            format!("it now leads to {}", code_points::shown(target.resolved.as_str()))
        }
        Resolution::Failed(failure) => failure.to_string(),
    };
    let approved = code_points::shown(file.resolved.as_str());
    let what = format!("the path no longer leads to {approved}; {now}");
    floor::finding(floor::MOVED, file.requested.as_str(), &what)
}
