//! `gatewright proxy`: any MCP server, with the guards before it.

use gatewright_server::wiring::proxy::{self, Rules};

use super::Context;
use crate::exit::{Exit, Failure};

/// Run an MCP server behind the guards.
///
/// What the server says is redacted. A call that writes is judged by its paths
/// first; a refused one is answered here and never reaches the server.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// A tool that writes, whatever it says of itself; may be given several times
    #[arg(long, value_name = "TOOL")]
    writes: Vec<String>,
    /// An argument that holds a path, whatever its name; may be given several times
    #[arg(long, value_name = "NAME")]
    path_argument: Vec<String>,
    /// The server and its arguments, behind `--`
    #[arg(required = true, last = true, value_name = "COMMAND")]
    command: Vec<String>,
}

/// Runs the command. The server's own exit code is passed on.
pub fn run(arguments: Arguments, context: &mut Context) -> Result<Exit, Failure> {
    let engine = context.engine()?;
    let told = engine.config_now().merged.proxy.clone();
    let rules = Rules {
        writing_tools: [told.writes, arguments.writes].concat(),
        path_arguments: [told.path_arguments, arguments.path_argument].concat(),
    };
    let code = proxy::run(engine, rules, &arguments.command)
        .map_err(|error| Failure::system("the proxy stopped", &std::io::Error::other(error)))?;
    Ok(Exit::Passed(u8::try_from(code).unwrap_or(u8::MAX)))
}
