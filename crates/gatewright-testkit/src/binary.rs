//! Running the real program with nothing of the developer's environment.

use std::fmt;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use crate::Scratch;

/// A program to run in a scratch workspace.
///
/// ```no_run
/// use gatewright_testkit::{Binary, Scratch};
/// let scratch = Scratch::new();
/// let run = Binary::new("target/debug/gatewright").run(&scratch, ["doctor", "--json"]);
/// assert_eq!(run.code, Some(0), "{run}");
/// ```
#[derive(Debug, Clone)]
pub struct Binary {
    program: PathBuf,
    stdin: Vec<u8>,
    variables: Vec<(String, String)>,
}

/// What a program did. Displayed, it is ready for a snapshot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// The exit code; `None` when a signal ended it.
    pub code: Option<i32>,
    /// Standard output, with the scratch paths replaced by names.
    pub stdout: String,
    /// Standard error, likewise.
    pub stderr: String,
}

impl Binary {
    /// The program at `path`; in an integration test, `env!("CARGO_BIN_EXE_gatewright")`.
    pub fn new(path: impl AsRef<Path>) -> Self {
        Self { program: path.as_ref().to_owned(), stdin: Vec::new(), variables: Vec::new() }
    }

    /// The same with this on standard input, which is empty otherwise.
    pub fn stdin(mut self, bytes: impl Into<Vec<u8>>) -> Self {
        self.stdin = bytes.into();
        self
    }

    /// The same with one more environment variable.
    pub fn env(mut self, name: &str, value: &str) -> Self {
        self.variables.push((name.to_owned(), value.to_owned()));
        self
    }

    /// A command in the workspace of `scratch`, its environment cleared.
    ///
    /// `PATH` stays, for git and the like; home and the XDG directories are
    /// those of `scratch`. For tests that need a pipe or a signal of their own.
    pub fn command(&self, scratch: &Scratch) -> Command {
        let mut command = Command::new(&self.program);
        command
            .current_dir(scratch.root())
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", scratch.home())
            .env("XDG_STATE_HOME", scratch.state())
            .env("XDG_CONFIG_HOME", scratch.config())
            .env("XDG_CACHE_HOME", scratch.cache())
            .env("LC_ALL", "C.UTF-8")
            .env("TZ", "UTC")
            .env("NO_COLOR", "1")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .envs(self.variables.iter().map(|(name, value)| (name, value)));
        command
    }

    /// Runs to the end and collects the output.
    pub fn run<'a>(&self, scratch: &Scratch, args: impl IntoIterator<Item = &'a str>) -> Run {
        let mut command = self.command(scratch);
        command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command
            .spawn()
            .unwrap_or_else(|error| panic!("cannot start {}: {error}", self.program.display()));
        let mut stdin = child.stdin.take().expect("stdin is a pipe");
        let output = std::thread::scope(|scope| {
            // A program may end without reading all of it; that is its right.
            scope.spawn(move || stdin.write_all(&self.stdin).ok());
            child.wait_with_output().expect("the program can be waited for")
        });
        Run::of(output, scratch)
    }
}

impl Run {
    fn of(output: Output, scratch: &Scratch) -> Self {
        let text = |bytes: &[u8]| {
            let names = [
                (scratch.root(), "[ROOT]"),
                (scratch.state(), "[STATE]"),
                (scratch.base().to_owned(), "[SCRATCH]"),
            ];
            names.iter().fold(String::from_utf8_lossy(bytes).into_owned(), |text, (path, name)| {
                text.replace(&*path.to_string_lossy(), name)
            })
        };
        Self {
            code: output.status.code(),
            stdout: text(&output.stdout),
            stderr: text(&output.stderr),
        }
    }
}

impl fmt::Display for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.code {
            Some(code) => writeln!(f, "exit: {code}")?,
            None => writeln!(f, "exit: by a signal")?,
        }
        write!(f, "--- stdout\n{}--- stderr\n{}", self.stdout, self.stderr)
    }
}

/// Whether `PATH` leads to a program of that name.
pub fn has_program(name: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|directory| directory.join(name).is_file())
}
