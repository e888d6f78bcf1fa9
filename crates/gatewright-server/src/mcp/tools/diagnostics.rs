//! `diagnostics`: what is wrong with a file, by a language server or by the parse.

use gatewright_engine::EngineError;
use gatewright_engine::languages::lsp::questions::Diagnostic;
use gatewright_model::RequestedPath;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Call, Effect, Tool};
use crate::mcp::answer::{Answer, Loose};

const MOST: usize = 200;

pub struct Diagnostics;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Input {
    path: String,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    #[schemars(with = "Vec<Loose>")]
    diagnostics: Vec<Wire>,
    total: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    server: Option<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

#[derive(Debug, Serialize)]
struct Wire {
    line: usize,
    column: usize,
    severity: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<String>,
    message: String,
}

impl Tool for Diagnostics {
    const NAME: &'static str = "diagnostics";
    const TITLE: &'static str = "Errors of a file";
    const DESCRIPTION: &'static str = "List errors and warnings of a source file, your staged \
        changes included.";
    const EFFECT: Effect = Effect::Reads;
    type Input = Input;
    type Output = Output;

    fn run(call: &Call, input: Input) -> Result<Answer<Output>, EngineError> {
        let path = RequestedPath::new(input.path);
        let answer = call.engine.diagnostics(&path, &call.caller.run_id)?;
        let total = answer.found.len();
        let diagnostics = answer.found.into_iter().take(MOST).map(wire).collect();
        let output = Output { diagnostics, total, server: answer.server, notes: answer.notes };
        Ok(Answer::new(words(path.as_str(), &output), output))
    }
}

fn wire(found: Diagnostic) -> Wire {
    let Diagnostic { line, column, severity, code, message } = found;
    Wire { line, column, severity, code, message }
}

fn words(path: &str, output: &Output) -> String {
    let line = |found: &Wire| {
        let code = found.code.as_ref().map(|code| format!(" [{code}]")).unwrap_or_default();
        let Wire { line, column, severity, message, .. } = found;
        format!("{path}:{line}:{column}: {severity}: {message}{code}\n")
    };
    let mut text: String = output.diagnostics.iter().map(line).collect();
    match output.server {
        Some(server) => text.push_str(&format!("{} findings, by {server}\n", output.total)),
        None => text.push_str(&format!("{} syntax errors\n", output.total)),
    }
    for note in &output.notes {
        text.push_str(&format!("note: {note}\n"));
    }
    text
}
