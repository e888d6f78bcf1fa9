//! Whether this very event was seen before: settings files are shared between hosts.
//!
//! Kept with the workspace's own settings, bounded, by session and call. A host
//! that does not name its calls is always heard.

use gatewright_engine::{Engine, EngineError};

use super::event::Event;

const SETTING: &str = "hook-events";
const KEPT: usize = 64;

/// Notes the event; whether it is the first of its session and call.
pub fn is_first(engine: &Engine, event: &Event) -> Result<bool, EngineError> {
    let Some(call) = &event.call_id else { return Ok(true) };
    let key = format!("{} {} {call}", event.name, event.session);
    let text = engine.ledger().setting_get(SETTING)?.unwrap_or_default();
    let mut keys: Vec<String> = serde_json::from_str(&text).unwrap_or_default();
    if keys.contains(&key) {
        return Ok(false);
    }
    keys.push(key);
    let surplus = keys.len().saturating_sub(KEPT);
    keys.drain(..surplus);
    let text = serde_json::Value::from(keys).to_string();
    engine.ledger().setting_set(SETTING, &text)?;
    Ok(true)
}
