//! The index of references made in the background of a process that stays.
//!
//! No question waits for it: a question takes by itself what is not there yet,
//! as far as one question may, and says that it was not checked where that was
//! not far enough. One process of a workspace is at it at a time; another waits
//! and then starts from what the first one kept. It runs on one thread that
//! stands behind all others and rests while questions come, and ends with the
//! value that began it.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use gatewright_languages::references::Survey;

use crate::Engine;
use crate::io::PrivateFile;

/// How long to wait before another look whether the other process is done, and how often.
const PAUSE: Duration = Duration::from_millis(100);
const PAUSES: usize = 6_000;
/// For how many pauses nobody may have asked anything before it goes on, and after how many it
/// takes one more file whatever is asked.
const QUIET: usize = 5;
const PATIENCE: usize = 50;
/// How long the end of this process waits for the file that is being read, and how often.
const LAST_PAUSE: Duration = Duration::from_millis(5);
const LAST_PAUSES: usize = 40;

/// An index under way; with this value it ends, after the file that it is at.
#[derive(Debug)]
pub struct BackgroundIndex {
    is_over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl BackgroundIndex {
    /// Waits until all of it is made.
    pub fn finish(mut self) {
        let ended = self.thread.take().map(JoinHandle::join);
        drop(ended);
    }
}

impl Drop for BackgroundIndex {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        let Some(thread) = &self.thread else { return };
        // What it is doing then is thrown away with the process.
        for _ in 0..LAST_PAUSES {
            if thread.is_finished() {
                return;
            }
            std::thread::sleep(LAST_PAUSE);
        }
    }
}

impl Engine {
    /// Notes that somebody waits for an answer: what is done ahead rests for a while.
    pub(crate) fn hear_question(&self) {
        self.questions.fetch_add(1, Ordering::Relaxed);
    }

    /// Begins to take of every source file what the hallucination guard will ask of it, and
    /// returns at once.
    pub fn index_in_background(self: &Arc<Self>) -> BackgroundIndex {
        let is_over = Arc::new(AtomicBool::new(false));
        let maker = Maker { engine: Arc::clone(self), is_over: Arc::clone(&is_over) };
        let work = move || {
            gatewright_workspace::give_way();
            let _ = maker.make();
        };
        let thread = std::thread::Builder::new().name("gatewright-index".to_owned());
        // Where no thread can be had, questions take what they need.
        BackgroundIndex { is_over, thread: thread.spawn(work).ok() }
    }
}

/// Makes the index.
struct Maker {
    engine: Arc<Engine>,
    is_over: Arc<AtomicBool>,
}

/// Why it is not made to its end: the process ends, or the files are too many.
struct GivenUp;

impl Maker {
    /// The words of all files first, which is what questions about the whole workspace need.
    fn make(&self) -> Result<(), GivenUp> {
        let _lock = self.alone()?;
        // What a client asks first is asked at once.
        self.rest()?;
        let Engine { references, workspace, .. } = &*self.engine;
        let survey = references.survey(workspace, self.engine.clock.now()).ok_or(GivenUp)?;
        self.each(&survey, |number| references.take_words(&survey, number, workspace))?;
        references.keep();
        let sources = self.sources();
        let is_source = |number| survey.path(number).is_some_and(|path| sources.contains(path));
        self.each(&survey, |number| {
            if is_source(number) {
                references.take(&survey, number, workspace);
            }
        })?;
        references.keep();
        Ok(())
    }

    fn each(&self, survey: &Survey, take: impl Fn(usize)) -> Result<(), GivenUp> {
        let mut heard = self.questions();
        for number in 0..survey.count() {
            self.go_on()?;
            if self.questions() != heard {
                heard = self.rest()?;
            }
            take(number);
        }
        Ok(())
    }

    /// Waits until nobody has asked anything for a while; says how many questions there were.
    fn rest(&self) -> Result<u64, GivenUp> {
        let (mut heard, mut quiet) = (self.questions(), 0);
        for _ in 0..PATIENCE {
            std::thread::sleep(PAUSE);
            self.go_on()?;
            let now = self.questions();
            quiet = if now == heard { quiet + 1 } else { 0 };
            heard = now;
            if quiet == QUIET {
                break;
            }
        }
        Ok(heard)
    }

    fn questions(&self) -> u64 {
        self.engine.questions.load(Ordering::Relaxed)
    }

    fn go_on(&self) -> Result<(), GivenUp> {
        if self.is_over.load(Ordering::Relaxed) { Err(GivenUp) } else { Ok(()) }
    }

    /// The files that git does not ignore: of others, which may be many, nothing is parsed before
    /// somebody asks.
    fn sources(&self) -> HashSet<String> {
        self.engine.sources_under("").files().iter().map(|file| file.path.clone()).collect()
    }

    /// Waits until no other process is at it.
    fn alone(&self) -> Result<PrivateFile, GivenUp> {
        for number in 0..PAUSES {
            self.go_on()?;
            let lock = PrivateFile::try_locked(&self.engine.layout.references_lock);
            if let Some(lock) = lock.map_err(|_| GivenUp)? {
                if number > 0 {
                    self.engine.references.adopt();
                }
                return Ok(lock);
            }
            std::thread::sleep(PAUSE);
        }
        Err(GivenUp)
    }
}

#[cfg(test)]
#[path = "background_index_tests.rs"]
mod tests;
