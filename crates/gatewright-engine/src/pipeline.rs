//! The way of a change: propose, gather facts, judge, ask, apply, record.

use gatewright_guards::{Approved, Decision, Judged, approve, decide};
use gatewright_ledger::{LedgerError, StageUpdate};
use gatewright_model::{Action, Autonomy, Finding, Receipt, Resolution};
use gatewright_workspace::{Applied, ApplyError, SnapshotId, TransactionId, WriteError};

use crate::expand::{PendingFiles, Seen, Sources, expand};
use crate::judging::Stage;
use crate::outcome::{Checked, Disposition, Outcome};
use crate::receipt_step::ReceiptStep;
use crate::recording::{Entry, Proposer};
use crate::request::Request;
use crate::stage::{self, StagedChange, StagedFile, StoredState};
use crate::unguarded;
use crate::{Engine, EngineError, Witness};

impl Engine {
    /// Takes a request all the way: applied, staged or refused, with a receipt.
    pub fn propose(&self, request: Request) -> Result<Outcome, EngineError> {
        self.propose_seeing(request, None)
    }

    /// The same for a request that has looked at a path already. What is written there is
    /// rechecked on fresh facts in any case.
    pub(crate) fn propose_seeing(
        &self,
        request: Request,
        seen: Option<&Seen>,
    ) -> Result<Outcome, EngineError> {
        self.hear_question();
        let _one_at_a_time = self.staging.lock().unwrap_or_else(|poison| poison.into_inner());
        let autonomy = self.autonomy_for(&request)?;
        let pending = self.pending_of(&request.run_id)?;
        let sources = Sources { seen, ..self.sources(&pending) };
        let (change_set, paths) =
            expand(&request.operations, sources).map_err(|error| self.with_nearest(error))?;
        let judged = self.judge_at(change_set, paths, Stage::Proposal);
        let proposer = Proposer { agent: request.agent, run_id: request.run_id, autonomy };
        match decide(judged.verdict(), autonomy) {
            Decision::Apply => self.apply_at_once(judged, &proposer),
            Decision::Stage => self.stage(&judged, &proposer),
            Decision::Refuse => self.refuse(&judged, &proposer, Disposition::Refused),
            Decision::RefuseManual => self.refuse(&judged, &proposer, Disposition::Manual),
        }
    }

    /// Judges a request and does nothing else: no stage, no receipt.
    pub fn check(&self, request: &Request) -> Result<Checked, EngineError> {
        let pending = PendingFiles::new();
        let (change_set, paths) = expand(&request.operations, self.sources(&pending))
            .map_err(|error| self.with_nearest(error))?;
        Ok(Checked::of(&self.judge_at(change_set, paths, Stage::Proposal)))
    }

    pub(crate) fn sources<'a>(&'a self, pending: &'a PendingFiles) -> Sources<'a> {
        let redactor = self.redactor.redactor();
        Sources { workspace: &self.workspace, pending, redactor, seen: None }
    }

    pub(crate) fn autonomy_for(&self, request: &Request) -> Result<Autonomy, EngineError> {
        let workspace = self.autonomy()?;
        Ok(request.autonomy.map_or(workspace, |run| workspace.stricter(run)))
    }

    fn apply_at_once(&self, judged: Judged, proposer: &Proposer) -> Result<Outcome, EngineError> {
        let entry = Entry::of(&judged, Action::Apply);
        let waiting = self.waiting_of(&judged, proposer);
        let approved = approve(judged, proposer.autonomy)?;
        let resolved = approved.files().iter().map(|file| file.resolved.clone()).collect();
        let receipt = self.write(approved, entry.clone(), proposer, FollowUp::default())?;
        // What the run had staged of these files is in what was just written.
        self.supersede(&proposer.run_id, &resolved)?;
        self.keep_for_witness(waiting, &receipt);
        Ok(entry.outcome(Disposition::Applied, receipt))
    }

    /// The only way to the workspace's apply: the receipt is its commit step.
    pub(crate) fn write(
        &self,
        approved: Approved,
        mut entry: Entry,
        proposer: &Proposer,
        follow_up: FollowUp,
    ) -> Result<Receipt, EngineError> {
        if self.workspace.has_leftovers() {
            self.recover()?;
        }
        let changes = unguarded::changes_of(&approved);
        self.notice_bases(&changes, &Witness::nobody());
        let receipt_id = self.clock.fresh_id();
        let transaction = TransactionId::new(&receipt_id);
        let mut receipt = None;
        entry.applied = true;
        entry.confirm(approved.reviewed());
        let refused = entry.clone();
        let FollowUp { stage, undone } = follow_up;
        let draft = |applied: &Applied| {
            let body = self.receipt_body(receipt_id, entry.with_applied(applied), proposer);
            let drafted = self.ledger.draft(body);
            self.references.let_go();
            drafted
        };
        let append = |draft| self.ledger.append_draft(draft, stage.as_ref());
        let commit = ReceiptStep::new(draft, append, &mut receipt);
        let result = self.workspace.apply_with(approved, undone.as_ref(), transaction, commit);
        let applied = match result {
            Ok(applied) => applied,
            Err(ApplyError::Write(WriteError::Refused(finding))) => {
                return Err(self.refuse_late(refused, *finding, proposer)?);
            }
            Err(error) => return Err(apply_failure(error)),
        };
        self.know(&changes);
        self.references.touch(changes.iter().map(|change| change.path.clone()));
        if !applied.evicted.is_empty() {
            let count = applied.evicted.len();
            self.record_notice(&format!("{count} oldest snapshots evicted to stay in the limit"))?;
        }
        receipt.ok_or_else(|| EngineError::Bug { message: "applied without a receipt".to_owned() })
    }

    /// The place changed between judging and writing: recorded as the refusal that it is.
    fn refuse_late(
        &self,
        entry: Entry,
        finding: Finding,
        proposer: &Proposer,
    ) -> Result<EngineError, EngineError> {
        let message = format!("{}: {}", finding.path, finding.message);
        self.record(entry.refused_for(finding), proposer)?;
        Ok(EngineError::RefusedLate { message })
    }

    fn stage(&self, judged: &Judged, proposer: &Proposer) -> Result<Outcome, EngineError> {
        let change_id = self.clock.fresh_id();
        let entry = Entry::of(judged, Action::Stage).noting(format!("staged as {change_id}"));
        let body = self.receipt_body(self.clock.fresh_id(), entry.clone(), proposer);
        let staged = StagedChange {
            id: change_id.clone(),
            run_id: proposer.run_id.clone(),
            agent: proposer.agent.clone(),
            created: body.timestamp.clone(),
            receipt_id: body.receipt_id.clone(),
            files: staged_files(judged),
            findings: judged.findings().to_vec(),
            suggest_only: proposer.autonomy.suggest_only,
        };
        let resolved = staged.files.iter().map(|file| file.resolved.clone()).collect();
        self.supersede(&staged.run_id, &resolved)?;
        let receipt = self.ledger.append_and_stage(body, &staged.to_item()?)?;
        self.keep_for_witness(self.waiting_of(judged, proposer), &receipt);
        Ok(entry.outcome(Disposition::Staged { change_id }, receipt))
    }

    fn refuse(
        &self,
        judged: &Judged,
        proposer: &Proposer,
        disposition: Disposition,
    ) -> Result<Outcome, EngineError> {
        let mut entry = Entry::of(judged, Action::Refuse);
        if disposition == Disposition::Manual {
            entry = entry.noting("the workspace is in manual mode".to_owned());
        }
        let receipt = self.record(entry.clone(), proposer)?;
        Ok(entry.outcome(disposition, receipt))
    }
}

fn staged_files(judged: &Judged) -> Vec<StagedFile> {
    let changes = &judged.change_set().changes;
    changes
        .iter()
        .zip(&judged.facts().paths)
        .filter_map(|(change, facts)| match &facts.resolution {
            Resolution::Inside(target) => Some(StagedFile {
                requested: change.requested.clone(),
                resolved: target.resolved.clone(),
                before: change.before.as_ref().map(StoredState::from),
                after: change.after.as_ref().map(StoredState::from),
                renamed_from: change.renamed_from.clone(),
                symbol: match &change.intent {
                    gatewright_model::Intent::Symbol(symbol) => Some(symbol.clone()),
                    _ => None,
                },
                decisions: stage::no_decisions(),
            }),
            Resolution::Failed(_) => None,
        })
        .collect()
}

/// What else belongs to the same step as a write.
#[derive(Debug, Default)]
pub(crate) struct FollowUp {
    /// The staged change that this write settles.
    pub stage: Option<StageUpdate>,
    /// The snapshot that this write takes back to.
    pub undone: Option<SnapshotId>,
}

/// Tells a stale base apart from the system failing.
fn apply_failure(error: ApplyError<LedgerError>) -> EngineError {
    match error {
        ApplyError::Write(WriteError::StaleBase { path, expected, found }) => {
            EngineError::stale(&path, expected, found)
        }
        ApplyError::Commit(source) => EngineError::from_ledger(source),
        ApplyError::Write(error) => EngineError::Apply { message: error.to_string() },
        other => EngineError::Apply { message: other.to_string() },
    }
}
