//! Words for the model that wait until its tool has run.
//!
//! Some hosts hand a hook's words to the model only with the tool's result. The
//! words are kept with the workspace's settings, bounded, by session and call.

use gatewright_engine::{Engine, EngineError};
use serde_json::{Value, json};

use super::event::{Event, Host};

const SETTING: &str = "hook-notes";
const KEPT: usize = 16;

/// Whether the host shows the words of an allowing hook to the model only afterwards.
pub fn come_later(host: Host) -> bool {
    matches!(host, Host::Codex | Host::OpenCode | Host::Gemini)
}

/// Keeps words for the end of this call.
pub fn keep(engine: &Engine, event: &Event, words: &str) -> Result<(), EngineError> {
    let Some(key) = key_of(event) else { return Ok(()) };
    let mut notes = stored(engine)?;
    notes.push(json!([key, words]));
    let surplus = notes.len().saturating_sub(KEPT);
    notes.drain(..surplus);
    store(engine, notes)
}

/// The words that were kept for this call; they are told once.
pub fn take(engine: &Engine, event: &Event) -> Option<String> {
    let key = key_of(event)?;
    let mut notes = stored(engine).ok()?;
    let index = notes.iter().position(|note| note[0] == key)?;
    let note = notes.remove(index);
    store(engine, notes).ok()?;
    note[1].as_str().map(str::to_owned)
}

/// A host that does not name its calls runs one at a time.
fn key_of(event: &Event) -> Option<String> {
    come_later(event.host).then(|| {
        let call = event.call_id.clone().unwrap_or_else(|| event.tool.clone());
        format!("{} {call}", event.session)
    })
}

fn stored(engine: &Engine) -> Result<Vec<Value>, EngineError> {
    let text = engine.ledger().setting_get(SETTING)?.unwrap_or_default();
    Ok(serde_json::from_str(&text).unwrap_or_default())
}

fn store(engine: &Engine, notes: Vec<Value>) -> Result<(), EngineError> {
    Ok(engine.ledger().setting_set(SETTING, &Value::from(notes).to_string())?)
}
