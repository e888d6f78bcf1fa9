//! The files of a workspace at one time, and what was found out by looking through them.
//!
//! Before a warning the whole workspace is asked about a name. Which files may
//! hold it is told by their words, without reading them; which of them answer a
//! question with yes is remembered, as long as no file changes.

use std::cell::Cell;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::SourceTree;
use super::index::Index;
use super::words::{self, WordSet};

/// How many files with the answer yes are remembered: some may be those that are asked for.
const REMEMBERED: usize = 4;

/// A question about a name, and the name.
type Asked = (&'static str, Box<str>);

/// The files.
#[derive(Debug)]
pub(crate) struct Files {
    paths: Vec<String>,
    stamps: Vec<Option<u128>>,
    words: Vec<OnceLock<Option<Arc<WordSet>>>>,
    /// The numbers of the paths, in the order of those.
    sorted: Vec<u32>,
    answers: Mutex<HashMap<Asked, Arc<[u32]>>>,
}

impl Files {
    pub(super) fn new(found: Vec<(String, Option<u128>)>) -> Self {
        let (paths, stamps): (Vec<String>, Vec<Option<u128>>) = found.into_iter().unzip();
        let words = paths.iter().map(|_| OnceLock::new()).collect();
        let mut sorted: Vec<u32> = (0..).zip(&paths).map(|(number, _)| number).collect();
        sorted.sort_unstable_by_key(|number| &paths[*number as usize]);
        Self { paths, stamps, words, sorted, answers: Mutex::default() }
    }

    /// Whether these are the same files, none of which has changed.
    pub(super) fn is_same(&self, found: &[(String, Option<u128>)]) -> bool {
        let now = found.iter().map(|(path, stamp)| (path, stamp));
        self.paths.len() == found.len()
            && self.stamps.iter().all(Option::is_some)
            && self.paths.iter().zip(&self.stamps).eq(now)
    }

    /// The paths.
    pub(crate) fn paths(&self) -> &[String] {
        &self.paths
    }

    /// Whether a file is among them.
    pub(super) fn has(&self, path: &str) -> bool {
        self.number(path).is_some()
    }

    fn number(&self, path: &str) -> Option<usize> {
        let path_of = |number: &u32| self.paths[*number as usize].as_str();
        let at = self.sorted.binary_search_by(|number| path_of(number).cmp(path)).ok()?;
        self.sorted.get(at).map(|number| *number as usize)
    }

    /// The bytes that it takes, with the words of the files.
    pub(super) fn held_bytes(&self) -> usize {
        let paths: usize = self.paths.iter().map(|path| path.len() + size_of::<String>()).sum();
        let of_file = size_of::<Option<u128>>() + size_of::<OnceLock<Option<Arc<WordSet>>>>() + 4;
        let words = self.words.iter().filter_map(|words| words.get()?.as_ref());
        paths + self.paths.len() * of_file + words.map(|words| words.held_bytes()).sum::<usize>()
    }

    /// The stamp of a file; `None` where there is none.
    pub(super) fn stamp(&self, path: &str) -> Option<u128> {
        self.stamps.get(self.number(path)?).copied().flatten()
    }

    /// Whether a file may hold a name; one that is not among them may hold anything.
    pub(super) fn may_hold(&self, path: &str, name: &str, of: &Source<'_>) -> bool {
        self.number(path).is_none_or(|number| self.holds(number, name, of))
    }

    /// The same of the file with that number.
    pub(super) fn holds(&self, number: usize, name: &str, of: &Source<'_>) -> bool {
        let (Some(Some(stamp)), Some(words)) = (self.stamps.get(number), self.words.get(number))
        else {
            return true;
        };
        if words.get().is_none() {
            let path = &self.paths[number];
            // Not read through the check, which would hold the texts of all files until its end.
            let once =
                |path: &str| of.look_through.map_or_else(|| of.tree.read(path), |it| it(path));
            let whole = || once(path).or_else(|| of.tree.read_large(path));
            let read = || of.budget.spend().then(whole).flatten();
            let take = || Some(WordSet::of(&read()?));
            let taken = of.index.kept(path, *stamp, take);
            if taken.is_none() && of.budget.is_spent() {
                return false;
            }
            let _ = words.set(taken);
        }
        words.get().and_then(Option::as_ref).is_some_and(|words| words.may_hold(name))
    }

    /// Whether a file that is too large to be parsed holds a name.
    pub(super) fn is_in_large(&self, name: &str, of: &Source<'_>) -> bool {
        let holds = |path: &str| {
            (of.read)(path).is_none()
                && of.tree.read_large(path).is_some_and(|text| words::contains(&text, name))
        };
        let mut all = self.paths.iter().enumerate();
        all.any(|(number, path)| (of.is_asked)(path) && self.holds(number, name, of) && holds(path))
    }

    /// Files that answer a question about a name with yes, those first that are asked first.
    ///
    /// The answer must follow from the question, the name and the file alone.
    pub(super) fn answering(
        &self,
        (question, name): (&'static str, &str),
        of: &Source<'_>,
        is_it: impl Fn(&str, &[u8]) -> bool,
    ) -> Arc<[u32]> {
        let key = (question, Box::from(name));
        let known = self.answers.lock().unwrap_or_else(PoisonError::into_inner).get(&key).cloned();
        if let Some(known) = known {
            return known;
        }
        let numbers = (0..).zip(&self.paths);
        let found = numbers.filter(|(number, path)| self.is_yes((*number, path), name, of, &is_it));
        let found: Arc<[u32]> = found.map(|(number, _)| number).take(REMEMBERED).collect();
        // Without stamps nobody would notice that an answer is out of date.
        if self.stamps.iter().all(Option::is_some) && !of.budget.is_spent() {
            let mut answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
            answers.insert(key, Arc::clone(&found));
        }
        found
    }

    fn is_yes(
        &self,
        (number, path): (u32, &str),
        name: &str,
        of: &Source<'_>,
        is_it: impl Fn(&str, &[u8]) -> bool,
    ) -> bool {
        (of.is_asked)(path)
            && usize::try_from(number).is_ok_and(|number| self.holds(number, name, of))
            && (of.read)(path).is_some_and(|text| is_it(path, &text))
    }

    /// Whether a file that `is_meant` answers with yes; also when not all could be asked.
    pub(super) fn any(
        &self,
        asked: (&'static str, &str),
        of: &Source<'_>,
        is_meant: impl Fn(&str) -> bool,
        is_it: impl Fn(&str, &[u8]) -> bool,
    ) -> bool {
        let known = self.answering(asked, of, &is_it);
        let path_of = |number: &u32| self.paths.get(*number as usize).map_or("", String::as_str);
        if of.budget.is_spent() || known.iter().any(|number| is_meant(path_of(number))) {
            return true;
        }
        known.len() == REMEMBERED
            && (0..).zip(&self.paths).any(|(number, path)| {
                is_meant(path) && self.is_yes((number, path), asked.1, of, &is_it)
            })
    }
}

/// The bytes of a file, by its path.
pub(super) type ReadFile<'a> = &'a dyn Fn(&str) -> Option<Arc<[u8]>>;

/// Where the bytes of files come from, and which files are asked at all.
pub(super) struct Source<'a> {
    pub(super) index: &'a Index,
    pub(super) read: ReadFile<'a>,
    /// Where they come from when they are only looked through, which is all of them: nobody
    /// should remember them then. `None` for the tree itself.
    pub(super) look_through: Option<ReadFile<'a>>,
    /// Where files come from that are too large to be parsed.
    pub(super) tree: &'a dyn SourceTree,
    pub(super) is_asked: &'a dyn Fn(&str) -> bool,
    pub(super) budget: &'a Budget,
}

/// How many files one check may look through that nobody has looked through before.
///
/// What it takes of them is kept, so that the next check goes on where it ended.
#[derive(Debug)]
pub(super) struct Budget {
    left: Cell<usize>,
    is_spent: Cell<bool>,
}

impl Budget {
    pub(super) fn new(left: usize) -> Self {
        Self { left: Cell::new(left), is_spent: Cell::new(false) }
    }

    /// Whether one more file may be looked through.
    pub(super) fn spend(&self) -> bool {
        match self.left.get().checked_sub(1) {
            Some(left) => self.left.set(left),
            None => self.is_spent.set(true),
        }
        !self.is_spent.get()
    }

    /// Whether a file was left out.
    pub(super) fn is_spent(&self) -> bool {
        self.is_spent.get()
    }
}
