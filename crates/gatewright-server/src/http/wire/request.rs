//! What the page asks for.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Nothing to say.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Empty {}

/// A one-time code for a session.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Exchange {
    /// The code from the fragment of the address.
    pub code: String,
}

/// What a decision is about.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(tag = "of", rename_all = "lowercase", deny_unknown_fields)]
pub enum PartOf {
    /// The whole change.
    All,
    /// One file.
    File {
        /// Its path.
        path: String,
    },
    /// One unit.
    Unit {
        /// The path of its file.
        path: String,
        /// Its id.
        unit: String,
    },
}

/// A decision, or taking one back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ChoiceWord {
    /// To be written.
    Accept,
    /// Not to be written.
    Reject,
    /// Taken back.
    Undecided,
}

/// Decides on a part.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Decide {
    /// The content that was looked at.
    pub content: String,
    /// The part.
    pub part: PartOf,
    /// The decision.
    pub choice: ChoiceWord,
    /// With an acceptance of a hunk: only these lines, by index.
    #[serde(default)]
    pub lines: Option<Vec<usize>>,
    /// Words for the agent.
    #[serde(default)]
    pub comment: Option<String>,
}

/// Words for the agent about a line.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CommentOn {
    /// The content that was looked at.
    pub content: String,
    /// The path of the file.
    pub path: String,
    /// The unit.
    pub unit: String,
    /// The line of the hunk, by index; none for the whole hunk.
    #[serde(default)]
    pub line: Option<usize>,
    /// The words.
    pub text: String,
}

/// New text for a hunk.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EditHunk {
    /// The content that was looked at.
    pub content: String,
    /// The path of the file.
    pub path: String,
    /// The unit.
    pub unit: String,
    /// What the hunk is to leave, context included.
    pub text: String,
}

/// Writes what was accepted.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Apply {
    /// The version that was looked at.
    pub version: u64,
    /// Whether the person confirmed what the guards ask about.
    pub confirm: bool,
}

/// Turns a change down.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Reject {
    /// The version that was looked at.
    pub version: u64,
    /// Words for the agent.
    #[serde(default)]
    pub comment: Option<String>,
}

/// Sets the mode.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SetMode {
    /// `manual`, `hybrid` or `autonomous`.
    pub mode: String,
    /// Whether nothing can be applied.
    pub suggest_only: bool,
}

/// Sets the paths that need no confirmation in this workspace.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SetAllowed {
    /// The list that was looked at.
    pub seen: Vec<String>,
    /// The list that is to be: paths, or globs of them.
    pub paths: Vec<String>,
}

/// Tries the rules on a path, a text, or both.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TryRules {
    /// A path to write to.
    #[serde(default)]
    pub path: Option<String>,
    /// A text to write or to send.
    #[serde(default)]
    pub text: Option<String>,
}
