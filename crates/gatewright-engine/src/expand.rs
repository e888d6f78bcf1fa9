//! A request set against the files on disk: operations in, whole files before and after out.
//!
//! Operations on one file are folded into one change, whatever alias named it.
//! A path that leads nowhere is kept, so that the write guard refuses it with
//! its own words. Nothing here decides anything.

use std::collections::BTreeMap;

use gatewright_guards::egress::Redactor;
use gatewright_model::{
    ChangeSet, Digest, FileChange, FileMode, FileState, Intent, PathFacts, RepoPath, RequestedPath,
    Resolution, TargetKind,
};
use gatewright_workspace::Workspace;

use crate::edit_text::apply_edits;
use crate::placeholders;
use crate::request::{Base, ChmodMode, Operation};
use crate::spelling::change_text;
use crate::{EngineError, READ_LIMIT};

/// A file that this run has staged and not yet seen applied.
#[derive(Debug, Clone)]
pub struct Pending {
    /// The base on disk that it was staged against.
    pub before: Option<FileState>,
    /// The staged result.
    pub after: Option<FileState>,
}

/// Staged files by resolved path.
pub type PendingFiles = BTreeMap<RepoPath, Pending>;

/// Where bases come from.
#[derive(Clone, Copy)]
pub struct Sources<'a> {
    /// The files on disk.
    pub workspace: &'a Workspace,
    /// What the run has staged.
    pub pending: &'a PendingFiles,
    /// The view that the agent saw, for placeholders that come back.
    pub redactor: &'a Redactor,
    /// What this very request has found at a path already.
    pub seen: Option<&'a Seen>,
}

/// What was found at a path.
#[derive(Debug, Clone)]
pub struct Seen {
    /// What the disk said of it.
    pub facts: PathFacts,
    /// The file there.
    pub file: Option<FileState>,
}

/// Turns operations into a change set, with what was found at each of its paths.
pub fn expand(
    operations: &[Operation],
    sources: Sources<'_>,
) -> Result<(ChangeSet, Vec<PathFacts>), EngineError> {
    let mut drafts = Drafts { sources, order: Vec::new(), drafts: BTreeMap::new() };
    for operation in operations {
        drafts.take(operation)?;
    }
    let (changes, paths): (Vec<_>, Vec<_>) = drafts.finish().into_iter().unzip();
    if changes.is_empty() { Err(EngineError::Empty) } else { Ok((ChangeSet::new(changes), paths)) }
}

/// What is known of a file while operations are folded into it.
struct Draft {
    requested: RequestedPath,
    facts: PathFacts,
    before: Option<FileState>,
    now: Option<FileState>,
    renamed_from: Option<RequestedPath>,
    intent: Option<Intent>,
    /// The path leads nowhere, or not to a regular file: kept for the guard to refuse.
    unusable: bool,
}

struct Drafts<'a> {
    sources: Sources<'a>,
    order: Vec<String>,
    drafts: BTreeMap<String, Draft>,
}

impl Drafts<'_> {
    fn take(&mut self, operation: &Operation) -> Result<(), EngineError> {
        match operation {
            Operation::Create { path, content, executable } => {
                self.create(path, content, *executable)
            }
            Operation::Write { path, content, base } => {
                self.overwrite(path, content, *base, Intent::Overwrite)
            }
            Operation::Symbol { path, symbol, content, base } => {
                let intent = Intent::Symbol(symbol.clone());
                self.overwrite(path, content, Base::Digest(*base), intent)
            }
            Operation::Edit { path, edits, base } => {
                let redactor = self.sources.redactor;
                let path_text = path.as_str();
                let edited = |text: &str| {
                    let edits = placeholders::restore_edits(redactor, path_text, text, edits)?;
                    apply_edits(path_text, text, &edits)
                };
                let bytes = |bytes: &[u8]| change_text(path_text, bytes, edited);
                self.rewrite(path, *base, Intent::Edit(edits.clone()), bytes)
            }
            Operation::Patch { .. } => self.patch(operation),
            Operation::Delete { path, base } => self.delete(path, *base),
            Operation::Rename { from, to, base } => self.rename(from, to, *base),
            Operation::Chmod { path, mode } => self.chmod(path, *mode),
        }
    }

    fn create(
        &mut self,
        path: &RequestedPath,
        content: &[u8],
        executable: bool,
    ) -> Result<(), EngineError> {
        let mode = self.sources.workspace.umask_mode(executable);
        let draft = self.draft(path)?;
        if draft.now.is_some() {
            return Err(EngineError::Exists { path: path.to_string() });
        }
        draft.now = Some(FileState::new(content, mode));
        draft.intend(Intent::Create);
        Ok(())
    }

    fn overwrite(
        &mut self,
        path: &RequestedPath,
        content: &[u8],
        base: Base,
        intent: Intent,
    ) -> Result<(), EngineError> {
        let created_mode = self.sources.workspace.umask_mode(false);
        let redactor = self.sources.redactor;
        let draft = self.draft(path)?;
        draft.check_base(base)?;
        let shown: &[u8] = draft.now.as_ref().map_or(&[], |state| &state.content);
        let content = placeholders::restore_whole(redactor, path.as_str(), shown, content)?;
        let mode = draft.now.as_ref().map_or(created_mode, |state| state.mode);
        let intent = if draft.now.is_none() { Intent::Create } else { intent };
        draft.now = Some(FileState::new(content, mode));
        draft.intend(intent);
        Ok(())
    }

    fn rewrite(
        &mut self,
        path: &RequestedPath,
        base: Base,
        intent: Intent,
        change: impl FnOnce(&[u8]) -> Result<Vec<u8>, EngineError>,
    ) -> Result<(), EngineError> {
        let draft = self.draft(path)?;
        if draft.unusable {
            draft.intend(intent);
            return Ok(());
        }
        draft.check_base(base)?;
        let state = draft.existing()?;
        let content = change(&state.content)?;
        draft.now = Some(FileState::new(content, state.mode));
        draft.intend(intent);
        Ok(())
    }

    fn patch(&mut self, operation: &Operation) -> Result<(), EngineError> {
        let Operation::Patch { path, rename_to, keep_source, hunks, executable } = operation else {
            return Err(EngineError::Bug { message: "not a patch operation".to_owned() });
        };
        let redactor = self.sources.redactor;
        let mut replaced = None;
        let mut patched = |bytes: &[u8]| {
            let restored = placeholders::restore_patch(redactor, path.as_str(), bytes, hunks)?;
            if let Some(after) = restored {
                return Ok(after);
            }
            let (after, lines) =
                gatewright_model::patch::replaced_lines(bytes, hunks).map_err(|mismatch| {
                    let message = mismatch.to_string();
                    EngineError::HunkMismatch { path: path.to_string(), message }
                })?;
            replaced = Some(lines);
            Ok::<_, EngineError>(after)
        };
        let Some(target) = rename_to else {
            let is_first = self.draft(path)?.intent.is_none();
            self.rewrite(path, Base::Current, Intent::Patch, &mut patched)?;
            if let Some(replaced) = replaced.filter(|_| is_first) {
                self.draft(path)?.intent = Some(Intent::Hunks(replaced));
            }
            return self.set_executable(path, *executable);
        };
        let source = self.draft(path)?;
        let state = if source.unusable { None } else { Some(source.existing()?.clone()) };
        let content = match &state {
            Some(state) => patched(&state.content)?,
            None => Vec::new(),
        };
        if !keep_source {
            source.now = None;
            source.intend(Intent::Rename);
        }
        let mode = state.map_or(FileMode::REGULAR, |state| state.mode);
        self.arrive(target, path, FileState::new(content, mode), *keep_source)?;
        self.set_executable(target, *executable)
    }

    fn set_executable(
        &mut self,
        path: &RequestedPath,
        executable: Option<bool>,
    ) -> Result<(), EngineError> {
        match executable {
            Some(executable) => self.chmod(path, ChmodMode::Executable(executable)),
            None => Ok(()),
        }
    }

    fn delete(&mut self, path: &RequestedPath, base: Base) -> Result<(), EngineError> {
        let draft = self.draft(path)?;
        if !draft.unusable {
            draft.check_base(base)?;
            draft.existing()?;
        }
        draft.now = None;
        draft.intend(Intent::Delete);
        Ok(())
    }

    fn rename(
        &mut self,
        from: &RequestedPath,
        to: &RequestedPath,
        base: Base,
    ) -> Result<(), EngineError> {
        let source = self.draft(from)?;
        let state = if source.unusable {
            FileState::new(Vec::new(), FileMode::REGULAR)
        } else {
            source.check_base(base)?;
            source.existing()?.clone()
        };
        source.now = None;
        source.intend(Intent::Rename);
        self.arrive(to, from, state, false)
    }

    /// The new half of a rename or a copy.
    fn arrive(
        &mut self,
        to: &RequestedPath,
        from: &RequestedPath,
        state: FileState,
        is_copy: bool,
    ) -> Result<(), EngineError> {
        let draft = self.draft(to)?;
        if draft.now.is_some() {
            return Err(EngineError::Exists { path: to.to_string() });
        }
        draft.now = Some(state);
        draft.renamed_from = (!is_copy).then(|| from.clone());
        draft.intend(if is_copy { Intent::Create } else { Intent::Rename });
        Ok(())
    }

    fn chmod(&mut self, path: &RequestedPath, mode: ChmodMode) -> Result<(), EngineError> {
        let draft = self.draft(path)?;
        if draft.unusable {
            draft.intend(Intent::Chmod);
            return Ok(());
        }
        let mut state = draft.existing()?.clone();
        state.mode = match mode {
            ChmodMode::Executable(executable) => state.mode.with_executable(executable),
            ChmodMode::Bits(bits) => FileMode::from_bits(bits),
        };
        draft.now = Some(state);
        draft.intend(Intent::Chmod);
        Ok(())
    }

    /// The draft of a path, read from disk or from the stage on first sight.
    fn draft(&mut self, path: &RequestedPath) -> Result<&mut Draft, EngineError> {
        let seen = self.sources.seen.filter(|seen| seen.facts.requested == *path);
        let (facts, file) = match seen.cloned() {
            Some(Seen { facts, file }) => (facts, file),
            None => self.sources.workspace.look(path, READ_LIMIT),
        };
        let key = match &facts.resolution {
            Resolution::Inside(target) => format!("inside:{}", target.resolved),
            Resolution::Failed(_) => format!("failed:{path}"),
        };
        if !self.drafts.contains_key(&key) {
            let draft = self.load(path, facts, file)?;
            self.order.push(key.clone());
            self.drafts.insert(key.clone(), draft);
        }
        self.drafts
            .get_mut(&key)
            .ok_or_else(|| EngineError::Bug { message: "a draft vanished".to_owned() })
    }

    fn load(
        &self,
        path: &RequestedPath,
        facts: PathFacts,
        file: Option<FileState>,
    ) -> Result<Draft, EngineError> {
        let (unusable, pending, is_file) = match &facts.resolution {
            Resolution::Failed(_) => (true, None, false),
            Resolution::Inside(target) => (
                matches!(target.kind, TargetKind::Directory | TargetKind::Special),
                self.sources.pending.get(&target.resolved),
                target.kind == TargetKind::Regular,
            ),
        };
        let (before, now) = match pending {
            Some(pending) => (pending.before.clone(), pending.after.clone()),
            // Reading says why there are no bytes.
            None if is_file && file.is_none() => {
                let state = self.sources.workspace.read(path, READ_LIMIT);
                let state =
                    state.map_err(|source| EngineError::Read { path: path.to_string(), source })?;
                (state.clone(), state)
            }
            None => (file.clone(), file),
        };
        let requested = path.clone();
        Ok(Draft { requested, facts, before, now, renamed_from: None, intent: None, unusable })
    }

    fn finish(mut self) -> Vec<(FileChange, PathFacts)> {
        self.order
            .iter()
            .filter_map(|key| self.drafts.remove(key))
            .filter_map(Draft::into_change)
            .collect()
    }
}

impl Draft {
    fn existing(&self) -> Result<&FileState, EngineError> {
        // Who has the workspace adds the nearest names.
        self.now.as_ref().ok_or_else(|| EngineError::Missing {
            path: self.requested.to_string(),
            nearest: Vec::new(),
        })
    }

    fn check_base(&self, base: Base) -> Result<(), EngineError> {
        if self.unusable {
            return Ok(());
        }
        let expected: Option<Digest> = match base {
            Base::Current => return Ok(()),
            Base::Absent => None,
            Base::Digest(digest) => Some(digest),
        };
        let found = self.now.as_ref().map(FileState::digest);
        if expected == found {
            Ok(())
        } else {
            Err(EngineError::stale(self.requested.as_str(), expected, found))
        }
    }

    /// Remembers how the change was asked for; several asks become the widest of them.
    fn intend(&mut self, intent: Intent) {
        self.intent = Some(match (self.intent.take(), intent) {
            (None, intent) => intent,
            (Some(Intent::Edit(mut edits)), Intent::Edit(more)) => {
                edits.extend(more);
                Intent::Edit(edits)
            }
            (Some(first), Intent::Chmod) => first,
            (Some(Intent::Chmod), intent) => intent,
            (Some(Intent::Create), _) => Intent::Create,
            (Some(Intent::Rename), Intent::Patch) => Intent::Rename,
            // The places of one are not those of the other: the result tells.
            (
                Some(Intent::Edit(_) | Intent::Patch | Intent::Hunks(_)),
                Intent::Edit(_) | Intent::Patch,
            ) => Intent::Patch,
            (Some(Intent::Delete), Intent::Create) => Intent::Overwrite,
            (Some(_), Intent::Delete) => Intent::Delete,
            _ => Intent::Overwrite,
        });
    }

    fn into_change(self) -> Option<(FileChange, PathFacts)> {
        let is_noop = self.before == self.now && !self.unusable && self.renamed_from.is_none();
        if is_noop {
            return None;
        }
        // An unusable path always shows as a wish to put something there.
        let after = match self.now {
            None if self.unusable => Some(FileState::new(Vec::new(), FileMode::REGULAR)),
            now => now,
        };
        let change = FileChange {
            requested: self.requested,
            before: self.before,
            after,
            renamed_from: self.renamed_from,
            intent: self.intent.unwrap_or(Intent::Overwrite),
        };
        Some((change, self.facts))
    }
}

#[cfg(test)]
#[path = "expand_tests.rs"]
mod tests;
