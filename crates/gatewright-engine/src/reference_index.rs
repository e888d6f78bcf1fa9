//! The index of references made as a whole, ahead of all questions and on every processor.
//!
//! No question needs it: what was not taken yet is taken when it is asked for.
//! It makes the first answers of a new folder as fast as the later ones.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::{Engine, Progress};

impl Engine {
    /// Takes of every source file what the hallucination guard asks of it, and keeps it for later
    /// processes. `told` hears of every file that is done, from several threads.
    ///
    /// `None` when there are more files than are ever looked through.
    pub fn index_references(&self, told: &(dyn Fn(Progress) + Sync)) -> Option<Progress> {
        let survey = self.references.survey(&self.workspace, self.clock.now())?;
        let all = survey.count();
        // What stays of every file is taken before the first parse: it would lie scattered among
        // what a parse needs for a moment, and hold that memory back.
        on_every_processor(all, &|number| {
            self.references.take_words(&survey, number, &self.workspace);
        });
        let pass = self.indexing.begin(all);
        on_every_processor(all, &|number| {
            self.references.take(&survey, number, &self.workspace);
            told(pass.step());
        });
        self.references.keep();
        Some(Progress { done: all, all })
    }
}

/// Does something for every number below `all`.
fn on_every_processor(all: usize, each: &(dyn Fn(usize) + Sync)) {
    let next = AtomicUsize::new(0);
    let work = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= all {
                return;
            }
            each(number);
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    std::thread::scope(|scope| {
        // One of them is this thread; where no other can be had, it does all of it.
        for _ in 1..threads {
            let named = std::thread::Builder::new().name("gatewright-index".to_owned());
            let _ = named.spawn_scoped(scope, work);
        }
        work();
    });
}
