//! Facts of single files, kept by their content.
//!
//! A file whose bytes did not change is never parsed twice. What is kept is
//! bounded: past the bound everything is forgotten and built anew on demand.

use std::any::Any;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use gatewright_model::Digest;

use super::base::{WALKED, Walked};
use super::doubt;
use super::kept::{Kept, Life, MOST_BYTES};
use super::last_asked::LastAsked;
use super::record::{Keep, Reader, Writer};
use crate::syntax::Parsed;

/// How many files are kept.
const KEPT: usize = 50_000;

/// Where the bytes of an earlier process come from.
type Load = Box<dyn FnOnce() -> Option<Vec<u8>> + Send>;

/// How many of the files that were checked are kept with all of their references, and how many
/// bytes of text they may have: such facts take many times that.
const RECENT: (usize, usize) = (8, 512 << 10);

/// The same for files that were asked about beside a change.
const BESIDE: (usize, usize) = (32, 256 << 10);

/// How many facts that are packed otherwise are kept as they are asked.
const ASKED: usize = 48;

/// The facts of files, shared by all checks of a workspace.
pub struct Index {
    files: Mutex<HashMap<u128, Arc<dyn Any + Send + Sync>>>,
    recent: LastAsked,
    /// The same of files that a change may break.
    beside: LastAsked,
    /// Facts that were asked a moment ago; all others are bytes.
    asked: LastAsked,
    projects: Mutex<HashMap<&'static str, Arc<dyn Any + Send + Sync>>>,
    /// What was taken of files, by path and the stamp that each file had then.
    kept: Mutex<Kept>,
    /// Where what an earlier process took comes from, until it is asked for.
    load: Mutex<Option<Load>>,
}

impl Default for Index {
    fn default() -> Self {
        let (files, projects, kept, load) = Default::default();
        let recent = LastAsked::new(RECENT.0, RECENT.1);
        let beside = LastAsked::new(BESIDE.0, BESIDE.1);
        let asked = LastAsked::new(ASKED, usize::MAX);
        Self { files, recent, beside, asked, projects, kept, load }
    }
}

impl std::fmt::Debug for Index {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Index").finish_non_exhaustive()
    }
}

impl Index {
    /// How many bytes [`Index::to_keep`] gives at most.
    pub const MOST_KEPT: u64 = MOST_BYTES as u64;

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
        let key = Content::of(bytes).key(salt);
        if let Some(known) = self.get(key).or_else(|| self.recent.get(key)) {
            return known;
        }
        let built = Arc::new(build());
        let mut files = lock(&self.files);
        if files.len() >= KEPT {
            files.clear();
        }
        files.insert(key, Arc::clone(&built) as Arc<dyn Any + Send + Sync>);
        built
    }

    /// The same for facts of which there may be many: all but those that were asked last are
    /// kept as bytes.
    pub(crate) fn packed<T: Keep>(
        &self,
        salt: &str,
        bytes: &[u8],
        build: impl FnOnce() -> T,
    ) -> Arc<T> {
        self.packed_by(Content::of(bytes).key(salt), Life::Process, build)
    }

    /// The same for facts that a later process may have: those of the bytes of files.
    pub(crate) fn lasting<T: Keep>(
        &self,
        salt: &str,
        bytes: &[u8],
        build: impl FnOnce() -> T,
    ) -> Arc<T> {
        self.packed_by(Content::of(bytes).key(salt), Life::Lasting, build)
    }

    fn packed_by<T: Keep>(&self, key: u128, life: Life, build: impl FnOnce() -> T) -> Arc<T> {
        self.known_by(key).unwrap_or_else(|| {
            let built = build();
            let packed = packed(&built);
            self.loaded().put_fact(key, &packed, life);
            self.asked_now(key, built)
        })
    }

    /// Packed facts of bytes that were seen before; `None` when they are not known any more.
    pub(crate) fn known<T: Keep>(&self, salt: &str, content: Content) -> Option<Arc<T>> {
        self.known_by(content.key(salt))
    }

    /// Whether packed facts of these bytes are not there, and there is room for them.
    pub(super) fn lacks(&self, salt: &str, content: Content) -> bool {
        self.loaded().lacks_fact(content.key(salt))
    }

    /// Keeps packed facts that nobody asks for at the moment.
    pub(super) fn put<T: Keep>(&self, salt: &str, content: Content, facts: &T) {
        let packed = packed(facts);
        self.loaded().put_fact(content.key(salt), &packed, Life::Lasting);
    }

    fn known_by<T: Keep>(&self, key: u128) -> Option<Arc<T>> {
        let asked = self.asked.get(key).or_else(|| self.recent.get(key));
        if let Some(known) = asked {
            return Some(known);
        }
        let written = self.loaded().fact(key).and_then(|bytes| {
            let mut from = Reader::new(bytes);
            T::read(&mut from).filter(|_| from.is_at_end())
        });
        Some(self.asked_now(key, written?))
    }

    fn asked_now<T: Keep>(&self, key: u128, facts: T) -> Arc<T> {
        let facts = Arc::new(facts);
        self.asked.put(key, 0, &facts);
        facts
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
        self.of_text(&self.recent, (salt, Content::of(bytes), bytes.len()), build)
    }

    /// The same for a text whose number is known.
    pub(crate) fn recent_of<T: Send + Sync + 'static>(
        &self,
        salt: &str,
        (content, length): (Content, usize),
        build: impl FnOnce() -> T,
    ) -> Arc<T> {
        self.of_text(&self.recent, (salt, content, length), build)
    }

    /// The same for a file that the change leaves alone: there may be many of them, which would
    /// push out what the next change needs.
    ///
    /// They are kept for a while, for whoever takes a name away goes on with the files that use it.
    pub(crate) fn beside<T: Send + Sync + 'static>(
        &self,
        salt: &str,
        bytes: &[u8],
        build: impl FnOnce() -> T,
    ) -> Arc<T> {
        self.of_text(&self.beside, (salt, Content::of(bytes), bytes.len()), build)
    }

    /// The facts of a file that was checked a moment ago, by the first reader that has some.
    pub(crate) fn recalled<T: Send + Sync + 'static>(
        &self,
        salts: &[&str],
        content: Content,
    ) -> Option<Arc<T>> {
        salts.iter().find_map(|salt| self.recent.get(content.key(salt)))
    }

    /// Keeps the facts of a file that is checked.
    pub(crate) fn remember_recent<T: Send + Sync + 'static>(
        &self,
        salt: &str,
        (content, length): (Content, usize),
        facts: &Arc<T>,
    ) {
        self.recent.put(content.key(salt), length, facts);
    }

    /// Lets go of what was pushed out, which takes longer than most of a check.
    pub fn let_go(&self) {
        for last in [&self.recent, &self.beside, &self.asked] {
            last.let_go();
        }
    }

    fn of_text<T: Send + Sync + 'static>(
        &self,
        last: &LastAsked,
        (salt, content, length): (&str, Content, usize),
        build: impl FnOnce() -> T,
    ) -> Arc<T> {
        let key = content.key(salt);
        if let Some(known) = self.recent.get(key).or_else(|| self.beside.get(key)) {
            return known;
        }
        let built = Arc::new(build());
        last.put(key, length, &built);
        built
    }

    /// What was remembered of the whole workspace; it may be out of date.
    pub(crate) fn remembered<T: Send + Sync + 'static>(&self, key: &str) -> Option<Arc<T>> {
        let projects = lock(&self.projects);
        projects.get(key).and_then(|any| Arc::clone(any).downcast::<T>().ok())
    }

    /// Remembers what is known of the whole workspace.
    pub(crate) fn remember<T: Send + Sync + 'static>(&self, key: &'static str, known: Arc<T>) {
        let mut projects = lock(&self.projects);
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

    /// The number for the bytes of a file with this stamp, by `read` when it is not known.
    pub(crate) fn content_of(
        &self,
        path: &str,
        stamp: u128,
        read: impl FnOnce() -> Option<Content>,
    ) -> Option<Content> {
        if let Some(known) = self.loaded().content(path, stamp) {
            return Some(Content(known));
        }
        let content = read()?;
        self.loaded().put_content(path, stamp, content.0);
        Some(content)
    }

    fn loaded(&self) -> MutexGuard<'_, Kept> {
        let mut kept = lock(&self.kept);
        let load = lock(&self.load).take();
        if let Some(known) = load.and_then(|load| load()).and_then(Kept::read) {
            *kept = known;
        }
        kept
    }

    /// Takes what [`Index::to_keep`] of another process gave in the place of what is here, where
    /// it is more; what is lost by that is taken of the files again.
    pub fn adopt(&self, bytes: Vec<u8>) {
        let Some(other) = Kept::read(bytes) else { return };
        let mut kept = self.loaded();
        if other.count() > kept.count() {
            *kept = other;
        }
    }

    /// What was taken of files as bytes for a later process, once it is worth that.
    ///
    /// [`Index::starting_from`] takes them.
    pub fn to_keep(&self) -> Option<Vec<u8>> {
        let mut kept = lock(&self.kept);
        if !kept.is_worth_writing() {
            return None;
        }
        if let Some(files) = self.remembered::<Walked>(WALKED).and_then(|known| known.files.clone())
        {
            // What lies elsewhere on the machine is a package of one version.
            kept.retain(|path| files.has(path) || Path::new(path).is_absolute());
        }
        kept.write()
    }

    /// Of how many of the files that questions are about something was taken, and how many there
    /// are; `None` before they were counted, and while another thread has the index.
    pub fn taken(&self) -> Option<(usize, usize)> {
        let files = self.remembered::<Walked>(WALKED)?.files.clone()?;
        let kept = self.kept.try_lock().ok()?;
        let asked = files.paths().iter().filter(|path| doubt::is_telling(path));
        let is_taken = |path: &str| files.stamp(path).is_some_and(|stamp| kept.has(path, stamp));
        Some(asked.fold((0, 0), |(done, all), path| (done + usize::from(is_taken(path)), all + 1)))
    }

    /// The bytes that are held for files that nobody asks for at the moment: packed facts, and
    /// what was taken of every file. The few that were asked last come on top.
    pub fn held_bytes(&self) -> usize {
        let files = self.remembered::<Walked>(WALKED).and_then(|known| known.files.clone());
        lock(&self.kept).held_bytes() + files.map_or(0, |files| files.held_bytes())
    }

    fn get<T: Send + Sync + 'static>(&self, key: u128) -> Option<Arc<T>> {
        let files = lock(&self.files);
        files.get(&key).and_then(|any| Arc::clone(any).downcast::<T>().ok())
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn packed<T: Keep>(facts: &T) -> Vec<u8> {
    let mut to = Writer::default();
    facts.write(&mut to);
    to.into_bytes()
}

/// A number for bytes. Whoever writes them must not be able to find others with the same number,
/// or the guard would look at those.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Content(u128);

impl Content {
    pub(crate) fn of(bytes: &[u8]) -> Self {
        Self::told_by(Digest::of(bytes))
    }

    /// That of the text of a parse, which is made once for it.
    pub(crate) fn of_parse(parsed: &Parsed) -> Self {
        Self::told_by(parsed.digest())
    }

    fn told_by(digest: Digest) -> Self {
        let half: [u8; 16] = std::array::from_fn(|at| digest.as_bytes()[at]);
        Self(u128::from_le_bytes(half))
    }

    /// A number for the bytes and their reader.
    fn key(self, salt: &str) -> u128 {
        let mut hasher = DefaultHasher::new();
        salt.hash(&mut hasher);
        self.0 ^ u128::from(hasher.finish())
    }
}

#[cfg(test)]
#[path = "index_tests.rs"]
mod tests;
