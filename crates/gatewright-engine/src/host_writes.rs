//! Writes that an agent makes with its own tools, after a hook has allowed them.
//!
//! The host writes by itself, so the receipt of the allowance says `applied:
//! false`. When the bytes are found on disk, as allowed, a second receipt says
//! that they were written; when other bytes are found, that is unguarded. The
//! proxy's foreign servers are recorded in the same way.

use gatewright_guards::{Judged, NotApproved};
use gatewright_ledger::Once;
use gatewright_model::{Action, Receipt, Verdict};

use crate::expand::{PendingFiles, expand};
use crate::judging::Stage;
use crate::recording::{Entry, Proposer};
use crate::{Checked, Engine, EngineError, Request, Witness};

/// A change that was judged, and that a host may be let make itself.
#[derive(Debug)]
pub struct HostWrite {
    judged: Judged,
}

impl HostWrite {
    /// What the guards say of it.
    pub fn checked(&self) -> Checked {
        Checked::of(&self.judged)
    }
}

impl Engine {
    /// Judges a change that a host would make itself.
    pub fn judge_host_write(&self, request: &Request) -> Result<HostWrite, EngineError> {
        let pending = PendingFiles::new();
        let (change_set, paths) = expand(&request.operations, self.sources(&pending))
            .map_err(|error| self.with_nearest(error))?;
        Ok(HostWrite { judged: self.judge_at(change_set, paths, Stage::Proposal) })
    }

    /// Records that a host may make this change itself, unless that was noted before.
    /// Every guard must pass it.
    pub fn record_allowed(
        &self,
        request: Request,
        HostWrite { judged }: &HostWrite,
        once: Option<Once<'_>>,
    ) -> Result<(), EngineError> {
        let autonomy = self.autonomy_for(&request)?;
        if judged.verdict() != Verdict::Pass {
            return Err(NotApproved::NeedsReview.into());
        }
        // What the file holds before the host writes has to be known for undo.
        self.notice_changes(&Witness::nobody())?;
        let entry = Entry::of(judged, Action::Apply)
            .noting("allowed: the agent's own tool writes it".to_owned());
        let proposer = Proposer { agent: request.agent, run_id: request.run_id, autonomy };
        let body = self.receipt_body(self.clock.fresh_id(), entry, &proposer);
        let receipt = match once {
            Some(once) => self.ledger.append_once(body, &once)?,
            None => Some(self.ledger.append(body)?),
        };
        if let Some(receipt) = receipt {
            self.keep_for_witness(self.waiting_of(judged, &proposer), &receipt);
        }
        Ok(())
    }

    /// Records that a change of a foreign program was turned down, for this reason.
    pub fn record_refused(&self, request: Request, reason: String) -> Result<Receipt, EngineError> {
        let autonomy = self.autonomy_for(&request)?;
        let pending = PendingFiles::new();
        let entry = match expand(&request.operations, self.sources(&pending)) {
            Ok((change_set, paths)) => {
                Entry::of(&self.judge_at(change_set, paths, Stage::Proposal), Action::Refuse)
            }
            // Not even a change; the reason says so.
            Err(_) => Entry::bare(Action::Refuse).unchecked(),
        };
        let proposer = Proposer { agent: request.agent, run_id: request.run_id, autonomy };
        self.record(entry.noting(reason), &proposer)
    }

    /// Records that a call was passed on of which only the paths were judged.
    pub fn record_passed(&self, request: Request, note: String) -> Result<Receipt, EngineError> {
        let autonomy = self.autonomy_for(&request)?;
        let entry = Entry::bare(Action::Notice).unchecked().noting(note);
        let proposer = Proposer { agent: request.agent, run_id: request.run_id, autonomy };
        self.record(entry, &proposer)
    }
}
