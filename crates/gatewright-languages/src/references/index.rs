//! Facts of single files, kept by their content.
//!
//! A file whose bytes did not change is never parsed twice. What is kept is
//! bounded: past the bound everything is forgotten and built anew on demand.

use std::any::Any;
use std::collections::{HashMap, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::base::{WALKED, Walked};
use super::kept::Kept;
use super::record::Keep;

/// How many files are kept.
const KEPT: usize = 50_000;

/// Where the bytes of an earlier process come from.
type Load = Box<dyn FnOnce() -> Option<Vec<u8>> + Send>;

/// How many things must have been taken of files before they are written down.
const WORTH_WRITING: usize = 64;

/// How many of the files that were checked are kept with all of their references.
const RECENT: usize = 32;

/// Facts of some type, by the digest of what they were read from.
type Entry = (u128, Arc<dyn Any + Send + Sync>);

/// The facts of files, shared by all checks of a workspace.
#[derive(Default)]
pub struct Index {
    files: Mutex<HashMap<u128, Arc<dyn Any + Send + Sync>>>,
    recent: Mutex<VecDeque<Entry>>,
    projects: Mutex<HashMap<&'static str, Arc<dyn Any + Send + Sync>>>,
    /// What was taken of files, by path and the stamp that each file had then.
    kept: Mutex<Kept>,
    /// Where what an earlier process took comes from, until it is asked for.
    load: Mutex<Option<Load>>,
}

impl std::fmt::Debug for Index {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Index").finish_non_exhaustive()
    }
}

impl Index {
    /// An empty index.
    pub fn new() -> Self {
        Self::default()
    }

    /// An index that starts with what [`Index::to_keep`] of an earlier process gave.
    ///
    /// They are loaded when they are first asked for. Bytes that are not whole are
    /// thrown away.
    pub fn starting_from(load: impl FnOnce() -> Option<Vec<u8>> + Send + 'static) -> Self {
        Self { load: Mutex::new(Some(Box::new(load))), ..Self::default() }
    }

    /// The facts of these bytes, built by `build` when they are not known yet.
    ///
    /// `salt` keeps apart what different readers make of the same bytes.
    pub(crate) fn facts<T: Send + Sync + 'static>(
        &self,
        salt: &str,
        bytes: &[u8],
        build: impl FnOnce() -> T,
    ) -> Arc<T> {
        let key = key(salt, bytes);
        if let Some(known) = self.get(key).or_else(|| self.get_recent(key)) {
            return known;
        }
        let built = Arc::new(build());
        let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        if files.len() >= KEPT {
            files.clear();
        }
        files.insert(key, Arc::clone(&built) as Arc<dyn Any + Send + Sync>);
        built
    }

    /// The facts of a file that is checked, with all of its references.
    ///
    /// They take many times the memory of what other files ask of it, so that
    /// only those of the last few checks are kept.
    pub(crate) fn recent<T: Send + Sync + 'static>(
        &self,
        salt: &str,
        bytes: &[u8],
        build: impl FnOnce() -> T,
    ) -> Arc<T> {
        let key = key(salt, bytes);
        if let Some(known) = self.get_recent(key) {
            return known;
        }
        let built = Arc::new(build());
        let mut recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        if recent.len() >= RECENT {
            recent.pop_front();
        }
        recent.push_back((key, Arc::clone(&built) as Arc<dyn Any + Send + Sync>));
        built
    }

    fn get_recent<T: Send + Sync + 'static>(&self, key: u128) -> Option<Arc<T>> {
        let recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        let (_, known) = recent.iter().find(|(known, _)| *known == key)?;
        Arc::clone(known).downcast::<T>().ok()
    }

    /// What was remembered of the whole workspace; it may be out of date.
    pub(crate) fn remembered<T: Send + Sync + 'static>(&self, key: &str) -> Option<Arc<T>> {
        let projects = self.projects.lock().unwrap_or_else(PoisonError::into_inner);
        projects.get(key).and_then(|any| Arc::clone(any).downcast::<T>().ok())
    }

    /// Remembers what is known of the whole workspace.
    pub(crate) fn remember<T: Send + Sync + 'static>(&self, key: &'static str, known: Arc<T>) {
        let mut projects = self.projects.lock().unwrap_or_else(PoisonError::into_inner);
        projects.insert(key, known);
    }

    /// What is taken of a file with this stamp, by `take` when it is not known.
    pub(crate) fn kept<T: Keep>(
        &self,
        path: &str,
        stamp: u128,
        take: impl FnOnce() -> Option<T>,
    ) -> Option<Arc<T>> {
        if let Some(known) = self.loaded().get(path, stamp) {
            return Some(known);
        }
        let taken = Arc::new(take()?);
        self.loaded().put(path, stamp, &taken);
        Some(taken)
    }

    fn loaded(&self) -> MutexGuard<'_, Kept> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let load = self.load.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(known) = load.and_then(|load| load()).and_then(Kept::read) {
            *kept = known;
        }
        kept
    }

    /// What was taken of files as bytes for a later process, once it is worth that.
    ///
    /// [`Index::starting_from`] takes them.
    pub fn to_keep(&self) -> Option<Vec<u8>> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.added() < WORTH_WRITING {
            return None;
        }
        if let Some(files) = self.remembered::<Walked>(WALKED).and_then(|known| known.files.clone())
        {
            kept.retain(|path| files.has(path));
        }
        kept.write()
    }

    fn get<T: Send + Sync + 'static>(&self, key: u128) -> Option<Arc<T>> {
        let files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        files.get(&key).and_then(|any| Arc::clone(any).downcast::<T>().ok())
    }
}

fn key(salt: &str, bytes: &[u8]) -> u128 {
    let half = |seed: u8| {
        let mut hasher = DefaultHasher::new();
        (seed, salt, bytes.len()).hash(&mut hasher);
        hasher.write(bytes);
        hasher.finish()
    };
    (u128::from(half(1)) << 64) | u128::from(half(2))
}
