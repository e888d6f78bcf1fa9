//! `gatewright search`: lines that match, as an agent would see them.

use serde_json::json;

use super::{Context, tool};
use crate::exit::{Exit, Failure};

/// Find lines in the files of the folder, as an agent would see them.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Plain text, unless --regex
    pattern: String,

    /// A directory or file
    path: Option<String>,

    /// The pattern is a regular expression
    #[arg(long)]
    regex: bool,

    /// Capital and small letters are the same
    #[arg(long)]
    ignore_case: bool,

    /// Only files that match, such as `**/*.rs`
    #[arg(long, value_name = "GLOB")]
    glob: Option<String>,

    /// How many lines
    #[arg(long, value_name = "NUMBER")]
    limit: Option<usize>,

    /// Lines to skip
    #[arg(long, value_name = "NUMBER")]
    offset: Option<usize>,

    /// The run whose staged changes are seen
    #[arg(long, value_name = "ID", default_value = "cli")]
    run: String,
}

/// Runs the command.
pub fn run(arguments: Arguments, context: &mut Context) -> Result<Exit, Failure> {
    let input = json!({
        "pattern": arguments.pattern, "path": arguments.path, "regex": arguments.regex,
        "ignore_case": arguments.ignore_case, "glob": arguments.glob,
        "limit": arguments.limit, "offset": arguments.offset,
    });
    tool::show("search", input, arguments.run, context)
}
