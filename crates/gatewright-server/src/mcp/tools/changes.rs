//! `changes`: what this run has staged, and what people said of it.

use gatewright_engine::{EngineError, StagedChange, StagedFile};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Call, Effect, Tool};
use crate::mcp::answer::{Answer, Loose};
use crate::review_state::units_of;

const PAGE: usize = 20;

pub struct Changes;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Input {
    change_id: Option<String>,
    /// Show the hunks as diffs
    #[serde(default)]
    diffs: bool,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Output {
    pub changes: Vec<WireChange>,
}

/// A staged change on the wire.
#[derive(Debug, Serialize, JsonSchema)]
pub struct WireChange {
    change_id: String,
    state: String,
    #[schemars(with = "Vec<Loose>")]
    files: Vec<WireFile>,
    /// What a language server says of the references
    #[serde(skip_serializing_if = "Option::is_none")]
    second_witness: Option<String>,
}

#[derive(Debug, Serialize)]
struct WireFile {
    path: String,
    hunks: Vec<WireHunk>,
}

#[derive(Debug, Serialize)]
struct WireHunk {
    id: String,
    decision: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    comment: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    diff: Option<String>,
}

impl Tool for Changes {
    const NAME: &'static str = "changes";
    const TITLE: &'static str = "List your changes";
    const DESCRIPTION: &'static str = "What you have staged in this session, newest first: state \
        (open, applied, rejected, superseded), and for each hunk whether it was accepted, \
        rejected or is undecided, with the reviewer's comment.";
    const EFFECT: Effect = Effect::Reads;
    type Input = Input;
    type Output = Output;

    fn run(call: &Call, input: Input) -> Result<Answer<Output>, EngineError> {
        let mut changes = call.engine.all_changes()?;
        changes.retain(|(change, _)| {
            let is_asked = input.change_id.as_ref().is_none_or(|id| *id == change.id);
            change.run_id == call.caller.run_id && is_asked
        });
        if let (Some(id), true) = (input.change_id, changes.is_empty()) {
            return Err(EngineError::NoSuchChange { id });
        }
        let witness = call.engine.witness_words(&call.caller.run_id)?;
        let changes: Vec<WireChange> = changes
            .iter()
            .rev()
            .take(PAGE)
            .map(|(change, state)| WireChange {
                second_witness: witness.get(&change.receipt_id).map(|text| text.trim().to_owned()),
                ..wire_change(change, state, input.diffs)
            })
            .collect();
        let text: String = changes.iter().map(words).collect();
        let text = if text.is_empty() { "nothing is staged\n".to_owned() } else { text };
        Ok(Answer::new(text, Output { changes }))
    }
}

/// A change for programs.
pub fn wire_change(change: &StagedChange, state: &str, diffs: bool) -> WireChange {
    let file = |file: &StagedFile| WireFile {
        path: file.resolved.to_string(),
        hunks: units_of(file)
            .into_iter()
            .map(|unit| WireHunk {
                id: unit.id,
                // What was left open when the rest was settled is not accepted.
                decision: unit.decision,
                comment: unit.comment,
                diff: diffs.then_some(unit.text),
            })
            .collect(),
    };
    WireChange {
        change_id: change.id.clone(),
        state: state.to_owned(),
        files: change.files.iter().map(file).collect(),
        second_witness: None,
    }
}

/// A change for a model.
pub fn words(change: &WireChange) -> String {
    let mut text = format!("{} {}\n", change.change_id, change.state);
    if let Some(word) = &change.second_witness {
        text.push_str(&format!("  {word}\n"));
    }
    for file in &change.files {
        for hunk in &file.hunks {
            text.push_str(&format!("  {} {} {}", file.path, hunk.id, hunk.decision));
            if let Some(comment) = &hunk.comment {
                text.push_str(&format!(": {comment}"));
            }
            text.push('\n');
            if let Some(diff) = &hunk.diff {
                text.push_str(diff);
                text.push('\n');
            }
        }
    }
    text
}
