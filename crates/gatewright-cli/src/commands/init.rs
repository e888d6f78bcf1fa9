//! `gatewright init`: set this folder up and say how to wire agents.

use serde_json::json;

use super::Context;
use crate::exit::{Exit, Failure};

/// Set this folder up and say how to wire agents.
#[derive(Debug, clap::Args)]
pub struct Arguments {}

/// Runs the command.
pub fn run(_arguments: Arguments, context: &mut Context) -> Result<Exit, Failure> {
    let engine = context.engine()?;
    let layout = engine.layout();
    let autonomy = engine.autonomy()?;
    let json = json!({
        "root": layout.root,
        "workspace_id": layout.workspace_id,
        "state": layout.state,
        "mode": autonomy.mode,
    });
    let text = format!(
        "guarding {}\n  mode      {}\n  receipts  {}\n  next      gatewright doctor\n",
        layout.root.display(),
        autonomy.mode,
        layout.database.display(),
    );
    context.output.emit(&json, &text);
    Ok(Exit::Clean)
}
