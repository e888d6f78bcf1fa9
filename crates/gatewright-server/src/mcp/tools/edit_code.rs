//! `edit_code`: one symbol, and nothing else.

use gatewright_engine::languages::syntax::detect;
use gatewright_engine::{CodeAction, CodeEdit, EngineError};
use gatewright_model::RequestedPath;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::{Call, Effect, Tool};
use crate::mcp::answer::{Answer, ChangeAnswer, of_outcome};

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
    /// For insert; default after; back undoes a removal
    position: Option<Place>,
    /// Replace: body is all the symbol owns; comments and decorators it lacks go
    #[serde(default)]
    whole: bool,
    /// Which of several, from 1
    overload: Option<u32>,
    new_name: Option<String>,
    /// Digest of the symbol or the file
    expect: Option<String>,
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
    const DESCRIPTION: &'static str = "Replace, insert beside or into, remove or rename one \
        symbol of a source file (function, class, method …). The parser knows the exact range, \
        comments and decorators included; nothing else changes.";
    const EFFECT: Effect = Effect::Changes;
    type Input = Input;
    type Output = ChangeAnswer;

    fn run(call: &Call, input: Input) -> Result<Answer<ChangeAnswer>, EngineError> {
        let expect =
            input.expect.as_deref().map(str::parse).transpose().map_err(|_| EngineError::Json {
                message: "expect takes a digest of symbols or read_file".to_owned(),
            })?;
        let edit = CodeEdit {
            action: match action_of(input.action, input.body, input.position, input.new_name)? {
                CodeAction::Replace(body) if input.whole => CodeAction::ReplaceWhole(body),
                action => action,
            },
            path: RequestedPath::new(input.path),
            symbol: input.symbol,
            overload: input.overload,
            expect,
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
