//! `Approved`: the only thing that may be written, and the only two ways to one.

use std::collections::HashMap;

use gatewright_model::{
    Autonomy, Binding, Digest, FileState, Finding, HumanDecision, PathFacts, RepoPath,
    RequestedPath, Resolution, Severity, Verdict,
};

use crate::{Decision, Judged, Policy, decide, write};

/// A change set that passed the guards, or that a person approved where they asked.
///
/// It is consumed by the write, so it is used once.
#[derive(Debug)]
#[must_use]
pub struct Approved {
    files: Vec<ApprovedFile>,
    findings: Vec<Finding>,
    reviewed: Option<HumanDecision>,
    policy: Policy,
}

/// One file of an [`Approved`].
#[derive(Debug, Clone)]
pub struct ApprovedFile {
    /// The path as it was asked for.
    pub requested: RequestedPath,
    /// Where it leads, as judged.
    pub resolved: RepoPath,
    /// The base that the change was made against.
    pub before: Option<FileState>,
    /// What is to stand there; `None` for a removal.
    pub after: Option<FileState>,
    /// The file of the same set that this one is the new name of.
    pub renamed_from: Option<RepoPath>,
}

/// Why something judged may not be written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotApproved {
    /// A guard refused it.
    #[error("a guard refused the change")]
    Refused,
    /// It must be staged for a person first.
    #[error("the change waits for a person's review")]
    NeedsReview,
    /// Manual mode takes no proposals.
    #[error("the workspace is in manual mode")]
    Manual,
    /// Suggest-only proposals cannot be applied.
    #[error("the workspace is suggest-only, so nothing is applied")]
    SuggestOnly,
    /// The person approved other bytes, another place or another mode.
    #[error("the approval was given for something else: {path} differs")]
    NotWhatWasApproved {
        /// The path that differs.
        path: String,
    },
    /// A guard asks for a confirmation that was not given.
    #[error("a guard asks for a confirmation that was not given")]
    NotConfirmed,
}

/// Approves what needs nobody: every guard passes and the mode is autonomous.
pub fn approve(judged: Judged, autonomy: Autonomy) -> Result<Approved, NotApproved> {
    match decide(judged.verdict(), autonomy) {
        Decision::Apply => Ok(build(judged, None)),
        Decision::Stage => Err(NotApproved::NeedsReview),
        Decision::Refuse => Err(NotApproved::Refused),
        Decision::RefuseManual => Err(NotApproved::Manual),
    }
}

/// Approves what a person decided on, bound to the bytes and places that they saw.
///
/// A person may approve in every mode but suggest-only, and nobody can approve
/// what a guard refuses.
pub fn approve_reviewed(
    judged: Judged,
    decision: HumanDecision,
    autonomy: Autonomy,
) -> Result<Approved, NotApproved> {
    if autonomy.suggest_only {
        return Err(NotApproved::SuggestOnly);
    }
    match judged.verdict() {
        Verdict::Refuse => return Err(NotApproved::Refused),
        Verdict::Confirm if !decision.confirms => return Err(NotApproved::NotConfirmed),
        _ => {}
    }
    let now = bindings_of(&judged);
    if let Some(path) = first_difference(&now, &decision.bindings) {
        return Err(NotApproved::NotWhatWasApproved { path });
    }
    Ok(build(judged, Some(decision)))
}

/// What a person binds themselves to when they approve `judged` as it stands.
pub fn bindings_of(judged: &Judged) -> Vec<Binding> {
    let changes = &judged.change_set().changes;
    changes
        .iter()
        .zip(&judged.facts().paths)
        .filter_map(|(change, facts)| match &facts.resolution {
            Resolution::Inside(target) => Some(Binding {
                resolved: target.resolved.clone(),
                before: change.base_digest(),
                after: change.result_digest(),
                mode: change.after.as_ref().map(|state| state.mode.bits()),
            }),
            Resolution::Failed(_) => None,
        })
        .collect()
}

fn first_difference(now: &[Binding], approved: &[Binding]) -> Option<String> {
    if let Some(extra) = now.iter().find(|binding| !approved.contains(binding)) {
        return Some(extra.resolved.to_string());
    }
    approved
        .iter()
        .find(|binding| !now.contains(binding))
        .map(|binding| binding.resolved.to_string())
}

fn build(judged: Judged, reviewed: Option<HumanDecision>) -> Approved {
    let (change_set, facts, findings, policy) = judged.into_parts();
    let resolved: HashMap<RequestedPath, RepoPath> = change_set
        .changes
        .iter()
        .zip(&facts.paths)
        .filter_map(|(change, facts)| match &facts.resolution {
            Resolution::Inside(target) => Some((change.requested.clone(), target.resolved.clone())),
            Resolution::Failed(_) => None,
        })
        .collect();
    let files = change_set
        .changes
        .into_iter()
        .zip(facts.paths)
        .filter_map(|(change, facts)| match facts.resolution {
            Resolution::Inside(target) => Some(ApprovedFile {
                requested: change.requested,
                resolved: target.resolved,
                before: change.before,
                after: change.after,
                renamed_from: change.renamed_from.and_then(|from| resolved.get(&from).cloned()),
            }),
            // A failed resolution is a refusal, which never comes this far.
            Resolution::Failed(_) => None,
        })
        .collect();
    Approved { files, findings, reviewed, policy }
}

impl Approved {
    /// The files, in the order of the change set.
    pub fn files(&self) -> &[ApprovedFile] {
        &self.files
    }

    /// What the guards said of it.
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// The person's decision, when there was one.
    pub fn reviewed(&self) -> Option<&HumanDecision> {
        self.reviewed.as_ref()
    }

    /// Judges a file once more on fresh facts, just before it is renamed into place.
    ///
    /// It must still lead to the approved place, and nothing there may now be
    /// refused, or ask for what was not confirmed.
    pub fn recheck(&self, file: &ApprovedFile, fresh: &PathFacts) -> Result<(), Finding> {
        match &fresh.resolution {
            Resolution::Inside(target) if target.resolved == file.resolved => {}
            _ => return Err(write::moved_finding(file, fresh)),
        }
        let confirmed = self.reviewed.as_ref().is_some_and(|decision| decision.confirms);
        write::judge_place(&file.requested, fresh, &self.policy.write)
            .into_iter()
            .find(|finding| match finding.severity {
                Severity::Refuse => true,
                Severity::Confirm => !confirmed,
                Severity::Warn | Severity::Note => false,
            })
            .map_or(Ok(()), Err)
    }
}

impl ApprovedFile {
    /// The digest of the base; `None` where no file is expected.
    pub fn before_digest(&self) -> Option<Digest> {
        self.before.as_ref().map(FileState::digest)
    }
}
