//! Finds the whole name around a word of a secret, and what it promises.

use std::ops::Range;

use super::names::{NameClass, classify};
use super::text::{is_joined_byte, run_start, starts_at};

/// The name around the literal at `start..end` and what it promises.
///
/// In prose a name has two words: `the api key is …`.
pub fn named(text: &[u8], start: usize, end: usize) -> Option<(Range<usize>, NameClass)> {
    let name = name_around(text, start, end);
    if text[name.clone()].eq_ignore_ascii_case(b"nopasswd") {
        return None;
    }
    if let Some(class) = classify(&text[name.clone()]) {
        return Some((name, class));
    }
    if is_query_key(text, &name) {
        return Some((name, NameClass::Key));
    }
    let blank = name.start.checked_sub(1).filter(|index| text[*index] == b' ')?;
    let before = run_start(text, blank, |byte| byte.is_ascii_alphanumeric());
    if before == blank || blank - before > 24 {
        return None;
    }
    let wide = before..name.end;
    Some((wide.clone(), classify(&text[wide])?))
}

/// `?key=…`: the key of an interface, unless its value is a name or a sum.
fn is_query_key(text: &[u8], name: &Range<usize>) -> bool {
    let is_part = matches!(text[..name.start].last(), Some(b'?' | b'&'));
    let value = text.get(name.end + 1..).unwrap_or_default();
    let value = &value[..value.len().min(24)];
    is_part
        && text[name.clone()].eq_ignore_ascii_case(b"key")
        && text.get(name.end) == Some(&b'=')
        && is_mixed(value)
}

/// The identifier around a literal, with dots and dashes inside, without leading dashes.
pub fn name_around(text: &[u8], start: usize, end: usize) -> Range<usize> {
    const REACH: usize = 64;
    let floor = start.saturating_sub(REACH);
    let is_outside = |byte: &u8| !is_joined_byte(*byte) && *byte != b'.';
    let outside = text[floor..start].iter().rposition(is_outside);
    let mut from = outside.map_or(floor, |offset| floor + offset + 1);
    while from < start && matches!(text[from], b'-' | b'.') {
        from += 1;
    }
    // The one name of a password with a letter that is not ASCII.
    let mut to = end + if starts_at(text, end, "ña".as_bytes()) { 3 } else { 0 };
    while to < text.len() && to - end < REACH {
        let is_inner = match text[to] {
            b'-' | b'.' => text.get(to + 1).is_some_and(u8::is_ascii_alphanumeric),
            byte => is_joined_byte(byte),
        };
        if !is_inner {
            break;
        }
        to += 1;
    }
    from..to
}

/// True when the name at `at` is the user of a URL or a part of the name of a resource.
pub fn is_in_address(text: &[u8], at: usize) -> bool {
    const NEAR: usize = 96;
    let floor = at.saturating_sub(NEAR);
    let is_user = |byte: u8| byte.is_ascii_alphanumeric() || b"+-._%~".contains(&byte);
    let user = floor + run_start(&text[floor..at], at - floor, is_user);
    if text[..user].ends_with(b"://") {
        return true;
    }
    let is_inner = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b':' | b'-');
    let word = floor + run_start(&text[floor..at], at - floor, is_inner);
    text[..at].ends_with(b":") && starts_at(text, word, b"arn:")
}

/// Both cases and a digit, which no word of a sentence has.
pub fn is_mixed(bytes: &[u8]) -> bool {
    let has = |class: fn(&u8) -> bool| bytes.iter().any(class);
    bytes.len() >= 8
        && has(u8::is_ascii_digit)
        && has(u8::is_ascii_uppercase)
        && has(u8::is_ascii_lowercase)
}
