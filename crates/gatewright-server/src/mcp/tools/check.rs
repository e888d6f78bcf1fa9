//! `check`: what the guards would say, and nothing else.

use gatewright_engine::{Base, EngineError, Operation, intake};
use gatewright_model::RequestedPath;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::change::{EditInput, EditPart, content_of, edit_operations};
use super::{Call, Effect, Tool};
use crate::mcp::answer::{Answer, Loose, WireFinding, push_findings, wire_findings};

pub struct Check;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// With content, or with old_string and new_string or edits
    path: Option<String>,
    content: Option<String>,
    old_string: Option<String>,
    new_string: Option<String>,
    #[serde(default)]
    replace_all: bool,
    /// As for edit_file
    #[schemars(with = "Option<Vec<Loose>>")]
    edits: Option<Vec<EditPart>>,
    /// Instead: a unified diff or a `*** Begin Patch` text
    diff: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    verdict: &'static str,
    #[schemars(with = "Vec<Loose>")]
    findings: Vec<WireFinding>,
}

impl Tool for Check {
    const NAME: &'static str = "check";
    const TITLE: &'static str = "Check a change";
    const DESCRIPTION: &'static str = "Judge a write, an edit or a diff without proposing it: \
        verdict (pass, warn, confirm, refuse) and findings. Nothing is written, staged or recorded.";
    const EFFECT: Effect = Effect::Reads;
    type Input = Input;
    type Output = Output;

    fn run(call: &Call, input: Input) -> Result<Answer<Output>, EngineError> {
        let checked = call.engine.check(&call.request(operations(input)?))?;
        let mut text = format!("verdict: {}", checked.verdict);
        push_findings(&mut text, &checked.findings);
        let output = Output {
            verdict: checked.verdict.as_str(),
            findings: wire_findings(&checked.findings),
        };
        Ok(Answer::new(text, output))
    }
}

fn operations(input: Input) -> Result<Vec<Operation>, EngineError> {
    let base = Base::Current;
    match (input.path, input.content, input.diff) {
        (None, None, Some(diff)) => intake::parse_patch(diff.as_bytes()),
        (Some(path), Some(content), None) if input.old_string.is_none() => {
            let content = content_of(Some(content), None)?;
            Ok(vec![Operation::Write { path: RequestedPath::new(path), content, base }])
        }
        (path, None, None) => edit_operations(EditInput {
            path,
            old_string: input.old_string,
            new_string: input.new_string,
            replace_all: input.replace_all,
            edits: input.edits,
            expect: None,
        }),
        _ => Err(EngineError::Json {
            message: "give path and content, path and edits, or diff".to_owned(),
        }),
    }
}
