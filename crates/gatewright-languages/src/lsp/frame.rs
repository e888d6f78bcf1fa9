//! The framing of the protocol: a header with a length, then JSON. Bytes in, messages out.
//!
//! A stream that breaks the form is given up, never searched for the next message:
//! what follows garbage cannot be trusted to be an answer.

use serde_json::Value;

/// The most that a header may take.
const HEADER_LIMIT: usize = 8 * 1024;
/// The most that one message may take.
const BODY_LIMIT: usize = 128 * 1024 * 1024;

/// Why a stream is no protocol any more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum FrameError {
    /// No end of a header in sight.
    #[error("the server sent something that is no message")]
    NoHeader,
    /// A header without a usable length.
    #[error("the server sent a message without a length")]
    NoLength,
    /// A message beyond all bounds.
    #[error("the server sent a message of {bytes} bytes")]
    TooLarge {
        /// Its size.
        bytes: usize,
    },
    /// The body is no JSON.
    #[error("the server sent a message that is not JSON")]
    NotJson,
}

/// Takes a stream apart.
#[derive(Debug, Default)]
pub struct Frames {
    buffer: Vec<u8>,
}

impl Frames {
    /// Adds bytes as they came.
    pub fn push(&mut self, bytes: &[u8]) {
        self.buffer.extend_from_slice(bytes);
    }

    /// The next whole message; `None` when more bytes are needed.
    pub fn next_message(&mut self) -> Result<Option<Value>, FrameError> {
        let window = &self.buffer[..self.buffer.len().min(HEADER_LIMIT)];
        let Some(header_end) = memchr::memmem::find(window, b"\r\n\r\n") else {
            let is_hopeless = self.buffer.len() >= HEADER_LIMIT || !starts_like_header(window);
            return if is_hopeless { Err(FrameError::NoHeader) } else { Ok(None) };
        };
        let length = content_length(&self.buffer[..header_end]).ok_or(FrameError::NoLength)?;
        if length > BODY_LIMIT {
            return Err(FrameError::TooLarge { bytes: length });
        }
        let (start, end) = (header_end + 4, header_end + 4 + length);
        let Some(body) = self.buffer.get(start..end) else { return Ok(None) };
        let message = serde_json::from_slice(body).map_err(|_| FrameError::NotJson)?;
        self.buffer.drain(..end);
        Ok(Some(message))
    }
}

/// Whether the first line can be a header line: a name of letters, then a colon.
fn starts_like_header(window: &[u8]) -> bool {
    let name = window.iter().take_while(|byte| byte.is_ascii_alphabetic() || **byte == b'-');
    match window.get(name.count()) {
        None => true,
        Some(byte) => *byte == b':',
    }
}

fn content_length(header: &[u8]) -> Option<usize> {
    let header = std::str::from_utf8(header).ok()?;
    header.split("\r\n").find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse().ok())?
    })
}

/// A message as it goes out.
pub fn encode(message: &Value) -> Vec<u8> {
    let body = message.to_string();
    let mut bytes = format!("Content-Length: {}\r\n\r\n", body.len()).into_bytes();
    bytes.extend_from_slice(body.as_bytes());
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn messages_survive_any_cut() {
        let first = json!({ "id": 1, "text": "é 𝄞" });
        let bytes = [encode(&first), encode(&json!({ "id": 2 }))].concat();
        for cut in 0..bytes.len() {
            let mut frames = Frames::default();
            let mut seen = Vec::new();
            for part in [&bytes[..cut], &bytes[cut..]] {
                frames.push(part);
                while let Some(message) = frames.next_message().expect("good frames") {
                    seen.push(message);
                }
            }
            assert_eq!(seen, [first.clone(), json!({ "id": 2 })], "cut at {cut}");
        }
    }

    #[test]
    fn other_headers_and_any_case_are_taken() {
        let mut frames = Frames::default();
        frames.push(b"content-type: x\r\ncontent-length:  2\r\n\r\n{}");
        assert_eq!(frames.next_message(), Ok(Some(json!({}))));
    }

    #[test]
    fn garbage_ends_the_stream() {
        for (bytes, error) in [
            (&b"Starting server...\n"[..], FrameError::NoHeader),
            (&b"Content-Type: x\r\n\r\n{}"[..], FrameError::NoLength),
            (&b"Content-Length: 2\r\n\r\n{]"[..], FrameError::NotJson),
            (
                &b"Content-Length: 999999999999\r\n\r\n"[..],
                FrameError::TooLarge { bytes: 999_999_999_999 },
            ),
        ] {
            let mut frames = Frames::default();
            frames.push(bytes);
            assert_eq!(frames.next_message(), Err(error));
        }
    }
}
