//! Small questions about bytes of text that several detectors ask.

use std::ops::Range;

use aho_corasick::{AhoCorasick, AhoCorasickKind};

/// How far a line is followed to either side, so that one-line files stay linear.
pub const LINE_REACH: usize = 400;

/// The part of the line around `at` that is near enough to matter, without its line break.
pub fn line_around(text: &[u8], at: usize) -> Range<usize> {
    let at = at.min(text.len());
    let floor = at.saturating_sub(LINE_REACH);
    let ceiling = (at + LINE_REACH).min(text.len());
    let start = memchr::memrchr(b'\n', &text[floor..at]).map_or(floor, |offset| floor + offset + 1);
    let end = memchr::memchr(b'\n', &text[at..ceiling]).map_or(ceiling, |offset| at + offset);
    start..end
}

/// Where the line that holds `at` ends, behind its line break.
pub fn line_end(text: &[u8], at: usize) -> usize {
    memchr::memchr(b'\n', &text[at..]).map_or(text.len(), |newline| at + newline + 1)
}

/// The first place at or after `at` that is no blank on the same line.
pub fn skip_blanks(text: &[u8], mut at: usize) -> usize {
    while matches!(text.get(at), Some(b' ' | b'\t')) {
        at += 1;
    }
    at
}

/// The first place at or after `at` that is no whitespace at all.
pub fn skip_space(text: &[u8], mut at: usize) -> usize {
    while text.get(at).is_some_and(u8::is_ascii_whitespace) {
        at += 1;
    }
    at
}

/// How far a run is followed, so that hostile text stays linear.
pub const RUN_REACH: usize = 2048;

/// The end of the run from `at` of bytes for which `belongs` holds, not too far away.
pub fn run_end(text: &[u8], at: usize, belongs: impl Fn(u8) -> bool) -> usize {
    far_run_end(&text[..(at + RUN_REACH).min(text.len())], at, belongs)
}

/// The end of the run from `at`, however far. For runs that each byte belongs to once.
pub fn far_run_end(text: &[u8], at: usize, belongs: impl Fn(u8) -> bool) -> usize {
    text[at.min(text.len())..]
        .iter()
        .position(|byte| !belongs(*byte))
        .map_or(text.len(), |offset| at + offset)
}

/// The end of the run of base64 from `at`, without padding, however far.
pub fn base64_end(text: &[u8], at: usize) -> usize {
    let is_sign = |byte: u8| (byte == b'_') | (byte == b'-') | (byte == b'+') | (byte == b'/');
    long_run_end(text, at, BASE64, |byte| is_word_byte(byte) | is_sign(byte))
}

/// The end of the run of letters, digits, underscores and dashes from `at`, however far.
pub fn joined_end(text: &[u8], at: usize) -> usize {
    long_run_end(text, at, JOINED, |byte| is_word_byte(byte) | (byte == b'_') | (byte == b'-'))
}

/// A letter or a digit, asked without a branch.
#[inline(always)]
fn is_word_byte(byte: u8) -> bool {
    ((byte | 0x20).wrapping_sub(b'a') < 26) | (byte.wrapping_sub(b'0') < 10)
}

/// As [`far_run_end`], for bytes of a class, whose runs may be very long.
///
/// Most runs are short, and a table answers soonest; then `belongs`, which asks the same
/// without one, is asked of many bytes together.
#[inline]
fn long_run_end(text: &[u8], at: usize, class: u8, belongs: impl Fn(u8) -> bool) -> usize {
    const NEAR: usize = 32;
    let near = (at + NEAR).min(text.len());
    let end = far_run_end(&text[..near], at, |byte| CLASSES[usize::from(byte)] & class != 0);
    if end < near || near == text.len() {
        return end;
    }
    far_place_of(text, near, |byte| !belongs(byte))
}

/// The first place from `at` on with a byte that is `wanted`, or the end. For bytes that are rare.
///
/// The question must be asked without a branch, so that many bytes are asked together.
#[inline]
pub fn far_place_of(text: &[u8], at: usize, wanted: impl Fn(u8) -> bool) -> usize {
    const NEAR: usize = 8;
    const TOGETHER: usize = 32;
    let mut from = at.min(text.len());
    let near = text[from..].iter().take(NEAR).position(|byte| wanted(*byte));
    if let Some(offset) = near {
        return from + offset;
    }
    from = (from + NEAR).min(text.len());
    let steps = text[from..].chunks_exact(TOGETHER);
    let is_empty = |step: &&[u8]| !step.iter().fold(false, |any, byte| any | wanted(*byte));
    from += steps.take_while(is_empty).count() * TOGETHER;
    text[from..].iter().position(|byte| wanted(*byte)).map_or(text.len(), |offset| from + offset)
}

/// The start of the run up to `at` of bytes for which `belongs` holds, not too far away.
pub fn run_start(text: &[u8], at: usize, belongs: impl Fn(u8) -> bool) -> usize {
    let floor = at.saturating_sub(RUN_REACH);
    text[floor..at]
        .iter()
        .rposition(|byte| !belongs(*byte))
        .map_or(floor, |offset| floor + offset + 1)
}

/// The range without the colours with which it begins and ends.
pub fn within_colours(text: &[u8], mut range: Range<usize>) -> Range<usize> {
    let is_inner = |byte: u8| byte.is_ascii_digit() || byte == b';';
    while text[range.clone()].starts_with(b"\x1b[") {
        let end = run_end(&text[..range.end], range.start + 2, is_inner);
        if text[..range.end].get(end) != Some(&b'm') {
            break;
        }
        range.start = end + 1;
    }
    while text[range.clone()].ends_with(b"m") {
        let start = run_start(text, range.end - 1, is_inner);
        let is_colour = start >= range.start + 2 && text[..start].ends_with(b"\x1b[");
        if !is_colour {
            break;
        }
        range.end = start - 2;
    }
    range
}

/// True when what ends at `at` is no part of what begins there: an escaped line
/// break, a terminal sequence, or the mark of a line in a diff.
pub fn ends_apart(text: &[u8], at: usize) -> bool {
    match text[..at] {
        [.., b'\\', b'n' | b't' | b'r'] => true,
        [b'+' | b'-'] | [.., b'\n', b'+' | b'-'] => true,
        // `12→`: the number of a line, as agents are shown it.
        [.., digit, 0xE2, 0x86, 0x92] => digit.is_ascii_digit(),
        [.., b'm'] => {
            let digits = run_start(text, at - 1, |byte| byte.is_ascii_digit() || byte == b';');
            text[..digits].ends_with(b"\x1b[")
        }
        _ => false,
    }
}

/// A few words that are searched for together.
#[derive(Debug)]
pub struct Words(Option<AhoCorasick>);

impl Words {
    /// The words, ready to be searched for, whatever the case.
    pub fn new(words: &'static [&'static str]) -> Words {
        let mut builder = AhoCorasick::builder();
        builder.ascii_case_insensitive(true).prefilter(false).kind(Some(AhoCorasickKind::DFA));
        Words(builder.build(words).ok())
    }

    /// True when one of the words stands in `text`.
    pub fn stand_in(&self, text: &[u8]) -> bool {
        self.0.as_ref().is_some_and(|words| words.is_match(text))
    }
}

/// True for decimal digits only.
pub fn is_digits(bytes: &[u8]) -> bool {
    !bytes.is_empty() && bytes.iter().all(u8::is_ascii_digit)
}

/// Bytes of words and tokens: letters, digits, `_` and `-`.
const JOINED: u8 = 1;
/// Bytes of base64 in either alphabet, without padding.
const BASE64: u8 = 2;

static CLASSES: [u8; 256] = classes();

const fn classes() -> [u8; 256] {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = match byte as u8 {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'-' => JOINED | BASE64,
            b'+' | b'/' => BASE64,
            _ => 0,
        };
        byte += 1;
    }
    table
}

/// True for the bytes of base64 in either alphabet, without padding.
#[inline]
pub fn is_base64_byte(byte: u8) -> bool {
    CLASSES[usize::from(byte)] & BASE64 != 0
}

/// True for letters, digits, underscores and dashes.
#[inline]
pub fn is_joined_byte(byte: u8) -> bool {
    CLASSES[usize::from(byte)] & JOINED != 0
}

/// True when `text` at `at` begins with `literal`, whatever the case.
pub fn starts_at(text: &[u8], at: usize, literal: &[u8]) -> bool {
    text.get(at..at + literal.len()).is_some_and(|head| head.eq_ignore_ascii_case(literal))
}

/// The last good place to cut before `limit`: behind a delimiter, else between characters.
pub fn cut_before(text: &[u8], limit: usize) -> usize {
    /// Where the place is looked for, back from the limit.
    const CUT_REACH: usize = 4 * 1024;
    let floor = limit - CUT_REACH;
    let delimiter = text[floor..limit]
        .iter()
        .rposition(|byte| matches!(byte, b' ' | b'\t' | b',' | b';' | b'}' | b')' | b'>'));
    if let Some(offset) = delimiter {
        return floor + offset + 1;
    }
    let mut cut = limit;
    while cut > floor && text.get(cut).is_some_and(|byte| byte & 0xC0 == 0x80) {
        cut -= 1;
    }
    cut
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn a_long_run_ends_where_asking_byte_by_byte_ends(
            text in "[a-zA-Z0-9_+/.-]{0,120}|[a-z_-]{0,90}[ =.+]{0,2}[A-Z0-9]{0,90}|\\PC{0,60}",
            at in 0..130usize,
        ) {
            let text = text.as_bytes();
            let at = at.min(text.len());
            proptest::prop_assert_eq!(base64_end(text, at), far_run_end(text, at, is_base64_byte));
            proptest::prop_assert_eq!(joined_end(text, at), far_run_end(text, at, is_joined_byte));
        }
    }
}
