//! Reading in advance what the first judgement of a change needs, off its path.
//!
//! An agent reads a file before it changes it. What the hallucination guard takes
//! of the files that this one refers to is taken then, on a thread of its own.
//! It is kept by content, so it makes an answer faster and never another.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

use gatewright_languages::syntax::detect;
use gatewright_model::{Digest, RequestedPath};

use crate::Engine;
use crate::unguarded::{WalkedFile, glance};

/// The largest file that is looked at.
const LARGEST: u64 = 1024 * 1024;
/// How many files are remembered as done.
const MOST_DONE: usize = 1024;

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
    /// Looks ahead for a file that an agent has read; `None` for the one that was changed last.
    /// Returns at once, and does nothing while another look is under way.
    pub fn look_ahead(self: &Arc<Self>, path: Option<RequestedPath>) {
        // A thread is not started for a file that is as it was when it was looked at.
        let seen = path.as_ref().and_then(|path| glance(&self.workspace, path.as_str()));
        if !self.is_long_lived() || !self.ahead.begin(seen) {
            return;
        }
        let engine = Arc::clone(self);
        let look = move || {
            if let Some(path) = path.or_else(|| engine.newest_source()) {
                engine.look(&path);
            }
            engine.ahead.end();
        };
        let thread = std::thread::Builder::new().name("gatewright-ahead".to_owned());
        if thread.spawn(look).is_err() {
            self.ahead.end();
        }
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

impl Ahead {
    fn begin(&self, seen: Option<WalkedFile>) -> bool {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.is_looking || (seen.is_some() && seen == state.last) {
            return false;
        }
        (state.is_looking, state.last) = (true, seen);
        true
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
