//! Staged changes as the page shows them.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use super::packed;

/// What is staged.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ChangeList {
    /// The open changes, oldest first.
    pub changes: Vec<ChangeSummary>,
}

/// One staged change in a list.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ChangeSummary {
    /// Identifies it.
    pub id: String,
    /// Counts its alterations; an apply names the one that it was decided on.
    pub version: u64,
    /// Stands for the paths and bytes that are proposed; a decision names the one it saw.
    pub content: String,
    /// `open`, `applied`, `rejected` or `superseded`.
    pub state: String,
    /// Who proposed it.
    pub agent: String,
    /// The door that it came through.
    pub door: String,
    /// The run that proposed it.
    pub run_id: String,
    /// When, RFC 3339.
    pub created: String,
    /// Whether it can never be applied.
    pub suggest_only: bool,
    /// The word of each guard.
    pub guards: Guards,
    /// Its files.
    pub files: Vec<FileSummary>,
    /// What was decided so far.
    pub tally: Tally,
}

/// The word of each guard: `pass`, `warn`, `confirm`, `confirmed`, `fail` or `not-checked`.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Guards {
    /// The structural gate.
    pub structure: String,
    /// The write guard.
    pub write: String,
    /// The hallucination guard.
    pub hallucination: String,
    /// The egress guard.
    pub egress: String,
}

/// How many units are accepted, rejected and undecided.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
pub struct Tally {
    /// To be written.
    pub accepted: usize,
    /// Turned down.
    pub rejected: usize,
    /// Not decided.
    pub undecided: usize,
}

/// One file in a list.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct FileSummary {
    /// Where the path leads.
    pub path: String,
    /// The path as it was asked for, where it differs.
    pub requested: Option<String>,
    /// `edit`, `create`, `remove`, `rename` or `mode`.
    pub kind: String,
    /// Lines added.
    pub added: usize,
    /// Lines removed.
    pub removed: usize,
    /// What was decided so far.
    pub tally: Tally,
    /// The strictest finding: `pass`, `warn`, `confirm` or `refuse`.
    pub verdict: String,
}

/// One staged change with everything in it.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Change {
    /// As in the list, judged anew.
    pub summary: ChangeSummary,
    /// The strictest word of all the guards now.
    pub verdict: String,
    /// The files, in the order of the summary.
    pub files: Vec<FileDetail>,
    /// What the guards say of no file in particular.
    pub findings: Vec<Finding>,
}

/// One file with its units.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct FileDetail {
    /// Where the path leads.
    pub path: String,
    /// The symbol, when this was a symbol edit.
    pub symbol: Option<String>,
    /// What is decided one by one.
    pub units: Vec<Unit>,
    /// What the guards say of this file.
    pub findings: Vec<Finding>,
    /// The references that do not exist, with the names that do.
    pub missing: Vec<Missing>,
    /// How many lines the base has.
    pub before_lines: usize,
    /// How many values are hidden in what is shown.
    pub hidden: usize,
    /// The digest of the base.
    pub before_hash: Option<String>,
    /// The digest of the proposal.
    pub after_hash: Option<String>,
    /// Set when the file changed on disk since it was staged.
    pub conflict: Option<Conflict>,
}

/// A reference that does not exist.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Missing {
    /// The name.
    pub name: String,
    /// The line of the result.
    pub line: u32,
    /// The nearest names that exist, best first.
    pub suggestions: Vec<String>,
}

/// Three versions of a file that changed meanwhile.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Conflict {
    /// From the base to what is on disk now.
    pub changed_since: Vec<Hunk>,
    /// From the base to what was proposed.
    pub proposed: Vec<Hunk>,
    /// Whether the file is gone from the disk.
    pub is_gone: bool,
}

/// A part of a file that is decided on by itself.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Unit {
    /// Names it.
    pub id: String,
    /// What it does, where it is no hunk.
    pub label: Option<String>,
    /// The hunk.
    pub hunk: Option<Hunk>,
    /// What was decided.
    pub decision: Option<Decision>,
}

/// What a person said of a unit.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Decision {
    /// `accept` or `reject`.
    pub choice: String,
    /// Only these lines, by index.
    pub lines: Option<Vec<usize>>,
    /// Words for the agent.
    pub comment: Option<String>,
}

/// What stands decided after a decision; the rest of the change is as it was.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Decided {
    /// The change.
    pub id: String,
    /// Its version now.
    pub version: u64,
    /// The counts of the whole change.
    pub tally: Tally,
    /// Each file.
    pub files: Vec<DecidedFile>,
}

/// What stands decided in one file.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct DecidedFile {
    /// Where the path leads.
    pub path: String,
    /// Its counts.
    pub tally: Tally,
    /// The decisions by unit; a unit that is not here is undecided.
    pub decisions: BTreeMap<String, Decision>,
}

/// Lines that change, with their context.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Hunk {
    /// The first line in the base, one-based.
    pub before_start: u32,
    /// How many lines of the base.
    pub before_count: u32,
    /// The first line in the result, one-based.
    pub after_start: u32,
    /// How many lines of the result.
    pub after_count: u32,
    /// The lines.
    pub lines: Vec<Line>,
}

/// One line of a diff.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Line {
    /// `" "`, `"-"` or `"+"`.
    pub kind: String,
    /// Its number in the base.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old: Option<u32>,
    /// Its number in the result.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new: Option<u32>,
    /// Its text without the line feed.
    pub text: String,
    /// What changed within it, as pairs of UTF-16 offsets, all in one text.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "packed::pairs")]
    #[schemars(with = "Option<String>")]
    pub ranges: Option<Vec<(u32, u32)>>,
    /// Its colours: from, to (UTF-16 offsets) and class of each, all in one text. The classes
    /// are 0 comment, 1 string, 2 keyword, 3 number, 4 call, 5 type.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "packed::triples")]
    #[schemars(with = "Option<String>")]
    pub spans: Option<Vec<(u32, u32, u8)>>,
    /// Set when it ends the file without a line feed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub no_newline: Option<bool>,
}

/// Lines of the base between hunks.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct LineList {
    /// The number of the first line.
    pub from: usize,
    /// The lines.
    pub lines: Vec<PlainLine>,
}

/// A line that does not change.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct PlainLine {
    /// Its text without the line feed.
    pub text: String,
    /// Its colours, as in a diff.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "packed::triples")]
    #[schemars(with = "Option<String>")]
    pub spans: Option<Vec<(u32, u32, u8)>>,
}

/// What one guard says of one place.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Finding {
    /// The stable name of the rule.
    pub code: String,
    /// The guard that speaks.
    pub guard: String,
    /// `note`, `warn`, `confirm` or `refuse`.
    pub severity: String,
    /// The path that it speaks of.
    pub path: String,
    /// The line of the result.
    pub line: Option<u32>,
    /// The column.
    pub column: Option<u32>,
    /// What was found and why it matters.
    pub message: String,
    /// What to do next.
    pub hint: Option<String>,
}

/// What became of an apply, a rejection or an undo.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Outcome {
    /// `applied`, `rejected` or `rolled-back`.
    pub disposition: String,
    /// The receipt that says so.
    pub receipt_id: String,
    /// Its place in the chain.
    pub seq: u64,
    /// The files that were written.
    pub files: Vec<String>,
}
