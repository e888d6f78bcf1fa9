//! Reading through the engine: confined like writing, and with the run's own staged changes.

use std::borrow::Cow;

use gatewright_model::{Digest, FileState, RequestedPath, Resolution};

use crate::expand::Seen;
use crate::spelling::text_of;
use crate::{Engine, EngineError, READ_LIMIT};

/// A file as a run sees it.
#[derive(Debug, Clone)]
pub struct FileView {
    /// Where the path leads.
    pub resolved: String,
    /// The state: staged by this run, or on disk.
    pub state: FileState,
    /// Its digest, to be sent back with an edit.
    pub digest: Digest,
    /// Whether this is a staged state that is not on disk.
    pub is_staged: bool,
}

impl FileView {
    /// The text of the file, whichever encoding spells it.
    pub fn text(&self) -> Result<Cow<'_, str>, EngineError> {
        text_of(&self.resolved, &self.state.content).map(|(text, _)| text)
    }
}

impl Engine {
    /// Reads a file as `run_id` sees it.
    pub fn read_file(&self, path: &RequestedPath, run_id: &str) -> Result<FileView, EngineError> {
        self.read_seeing(path, run_id).map(|(view, _)| view)
    }

    /// The same with what was found on disk.
    pub(crate) fn read_seeing(
        &self,
        path: &RequestedPath,
        run_id: &str,
    ) -> Result<(FileView, Seen), EngineError> {
        self.hear_question();
        let name = || path.to_string();
        let (facts, file) = self.workspace.look(path, READ_LIMIT);
        let target = match facts.resolution.clone() {
            Resolution::Inside(target) => target,
            Resolution::Failed(failure) => {
                return Err(EngineError::Path { path: name(), failure });
            }
        };
        let seen = Seen { facts, file: file.clone() };
        let resolved = target.resolved.to_string();
        if let Some(pending) = self.pending_of(run_id)?.remove(&target.resolved) {
            let state = pending.after.ok_or_else(|| self.missing(&name()))?;
            let view = FileView { resolved, digest: state.digest(), state, is_staged: true };
            return Ok((view, seen));
        }
        if let (Some(state), Some(digest)) = (file, target.digest) {
            return Ok((FileView { resolved, digest, state, is_staged: false }, seen));
        }
        let state = self
            .workspace
            .read(path, READ_LIMIT)
            .map_err(|source| EngineError::Read { path: name(), source })?
            .ok_or_else(|| self.missing(&name()))?;
        Ok((FileView { resolved, digest: state.digest(), state, is_staged: false }, seen))
    }
}
