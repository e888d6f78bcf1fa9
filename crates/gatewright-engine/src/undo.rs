//! Taking back what a receipt applied. Undo is a change set like any other.

use gatewright_guards::{approve_reviewed, bindings_of};
use gatewright_model::{Action, Agent, ChangeSet, Door, HumanDecision, Receipt};
use gatewright_workspace::{SnapshotId, UndoConflict, UndoPlan};

use crate::judging::Stage;
use crate::outcome::{Disposition, Outcome};
use crate::pipeline::FollowUp;
use crate::recording::{Entry, Proposer};
use crate::{Engine, EngineError};

/// What undoing a receipt would write.
#[derive(Debug)]
pub struct UndoPreview {
    /// The receipt.
    pub receipt: Receipt,
    /// What would be written.
    pub change_set: ChangeSet,
    /// Files that someone changed since; any of them stops the undo.
    pub conflicts: Vec<UndoConflict>,
    snapshot: SnapshotId,
}

impl Engine {
    /// What undoing a receipt would write. A unique prefix of the id will do.
    pub fn undo_preview(&self, receipt_id: &str) -> Result<UndoPreview, EngineError> {
        let receipt = self.receipt(receipt_id)?;
        let snapshot = receipt.body.snapshot_id.as_deref().filter(|_| receipt.body.applied);
        let id = || receipt.body.receipt_id.clone();
        let snapshot = snapshot.ok_or_else(|| EngineError::NotApplied { id: id() })?;
        let snapshot: SnapshotId = snapshot
            .parse()
            .map_err(|_| EngineError::Bug { message: "a receipt names no snapshot".to_owned() })?;
        let plan = self.workspace.undo_plan(&snapshot)?;
        let UndoPlan { change_set, conflicts, .. } = plan;
        Ok(UndoPreview { receipt, change_set, conflicts, snapshot })
    }

    /// Takes a receipt back, for a person.
    pub fn rollback(&self, receipt_id: &str, reviewer: &str) -> Result<Outcome, EngineError> {
        let preview = self.undo_preview(receipt_id)?;
        if !preview.conflicts.is_empty() {
            let paths = preview.conflicts.iter().map(|c| c.path.to_string()).collect();
            return Err(EngineError::UndoConflict { paths });
        }
        let original = preview.receipt.body.receipt_id;
        let follow_up = FollowUp { stage: None, undone: Some(preview.snapshot) };
        let judged = self.judge(preview.change_set, Stage::Reviewed);
        let entry = Entry::of(&judged, Action::Rollback).answering(&original);
        let mut autonomy = self.autonomy()?;
        // Taking back is always open to a person.
        autonomy.suggest_only = false;
        let decision = HumanDecision {
            reviewer: reviewer.to_owned(),
            approval_id: self.clock.fresh_id(),
            bindings: bindings_of(&judged),
            confirms: true,
        };
        let approved = approve_reviewed(judged, decision, autonomy)?;
        let agent = Agent {
            name: "gatewright".to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            door: Door::Cli,
        };
        let proposer = Proposer { agent, run_id: preview.receipt.body.run_id, autonomy };
        let receipt = self.write(approved, entry.clone(), &proposer, follow_up)?;
        Ok(entry.outcome(Disposition::RolledBack, receipt))
    }

    /// The last receipt that applied something and was not taken back.
    pub fn last_applied(&self) -> Result<Option<Receipt>, EngineError> {
        let mut taken_back = std::collections::BTreeSet::new();
        let mut before = None;
        loop {
            let query = gatewright_ledger::ReceiptQuery {
                before_seq: before,
                limit: Some(200),
                ..Default::default()
            };
            let page = self.ledger.list(&query)?;
            let Some(last) = page.last() else { return Ok(None) };
            before = Some(last.seq);
            for receipt in page {
                match receipt.body.action {
                    Action::Rollback => taken_back.extend(receipt.body.refers_to.clone()),
                    Action::Apply if !taken_back.contains(&receipt.body.receipt_id) => {
                        return Ok(Some(receipt));
                    }
                    _ => {}
                }
            }
        }
    }

    /// A receipt by its id, a unique prefix of it, or its number.
    pub fn receipt(&self, id: &str) -> Result<Receipt, EngineError> {
        let by_number = id.parse::<u64>().ok().map(|seq| self.ledger.get(seq)).transpose()?;
        match by_number.flatten() {
            Some(receipt) => Ok(receipt),
            None => {
                let mut found = self.ledger.find_prefix(id)?;
                match (found.pop(), found.is_empty()) {
                    (Some(receipt), true) => Ok(receipt),
                    _ => Err(EngineError::NoSuchReceipt { id: id.to_owned() }),
                }
            }
        }
    }
}
