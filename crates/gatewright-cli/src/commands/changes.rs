//! `gatewright changes`: what is staged, and what became of it.

use gatewright_engine::{StagedChange, StagedView, Unit};
use gatewright_model::unified_hunk;
use serde_json::{Value, json};

use super::{Context, outcome};
use crate::exit::{Exit, Failure};
use crate::output::{Colour, Output, harmless};
use crate::render::diff;

/// List staged changes, or show one.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The change to show; a unique beginning of its id will do
    id: Option<String>,

    /// Also list what is no longer open
    #[arg(long)]
    all: bool,
}

/// Runs the command.
pub fn run(arguments: Arguments, context: &mut Context) -> Result<Exit, Failure> {
    let engine = context.engine()?;
    if let Some(id) = arguments.id {
        let view = engine.staged(&id)?;
        let text = view_text(&view, context.output);
        context.output.emit(&view_json(&view), &text);
        return Ok(Exit::Clean);
    }
    let changes: Vec<(StagedChange, String)> = engine
        .all_changes()?
        .into_iter()
        .filter(|(_, state)| arguments.all || state == "open")
        .collect();
    let json: Vec<Value> = changes.iter().map(|(change, state)| row_json(change, state)).collect();
    let mut text: String =
        changes.iter().map(|(change, state)| row_text(change, state, context.output)).collect();
    if changes.is_empty() {
        text = "nothing is staged\n".to_owned();
    }
    context.output.emit(&json!({ "changes": json }), &text);
    Ok(Exit::Clean)
}

fn row_json(change: &StagedChange, state: &str) -> Value {
    json!({
        "id": change.id,
        "state": state,
        "run_id": change.run_id,
        "agent": change.agent,
        "created": change.created,
        "receipt_id": change.receipt_id,
        "suggest_only": change.suggest_only,
        "files": change.files.iter().map(|file| file.resolved.as_str()).collect::<Vec<_>>(),
        "tally": change.tally(),
        "findings": change.findings,
    })
}

fn row_text(change: &StagedChange, state: &str, output: &Output) -> String {
    let tally = change.tally();
    let files: Vec<String> =
        change.files.iter().map(|file| harmless(file.resolved.as_str())).collect();
    format!(
        "{}  {state}  {}  {} accepted, {} rejected, {} undecided  {}\n",
        output.paint(Colour::Bold, outcome::short_id(&change.id)),
        harmless(&change.agent.name),
        tally.accepted,
        tally.rejected,
        tally.undecided,
        files.join(" "),
    )
}

fn view_json(view: &StagedView) -> Value {
    let files: Vec<Value> = view
        .change
        .files
        .iter()
        .map(|file| {
            let units: Vec<Value> = file
                .units()
                .iter()
                .map(|unit| {
                    let decision = file.decisions.get(unit.id());
                    match unit {
                        Unit::Hunk { id, hunk } => {
                            json!({ "id": id, "hunk": unified_hunk(hunk), "decision": decision })
                        }
                        Unit::Whole { id, label } => {
                            json!({ "id": id, "label": label, "decision": decision })
                        }
                    }
                })
                .collect();
            json!({ "requested": file.requested, "path": file.resolved, "units": units })
        })
        .collect();
    let mut json = row_json(&view.change, &view.state);
    json["version"] = json!(view.version);
    json["verdict"] = json!(view.checked.verdict);
    json["guards"] = json!(view.checked.guards);
    json["findings"] = json!(view.checked.findings);
    json["files"] = json!(files);
    let conflicts: Vec<&str> = view.conflicts.iter().map(|c| c.path.as_str()).collect();
    json["conflicts"] = json!(conflicts);
    json
}

fn view_text(view: &StagedView, output: &Output) -> String {
    let mut text = row_text(&view.change, &view.state, output);
    text.push_str(&outcome::findings_text(&view.checked.findings, output));
    for conflict in &view.conflicts {
        let path = harmless(conflict.path.as_str());
        let line = format!("{path} changed on disk since it was staged");
        text.push_str(&format!("  {}\n", output.paint(Colour::Red, &line)));
    }
    for file in &view.change.files {
        text.push_str(&format!("\n{}\n", diff::file_heading(file, output)));
        for unit in file.units() {
            text.push_str(&diff::unit_text(&unit, file.decisions.get(unit.id()), output));
        }
    }
    text
}
