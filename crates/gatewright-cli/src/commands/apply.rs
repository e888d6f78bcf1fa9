//! `gatewright apply`: write what a person accepted.

use gatewright_engine::{Choice, Part, UnitDecision};

use super::{Context, outcome};
use crate::exit::{Exit, Failure};
use crate::person;

/// Apply what was accepted of a staged change.
///
/// An undecided hunk is not accepted. `--all` accepts everything first;
/// `--accept` and `--reject` decide on single files or hunks.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The staged change; a unique beginning of its id will do
    id: String,

    /// Accept everything that is undecided
    #[arg(long)]
    all: bool,

    /// Accept a file, or a hunk as PATH:HUNK
    #[arg(long, value_name = "PART")]
    accept: Vec<String>,

    /// Reject a file, or a hunk as PATH:HUNK
    #[arg(long, value_name = "PART")]
    reject: Vec<String>,

    /// Reject the whole change instead of applying it
    #[arg(long, conflicts_with_all = ["all", "accept", "confirm"])]
    reject_all: bool,

    /// Words for the agent, with a rejection
    #[arg(long, value_name = "TEXT")]
    comment: Option<String>,

    /// Confirm what a guard asks a person to confirm
    #[arg(long)]
    confirm: bool,
}

/// Runs the command.
pub fn run(arguments: Arguments, context: &mut Context) -> Result<Exit, Failure> {
    person::require(context.environment, "approving a change")?;
    let engine = context.engine()?;
    let reviewer = context.environment.user();
    let id = engine.staged(&arguments.id)?.change.id;
    if arguments.reject_all {
        let result = engine.reject_staged(&id, &reviewer, arguments.comment.as_deref())?;
        return Ok(outcome::print(&result, context.output));
    }
    let decide = |choice, comment: Option<String>, part: &Part| {
        engine.decide(&id, part, Some(UnitDecision { choice, lines: None, comment }))
    };
    if arguments.all {
        accept_undecided(&engine, &id)?;
    }
    for part in &arguments.accept {
        decide(Choice::Accept, None, &part_of(part))?;
    }
    for part in &arguments.reject {
        decide(Choice::Reject, arguments.comment.clone(), &part_of(part))?;
    }
    let result = engine.apply_staged(&id, &reviewer, arguments.confirm)?;
    Ok(outcome::print(&result, context.output))
}

fn accept_undecided(engine: &gatewright_engine::Engine, id: &str) -> Result<(), Failure> {
    let accept = UnitDecision { choice: Choice::Accept, lines: None, comment: None };
    for file in engine.staged(id)?.change.files {
        for unit in file.units() {
            if !file.decisions.contains_key(unit.id()) {
                let part =
                    Part::Unit { path: file.resolved.to_string(), unit: unit.id().0.clone() };
                engine.decide(id, &part, Some(accept.clone()))?;
            }
        }
    }
    Ok(())
}

/// `PATH` or `PATH:HUNK`; a hunk id never holds a colon, a path may.
fn part_of(text: &str) -> Part {
    match text.rsplit_once(':') {
        Some((path, unit)) if !unit.is_empty() && !unit.contains('/') => {
            Part::Unit { path: path.to_owned(), unit: unit.to_owned() }
        }
        _ => Part::File(text.to_owned()),
    }
}
