//! Receipts: what remains of every outcome, refusals and undos included.
//!
//! The JSON form of [`Receipt`] is a documented format (`docs/src/receipts.md`).
//! The body is what the pipeline knows; the ledger adds the place in the chain
//! and the signature. Numbers stay below 2^53 and there are no floats, so that
//! every JSON implementation agrees on the canonical form.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{Agent, Digest, Finding, Guard, Severity};

/// What happened to a proposal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Action {
    /// Written to the workspace.
    Apply,
    /// Refused by a guard or by the mode.
    Refuse,
    /// Held for a person.
    Stage,
    /// Turned down by a person.
    Reject,
    /// Taken back.
    Rollback,
    /// Found on disk without having passed a door.
    Unguarded,
    /// The mode, the key or the snapshots changed; no file did.
    Notice,
}

impl Action {
    /// The name in receipts.
    pub fn as_str(self) -> &'static str {
        match self {
            Action::Apply => "apply",
            Action::Refuse => "refuse",
            Action::Stage => "stage",
            Action::Reject => "reject",
            Action::Rollback => "rollback",
            Action::Unguarded => "unguarded",
            Action::Notice => "notice",
        }
    }
}

/// What one guard said, in a word.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum GuardOutcome {
    /// Nothing to object.
    #[default]
    Pass,
    /// It could not run, or not completely; never taken for a pass.
    NotChecked,
    /// Something that a person should look at.
    Warn,
    /// It asked, and a person confirmed.
    Confirmed,
    /// It asks, and nobody has confirmed.
    Confirm,
    /// It refused.
    Fail,
}

impl GuardOutcome {
    /// The name in receipts.
    pub fn as_str(self) -> &'static str {
        match self {
            GuardOutcome::Pass => "pass",
            GuardOutcome::NotChecked => "not-checked",
            GuardOutcome::Warn => "warn",
            GuardOutcome::Confirmed => "confirmed",
            GuardOutcome::Confirm => "confirm",
            GuardOutcome::Fail => "fail",
        }
    }
}

impl From<Severity> for GuardOutcome {
    fn from(severity: Severity) -> Self {
        match severity {
            Severity::Note => GuardOutcome::Pass,
            Severity::Warn => GuardOutcome::Warn,
            Severity::Confirm => GuardOutcome::Confirm,
            Severity::Refuse => GuardOutcome::Fail,
        }
    }
}

/// The word of each guard.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct GuardOutcomes {
    /// The structural gate.
    pub structure: GuardOutcome,
    /// The write guard.
    pub write: GuardOutcome,
    /// The hallucination guard.
    pub hallucination: GuardOutcome,
    /// The egress guard.
    pub egress: GuardOutcome,
}

impl GuardOutcomes {
    /// The strictest word of each guard in `findings`.
    pub fn of(findings: &[Finding]) -> Self {
        let mut outcomes = Self::default();
        for finding in findings {
            outcomes.raise(finding.guard, finding.severity.into());
        }
        outcomes
    }

    /// Makes one guard's word at least as strict as `outcome`.
    pub fn raise(&mut self, guard: Guard, outcome: GuardOutcome) {
        let word = self.of_mut(guard);
        *word = (*word).max(outcome);
    }

    /// Turns what asked for confirmation into confirmed.
    pub fn confirm(&mut self) {
        for guard in Guard::ALL {
            let word = self.of_mut(guard);
            if *word == GuardOutcome::Confirm {
                *word = GuardOutcome::Confirmed;
            }
        }
    }

    /// The word of one guard.
    pub fn get(&self, guard: Guard) -> GuardOutcome {
        match guard {
            Guard::Structure => self.structure,
            Guard::Write => self.write,
            Guard::Hallucination => self.hallucination,
            Guard::Egress => self.egress,
        }
    }

    fn of_mut(&mut self, guard: Guard) -> &mut GuardOutcome {
        match guard {
            Guard::Structure => &mut self.structure,
            Guard::Write => &mut self.write,
            Guard::Hallucination => &mut self.hallucination,
            Guard::Egress => &mut self.egress,
        }
    }
}

/// One file of a receipt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileRecord {
    /// The resolved path; for a path that led nowhere, the requested text, escaped.
    pub path: String,
    /// The path as it was asked for, escaped, where it differs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub requested: Option<String>,
    /// The digest before; `None` where there was no file.
    pub before_hash: Option<Digest>,
    /// The digest after; `None` where there is no file.
    pub after_hash: Option<Digest>,
    /// The permission bits before, octal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before_mode: Option<String>,
    /// The permission bits after, octal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after_mode: Option<String>,
}

/// The redacted hunks of one file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HunkRecord {
    /// The resolved path.
    pub path: String,
    /// Each hunk as unified text, redacted.
    pub hunks: Vec<String>,
}

/// A reference that does not exist.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MissingReference {
    /// The name.
    pub name: String,
    /// The path of the file that refers to it.
    pub path: String,
    /// The line number, one-based.
    pub line: u32,
    /// The column number, one-based, in characters.
    pub col: u32,
    /// What was looked for (`import`, `module`, `call`, `attribute`, `class`, …).
    pub kind: String,
    /// The nearest names that exist, best first.
    pub suggestions: Vec<String>,
    /// Where those names are defined in the workspace, and the name itself if it is defined
    /// in a place that is not visible here; only what is defined once.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<DefinitionPlace>,
}

/// Where a name is defined.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DefinitionPlace {
    /// The name.
    pub name: String,
    /// The path of the file, relative to the root of the workspace.
    pub path: String,
    /// The line number, one-based.
    pub line: u32,
}

/// Everything of a receipt but its place in the chain.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReceiptBody {
    /// Identifies this receipt.
    pub receipt_id: String,
    /// When, RFC 3339 in UTC; informational.
    pub timestamp: String,
    /// Identifies the workspace.
    pub workspace_id: String,
    /// Identifies the run or session of the agent.
    pub run_id: String,
    /// Who proposed.
    pub agent: Agent,
    /// The user of this machine.
    pub user: String,
    /// What happened.
    pub action: Action,
    /// Whether files were written.
    pub applied: bool,
    /// The files, in the order of the change set.
    pub files: Vec<FileRecord>,
    /// The redacted hunks.
    pub diffs: Vec<HunkRecord>,
    /// The snapshot that undo starts from.
    pub snapshot_id: Option<String>,
    /// How many references were looked up.
    pub symbols_checked: u64,
    /// What the guards said.
    pub guards: GuardOutcomes,
    /// The findings behind those words, redacted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<Finding>,
    /// The references that do not exist.
    pub missing_references: Vec<MissingReference>,
    /// What the egress guard hid, by kind; never the values.
    pub redactions: BTreeMap<String, u64>,
    /// The mode at that moment (`hybrid`, `hybrid+suggest-only`).
    pub autonomy: String,
    /// Who decided, when a person did.
    pub reviewer: Option<String>,
    /// The receipt that this one takes back or answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refers_to: Option<String>,
    /// The digest of the policy in force.
    pub policy_hash: Digest,
    /// Free text for people, redacted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// A receipt in its place in the chain.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Receipt {
    /// The version of this format.
    pub v: u32,
    /// Its place, from 0.
    pub seq: u64,
    /// What happened.
    #[serde(flatten)]
    pub body: ReceiptBody,
    /// `self_hash` of the receipt before; `None` for the first.
    pub prev_receipt_hash: Option<Digest>,
    /// The digest of the canonical form of all the fields above.
    pub self_hash: Digest,
    /// Ed25519 over the domain, the type and `self_hash`; base64.
    pub signature: String,
}
