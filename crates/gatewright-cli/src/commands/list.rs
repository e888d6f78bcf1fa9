//! `gatewright list`: what a directory holds.

use serde_json::json;

use super::{Context, tool};
use crate::exit::{Exit, Failure};

/// List a directory, as an agent would see it.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The directory [default: the root]
    path: Option<String>,

    /// Entries to skip
    #[arg(long, value_name = "NUMBER")]
    offset: Option<usize>,

    /// The run whose staged changes are seen
    #[arg(long, value_name = "ID", default_value = "cli")]
    run: String,
}

/// Runs the command.
pub fn run(arguments: Arguments, context: &mut Context) -> Result<Exit, Failure> {
    let input = json!({ "path": arguments.path, "offset": arguments.offset });
    tool::show("list_dir", input, arguments.run, context)
}
