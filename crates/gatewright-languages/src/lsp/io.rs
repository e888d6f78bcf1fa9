//! The driver: one child process, its pipes and its clock. The only part of `lsp` that does IO.
//!
//! Each server has a thread that starts it, carries the conversation and ends
//! it. The child is bound to that thread: it is killed with its whole process
//! group when the thread is done. When this process is killed, the keeper
//! between us and the server ends that group; where there is no keeper, the
//! kernel ends the server, if `setpriv` is there to ask for that. Pipes that
//! close end most servers in any case.
#![expect(clippy::disallowed_methods, reason = "the one place of lsp that starts programs")]

use std::collections::VecDeque;
use std::io::{Read, Write};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, TryRecvError, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};

use super::client::{Client, Link, Received};
use super::running::{Event, Job, Launch};

/// How much of a server's complaints is kept.
const COMPLAINTS: usize = 4096;
/// How long a program may take to tell its version.
const VERSION_LIMIT: Duration = Duration::from_secs(15);

/// What carries a conversation over pipes.
pub struct PipeLink {
    events: Receiver<Event>,
    jobs: VecDeque<Job>,
    outgoing: Sender<Vec<u8>>,
    started: Instant,
    is_stopped: bool,
}

impl Link for PipeLink {
    fn send(&mut self, bytes: &[u8]) -> bool {
        self.outgoing.send(bytes.to_vec()).is_ok()
    }

    fn receive(&mut self, wait: Duration) -> Received {
        let event = if wait.is_zero() {
            self.events.try_recv().map_err(|error| error == TryRecvError::Disconnected)
        } else {
            let event = self.events.recv_timeout(wait);
            event.map_err(|error| error == RecvTimeoutError::Disconnected)
        };
        match event {
            Ok(Event::Bytes(bytes)) => Received::Bytes(bytes),
            Ok(Event::Closed) | Err(true) => Received::Closed,
            Ok(Event::Job(job)) => {
                self.jobs.push_back(job);
                Received::Nothing
            }
            Ok(Event::Stop) => {
                self.is_stopped = true;
                Received::Nothing
            }
            Err(false) => Received::Nothing,
        }
    }

    fn now(&self) -> Duration {
        self.started.elapsed()
    }
}

impl PipeLink {
    /// The next thing to do.
    pub fn next_job(&mut self) -> Option<Job> {
        self.jobs.pop_front()
    }

    /// Whether the conversation is to end.
    pub fn is_stopped(&self) -> bool {
        self.is_stopped
    }
}

/// A child process with everything that hangs on it.
pub struct Process {
    child: Child,
    complaints: Arc<Mutex<Vec<u8>>>,
}

impl Process {
    /// Starts the server, with threads that carry its bytes.
    pub fn start(
        launch: &Launch,
        events: Receiver<Event>,
        news: Sender<Event>,
    ) -> std::io::Result<(Self, PipeLink)> {
        if let Some(data) = &launch.data {
            std::fs::create_dir_all(data)?;
        }
        let mut child = command(launch).spawn()?;
        let (outgoing, to_write) = channel::<Vec<u8>>();
        if let Some(mut stdin) = child.stdin.take() {
            thread::spawn(move || {
                while let Ok(bytes) = to_write.recv() {
                    if stdin.write_all(&bytes).and_then(|()| stdin.flush()).is_err() {
                        break;
                    }
                }
            });
        }
        if let Some(stdout) = child.stdout.take() {
            thread::spawn(move || carry(stdout, &news));
        }
        let complaints = Arc::new(Mutex::new(Vec::new()));
        if let Some(stderr) = child.stderr.take() {
            let kept = Arc::clone(&complaints);
            thread::spawn(move || keep_tail(stderr, &kept));
        }
        let link = PipeLink {
            events,
            jobs: VecDeque::new(),
            outgoing,
            started: Instant::now(),
            is_stopped: false,
        };
        Ok((Self { child, complaints }, link))
    }

    /// The last line that the server complained with.
    pub fn complaint(&self) -> Option<String> {
        let kept = self.complaints.lock().unwrap_or_else(|poison| poison.into_inner());
        let text = String::from_utf8_lossy(&kept).into_owned();
        text.lines().rev().find(|line| !line.trim().is_empty()).map(|line| line.trim().to_owned())
    }

    /// The memory that the server and its children hold, in bytes.
    pub fn memory(&self) -> u64 {
        let Ok(entries) = std::fs::read_dir("/proc") else { return 0 };
        let names = entries.flatten().filter_map(|entry| entry.file_name().into_string().ok());
        let numbers = names.filter_map(|name| name.parse::<u32>().ok());
        numbers.filter(|id| group_of(*id) == Some(self.child.id())).filter_map(resident).sum()
    }

    /// Ends the server and everything that it started, and waits for it.
    pub fn end(&mut self, grace: Duration) {
        let until = Instant::now() + grace;
        while Instant::now() < until && matches!(self.child.try_wait(), Ok(None)) {
            thread::sleep(Duration::from_millis(10));
        }
        if let Some(group) = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw) {
            // Nobody left to kill is what we want.
            let _ = kill_process_group(group, Signal::KILL);
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end(Duration::ZERO);
    }
}

/// The command line, bound to this process where the system can do that.
fn command(launch: &Launch) -> Command {
    let mut command = match launch.binder.split_first() {
        Some((binder, words)) => {
            let mut command = Command::new(binder);
            command.args(words).arg(&launch.program);
            command
        }
        None => Command::new(&launch.program),
    };
    command
        .args(&launch.arguments)
        .current_dir(&launch.root)
        .envs(launch.environment.iter().map(|(name, value)| (name, value)))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0);
    command
}

fn carry(mut stdout: impl Read, news: &Sender<Event>) {
    let mut buffer = vec![0; 64 * 1024];
    loop {
        match stdout.read(&mut buffer) {
            Ok(0) | Err(_) => break,
            Ok(count) => {
                if news.send(Event::Bytes(buffer[..count].to_vec())).is_err() {
                    return;
                }
            }
        }
    }
    let _ = news.send(Event::Closed);
}

fn keep_tail(mut stderr: impl Read, kept: &Mutex<Vec<u8>>) {
    let mut buffer = vec![0; 4096];
    while let Ok(count @ 1..) = stderr.read(&mut buffer) {
        let mut kept = kept.lock().unwrap_or_else(|poison| poison.into_inner());
        kept.extend_from_slice(&buffer[..count]);
        let surplus = kept.len().saturating_sub(COMPLAINTS);
        kept.drain(..surplus);
    }
}

fn group_of(id: u32) -> Option<u32> {
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    // The name is in brackets and may hold anything; state, parent and group follow.
    let (_, rest) = stat.rsplit_once(')')?;
    rest.split_whitespace().nth(2)?.parse().ok()
}

fn resident(id: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{id}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kilobytes * 1024)
}

/// A program by its name, never one that lies in the workspace itself.
pub fn find_program(name: &str, search_path: &str, root: &Path) -> Option<PathBuf> {
    let is_program = |path: &PathBuf| {
        use std::os::unix::fs::PermissionsExt;
        let is_executable = |data: std::fs::Metadata| data.permissions().mode() & 0o111 != 0;
        let is_ours = std::fs::canonicalize(path).is_ok_and(|real| real.starts_with(root));
        path.is_file() && std::fs::metadata(path).is_ok_and(is_executable) && !is_ours
    };
    if name.contains('/') {
        return Some(PathBuf::from(name)).filter(|path| path.is_absolute() && is_program(path));
    }
    let folders = search_path.split(':').filter(|folder| folder.starts_with('/'));
    folders.map(|folder| Path::new(folder).join(name)).find(is_program)
}

/// How many entries of a workspace are looked at for an extension.
const LOOKED_AT: usize = 20_000;

/// Whether the workspace has a file with one of these extensions, as far as it is looked through.
pub fn has_extension(root: &Path, wanted: &[&str]) -> bool {
    let mut folders = vec![root.to_owned()];
    let mut left = LOOKED_AT;
    while let Some(folder) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(folder) else { continue };
        for entry in entries.flatten() {
            left = left.saturating_sub(1);
            let path = entry.path();
            let extension = path.extension().and_then(|extension| extension.to_str());
            if extension.is_some_and(|extension| wanted.contains(&extension)) {
                return true;
            }
            let is_hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
            if !is_hidden && entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                folders.push(path);
            }
        }
        if left == 0 {
            break;
        }
    }
    false
}

/// What a program says of its version; `None` when it fails or says nothing in time.
pub fn version_of(program: &Path, arguments: &[&str], search_path: &str) -> Option<String> {
    let mut child = Command::new(program)
        .args(arguments)
        .env("PATH", search_path)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .process_group(0)
        .spawn()
        .ok()?;
    let mut stdout = child.stdout.take()?;
    let (sender, receiver) = channel();
    thread::spawn(move || {
        let mut text = String::new();
        let _ = stdout.read_to_string(&mut text);
        let _ = sender.send(text);
    });
    let text = receiver.recv_timeout(VERSION_LIMIT);
    if text.is_err() {
        let _ = child.kill();
    }
    let is_good = child.wait().is_ok_and(|status| status.success());
    text.ok().filter(|_| is_good).and_then(|text| version_in(&text))
}

/// The first word of a text that looks like a version.
fn version_in(text: &str) -> Option<String> {
    let words = text.split(|c: char| c.is_whitespace() || matches!(c, ',' | '(' | ')' | '@'));
    let trimmed = words.map(|word| word.trim_start_matches('v'));
    let is_version =
        |word: &&str| word.starts_with(|c: char| c.is_ascii_digit()) && word.contains('.');
    trimmed.into_iter().find(is_version).map(str::to_owned)
}

/// The time, for what runs outside of a conversation.
pub fn now() -> Instant {
    Instant::now()
}

/// Runs `work` on a thread of its own.
pub fn on_thread(work: impl FnOnce() + Send + 'static) {
    thread::spawn(work);
}

/// The conversation type that jobs get to see.
pub type PipeClient = Client<PipeLink>;

#[cfg(test)]
mod tests {
    use super::version_in;

    #[test]
    fn versions_are_found_in_what_programs_say() {
        for (text, version) in [
            ("rust-analyzer 1.97.1 (abc 2026-01-01)", Some("1.97.1")),
            ("Version 7.0.2\n", Some("7.0.2")),
            ("golang.org/x/tools/gopls v0.24.0\n", Some("0.24.0")),
            ("clangd version 22.1.1 (https://x)", Some("22.1.1")),
            ("0.26.11", Some("0.26.11")),
            ("error: Unknown binary", None),
        ] {
            assert_eq!(version_in(text).as_deref(), version, "{text}");
        }
    }
}
