//! The references of a change looked up in the workspace and in the installed packages.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, SystemTime};

use gatewright_languages::references::disk::DiskDependencies;
use gatewright_languages::references::{
    ChangedFile, Ecosystem, Entry, Index, SourceTree, reference_facts,
};
use gatewright_model::{FileChange, FileState, ReferenceFacts, RequestedPath, TargetKind};
use gatewright_workspace::Workspace;

use crate::io;

/// The largest file of the workspace that is read for its definitions.
const LIMIT: u64 = 4 * 1024 * 1024;

/// The index of a workspace and the packages that it uses.
pub struct References {
    index: Index,
    /// Where what was taken of the files is kept between two processes.
    cache: PathBuf,
    python_environments: Vec<PathBuf>,
    dependencies: OnceLock<DiskDependencies>,
    look: Mutex<Look>,
}

/// How long a look at the whole workspace is good for before a warning.
const GOOD_FOR: Duration = Duration::from_millis(500);
/// How long it is good for a change that nothing is said of.
const GOOD_FOR_SILENCE: Duration = Duration::from_secs(30);
/// How long a file must have been left alone before its stamp tells two versions of it apart.
const SETTLED_NANOSECONDS: i64 = 2_000_000_000;
/// How many files may be written before it is good for nothing.
const MOST_TOUCHED: usize = 64;

/// One look at the whole workspace.
#[derive(Debug, Clone)]
struct Look {
    number: u64,
    since: SystemTime,
    /// What was written since.
    touched: Vec<String>,
}

impl Look {
    fn is_good(&self, time: SystemTime, long: Duration) -> bool {
        time.duration_since(self.since).is_ok_and(|age| age < long)
    }
}

impl References {
    /// Nothing is read before the first question, `cache` not before it is needed.
    pub fn new(python_environments: Vec<PathBuf>, cache: PathBuf) -> Self {
        let look = Look { number: 0, since: SystemTime::UNIX_EPOCH, touched: Vec::new() };
        let from = cache.clone();
        let index = Index::starting_from(move || io::read_bytes(&from));
        let (dependencies, look) = (OnceLock::new(), Mutex::new(look));
        Self { index, cache, python_environments, dependencies, look }
    }

    /// Writes down what was taken of many files; a cache that cannot be written is none.
    fn keep(&self) {
        if let Some(bytes) = self.index.to_keep() {
            let _ = io::replace_private(&self.cache, &bytes);
        }
    }

    /// These files were written, made or removed.
    pub fn touch(&self, paths: impl Iterator<Item = String>) {
        let mut look = self.look.lock().unwrap_or_else(PoisonError::into_inner);
        look.touched.extend(paths);
        look.touched.sort();
        look.touched.dedup();
        if look.touched.len() > MOST_TOUCHED {
            look.since = SystemTime::UNIX_EPOCH;
        }
    }

    /// A look that is not older than `long`; a new one where there is none.
    fn look_at(&self, time: SystemTime, long: Duration) -> Look {
        let mut look = self.look.lock().unwrap_or_else(PoisonError::into_inner);
        if !look.is_good(time, long) {
            *look = Look { number: look.number + 1, since: time, touched: Vec::new() };
        }
        look.clone()
    }

    /// What is known about the references that each change adds.
    pub fn facts(
        &self,
        changes: &[FileChange],
        workspace: &Workspace,
        time: SystemTime,
    ) -> Vec<ReferenceFacts> {
        let bytes = |state: &Option<FileState>| state.as_ref().map(|state| state.content.clone());
        let changed: Vec<ChangedFile> = changes
            .iter()
            .map(|change| ChangedFile {
                path: change.requested.as_str().trim_start_matches("./").to_owned(),
                before: bytes(&change.before),
                after: bytes(&change.after),
            })
            .collect();
        let facts = |look: Look| {
            let tree = Confined { workspace, look };
            reference_facts(&changed, &tree, self.dependencies(workspace), &self.index)
        };
        let look = self.look_at(time, GOOD_FOR_SILENCE);
        let is_fresh = look.is_good(time, GOOD_FOR);
        let first = facts(look);
        let warns = first.iter().any(|facts| !facts.missing.is_empty());
        // Somebody else may have written meanwhile what is missing.
        let last = if warns && !is_fresh { facts(self.look_at(time, GOOD_FOR)) } else { first };
        self.keep();
        last
    }
}

impl References {
    fn dependencies(&self, workspace: &Workspace) -> &DiskDependencies {
        self.dependencies.get_or_init(|| {
            let python = |path: &PathBuf| (Ecosystem::Python, path.clone());
            let extra: Vec<_> = self.python_environments.iter().map(python).collect();
            DiskDependencies::find(workspace.root(), &extra)
        })
    }

    /// Takes of the files what a question about this one will need. No question is answered from
    /// a look that this takes: it has a number of its own.
    pub fn look_ahead(
        &self,
        path: &str,
        content: &Arc<[u8]>,
        workspace: &Workspace,
        since: SystemTime,
    ) {
        let same = Some(Arc::clone(content));
        let changed = ChangedFile { path: path.to_owned(), before: same.clone(), after: same };
        let known = self.look.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let own = Look { number: 0, since, touched: Vec::new() };
        let look = if known.is_good(since, GOOD_FOR_SILENCE) { known } else { own };
        let tree = Confined { workspace, look };
        reference_facts(&[changed], &tree, self.dependencies(workspace), &self.index);
    }
}

/// The workspace as the resolvers read it: confined, like every other reader.
struct Confined<'a> {
    workspace: &'a Workspace,
    look: Look,
}

impl SourceTree for Confined<'_> {
    fn read(&self, path: &str) -> Option<Arc<[u8]>> {
        let state = self.workspace.read(&RequestedPath::new(path), LIMIT).ok()??;
        Some(state.content)
    }

    fn list(&self, directory: &str) -> Vec<Entry> {
        let directory = if directory.is_empty() { "." } else { directory };
        let entries = self.workspace.read_dir(&RequestedPath::new(directory)).unwrap_or_default();
        let entry = |entry: gatewright_workspace::DirEntry| Entry {
            is_dir: entry.kind == TargetKind::Directory,
            stamp: Some(self.stamp_of(&entry)),
            name: entry.name,
        };
        entries.into_iter().map(entry).collect()
    }

    fn generation(&self) -> Option<u64> {
        Some(self.look.number)
    }

    fn touched(&self) -> &[String] {
        &self.look.touched
    }

    fn exists(&self, path: &str) -> bool {
        let (directory, name) = path.rsplit_once('/').unwrap_or(("", path));
        path.is_empty() || self.list(directory).iter().any(|entry| entry.name == name)
    }
}

impl Confined<'_> {
    /// One number for what the file system says of a file.
    ///
    /// A file that changed just now may change again without another stamp: its number is good
    /// for this look only.
    fn stamp_of(&self, entry: &gatewright_workspace::DirEntry) -> u128 {
        let (stamp, size) = (entry.stamp, u128::from(entry.size));
        let wide = |time: i64| u128::from(time.cast_unsigned());
        let since = self.look.since.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let age = |time: i64| since.as_nanos().cast_signed() - i128::from(time);
        let youngest = age(stamp.modified).min(age(stamp.changed));
        let number = (wide(stamp.modified) << 64)
            ^ wide(stamp.changed)
            ^ (u128::from(stamp.inode) << 32)
            ^ (size << 96);
        let is_settled = youngest > i128::from(SETTLED_NANOSECONDS);
        if is_settled { number } else { number.rotate_left(17) ^ since.as_nanos() }
    }
}

#[cfg(test)]
#[path = "references_tests.rs"]
mod tests;
