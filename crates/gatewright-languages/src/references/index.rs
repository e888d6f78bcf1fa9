//! Facts of single files, kept by their content.
//!
//! A file whose bytes did not change is never parsed twice. What is kept is
//! bounded: past the bound everything is forgotten and built anew on demand.

use std::any::Any;
use std::collections::{HashMap, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex, PoisonError};

use super::words::WordSet;

/// How many files are kept.
const KEPT: usize = 50_000;

/// What was taken of a file, with the stamp that it had then.
type Stamped = (u128, Arc<WordSet>);

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
    /// The words of files by path, with the stamp that each file had then.
    words: Mutex<HashMap<Box<str>, Stamped>>,
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

    /// The words of a file with this stamp, of bytes that `read` gives when they are not known.
    pub(crate) fn words(
        &self,
        path: &str,
        stamp: u128,
        read: impl FnOnce() -> Option<Arc<[u8]>>,
    ) -> Option<Arc<WordSet>> {
        let known = self.words.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, words)) = known.get(path).filter(|(then, _)| *then == stamp) {
            return Some(Arc::clone(words));
        }
        drop(known);
        let words = Arc::new(WordSet::of(&read()?));
        let mut known = self.words.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= KEPT {
            known.clear();
        }
        known.insert(path.into(), (stamp, Arc::clone(&words)));
        Some(words)
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
