//! Base64 or hexadecimal digits that are wrapped over lines of one length.

use std::ops::Range;

use super::decode::decoded;
use super::join::number_end;
use crate::egress::detect::text::{far_run_end, is_base64_byte, line_end, run_end};

/// The shortest line of such a text.
const SHORTEST: usize = 16;
/// The longest.
const LONGEST: usize = 256;
/// How many lines are put together.
const MOST: usize = 96;

/// A text over several lines and what it decodes to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wrapped {
    /// Where its lines lie, without what stands before and behind them.
    pub lines: Vec<Range<usize>>,
    /// The text inside.
    pub bytes: Vec<u8>,
}

/// Every text in `text` that is wrapped over lines and decodes to text.
pub fn wrapped_runs(text: &[u8]) -> Vec<Wrapped> {
    let mut runs = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let lines = lines_from(text, at);
        at = line_end(text, lines.last().map_or(at, |line| line.end));
        if lines.len() < 2 {
            continue;
        }
        let is_digit = |byte: &&u8| **byte != b'=';
        let digits = lines.iter().flat_map(|line| &text[line.clone()]).filter(is_digit);
        let digits: Vec<u8> = digits.copied().collect();
        runs.extend(decoded(&digits).map(|bytes| Wrapped { lines, bytes }));
    }
    runs
}

/// Where the last line ends of a text that is wrapped and begins in the line at `at`.
///
/// `None` when the text ends before one can tell.
pub fn wrapped_end(text: &[u8], at: usize, is_final: bool) -> Option<usize> {
    let lines = lines_from(text, at);
    let Some(last) = lines.last() else { return Some(at) };
    let end = line_end(text, last.end);
    let ends_open = end == text.len() && !text.ends_with(b"\n") || {
        // The line below is not there yet, or not all of it.
        let goes_on = lines.len() < MOST && last.len() == lines[0].len();
        let below = &text[end..];
        goes_on && !below.contains(&b'\n') && below.len() <= LONGEST
    };
    (is_final || !ends_open).then_some(end)
}

/// The lines from the one at `at` on that are as long as it and nothing but digits.
fn lines_from(text: &[u8], at: usize) -> Vec<Range<usize>> {
    let mut lines: Vec<Range<usize>> = Vec::new();
    let mut start = at;
    while start < text.len() && lines.len() < MOST {
        let first = lines.is_empty().then(|| last_digits_of(text, start)).flatten();
        let Some(line) = digits_of(text, start).or(first) else { break };
        if lines.is_empty() && line.len() < SHORTEST {
            break;
        }
        let length = lines.first().map_or(line.len(), Range::len);
        if line.len() > length {
            break;
        }
        let is_last = line.len() < length || text[line.clone()].ends_with(b"=");
        start = line_end(text, line.end);
        lines.push(line);
        if is_last {
            break;
        }
    }
    lines
}

/// The digits of the line at `start` when nothing else stands on it but its number.
fn digits_of(text: &[u8], start: usize) -> Option<Range<usize>> {
    let blank = |byte: u8| matches!(byte, b' ' | b'\t');
    let mut from = run_end(text, start, blank);
    from = number_end(text, from).unwrap_or(from);
    let near = &text[..(from + LONGEST + 1).min(text.len())];
    let end = far_run_end(near, from, is_base64_byte);
    let padded = far_run_end(near, end, |byte| byte == b'=').min(end + 2);
    let behind = run_end(text, padded, |byte| blank(byte) || byte == b'\r');
    let is_whole = matches!(text.get(behind), None | Some(b'\n'));
    (is_whole && (1..=LONGEST).contains(&(end - from))).then_some(from..padded)
}

/// The digits with which the line at `start` ends, behind a name and a sign.
fn last_digits_of(text: &[u8], start: usize) -> Option<Range<usize>> {
    let near = &text[start..(start + 2 * LONGEST).min(text.len())];
    let newline = memchr::memchr(b'\n', near)?;
    let line = near[..newline].trim_ascii_end();
    let length = line.iter().rev().take_while(|byte| is_base64_byte(**byte)).count();
    let from = start + line.len() - length;
    let before = text[start..from].last();
    let is_bound = matches!(before, Some(b' ' | b'=' | b':' | b'"' | b'\''));
    (is_bound && (SHORTEST..=LONGEST).contains(&length)).then_some(from..from + length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_one_length_and_a_rest_are_one_text() {
        let text = b"blob:\n  c29tZSB0ZXh0IGFi\n  b3V0IG5vdGhpbmcg\n  YXQgYWxs\nend\n";
        let runs = wrapped_runs(text);
        assert_eq!(runs.len(), 1);
        assert_eq!(runs[0].bytes, b"some text about nothing at all");
        assert_eq!(runs[0].lines.len(), 3);
    }

    #[test]
    fn one_line_and_lines_of_words_are_none() {
        for text in ["c29tZSB0ZXh0IGFi\n", "one\ntwo\nten\n", "c29tZSB0ZXh0IGFi\nof all lines\n"] {
            assert_eq!(wrapped_runs(text.as_bytes()), [], "{text}");
        }
    }
}
