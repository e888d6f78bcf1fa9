//! Drivers over the stepper: what a stream's framing asks for.
//!
//! Lines and terminals are plain text: use [`Stream`](super::Stream) as it is.
//! JSON-RPC and MCP send one JSON message on each line, event streams carry data
//! lines, and a WebSocket text message is complete in itself
//! ([`Redactor::seal_json_text`](super::Redactor::seal_json_text)). The output of
//! each framing is valid in that framing.

use super::kind::Counts;
use super::redacted::Redacted;
use super::redactor::Redactor;

/// How messages are told apart in a byte stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Framing {
    /// One JSON message on each line, as JSON-RPC over stdio and MCP have it.
    JsonLines,
    /// Server-sent events: fields on lines, a blank line behind each event.
    EventStream,
}

/// The longest message; beyond it the stream is cut there, at a line end if possible.
pub const MESSAGE_LIMIT: usize = 16 * 1024 * 1024;

/// A redacting stepper for framed messages.
///
/// ```
/// use gatewright_guards::egress::{Frames, Framing, Redactor};
/// let mut frames = Frames::new(&Redactor::default(), Framing::JsonLines);
/// assert_eq!(frames.push(b"{\"id\":1}\n{").as_bytes(), b"{\"id\":1}\n");
/// ```
#[derive(Debug)]
pub struct Frames {
    redactor: Redactor,
    framing: Framing,
    held: Vec<u8>,
}

impl Frames {
    /// A stepper with the rules and context of `redactor`.
    pub fn new(redactor: &Redactor, framing: Framing) -> Frames {
        Frames { redactor: redactor.clone(), framing, held: Vec::new() }
    }

    /// Takes more input and releases the messages that are complete.
    pub fn push(&mut self, bytes: &[u8]) -> Redacted<Vec<u8>> {
        let searched = self.held.len().saturating_sub(3);
        self.held.extend_from_slice(bytes);
        match self.complete(searched) {
            Some(end) => self.release(end),
            None => Redacted::new(Vec::new(), Counts::default()),
        }
    }

    /// Releases the rest.
    pub fn finish(mut self) -> Redacted<Vec<u8>> {
        self.release(self.held.len())
    }

    /// The end of the last complete message.
    fn complete(&self, searched: usize) -> Option<usize> {
        let fresh = &self.held[searched..];
        let end = match self.framing {
            Framing::JsonLines => memchr::memrchr(b'\n', fresh).map(|at| at + 1),
            Framing::EventStream => {
                let plain = memchr::memmem::rfind(fresh, b"\n\n").map(|at| at + 2);
                plain.max(memchr::memmem::rfind(fresh, b"\r\n\r\n").map(|at| at + 4))
            }
        };
        match end {
            Some(end) => Some(searched + end),
            None if self.held.len() > MESSAGE_LIMIT => Some(self.held.len()),
            None => None,
        }
    }

    fn release(&mut self, end: usize) -> Redacted<Vec<u8>> {
        let messages: Vec<u8> = self.held.drain(..end).collect();
        let mut output = Vec::with_capacity(messages.len());
        let mut counts = Counts::default();
        match self.framing {
            Framing::JsonLines => {
                for line in messages.split_inclusive(|byte| *byte == b'\n') {
                    self.seal_line(line, &mut output, &mut counts);
                }
            }
            Framing::EventStream => self.seal_events(&messages, &mut output, &mut counts),
        }
        Redacted::new(output, counts)
    }

    fn seal_line(&self, line: &[u8], output: &mut Vec<u8>, counts: &mut Counts) {
        let text = String::from_utf8_lossy(line);
        let body = text.trim_end_matches(['\n', '\r']);
        let sealed = self.redactor.seal_json_text(body);
        counts.merge(sealed.counts());
        output.extend_from_slice(sealed.as_str().as_bytes());
        output.extend_from_slice(&text.as_bytes()[body.len()..]);
    }

    /// Seals the data of each event as one text, and every other field by itself.
    fn seal_events(&self, events: &[u8], output: &mut Vec<u8>, counts: &mut Counts) {
        let text = String::from_utf8_lossy(events);
        let mut data: Vec<&str> = Vec::new();
        for line in text.split_inclusive('\n') {
            let field = line.trim_end_matches(['\n', '\r']);
            match field.strip_prefix("data:") {
                Some(value) => data.push(value.strip_prefix(' ').unwrap_or(value)),
                None => {
                    self.seal_data(&mut data, output, counts);
                    self.seal_line(line.as_bytes(), output, counts);
                }
            }
        }
        self.seal_data(&mut data, output, counts);
    }

    fn seal_data(&self, data: &mut Vec<&str>, output: &mut Vec<u8>, counts: &mut Counts) {
        if data.is_empty() {
            return;
        }
        let sealed = self.redactor.seal_json_text(&data.join("\n"));
        counts.merge(sealed.counts());
        for line in sealed.as_str().split('\n') {
            output.extend_from_slice(b"data: ");
            output.extend_from_slice(line.as_bytes());
            output.push(b'\n');
        }
        data.clear();
    }
}
