//! Code actions: a name that exists, a decision on a hunk.

use std::collections::HashMap;

use gatewright_engine::{Choice, Disposition, Engine, EngineError, Part, UnitDecision};
use lsp_types::{
    CodeAction, CodeActionKind, CodeActionOrCommand, Command, Range, TextEdit, WorkspaceEdit,
};
use serde_json::{Value, json};

use super::Reader;
use super::documents::Document;
use super::position::touch;
use super::told::{Offer, Told};

const ACCEPT: &str = "gatewright.accept";
const REJECT: &str = "gatewright.reject";
const APPLY: &str = "gatewright.apply";

/// The commands that the editor may send back.
pub const COMMANDS: [&str; 3] = [ACCEPT, REJECT, APPLY];

/// The actions on what is told within a range.
pub fn actions(document: &Document, range: &Range) -> Vec<CodeActionOrCommand> {
    let here = document.told.iter().filter(|told| touch(&told.diagnostic.range, range));
    here.flat_map(|told| match &told.offer {
        Offer::Nothing => Vec::new(),
        Offer::Names(names) => fixes(document, told, names),
        Offer::Hunk { .. } => decisions(told),
    })
    .map(CodeActionOrCommand::CodeAction)
    .collect()
}

fn fixes(document: &Document, told: &Told, names: &[String]) -> Vec<CodeAction> {
    let fix = |(at, name): (usize, &String)| CodeAction {
        title: format!("Use `{name}`"),
        kind: Some(CodeActionKind::QUICKFIX),
        diagnostics: Some(vec![told.diagnostic.clone()]),
        edit: Some(replacement(document, told.diagnostic.range, name)),
        is_preferred: Some(at == 0),
        ..CodeAction::default()
    };
    names.iter().enumerate().map(fix).collect()
}

#[expect(clippy::mutable_key_type, reason = "the protocol's own type, keyed by address")]
fn replacement(document: &Document, range: Range, name: &str) -> WorkspaceEdit {
    let edit = TextEdit { range, new_text: name.to_owned() };
    let changes = HashMap::from([(document.uri.clone(), vec![edit])]);
    WorkspaceEdit { changes: Some(changes), ..WorkspaceEdit::default() }
}

fn decisions(told: &Told) -> Vec<CodeAction> {
    let Offer::Hunk { change, path, unit, agent, suggest_only } = &told.offer else {
        return Vec::new();
    };
    let arguments = json!({ "change": change, "path": path, "unit": unit });
    let action = |title: String, command: &str| CodeAction {
        title: title.clone(),
        kind: Some(CodeActionKind::QUICKFIX),
        diagnostics: Some(vec![told.diagnostic.clone()]),
        command: Some(Command {
            title,
            command: command.to_owned(),
            arguments: Some(vec![arguments.clone()]),
        }),
        ..CodeAction::default()
    };
    let reject = action(format!("Reject this hunk of {agent}"), REJECT);
    if *suggest_only {
        return vec![reject];
    }
    vec![
        action(format!("Accept this hunk of {agent} and write all that is accepted"), APPLY),
        action(format!("Accept this hunk of {agent}, write later"), ACCEPT),
        reject,
    ]
}

/// Carries a command out; says what happened.
pub fn carry_out(
    engine: &Engine,
    reader: &Reader,
    command: &str,
    arguments: &[Value],
) -> Result<String, String> {
    if let Some(reason) = &reader.may_not_decide {
        return Err(reason.clone());
    }
    let word = |name: &str| arguments.first().and_then(|value| value[name].as_str());
    let (Some(change), Some(path), Some(unit)) = (word("change"), word("path"), word("unit"))
    else {
        return Err("the command names no hunk".to_owned());
    };
    let part = Part::Unit { path: path.to_owned(), unit: unit.to_owned() };
    let decide = |choice| {
        let decision = UnitDecision { choice, lines: None, comment: None };
        engine.decide(change, &part, Some(decision))
    };
    let done = match command {
        ACCEPT => decide(Choice::Accept).map(|_| "Accepted. It is written when you apply it."),
        REJECT => decide(Choice::Reject).and_then(|_| settle(engine, reader, change)),
        APPLY => decide(Choice::Accept).and_then(|_| apply(engine, reader, change)),
        other => return Err(format!("there is no command {other}")),
    };
    done.map(str::to_owned).map_err(|error| in_words(&error))
}

/// A change of which nothing is left to decide on and nothing is accepted is turned down.
fn settle(engine: &Engine, reader: &Reader, change: &str) -> Result<&'static str, EngineError> {
    let tally = engine.staged(change)?.change.tally();
    if tally.accepted + tally.undecided == 0 {
        engine.reject_staged(change, &reader.name, None)?;
    }
    Ok("Rejected. The agent is told.")
}

/// Nothing that asks for a confirmation is confirmed here: that is for the review page.
fn apply(engine: &Engine, reader: &Reader, change: &str) -> Result<&'static str, EngineError> {
    let outcome = engine.apply_staged(change, &reader.name, false)?;
    Ok(match outcome.disposition {
        Disposition::Applied => "Written, with a receipt.",
        _ => "Not written; the review page says why.",
    })
}

fn in_words(error: &EngineError) -> String {
    match error.hint() {
        Some(hint) => format!("{error}; {hint}"),
        None => error.to_string(),
    }
}
