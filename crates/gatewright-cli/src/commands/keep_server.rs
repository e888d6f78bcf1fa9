//! `gatewright keep-server`: what stands between us and a language server, so that nothing of the
//! server outlives us. Not for people.

use std::ffi::OsString;

use gatewright_engine::languages::lsp::keeper::keep;

use crate::exit::{Exit, Failure};

/// Run a language server that ends when this program's input does.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The server's program
    program: OsString,
    /// Its arguments
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<OsString>,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let hint = Some("Gatewright itself starts it");
    keep(&arguments.program, &arguments.arguments)
        .map_err(|error| Failure::usage(format!("the server cannot be started: {error}"), hint))?;
    Ok(Exit::Clean)
}
