//! How far the passes over many files are that are under way, for whoever waits for one.
//!
//! Passes count for themselves; nobody is called back, and nothing waits for a listener.

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::Engine;

/// How far an index is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// So many files are done.
    pub done: usize,
    /// Of so many.
    pub all: usize,
}

impl Engine {
    /// How far the indexing is that is under way; `None` when there is none, or when the files
    /// were not counted yet.
    pub fn indexing(&self) -> Option<Progress> {
        self.indexing.now().or_else(|| self.references.indexing())
    }
}

/// The passes that are under way, together.
#[derive(Debug, Default)]
pub(crate) struct Indexing {
    done: AtomicUsize,
    all: AtomicUsize,
}

impl Indexing {
    /// A pass over so many files, until it is dropped.
    pub fn begin(&self, all: usize) -> Pass<'_> {
        self.all.fetch_add(all, Ordering::Relaxed);
        Pass { indexing: self, done: AtomicUsize::new(0), all }
    }

    fn now(&self) -> Option<Progress> {
        let all = self.all.load(Ordering::Relaxed);
        let done = self.done.load(Ordering::Relaxed).min(all);
        (done < all).then_some(Progress { done, all })
    }
}

/// One pass; threads may share it.
#[derive(Debug)]
pub(crate) struct Pass<'a> {
    indexing: &'a Indexing,
    done: AtomicUsize,
    all: usize,
}

impl Pass<'_> {
    /// One more file is done.
    pub fn step(&self) -> Progress {
        self.indexing.done.fetch_add(1, Ordering::Relaxed);
        Progress { done: self.done.fetch_add(1, Ordering::Relaxed) + 1, all: self.all }
    }
}

impl Drop for Pass<'_> {
    fn drop(&mut self) {
        self.indexing.done.fetch_sub(*self.done.get_mut(), Ordering::Relaxed);
        self.indexing.all.fetch_sub(self.all, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passes_count_together_and_leave_nothing_behind() {
        let indexing = Indexing::default();
        assert_eq!(indexing.now(), None);
        let first = indexing.begin(3);
        assert_eq!(first.step(), Progress { done: 1, all: 3 });
        let second = indexing.begin(2);
        assert_eq!(second.step(), Progress { done: 1, all: 2 });
        assert_eq!(indexing.now(), Some(Progress { done: 2, all: 5 }));
        drop(first);
        assert_eq!(indexing.now(), Some(Progress { done: 1, all: 2 }));
        second.step();
        assert_eq!(indexing.now(), None, "nothing is left to do");
        drop(second);
        assert_eq!(indexing.begin(1).all, 1);
        assert_eq!(indexing.now(), None, "a pass that was given up is over");
    }
}
