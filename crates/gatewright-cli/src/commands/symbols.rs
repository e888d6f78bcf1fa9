//! `gatewright symbols`: the outline of a source file, or the symbols of a directory by name.

use gatewright_engine::{Engine, SymbolQuery};
use gatewright_model::RequestedPath;
use serde_json::json;

use super::Context;
use crate::exit::{Exit, Failure};
use crate::output::harmless;

/// List the symbols of a source file, or find symbols by name.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// A file; or a directory [default: the root]
    #[arg(default_value = ".")]
    path: String,

    /// Part of the name, in a directory
    #[arg(long, value_name = "TEXT")]
    name: Option<String>,

    /// In a directory: how many
    #[arg(long, value_name = "NUMBER", default_value_t = 400)]
    limit: usize,

    /// In a directory: symbols to skip
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    offset: usize,

    /// The run whose staged changes are seen
    #[arg(long, value_name = "ID", default_value = "cli")]
    run: String,
}

/// Runs the command.
pub fn run(arguments: Arguments, context: &mut Context) -> Result<Exit, Failure> {
    let engine = context.engine()?;
    if engine.layout().root.join(&arguments.path).is_dir() {
        return of_directory(&arguments, &engine, context);
    }
    let symbols = engine.outline(&RequestedPath::new(arguments.path), &arguments.run)?;
    let mut text = String::new();
    for symbol in symbols.iter() {
        let lines = format!("{}-{}", symbol.first_line, symbol.last_line);
        text.push_str(&format!("{lines:>9}  {:<11} {}\n", symbol.kind, harmless(&symbol.path)));
    }
    context.output.emit(&json!({ "symbols": symbols }), &text);
    Ok(Exit::Clean)
}

fn of_directory(
    arguments: &Arguments,
    engine: &Engine,
    context: &mut Context,
) -> Result<Exit, Failure> {
    let parts = arguments.path.split('/').filter(|part| !matches!(*part, "" | "."));
    let query = SymbolQuery {
        name: arguments.name.clone().unwrap_or_default(),
        under: parts.collect::<Vec<_>>().join("/"),
        offset: arguments.offset,
        limit: arguments.limit,
    };
    let (found, has_more) = engine.find_symbols(&query, &arguments.run)?;
    let mut text = String::new();
    for symbol in &found {
        let place = format!("{}:{}", symbol.file, symbol.row.first_line);
        let name = harmless(&symbol.row.path);
        text.push_str(&format!("{}  {} {name}\n", harmless(&place), symbol.row.kind));
    }
    let next = arguments.offset + found.len();
    if found.is_empty() {
        context.output.note("no symbol fits");
    }
    if has_more {
        text.push_str(&format!("there is more; go on with --offset {next}\n"));
    }
    let rows: Vec<_> =
        found.iter().map(|symbol| json!({ "file": symbol.file, "symbol": symbol.row })).collect();
    let next_offset = has_more.then_some(next);
    context.output.emit(&json!({ "symbols": rows, "next_offset": next_offset }), &text);
    Ok(Exit::Clean)
}
