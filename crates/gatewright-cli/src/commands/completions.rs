//! `gatewright completions`: from the same definitions as the help.

use clap::CommandFactory;
use clap_complete::Shell;

use super::Context;
use crate::exit::{Exit, Failure};

/// Print completions for a shell.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// bash, zsh, fish, elvish or powershell
    shell: Shell,
}

/// Runs the command.
pub fn run(arguments: Arguments, context: &mut Context) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    let mut command = crate::args::Arguments::command();
    clap_complete::generate(arguments.shell, &mut command, "gatewright", &mut script);
    context.output.line(&String::from_utf8_lossy(&script));
    Ok(Exit::Clean)
}
