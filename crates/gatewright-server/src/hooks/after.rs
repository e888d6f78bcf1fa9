//! After a tool ran: what it changed is looked at, and its output goes back without secrets.
//!
//! What a tool wrote by itself is either what a hook allowed or unguarded; both
//! leave a receipt. Looking never changes the answer.

use gatewright_engine::{Engine, Witness};
use gatewright_model::Door;
use serde_json::{Value, json};

use super::event::{Event, Host, text};
use super::notes;
use super::reply::{self, Reply};
use super::tool_call::COMMAND;
use super::tool_kind;
use super::verdict::Decision;

/// How much of a command a receipt shows.
const SHOWN: usize = 160;

/// Records what a tool changed without passing a door, and confirms what was allowed.
pub fn look(engine: &Engine, event: &Event) {
    if tool_kind::may_have_written(event) {
        // A tree that cannot be looked at now is looked at by the next call.
        let _ = engine.notice_changes(&witness(event));
    }
}

fn witness(event: &Event) -> Witness {
    let command = text(&event.input, COMMAND);
    let during = match command {
        Some(command) => format!("{} `{}`", event.tool, command.trim()),
        None => event.tool.clone(),
    };
    let during = during.chars().take(SHOWN).collect();
    Witness { agent: event.agent(Door::Unguarded), run_id: event.run_id(), during: Some(during) }
}

/// The answer to an event that follows a tool.
pub fn reply(engine: &Engine, event: &Event) -> Reply {
    let neutral = || reply::of(event, &Decision::Neutral);
    let Some(output) = &event.output else { return neutral() };
    let redacted = engine.egress().redactor().redact_json(output.clone());
    let is_clean = redacted.counts().is_empty();
    let output = redacted.into_inner();
    let output = match notes::take(engine, event) {
        Some(note) => Value::String(format!("{note}\n\n{}", words(&output))),
        None if is_clean => return neutral(),
        None => output,
    };
    match replaced(event, output) {
        Some(answer) => Reply::json(answer),
        None => neutral(),
    }
}

/// The redacted output in the host's own field.
fn replaced(event: &Event, output: Value) -> Option<Value> {
    match event.host {
        Host::ClaudeCode => Some(json!({
            "hookSpecificOutput": { "hookEventName": "PostToolUse", "updatedToolOutput": output }
        })),
        Host::Codex => Some(json!({ "decision": "block", "reason": words(&output) })),
        Host::Gemini => Some(json!({ "decision": "deny", "reason": words(&output) })),
        Host::OpenCode => Some(json!({ "decision": "allow", "output": words(&output) })),
        Host::Copilot => Some(json!({
            "modifiedResult": { "resultType": "success", "textResultForLlm": words(&output) }
        })),
        Host::Cursor if event.tool.starts_with("mcp_") => {
            Some(json!({ "updated_mcp_tool_output": output }))
        }
        // These hosts have no field for it.
        Host::Cursor | Host::VsCode | Host::Windsurf | Host::Cline => None,
    }
}

/// The part of an output that the model reads, as text.
fn words(output: &Value) -> String {
    let part = ["llmContent", "textResultForLlm", "output", "stdout", "content"]
        .iter()
        .find_map(|key| output.get(*key)?.as_str());
    match (output, part) {
        (Value::String(text), _) => text.clone(),
        (_, Some(text)) => text.to_owned(),
        (other, None) => other.to_string(),
    }
}
