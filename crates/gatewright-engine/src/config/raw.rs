//! Options exactly as the two configuration files spell them.
//!
//! A parser may validate; it may not act. Unknown keys are errors, because a
//! mistyped rule that is silently ignored would be a hole.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// `gatewright.toml` in the workspace: committed, may only tighten.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct WorkspaceFile {
    /// How much may happen without a person.
    pub autonomy: AutonomyOptions,
    /// Rules that the write guard gets in addition.
    pub write: WriteOptions,
    /// Rules that the egress guard gets in addition.
    pub egress: EgressOptions,
    /// What `gatewright proxy` is to know of the tools behind it.
    pub proxy: ProxyOptions,
}

/// `config.toml` in the user's configuration directory.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct UserFile {
    /// How much may happen without a person, in every workspace.
    pub autonomy: AutonomyOptions,
    /// Rules that the write guard gets in addition, in every workspace.
    pub write: WriteOptions,
    /// Rules that the egress guard gets in addition, in every workspace.
    pub egress: EgressOptions,
    /// What `gatewright proxy` is to know of the tools behind it, in every workspace.
    pub proxy: ProxyOptions,
    /// What holds for single workspaces.
    pub workspace: Vec<UserWorkspace>,
    /// The language server of each language, by its name in lower case (`python`, `c++`).
    pub languages: BTreeMap<String, LanguageOptions>,
}

/// The user's own settings for one workspace.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UserWorkspace {
    /// The absolute path of the workspace root.
    pub root: String,
    /// Globs for which a confirmation by name is not asked for.
    #[serde(default)]
    pub allow_paths: Vec<String>,
}

/// The section of one language. Only the user's own file has it: it names programs to run.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct LanguageOptions {
    /// The command of its language server, in place of the one that is found on `PATH`.
    pub server: Vec<String>,
    /// Whether its language server may use the network.
    pub downloads: bool,
}

/// The section `autonomy`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct AutonomyOptions {
    /// The laxest mode that may be in force: `manual`, `hybrid` or `autonomous`.
    pub mode: Option<String>,
    /// Proposals can be reviewed but never applied.
    pub suggest_only: bool,
}

/// The section `write`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct WriteOptions {
    /// Globs of paths that are refused.
    pub blocked_paths: Vec<String>,
    /// Regular expressions of content that is refused.
    pub blocked_patterns: Vec<String>,
}

/// The section `proxy`. It makes the proxy stricter, and never laxer.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ProxyOptions {
    /// Tools that write, whatever their names and annotations say.
    pub writes: Vec<String>,
    /// Arguments of tools that hold a path, whatever their names.
    pub path_arguments: Vec<String>,
}

/// The section `egress`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct EgressOptions {
    /// Secret formats in addition to the built-in catalogue.
    pub rules: Vec<EgressRule>,
}

/// One secret format. It is loaded only when its own examples match and its
/// counter-examples do not.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EgressRule {
    /// The name of the rule.
    pub name: String,
    /// The kind in the placeholder, such as `api-key`.
    pub kind: String,
    /// The regular expression; a group named `secret` is what is hidden.
    pub regex: String,
    /// Literals of which one must stand in or near a match.
    #[serde(default)]
    pub keywords: Vec<String>,
    /// Texts in which it must match; at least one.
    pub examples: Vec<String>,
    /// Texts in which it must not match.
    #[serde(default)]
    pub counter_examples: Vec<String>,
}
