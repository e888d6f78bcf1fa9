//! `gatewright symbols`: the outline of a source file.

use gatewright_model::RequestedPath;
use serde_json::json;

use super::Context;
use crate::exit::{Exit, Failure};
use crate::output::harmless;

/// List the symbols of a source file.
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
    let engine = context.engine()?;
    let symbols = engine.outline(&RequestedPath::new(arguments.path), &arguments.run)?;
    let mut text = String::new();
    for symbol in &symbols {
        let lines = format!("{}-{}", symbol.first_line, symbol.last_line);
        text.push_str(&format!("{lines:>9}  {:<11} {}\n", symbol.kind, harmless(&symbol.path)));
    }
    context.output.emit(&json!({ "symbols": symbols }), &text);
    Ok(Exit::Clean)
}
