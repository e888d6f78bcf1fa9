//! What a message is: an answer, a question of the server's, or news.

use serde_json::{Value, json};

/// The number of a question of ours.
pub type RequestId = i64;

/// The server changed its mind about the text while it thought: ask again.
const CONTENT_MODIFIED: i64 = -32801;
/// The server gave the question up by itself: ask again.
const SERVER_CANCELLED: i64 = -32802;
/// Some servers say so for the same reason.
const REQUEST_CANCELLED: i64 = -32800;

/// A message from the server.
#[derive(Debug, Clone, PartialEq)]
pub enum Incoming {
    /// The answer to a question of ours.
    Answer(RequestId, Reply),
    /// A question of the server's.
    Question {
        /// Its number, to be sent back as it is.
        id: Value,
        /// What it asks.
        method: String,
        /// With what.
        params: Value,
    },
    /// News that wants no answer.
    News {
        /// What kind.
        method: String,
        /// With what.
        params: Value,
    },
    /// Nothing of the protocol.
    Nonsense,
}

/// What a server says to a question.
pub type Reply = Result<Value, Refusal>;

/// An error as a server sends it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message} ({code})")]
pub struct Refusal {
    /// Its number.
    pub code: i64,
    /// Its words.
    pub message: String,
}

impl Refusal {
    /// Whether the same question may be answered a moment later.
    pub fn is_passing(&self) -> bool {
        matches!(self.code, CONTENT_MODIFIED | SERVER_CANCELLED | REQUEST_CANCELLED)
    }
}

impl Incoming {
    /// Reads a message.
    pub fn of(mut message: Value) -> Self {
        let id = message.get("id").cloned();
        let method = message.get("method").and_then(Value::as_str).map(str::to_owned);
        let params = message.get_mut("params").map(Value::take).unwrap_or_default();
        match (id, method) {
            (Some(id), Some(method)) => Incoming::Question { id, method, params },
            (None, Some(method)) => Incoming::News { method, params },
            (Some(id), None) => match id.as_i64() {
                Some(id) => Incoming::Answer(id, reply(&mut message)),
                None => Incoming::Nonsense,
            },
            (None, None) => Incoming::Nonsense,
        }
    }
}

fn reply(message: &mut Value) -> Reply {
    match message.get("error") {
        Some(error) if !error.is_null() => Err(Refusal {
            code: error.get("code").and_then(Value::as_i64).unwrap_or_default(),
            message: error.get("message").and_then(Value::as_str).unwrap_or_default().to_owned(),
        }),
        _ => Ok(message.get_mut("result").map(Value::take).unwrap_or_default()),
    }
}

/// A question of ours.
pub fn question(id: RequestId, method: &str, params: Value) -> Value {
    with_params(json!({ "jsonrpc": "2.0", "id": id, "method": method }), params)
}

/// News of ours.
pub fn news(method: &str, params: Value) -> Value {
    with_params(json!({ "jsonrpc": "2.0", "method": method }), params)
}

/// No parameters are left out, because some servers refuse `null`.
fn with_params(mut message: Value, params: Value) -> Value {
    if !params.is_null() {
        message["params"] = params;
    }
    message
}

/// Our answer to a question of the server's.
pub fn answer(id: &Value, result: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "result": result })
}

/// Our answer to a question that we do not know.
pub fn unknown(id: &Value, method: &str) -> Value {
    let message = format!("{method} is not known here");
    json!({ "jsonrpc": "2.0", "id": id, "error": { "code": -32601, "message": message } })
}
