//! `gatewright read`: a file as an agent sees it.

use gatewright_model::RequestedPath;
use serde_json::json;

use super::Context;
use crate::exit::{Exit, Failure};
use crate::output::harmless;

/// The most lines that are shown unless more are asked for.
const MOST: usize = 1000;

/// Read a file as an agent sees it: redacted, with its digest.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The path in the workspace
    path: String,

    /// The first line, one-based
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    from: usize,

    /// How many lines [default: 1000]
    #[arg(long, value_name = "NUMBER")]
    lines: Option<usize>,

    /// All lines, however many
    #[arg(long, conflicts_with = "lines")]
    all: bool,

    /// The run whose staged changes are seen
    #[arg(long, value_name = "ID", default_value = "cli")]
    run: String,
}

/// Runs the command.
pub fn run(arguments: Arguments, context: &mut Context) -> Result<Exit, Failure> {
    let engine = context.engine()?;
    let view = engine.read_file(&RequestedPath::new(arguments.path), &arguments.run)?;
    let bytes = || String::from_utf8_lossy(&view.state.content);
    let text = view.text().unwrap_or_else(|_| bytes());
    let sealed = engine.egress().seal(&text);
    let total = sealed.as_str().split_inclusive('\n').count();
    let first = arguments.from.max(1);
    let most = if arguments.all { usize::MAX } else { arguments.lines.unwrap_or(MOST) };
    let shown: String = sealed.as_str().split_inclusive('\n').skip(first - 1).take(most).collect();
    let last = total.min(first.saturating_add(most) - 1);
    let next = (last < total).then_some(last + 1);
    let json = json!({
        "path": view.resolved, "digest": view.digest, "staged": view.is_staged,
        "content": shown, "first_line": first, "total_lines": total, "next_line": next,
        "redactions": sealed.counts().to_map(),
    });
    context.output.emit(&json, &harmless(&shown));
    if let (Some(next), None) = (next, arguments.lines) {
        context.output.note(&rest((first, last, total), next));
    }
    Ok(Exit::Clean)
}

/// What is left of a file, and how to see it.
fn rest((first, last, total): (usize, usize, usize), next: usize) -> String {
    format!(
        "lines {first} to {last} of {total}; go on with --from {next}, or --all\n\
         what it defines, with lines: gatewright symbols"
    )
}
