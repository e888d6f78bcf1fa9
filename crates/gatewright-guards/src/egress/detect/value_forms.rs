//! Values that stand further from their names: in objects, elements, declarations and diffs.

use std::ops::Range;

use super::private_key::holds_placeholder;
use super::text::{run_end, skip_blanks, skip_space, starts_at};
use super::value::is_placeholder;
use super::value_span::{LONGEST, Style, Value, quoted};

/// True when a name starts at `at` behind the word that declares an input of a module.
pub fn is_variable(text: &[u8], at: usize) -> bool {
    text[..at].ends_with(b"variable \"")
}

/// `{`, and first in the line below it `default = "…"`.
pub fn default_below(text: &[u8], at: usize) -> Option<Value> {
    let open = skip_blanks(text, at);
    let word = skip_space(text, open + 1);
    if text.get(open) != Some(&b'{') || !starts_at(text, word, b"default") {
        return None;
    }
    let equals = skip_blanks(text, word + b"default".len());
    (text.get(equals) == Some(&b'=')).then(|| quoted(text, skip_blanks(text, equals + 1))).flatten()
}

/// How far behind its brace the value of an object with a name may stand.
pub const MEMBER_REACH: usize = 160;

/// `[-old-]{+new+}` of a diff by words: the first that is no placeholder.
fn word_of_diff(text: &[u8], at: usize) -> Option<Value> {
    let part = |open: usize, close: &[u8]| -> Option<Range<usize>> {
        let near = &text[open..(open + LONGEST).min(text.len())];
        memchr::memmem::find(near, close).map(|length| open..open + length)
    };
    let mut new = at;
    if starts_at(text, at, b"[-") {
        let old = part(at + 2, b"-]")?;
        if !is_placeholder(&text[old.clone()]) {
            return Some(Value { range: old, style: Style::Environment });
        }
        new = old.end + 2;
    }
    let range = starts_at(text, new, b"{+").then(|| part(new + 2, b"+}")).flatten()?;
    Some(Value { range, style: Style::Environment })
}

/// `Field(default="…")`: what stands for a value that is not given.
pub fn default_argument(text: &[u8], at: usize) -> Option<Value> {
    const REACH: usize = 80;
    let near = &text[at..(at + REACH).min(text.len())];
    let near = &near[..memchr::memchr2(b'\n', b')', near).unwrap_or(near.len())];
    let word = memchr::memmem::find(near, b"default=")?;
    let call = memchr::memchr(b'(', &near[..word])?;
    near[..call]
        .iter()
        .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.'))
        .then(|| quoted(text, at + word + b"default=".len()))
        .flatten()
}

/// What stands before the value of an object on a line of its own.
pub const MEMBER: &[u8] = b"\"value\": \"";

/// Where the value stands, on another line, in a small object that opens behind `at`.
pub fn member_key(text: &[u8], at: usize) -> Option<usize> {
    let near = &text[at..(at + MEMBER_REACH).min(text.len())];
    let near = &near[..memchr::memchr(b'}', near).unwrap_or(near.len())];
    memchr::memmem::find(near, MEMBER).map(|offset| at + offset)
}

/// `{"sensitive": true, "value": "…"}`.
fn member(text: &[u8], open: usize) -> Option<Value> {
    let near = &text[open..(open + MEMBER_REACH).min(text.len())];
    let near = &near[..memchr::memchr2(b'\n', b'}', near).unwrap_or(near.len())];
    let Some(key) = memchr::memmem::find(near, b"value") else {
        let key = member_key(text, open)?;
        // Before something between them was hidden the two stood further apart.
        let is_told = holds_placeholder(&text[open..key]);
        return (!is_told).then(|| quoted(text, key + MEMBER.len() - 1)).flatten();
    };
    let key = open + key + 5;
    let key = key + usize::from(matches!(text.get(key), Some(b'"' | b'\'')));
    let operator = skip_blanks(text, key);
    let is_bound = matches!(text.get(operator), Some(b':' | b'='));
    is_bound.then(|| quoted(text, skip_blanks(text, operator + 1))).flatten()
}

/// The value of an element, from behind its opening tag.
pub fn markup_value(text: &[u8], at: usize) -> Option<Value> {
    let start = skip_space(text, at);
    let end =
        memchr::memchr(b'<', text.get(start..start + 512).unwrap_or(text.get(start..)?))? + start;
    let trimmed = text[start..end].trim_ascii_end().len();
    text.get(end + 1).filter(|byte| **byte == b'/')?;
    Some(Value { range: start..start + trimmed, style: Style::Markup })
}

/// `<key>name</key><string>value</string>`.
pub fn property_list_value(text: &[u8], at: usize) -> Option<Value> {
    let close = memchr::memchr(b'>', text.get(at..at + 16).unwrap_or(text.get(at..)?))? + at;
    if !text[at..close].starts_with(b"</") {
        return None;
    }
    let open = skip_space(text, close + 1);
    let tag_end =
        memchr::memchr(b'>', text.get(open..open + 16).unwrap_or(text.get(open..)?))? + open;
    (text[open] == b'<' && text.get(open + 1) != Some(&b'/'))
        .then(|| markup_value(text, tag_end + 1))
        .flatten()
}

/// What a call, a diff by words, an object or a dump at `at` holds; `None` when none stands there.
pub fn enclosed(text: &[u8], at: usize, symbol: &[u8]) -> Option<Option<Value>> {
    if let Some(wrapper) = WRAPPERS.iter().find(|wrapper| starts_at(text, at, wrapper)) {
        return Some(quoted(text, at + wrapper.len()));
    }
    if starts_at(text, at, b"[-") || starts_at(text, at, b"{+") {
        return Some(word_of_diff(text, at));
    }
    if text.get(at) == Some(&b'{') {
        return Some(member(text, at));
    }
    let shown = skip_space(text, at);
    if symbol != b"=>" || !starts_at(text, shown, b"string(") {
        return None;
    }
    let length = run_end(text, shown + 7, |byte| byte.is_ascii_digit());
    Some(starts_at(text, length, b") ").then(|| quoted(text, length + 2)).flatten())
}

/// Calls that leave the meaning of their argument as it is.
const WRAPPERS: [&[u8]; 6] =
    [b"Some(", b"JSON.stringify(", b"SecretStr(", b"String(", b"Secret(", b"str("];
