//! `gatewright references`: where a symbol is used.

use serde_json::json;

use super::{Context, tool};
use crate::exit::{Exit, Failure};

/// List where a symbol is used.
///
/// A language server answers where there is one, else every place that has the
/// name in code; the notes say which.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The symbol, as `gatewright symbols` names it
    symbol: String,

    /// The file of its definition
    path: String,

    /// Which of several symbols with that path, from 1
    #[arg(long, value_name = "NUMBER")]
    overload: Option<u32>,

    /// Uses to skip
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    offset: usize,

    /// The run whose staged changes are seen
    #[arg(long, value_name = "ID", default_value = "cli")]
    run: String,
}

/// Runs the command.
pub fn run(arguments: Arguments, context: &mut Context) -> Result<Exit, Failure> {
    let input = json!({
        "path": arguments.path, "symbol": arguments.symbol,
        "overload": arguments.overload, "offset": arguments.offset,
    });
    tool::show("references", input, arguments.run, context)
}
