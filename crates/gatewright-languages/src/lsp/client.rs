//! A conversation carried by a link: questions with time limits, readiness, documents.
//!
//! Everything here is driven by the [`Link`], which also tells the time, so a
//! test can play server, clock and accident at once.

use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;

use super::frame::FrameError;
use super::message::{Refusal, Reply};
use super::session::{FileEvent, Session};

/// How long to wait before a question is asked again.
const AGAIN: Duration = Duration::from_millis(120);
/// How long one wait for bytes may take.
const SLICE: Duration = Duration::from_millis(50);
/// How long the first answer may take; a Java machine is slow to wake.
pub const START_LIMIT: Duration = Duration::from_secs(120);

/// What carries the bytes and tells the time.
pub trait Link {
    /// Sends bytes; `false` when the other side is gone.
    fn send(&mut self, bytes: &[u8]) -> bool;
    /// Waits for bytes, at most so long.
    fn receive(&mut self, wait: Duration) -> Received;
    /// The time since some fixed moment.
    fn now(&self) -> Duration;
}

/// What a wait brought.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Received {
    /// Bytes.
    Bytes(Vec<u8>),
    /// Nothing yet.
    Nothing,
    /// The other side is gone.
    Closed,
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AskError {
    /// The server is gone.
    #[error("the server ended")]
    Closed,
    /// The server came to grief.
    #[error("the server failed: {0}")]
    Failed(String),
    /// The server broke the protocol.
    #[error(transparent)]
    Garbage(#[from] FrameError),
    /// The time is up.
    #[error("no answer in {} s", .limit.as_secs_f32())]
    TimedOut {
        /// The limit.
        limit: Duration,
    },
    /// The server said no.
    #[error("{0}")]
    Refused(Refusal),
    /// The server does not know the project yet.
    #[error("the server is still loading the project{}", .doing.as_ref().map(|text| format!(" ({text})")).unwrap_or_default())]
    NotReady {
        /// What it says that it does.
        doing: Option<String>,
    },
}

impl AskError {
    /// Whether this conversation is over.
    pub fn is_fatal(&self) -> bool {
        matches!(self, AskError::Closed | AskError::Failed(_) | AskError::Garbage(_))
    }
}

/// A file as the project has it now.
#[derive(Debug, Clone)]
pub struct Shown {
    /// The path below the root.
    pub path: String,
    /// The protocol's name of its language.
    pub language_id: &'static str,
    /// The text.
    pub text: Arc<str>,
}

/// One conversation with one server.
pub struct Client<L> {
    session: Session,
    link: L,
    broken: Option<AskError>,
    /// When the server last was told something, or said something.
    last_word: Duration,
}

impl<L: Link> Client<L> {
    /// A conversation that has not begun.
    pub fn new(session: Session, link: L) -> Self {
        let last_word = link.now();
        Self { session, link, broken: None, last_word }
    }

    /// Says hello.
    pub fn start(&mut self, process_id: u32) -> Result<(), AskError> {
        let id = self.session.initialize(process_id);
        let result = self.wait_for(id, START_LIMIT)?.map_err(AskError::Refused)?;
        self.session.initialized(&result);
        self.pump(Duration::ZERO)
    }

    /// Asks, and asks again where the server changed its mind meanwhile.
    pub fn ask(
        &mut self,
        method: &str,
        params: &Value,
        limit: Duration,
    ) -> Result<Value, AskError> {
        let deadline = self.link.now() + limit;
        loop {
            let left = deadline.saturating_sub(self.link.now());
            let id = self.session.ask(method, params.clone());
            match self.wait_for(id, left) {
                Ok(Ok(result)) => return Ok(result),
                Ok(Err(refusal)) if !refusal.is_passing() => {
                    return Err(AskError::Refused(refusal));
                }
                Ok(Err(_)) => self.rest(AGAIN)?,
                Err(AskError::TimedOut { .. }) => return Err(AskError::TimedOut { limit }),
                Err(error) => return Err(error),
            }
            if self.link.now() >= deadline {
                return Err(AskError::TimedOut { limit });
            }
        }
    }

    /// Brings the documents to these texts. Says whether the server learnt anything.
    pub fn show(&mut self, files: &[Shown]) -> Result<bool, AskError> {
        let mut is_news = false;
        for file in files {
            is_news |= self.session.show(&file.path, file.language_id, &file.text);
        }
        if is_news {
            self.pump(Duration::ZERO)?;
            self.last_word = self.link.now();
            self.rest(self.session.spec().after_change)?;
        }
        Ok(is_news)
    }

    /// Announces what happened on disk.
    pub fn announce(&mut self, changes: &[(String, FileEvent)]) -> Result<(), AskError> {
        for (path, event) in changes {
            if *event == FileEvent::Deleted {
                self.session.close(path);
            }
        }
        self.session.announce(changes);
        if !changes.is_empty() {
            self.last_word = self.link.now();
        }
        self.pump(Duration::ZERO)
    }

    /// Waits for the server's own sign that it knows the project.
    pub fn await_ready(&mut self, limit: Duration) -> Result<(), AskError> {
        let deadline = self.link.now() + limit;
        loop {
            self.pump(SLICE)?;
            if self.is_ready() {
                return Ok(());
            }
            if self.link.now() >= deadline {
                return Err(AskError::NotReady { doing: self.session.signs().describe() });
            }
        }
    }

    /// Whether the server's own sign is there.
    pub fn is_ready(&self) -> bool {
        let spec = self.session.spec();
        let quiet = self.link.now().saturating_sub(self.last_word);
        self.session.signs().are_ready(spec.ready, quiet, spec.grace)
    }

    /// Lets time pass while the server goes on talking.
    pub fn rest(&mut self, time: Duration) -> Result<(), AskError> {
        let until = self.link.now() + time;
        while self.link.now() < until {
            let left = until.saturating_sub(self.link.now());
            self.pump(left.min(SLICE))?;
        }
        Ok(())
    }

    /// Sends what is to be sent and takes in what is there, waiting for it at most so long.
    pub fn pump(&mut self, wait: Duration) -> Result<(), AskError> {
        let mut wait = wait;
        loop {
            self.flush()?;
            match self.link.receive(wait) {
                Received::Nothing => return Ok(()),
                Received::Closed => return Err(self.broke(AskError::Closed)),
                Received::Bytes(bytes) => {
                    if let Err(error) = self.session.receive(&bytes) {
                        return Err(self.broke(AskError::Garbage(error)));
                    }
                    wait = Duration::ZERO;
                }
            }
        }
    }

    /// The state of the conversation.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// What carries it.
    pub fn link(&mut self) -> &mut L {
        &mut self.link
    }

    /// The time, as the link tells it.
    pub fn now(&self) -> Duration {
        self.link.now()
    }

    /// Says goodbye, without waiting long for an answer.
    pub fn stop(&mut self, limit: Duration) {
        if self.broken.is_none() {
            let id = self.session.ask("shutdown", Value::Null);
            // Whatever it says, it is ended next.
            let _ = self.wait_for(id, limit);
            self.session.tell("exit", Value::Null);
            let _ = self.flush();
        }
    }

    fn wait_for(&mut self, id: i64, limit: Duration) -> Result<Reply, AskError> {
        let deadline = self.link.now() + limit;
        loop {
            let left = deadline.saturating_sub(self.link.now());
            self.pump(left.min(SLICE))?;
            if let Some(reply) = self.session.take_answer(id) {
                return Ok(reply);
            }
            if self.link.now() >= deadline {
                self.session.give_up(id);
                self.flush()?;
                return Err(AskError::TimedOut { limit });
            }
        }
    }

    fn flush(&mut self) -> Result<(), AskError> {
        if let Some(error) = &self.broken {
            return Err(error.clone());
        }
        let bytes = self.session.take_output();
        if bytes.is_empty() || self.link.send(&bytes) {
            return Ok(());
        }
        Err(self.broke(AskError::Closed))
    }

    fn broke(&mut self, error: AskError) -> AskError {
        self.broken = Some(error.clone());
        error
    }
}
