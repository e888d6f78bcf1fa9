//! A cursor over the lines of a patch that knows its line number.

/// A place in a patch; cheap to copy, so that looking ahead is reading a copy.
#[derive(Clone, Copy)]
pub(super) struct Cursor<'a> {
    rest: &'a [u8],
    number: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(text: &'a [u8]) -> Self {
        Self { rest: text, number: 1 }
    }

    /// The number of the current line, one-based.
    pub(super) fn number(&self) -> usize {
        self.number
    }

    /// The current line with its ending.
    pub(super) fn peek_whole(&self) -> Option<&'a [u8]> {
        if self.rest.is_empty() {
            return None;
        }
        let end = memchr::memchr(b'\n', self.rest).map_or(self.rest.len(), |at| at + 1);
        Some(&self.rest[..end])
    }

    /// The current line without its ending, `\r\n` included.
    pub(super) fn peek(&self) -> Option<&'a [u8]> {
        self.peek_whole().map(without_ending)
    }

    pub(super) fn advance(&mut self) {
        if let Some(line) = self.peek_whole() {
            self.rest = &self.rest[line.len()..];
            self.number += 1;
        }
    }

    /// What follows `prefix` in the current line, after which it moves on.
    pub(super) fn take_after(&mut self, prefix: &str) -> Option<&'a [u8]> {
        let rest = self.peek()?.strip_prefix(prefix.as_bytes())?;
        self.advance();
        Some(rest)
    }

    /// Whether the current line starts with `prefix`.
    pub(super) fn is_at(&self, prefix: &str) -> bool {
        self.rest.starts_with(prefix.as_bytes())
    }
}

/// The line without `\n` or `\r\n`.
pub(super) fn without_ending(line: &[u8]) -> &[u8] {
    let Some(line) = line.strip_suffix(b"\n") else { return line };
    line.strip_suffix(b"\r").unwrap_or(line)
}
