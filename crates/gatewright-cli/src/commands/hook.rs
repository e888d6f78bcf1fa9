//! `gatewright hook`: one event of an agent's hook in, the host's own form of answer out.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use gatewright_server::hooks::{self, Options};

use super::Context;
use crate::exit::{Exit, Failure};
use crate::input;

/// Answer one event of an agent's hook, read from standard input.
///
/// The agent is recognised from the event's fields. A write is allowed, denied
/// with a reason, or held until a person has decided.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// How long to hold a call for a person [default: half of the host's own limit]
    #[arg(long, value_name = "SECONDS")]
    wait: Option<u64>,
}

/// Runs the command. The exit code is the one that the host reads, so it is left to the answer.
pub fn run(arguments: Arguments, context: &mut Context) -> Result<Exit, Failure> {
    let event = match input::read(Path::new("-")) {
        Ok(event) => event,
        // Hosts take every other exit code for a warning and go on.
        Err(failure) => {
            eprintln!("gatewright: {}", failure.message);
            return Ok(Exit::Usage);
        }
    };
    let project = context.environment.get("CLAUDE_PROJECT_DIR").map(PathBuf::from);
    let opened = context.engine_for(project);
    let options = Options {
        wait: arguments.wait.map(Duration::from_secs),
        root_as_named: Some(context.root()),
    };
    let answer = match opened {
        Ok(engine) => hooks::run(&engine, &event, &options),
        // Without an engine nothing can be judged, and what is not judged is not allowed.
        Err(failure) => hooks::refuse_all(&event, &failure.message),
    };
    let _ = std::io::stdout().write_all(answer.stdout.as_bytes());
    let _ = std::io::stderr().write_all(answer.stderr.as_bytes());
    Ok(match answer.exit {
        hooks::HookExit::Answered => Exit::Clean,
        hooks::HookExit::Blocked => Exit::Usage,
    })
}
