//! What the disk says of a place: where the path leads and what stands there.

use gatewright_model::{
    Finding, LinkFacts, PathFacts, PathProblem, RequestedPath, Resolution, ResolutionFailure,
    Target, TargetKind,
};

use super::code_points::shown;
use super::floor;
use super::name::{judge_names, judge_text};
use super::rules::WriteRules;

/// Judges the requested text, the resolved path and what stands there.
pub(super) fn judge_place(
    requested: &RequestedPath,
    facts: &PathFacts,
    rules: &WriteRules,
) -> Vec<Finding> {
    let text = requested.as_str();
    let mut findings = judge_text(text);
    add_new(&mut findings, judge_names(text, text, rules));
    match &facts.resolution {
        Resolution::Inside(target) => {
            let resolved = target.resolved.as_str();
            if resolved != text {
                add_new(&mut findings, judge_names(resolved, text, rules));
            }
            add_new(&mut findings, judge_target(text, target));
        }
        Resolution::Failed(failure) => {
            add_new(&mut findings, vec![judge_failure(text, failure)]);
        }
    }
    findings
}

/// Adds what says something new: of two findings of one rule the stricter stays.
fn add_new(findings: &mut Vec<Finding>, more: Vec<Finding>) {
    for finding in more {
        match findings.iter_mut().find(|known| known.code == finding.code) {
            Some(known) if known.severity < finding.severity => *known = finding,
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
