//! What changes without passing a door: seen by comparing the tree with its last known state.
//!
//! Looking is cheap: a file that looks as before is not read. What differs and
//! is explained by no receipt is recorded as `unguarded`, in one receipt for all
//! that is found at once, and can be taken back like an apply. Nothing here
//! blocks anything. Files that git ignores are not watched; of git's own files
//! only those that run code or widen trust are.

mod known;
mod report;
mod walk;

use std::time::{Duration, SystemTime};

use gatewright_guards::Approved;
use gatewright_model::{Agent, Digest, Door, FileMode, FileState, Receipt, RequestedPath};
use gatewright_workspace::Stamp;

pub use known::Known;
use known::{Held, KnownFile, Look};
pub use walk::{Walked, WalkedFile};
pub(crate) use walk::{file_at, files_entering, files_under, glance, is_ignore_file};

use crate::{Engine, EngineError};

/// A larger file is not read: it is seen to change, but not what changed in it.
const READ_LIMIT: u64 = 8 * 1024 * 1024;
/// A file that changed so shortly before a look is read again at the next one.
const FRESH: Duration = Duration::from_millis(100);
/// The most differences whose bytes are held at once; the rest is only counted.
const MOST_FILES: usize = 400;

/// Who was at work when the tree changed, as far as that is known.
#[derive(Debug, Clone)]
pub struct Witness {
    /// The agent, or nobody in particular.
    pub agent: Agent,
    /// Its run.
    pub run_id: String,
    /// What it was doing.
    pub during: Option<String>,
}

impl Witness {
    /// Nobody is known: a person's editor, a build, another program.
    pub fn nobody() -> Self {
        let agent =
            Agent { name: "unknown".to_owned(), version: String::new(), door: Door::Unguarded };
        Self { agent, run_id: "unguarded".to_owned(), during: None }
    }
}

/// A file that is not as it was known.
#[derive(Debug, Clone)]
struct Difference {
    path: String,
    before: Past,
    after: Present,
}

/// What was known of a file.
#[derive(Debug, Clone, Default)]
struct Past {
    digest: Option<Digest>,
    mode: Option<FileMode>,
    /// Its bytes, where they were kept.
    state: Option<FileState>,
}

/// What stands there now.
#[derive(Debug, Clone)]
enum Present {
    File(FileState),
    Nothing,
    TooLarge,
}

impl Engine {
    /// Compares the tree with its last known state and records what passed no door.
    ///
    /// The first look only remembers. A write that is under way puts the look off.
    pub fn notice_changes(&self, witness: &Witness) -> Result<Vec<Receipt>, EngineError> {
        let mut known = self.known.lock().unwrap_or_else(|poison| poison.into_inner());
        let mut held = known.lock()?;
        if self.workspace.has_leftovers() {
            return Ok(Vec::new());
        }
        let is_first = !held.has_begun;
        let walked = walk::watched_files(&self.workspace);
        let differences = self.differences(&mut held, &walked)?;
        if self.workspace.has_leftovers() {
            held.give_up();
            return Ok(Vec::new());
        }
        let receipts = if is_first { Vec::new() } else { self.report(differences, witness)? };
        held.store()?;
        Ok(receipts)
    }

    /// The files that look different from what is known. Nothing is read or recorded.
    pub fn restless_files(&self) -> Result<Vec<(String, Stamp)>, EngineError> {
        let mut known = self.known.lock().unwrap_or_else(|poison| poison.into_inner());
        let held = known.lock()?;
        let walked = walk::watched_files(&self.workspace);
        let mut restless: Vec<(String, Stamp)> = Vec::new();
        let mut count = 0;
        for file in walked.files {
            let old = held.get(&file.path);
            count += usize::from(old.is_some());
            if old.is_none_or(|old| old.look.stamp != file.stamp) {
                restless.push((file.path, file.stamp));
            }
        }
        if count < held.paths().count() {
            restless.push((String::new(), Stamp::default()));
        }
        Ok(restless)
    }

    /// The files under `start`, which is `""` for the root; ignore files are honoured.
    pub fn files_under(&self, start: &str) -> Walked {
        walk::files_under(&self.workspace, start, &|_| true)
    }

    /// Whether ignore files leave a path of the workspace out of the tree.
    pub fn is_ignored(&self, path: &str) -> bool {
        walk::is_left_out(&self.workspace, path)
    }

    /// Before a write: were the bases changed by somebody else since they were known?
    pub(crate) fn notice_bases(&self, files: &[KnownChange], witness: &Witness) {
        // Looking must never stop a write; what is missed here is found by the next look.
        let _ = self.try_notice_bases(files, witness);
    }

    fn try_notice_bases(
        &self,
        files: &[KnownChange],
        witness: &Witness,
    ) -> Result<(), EngineError> {
        let mut known = self.known.lock().unwrap_or_else(|poison| poison.into_inner());
        let mut held = known.lock()?;
        if !held.has_begun {
            return Ok(());
        }
        let mut differences = Vec::new();
        for file in files {
            let old = held.get(&file.path).cloned();
            let digest = file.before.as_ref().map(FileState::digest);
            if old.as_ref().and_then(|old| old.digest) == digest {
                continue;
            }
            let before = old.map(|old| past_of(&held, &old)).unwrap_or_default();
            let after = file.before.clone().map_or(Present::Nothing, Present::File);
            note_unseen(&mut held, &file.path, file.before.as_ref())?;
            // What was never seen, such as an ignored file, is no news.
            if before.digest.is_some() {
                differences.push(Difference { path: file.path.clone(), before, after });
            }
        }
        self.report(differences, witness)?;
        held.store()
    }

    /// After a write of ours: that is how the files are known now.
    pub(crate) fn know(&self, files: &[KnownChange]) {
        // What is not noted here is explained by its receipt at the next look.
        let _ = self.try_know(files);
    }

    fn try_know(&self, files: &[KnownChange]) -> Result<(), EngineError> {
        let mut known = self.known.lock().unwrap_or_else(|poison| poison.into_inner());
        let mut held = known.lock()?;
        if !held.has_begun {
            return Ok(());
        }
        for file in files {
            note_unseen(&mut held, &file.path, file.after.as_ref())?;
        }
        held.store()
    }

    fn differences(
        &self,
        held: &mut Held<'_>,
        walked: &Walked,
    ) -> Result<Vec<Difference>, EngineError> {
        let is_first = !held.has_begun;
        let now = self.clock.now();
        let mut found = Vec::new();
        for file in &walked.files {
            if let Some(difference) = self.look_at(held, file, now)?
                && !is_first
            {
                found.push(difference.lightened(found.len()));
            }
        }
        let seen: std::collections::BTreeSet<&str> =
            walked.files.iter().map(|file| file.path.as_str()).collect();
        let unseen: Vec<String> =
            held.paths().filter(|path| !seen.contains(path.as_str())).cloned().collect();
        for path in unseen {
            let old = held.get(&path).cloned();
            let is_gone = matches!(self.workspace.read(&RequestedPath::new(&path), 0), Ok(None));
            if let Some(old) = old.filter(|_| is_gone) {
                let before = past_of(held, &old);
                let difference = Difference { path: path.clone(), before, after: Present::Nothing };
                found.push(difference.lightened(found.len()));
            }
            // A file that is there and not walked is ignored from now on.
            held.note_gone(&path);
        }
        Ok(found)
    }

    fn look_at(
        &self,
        held: &mut Held<'_>,
        file: &WalkedFile,
        now: SystemTime,
    ) -> Result<Option<Difference>, EngineError> {
        let old = held.get(&file.path).cloned();
        let is_same = |old: &KnownFile| old.look.stamp == file.stamp && !old.look.is_fresh;
        if old.as_ref().is_some_and(is_same) {
            return Ok(None);
        }
        let look = Look { stamp: file.stamp, is_fresh: is_fresh(file.stamp, now) };
        let after = if file.size > READ_LIMIT {
            Present::TooLarge
        } else {
            match self.workspace.read(&RequestedPath::new(&file.path), READ_LIMIT) {
                Ok(Some(state)) => Present::File(state),
                // Gone meanwhile, or not ours to read: the next look says more.
                Ok(None) | Err(_) => return Ok(None),
            }
        };
        if let (Some(old), Present::File(state)) = (&old, &after)
            && old.digest == Some(state.digest())
            && old.look.stamp.mode == file.stamp.mode
        {
            held.relook(&file.path, look);
            return Ok(None);
        }
        let before = old.map(|old| past_of(held, &old)).unwrap_or_default();
        let content = match &after {
            Present::File(state) => Some(&*state.content),
            _ => None,
        };
        held.note(&file.path, look, content)?;
        Ok(Some(Difference { path: file.path.clone(), before, after }))
    }
}

/// A file that this process writes, or is about to.
#[derive(Debug, Clone)]
pub struct KnownChange {
    pub(crate) path: String,
    before: Option<FileState>,
    after: Option<FileState>,
}

/// The files of an approved change set.
pub fn changes_of(approved: &Approved) -> Vec<KnownChange> {
    let change = |file: &gatewright_guards::ApprovedFile| KnownChange {
        path: file.resolved.to_string(),
        before: file.before.clone(),
        after: file.after.clone(),
    };
    approved.files().iter().map(change).collect()
}

impl Difference {
    /// Without its bytes, where too many are held already.
    fn lightened(mut self, held: usize) -> Self {
        if held >= MOST_FILES {
            self.before.state = None;
            if matches!(self.after, Present::File(_)) {
                self.after = Present::TooLarge;
            }
        }
        self
    }
}

fn past_of(held: &Held<'_>, old: &KnownFile) -> Past {
    let mode = Some(FileMode::from_bits(old.look.stamp.mode));
    Past { digest: old.digest, mode, state: held.bytes_of(old) }
}

/// Notes a state whose look is not known; the next look reads the file and settles it.
fn note_unseen(
    held: &mut Held<'_>,
    path: &str,
    state: Option<&FileState>,
) -> Result<(), EngineError> {
    match state {
        None => {
            held.note_gone(path);
            Ok(())
        }
        Some(state) => {
            let stamp = Stamp { mode: state.mode.bits(), ..Stamp::default() };
            held.note(path, Look { stamp, is_fresh: true }, Some(&state.content))
        }
    }
}

fn is_fresh(stamp: Stamp, now: SystemTime) -> bool {
    let since_1970 = now.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let latest = stamp.modified.max(stamp.changed);
    let age = i64::try_from(since_1970.as_nanos()).unwrap_or(i64::MAX).saturating_sub(latest);
    age < FRESH.as_nanos() as i64
}
