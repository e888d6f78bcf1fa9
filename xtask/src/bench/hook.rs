//! `bench hook`: one hook call from process start to answer, with and without `up`.
//!
//! Beside an empty process start in the same run. The event is an edit of one
//! line in an 8 KB file, in autonomous mode: every guard runs and a receipt of
//! the allowance is signed and stored.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::json;

use super::figures::{Series, Table};
use crate::failure::Failure;
use crate::setup::{self, Setup};
use crate::{process, tree};

/// Repetitions of each.
pub const DEFAULT_COUNT: usize = 100;

const WARM_UP: usize = 5;

/// Runs all and returns the figures.
pub fn run(count: usize) -> Result<Table, Failure> {
    let mut build = process::cargo(&Setup::locate()?);
    build.args(["build", "--release", "--quiet", "--package", "gatewright-cli"]);
    process::run(&mut build)?;
    let alone = Place::make("alone")?;
    let served = Place::make("served")?;
    let up = served.start_up()?;
    let mut empty_times = Vec::new();
    let (mut alone_times, mut served_times) = (Vec::new(), Vec::new());
    for round in 0..count + WARM_UP {
        let empty = timed(|| process::run(&mut Command::new("true")))?;
        let one = alone.hook(round)?;
        let other = served.hook(round)?;
        if round >= WARM_UP {
            empty_times.push(empty);
            alone_times.push(one);
            served_times.push(other);
        }
    }
    drop(up);
    let row = |program: &str, times| Series {
        task: "hook, 8 KB edit".to_owned(),
        program: program.to_owned(),
        times,
        peak_kib: None,
    };
    Ok(Table {
        rows: vec![
            row("an empty process (true)", empty_times),
            row("gatewright hook, up running", served_times),
            row("gatewright hook, alone", alone_times),
        ],
        remarks: vec![
            "from process start to exit; the allowance's receipt is synced to disk".to_owned(),
        ],
    })
}

fn timed(work: impl FnOnce() -> Result<(), Failure>) -> Result<Duration, Failure> {
    let start = Instant::now();
    work()?;
    Ok(start.elapsed())
}

/// A workspace with a state of its own.
struct Place {
    root: PathBuf,
    state: PathBuf,
}

/// A process that ends with this value.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        // It is our own child.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Place {
    fn make(name: &str) -> Result<Self, Failure> {
        let base = tree::target().join("bench/hook").join(name);
        setup::clear(&base)?;
        let place = Self { root: base.join("workspace"), state: base.join("state") };
        for directory in [&place.root, &place.state] {
            fs::create_dir_all(directory).map_err(Failure::io("make", directory))?;
        }
        let path = place.root.join("notes.txt");
        fs::write(&path, text()).map_err(Failure::io("write", &path))?;
        process::run(&mut place.ours(&["mode", "autonomous"]))?;
        Ok(place)
    }

    fn ours(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(tree::target().join("release/gatewright"));
        command.args(arguments).arg("--root").arg(&self.root).current_dir(&self.root);
        command.env_clear().env("HOME", &self.state).env("XDG_STATE_HOME", &self.state);
        command.stdout(Stdio::null());
        command
    }

    fn start_up(&self) -> Result<Running, Failure> {
        let failed = |source| Failure::Io { what: "start up".to_owned(), source };
        let child = self.ours(&["up"]).stderr(Stdio::null()).spawn().map_err(failed)?;
        let running = Running(child);
        for _ in 0..100 {
            if find(&self.state, "up.sock") {
                return Ok(running);
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        Err(Failure::unexpected("up did not start"))
    }

    fn hook(&self, round: usize) -> Result<Duration, Failure> {
        let event = json!({
            "session_id": "bench", "transcript_path": "/t", "cwd": self.root,
            "permission_mode": "default", "hook_event_name": "PreToolUse", "tool_name": "Edit",
            "tool_use_id": format!("toolu_{round}"),
            "tool_input": {
                "file_path": self.root.join("notes.txt"),
                "old_string": "line 7 of the file\n", "new_string": format!("round {round}\n"),
            },
        })
        .to_string();
        let failed = |source| Failure::Io { what: "run the hook".to_owned(), source };
        let start = Instant::now();
        let mut child = self.ours(&["hook"]).stdin(Stdio::piped()).spawn().map_err(failed)?;
        if let Some(mut stdin) = child.stdin.take() {
            stdin.write_all(event.as_bytes()).map_err(failed)?;
        }
        let status = child.wait().map_err(failed)?;
        let took = start.elapsed();
        if status.success() { Ok(took) } else { Err(Failure::unexpected("the hook failed")) }
    }
}

fn text() -> String {
    let mut text: String = (1..=20).map(|number| format!("line {number} of the file\n")).collect();
    while text.len() < 8 * 1024 {
        text.push_str("a line of plain text that no guard has anything to say about\n");
    }
    text
}

fn find(directory: &Path, name: &str) -> bool {
    let Ok(entries) = fs::read_dir(directory) else { return false };
    entries.flatten().any(|entry| {
        let path = entry.path();
        entry.file_name() == name || (path.is_dir() && find(&path, name))
    })
}
