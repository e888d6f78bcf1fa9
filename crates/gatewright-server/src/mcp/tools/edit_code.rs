//! `edit_code`: one symbol, and nothing else.

use gatewright_engine::languages::syntax::detect;
use gatewright_engine::{CodeAction, CodeEdit, CodeStep, EngineError};
use gatewright_model::{RequestedPath, TextEdit};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::{Call, Effect, Tool};
use crate::mcp::answer::{Answer, ChangeAnswer, Loose, of_outcome};

pub struct EditCode;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// Name path, such as Parser/next; empty: the file
    symbol: String,
    path: String,
    action: Action,
    /// New text, for replace and insert
    body: Option<String>,
    /// Insert: default after; back undoes a removal
    position: Option<Place>,
    /// Replace all it owns: comments and decorators the body lacks go
    #[serde(default)]
    whole: bool,
    /// Which of several, from 1
    overload: Option<u32>,
    new_name: Option<String>,
    /// Digest of symbol or file
    expect: Option<String>,
    /// More steps, all or none
    #[serde(default)]
    #[schemars(with = "Vec<Loose>")]
    then: Vec<Step>,
}

/// Another symbol of the file, or `old_string` and `new_string` outside of any.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Step {
    symbol: Option<String>,
    action: Option<Action>,
    body: Option<String>,
    position: Option<Place>,
    #[serde(default)]
    whole: bool,
    overload: Option<u32>,
    old_string: Option<String>,
    new_string: Option<String>,
}

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Action {
    Replace,
    Insert,
    Remove,
    Rename,
}

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Place {
    Before,
    After,
    First,
    Last,
    Back,
}

impl Tool for EditCode {
    const NAME: &'static str = "edit_code";
    const TITLE: &'static str = "Edit a symbol";
    const DESCRIPTION: &'static str = "Replace, insert beside or into, remove or rename a \
        symbol (function, class …). The parser knows its exact range with comments and \
        decorators; nothing else changes.";
    const EFFECT: Effect = Effect::Changes;
    type Input = Input;
    type Output = ChangeAnswer;

    fn run(call: &Call, input: Input) -> Result<Answer<ChangeAnswer>, EngineError> {
        let expect =
            input.expect.as_deref().map(str::parse).transpose().map_err(|_| EngineError::Json {
                message: "expect takes a digest of symbols or read_file".to_owned(),
            })?;
        let action = action_of(input.action, input.body, input.position, input.new_name)?;
        let edit = CodeEdit {
            action: whole_of(action, input.whole),
            path: RequestedPath::new(input.path),
            symbol: input.symbol,
            overload: input.overload,
            expect,
            then: input.then.into_iter().map(step_of).collect::<Result<_, _>>()?,
        };
        let edited = call.engine.edit_code(&edit, call.request(Vec::new()))?;
        let answer = of_outcome(&edited.outcome).noting(&edited.symbol, edited.notes);
        Ok(answer.undoing(edited.put_back))
    }
}

/// Whether no language server can keep the call waiting: neither for a rename nor as a witness.
pub fn is_short(call: &Call, arguments: &Value) -> bool {
    let text = |key: &str| arguments.get(key).and_then(Value::as_str);
    let language = text("path").and_then(|path| detect(path, b""));
    let is_alone = |language| call.engine.language_servers().spec(language).is_err();
    text("action") != Some("rename") && language.is_some_and(is_alone)
}

fn whole_of(action: CodeAction, is_whole: bool) -> CodeAction {
    match action {
        CodeAction::Replace(body) if is_whole => CodeAction::ReplaceWhole(body),
        action => action,
    }
}

/// The further steps of a call, as its `then` spells them.
pub fn steps_of(json: &[u8]) -> Result<Vec<CodeStep>, EngineError> {
    let steps: Vec<Step> = serde_json::from_slice(json).map_err(|error| EngineError::Json {
        message: format!("cannot read the steps: {error}"),
    })?;
    steps.into_iter().map(step_of).collect()
}

fn step_of(step: Step) -> Result<CodeStep, EngineError> {
    match (step.symbol, step.action, step.old_string, step.new_string) {
        (Some(symbol), Some(action), None, None) => {
            let action = action_of(action, step.body, step.position, None)?;
            let action = whole_of(action, step.whole);
            Ok(CodeStep::Symbol { symbol, overload: step.overload, action })
        }
        (None, None, Some(old), Some(new)) => {
            Ok(CodeStep::Text(TextEdit { old, new, replace_all: false }))
        }
        _ => {
            let message = "a step takes symbol and action, or old_string and new_string";
            Err(EngineError::Json { message: message.to_owned() })
        }
    }
}

fn action_of(
    action: Action,
    body: Option<String>,
    place: Option<Place>,
    new_name: Option<String>,
) -> Result<CodeAction, EngineError> {
    let missing = |what: &str| EngineError::Json { message: format!("{action:?} needs {what}") };
    Ok(match action {
        Action::Replace => CodeAction::Replace(body.ok_or_else(|| missing("body"))?),
        Action::Remove => CodeAction::Remove,
        Action::Rename => CodeAction::Rename(new_name.ok_or_else(|| missing("new_name"))?),
        Action::Insert => {
            let position = match place.unwrap_or(Place::After) {
                Place::Back => return Ok(CodeAction::PutBack),
                Place::Before => "before",
                Place::After => "after",
                Place::First => "first",
                Place::Last => "last",
            };
            let body = body.ok_or_else(|| missing("body"))?;
            CodeAction::Insert { position: position.to_owned(), body }
        }
    })
}
