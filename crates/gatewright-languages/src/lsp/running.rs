//! A server that runs: its thread, what it is told to do, and how it is doing.

use std::ffi::OsString;
use std::fmt;
use std::path::PathBuf;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::Value;

use super::catalogue::ServerSpec;
use super::client::{AskError, Client};
use super::io::{self, PipeClient, Process};
use super::session::Session;
use super::sync::Told;

/// How often a server is looked after while nobody asks it anything.
const TICK: Duration = Duration::from_millis(200);
/// How often its memory is looked at.
const MEMORY_EVERY: Duration = Duration::from_secs(2);
/// How long it gets to end by itself.
const FAREWELL: Duration = Duration::from_millis(500);

/// How to start a server.
#[derive(Debug, Clone)]
pub struct Launch {
    /// The entry of the catalogue.
    pub spec: &'static ServerSpec,
    /// The program.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// Variables that it gets besides ours.
    pub environment: Vec<(String, String)>,
    /// The options that it gets at the start.
    pub options: Value,
    /// The workspace.
    pub root: PathBuf,
    /// A directory that it may fill.
    pub data: Option<PathBuf>,
    /// The words that go before it and bind it to our life.
    pub binder: Vec<OsString>,
    /// The memory at which it is ended, in bytes.
    pub memory_limit: u64,
    /// How long it may be idle.
    pub idle_limit: Duration,
}

/// What a server is told to do, on its own thread.
pub type Job = Box<dyn FnOnce(&mut PipeClient, &mut Told) + Send>;

/// What reaches the thread of a server.
pub enum Event {
    /// Bytes from the server.
    Bytes(Vec<u8>),
    /// The server is gone.
    Closed,
    /// Something to do.
    Job(Job),
    /// End it.
    Stop,
}

/// How a server is doing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    /// It was started.
    Starting,
    /// It answers, and does not know the project yet.
    Loading(Option<String>),
    /// It knows the project.
    Ready,
    /// It came to grief.
    Failed(String),
    /// It was ended on purpose.
    Stopped(&'static str),
}

impl State {
    /// Whether it is of no use any more.
    pub fn is_over(&self) -> bool {
        matches!(self, State::Failed(_) | State::Stopped(_))
    }
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            State::Starting => f.write_str("starting"),
            State::Loading(None) => f.write_str("loading"),
            State::Loading(Some(what)) => write!(f, "loading: {what}"),
            State::Ready => f.write_str("ready"),
            State::Failed(reason) => write!(f, "failed: {reason}"),
            State::Stopped(reason) => write!(f, "stopped: {reason}"),
        }
    }
}

/// A server with its thread. Dropped, it is ended.
pub struct Running {
    /// The entry of the catalogue.
    pub spec: &'static ServerSpec,
    events: Sender<Event>,
    state: Arc<Mutex<State>>,
}

impl Running {
    /// Starts a server on a thread of its own; returns at once.
    pub fn start(launch: Launch) -> Self {
        let (events, to_do) = channel();
        let state = Arc::new(Mutex::new(State::Starting));
        let running = Self { spec: launch.spec, events: events.clone(), state: Arc::clone(&state) };
        io::on_thread(move || {
            let outcome = match Process::start(&launch, to_do, events) {
                Ok((mut process, link)) => {
                    let session =
                        Session::new(launch.spec, launch.root.clone(), launch.options.clone());
                    let mut client = Client::new(session, link);
                    let outcome = look_after(&mut client, &process, &launch, &state);
                    client.stop(FAREWELL);
                    process.end(FAREWELL);
                    let outcome = with_complaint(outcome, &process);
                    // Before the jobs that wait are dropped, so that they can tell why.
                    set(&state, outcome.clone());
                    outcome
                }
                Err(error) => State::Failed(format!("it cannot be started: {error}")),
            };
            set(&state, outcome);
        });
        running
    }

    /// How it is doing.
    pub fn state(&self) -> State {
        self.state.lock().unwrap_or_else(|poison| poison.into_inner()).clone()
    }

    /// Has the server's thread do something, and waits for it at most so long.
    pub fn call<T: Send + 'static>(
        &self,
        limit: Duration,
        work: impl FnOnce(&mut PipeClient, &mut Told) -> T + Send + 'static,
    ) -> Result<T, AskError> {
        let (sender, receiver) = channel();
        let job: Job = Box::new(move |client, told| {
            // Nobody waits any more: the answer is for nobody.
            let _ = sender.send(work(client, told));
        });
        self.events.send(Event::Job(job)).map_err(|_| AskError::Closed)?;
        receiver.recv_timeout(limit).map_err(|error| match error {
            std::sync::mpsc::RecvTimeoutError::Timeout => AskError::TimedOut { limit },
            std::sync::mpsc::RecvTimeoutError::Disconnected => match self.state() {
                State::Failed(reason) => AskError::Failed(reason),
                _ => AskError::Closed,
            },
        })
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.events.send(Event::Stop);
    }
}

fn set(state: &Mutex<State>, new: State) {
    *state.lock().unwrap_or_else(|poison| poison.into_inner()) = new;
}

fn with_complaint(outcome: State, process: &Process) -> State {
    match (outcome, process.complaint()) {
        (State::Failed(reason), Some(complaint)) => State::Failed(format!("{reason}: {complaint}")),
        (outcome, _) => outcome,
    }
}

/// The life of a server: hello, then jobs, until something ends it.
fn look_after(
    client: &mut PipeClient,
    process: &Process,
    launch: &Launch,
    state: &Mutex<State>,
) -> State {
    let failed = |error: AskError| State::Failed(error.to_string());
    if let Err(error) = client.start(std::process::id()) {
        return failed(error);
    }
    let tell = |client: &PipeClient| {
        let now = match client.is_ready() {
            true => State::Ready,
            false => State::Loading(client.session().signs().describe()),
        };
        set(state, now);
    };
    tell(client);
    let mut told = Told::default();
    let (mut last_used, mut last_weighed) = (client.now(), client.now());
    loop {
        while let Some(job) = client.link().next_job() {
            job(client, &mut told);
            tell(client);
            last_used = client.now();
        }
        if let Err(error) = client.pump(TICK) {
            return failed(error);
        }
        tell(client);
        if client.link().is_stopped() {
            return State::Stopped("nobody needs it");
        }
        if client.now().saturating_sub(last_used) > launch.idle_limit {
            return State::Stopped("it was idle");
        }
        if client.now().saturating_sub(last_weighed) > MEMORY_EVERY {
            last_weighed = client.now();
            if process.memory() > launch.memory_limit {
                let megabytes = launch.memory_limit / (1024 * 1024);
                return State::Failed(format!("it held more than {megabytes} MB"));
            }
        }
    }
}
