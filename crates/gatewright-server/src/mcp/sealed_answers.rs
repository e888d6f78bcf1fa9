//! The answers that were sealed last, so that the same long answer is not redacted twice.
//!
//! An agent asks for the symbols of a file again and again while it works on it.
//! What redaction makes of an answer depends on nothing but its bytes and the
//! rules of the engine, which do not change while it lives. An answer is known by
//! the digest of all of it; the line that goes out is still one that the egress
//! guard made.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use gatewright_engine::Engine;
use gatewright_engine::guards::egress::Redacted;
use gatewright_model::Digest;
use rmcp::model::{JsonRpcMessage, RequestId, ServerJsonRpcMessage};

use super::frame::Frame;

/// Answers below this are redacted in no time.
const SHORTEST: usize = 4 * 1024;
/// How many bytes of answers are kept in all.
const MOST_BYTES: usize = 512 * 1024;
/// The place of an identifier that was taken out, and all that may stand before it.
const NO_ID: &str = "\"id\":null,";
const STARTS: [&str; 2] = ["{", "{\"jsonrpc\":\"2.0\","];

/// Sealed answers, the newest last.
#[derive(Default)]
pub struct SealedAnswers {
    kept: Mutex<VecDeque<(Digest, Arc<Redacted<String>>)>>,
}

impl SealedAnswers {
    /// The line of a message, redacted.
    pub fn line(
        &self,
        engine: &Engine,
        message: &ServerJsonRpcMessage,
    ) -> Result<Vec<u8>, serde_json::Error> {
        let JsonRpcMessage::Response(response) = message else {
            return Ok(Frame::seal(engine, message)?.into_line());
        };
        let answer = serde_json::to_vec(&response.result)?;
        if !(SHORTEST..=MOST_BYTES / 2).contains(&answer.len()) {
            return Ok(Frame::seal(engine, message)?.into_line());
        }
        let digest = Digest::of(&answer);
        if let Some(line) = self.find(digest).and_then(|text| with_id(&text, &response.id)) {
            return Ok(line);
        }
        let frame = Frame::seal(engine, message)?;
        self.keep(digest, frame.text());
        Ok(frame.into_line())
    }

    fn find(&self, digest: Digest) -> Option<Arc<Redacted<String>>> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.iter().find(|(known, _)| *known == digest).map(|(_, text)| Arc::clone(text))
    }

    fn keep(&self, digest: Digest, text: Redacted<String>) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.push_back((digest, Arc::new(text)));
        let mut bytes: usize = kept.iter().map(|(_, text)| text.as_str().len()).sum();
        while bytes > MOST_BYTES {
            let Some((_, oldest)) = kept.pop_front() else { return };
            bytes -= oldest.as_str().len();
        }
    }
}

/// The line of a sealed message for the one who asked under this identifier.
fn with_id(text: &Redacted<String>, id: &RequestId) -> Option<Vec<u8>> {
    let (start, rest) = text.as_str().split_once(NO_ID)?;
    let id = serde_json::to_string(id).ok()?;
    STARTS.contains(&start).then(|| format!("{start}\"id\":{id},{rest}\n").into_bytes())
}

#[cfg(test)]
mod tests {
    use gatewright_engine::guards::egress::{Catalogue, RedactionContext, Redactor};
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn a_sealed_answer_goes_to_another_who_asks() {
        let answer = json!({ "jsonrpc": "2.0", "id": 7, "result": { "content": [], "id": null } });
        let message: ServerJsonRpcMessage = serde_json::from_value(answer).unwrap();
        let mut value = serde_json::to_value(&message).unwrap();
        value["id"].take();
        let redactor = Redactor::new(Catalogue::built_in(), RedactionContext::default());
        let sealed = redactor.redact_json(value.clone()).to_text();
        let line = with_id(&sealed, &RequestId::Number(8)).expect("the place of the identifier");
        value["id"] = json!(8);
        assert_eq!(serde_json::from_slice::<Value>(&line).unwrap(), value);
    }
}
