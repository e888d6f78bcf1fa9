//! Writes that an agent makes with its own tools, after a hook has allowed them.
//!
//! The host writes by itself, so the receipt of the allowance says `applied:
//! false`. When the bytes are found on disk, as allowed, a second receipt says
//! that they were written; when other bytes are found, that is unguarded. The
//! proxy's foreign servers are recorded in the same way.

use gatewright_guards::NotApproved;
use gatewright_model::{Action, Receipt, Verdict};

use crate::expand::{PendingFiles, expand};
use crate::judging::Stage;
use crate::recording::{Entry, Proposer};
use crate::{Engine, EngineError, Request, Witness};

impl Engine {
    /// Records that a host may make this change itself. Every guard must pass it.
    pub fn record_allowed(&self, request: Request) -> Result<Receipt, EngineError> {
        let autonomy = self.autonomy_for(&request)?;
        let pending = PendingFiles::new();
        let (change_set, paths) = expand(&request.operations, self.sources(&pending))?;
        let judged = self.judge_at(change_set, paths, Stage::Proposal);
        if judged.verdict() != Verdict::Pass {
            return Err(NotApproved::NeedsReview.into());
        }
        // What the file holds before the host writes has to be known for undo.
        self.notice_changes(&Witness::nobody())?;
        let entry = Entry::of(&judged, Action::Apply)
            .noting("allowed: the agent's own tool writes it".to_owned());
        let proposer = Proposer { agent: request.agent, run_id: request.run_id, autonomy };
        self.record(entry, &proposer)
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
