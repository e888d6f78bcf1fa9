//! The `gatewright` binary: arguments in, one command, an exit code out.

mod args;
mod commands;
mod environment;
mod exit;
mod help;
mod input;
mod output;
mod person;
mod render;

use std::process::ExitCode;

fn main() -> ExitCode {
    let environment = environment::Environment::read();
    let arguments = args::Arguments::of_hook(&environment.words)
        .unwrap_or_else(|| help::parse(&environment.words));
    let mut output = output::Output::new(&environment, arguments.json);
    match commands::run(arguments, &environment, &mut output) {
        Ok(exit) => exit.into(),
        Err(failure) => {
            output.failure(&failure);
            failure.exit().into()
        }
    }
}
