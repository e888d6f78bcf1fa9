//! The strings of a JSON text, read in the one pass that shows whether it is such a text.
//!
//! Most bytes of what an agent's tool answers stand inside of strings, so the few bytes at
//! which a string ends or is escaped are marked first, many together. What this reader takes is
//! JSON for every reader; of a text that it does not take nothing is known.

use std::borrow::Cow;
use std::ops::Range;

use super::sparks::string_signs;

/// A string literal of a JSON text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Literal<'a> {
    /// Where it stands, quotes included.
    pub range: Range<usize>,
    /// What it reads as.
    pub text: Cow<'a, str>,
    /// True when a value stands under it.
    pub is_key: bool,
}

/// The string literals of a JSON text, in order; `None` when it may be no JSON.
pub fn literals(text: &str) -> Option<Vec<Literal<'_>>> {
    if !matches!(text.trim_ascii_start().bytes().next(), Some(b'{' | b'[' | b'"')) {
        return None;
    }
    let mut signs = Vec::new();
    string_signs(text.as_bytes(), |at| signs.push(at));
    Reader { text, at: 0, signs: &signs, found: Vec::new() }.document()
}

struct Reader<'a, 's> {
    text: &'a str,
    at: usize,
    /// The quotes, backslashes and control characters from here on, or some before.
    signs: &'s [usize],
    found: Vec<Literal<'a>>,
}

impl<'a> Reader<'a, '_> {
    fn document(mut self) -> Option<Vec<Literal<'a>>> {
        // What closes the lists and objects around the place that is read.
        let mut open: Vec<u8> = Vec::new();
        loop {
            match self.byte()? {
                opening @ (b'{' | b'[') => {
                    let close = opening + 2;
                    self.at += 1;
                    if self.byte()? == close {
                        self.at += 1;
                    } else {
                        open.push(close);
                        self.key_in(close)?;
                        continue;
                    }
                }
                _ => self.scalar()?,
            }
            loop {
                let Some(close) = open.last().copied() else {
                    return self.is_at_end().then_some(self.found);
                };
                let byte = self.byte()?;
                self.at += 1;
                match byte {
                    b',' => {
                        self.key_in(close)?;
                        break;
                    }
                    _ if byte == close => open.pop(),
                    _ => return None,
                };
            }
        }
    }

    /// Reads the name of a member where the object that it stands in ends with `close`.
    fn key_in(&mut self, close: u8) -> Option<()> {
        if close != b'}' {
            return Some(());
        }
        if self.byte()? != b'"' {
            return None;
        }
        self.string(true)?;
        (self.byte()? == b':').then(|| self.at += 1)
    }

    /// Reads a value that is no list and no object.
    fn scalar(&mut self) -> Option<()> {
        match self.byte()? {
            b'"' => self.string(false),
            b't' => self.word("true"),
            b'f' => self.word("false"),
            b'n' => self.word("null"),
            _ => self.number(),
        }
    }

    fn word(&mut self, word: &str) -> Option<()> {
        self.text.as_bytes()[self.at..].starts_with(word.as_bytes()).then(|| self.at += word.len())
    }

    fn number(&mut self) -> Option<()> {
        self.at += usize::from(self.next_is(b"-"));
        let first = self.at;
        self.digits()?;
        if self.at - first > 1 && self.text.as_bytes()[first] == b'0' {
            return None;
        }
        if self.next_is(b".") {
            self.at += 1;
            self.digits()?;
        }
        if self.next_is(b"eE") {
            self.at += 1;
            self.at += usize::from(self.next_is(b"+-"));
            self.digits()?;
        }
        Some(())
    }

    /// Reads one digit or more.
    fn digits(&mut self) -> Option<()> {
        let rest = &self.text.as_bytes()[self.at..];
        let count = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        self.at += count;
        (count > 0).then_some(())
    }

    fn next_is(&self, wanted: &[u8]) -> bool {
        self.text.as_bytes().get(self.at).is_some_and(|byte| wanted.contains(byte))
    }

    /// Reads the string whose quote is next.
    fn string(&mut self, is_key: bool) -> Option<()> {
        let start = self.at;
        let known = self.signs.iter().position(|sign| *sign > start)?;
        self.signs = &self.signs[known..];
        let mut owned: Option<String> = None;
        let mut from = start + 1;
        loop {
            let (at, rest) = self.signs.split_first()?;
            let part = &self.text[from..*at];
            match self.text.as_bytes()[*at] {
                b'"' => {
                    self.signs = rest;
                    self.at = at + 1;
                    let text = match owned {
                        Some(before) => Cow::Owned(before + part),
                        None => Cow::Borrowed(part),
                    };
                    self.found.push(Literal { range: start..self.at, text, is_key });
                    return Some(());
                }
                b'\\' => {
                    let (character, length) = escaped(self.text, *at)?;
                    let text = owned.get_or_insert_default();
                    text.push_str(part);
                    text.push(character);
                    from = at + length;
                    // The sign that is escaped is one too, and so may be what follows it.
                    let behind = rest.iter().position(|sign| *sign >= from)?;
                    self.signs = &rest[behind..];
                }
                _ => return None,
            }
        }
    }

    /// The next byte that is no blank.
    fn byte(&mut self) -> Option<u8> {
        let bytes = self.text.as_bytes();
        while matches!(bytes.get(self.at), Some(b' ' | b'\n' | b'\t' | b'\r')) {
            self.at += 1;
        }
        bytes.get(self.at).copied()
    }

    fn is_at_end(&mut self) -> bool {
        self.byte().is_none()
    }
}

/// The character that the escape at `at` stands for, and how long the escape is.
fn escaped(text: &str, at: usize) -> Option<(char, usize)> {
    let short = match text.as_bytes().get(at + 1)? {
        sign @ (b'"' | b'\\' | b'/') => char::from(*sign),
        b'n' => '\n',
        b't' => '\t',
        b'r' => '\r',
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'u' => return coded(text, at),
        _ => return None,
    };
    Some((short, 2))
}

/// The character whose code stands at `at`, in two parts where one does not hold it.
fn coded(text: &str, at: usize) -> Option<(char, usize)> {
    const LENGTH: usize = 6;
    let unit = |at: usize| {
        let digits = text.get(at..at + LENGTH)?.strip_prefix("\\u")?;
        let is_hex = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        u16::from_str_radix(digits, 16).ok().filter(|_| is_hex)
    };
    let first = unit(at)?;
    if let Some(character) = char::from_u32(u32::from(first)) {
        return Some((character, LENGTH));
    }
    let pair = char::decode_utf16([first, unit(at + LENGTH)?]).next()?;
    Some((pair.ok()?, 2 * LENGTH))
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    /// The strings of a value, keys before what stands under them.
    fn strings(value: &Value, found: &mut Vec<String>) {
        match value {
            Value::String(text) => found.push(text.clone()),
            Value::Array(items) => items.iter().for_each(|item| strings(item, found)),
            Value::Object(members) => {
                for (name, member) in members {
                    found.push(name.clone());
                    strings(member, found);
                }
            }
            _ => {}
        }
    }

    fn read(text: &str) -> Option<Vec<String>> {
        let found = literals(text)?;
        Some(found.into_iter().map(|one| one.text.into_owned()).collect())
    }

    #[test]
    fn strings_are_read_with_their_places() {
        let text = "{\"a\": [\"b\\n\", 1.5e-3, true], \"\\u00e9\": {}, \"c\": \"\\ud83d\\ude00\"}";
        let found = literals(text).unwrap();
        let shown: Vec<_> = found.iter().map(|one| (one.text.as_ref(), one.is_key)).collect();
        assert_eq!(shown, [("a", true), ("b\n", false), ("é", true), ("c", true), ("😀", false)]);
        assert_eq!(&text[found[1].range.clone()], "\"b\\n\"");
    }

    #[test]
    fn what_is_no_json_is_not_taken() {
        for text in [
            "",
            "a",
            "{",
            "{\"a\"}",
            "{\"a\":}",
            "[1,]",
            "[01]",
            "[1.]",
            "[-]",
            "\"a",
            "\"\\x\"",
            "\"a\nb\"",
            "\"\\ud800\"",
            "\"\\u12\"",
            "{}{}",
            "[\"a\" \"b\"]",
            "{\"a\":1,}",
            "[1e]",
            "{1:2}",
            "[tru]",
            "\"\\",
            "\"\\u+123\"",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    proptest::proptest! {
        #[test]
        fn what_is_taken_reads_as_for_the_library(
            parts in proptest::collection::vec(proptest::sample::select(&[
                "{", "}", "[", "]", ",", ":", "\"", "\\", "\\\"", "\\n", "\\u0041", "\\ud83d\\ude00",
                "\\ud83d", "a", "é", "\"a\"", "\"\":", "1", "-0.5e+7", "true", "null", " ", "\n", "\u{1}",
                "{\"k\": \"v\\\\\"}", "[\"\\\\\\\"x\", 0]", "\"long enough to fill more than one step of bytes that are looked at together\"",
            ][..]), 0..12),
            is_wrapped in proptest::bool::ANY,
        ) {
            let inner = parts.concat();
            let text = if is_wrapped { format!("[{inner}]") } else { inner };
            // A number may be too large for a value.
            let is_json = serde_json::from_str::<serde::de::IgnoredAny>(&text).is_ok();
            let known: Value = serde_json::from_str(&text).unwrap_or_default();
            match read(&text) {
                Some(found) => {
                    let mut expected = Vec::new();
                    strings(&known, &mut expected);
                    // Of members of one name the library keeps one.
                    proptest::prop_assert!(is_json && expected.iter().all(|one| found.contains(one)));
                }
                None => proptest::prop_assert!(!known.is_string() && !known.is_array() && !known.is_object()),
            }
        }

        #[test]
        fn every_text_comes_back_from_its_literal(text in "[ -~\\n\\t\\\\\"é😀\\x00-\\x1f]{0,150}") {
            let written = serde_json::json!([{ "k": text }]).to_string();
            proptest::prop_assert_eq!(read(&written), Some(vec!["k".to_owned(), text]));
        }
    }
}
