//! Receipts as the page shows them.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use super::change::{FileDetail, Finding, Guards};

/// A page of receipts, newest first.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ReceiptList {
    /// The receipts.
    pub receipts: Vec<ReceiptSummary>,
    /// How many there are in all.
    pub total: u64,
}

/// One receipt in a list.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ReceiptSummary {
    /// Its place in the chain.
    pub seq: u64,
    /// Identifies it.
    pub receipt_id: String,
    /// When, RFC 3339.
    pub timestamp: String,
    /// What happened.
    pub action: String,
    /// Whether files were written.
    pub applied: bool,
    /// Who proposed.
    pub agent: String,
    /// Through which door.
    pub door: String,
    /// The paths.
    pub paths: Vec<String>,
    /// The word of each guard.
    pub guards: Guards,
    /// Free text.
    pub note: Option<String>,
    /// Who decided.
    pub reviewer: Option<String>,
    /// The first thing that a guard said.
    pub reason: Option<String>,
    /// What was hidden on its way out, by kind.
    pub redactions: BTreeMap<String, u64>,
}

/// One receipt with everything in it.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ReceiptDetail {
    /// As in the list.
    pub summary: ReceiptSummary,
    /// The version that the agent gave itself.
    pub agent_version: String,
    /// The run.
    pub run_id: String,
    /// The user of this machine.
    pub user: String,
    /// The mode at that moment.
    pub autonomy: String,
    /// The files.
    pub files: Vec<FileRecord>,
    /// The redacted hunks.
    pub diffs: Vec<HunkRecord>,
    /// What the guards said.
    pub findings: Vec<Finding>,
    /// How many references were looked up.
    pub symbols_checked: u64,
    /// The receipt that this one takes back or answers.
    pub refers_to: Option<String>,
    /// Whether it can be taken back.
    pub can_undo: bool,
    /// The digest of the rules in force.
    pub policy_hash: String,
    /// The hash of the receipt before.
    pub prev_receipt_hash: Option<String>,
    /// The hash of this one.
    pub self_hash: String,
}

/// One file of a receipt.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct FileRecord {
    /// Where the path led.
    pub path: String,
    /// The path as it was asked for, where it differs.
    pub requested: Option<String>,
    /// The digest before.
    pub before_hash: Option<String>,
    /// The digest after.
    pub after_hash: Option<String>,
}

/// The hunks of one file as unified text.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct HunkRecord {
    /// The path.
    pub path: String,
    /// The hunks.
    pub hunks: Vec<String>,
}

/// What taking a receipt back would write.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct UndoPreview {
    /// The files, as diffs from now to then.
    pub files: Vec<FileDetail>,
    /// Files that were changed since; any of them stops the undo.
    pub conflicts: Vec<String>,
}

/// What verifying the chain found.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct VerifyResult {
    /// `ok`, `bad` or `cannot-tell`.
    pub verdict: String,
    /// How many receipts were found sound.
    pub receipts: u64,
    /// The first bad one.
    pub bad_seq: Option<u64>,
    /// What is wrong, or what would be needed to tell.
    pub reason: Option<String>,
    /// The hash of the last sound receipt.
    pub head: Option<String>,
    /// The root of the tree over the sound receipts.
    pub root: String,
    /// How long it took, in milliseconds.
    pub milliseconds: u64,
}

/// That a receipt is in the signed tree.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Proof {
    /// Its place.
    pub seq: u64,
    /// The size of the tree.
    pub size: u64,
    /// The hash of its leaf.
    pub leaf: String,
    /// The hashes from the leaf to the root.
    pub path: Vec<String>,
    /// The root.
    pub root: String,
    /// The signed checkpoint.
    pub checkpoint: String,
    /// Whether path, leaf and root fit.
    pub holds: bool,
}

/// What the guards said, counted.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Chart {
    /// By time, oldest first.
    pub times: Vec<ChartRow>,
    /// By agent, the busiest first.
    pub agents: Vec<ChartRow>,
    /// How many proposals are counted.
    pub proposals: usize,
}

/// One row of a chart.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ChartRow {
    /// The start of the time, as far as it is told apart, or the agent.
    pub name: String,
    /// The counts.
    pub counts: OutcomeCounts,
}

/// Proposals by the strictest word of the guards.
#[derive(Debug, Clone, Copy, Default, Serialize, JsonSchema)]
pub struct OutcomeCounts {
    /// Every guard passed.
    pub pass: usize,
    /// A guard could not run, and none had anything to say.
    pub unchecked: usize,
    /// A guard warned.
    pub warn: usize,
    /// A guard asked for a confirmation.
    pub confirm: usize,
    /// A guard refused.
    pub fail: usize,
}

impl OutcomeCounts {
    /// All of them.
    pub fn total(&self) -> usize {
        self.pass + self.unchecked + self.warn + self.confirm + self.fail
    }
}
