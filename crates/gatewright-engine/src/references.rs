//! The references of a change looked up in the workspace and in the installed packages.

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use gatewright_languages::references::disk::DiskDependencies;
use gatewright_languages::references::{
    ChangedFile, Ecosystem, Entry, Index, SourceTree, Survey, reference_facts,
};
use gatewright_model::{FileChange, FileState, ReferenceFacts, RequestedPath, TargetKind};
use gatewright_workspace::{Happened, Watch, Workspace};

use crate::listed_folders::ListedFolders;
use crate::{Progress, io};

/// The largest file of the workspace that is read for its definitions.
const LIMIT: u64 = 4 * 1024 * 1024;
/// Files above this size are not even looked through for words.
const LIMIT_OF_WORDS: u64 = 64 * 1024 * 1024;

/// The index of a workspace and the packages that it uses.
pub struct References {
    index: Index,
    /// Where what was taken of the files is kept between two processes.
    cache: PathBuf,
    python_environments: Vec<PathBuf>,
    /// Where packages lie, as the look of that number found them.
    dependencies: Mutex<Option<(u64, Arc<DiskDependencies>)>>,
    look: Mutex<Look>,
    /// What tells of changes since the look, in a process that asks more than once.
    watch: Mutex<Watched>,
    /// Folders that were listed since, while everything is told.
    folders: Mutex<ListedFolders>,
    /// How many questions are under way.
    asking: AtomicUsize,
}

/// Whether the kernel tells what changes.
enum Watched {
    /// Nobody asked for it, or there are too many folders.
    Not,
    /// At the next look.
    Next,
    /// Since the look of that number; `None` where it cannot.
    Since(u64, Option<Watch>),
}

/// How long a look at the whole workspace is good for before a warning.
const GOOD_FOR: Duration = Duration::from_millis(500);
/// How long it is good for a change that nothing is said of.
const GOOD_FOR_SILENCE: Duration = Duration::from_secs(30);
/// How long it is good while the kernel tells of every change but those through mappings.
const GOOD_WHILE_WATCHED: Duration = Duration::from_secs(600);
/// How long a file must have been left alone before its stamp tells two versions of it apart.
const SETTLED_NANOSECONDS: i64 = 2_000_000_000;
/// How many files may be written before it is good for nothing.
const MOST_TOUCHED: usize = 256;

/// One look at the whole workspace.
#[derive(Debug, Clone)]
struct Look {
    number: u64,
    since: SystemTime,
    /// What was written since, in order.
    touched: Vec<String>,
    /// How often something was.
    touches: u64,
}

impl Look {
    fn new(number: u64, since: SystemTime) -> Self {
        Self { number, since, touched: Vec::new(), touches: 0 }
    }

    fn touch(&mut self, paths: impl Iterator<Item = String>) {
        let before = self.touched.len();
        self.touched.extend(paths);
        self.touches += u64::from(self.touched.len() > before);
        self.touched.sort();
        self.touched.dedup();
        if self.touched.len() > MOST_TOUCHED {
            self.since = SystemTime::UNIX_EPOCH;
        }
    }

    fn is_good(&self, time: SystemTime, long: Duration) -> bool {
        time.duration_since(self.since).is_ok_and(|age| age < long)
    }
}

impl References {
    /// Nothing is read before the first question, `cache` not before it is needed.
    pub fn new(python_environments: Vec<PathBuf>, cache: PathBuf) -> Self {
        let look = Look::new(0, SystemTime::UNIX_EPOCH);
        let from = cache.clone();
        let index = Index::starting_from(move || io::read_bytes(&from, Index::MOST_KEPT));
        let (dependencies, folders, look) = (Mutex::default(), Mutex::default(), Mutex::new(look));
        let watch = Mutex::new(Watched::Not);
        let asking = AtomicUsize::new(0);
        Self { index, cache, python_environments, dependencies, look, watch, folders, asking }
    }

    /// From now on the kernel is asked what changes, so that the files are not looked at again
    /// and again.
    pub fn watch(&self) {
        let mut watch = self.watch.lock().unwrap_or_else(PoisonError::into_inner);
        if matches!(*watch, Watched::Not) {
            *watch = Watched::Next;
        }
    }

    /// Writes down what was taken of many files; a cache that cannot be written is none.
    pub fn keep(&self) {
        if let Some(bytes) = self.index.to_keep() {
            let _ = io::try_replace_private(&self.cache, &bytes);
        }
    }

    /// Lets go of what is not held any more, when somebody waits for the disk in any case.
    pub fn let_go(&self) {
        self.index.let_go();
    }

    /// How far the files are looked through that a question under way is about; `None` also
    /// while they are not counted yet, and once nothing is left of them.
    pub fn indexing(&self) -> Option<Progress> {
        if self.asking.load(Ordering::Relaxed) == 0 {
            return None;
        }
        let (done, all) = self.index.taken()?;
        (done < all).then_some(Progress { done, all })
    }

    /// A question, until it is dropped.
    fn asking(&self) -> Asking<'_> {
        self.asking.fetch_add(1, Ordering::Relaxed);
        Asking(&self.asking)
    }

    /// These files were written, made or removed.
    pub fn touch(&self, paths: impl Iterator<Item = String>) {
        self.look.lock().unwrap_or_else(PoisonError::into_inner).touch(paths);
    }

    /// A look that is not older than `long`, or of which everything is known that happened
    /// since; a new one where there is none.
    fn look_at(&self, workspace: &Workspace, time: SystemTime, long: Duration) -> Look {
        let mut look = self.look.lock().unwrap_or_else(PoisonError::into_inner);
        let mut watch = self.watch.lock().unwrap_or_else(PoisonError::into_inner);
        let long = match &mut *watch {
            Watched::Since(number, Some(watch)) if *number == look.number => match watch.take() {
                Happened::To(paths) => {
                    self.folders().forget(paths.iter().map(String::as_str));
                    look.touch(paths.into_iter());
                    GOOD_WHILE_WATCHED
                }
                // Nothing is said by this look any more, and nothing passes by it for long.
                Happened::Anything => {
                    self.folders().lose();
                    long.saturating_sub(GOOD_FOR).min(GOOD_FOR)
                }
            },
            _ => long,
        };
        if !look.is_good(time, long) {
            *look = Look::new(look.number + 1, time);
            if !matches!(*watch, Watched::Not) {
                *watch = Watched::Since(look.number, workspace.watch());
            }
        }
        look.clone()
    }

    fn is_watched(&self, number: u64) -> bool {
        let watch = self.watch.lock().unwrap_or_else(PoisonError::into_inner);
        matches!(&*watch, Watched::Since(since, Some(_)) if *since == number)
    }

    fn folders(&self) -> MutexGuard<'_, ListedFolders> {
        self.folders.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Has a folder watched that is about to be looked into; says whether all is told that
    /// happens in it and to those around it.
    fn watch_folder(&self, workspace: &Workspace, number: u64, folder: &str) -> bool {
        let mut watched = self.watch.lock().unwrap_or_else(PoisonError::into_inner);
        let Watched::Since(since, Some(watch)) = &mut *watched else { return false };
        if *since != number {
            return false;
        }
        if !workspace.watch_folder(watch, folder) {
            *watched = Watched::Not;
            return false;
        }
        let mut around = std::iter::successors(Some(folder), |folder| match *folder {
            "" => None,
            inner => Some(inner.rsplit_once('/').map_or("", |(outer, _)| outer)),
        });
        around.all(|folder| watch.is_watching(folder))
    }

    /// What is known about the references that each change adds.
    pub fn facts(
        &self,
        changes: &[FileChange],
        workspace: &Workspace,
        time: SystemTime,
    ) -> Vec<ReferenceFacts> {
        let _asking = self.asking();
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
            let dependencies = self.dependencies(workspace, look.number);
            let tree = Confined { workspace, look, references: self };
            reference_facts(&changed, &tree, &*dependencies, &self.index)
        };
        let look = self.look_at(workspace, time, GOOD_FOR_SILENCE);
        let (number, touches) = (look.number, look.touches);
        let first = facts(look);
        let warns = first.iter().any(|facts| !facts.missing.is_empty());
        // Somebody else may have written meanwhile what is missing.
        let fresh = warns.then(|| self.look_at(workspace, time, GOOD_FOR));
        let fresh = fresh.filter(|look| (look.number, look.touches) != (number, touches));
        let last = fresh.map_or(first, facts);
        self.keep();
        last
    }
}

impl References {
    /// Where packages lie; looked for again with every look, for an environment may be new.
    fn dependencies(&self, workspace: &Workspace, number: u64) -> Arc<DiskDependencies> {
        let mut known = self.dependencies.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((since, found)) = &*known
            && *since >= number
        {
            return Arc::clone(found);
        }
        let python = |path: &PathBuf| (Ecosystem::Python, path.clone());
        let extra: Vec<_> = self.python_environments.iter().map(python).collect();
        let found = Arc::new(DiskDependencies::find(workspace.root(), &extra));
        *known = Some((number, Arc::clone(&found)));
        found
    }

    /// The files as they are now, to take of them what questions will need.
    pub fn survey(&self, workspace: &Workspace, time: SystemTime) -> Option<Survey> {
        let look = self.look_at(workspace, time, GOOD_FOR);
        Survey::of(&Confined { workspace, look, references: self }, &self.index)
    }

    /// Takes it of one file.
    pub fn take(&self, survey: &Survey, number: usize, workspace: &Workspace) {
        survey.take(number, &self.unlooked(workspace), &self.index);
    }

    /// Takes of one file what needs no parse.
    pub fn take_words(&self, survey: &Survey, number: usize, workspace: &Workspace) {
        survey.take_words(number, &self.unlooked(workspace), &self.index);
    }

    /// The workspace for reading single files.
    fn unlooked<'a>(&'a self, workspace: &'a Workspace) -> Confined<'a> {
        Confined { workspace, look: Look::new(0, SystemTime::UNIX_EPOCH), references: self }
    }

    /// Starts over from what another process has kept meanwhile, where that is more.
    pub fn adopt(&self) {
        if let Some(bytes) = io::read_bytes(&self.cache, Index::MOST_KEPT) {
            self.index.adopt(bytes);
        }
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
        let own = Look::new(0, since);
        let long =
            if self.is_watched(known.number) { GOOD_WHILE_WATCHED } else { GOOD_FOR_SILENCE };
        let look = if known.is_good(since, long) { known } else { own };
        let dependencies = self.dependencies(workspace, look.number);
        let tree = Confined { workspace, look, references: self };
        reference_facts(&[changed], &tree, &*dependencies, &self.index);
    }
}

/// A question that is under way.
struct Asking<'a>(&'a AtomicUsize);

impl Drop for Asking<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The workspace as the resolvers read it: confined, like every other reader.
struct Confined<'a> {
    workspace: &'a Workspace,
    look: Look,
    references: &'a References,
}

impl SourceTree for Confined<'_> {
    fn read(&self, path: &str) -> Option<Arc<[u8]>> {
        self.read_up_to(path, LIMIT)
    }

    fn read_large(&self, path: &str) -> Option<Arc<[u8]>> {
        self.read_up_to(path, LIMIT_OF_WORDS)
    }

    fn list(&self, directory: &str) -> Vec<Entry> {
        let Self { workspace, look, references } = self;
        // What changes after this is told; what changed before is seen.
        if !references.watch_folder(workspace, look.number, directory) {
            return self.list_now(directory);
        }
        let found = references.folders().find(look.number, directory);
        match found {
            Ok(known) => known.to_vec(),
            Err(since) => {
                let entries = self.list_now(directory);
                references.folders().keep(since, directory, &entries);
                entries
            }
        }
    }

    fn generation(&self) -> Option<u64> {
        Some(self.look.number)
    }

    fn touched(&self) -> &[String] {
        &self.look.touched
    }

    fn touches(&self) -> u64 {
        self.look.touches
    }

    fn exists(&self, path: &str) -> bool {
        let (directory, name) = path.rsplit_once('/').unwrap_or(("", path));
        path.is_empty() || self.list(directory).iter().any(|entry| entry.name == name)
    }
}

impl Confined<'_> {
    /// What a folder holds now.
    fn list_now(&self, directory: &str) -> Vec<Entry> {
        let directory = if directory.is_empty() { "." } else { directory };
        let entries = self.workspace.read_dir(&RequestedPath::new(directory)).unwrap_or_default();
        let entry = |entry: gatewright_workspace::DirEntry| Entry {
            is_dir: entry.kind == TargetKind::Directory,
            stamp: Some(self.stamp_of(&entry)),
            name: entry.name,
        };
        entries.into_iter().map(entry).collect()
    }

    fn read_up_to(&self, path: &str, limit: u64) -> Option<Arc<[u8]>> {
        let state = self.workspace.read(&RequestedPath::new(path), limit).ok()??;
        Some(state.content)
    }

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
