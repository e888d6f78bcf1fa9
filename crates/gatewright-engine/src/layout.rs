//! Where things live: the state of a workspace, the user's files, the key.
//!
//! Directories come in as values. State is keyed by the workspace's
//! canonical path, so two workspaces never share a ledger.

use std::path::{Path, PathBuf};

use gatewright_model::Digest;

use crate::{EngineError, io};

/// The user's directories, read from the environment by the binary.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserDirs {
    /// The configuration directory of Gatewright, such as `~/.config/gatewright`.
    pub config: PathBuf,
    /// The state directory of Gatewright, such as `~/.local/state/gatewright`.
    pub state: PathBuf,
}

/// The places that belong to one workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layout {
    /// The canonical workspace root.
    pub root: PathBuf,
    /// The directory of this workspace's state.
    pub state: PathBuf,
    /// The database of receipts and staged changes.
    pub database: PathBuf,
    /// What the hallucination guard took of the files: a cache that may go at any time.
    pub references: PathBuf,
    /// Whose lock the one process has that makes all of it ahead of questions.
    pub references_lock: PathBuf,
    /// The signing key, shared by the user's workspaces.
    pub key: PathBuf,
    /// The user's configuration file.
    pub user_config: PathBuf,
    /// The workspace's configuration file.
    pub workspace_config: PathBuf,
    /// Identifies the workspace in receipts.
    pub workspace_id: String,
}

impl Layout {
    /// The layout for the folder that the user names, which must exist.
    pub fn locate(root: &Path, dirs: &UserDirs) -> Result<Self, EngineError> {
        Ok(Self::new(&io::canonical_root(root)?, dirs))
    }

    /// The layout for the workspace at `root`, which must be canonical.
    pub fn new(root: &Path, dirs: &UserDirs) -> Self {
        let digest = Digest::of(root.as_os_str().as_encoded_bytes());
        let workspace_id = format!("{}-{}", name_of(root), digest.short());
        let state = dirs.state.join("workspaces").join(&workspace_id);
        Self {
            root: root.to_owned(),
            database: state.join("ledger.sqlite"),
            references: state.join("references.cache"),
            references_lock: state.join("references.lock"),
            state,
            key: dirs.state.join("signing.key"),
            user_config: dirs.config.join(crate::config::USER_FILE),
            workspace_config: root.join(crate::config::WORKSPACE_FILE),
            workspace_id,
        }
    }
}

/// A readable stem: the last component, cut down to letters, digits and dashes.
fn name_of(root: &Path) -> String {
    let name = root.file_name().map(|name| name.to_string_lossy().into_owned());
    let stem: String = name
        .unwrap_or_default()
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' })
        .take(32)
        .collect();
    if stem.trim_matches('-').is_empty() { "root".to_owned() } else { stem }
}
