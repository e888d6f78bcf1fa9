//! Building file changes and judging them, for the tests of the write guard.
#![allow(dead_code, reason = "each test crate uses its own part")]

use gatewright_guards::write::{self, WriteRules};
use gatewright_model::{
    FileChange, FileMode, FileState, Finding, Intent, LinkFacts, PathFacts, PathProblem, RepoPath,
    RequestedPath, Resolution, ResolutionFailure, Severity, Target, TargetKind,
};

/// The facts of a path that leads where its text says.
pub fn facts(path: &str) -> PathFacts {
    facts_of(path, RepoPath::parse(path).map_err(ResolutionFailure::Text))
}

/// The facts of a path that leads to `resolved`.
pub fn facts_to(path: &str, resolved: &str) -> PathFacts {
    facts_of(path, RepoPath::parse(resolved).map_err(ResolutionFailure::Text))
}

fn facts_of(path: &str, resolved: Result<RepoPath, ResolutionFailure>) -> PathFacts {
    let resolution = match resolved {
        Ok(resolved) => Resolution::Inside(target(resolved)),
        Err(failure) => Resolution::Failed(failure),
    };
    PathFacts { requested: RequestedPath::new(path), resolution }
}

/// A path that resolves nowhere.
pub fn failed(path: &str, failure: ResolutionFailure) -> PathFacts {
    PathFacts { requested: RequestedPath::new(path), resolution: Resolution::Failed(failure) }
}

/// A place where nothing stands yet.
pub fn target(resolved: RepoPath) -> Target {
    Target {
        resolved,
        kind: TargetKind::Absent,
        links: LinkFacts::Single,
        digest: None,
        mode: None,
        through_link: false,
        directory: (1, 1),
        is_own_file: false,
        in_bare_repository: false,
    }
}

/// A change of one file.
pub fn change(path: &str, before: Option<&[u8]>, after: Option<&[u8]>) -> FileChange {
    let state = |bytes: &[u8]| FileState::new(bytes, FileMode::REGULAR);
    FileChange {
        requested: RequestedPath::new(path),
        before: before.map(state),
        after: after.map(state),
        renamed_from: None,
        intent: if before.is_some() { Intent::Overwrite } else { Intent::Create },
    }
}

/// The findings of creating a file.
pub fn create(path: &str, text: &str) -> Vec<Finding> {
    create_with(path, text.as_bytes(), &WriteRules::builtin())
}

/// The findings of creating a file under these rules.
pub fn create_with(path: &str, bytes: &[u8], rules: &WriteRules) -> Vec<Finding> {
    write::judge(&change(path, None, Some(bytes)), &facts(path), rules)
}

/// The strictest severity of some findings.
pub fn strictest(findings: &[Finding]) -> Option<Severity> {
    findings.iter().map(|finding| finding.severity).max()
}

/// The strictest severity of creating an ordinary file there.
pub fn severity_of_path(path: &str) -> Option<Severity> {
    strictest(&create(path, "text\n"))
}

/// The codes of some findings.
pub fn codes(findings: &[Finding]) -> Vec<&str> {
    findings.iter().map(|finding| finding.code.as_str()).collect()
}

/// The problem of a path, as a failure.
pub fn text_failure(problem: PathProblem) -> ResolutionFailure {
    ResolutionFailure::Text(problem)
}
