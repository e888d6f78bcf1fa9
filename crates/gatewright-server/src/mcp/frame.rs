//! A message on its way out: everything in it has passed the egress guard.
//!
//! The identifiers that the client chose itself go back as they came; a
//! redactor that changed them would break the conversation and hide nothing.

use gatewright_engine::Engine;
use gatewright_engine::guards::egress::Redacted;
use serde::Serialize;
use serde_json::Value;

/// A redacted message and the client's own identifiers.
pub struct Frame {
    id: Option<Value>,
    progress_token: Option<Value>,
    body: Redacted<Value>,
}

impl Frame {
    /// Redacts a message. There is no other way to make a frame.
    pub fn seal(engine: &Engine, message: &impl Serialize) -> Result<Self, serde_json::Error> {
        let mut value = serde_json::to_value(message)?;
        let id = value.get_mut("id").map(Value::take);
        let progress_token = value.pointer_mut("/params/progressToken").map(Value::take);
        let body = engine.egress().redactor().redact_json(value);
        Ok(Self { id, progress_token, body })
    }

    /// The message without the client's identifiers.
    pub fn text(&self) -> Redacted<String> {
        self.body.to_text()
    }

    /// The message as one line, with its line feed.
    pub fn into_line(self) -> Vec<u8> {
        let mut value = self.body.into_inner();
        if let Some(id) = self.id {
            value["id"] = id;
        }
        if let Some(token) = self.progress_token {
            value["params"]["progressToken"] = token;
        }
        let mut line = value.to_string().into_bytes();
        line.push(b'\n');
        line
    }
}
