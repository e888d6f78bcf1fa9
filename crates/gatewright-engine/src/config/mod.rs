//! Configuration in three stages: raw options, merged layers, resolved policy.
//!
//! The workspace's file may only tighten. The user's file may tighten, and may
//! list `allow_paths` for a workspace. A broken file stops the start with the
//! place and the fix; nothing ever starts unguarded.

mod raw;

use std::collections::BTreeMap;
use std::path::Path;

use gatewright_guards::write::{WriteExtension, WriteRules};
use gatewright_model::{Autonomy, Digest, Mode};
pub use raw::{
    AutonomyOptions, EgressOptions, EgressRule, LanguageOptions, ProxyOptions, UserFile,
    UserWorkspace, WorkspaceFile, WriteOptions,
};

/// The name of the workspace's file.
pub const WORKSPACE_FILE: &str = "gatewright.toml";
/// The name of the user's file, in the user's configuration directory.
pub const USER_FILE: &str = "config.toml";

/// The texts of both files, where they exist.
#[derive(Debug, Clone, Default)]
pub struct ConfigTexts {
    /// `gatewright.toml` of the workspace.
    pub workspace: Option<String>,
    /// `config.toml` of the user.
    pub user: Option<String>,
}

/// What is in force.
#[derive(Debug, Clone)]
pub struct Config {
    /// The laxest autonomy that the files allow.
    pub autonomy_cap: Autonomy,
    /// The rules of the write guard.
    pub write: WriteRules,
    /// Secret formats in addition to the catalogue.
    pub egress_rules: Vec<EgressRule>,
    /// The user's wishes about language servers, by language.
    pub languages: BTreeMap<String, LanguageOptions>,
    /// The digest of everything that extends the built-in rules.
    pub policy_hash: Digest,
    /// The merged options, for `config show`.
    pub merged: Merged,
}

/// Both layers put together.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Merged {
    /// The laxest mode that the files allow.
    pub mode: Mode,
    /// Whether a file says suggest-only.
    pub suggest_only: bool,
    /// Globs of paths that are refused.
    pub blocked_paths: Vec<String>,
    /// Regular expressions of content that is refused.
    pub blocked_patterns: Vec<String>,
    /// Globs for which a confirmation by name is not asked for.
    pub allow_paths: Vec<String>,
    /// The names of the added egress rules.
    pub egress_rules: Vec<String>,
    /// What the proxy is to know of the tools behind it.
    pub proxy: ProxyOptions,
}

/// Why a configuration cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    /// The file is not valid TOML of the documented shape.
    #[error("{file}: {message}")]
    Syntax {
        /// The file.
        file: String,
        /// The place and the reason, as the parser tells it.
        message: String,
    },
    /// A value is not one of those that are allowed.
    #[error("{file}: {key}: {message}")]
    Value {
        /// The file.
        file: String,
        /// The key.
        key: String,
        /// What is wrong and what would be right.
        message: String,
    },
}

/// Reads, merges and resolves both files for the workspace at `root`.
pub fn resolve(texts: &ConfigTexts, root: &Path) -> Result<Config, ConfigError> {
    let workspace: WorkspaceFile = parse(WORKSPACE_FILE, texts.workspace.as_deref())?;
    let user: UserFile = parse(USER_FILE, texts.user.as_deref())?;
    let cap =
        cap_of(WORKSPACE_FILE, &workspace.autonomy)?.stricter(cap_of(USER_FILE, &user.autonomy)?);
    let merged = merge(&workspace, &user, cap, root);
    let write = write_rules(&merged)?;
    let egress_rules = [workspace.egress.rules, user.egress.rules].concat();
    let policy_hash = hash(&merged, &egress_rules);
    let languages = user.languages;
    Ok(Config { autonomy_cap: cap, write, egress_rules, languages, policy_hash, merged })
}

/// The same configuration with another list of paths that need no confirmation.
pub(crate) fn with_allow_paths(
    config: &Config,
    allow_paths: Vec<String>,
) -> Result<Config, ConfigError> {
    let merged = Merged { allow_paths, ..config.merged.clone() };
    let write = write_rules(&merged)?;
    let policy_hash = hash(&merged, &config.egress_rules);
    Ok(Config { write, policy_hash, merged, ..config.clone() })
}

/// The paths of the workspace at `root` that the user's file lets pass unconfirmed.
pub(crate) fn allow_paths_of(user: Option<&str>, root: &Path) -> Result<Vec<String>, ConfigError> {
    Ok(allowed(&parse::<UserFile>(USER_FILE, user)?, root))
}

fn allowed(user: &UserFile, root: &Path) -> Vec<String> {
    let entries = user.workspace.iter().filter(|entry| Path::new(&entry.root) == root);
    entries.flat_map(|entry| entry.allow_paths.clone()).collect()
}

fn write_rules(merged: &Merged) -> Result<WriteRules, ConfigError> {
    let extension = WriteExtension {
        blocked_paths: merged.blocked_paths.clone(),
        blocked_patterns: merged.blocked_patterns.clone(),
        allow_paths: merged.allow_paths.clone(),
    };
    WriteRules::with(extension).map_err(|error| ConfigError::Value {
        file: format!("{WORKSPACE_FILE} or {USER_FILE}"),
        key: "write".to_owned(),
        message: error.to_string(),
    })
}

fn parse<T: Default + serde::de::DeserializeOwned>(
    file: &str,
    text: Option<&str>,
) -> Result<T, ConfigError> {
    let Some(text) = text else { return Ok(T::default()) };
    toml::from_str(text).map_err(|error| ConfigError::Syntax {
        file: file.to_owned(),
        message: format!("{}{}", error.to_string().trim_end(), misplaced_key_hint(text)),
    })
}

/// The one mistake that people are bound to make gets its answer.
fn misplaced_key_hint(text: &str) -> &'static str {
    if text.contains("allow_paths") {
        "\n`allow_paths` belongs in the user's own config.toml, in a [[workspace]] entry with \
         `root`, because a workspace may only tighten the rules"
    } else {
        ""
    }
}

fn cap_of(file: &str, options: &AutonomyOptions) -> Result<Autonomy, ConfigError> {
    let mode = match &options.mode {
        None => Mode::Autonomous,
        Some(text) => {
            text.parse().map_err(|error: gatewright_model::ParseModeError| ConfigError::Value {
                file: file.to_owned(),
                key: "autonomy.mode".to_owned(),
                message: error.to_string(),
            })?
        }
    };
    Ok(Autonomy { mode, suggest_only: options.suggest_only })
}

fn merge(workspace: &WorkspaceFile, user: &UserFile, cap: Autonomy, root: &Path) -> Merged {
    let both = |a: &[String], b: &[String]| [a, b].concat();
    Merged {
        mode: cap.mode,
        suggest_only: cap.suggest_only,
        blocked_paths: both(&workspace.write.blocked_paths, &user.write.blocked_paths),
        blocked_patterns: both(&workspace.write.blocked_patterns, &user.write.blocked_patterns),
        allow_paths: allowed(user, root),
        egress_rules: workspace
            .egress
            .rules
            .iter()
            .chain(&user.egress.rules)
            .map(|rule| rule.name.clone())
            .collect(),
        proxy: ProxyOptions {
            writes: both(&workspace.proxy.writes, &user.proxy.writes),
            path_arguments: both(&workspace.proxy.path_arguments, &user.proxy.path_arguments),
        },
    }
}

fn hash(merged: &Merged, egress_rules: &[EgressRule]) -> Digest {
    let text = serde_json::json!({ "merged": merged, "egress_rules": egress_rules });
    Digest::of(text.to_string().as_bytes())
}

/// The two files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layer {
    /// `gatewright.toml` in the workspace.
    Workspace,
    /// `config.toml` of the user.
    User,
}

/// The JSON Schema of a file.
pub fn schema(layer: Layer) -> serde_json::Value {
    match layer {
        Layer::Workspace => schemars::schema_for!(WorkspaceFile).to_value(),
        Layer::User => schemars::schema_for!(UserFile).to_value(),
    }
}
