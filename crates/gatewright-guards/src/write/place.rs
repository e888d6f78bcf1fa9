//! What the disk says of a place: where the path leads and what stands there.

use gatewright_model::{
    Finding, LinkFacts, PathFacts, PathProblem, RepoPath, RequestedPath, Resolution,
    ResolutionFailure, Target, TargetKind,
};

use super::code_points::shown;
use super::floor;
use super::fold::FoldedPath;
use super::name::{LONGEST_PATH, judge_names, judge_text};
use super::rules::WriteRules;

/// Judges the requested text, the resolved path and what stands there.
pub(super) fn judge_place(
    requested: &RequestedPath,
    facts: &PathFacts,
    rules: &WriteRules,
) -> Vec<Finding> {
    let text = requested.as_str();
    if text.len() > LONGEST_PATH {
        // Refused as it is, and too long to be worth folding.
        return vec![floor::finding(floor::TOO_LONG, text, "the path is too long")];
    }
    let folded = FoldedPath::new(text);
    let mut findings = judge_text(&folded);
    add_new(&mut findings, judge_names(&folded, text, rules));
    match &facts.resolution {
        Resolution::Inside(target) => {
            if !is_same_place(text, &target.resolved) {
                let resolved = FoldedPath::new(target.resolved.as_str());
                add_new(&mut findings, judge_names(&resolved, text, rules));
            }
            add_new(&mut findings, judge_target(text, target));
        }
        Resolution::Failed(failure) => {
            add_new(&mut findings, vec![judge_failure(text, failure)]);
        }
    }
    findings
}

/// Whether the text differs from the resolved path by `.` and repeated slashes at most.
fn is_same_place(text: &str, resolved: &RepoPath) -> bool {
    text == resolved.as_str() || RepoPath::parse(text).is_ok_and(|path| path == *resolved)
}

/// Adds what says something new: of two findings of one rule the stricter
/// stays, or the later, which shows where the path leads.
fn add_new(findings: &mut Vec<Finding>, more: Vec<Finding>) {
    for finding in more {
        match findings.iter_mut().find(|known| known.code == finding.code) {
            Some(known) if known.severity <= finding.severity => *known = finding,
            Some(_) => {}
            None => findings.push(finding),
        }
    }
}

fn judge_failure(text: &str, failure: &ResolutionFailure) -> Finding {
    let code = match failure {
        ResolutionFailure::Text(problem) => code_of(*problem),
        ResolutionFailure::Escapes => floor::OUTSIDE,
        ResolutionFailure::BadLink => floor::BAD_LINK,
        ResolutionFailure::CrossesMount => floor::CROSSES_MOUNT,
        ResolutionFailure::NotADirectory => floor::NOT_A_DIRECTORY,
        ResolutionFailure::Denied => floor::DENIED,
        ResolutionFailure::Unsupported => floor::UNSUPPORTED,
        ResolutionFailure::NotUtf8 => floor::NOT_UTF8,
        ResolutionFailure::Other { .. } => floor::UNRESOLVED,
    };
    floor::finding(code, text, &format!("{}: {failure}", shown(text)))
}

fn code_of(problem: PathProblem) -> &'static str {
    match problem {
        PathProblem::Empty | PathProblem::Directory => floor::NO_FILE_NAME,
        PathProblem::Absolute => floor::ABSOLUTE,
        PathProblem::ParentComponent => floor::PARENT,
        PathProblem::Nul => floor::CONTROL,
        PathProblem::TooLong => floor::TOO_LONG,
    }
}

fn judge_target(text: &str, target: &Target) -> Vec<Finding> {
    let place = target.resolved.as_str();
    let mut findings = Vec::new();
    let mut add = |code, what: String| findings.push(floor::finding(code, text, &what));
    match target.kind {
        TargetKind::Directory => add(floor::DIRECTORY, format!("{} is a directory", shown(place))),
        TargetKind::Special => {
            add(floor::SPECIAL, format!("{} is a device, socket or pipe", shown(place)));
        }
        TargetKind::Absent | TargetKind::Regular => {}
    }
    match target.links {
        LinkFacts::Single => {}
        LinkFacts::AllInside { count } => {
            add(
                floor::LINKED_INSIDE,
                format!("{} is one of {count} names of a file", shown(place)),
            );
        }
        LinkFacts::SomeOutside { count, found } => add(
            floor::LINKED_OUTSIDE,
            format!("{} has {count} names, of which {found} are in the workspace", shown(place)),
        ),
    }
    if target.is_own_file {
        add(floor::OWN, format!("{} is Gatewright's own", shown(place)));
    }
    if target.in_bare_repository {
        add(
            floor::BARE,
            format!("{} lies in a directory with HEAD, objects and refs", shown(place)),
        );
    }
    findings
}
