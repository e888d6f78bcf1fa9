//! The source files of the workspace, walked once and then kept by what the kernel tells.
//!
//! A walk asks the kernel about every file, which takes longer than the rest of
//! a question about symbols. A process that stays asks what changed instead. A
//! folder that comes or goes, an ignore file that changes, more than can be told:
//! each leads to a new walk, and so does a minute, because a write through a
//! mapping or through another name of a file is not told. Where the kernel tells
//! nothing, every question walks.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use gatewright_languages::syntax::detect;
use gatewright_workspace::{Happened, Watch, Workspace};

use crate::Engine;
use crate::unguarded::{
    Walked, WalkedFile, file_at, files_entering, files_under, glance, is_ignore_file,
};

/// How long what the kernel tells is relied on.
const GOOD_FOR: Duration = Duration::from_secs(60);
/// More files than this are looked at sooner by a walk.
const MOST_CHANGED: usize = 64;

/// The list, in a process that stays.
#[derive(Debug, Default)]
pub(crate) struct SourceList {
    is_kept: AtomicBool,
    kept: Mutex<Option<Kept>>,
}

#[derive(Debug)]
struct Kept {
    watch: Watch,
    since: SystemTime,
    /// The folders that were looked into.
    folders: HashSet<String>,
    /// In order of their paths, as texts.
    files: Arc<Vec<WalkedFile>>,
}

/// The source files under a folder.
#[derive(Debug)]
pub(crate) struct Sources {
    files: Arc<Vec<WalkedFile>>,
    meant: Range<usize>,
    /// Whether there are more files than one walk visits.
    pub is_cut: bool,
    /// Whether this is what the kernel told, and not what a walk has just seen.
    is_told: bool,
}

impl Sources {
    /// In order of their paths, as texts.
    pub fn files(&self) -> &[WalkedFile] {
        self.files.get(self.meant.clone()).unwrap_or_default()
    }

    fn walked(walked: Walked) -> Self {
        let Walked { mut files, is_cut } = walked;
        files.sort_unstable_by(|one, other| one.path.cmp(&other.path));
        let meant = 0..files.len();
        Self { files: Arc::new(files), meant, is_cut, is_told: false }
    }
}

impl Engine {
    /// The files under `start`, which is `""` for the root, whose names are of a language that has
    /// symbols; ignore files are honoured.
    pub(crate) fn sources_under(&self, start: &str) -> Sources {
        self.hear_question();
        self.source_list.under(&self.workspace, start, self.clock.now())
    }

    /// A file of such a list as it is now; `None` when it is gone.
    pub(crate) fn as_it_is(&self, sources: &Sources, file: &WalkedFile) -> Option<WalkedFile> {
        if sources.is_told { glance(&self.workspace, &file.path) } else { Some(file.clone()) }
    }
}

impl SourceList {
    /// From now on the list is kept.
    pub fn keep(&self) {
        self.is_kept.store(true, Ordering::Relaxed);
    }

    fn under(&self, workspace: &Workspace, start: &str, now: SystemTime) -> Sources {
        let walk = || Sources::walked(files_under(workspace, start, &is_source));
        if !self.is_kept.load(Ordering::Relaxed) {
            return walk();
        }
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let is_good =
            kept.as_mut().is_some_and(|kept| kept.is_good(now) && kept.catch_up(workspace));
        if !is_good {
            *kept = Kept::new(workspace, now);
            // What cannot be watched once is not tried again: it costs more than the walk.
            self.is_kept.store(kept.is_some(), Ordering::Relaxed);
        }
        kept.as_ref().and_then(|kept| kept.under(start)).unwrap_or_else(walk)
    }
}

impl Kept {
    /// `None` where it could not be kept.
    fn new(workspace: &Workspace, now: SystemTime) -> Option<Self> {
        let mut watch = workspace.watch()?;
        let mut folders = HashSet::new();
        let mut is_watched = true;
        // What changes after a folder is watched is told; what changed before is seen.
        let mut enter = |folder: &str| {
            is_watched = is_watched && workspace.watch_folder(&mut watch, folder);
            folders.insert(folder.to_owned());
        };
        let walked = files_entering(workspace, "", &is_source, &mut enter);
        let is_whole = is_watched && !walked.is_cut;
        let files = Sources::walked(walked).files;
        is_whole.then_some(Self { watch, since: now, folders, files })
    }

    fn is_good(&self, now: SystemTime) -> bool {
        now.duration_since(self.since).is_ok_and(|age| age < GOOD_FOR)
    }

    /// Takes over what changed; `false` when only a walk can tell.
    fn catch_up(&mut self, workspace: &Workspace) -> bool {
        let Happened::To(mut paths) = self.watch.take() else { return false };
        if paths.iter().any(|path| is_ignore_file(name_of(path))) {
            return false;
        }
        paths.retain(|path| is_source(name_of(path)));
        if paths.len() > MOST_CHANGED {
            return false;
        }
        for path in paths {
            let files = Arc::make_mut(&mut self.files);
            let place = files.binary_search_by(|file| file.path.as_str().cmp(&path));
            match (place, file_at(workspace, &path)) {
                (Ok(index), Some(file)) => files[index] = file,
                (Err(index), Some(file)) => files.insert(index, file),
                (Ok(index), None) => drop(files.remove(index)),
                (Err(_), None) => {}
            }
        }
        true
    }

    /// What lies under a folder; `None` where it was not looked into.
    fn under(&self, start: &str) -> Option<Sources> {
        if !self.folders.contains(start) {
            return None;
        }
        let meant = if start.is_empty() {
            0..self.files.len()
        } else {
            let prefix = format!("{start}/");
            let first = self.files.partition_point(|file| file.path < prefix);
            let below = |file: &WalkedFile| file.path.starts_with(&prefix);
            first..first + self.files[first..].partition_point(below)
        };
        Some(Sources { files: Arc::clone(&self.files), meant, is_cut: false, is_told: true })
    }
}

fn name_of(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

fn is_source(name: &str) -> bool {
    detect(name, b"").is_some()
}

#[cfg(test)]
#[path = "source_list_tests.rs"]
mod tests;
