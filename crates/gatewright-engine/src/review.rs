//! What a person does to a staged change: look, decide, edit, apply, reject.

use std::collections::BTreeSet;

use gatewright_guards::{Approved, approve_reviewed, bindings_of};
use gatewright_ledger::{StageItem, StageUpdate};
use gatewright_model::{
    Action, Binding, ChangeSet, FileState, HumanDecision, RepoPath, Resolution, diff_hunks,
    replace_hunk,
};

use crate::expand::{Pending, PendingFiles};
use crate::judging::Stage;
use crate::outcome::{Checked, Disposition, Outcome};
use crate::pipeline::FollowUp;
use crate::recording::{Entry, Proposer};
use crate::stage::{
    APPLIED, Choice, OPEN, REJECTED, SUPERSEDED, StagedChange, StagedFile, StoredState,
    UnitDecision, UnitId,
};
use crate::{Engine, EngineError};

/// A staged change as a person sees it now.
#[derive(Debug, Clone)]
pub struct StagedView {
    /// The change.
    pub change: StagedChange,
    /// Its version in the store; a decision names the version that it was made on.
    pub version: u64,
    /// Its state (`open`, `applied`, `rejected`, `superseded`).
    pub state: String,
    /// What the guards say of the whole proposal now.
    pub checked: Checked,
    /// Files that changed on disk since they were staged.
    pub conflicts: Vec<Conflict>,
}

/// A file that changed on disk since it was staged: three versions.
#[derive(Debug, Clone)]
pub struct Conflict {
    /// The resolved path.
    pub path: RepoPath,
    /// What the proposal was made against.
    pub base: Option<FileState>,
    /// What is there now.
    pub now: Option<FileState>,
    /// What was proposed.
    pub proposed: Option<FileState>,
}

/// What a decision is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// Everything.
    All,
    /// One file, by its requested or resolved path.
    File(String),
    /// One unit of one file.
    Unit {
        /// The file.
        path: String,
        /// The unit; a unique prefix will do.
        unit: String,
    },
}

/// An apply of accepted parts that only has to be carried out.
pub(crate) struct Prepared {
    pub(crate) approved: Approved,
    pub(crate) entry: Entry,
    pub(crate) proposer: Proposer,
    pub(crate) stage: StageUpdate,
}

impl Engine {
    /// The open staged changes, oldest first.
    pub fn open_changes(&self) -> Result<Vec<StagedChange>, EngineError> {
        self.ledger.stage_list(Some(OPEN))?.iter().map(decode).collect()
    }

    /// Every staged change with its state, oldest first.
    pub fn all_changes(&self) -> Result<Vec<(StagedChange, String)>, EngineError> {
        let items = self.ledger.stage_list(None)?;
        items.iter().map(|item| Ok((decode(item)?, item.state.clone()))).collect()
    }

    /// One staged change, judged anew. A unique prefix of the id will do.
    pub fn staged(&self, id: &str) -> Result<StagedView, EngineError> {
        let item = self.stage_item(id)?;
        let change = decode(&item)?;
        let judged = self.judge(change.proposed(), Stage::Reviewed);
        let mut checked = Checked::of(&judged);
        checked.findings = merge_findings(&change, checked.findings);
        let conflicts = self.conflicts_of(&change)?;
        Ok(StagedView { change, version: item.version, state: item.state, checked, conflicts })
    }

    /// Decides on a part; `None` takes a decision back.
    pub fn decide(
        &self,
        id: &str,
        part: &Part,
        decision: Option<UnitDecision>,
    ) -> Result<StagedChange, EngineError> {
        self.change_staged(id, |change| {
            let id = change.id.clone();
            let units = named_units(change, part)
                .ok_or_else(|| EngineError::NoSuchPart { id, what: describe(part) })?;
            for (index, unit) in with_rename_partners(change, units) {
                let decisions = &mut change.files[index].decisions;
                match &decision {
                    Some(decision) => decisions.insert(unit, decision.clone()),
                    None => decisions.remove(&unit),
                };
            }
            Ok(())
        })
    }

    /// Replaces what a hunk adds by a person's own text, and accepts it.
    pub fn edit_hunk(
        &self,
        id: &str,
        path: &str,
        unit: &str,
        text: &[u8],
    ) -> Result<StagedChange, EngineError> {
        self.change_staged(id, |change| {
            let what = || EngineError::NoSuchPart {
                id: change.id.clone(),
                what: format!("hunk {unit} of {path}"),
            };
            let index = file_index(change, path).ok_or_else(what)?;
            let proposal = change.files[index].to_change();
            let before = proposal.before.as_ref().map(|s| s.content.clone()).unwrap_or_default();
            let after = proposal.after.ok_or_else(what)?;
            let hunks = diff_hunks(&before, &after.content);
            let hunk = hunks.iter().find(|hunk| hunk.id.as_str().starts_with(unit));
            let hunk = hunk.ok_or_else(what)?;
            let edited = replace_hunk(&before, &hunks, &hunk.id, text).map_err(|_| what())?;
            let kept: BTreeSet<UnitId> =
                hunks.iter().map(|hunk| UnitId(hunk.id.as_str().to_owned())).collect();
            let file = &mut change.files[index];
            file.after = Some(StoredState::from(&FileState::new(edited, after.mode)));
            for unit in file.units() {
                if !kept.contains(unit.id()) {
                    let accept =
                        UnitDecision { choice: Choice::Accept, lines: None, comment: None };
                    file.decisions.insert(unit.id().clone(), accept);
                }
            }
            Ok(())
        })
    }

    /// Writes what was accepted. `confirms` says that the person confirmed what asks.
    ///
    /// What nobody decided on stays staged against the new base. Where a hook
    /// holds the agent's call, the agent's own tool writes it.
    pub fn apply_staged(
        &self,
        id: &str,
        reviewer: &str,
        confirms: bool,
    ) -> Result<Outcome, EngineError> {
        let item = self.open_item(id)?;
        match self.hand_over(&item.id, reviewer, confirms)? {
            Some(outcome) => Ok(outcome),
            None => self.apply_now(&item.id, reviewer, confirms),
        }
    }

    /// Writes what was accepted, whoever holds the call.
    pub(crate) fn apply_now(
        &self,
        id: &str,
        reviewer: &str,
        confirms: bool,
    ) -> Result<Outcome, EngineError> {
        let Prepared { approved, entry, proposer, stage } =
            self.prepare_staged(id, reviewer, confirms)?;
        let follow_up = FollowUp { stage: Some(stage), undone: None };
        let receipt = self.write(approved, entry.clone(), &proposer, follow_up)?;
        Ok(entry.outcome(Disposition::Applied, receipt))
    }

    /// Everything that an apply of the accepted parts needs, judged and approved.
    pub(crate) fn prepare_staged(
        &self,
        id: &str,
        reviewer: &str,
        confirms: bool,
    ) -> Result<Prepared, EngineError> {
        let item = self.open_item(id)?;
        let change = decode(&item)?;
        let accepted = change.accepted();
        if accepted.is_empty() {
            return Err(EngineError::NothingAccepted { id: change.id });
        }
        let autonomy = self.autonomy_of(&change)?;
        let bindings = bindings_seen(&change, &accepted);
        let judged = self.judge(accepted, Stage::Reviewed);
        debug_assert!(bindings_of(&judged).len() <= bindings.len());
        let mut entry = Entry::of(&judged, Action::Apply).answering(&change.receipt_id);
        if let Some(note) = rejection_note(&change) {
            entry = entry.noting(note);
        }
        let decision = HumanDecision {
            reviewer: reviewer.to_owned(),
            approval_id: self.clock.fresh_id(),
            bindings,
            confirms,
        };
        let approved = approve_reviewed(judged, decision, autonomy)?;
        let proposer =
            Proposer { agent: change.agent.clone(), run_id: change.run_id.clone(), autonomy };
        let stage = self.update_after_apply(&item, &change)?;
        Ok(Prepared { approved, entry, proposer, stage })
    }

    /// Turns the whole staged change down.
    pub fn reject_staged(
        &self,
        id: &str,
        reviewer: &str,
        comment: Option<&str>,
    ) -> Result<Outcome, EngineError> {
        let item = self.open_item(id)?;
        let mut change = decode(&item)?;
        let decision = UnitDecision {
            choice: Choice::Reject,
            lines: None,
            comment: comment.map(str::to_owned),
        };
        for file in &mut change.files {
            for unit in file.units() {
                file.decisions.entry(unit.id().clone()).or_insert_with(|| decision.clone());
            }
        }
        let judged = self.judge(change.proposed(), Stage::Reviewed);
        let mut entry =
            Entry::of(&judged, Action::Reject).answering(&change.receipt_id).reviewed_by(reviewer);
        if let Some(comment) = comment {
            entry = entry.noting(comment.to_owned());
        }
        let autonomy = self.autonomy_of(&change)?;
        let proposer =
            Proposer { agent: change.agent.clone(), run_id: change.run_id.clone(), autonomy };
        let body = self.receipt_body(self.clock.fresh_id(), entry.clone(), &proposer);
        let update = update_to(&item, REJECTED, Some(&change))?;
        let receipt = self.ledger.append_with_stage(body, update)?;
        Ok(entry.outcome(Disposition::Rejected, receipt))
    }

    /// The files that a run has staged, so that it sees its own changes.
    pub(crate) fn pending_of(&self, run_id: &str) -> Result<PendingFiles, EngineError> {
        let mut pending = PendingFiles::new();
        for change in self.open_changes()?.into_iter().filter(|change| change.run_id == run_id) {
            for file in &change.files {
                let proposal = file.to_change();
                let entry = Pending { before: proposal.before, after: proposal.after };
                pending.insert(file.resolved.clone(), entry);
            }
        }
        Ok(pending)
    }

    /// Takes files out of the open changes of a run: something newer holds them.
    pub(crate) fn supersede(
        &self,
        run_id: &str,
        taken: &BTreeSet<RepoPath>,
    ) -> Result<(), EngineError> {
        for item in self.ledger.stage_list(Some(OPEN))? {
            let mut change = decode(&item)?;
            let before = change.files.len();
            change.files.retain(|file| !taken.contains(&file.resolved));
            if change.run_id != run_id || change.files.len() == before {
                continue;
            }
            let state = if change.files.is_empty() { SUPERSEDED } else { OPEN };
            self.ledger.stage_update(&update_to(&item, state, Some(&change))?)?;
        }
        Ok(())
    }

    fn stage_item(&self, id: &str) -> Result<StageItem, EngineError> {
        if let Some(item) = self.ledger.stage_get(id)? {
            return Ok(item);
        }
        let mut matches: Vec<StageItem> = self.ledger.stage_list(None)?;
        matches.retain(|item| !id.is_empty() && item.id.starts_with(id));
        match (matches.pop(), matches.is_empty()) {
            (Some(item), true) => Ok(item),
            _ => Err(EngineError::NoSuchChange { id: id.to_owned() }),
        }
    }

    fn open_item(&self, id: &str) -> Result<StageItem, EngineError> {
        let item = self.stage_item(id)?;
        if item.state == OPEN {
            Ok(item)
        } else {
            Err(EngineError::Closed { id: item.id, state: item.state })
        }
    }

    fn change_staged(
        &self,
        id: &str,
        alter: impl FnOnce(&mut StagedChange) -> Result<(), EngineError>,
    ) -> Result<StagedChange, EngineError> {
        let item = self.open_item(id)?;
        let mut change = decode(&item)?;
        alter(&mut change)?;
        self.ledger.stage_update(&update_to(&item, OPEN, Some(&change))?)?;
        Ok(change)
    }

    fn autonomy_of(
        &self,
        change: &StagedChange,
    ) -> Result<gatewright_model::Autonomy, EngineError> {
        let mut autonomy = self.autonomy()?;
        autonomy.suggest_only |= change.suggest_only;
        Ok(autonomy)
    }

    fn update_after_apply(
        &self,
        item: &StageItem,
        change: &StagedChange,
    ) -> Result<StageUpdate, EngineError> {
        let rest: Vec<StagedFile> = change
            .files
            .iter()
            .filter(|f| f.tally().undecided > 0)
            .filter_map(StagedFile::remainder)
            .collect();
        if rest.is_empty() {
            return update_to(item, APPLIED, None);
        }
        let remaining = StagedChange { files: rest, ..change.clone() };
        update_to(item, OPEN, Some(&remaining))
    }

    fn conflicts_of(&self, change: &StagedChange) -> Result<Vec<Conflict>, EngineError> {
        let mut conflicts = Vec::new();
        for file in &change.files {
            let proposal = file.to_change();
            let facts = self.workspace.facts(&file.requested);
            let found = match &facts.resolution {
                Resolution::Inside(target) => target.digest,
                Resolution::Failed(_) => None,
            };
            if found == proposal.base_digest() {
                continue;
            }
            let now = self.workspace.read(&file.requested, crate::READ_LIMIT).unwrap_or(None);
            let path = file.resolved.clone();
            conflicts.push(Conflict { path, base: proposal.before, now, proposed: proposal.after });
        }
        Ok(conflicts)
    }
}

/// The places and bytes that the person saw: as staged, narrowed to what they accepted.
fn bindings_seen(change: &StagedChange, accepted: &ChangeSet) -> Vec<Binding> {
    accepted
        .changes
        .iter()
        .filter_map(|file| {
            let staged = change.files.iter().find(|staged| staged.requested == file.requested)?;
            Some(Binding {
                resolved: staged.resolved.clone(),
                before: file.base_digest(),
                after: file.result_digest(),
                mode: file.after.as_ref().map(|state| state.mode.bits()),
            })
        })
        .collect()
}

fn rejection_note(change: &StagedChange) -> Option<String> {
    let tally = change.tally();
    let parts = tally.rejected + tally.undecided;
    (parts > 0).then(|| {
        format!(
            "{} of {} parts accepted, {} rejected, {} left undecided",
            tally.accepted,
            tally.accepted + parts,
            tally.rejected,
            tally.undecided
        )
    })
}

/// Today's findings, and what only the gate at the door could see.
fn merge_findings(
    change: &StagedChange,
    now: Vec<gatewright_model::Finding>,
) -> Vec<gatewright_model::Finding> {
    let mut findings = now;
    for finding in &change.findings {
        if !findings.contains(finding) {
            findings.push(finding.clone());
        }
    }
    findings
}

fn file_index(change: &StagedChange, path: &str) -> Option<usize> {
    change
        .files
        .iter()
        .position(|file| file.resolved.as_str() == path || file.requested.as_str() == path)
}

fn named_units(change: &StagedChange, part: &Part) -> Option<Vec<(usize, UnitId)>> {
    let of_file = |index: usize| {
        change.files[index].units().into_iter().map(move |unit| (index, unit.id().clone()))
    };
    match part {
        Part::All => Some((0..change.files.len()).flat_map(of_file).collect()),
        Part::File(path) => file_index(change, path).map(|index| of_file(index).collect()),
        Part::Unit { path, unit } => {
            let index = file_index(change, path)?;
            let mut found = of_file(index).filter(|(_, id)| id.0.starts_with(unit.as_str()));
            let first = found.next()?;
            found.next().is_none().then(|| vec![first])
        }
    }
}

/// Both halves of a rename are decided together.
fn with_rename_partners(
    change: &StagedChange,
    units: Vec<(usize, UnitId)>,
) -> BTreeSet<(usize, UnitId)> {
    let mut all: BTreeSet<(usize, UnitId)> = units.iter().cloned().collect();
    for (index, _) in units {
        let file = &change.files[index];
        let partner = change.files.iter().position(|other| {
            file.renamed_from.as_ref() == Some(&other.requested)
                || other.renamed_from.as_ref() == Some(&file.requested)
        });
        if let Some(partner) = partner {
            all.extend(
                change.files[partner].units().into_iter().map(|u| (partner, u.id().clone())),
            );
        }
    }
    all
}

fn describe(part: &Part) -> String {
    match part {
        Part::All => "everything".to_owned(),
        Part::File(path) => format!("the file {path}"),
        Part::Unit { path, unit } => format!("hunk {unit} of {path}"),
    }
}

fn update_to(
    item: &StageItem,
    state: &str,
    change: Option<&StagedChange>,
) -> Result<StageUpdate, EngineError> {
    Ok(StageUpdate {
        id: item.id.clone(),
        expected_version: item.version,
        state: state.to_owned(),
        blob: change.map(encode).transpose()?,
    })
}

impl StagedChange {
    /// The change as a new item of the store.
    pub(crate) fn to_item(&self) -> Result<StageItem, EngineError> {
        Ok(StageItem::new(self.id.clone(), OPEN, encode(self)?))
    }
}

fn encode(change: &StagedChange) -> Result<Vec<u8>, EngineError> {
    serde_json::to_vec(change).map_err(|error| EngineError::Bug { message: error.to_string() })
}

fn decode(item: &StageItem) -> Result<StagedChange, EngineError> {
    serde_json::from_slice(&item.blob).map_err(|error| EngineError::Bug {
        message: format!("the staged change {} cannot be read: {error}", item.id),
    })
}
