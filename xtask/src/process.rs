//! Starting programs, politely: every child runs at a lower priority.

use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;

use crate::failure::Failure;
use crate::setup::Setup;
use crate::tree;

/// A command that runs at a lower priority, at the top of the tree.
pub fn nice(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new("nice");
    command.args(["-n", "10"]).arg(program).current_dir(tree::root());
    command
}

/// The cargo that runs us, with the tools of `setup` on its path.
pub fn cargo(setup: &Setup) -> Command {
    let mut command = nice(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.env("PATH", setup.path());
    command
}

/// Runs to the end; anything but success is a failure.
pub fn run(command: &mut Command) -> Result<(), Failure> {
    let status = command.status().map_err(cannot_start(command))?;
    if status.success() { Ok(()) } else { Err(ended_badly(command, status)) }
}

/// Runs to the end and returns its standard output; its standard error is shown.
pub fn capture(command: &mut Command) -> Result<String, Failure> {
    let output = command.stderr(Stdio::inherit()).output().map_err(cannot_start(command))?;
    if !output.status.success() {
        return Err(ended_badly(command, output.status));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Whether the command can be started and succeeds; nothing is shown.
pub fn succeeds(command: &mut Command) -> bool {
    command.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|s| s.success())
}

/// Runs to the end and returns both streams' lines, unshown, and whether it succeeded.
pub fn collect(command: &mut Command) -> Result<(Vec<String>, bool), Failure> {
    let output = command.stdin(Stdio::null()).output().map_err(cannot_start(command))?;
    let text =
        [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    let lines = text.iter().flat_map(|text| text.lines().map(str::to_owned)).collect();
    Ok((lines, output.status.success()))
}

/// Runs to the end, shows everything as it comes, and returns both streams' lines.
///
/// The second value says whether it succeeded.
pub fn stream(command: &mut Command) -> Result<(Vec<String>, bool), Failure> {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(cannot_start(command))?;
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    let lines = thread::scope(|scope| {
        let errors = scope.spawn(|| stderr.map(|pipe| echo(pipe, std::io::stderr())));
        let mut lines = stdout.map(|pipe| echo(pipe, std::io::stdout())).unwrap_or_default();
        lines.extend(errors.join().ok().flatten().unwrap_or_default());
        lines
    });
    let status = child.wait().map_err(cannot_start(command))?;
    Ok((lines, status.success()))
}

fn echo(pipe: impl Read, mut out: impl Write) -> Vec<String> {
    let mut lines = Vec::new();
    let mut reader = BufReader::new(pipe);
    let mut bytes = Vec::new();
    while reader.read_until(b'\n', &mut bytes).is_ok_and(|count| count > 0) {
        // A reader that went away must not stop the tests.
        let _ = out.write_all(&bytes);
        lines.push(String::from_utf8_lossy(&bytes).trim_end_matches(['\n', '\r']).to_owned());
        bytes.clear();
    }
    lines
}

fn cannot_start(command: &Command) -> impl FnOnce(std::io::Error) -> Failure + use<> {
    let what = format!("run {}", describe(command));
    move |source| Failure::Io { what, source }
}

fn ended_badly(command: &Command, status: std::process::ExitStatus) -> Failure {
    Failure::Command { command: describe(command), status: status.to_string() }
}

fn describe(command: &Command) -> String {
    let words: Vec<&OsStr> =
        std::iter::once(command.get_program()).chain(command.get_args()).collect();
    let words = if words[0] == "nice" { &words[3..] } else { &words[..] };
    let program = Path::new(words[0]).file_name().unwrap_or(words[0]);
    let shown = std::iter::once(program).chain(words[1..].iter().copied());
    shown.map(OsStr::to_string_lossy).collect::<Vec<_>>().join(" ")
}
