//! Strings that code turns around: `"…"[::-1]`, `strrev("…")`, `.split("").reverse()`.

use std::ops::Range;
use std::sync::LazyLock;

use memchr::memmem::Finder;

use crate::egress::detect::text::run_start;

/// The shortest string that may be a token, and the longest that is looked at.
const LENGTHS: Range<usize> = 16..513;

/// A string that code turns around.
#[derive(Debug, PartialEq, Eq)]
pub struct Turned {
    /// Where it lies, without quotes.
    pub range: Range<usize>,
    /// What it reads then.
    pub bytes: Vec<u8>,
}

impl Turned {
    /// Where a range of the turned bytes lies in the text.
    pub fn source(&self, range: &Range<usize>) -> Range<usize> {
        self.range.end - range.end..self.range.end - range.start
    }
}

/// The strings of `text` that code turns around.
pub fn turned(text: &[u8]) -> Vec<Turned> {
    static SIGNS: LazyLock<[Finder<'static>; 2]> =
        LazyLock::new(|| [Finder::new(b"rev"), Finder::new(b"[::-1]")]);
    // Without a quote only a pipe turns words around.
    let has_quote = memchr::memchr3(b'"', b'\'', b'`', text).is_some();
    let signs = if has_quote { &SIGNS[..] } else { &SIGNS[..1] };
    if signs.iter().all(|sign| sign.find(text).is_none()) {
        return Vec::new();
    }
    let quotes = memchr::memchr3_iter(b'"', b'\'', b'`', text);
    let strings = quotes.filter_map(|close| Some(string_start(text, close)?..close));
    let strings = strings.filter(|range| is_turned(text, range)).chain(piped_words(text));
    let turned = |range: Range<usize>| {
        let bytes = text[range.clone()].iter().rev().copied().collect();
        Turned { range, bytes }
    };
    strings.map(turned).collect()
}

/// How a shell turns a line around.
const PIPE: &[u8] = b" | rev";

/// `echo cba | rev`: the words without quotes that a shell turns around.
fn piped_words(text: &[u8]) -> impl Iterator<Item = Range<usize>> + '_ {
    memchr::memmem::find_iter(text, PIPE).filter_map(|end| {
        let near = end.saturating_sub(LENGTHS.end);
        let is_inner = |byte: u8| byte.is_ascii_graphic() && !matches!(byte, b'"' | b'\'' | b'`');
        let start = near + run_start(&text[near..end], end - near, is_inner);
        let is_word = start == 0 || text[start - 1].is_ascii_whitespace();
        (is_word && LENGTHS.contains(&(end - start))).then_some(start..end)
    })
}

/// Where the string begins that the quote at `close` ends.
fn string_start(text: &[u8], close: usize) -> Option<usize> {
    let is_inner = |byte: u8| byte.is_ascii_graphic() && !matches!(byte, b'"' | b'\'' | b'`');
    let near = close.saturating_sub(LENGTHS.end);
    let start = near + run_start(&text[near..close], close - near, is_inner);
    let opens = start > 0 && text[start - 1] == text[close];
    (opens && LENGTHS.contains(&(close - start))).then_some(start)
}

/// True when code turns the string around whose last part, or all of it, lies at `part`.
pub fn is_turned(text: &[u8], part: &Range<usize>) -> bool {
    const BEHIND: [&str; 6] = [
        "[::-1]",
        ".reverse",
        ".split(\"\").reverse",
        ".split('').reverse",
        ".chars().rev()",
        " | rev",
    ];
    const BEFORE: [&str; 3] = ["rev(", "reverse(", "reversed("];
    if text[part.end..].starts_with(PIPE) {
        return true;
    }
    let Some(rest) = text.get(part.end + 1..) else { return false };
    let rest = rest.strip_prefix(b")").unwrap_or(rest);
    let quote = text[..part.start].split_last().map(|(_, before)| before).unwrap_or_default();
    BEHIND.iter().any(|sign| rest.starts_with(sign.as_bytes()))
        || BEFORE.iter().any(|sign| quote.ends_with(sign.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_that_are_turned_around_are_read_so() {
        for code in [
            r#"t = "fedcba9876543210"[::-1]"#,
            r#"t = "fedcba9876543210".split("").reverse().join("")"#,
            "$t = strrev('fedcba9876543210');",
            r#"new StringBuilder("fedcba9876543210").reverse()"#,
            r#"echo "fedcba9876543210" | rev"#,
            "echo fedcba9876543210 | rev",
        ] {
            let found = turned(code.as_bytes());
            let read: Vec<_> = found.iter().map(|one| one.bytes.as_slice()).collect();
            assert_eq!(read, [b"0123456789abcdef"], "{code}");
            assert_eq!(&code[found[0].source(&(0..2))], "10", "{code}");
        }
    }

    #[test]
    fn other_strings_are_left_as_they_are() {
        for code in [r#"reverse = "fedcba9876543210""#, r#""short"[::-1]"#, "x[::-1]"] {
            assert_eq!(turned(code.as_bytes()), [], "{code}");
        }
    }
}
