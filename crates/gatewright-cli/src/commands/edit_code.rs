//! `gatewright edit-code`: one symbol through the pipeline.

use std::path::PathBuf;

use clap::ValueHint;
use gatewright_engine::{CodeAction, CodeEdit, CodeOutcome};
use gatewright_model::{Digest, ReadyCall, RequestedPath};
use gatewright_server::mcp::code_steps;
use gatewright_server::ready_call;
use serde_json::json;

use super::propose::RunArguments;
use super::{Context, outcome};
use crate::exit::{Exit, Failure};
use crate::input;
use crate::output::harmless;

/// Replace, insert, remove or rename one symbol, and nothing else.
///
/// A rename changes every file that uses the symbol and needs a language
/// server, which it does not trust blindly. The symbol is a name path: `parse`, `Parser/next`, `impl Display for Error/fmt`.
/// `gatewright symbols PATH` lists them.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The symbol; empty for the file itself, to insert first or last in it
    symbol: String,

    /// The path in the workspace
    path: String,

    /// What to do [default: replace, or rename where a new name is given]
    #[arg(long)]
    action: Option<Action>,

    /// The new text
    #[arg(long, value_name = "TEXT", conflicts_with = "body_from", allow_hyphen_values = true)]
    body: Option<String>,

    /// Where the new text comes from (`-` for standard input)
    #[arg(long, value_name = "FILE")]
    body_from: Option<PathBuf>,

    /// With replace: the text is all that the symbol owns; comments and decorators it lacks go
    #[arg(long)]
    whole: bool,

    /// With insert: before, after, first or last; or back, for what was just removed
    #[arg(long, default_value = "after")]
    position: String,

    /// With rename: the new name
    #[arg(long, value_name = "NAME")]
    new_name: Option<String>,

    /// Which of several symbols with that path, from 1
    #[arg(long, value_name = "NUMBER")]
    overload: Option<u32>,

    /// The digest of the symbol or of the file, as you saw it
    #[arg(long, value_name = "DIGEST")]
    expect: Option<Digest>,

    /// More steps on the same file, all or none: the JSON list that a call has as `then`
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    then: Option<PathBuf>,

    #[command(flatten)]
    run: RunArguments,
}

/// What to do with the symbol.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Action {
    /// Give it new text.
    Replace,
    /// Put text beside it or into it.
    Insert,
    /// Take it out.
    Remove,
    /// Give it another name.
    Rename,
}

/// Runs the command.
pub fn run(arguments: Arguments, context: &mut Context) -> Result<Exit, Failure> {
    let engine = context.engine()?;
    let action = action_of(&arguments)?;
    let then = match &arguments.then {
        Some(source) => code_steps(&input::read(source)?)?,
        None => Vec::new(),
    };
    let edit = CodeEdit {
        path: RequestedPath::new(arguments.path),
        symbol: arguments.symbol,
        overload: arguments.overload,
        action,
        expect: arguments.expect,
        then,
    };
    let result = engine.edit_code(&edit, arguments.run.request(Vec::new(), context))?;
    Ok(print(&result, context))
}

fn action_of(arguments: &Arguments) -> Result<CodeAction, Failure> {
    let action = match (arguments.action, &arguments.new_name) {
        (Some(action), Some(_)) if action != Action::Rename => {
            let hint = Some("leave --new-name out, or ask for --action rename");
            return Err(Failure::usage("a new name is given, and no rename asked for", hint));
        }
        (Some(action), _) => action,
        (None, Some(_)) => Action::Rename,
        (None, None) => Action::Replace,
    };
    Ok(match action {
        Action::Remove => CodeAction::Remove,
        Action::Rename => CodeAction::Rename(new_name(arguments)?),
        Action::Replace if arguments.whole => CodeAction::ReplaceWhole(body(arguments)?),
        Action::Replace => CodeAction::Replace(body(arguments)?),
        Action::Insert if arguments.position == "back" => CodeAction::PutBack,
        Action::Insert => {
            CodeAction::Insert { position: arguments.position.clone(), body: body(arguments)? }
        }
    })
}

fn new_name(arguments: &Arguments) -> Result<String, Failure> {
    match (&arguments.new_name, &arguments.body) {
        (Some(_), Some(_)) => {
            let hint = Some("rename first, then give the symbol its new text in a second call");
            Err(Failure::usage("a rename takes a new name and no text", hint))
        }
        (Some(name), None) | (None, Some(name)) => Ok(name.clone()),
        (None, None) => {
            Err(Failure::usage("the new name is missing", Some("give it with --new-name NAME")))
        }
    }
}

fn body(arguments: &Arguments) -> Result<String, Failure> {
    match (&arguments.body, &arguments.body_from) {
        (Some(body), _) => Ok(body.clone()),
        (None, Some(source)) => String::from_utf8(input::read(source)?)
            .map_err(|_| Failure::usage("the body is not UTF-8", None)),
        (None, None) => {
            let hint = Some("give it with --body TEXT or --body-from FILE");
            Err(Failure::usage("the new text is missing", hint))
        }
    }
}

fn print(result: &CodeOutcome, context: &mut Context) -> Exit {
    if context.output.is_json() {
        let mut json = outcome::outcome_json(&result.outcome);
        json["symbol"] = json!(result.symbol);
        json["notes"] = json!(result.notes);
        if let Some(call) = result.put_back.clone() {
            json["undo"] = ready_call::to_json(&ReadyCall::Symbol(call));
        }
        context.output.line(&json.to_string());
        return outcome::exit_of_outcome(&result.outcome);
    }
    for note in &result.notes {
        context.output.line(&format!("note: {}", harmless(note)));
    }
    if result.put_back.is_some() {
        let next = "`--action insert --position back` instead of the removal puts it back";
        context.output.line(&format!("note: {next}"));
    }
    outcome::print(&result.outcome, context.output)
}
