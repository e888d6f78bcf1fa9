//! Hook events over the socket: a running `up` answers what a hook would answer alone.
//!
//! Each event is judged by an engine that was opened with the hook's own
//! surroundings, and anew when the configuration or an `.env` file changed, so
//! that the answer is the same with and without `up`. While a call is held the
//! hook hears a beat; a hook that hears nothing does the work itself.

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use gatewright_engine::{Durability, Engine, EngineOptions, Layout, UserDirs};
use serde::{Deserialize, Serialize};
use tokio::io::AsyncWriteExt;
use tokio::net::UnixStream;
use tokio::sync::oneshot;

use super::code_asker::servers_of;
use super::io::{self as files, FileMark};
use super::message;
use crate::hooks::{self, HookAnswer, Options};

/// The first word of an exchange; as long as the word for a link.
pub const GREETING: &[u8] = b"hook\n";
/// What the hook hears while it waits.
pub const BEAT: u8 = b'.';
/// What comes before the answer.
pub const ANSWER: u8 = b'=';
const BEAT_EVERY: Duration = Duration::from_millis(300);
/// The longest request; the largest file of the write guard fits several times.
const MAX_REQUEST: usize = 16 * 1024 * 1024;
/// Calls that are answered or held at once; the next one is done by its own hook.
const MOST_CALLS: usize = 64;
/// Engines that are kept open; hooks of one machine have few surroundings.
const MOST_ENGINES: usize = 4;

/// What a hook sends.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Request {
    /// The event, as the host sent it.
    pub event: String,
    /// How it is run.
    pub options: Options,
    /// What the hook's process knows.
    pub surroundings: Surroundings,
}

/// What a process knows from its environment, as the engine is told.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Surroundings {
    /// The user's name.
    pub user: String,
    /// The user's home.
    pub home: Option<PathBuf>,
    /// The running binary.
    pub binary: Option<PathBuf>,
    /// Python environments.
    pub python_environments: Vec<PathBuf>,
    /// The variables, whose secret values must not go out.
    pub variables: Vec<(String, String)>,
    /// Whether writes are left to the system to sync.
    pub is_unsynced: bool,
}

impl Surroundings {
    fn options(&self, layout: &Layout) -> Option<EngineOptions> {
        let dirs = UserDirs {
            config: layout.user_config.parent()?.to_owned(),
            state: layout.key.parent()?.to_owned(),
        };
        let mut options = EngineOptions::new(layout.root.clone(), dirs, self.user.clone());
        options.home.clone_from(&self.home);
        options.binary.clone_from(&self.binary);
        options.python_environments.clone_from(&self.python_environments);
        options.environment_secrets.clone_from(&self.variables);
        if self.is_unsynced {
            options.durability = Durability::None;
        }
        Some(options)
    }
}

/// An engine, and what it was opened with.
struct OpenEngine {
    surroundings: Surroundings,
    marks: Vec<FileMark>,
    engine: Arc<Engine>,
}

/// The engines that answer hooks.
pub struct HookDesk {
    layout: Layout,
    /// Where this process finds language servers: those of a hook are the same.
    server_path: String,
    open: Mutex<Vec<OpenEngine>>,
    calls: AtomicUsize,
}

impl HookDesk {
    /// None is open yet.
    pub fn new(engine: &Engine) -> Self {
        Self {
            layout: engine.layout().clone(),
            server_path: engine.language_servers().search_path().to_owned(),
            open: Mutex::new(Vec::new()),
            calls: AtomicUsize::new(0),
        }
    }

    /// Answers one hook on this stream.
    pub async fn serve(self: Arc<Self>, mut stream: UnixStream) -> std::io::Result<()> {
        let request: Request = message::receive(&mut stream, MAX_REQUEST).await?;
        if self.calls.fetch_add(1, Ordering::AcqRel) >= MOST_CALLS {
            self.calls.fetch_sub(1, Ordering::AcqRel);
            return Ok(());
        }
        let (sender, mut answer) = oneshot::channel();
        let desk = Arc::clone(&self);
        // A held call waits for a person: it must not take a place among the page's own work.
        std::thread::Builder::new().name("gatewright-hook".to_owned()).spawn(move || {
            let engine = desk.engine(&request.surroundings);
            let answered = answer_of(&engine, &request);
            desk.calls.fetch_sub(1, Ordering::AcqRel);
            let _ = sender.send(answered);
            // The host has its answer. What is not recorded is not said; the first answer stands.
            let _ = engine.map(|engine| engine.hear_witnesses());
        })?;
        loop {
            tokio::select! {
                answered = &mut answer => {
                    let Ok(answered) = answered else { return Ok(()) };
                    return send(&mut stream, &answered).await;
                }
                () = tokio::time::sleep(BEAT_EVERY) => stream.write_all(&[BEAT]).await?,
            }
        }
    }

    /// The engine for these surroundings, as a process of their own would open it now.
    fn engine(&self, surroundings: &Surroundings) -> Result<Arc<Engine>, String> {
        let marks = files::marks_of_settings(&self.layout);
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.retain(|one| one.surroundings != *surroundings || one.marks == marks);
        if let Some(one) = open.iter().find(|one| one.surroundings == *surroundings) {
            return Ok(Arc::clone(&one.engine));
        }
        let mut options = surroundings.options(&self.layout).ok_or("no state directory")?;
        options.server_path.clone_from(&self.server_path);
        let engine = Arc::new(Engine::open(options).map_err(|error| error.to_string())?);
        // The language servers are those of this process, asked as any other process asks them.
        engine.language_servers().ask_first(servers_of(&self.layout));
        engine.set_long_lived();
        if open.len() >= MOST_ENGINES {
            open.remove(0);
        }
        let surroundings = surroundings.clone();
        open.push(OpenEngine { surroundings, marks, engine: Arc::clone(&engine) });
        Ok(engine)
    }
}

fn answer_of(engine: &Result<Arc<Engine>, String>, request: &Request) -> HookAnswer {
    match engine {
        Ok(engine) => hooks::run(engine, request.event.as_bytes(), &request.options),
        Err(reason) => hooks::refuse_all(request.event.as_bytes(), reason),
    }
}

async fn send(stream: &mut UnixStream, answer: &HookAnswer) -> std::io::Result<()> {
    message::send_behind(stream, &[ANSWER], answer).await?;
    stream.shutdown().await
}
