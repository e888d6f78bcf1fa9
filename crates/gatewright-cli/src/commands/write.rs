//! `gatewright write`: one whole file through the pipeline.

use std::path::PathBuf;

use gatewright_engine::{Base, Operation};
use gatewright_model::{Digest, RequestedPath};

use super::propose::RunArguments;
use super::{Context, outcome};
use crate::exit::{Exit, Failure};
use crate::input;

/// Write a whole file through the guards.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The path in the workspace
    path: String,

    /// Where the content comes from (`-` for standard input)
    #[arg(long, value_name = "FILE", default_value = "-")]
    from: PathBuf,

    /// The digest of the file that this was made against
    #[arg(long, value_name = "DIGEST", conflicts_with = "create")]
    base: Option<Digest>,

    /// Refuse if there is a file already
    #[arg(long)]
    create: bool,

    #[command(flatten)]
    run: RunArguments,
}

/// Runs the command.
pub fn run(arguments: Arguments, context: &mut Context) -> Result<Exit, Failure> {
    let engine = context.engine()?;
    let content = input::read(&arguments.from)?;
    let path = RequestedPath::new(arguments.path);
    let operation = if arguments.create {
        Operation::Create { path, content, executable: false }
    } else {
        let base = arguments.base.map_or(Base::Current, Base::Digest);
        Operation::Write { path, content, base }
    };
    let request = arguments.run.request(vec![operation], context);
    let result = engine.propose(request)?;
    Ok(outcome::print(&result, context.output))
}
