//! `references`: the uses of a symbol, by a language server or by its name.

use gatewright_engine::{EngineError, ReferenceRow};
use gatewright_model::RequestedPath;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Call, Effect, Tool};
use crate::mcp::answer::{Answer, Loose};

const PAGE: usize = 200;

pub struct References;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Input {
    path: String,
    symbol: String,
    overload: Option<u32>,
    offset: Option<usize>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    #[schemars(with = "Vec<Loose>")]
    references: Vec<Reference>,
    total: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    server: Option<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_offset: Option<usize>,
}

#[derive(Debug, Serialize)]
struct Reference {
    path: String,
    line: usize,
    column: usize,
    text: String,
}

impl Tool for References {
    const NAME: &'static str = "references";
    const TITLE: &'static str = "Uses of a symbol";
    const DESCRIPTION: &'static str = "List where a symbol is used. A language server answers \
        where there is one, else every place with its name; the notes say which.";
    const EFFECT: Effect = Effect::Reads;
    type Input = Input;
    type Output = Output;

    fn run(call: &Call, input: Input) -> Result<Answer<Output>, EngineError> {
        let path = RequestedPath::new(input.path);
        let run_id = &call.caller.run_id;
        let answer = call.engine.references(&path, &input.symbol, input.overload, run_id)?;
        let total = answer.found.len();
        let offset = input.offset.unwrap_or(0);
        let references: Vec<Reference> =
            answer.found.into_iter().skip(offset).take(PAGE).map(wire).collect();
        let end = offset.saturating_add(references.len());
        let next_offset = (end < total && !references.is_empty()).then_some(end);
        let (server, notes) = (answer.server, answer.notes);
        let output = Output { references, total, server, notes, next_offset };
        Ok(Answer::new(words(&output), output))
    }
}

fn wire(row: ReferenceRow) -> Reference {
    Reference { path: row.path, line: row.line, column: row.column, text: row.text }
}

fn words(output: &Output) -> String {
    let mut text: String = output
        .references
        .iter()
        .map(|found| format!("{}:{}: {}\n", found.path, found.line, found.text))
        .collect();
    if let Some(server) = output.server {
        text.push_str(&format!("{} uses, by {server}\n", output.total));
    }
    for note in &output.notes {
        text.push_str(&format!("note: {note}\n"));
    }
    if let Some(next) = output.next_offset {
        text.push_str(&format!("there is more; go on with offset={next}\n"));
    }
    text
}
