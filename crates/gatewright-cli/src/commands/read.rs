//! `gatewright read`: a file as an agent sees it.

use gatewright_model::RequestedPath;
use serde_json::json;

use super::Context;
use crate::exit::{Exit, Failure};
use crate::output::harmless;

/// Read a file as an agent sees it: redacted, with its digest.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The path in the workspace
    path: String,

    /// The first line, one-based
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    from: usize,

    /// How many lines
    #[arg(long, value_name = "NUMBER")]
    lines: Option<usize>,

    /// The run whose staged changes are seen
    #[arg(long, value_name = "ID", default_value = "cli")]
    run: String,
}

/// Runs the command.
pub fn run(arguments: Arguments, context: &mut Context) -> Result<Exit, Failure> {
    let engine = context.engine()?;
    let view = engine.read_file(&RequestedPath::new(arguments.path), &arguments.run)?;
    let text = String::from_utf8_lossy(&view.state.content);
    let sealed = engine.egress().seal(&text);
    let total = sealed.as_str().split_inclusive('\n').count();
    let first = arguments.from.max(1);
    let shown: String = sealed
        .as_str()
        .split_inclusive('\n')
        .skip(first - 1)
        .take(arguments.lines.unwrap_or(usize::MAX))
        .collect();
    let json = json!({
        "path": view.resolved, "digest": view.digest, "staged": view.is_staged,
        "content": shown, "first_line": first, "total_lines": total,
        "redactions": sealed.counts().to_map(),
    });
    context.output.emit(&json, &harmless(&shown));
    Ok(Exit::Clean)
}
