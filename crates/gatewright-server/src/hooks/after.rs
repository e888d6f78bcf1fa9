//! After a tool ran: its output with the secrets taken out, where the host takes it back.

use gatewright_engine::Engine;
use serde_json::{Value, json};

use super::event::{Event, Host};
use super::reply::{self, Reply};
use super::verdict::Decision;

/// The answer to an event that follows a tool.
pub fn reply(engine: &Engine, event: &Event) -> Reply {
    let neutral = || reply::of(event, &Decision::Neutral);
    let Some(output) = &event.output else { return neutral() };
    let redacted = engine.egress().redactor().redact_json(output.clone());
    if redacted.counts().is_empty() {
        return neutral();
    }
    match replaced(event, redacted.into_inner()) {
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
