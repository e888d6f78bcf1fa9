//! `Stream`: redaction across chunk boundaries, without any IO.
//!
//! The stepper collects bytes until a unit is complete and releases it redacted.
//! Units depend on the text alone, so any split of the input gives the same
//! output, byte for byte, as the whole. What is held back is at most one line
//! and the lines that belong to it: [`Stream::HOLD_BACK`] bytes, or
//! [`Stream::BLOCK_HOLD_BACK`] inside a block of key material. A rule's own
//! hold-back is its `max_len`, which lies below both.

use std::sync::Arc;

use super::detect::text::{far_run_end, is_base64_byte};
use super::engine::{Engine, Found};
use super::kind::{Counts, Kind};
use super::passes::Units;
use super::redacted::Redacted;
use super::redactor::{Redaction, Redactor, replace};
use super::units::{BLOCK_LIMIT, Ending, UNIT_LIMIT};

/// A redacting stepper: push bytes, take redacted bytes.
///
/// ```
/// use gatewright_guards::egress::{Redactor, Stream};
/// let mut stream = Stream::new(&Redactor::default());
/// let mut output = stream.push(b"one\ntw").into_inner();
/// output.extend(stream.push(b"o\n").into_inner());
/// output.extend(stream.finish().into_inner());
/// assert_eq!(output, b"one\ntwo\n");
/// ```
#[derive(Debug)]
pub struct Stream {
    engine: Arc<Engine>,
    held: Vec<u8>,
    /// Below this length another look cannot end a unit that the last one could not.
    retry_at: usize,
    /// What was hidden before and may go on in what comes next.
    goes_on: GoesOn,
    counts: Counts,
}

/// What the text before ended in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum GoesOn {
    /// Nothing that matters.
    Nothing,
    /// A token, hidden when time was up.
    Token,
    /// A block of key material.
    Block,
}

impl Stream {
    /// The most that is held back outside blocks of key material.
    pub const HOLD_BACK: usize = UNIT_LIMIT;
    /// The most that is held back inside a block of key material.
    pub const BLOCK_HOLD_BACK: usize = BLOCK_LIMIT;

    /// A stream with the rules and context of `redactor`.
    pub fn new(redactor: &Redactor) -> Stream {
        Stream {
            engine: redactor.engine().clone(),
            held: Vec::new(),
            retry_at: 0,
            goes_on: GoesOn::Nothing,
            counts: Counts::default(),
        }
    }

    /// Takes more input and releases what is decided.
    pub fn push(&mut self, bytes: &[u8]) -> Redacted<Vec<u8>> {
        let bytes = self.without_token(bytes);
        self.held.extend_from_slice(bytes);
        let has_line = memchr::memchr(b'\n', bytes).is_some();
        if self.held.len() < self.retry_at || !(has_line || self.held.len() >= UNIT_LIMIT) {
            return Redacted::new(Vec::new(), Counts::default());
        }
        let released = self.release(Ending::Open);
        // A unit that stays open is looked at again only when it has grown by a
        // quarter, so that many small pushes cost no more than a few large ones.
        self.retry_at =
            if self.held.len() > 4096 { self.held.len() + self.held.len() / 4 } else { 0 };
        released
    }

    /// Releases the rest.
    pub fn finish(mut self) -> Redacted<Vec<u8>> {
        self.release(Ending::Final)
    }

    /// Releases what is held although more may come, after a time limit.
    ///
    /// A tail that may be the start of something secret is hidden, and so is what
    /// goes on of it in the next push.
    pub fn flush_suspicious(&mut self) -> Redacted<Vec<u8>> {
        let tail = self.engine.suspicious_tail(&self.held);
        let suspicious =
            self.held.split_off(tail.as_ref().map_or(self.held.len(), |tail| tail.start));
        let released = self.release(Ending::Final);
        let mut counts = released.counts().clone();
        let mut output = released.into_inner();
        if !suspicious.is_empty() {
            let kind = tail.map_or(Kind::ApiKey, |tail| tail.kind);
            output.extend_from_slice(kind.placeholder().as_bytes());
            counts.add(kind);
            self.counts.add(kind);
            let is_block = matches!(kind, Kind::PrivateKey | Kind::ServiceAccount);
            self.goes_on = if is_block { GoesOn::Block } else { GoesOn::Token };
        }
        Redacted::new(output, counts)
    }

    /// What is left of `bytes` behind the rest of a token that was hidden before.
    fn without_token<'a>(&mut self, bytes: &'a [u8]) -> &'a [u8] {
        if self.goes_on != GoesOn::Token || bytes.is_empty() {
            return bytes;
        }
        let belongs = |byte: u8| is_base64_byte(byte) || matches!(byte, b'.' | b'=' | b'~' | b'%');
        let end = far_run_end(bytes, 0, belongs);
        if end < bytes.len() {
            self.goes_on = GoesOn::Nothing;
        }
        &bytes[end..]
    }

    /// How many values of each kind were hidden so far.
    pub fn counts(&self) -> &Counts {
        &self.counts
    }

    /// How many bytes are held back now.
    pub fn held_back(&self) -> usize {
        self.held.len()
    }

    fn release(&mut self, ending: Ending) -> Redacted<Vec<u8>> {
        let inside = self.goes_on == GoesOn::Block;
        let Units { mut found, dropped, end, inside, .. } =
            self.engine.find_units(&self.held, ending, inside);
        if self.goes_on != GoesOn::Token {
            self.goes_on = if inside { GoesOn::Block } else { GoesOn::Nothing };
        }
        for one in &mut found {
            one.range = one.range.start - dropped..one.range.end - dropped;
        }
        let redactions: Vec<Redaction> = found.into_iter().map(Found::into_redaction).collect();
        let mut counts = Counts::default();
        for redaction in &redactions {
            counts.add(redaction.kind);
        }
        self.counts.merge(&counts);
        let output = replace(&self.held[dropped..end], &redactions);
        self.held.drain(..end);
        Redacted::new(output, counts)
    }
}
