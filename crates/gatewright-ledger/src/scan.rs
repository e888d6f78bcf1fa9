//! Checks in one pass that bytes are canonical JSON, and finds the members.
//!
//! Verifying a million receipts leaves no time to parse each one into a value
//! and write it again. This scanner accepts exactly what
//! [`canonical`](crate::canonical) can produce (a property test holds the two
//! together) and reports the members of the outermost object.

use std::cmp::Ordering;
use std::ops::Range;

use crate::canonical::MAX_INTEGER;

/// Nesting that the strict parser accepts as well.
const MAX_DEPTH: usize = 127;

/// The bytes are not canonical JSON, from this offset on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NotCanonical {
    /// The offset in bytes of the first thing out of place.
    pub offset: usize,
}

/// A member of the outermost object.
#[derive(Debug, Clone)]
pub(crate) struct Member<'a> {
    /// The name as written, without the quotes.
    pub key: &'a [u8],
    /// The value as written.
    pub value: &'a [u8],
    /// The bytes of the whole member, with the comma before it when it has one.
    pub span: Range<usize>,
}

/// Whether `text` is one JSON value in canonical form, and nothing else.
pub fn is_canonical(text: &[u8]) -> bool {
    scan(text, &mut |_| {}).is_ok()
}

/// Checks `text` and visits the members of the outermost object in order.
pub(crate) fn scan<'a>(
    text: &'a [u8],
    visit: &mut dyn FnMut(Member<'a>),
) -> Result<(), NotCanonical> {
    if let Err(error) = std::str::from_utf8(text) {
        return Err(NotCanonical { offset: error.valid_up_to() });
    }
    // Controls are escaped in strings and stand nowhere else. Looked for all at
    // once, so that the strings can be searched for their end alone.
    if text.iter().fold(false, |found, &byte| found | (byte < 0x20)) {
        let offset = text.iter().position(|&byte| byte < 0x20).unwrap_or_default();
        return Err(NotCanonical { offset });
    }
    let mut scanner = Scanner { text, at: 0 };
    match scanner.peek() {
        Some(b'{') => scanner.object(1, visit)?,
        _ => scanner.value(0)?,
    }
    if scanner.at == text.len() { Ok(()) } else { scanner.wrong() }
}

/// The text of a scanned string value; `None` when it is not a string.
pub(crate) fn string_of(value: &[u8]) -> Option<std::borrow::Cow<'_, [u8]>> {
    let inner = value.strip_prefix(b"\"")?.strip_suffix(b"\"")?;
    if !inner.contains(&b'\\') {
        return Some(inner.into());
    }
    let text: String = serde_json::from_slice(value).ok()?;
    Some(text.into_bytes().into())
}

struct Scanner<'a> {
    text: &'a [u8],
    at: usize,
}

impl<'a> Scanner<'a> {
    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn wrong<T>(&self) -> Result<T, NotCanonical> {
        Err(NotCanonical { offset: self.at })
    }

    fn expect(&mut self, bytes: &[u8]) -> Result<(), NotCanonical> {
        if self.text[self.at..].starts_with(bytes) {
            self.at += bytes.len();
            return Ok(());
        }
        self.wrong()
    }

    fn value(&mut self, depth: usize) -> Result<(), NotCanonical> {
        match self.peek() {
            Some(b'"') => self.string().map(|_| ()),
            Some(b'{') => self.object(depth + 1, &mut |_| {}),
            Some(b'[') => self.array(depth + 1),
            Some(b't') => self.expect(b"true"),
            Some(b'f') => self.expect(b"false"),
            Some(b'n') => self.expect(b"null"),
            Some(b'-' | b'0'..=b'9') => self.number(),
            _ => self.wrong(),
        }
    }

    fn array(&mut self, depth: usize) -> Result<(), NotCanonical> {
        self.enter(depth)?;
        if self.peek() == Some(b']') {
            self.at += 1;
            return Ok(());
        }
        loop {
            self.value(depth)?;
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b']') => {
                    self.at += 1;
                    return Ok(());
                }
                _ => return self.wrong(),
            }
        }
    }

    fn object(
        &mut self,
        depth: usize,
        visit: &mut dyn FnMut(Member<'a>),
    ) -> Result<(), NotCanonical> {
        self.enter(depth)?;
        if self.peek() == Some(b'}') {
            self.at += 1;
            return Ok(());
        }
        let mut before: Option<&[u8]> = None;
        let mut start = self.at;
        loop {
            let key_at = self.at;
            let key = self.string()?;
            if before.is_some_and(|before| compare_keys(before, key) != Ordering::Less) {
                return Err(NotCanonical { offset: key_at });
            }
            before = Some(key);
            self.expect(b":")?;
            let value_at = self.at;
            self.value(depth)?;
            visit(Member { key, value: &self.text[value_at..self.at], span: start..self.at });
            start = self.at;
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b'}') => {
                    self.at += 1;
                    return Ok(());
                }
                _ => return self.wrong(),
            }
        }
    }

    /// Steps past the opening bracket.
    fn enter(&mut self, depth: usize) -> Result<(), NotCanonical> {
        if depth > MAX_DEPTH {
            return self.wrong();
        }
        self.at += 1;
        Ok(())
    }

    fn string(&mut self) -> Result<&'a [u8], NotCanonical> {
        self.expect(b"\"")?;
        let start = self.at;
        loop {
            let rest = &self.text[self.at..];
            let Some(plain) = memchr::memchr2(b'"', b'\\', rest) else {
                self.at = self.text.len();
                return self.wrong();
            };
            self.at += plain;
            if rest[plain] == b'"' {
                self.at += 1;
                return Ok(&self.text[start..self.at - 1]);
            }
            self.escape()?;
        }
    }

    /// One escape, which must be the shortest for its character.
    fn escape(&mut self) -> Result<(), NotCanonical> {
        let rest = &self.text[self.at + 1..];
        match rest {
            [b'"' | b'\\' | b'b' | b't' | b'n' | b'f' | b'r', ..] => self.at += 2,
            [b'u', b'0', b'0', high @ b'0'..=b'1', low, ..] if is_long_escape(*high, *low) => {
                self.at += 6;
            }
            _ => return self.wrong(),
        }
        Ok(())
    }

    fn number(&mut self) -> Result<(), NotCanonical> {
        let start = self.at;
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        let digits_at = self.at;
        let mut magnitude: u64 = 0;
        while let Some(digit @ b'0'..=b'9') = self.peek() {
            magnitude = magnitude.saturating_mul(10).saturating_add(u64::from(digit - b'0'));
            self.at += 1;
        }
        let digits = &self.text[digits_at..self.at];
        let leading_zero = digits.len() > 1 && digits[0] == b'0';
        let negative_zero = digits_at > start && magnitude == 0;
        if digits.is_empty() || leading_zero || negative_zero || magnitude > MAX_INTEGER {
            return Err(NotCanonical { offset: start });
        }
        Ok(())
    }
}

/// Whether `\u00` and these two digits is the only way to write a control.
fn is_long_escape(high: u8, low: u8) -> bool {
    match (high, low) {
        (b'0', b'8' | b'9' | b'a' | b'c' | b'd') => false,
        (_, b'0'..=b'9' | b'a'..=b'f') => true,
        _ => false,
    }
}

/// Whether the byte as written is the whole character, and no escape.
fn is_letter(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Orders two keys, as written, by the UTF-16 code units of what they mean.
fn compare_keys(left: &[u8], right: &[u8]) -> Ordering {
    let is_plain = |key: &[u8]| key.is_ascii() && memchr::memchr(b'\\', key).is_none();
    // Names of ours mostly differ in the first bytes, and then bytes decide.
    if let (Some(first), Some(second)) = (left.first(), right.first())
        && first != second
        && is_letter(*first)
        && is_letter(*second)
    {
        return first.cmp(second);
    }
    if is_plain(left) && is_plain(right) {
        return left.cmp(right);
    }
    let units = |key: &[u8]| -> Vec<u16> {
        let quoted = [b"\"", key, b"\""].concat();
        let text: String = serde_json::from_slice(&quoted).unwrap_or_default();
        text.encode_utf16().collect()
    };
    units(left).cmp(&units(right))
}

#[cfg(test)]
#[path = "scan_tests.rs"]
mod tests;
