//! From differences to receipts: what a receipt explains, what a hook allowed, and the rest.

use std::collections::BTreeMap;

use gatewright_model::{
    Action, Digest, Door, FileChange, Intent, Receipt, RepoPath, RequestedPath,
};
use gatewright_workspace::{KeptFile, TransactionId};

use super::{Difference, Past, Present, Witness};
use crate::recording::{Entry, Found, Proposer};
use crate::{Engine, EngineError};

/// How far back a receipt may explain what is found now.
const RECENT: usize = 256;
/// The most files that one receipt names.
const MOST_NAMED: usize = 200;

/// What the receipts say of a difference.
enum Explained {
    /// It passed a door, or was reported before.
    Known,
    /// A hook allowed exactly this.
    Allowed(Box<Receipt>),
    /// A hook allowed something else here.
    NotAsAllowed(String),
    /// Nothing.
    No,
}

impl Engine {
    /// Records differences: one receipt for each allowed call, one for all that is left.
    pub(super) fn report(
        &self,
        differences: Vec<Difference>,
        witness: &Witness,
    ) -> Result<Vec<Receipt>, EngineError> {
        if differences.is_empty() {
            return Ok(Vec::new());
        }
        let recent = self.recent_receipts()?;
        let mut allowed: BTreeMap<u64, (Receipt, Vec<Difference>)> = BTreeMap::new();
        let mut rest = Vec::new();
        let mut refers_to = None;
        for difference in differences {
            match explain(&difference, &recent) {
                Explained::Known => {}
                Explained::Allowed(receipt) => {
                    let group = allowed.entry(receipt.seq).or_insert((*receipt, Vec::new()));
                    group.1.push(difference);
                }
                Explained::NotAsAllowed(receipt_id) => {
                    refers_to = Some(receipt_id);
                    rest.push(difference);
                }
                Explained::No => rest.push(difference),
            }
        }
        let mut receipts = Vec::new();
        for (receipt, differences) in allowed.into_values() {
            receipts.push(self.confirm_allowed(&receipt, &differences)?);
        }
        if !rest.is_empty() {
            receipts.push(self.record_unguarded(&rest, refers_to.as_deref(), witness)?);
        }
        Ok(receipts)
    }

    fn recent_receipts(&self) -> Result<Vec<Receipt>, EngineError> {
        let query = gatewright_ledger::ReceiptQuery {
            limit: Some(RECENT),
            ..gatewright_ledger::ReceiptQuery::default()
        };
        Ok(self.ledger.list(&query)?)
    }

    /// The host wrote what the hook allowed.
    fn confirm_allowed(
        &self,
        allowed: &Receipt,
        differences: &[Difference],
    ) -> Result<Receipt, EngineError> {
        let found: Vec<Found> = differences.iter().filter_map(found_of).collect();
        let note = "written by the agent's own tool, as it was allowed".to_owned();
        let snapshot = self.keep_for_undo(differences);
        let entry = Entry::found(Action::Apply, &found, snapshot)
            .judged_as(&allowed.body)
            .answering(&allowed.body.receipt_id)
            .noting(note);
        let proposer = Proposer {
            agent: allowed.body.agent.clone(),
            run_id: allowed.body.run_id.clone(),
            autonomy: self.autonomy()?,
        };
        self.record(entry, &proposer)
    }

    fn record_unguarded(
        &self,
        differences: &[Difference],
        refers_to: Option<&str>,
        witness: &Witness,
    ) -> Result<Receipt, EngineError> {
        let named = &differences[..differences.len().min(MOST_NAMED)];
        let found: Vec<Found> = named.iter().filter_map(found_of).collect();
        let snapshot = self.keep_for_undo(named);
        let mut entry = Entry::found(Action::Unguarded, &found, snapshot)
            .unchecked()
            .noting(note_of(differences, witness));
        if let Some(receipt_id) = refers_to {
            entry = entry.answering(receipt_id);
        }
        let proposer = Proposer {
            agent: witness.agent.clone(),
            run_id: witness.run_id.clone(),
            autonomy: self.autonomy()?,
        };
        self.record(entry, &proposer)
    }

    /// The snapshot that takes these differences back; `None` where none of them can be.
    fn keep_for_undo(&self, differences: &[Difference]) -> Option<String> {
        let files: Vec<KeptFile> = differences.iter().filter_map(kept_of).collect();
        if files.is_empty() {
            return None;
        }
        let transaction = TransactionId::new(self.clock.fresh_id());
        // Without room for a snapshot the change is still recorded.
        self.workspace.keep(transaction, &files).ok().map(|id| id.to_string())
    }
}

/// The newest receipt that says anything of the file decides.
fn explain(difference: &Difference, recent: &[Receipt]) -> Explained {
    let now = match &difference.after {
        Present::File(state) => Some(state.digest()),
        Present::Nothing => None,
        Present::TooLarge => return Explained::No,
    };
    let mut not_as_allowed = None;
    for receipt in recent {
        let Some(after) = state_said(receipt, &difference.path) else { continue };
        let is_allowance = is_allowance(receipt);
        match (is_allowance, after == now) {
            (true, true) => return Explained::Allowed(Box::new(receipt.clone())),
            (true, false) => {
                not_as_allowed.get_or_insert_with(|| receipt.body.receipt_id.clone());
            }
            (false, true) => return Explained::Known,
            (false, false) => break,
        }
    }
    not_as_allowed.map_or(Explained::No, Explained::NotAsAllowed)
}

/// Whether a receipt is the word of a hook for a write that the host makes itself.
pub(crate) fn is_allowance(receipt: &Receipt) -> bool {
    let body = &receipt.body;
    let is_foreign = matches!(body.agent.door, Door::Hook | Door::Proxy);
    body.action == Action::Apply && !body.applied && is_foreign
}

/// The state of a file that a receipt claims; the outer `None` where it claims none.
fn state_said(receipt: &Receipt, path: &str) -> Option<Option<Digest>> {
    if !receipt.body.applied && !is_allowance(receipt) {
        return None;
    }
    let file = receipt.body.files.iter().find(|file| file.path == path)?;
    Some(file.after_hash)
}

fn found_of(difference: &Difference) -> Option<Found> {
    let Past { digest, mode, state } = &difference.before;
    let after = match &difference.after {
        Present::File(state) => Some(state.clone()),
        Present::Nothing => None,
        Present::TooLarge => return None,
    };
    let change = FileChange {
        requested: RequestedPath::new(&difference.path),
        before: state.clone(),
        after,
        renamed_from: None,
        intent: Intent::Patch,
    };
    Some(Found { change, before_hash: *digest, before_mode: *mode })
}

/// Both states, where both are known.
fn kept_of(difference: &Difference) -> Option<KeptFile> {
    let Past { mode, state, .. } = &difference.before;
    let after = match &difference.after {
        Present::File(state) => Some(state.clone()),
        Present::Nothing => None,
        Present::TooLarge => return None,
    };
    // A file that was there and whose bytes were not kept cannot be put back.
    if mode.is_some() && state.is_none() {
        return None;
    }
    let path = RepoPath::parse(&difference.path).ok()?;
    Some(KeptFile { path, before: state.clone(), after })
}

fn note_of(differences: &[Difference], witness: &Witness) -> String {
    let count = differences.len();
    let files = if count == 1 { "1 file".to_owned() } else { format!("{count} files") };
    let mut note = format!("{files} changed without passing a door");
    if let Some(during) = &witness.during {
        note.push_str(&format!(", seen after: {during}"));
    }
    if count > MOST_NAMED {
        note.push_str(&format!("; only the first {MOST_NAMED} are named"));
    }
    let lost = differences.iter().take(MOST_NAMED).filter(|one| kept_of(one).is_none());
    let lost: Vec<&str> = lost.map(|difference| difference.path.as_str()).collect();
    if !lost.is_empty() {
        let shown = lost[..lost.len().min(10)].join(", ");
        note.push_str(&format!("; {} cannot be put back: {shown}", lost.len()));
    }
    note
}
