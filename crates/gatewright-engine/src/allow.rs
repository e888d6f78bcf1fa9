//! The user's list of paths that need no confirmation, changed by a person while things run.
//!
//! The list lies in the user's own configuration file, out of the agent's reach.
//! Every judgement looks whether that file changed, so that a list that a person
//! shortens holds at once in every process of the workspace. Nothing else of the
//! file is taken over before the next start, and a file that cannot be read
//! leaves no path allowed.

use std::path::Path;
use std::sync::{Arc, MutexGuard, PoisonError};

use gatewright_guards::Policy;
use toml_edit::{ArrayOfTables, DocumentMut, Item, Table, Value};

use crate::config::{self, Config};
use crate::io::{self, Stamp};
use crate::{Engine, EngineError};

/// So many globs can be listed.
const MOST_GLOBS: usize = 200;
/// A glob is no longer than this.
const LONGEST_GLOB: usize = 400;

/// The rules as they stand, and the file that they were read from.
pub(crate) struct InForce {
    pub(crate) stamp: Stamp,
    pub(crate) config: Arc<Config>,
    pub(crate) policy: Arc<Policy>,
}

impl InForce {
    fn take(&mut self, config: Config, stamp: Stamp) {
        let redactor = self.policy.redactor.clone();
        self.policy = Arc::new(Policy { write: config.write.clone(), redactor });
        self.config = Arc::new(config);
        self.stamp = stamp;
    }
}

impl Engine {
    /// The configuration in force, today's list of allowed paths included.
    pub fn config_now(&self) -> Arc<Config> {
        Arc::clone(&self.rules().config)
    }

    pub(crate) fn policy_now(&self) -> Arc<Policy> {
        Arc::clone(&self.rules().policy)
    }

    /// Sets the paths of this workspace that need no confirmation. The caller has made
    /// sure that a person asks; the list never touches the hard floor.
    pub fn set_allow_paths(&self, globs: &[String]) -> Result<Arc<Config>, EngineError> {
        check(globs)?;
        let mut rules = self.rules();
        let config = config::with_allow_paths(&rules.config, globs.to_vec())?;
        let path = &self.layout.user_config;
        let text = io::read_optional(path)?.unwrap_or_default();
        let written = listed(&text, &self.layout.root, globs)?;
        if let Some(directory) = path.parent() {
            io::make_private_directory(directory)?;
        }
        io::replace_private(path, written.as_bytes())?;
        rules.take(config, io::stamp(path));
        let now = Arc::clone(&rules.config);
        drop(rules);
        let words = if globs.is_empty() { "none".to_owned() } else { globs.join(", ") };
        self.record_notice(&format!("paths that need no confirmation: {words}"))?;
        Ok(now)
    }

    fn rules(&self) -> MutexGuard<'_, InForce> {
        let mut rules = self.in_force.lock().unwrap_or_else(PoisonError::into_inner);
        let path = &self.layout.user_config;
        let stamp = io::stamp(path);
        if stamp != rules.stamp {
            let globs = io::read_optional(path)
                .ok()
                .and_then(|text| config::allow_paths_of(text.as_deref(), &self.layout.root).ok())
                .unwrap_or_default();
            if let Ok(config) = config::with_allow_paths(&rules.config, globs) {
                rules.take(config, stamp);
            } else if let Ok(config) = config::with_allow_paths(&rules.config, Vec::new()) {
                rules.take(config, stamp);
            }
        }
        rules
    }
}

fn check(globs: &[String]) -> Result<(), EngineError> {
    let is_sound = |glob: &String| {
        !glob.trim().is_empty()
            && glob.len() <= LONGEST_GLOB
            && !glob.chars().any(char::is_control)
            && !matches!(glob.as_str(), "*" | "**" | "**/*")
    };
    if globs.len() <= MOST_GLOBS && globs.iter().all(is_sound) {
        return Ok(());
    }
    Err(EngineError::Config(config::ConfigError::Value {
        file: config::USER_FILE.to_owned(),
        key: "allow_paths".to_owned(),
        message: format!(
            "name single paths or globs of them, at most {MOST_GLOBS}, and not everything at once"
        ),
    }))
}

/// The user's file with the list of this workspace in it, everything else as it was.
fn listed(text: &str, root: &Path, globs: &[String]) -> Result<String, EngineError> {
    let wrong = |message: String| {
        EngineError::Config(config::ConfigError::Syntax {
            file: config::USER_FILE.to_owned(),
            message,
        })
    };
    let mut document: DocumentMut =
        text.parse().map_err(|error: toml_edit::TomlError| wrong(error.to_string()))?;
    let root = root.to_string_lossy();
    let entries = document
        .entry("workspace")
        .or_insert_with(|| Item::ArrayOfTables(ArrayOfTables::new()))
        .as_array_of_tables_mut()
        .ok_or_else(|| wrong("`workspace` is written in a way that only you can edit".into()))?;
    let is_ours = |entry: &Table| entry.get("root").and_then(Item::as_str) == Some(root.as_ref());
    let list = || Item::Value(Value::from_iter(globs.iter().map(String::as_str)));
    let mut found = false;
    for entry in entries.iter_mut().filter(|entry| is_ours(entry)) {
        // A second entry for the same folder would add to the list.
        entry["allow_paths"] =
            if found { Item::Value(Value::Array(Default::default())) } else { list() };
        found = true;
    }
    if !found {
        let mut entry = Table::new();
        entry["root"] = toml_edit::value(root.as_ref());
        entry["allow_paths"] = list();
        entries.push(entry);
    }
    Ok(document.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_of_one_folder_is_set_and_the_rest_stays() {
        let text = "# mine\n[autonomy]\nmode = \"manual\" # strict\n\n[[workspace]]\nroot = \"/a\"\nallow_paths = [\"x\"]\n\n[[workspace]]\nroot = \"/b\"\nallow_paths = [\"y\"]\n";
        let written = listed(text, Path::new("/b"), &["package.json".to_owned()]).expect("edited");
        assert_eq!(written, text.replace("[\"y\"]", "[\"package.json\"]"));
        let fresh = listed("", Path::new("/c"), &["a*".to_owned()]).expect("edited");
        assert_eq!(fresh, "[[workspace]]\nroot = \"/c\"\nallow_paths = [\"a*\"]\n");
    }

    #[test]
    fn everything_at_once_cannot_be_allowed() {
        for glob in ["**", "*", "", " ", "a\nb"] {
            assert!(check(&[glob.to_owned()]).is_err(), "{glob:?}");
        }
        assert!(check(&["**/package.json".to_owned()]).is_ok());
    }
}
