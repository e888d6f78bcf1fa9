//! `gatewright proxy`: any MCP server, with the guards before it.

use gatewright_server::wiring::proxy;

use super::Context;
use crate::exit::{Exit, Failure};

/// Run an MCP server behind the guards.
///
/// What the server says is redacted. A call that writes is judged by its paths
/// first; a refused one is answered here and never reaches the server.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The server and its arguments, behind `--`
    #[arg(required = true, last = true, value_name = "COMMAND")]
    command: Vec<String>,
}

/// Runs the command. The server's own exit code is passed on.
pub fn run(arguments: Arguments, context: &mut Context) -> Result<Exit, Failure> {
    let engine = context.engine()?;
    let code = proxy::run(engine, &arguments.command)
        .map_err(|error| Failure::system("the proxy stopped", &std::io::Error::other(error)))?;
    Ok(Exit::Passed(u8::try_from(code).unwrap_or(u8::MAX)))
}
