//! Where a value without quotes ends: at the next pair, at a sign of a shell, at a quote around it.

use std::ops::Range;

use super::line_marks::begins_line;
use super::text::{run_end, skip_blanks, starts_at};
use super::value::looks_random;
use super::value_span::{LONGEST, Style, Value, is_variable_name};

/// `value; name: …`, `value, name: …`, `value | name = …`: what a sign parts from the next pair.
pub fn before_next_pair(text: &[u8], at: usize, style: Style) -> Option<Value> {
    const LONGEST_NAME: usize = 48;
    let near = &text[..(at + LONGEST + LONGEST_NAME).min(text.len())];
    let word = run_end(near, at, |byte| !byte.is_ascii_whitespace());
    let blank = skip_blanks(near, word);
    let (end, next) = match near.get(at..word)? {
        [.., b';' | b','] => (word - 1, blank),
        _ if starts_at(near, blank, b"| ") => (word, blank + 2),
        _ => return None,
    };
    let name = run_end(near, next, |byte| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte));
    let sign = skip_blanks(near, name);
    let is_pair = (1..=LONGEST_NAME).contains(&(name - next))
        && near[next].is_ascii_alphabetic()
        && matches!(near.get(sign), Some(b':' | b'='))
        && matches!(near.get(sign + 1), Some(b' '));
    let value = near.get(at..end)?;
    let is_value = value.iter().any(u8::is_ascii_digit)
        && !value.iter().any(|byte| b"\"'`(){}[],;<>".contains(byte))
        && looks_random(value);
    (is_pair && is_value).then_some(Value { range: at..end, style })
}

/// The end of a value that stops at `end`, where an ampersand may be a letter of a password.
///
/// Behind the one of a query the next name follows, and behind the one of a shell a blank.
pub fn behind_ampersand(text: &[u8], name: &Range<usize>, end: usize) -> usize {
    const LONGEST_REST: usize = 32;
    let is_own = is_variable_name(&text[name.clone()]) || begins_line(text, name.start);
    if text.get(end) != Some(&b'&') || !is_own {
        return end;
    }
    let near = &text[..(end + 1 + LONGEST_REST).min(text.len())];
    let rest = run_end(near, end + 1, |byte| !byte.is_ascii_whitespace());
    let is_rest = rest > end + 1
        && (rest < near.len() || rest == text.len())
        && !near[end + 1..rest].iter().any(|byte| b"=&\"'`<>();|\\".contains(byte));
    if is_rest { rest } else { end }
}

/// The end of a word of a shell, not further away than the longest value and one more.
pub fn word_end(text: &[u8], at: usize) -> usize {
    const ENDS: [[u8; 3]; 4] =
        [*b" \n\"", [b'\t', b'\r', b'\''], [b'`', b';', b'&'], [b'<', b'>', 0x0c]];
    ENDS.iter().fold((at + LONGEST + 1).min(text.len()), |end, [one, two, three]| {
        memchr::memchr3(*one, *two, *three, &text[at..end]).map_or(end, |offset| at + offset)
    })
}

/// Where a quote ends the value that was opened before its name: `-H 'key: value'`.
pub fn closing_quote(value: &[u8]) -> usize {
    let is_quote = |byte: &u8| matches!(byte, b'"' | b'\'' | b'`');
    let ends = |at: usize| {
        matches!(
            value.get(at + 1),
            None | Some(b' ' | b'\t' | b',' | b')' | b']' | b'}' | b';' | b':' | b'\\')
        )
    };
    match value.iter().position(is_quote) {
        Some(at) if at > 0 && ends(at) => at,
        _ => value.len(),
    }
}

/// Behind the quote that ends a value; where none does, the line ends there.
pub fn behind_string(text: &[u8], value: &Value) -> usize {
    let is_closed = matches!(text.get(value.range.end), Some(b'"' | b'\'' | b'`'));
    value.range.end + usize::from(is_closed)
}
