//! The state of the workspace, its rules and its mode.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use super::change::Finding;

/// What is guarded and how things stand.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct State {
    /// The name of the folder.
    pub workspace: String,
    /// The version of the program.
    pub version: String,
    /// The person at the page, as receipts name them.
    pub reviewer: String,
    /// The mode.
    pub mode: Mode,
    /// How many changes wait.
    pub open_changes: usize,
    /// How many files they touch.
    pub open_files: usize,
    /// How many receipts there are.
    pub receipts: u64,
}

/// How much may happen without a person.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Mode {
    /// `manual`, `hybrid` or `autonomous`.
    pub mode: String,
    /// Whether nothing can be applied.
    pub suggest_only: bool,
    /// The laxest mode that the configuration allows.
    pub laxest: String,
    /// Whether the configuration demands suggest-only.
    pub must_suggest_only: bool,
}

/// The rules in force.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct RuleList {
    /// The rules.
    pub rules: Vec<RuleRow>,
    /// Globs that the configuration refuses.
    pub blocked_paths: Vec<String>,
    /// Patterns of content that the configuration refuses.
    pub blocked_patterns: Vec<String>,
    /// Globs for which the user asks for no confirmation.
    pub allow_paths: Vec<String>,
}

/// The paths that need no confirmation now.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct AllowList {
    /// The globs.
    pub allow_paths: Vec<String>,
}

/// One rule.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct RuleRow {
    /// Its name.
    pub code: String,
    /// Its guard.
    pub guard: String,
    /// The group or provider that it is listed under.
    pub group: String,
    /// `confirm`, `refuse`, `warn`, `note` or `hide`.
    pub effect: String,
    /// Why it exists, or what it hides.
    pub reason: String,
    /// `built in` or `configuration`.
    pub source: String,
    /// What it matches.
    pub examples: Vec<String>,
}

/// What the rules say of a path and a text.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Tried {
    /// The strictest word, where a path was given.
    pub verdict: Option<String>,
    /// Where the path leads.
    pub resolved: Option<String>,
    /// What the guards say.
    pub findings: Vec<Finding>,
    /// The text as it would go out.
    pub shown: Option<String>,
    /// What would be hidden, by kind.
    pub hidden: BTreeMap<String, u64>,
}

/// A failure.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Failure {
    /// What went wrong.
    pub error: FailureDetail,
}

/// What went wrong.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct FailureDetail {
    /// The stable code.
    pub code: String,
    /// What went wrong and why.
    pub message: String,
    /// What to do next.
    pub hint: Option<String>,
}
