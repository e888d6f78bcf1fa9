//! `gatewright mcp`: the MCP server on standard input and output.

use std::path::PathBuf;

use super::Context;
use crate::exit::{Exit, Failure};

/// Serve the tools of this folder over MCP, on standard input and output.
///
/// The folder is `--root`, else the one that the agent names in
/// CLAUDE_PROJECT_DIR, else the current one. No request changes it.
#[derive(Debug, clap::Args)]
pub struct Arguments {}

/// Runs the command.
pub fn run(_arguments: Arguments, context: &mut Context) -> Result<Exit, Failure> {
    let project = context.environment.get("CLAUDE_PROJECT_DIR").map(PathBuf::from);
    let engine = context.engine_for(project)?;
    gatewright_server::mcp::serve_stdio(engine).map_err(|error| {
        Failure::system("the MCP server stopped", &std::io::Error::other(error))
    })?;
    Ok(Exit::Clean)
}
