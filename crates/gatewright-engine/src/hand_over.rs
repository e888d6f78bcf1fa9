//! A reviewed change that goes back to the hook that holds its call.
//!
//! While a hook holds a call, the agent's own tool can still make the change: a
//! person's "apply" is then handed to the hook, which lets the tool run with the
//! accepted hunks only. A hook says that it holds by a lease that it renews. A
//! hook that does not take over in time loses nothing: the change is written
//! here, as if nobody had held it.

use std::time::{Duration, SystemTime};

use gatewright_model::{Action, Receipt};
use serde::{Deserialize, Serialize};

use crate::{Disposition, Engine, EngineError, Outcome, Witness};

/// How long a hook is believed to hold without renewing its word.
const LEASE: Duration = Duration::from_secs(3);
/// How often a person's "apply" looks whether the hook has taken over.
const STEP: Duration = Duration::from_millis(50);
/// How long it looks.
const STEPS: u32 = 50;

/// What a person said, for the hook to carry out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HandedOver {
    /// Who.
    pub reviewer: String,
    /// Whether they confirmed what asks for it.
    pub confirms: bool,
}

impl Engine {
    /// Says that a hook holds the call of this staged change, for the next seconds.
    pub fn hold_change(&self, id: &str) -> Result<(), EngineError> {
        let until = self.milliseconds_from_now(LEASE);
        Ok(self.ledger.setting_set(&lease_key(id), &until.to_string())?)
    }

    /// Says that nobody holds the call any more.
    pub fn release_change(&self, id: &str) -> Result<(), EngineError> {
        Ok(self.ledger.setting_remove(&lease_key(id))?)
    }

    /// What a person has handed to the hook that holds this change.
    pub fn handed_over(&self, id: &str) -> Result<Option<HandedOver>, EngineError> {
        let text = self.ledger.setting_get(&word_key(id))?.unwrap_or_default();
        Ok(serde_json::from_str(&text).ok())
    }

    /// Takes a handed-over change on: the agent's own tool writes what was accepted.
    ///
    /// The receipt says that it is allowed; a second one follows when it is on disk.
    pub fn take_over(&self, id: &str, word: &HandedOver) -> Result<Receipt, EngineError> {
        // What the files hold before the tool writes has to be known for undo.
        self.notice_changes(&Witness::nobody())?;
        let prepared = self.prepare_staged(id, &word.reviewer, word.confirms)?;
        let mut entry = prepared.entry;
        entry.confirm(prepared.approved.reviewed());
        let entry = entry.noting_also("handed to the agent's own tool, which writes it");
        let body = self.receipt_body(self.clock.fresh_id(), entry, &prepared.proposer);
        Ok(self.ledger.append_with_stage(body, prepared.stage)?)
    }

    /// Writes a handed-over change here, where the tool's call cannot carry it.
    pub fn apply_handed_over(&self, id: &str, word: &HandedOver) -> Result<Outcome, EngineError> {
        self.apply_now(id, &word.reviewer, word.confirms)
    }

    /// Hands a person's word to the hook that holds the change; `None` when none does.
    pub(crate) fn hand_over(
        &self,
        id: &str,
        reviewer: &str,
        confirms: bool,
    ) -> Result<Option<Outcome>, EngineError> {
        if !self.is_held(id)? {
            return Ok(None);
        }
        let word = HandedOver { reviewer: reviewer.to_owned(), confirms };
        let text = serde_json::to_string(&word)
            .map_err(|error| EngineError::Bug { message: error.to_string() })?;
        let before = self.ledger.len()?;
        let version = self.stage_version(id)?;
        self.ledger.setting_set(&word_key(id), &text)?;
        let mut is_taken = false;
        for _ in 0..STEPS {
            std::thread::sleep(STEP);
            is_taken = self.stage_version(id)? != version;
            if is_taken || !self.is_held(id)? {
                break;
            }
        }
        self.ledger.setting_remove(&word_key(id))?;
        if !is_taken && self.stage_version(id)? == version {
            return Ok(None);
        }
        self.outcome_since(before, id)
    }

    /// What the hook made of it.
    fn outcome_since(&self, before: u64, id: &str) -> Result<Option<Outcome>, EngineError> {
        let change = self.staged(id)?.change;
        for seq in before..self.ledger.len()? {
            let Some(receipt) = self.ledger.get(seq)? else { continue };
            let is_answer = receipt.body.action == Action::Apply
                && receipt.body.refers_to.as_deref() == Some(change.receipt_id.as_str());
            if is_answer {
                let verdict = gatewright_model::Verdict::Pass;
                let findings = receipt.body.findings.clone();
                let disposition = Disposition::Applied;
                let calls = Vec::new();
                return Ok(Some(Outcome { disposition, verdict, findings, calls, receipt }));
            }
        }
        Ok(None)
    }

    fn is_held(&self, id: &str) -> Result<bool, EngineError> {
        let text = self.ledger.setting_get(&lease_key(id))?.unwrap_or_default();
        let until: u128 = text.parse().unwrap_or_default();
        Ok(until > self.milliseconds_from_now(Duration::ZERO))
    }

    fn stage_version(&self, id: &str) -> Result<u64, EngineError> {
        Ok(self.ledger.stage_get(id)?.map_or(0, |item| item.version))
    }

    fn milliseconds_from_now(&self, more: Duration) -> u128 {
        let now = self.clock.now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        (now + more).as_millis()
    }
}

fn lease_key(id: &str) -> String {
    format!("held/{id}")
}

fn word_key(id: &str) -> String {
    format!("handed/{id}")
}
