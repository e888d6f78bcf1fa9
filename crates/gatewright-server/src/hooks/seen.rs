//! Whether this very event was seen before: settings files are shared between hosts.
//!
//! Kept with the workspace's own settings, bounded, by session and call. A host
//! that does not name its calls is always heard.

use gatewright_engine::ledger::Once;
use gatewright_engine::{Engine, EngineError};

use super::event::Event;

const LIST: &str = "hook-events";
const KEPT: usize = 64;

/// What an event is known by; `None` for one of a host that does not name its calls.
pub fn key(event: &Event) -> Option<String> {
    let call = event.call_id.as_ref()?;
    Some(format!("{} {} {call}", event.name, event.session))
}

/// The key among those of the newest events.
pub fn once(key: &str) -> Once<'_> {
    Once { list: LIST, key, kept: KEPT }
}

/// Notes the event; whether it is the first of its session and call.
pub fn is_first(engine: &Engine, event: &Event) -> Result<bool, EngineError> {
    match key(event) {
        Some(key) => Ok(engine.ledger().note_once(&once(&key))?),
        None => Ok(true),
    }
}
