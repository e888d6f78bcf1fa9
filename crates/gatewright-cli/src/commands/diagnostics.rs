//! `gatewright diagnostics`: what is wrong with a file.

use serde_json::json;

use super::{Context, tool};
use crate::exit::{Exit, Failure};

/// List errors and warnings of a source file.
///
/// Without a language server only the syntax is looked at, and the answer says so.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The path in the workspace
    path: String,

    /// The run whose staged changes are seen
    #[arg(long, value_name = "ID", default_value = "cli")]
    run: String,
}

/// Runs the command.
pub fn run(arguments: Arguments, context: &mut Context) -> Result<Exit, Failure> {
    let input = json!({ "path": arguments.path });
    tool::show("diagnostics", input, arguments.run, context)
}
