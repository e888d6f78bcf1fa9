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

/// The largest file of the workspace that is read for its definitions.
const LIMIT: u64 = 4 * 1024 * 1024;

/// The index of a workspace and the packages that it uses.
pub struct References {
    index: Index,
    python_environments: Vec<PathBuf>,
    dependencies: OnceLock<DiskDependencies>,
    generation: Mutex<Generation>,
}

/// How long a look at the whole workspace is good for, unless something was written here.
const GOOD_FOR: Duration = Duration::from_millis(500);

/// Counts the looks at the whole workspace.
#[derive(Debug)]
struct Generation {
    number: u64,
    since: SystemTime,
}

impl References {
    /// Nothing is read before the first question.
    pub fn new(python_environments: Vec<PathBuf>) -> Self {
        let generation = Mutex::new(Generation { number: 0, since: SystemTime::UNIX_EPOCH });
        let (index, dependencies) = (Index::new(), OnceLock::new());
        Self { index, python_environments, dependencies, generation }
    }

    /// Something was written: the next check looks at the workspace anew.
    pub fn forget_files(&self) {
        let mut now = self.generation.lock().unwrap_or_else(PoisonError::into_inner);
        now.since = SystemTime::UNIX_EPOCH;
    }

    /// The number of the look that a check at this time may use.
    fn generation_at(&self, time: SystemTime) -> u64 {
        let mut now = self.generation.lock().unwrap_or_else(PoisonError::into_inner);
        let is_good = time.duration_since(now.since).is_ok_and(|age| age < GOOD_FOR);
        if !is_good {
            *now = Generation { number: now.number + 1, since: time };
        }
        now.number
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
        let dependencies = self.dependencies.get_or_init(|| {
            let python = |path: &PathBuf| (Ecosystem::Python, path.clone());
            let extra: Vec<_> = self.python_environments.iter().map(python).collect();
            DiskDependencies::find(workspace.root(), &extra)
        });
        let tree = Confined { workspace, generation: self.generation_at(time) };
        reference_facts(&changed, &tree, dependencies, &self.index)
    }
}

/// The workspace as the resolvers read it: confined, like every other reader.
struct Confined<'a> {
    workspace: &'a Workspace,
    generation: u64,
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
            stamp: Some(stamp_of(&entry)),
            name: entry.name,
        };
        entries.into_iter().map(entry).collect()
    }

    fn generation(&self) -> Option<u64> {
        Some(self.generation)
    }

    fn exists(&self, path: &str) -> bool {
        let (directory, name) = path.rsplit_once('/').unwrap_or(("", path));
        path.is_empty() || self.list(directory).iter().any(|entry| entry.name == name)
    }
}

/// One number for what the file system says of a file.
fn stamp_of(entry: &gatewright_workspace::DirEntry) -> u128 {
    let (stamp, size) = (entry.stamp, u128::from(entry.size));
    let wide = |time: i64| u128::from(time.cast_unsigned());
    (wide(stamp.modified) << 64)
        ^ wide(stamp.changed)
        ^ (u128::from(stamp.inode) << 32)
        ^ (size << 96)
}
