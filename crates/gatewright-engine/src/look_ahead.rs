//! Reading in advance what the first judgement of a change needs, off its path.
//!
//! An agent reads a file before it changes it. What the hallucination guard takes
//! of the files that this one refers to is taken then, on a thread of its own.
//! It is kept by content, so it makes an answer faster and never another. Before anything is
//! read, the file that was changed last stands for it; finding that one walks the whole tree, so
//! it waits until the first questions are answered.

use std::collections::HashSet;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use gatewright_languages::syntax::detect;
use gatewright_model::{Digest, RequestedPath};

use crate::Engine;
use crate::unguarded::{WalkedFile, glance};

/// The largest file that is looked at.
const LARGEST: u64 = 1024 * 1024;
/// How many files are remembered as done.
const MOST_DONE: usize = 1024;
/// How long nobody may have asked anything before the tree is walked, and how often that is
/// waited for.
const QUIET: Duration = Duration::from_millis(50);
const MOST_WAITS: usize = 20;

/// What is under way and done.
#[derive(Debug, Default)]
pub(crate) struct Ahead {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    is_looking: bool,
    /// The file that was looked at last, as it was then.
    last: Option<WalkedFile>,
    done: HashSet<Digest>,
}

impl Engine {
    /// Looks ahead for a file that an agent has read; `None` for the one that was changed last,
    /// once nobody has asked anything for a moment, unless a file was read by then. Returns at
    /// once, and does nothing while another look is under way.
    pub fn look_ahead(self: &Arc<Self>, path: Option<RequestedPath>) {
        if !self.is_long_lived() {
            return;
        }
        match path {
            Some(path) => self.look_ahead_for(path),
            None => self.look_ahead_when_quiet(),
        }
    }

    fn look_ahead_for(self: &Arc<Self>, path: RequestedPath) {
        // A thread is not started for a file that is as it was when it was looked at.
        let seen = glance(&self.workspace, path.as_str());
        if !self.ahead.begin(seen) {
            return;
        }
        let engine = Arc::clone(self);
        let look = move || {
            engine.look(&path);
            engine.ahead.end();
        };
        if !is_begun(look) {
            self.ahead.end();
        }
    }

    fn look_ahead_when_quiet(self: &Arc<Self>) {
        let engine = Arc::downgrade(self);
        // Where no thread can be had, nothing is read in advance.
        is_begun(move || {
            let Some(engine) = when_quiet(&engine) else { return };
            if engine.ahead.has_looked() || !engine.ahead.begin(None) {
                return;
            }
            if let Some(path) = engine.newest_source() {
                engine.look(&path);
            }
            engine.ahead.end();
        });
    }

    fn look(&self, path: &RequestedPath) {
        let Ok(Some(state)) = self.workspace.read(path, LARGEST) else { return };
        if detect(path.as_str(), &state.content).is_some() && self.ahead.is_new(state.digest()) {
            let path = path.as_str().trim_start_matches("./");
            let now = self.clock.now();
            self.references.look_ahead(path, &state.content, &self.workspace, now);
        }
    }

    fn newest_source(&self) -> Option<RequestedPath> {
        let sources = self.sources_under("");
        let newest = sources.files().iter().max_by_key(|file| file.stamp.modified)?;
        Some(RequestedPath::new(&newest.path))
    }
}

/// Whether a thread of its own has begun the work.
fn is_begun(work: impl FnOnce() + Send + 'static) -> bool {
    std::thread::Builder::new().name("gatewright-ahead".to_owned()).spawn(work).is_ok()
}

/// The engine, once there was no question for a while, or so many that it is not waited for any
/// longer; `None` when it is gone by then.
fn when_quiet(engine: &Weak<Engine>) -> Option<Arc<Engine>> {
    let mut heard = None;
    for _ in 0..MOST_WAITS {
        let now = engine.upgrade()?.questions.load(Ordering::Relaxed);
        if heard.replace(now) == Some(now) {
            break;
        }
        std::thread::sleep(QUIET);
    }
    engine.upgrade()
}

impl Ahead {
    fn begin(&self, seen: Option<WalkedFile>) -> bool {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.is_looking || (seen.is_some() && seen == state.last) {
            return false;
        }
        (state.is_looking, state.last) = (true, seen);
        true
    }

    /// Whether a file that an agent has read was looked at.
    fn has_looked(&self) -> bool {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).last.is_some()
    }

    fn end(&self) {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).is_looking = false;
    }

    fn is_new(&self, digest: Digest) -> bool {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.done.len() >= MOST_DONE {
            state.done.clear();
        }
        state.done.insert(digest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_engine_that_is_gone_is_not_waited_for() {
        assert!(when_quiet(&Weak::new()).is_none());
    }

    #[test]
    fn what_an_agent_has_read_goes_before_what_was_changed_last() {
        let ahead = Ahead::default();
        assert!(ahead.begin(None) && !ahead.has_looked());
        ahead.end();
        let file = WalkedFile { path: "a.py".to_owned(), size: 1, stamp: Default::default() };
        assert!(ahead.begin(Some(file.clone())) && ahead.has_looked());
        ahead.end();
        assert!(!ahead.begin(Some(file)), "it is as it was");
    }
}
