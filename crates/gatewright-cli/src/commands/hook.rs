//! `gatewright hook`: one event of an agent's hook in, the host's own form of answer out.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use gatewright_engine::{Layout, names_a_secret};
use gatewright_server::hooks::{self, HookAnswer, Options};
use gatewright_server::up::{self, Asked, HookRequest, Surroundings};

use super::Context;
use crate::environment::Environment;
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

impl Arguments {
    /// To hold a call so many seconds.
    pub fn waiting(wait: Option<u64>) -> Self {
        Self { wait }
    }
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
    if context.root.is_none() {
        context.root = context.environment.get("CLAUDE_PROJECT_DIR").map(PathBuf::from);
    }
    let options = Options {
        wait: arguments.wait.map(Duration::from_secs),
        root_as_named: Some(context.root()),
        home: context.environment.get("HOME").map(PathBuf::from),
        program: program_of(context.environment),
    };
    let answer = answer(&event, options, context);
    let _ = std::io::stdout().write_all(answer.stdout.as_bytes());
    let _ = std::io::stderr().write_all(answer.stderr.as_bytes());
    Ok(match answer.exit {
        hooks::HookExit::Answered => Exit::Clean,
        hooks::HookExit::Blocked => Exit::Usage,
    })
}

/// How an agent's shell starts this binary, where its plain name does not lead to one. A path
/// below the home is spelt by the variable: the egress guard would hide it otherwise.
fn program_of(environment: &Environment) -> Option<String> {
    let machine = super::init::machine(environment);
    if machine.program("gatewright").is_some() {
        return None;
    }
    let binary = environment.binary.as_ref()?;
    Some(match binary.strip_prefix(&machine.home) {
        Ok(below) => format!("\"$HOME/{}\"", below.display()),
        Err(_) => format!("'{}'", binary.display()),
    })
}

/// The answer of a running `up`, else of an engine of our own.
fn answer(event: &[u8], mut options: Options, context: &mut Context) -> HookAnswer {
    match ask(event, &options, context) {
        Some(Asked::Answered(answer)) => return answer,
        // What was spent on asking is taken off the time to wait for a person.
        Some(Asked::Alone { spent }) => {
            options.wait = Some(hooks::longest_wait(event, &options).saturating_sub(spent));
        }
        None => {}
    }
    match context.engine() {
        Ok(engine) => hooks::run(&engine, event, &options),
        // Without an engine nothing can be judged, and what is not judged is not allowed.
        Err(failure) => hooks::refuse_all(event, &failure.message),
    }
}

fn ask(event: &[u8], options: &Options, context: &Context) -> Option<Asked> {
    let layout = Layout::locate(&context.root(), &context.environment.user_dirs()).ok()?;
    let request = HookRequest {
        event: String::from_utf8(event.to_vec()).ok()?,
        options: options.clone(),
        surroundings: surroundings(context),
    };
    Some(up::ask(&layout, &request))
}

/// Only these matter; the rest may differ from call to call, and each difference costs a start.
fn secrets(variables: &BTreeMap<String, String>) -> Vec<(String, String)> {
    variables.clone().into_iter().filter(|(name, _)| names_a_secret(name)).collect()
}

/// What the engine is told of this process, for an `up` to do the same.
fn surroundings(context: &Context) -> Surroundings {
    let environment = context.environment;
    Surroundings {
        user: environment.user(),
        home: environment.get("HOME").map(PathBuf::from),
        binary: environment.binary.clone(),
        python_environments: environment.python_environments(),
        variables: secrets(&environment.variables),
        is_unsynced: context.unsynced,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_differs_from_call_to_call_is_not_told() {
        let told = |pairs: &[(&str, &str)]| {
            secrets(&pairs.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect())
        };
        let first = told(&[("SHLVL", "1"), ("DEPLOY_TOKEN", "xyz"), ("TOOL_USE", "a")]);
        assert_eq!(first, [("DEPLOY_TOKEN".to_owned(), "xyz".to_owned())]);
        assert_eq!(first, told(&[("SHLVL", "2"), ("DEPLOY_TOKEN", "xyz"), ("_", "b")]));
    }
}
