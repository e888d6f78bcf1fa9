//! `gatewright propose`: a change set through the whole pipeline.

use std::path::PathBuf;

use gatewright_engine::{Request, intake};
use gatewright_model::{Autonomy, Mode};

use super::{Context, outcome};
use crate::exit::{Exit, Failure};
use crate::input;

/// Propose a change: it is judged, then applied, staged or refused.
///
/// CHANGE is a JSON change set, a unified diff, or the `*** Begin Patch` form.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The change (`-` for standard input)
    #[arg(value_name = "CHANGE", default_value = "-")]
    change: PathBuf,

    #[command(flatten)]
    run: RunArguments,
}

/// What a proposal through the command line may say about its run.
#[derive(Debug, clap::Args)]
pub struct RunArguments {
    /// The run that the change belongs to; its staged changes build on each other
    #[arg(long, value_name = "ID", default_value = "cli")]
    pub run: String,

    /// Be stricter than the workspace for this change (manual, hybrid, autonomous)
    #[arg(long, value_name = "MODE")]
    pub mode: Option<Mode>,

    /// Stage the change so that it can be looked at but never applied
    #[arg(long)]
    pub suggest_only: bool,
}

impl RunArguments {
    /// The request for these operations.
    pub fn request(
        &self,
        operations: Vec<gatewright_engine::Operation>,
        context: &Context,
    ) -> Request {
        let mode = self.mode.unwrap_or(Mode::Autonomous);
        Request {
            agent: context.agent(),
            run_id: self.run.clone(),
            autonomy: Some(Autonomy { mode, suggest_only: self.suggest_only }),
            operations,
        }
    }
}

/// Runs the command.
pub fn run(arguments: Arguments, context: &mut Context) -> Result<Exit, Failure> {
    let engine = context.engine()?;
    let operations = intake::parse_any(&input::read(&arguments.change)?)?;
    let request = arguments.run.request(operations, context);
    let result = engine.propose(request)?;
    Ok(outcome::print(&result, context.output))
}
