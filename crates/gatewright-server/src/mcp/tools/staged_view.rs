//! The files that a run has staged, so that listing and searching show them too.

use std::collections::BTreeMap;

use gatewright_engine::EngineError;
use gatewright_model::FileState;

use super::Call;

/// Staged paths of the run with their state; `None` is a staged removal.
pub struct StagedView(BTreeMap<String, Option<FileState>>);

impl StagedView {
    /// What the caller's run has staged and nobody has settled.
    pub fn of(call: &Call) -> Result<Self, EngineError> {
        let mut files = BTreeMap::new();
        for change in call.engine.open_changes()? {
            if change.run_id == call.caller.run_id {
                for file in &change.files {
                    files.insert(file.resolved.to_string(), file.to_change().after);
                }
            }
        }
        Ok(Self(files))
    }

    /// The staged state of a path: unknown here, removed, or its content.
    pub fn get(&self, path: &str) -> Option<Option<&FileState>> {
        self.0.get(path).map(Option::as_ref)
    }

    /// Every staged path that will exist.
    pub fn present(&self) -> impl Iterator<Item = (&str, &FileState)> {
        self.0.iter().filter_map(|(path, state)| Some((path.as_str(), state.as_ref()?)))
    }
}
