//! How a file was before it was wired, so that taking the wiring out restores every byte.
//!
//! Kept in the user's state directory, readable by the user alone. A file that
//! somebody else changed since is not restored from here: then only our entries go.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use gatewright_model::Digest;
use serde::{Deserialize, Serialize};

use super::{WiringError, io};

/// The files that were wired, by path.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Records {
    files: BTreeMap<String, Record>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Record {
    /// The text before; absent where there was no file.
    before: Option<String>,
    /// The digest of the text after.
    after: String,
}

impl Records {
    /// The records of this user. Unreadable ones are as good as none.
    pub fn load(state: &Path) -> Result<Self, WiringError> {
        let bytes = io::read(&place(state))?.unwrap_or_default();
        Ok(serde_json::from_slice(&bytes).unwrap_or_default())
    }

    /// Stores them.
    pub fn save(&self, state: &Path) -> Result<(), WiringError> {
        let text = serde_json::to_vec_pretty(self).unwrap_or_default();
        io::write_private(&place(state), &text)
    }

    /// Notes an install. `is_clean` says that `before` held nothing of ours.
    pub fn installed(&mut self, path: &Path, before: Option<&str>, after: &str, is_clean: bool) {
        let key = path.display().to_string();
        let known = self.before(path, before.unwrap_or_default());
        let original = match known {
            Some(original) => original,
            None if is_clean => before.map(str::to_owned),
            None => {
                self.files.remove(&key);
                return;
            }
        };
        self.files.insert(key, Record { before: original, after: digest(after) });
    }

    /// What the file held before, when it is still as we left it.
    pub fn before(&self, path: &Path, now: &str) -> Option<Option<String>> {
        let record = self.files.get(&path.display().to_string())?;
        (record.after == digest(now)).then(|| record.before.clone())
    }

    /// Forgets a file.
    pub fn forget(&mut self, path: &Path) {
        self.files.remove(&path.display().to_string());
    }
}

fn place(state: &Path) -> PathBuf {
    state.join("wiring.json")
}

fn digest(text: &str) -> String {
    Digest::of(text.as_bytes()).to_string()
}
