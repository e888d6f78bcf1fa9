//! `gatewright edit-file`: text replacements through the pipeline.

use std::path::PathBuf;

use clap::ValueHint;
use gatewright_engine::{Base, Operation};
use gatewright_model::{Digest, RequestedPath, TextEdit};
use serde::Deserialize;

use super::propose::RunArguments;
use super::{Context, outcome};
use crate::exit::{Exit, Failure};
use crate::input;

/// Replace text in a file through the guards.
///
/// Give one replacement with --old and --new, or several as JSON with --edits:
/// a list of {"old_string","new_string","replace_all"}, applied in order.
#[derive(Debug, clap::Args)]
#[command(group = clap::ArgGroup::new("what").required(true).args(["old", "edits"]))]
pub struct Arguments {
    /// The path in the workspace
    path: String,

    /// The text to replace, exactly as it stands in the file
    #[arg(long, value_name = "TEXT", requires = "new", allow_hyphen_values = true)]
    old: Option<String>,

    /// The text to put there
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    new: Option<String>,

    /// Replace every occurrence
    #[arg(long)]
    replace_all: bool,

    /// Several replacements as JSON (`-` for standard input)
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with = "new")]
    edits: Option<PathBuf>,

    /// The digest of the file that this was made against
    #[arg(long, value_name = "DIGEST")]
    expect: Option<Digest>,

    #[command(flatten)]
    run: RunArguments,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct JsonEdit {
    #[serde(alias = "old")]
    old_string: String,
    #[serde(alias = "new")]
    new_string: String,
    #[serde(default)]
    replace_all: bool,
}

/// Runs the command.
pub fn run(arguments: Arguments, context: &mut Context) -> Result<Exit, Failure> {
    let engine = context.engine()?;
    let edits = edits_of(&arguments)?;
    let operation = Operation::Edit {
        path: RequestedPath::new(arguments.path),
        edits,
        base: arguments.expect.map_or(Base::Current, Base::Digest),
    };
    let result = engine.propose(arguments.run.request(vec![operation], context))?;
    Ok(outcome::print(&result, context.output))
}

fn edits_of(arguments: &Arguments) -> Result<Vec<TextEdit>, Failure> {
    if let (Some(old), Some(new)) = (&arguments.old, &arguments.new) {
        let (old, new) = (old.clone(), new.clone());
        return Ok(vec![TextEdit { old, new, replace_all: arguments.replace_all }]);
    }
    let source = arguments.edits.as_deref().unwrap_or(std::path::Path::new("-"));
    let edits: Vec<JsonEdit> = serde_json::from_slice(&input::read(source)?)
        .map_err(|error| Failure::usage(format!("cannot read the edits: {error}"), None))?;
    let edit = |edit: JsonEdit| TextEdit {
        old: edit.old_string,
        new: edit.new_string,
        replace_all: edit.replace_all,
    };
    Ok(edits.into_iter().map(edit).collect())
}
