//! Takes off a value what stands beside it without a blank: escapes, pairs, messages, schemes.

use std::ops::Range;

use super::value_span::{Style, Value};

/// An escaped line break or quote ends a value without quotes, as a plain one does.
pub fn cut_at_escape(text: &[u8], value: &mut Value) {
    let bytes = &text[value.range.clone()];
    if value.style == Style::Quoted {
        // A string of the code that a string holds has quotes of its own.
        if let Some(inner) = bytes.strip_prefix(b"\\\"").and_then(|rest| rest.strip_suffix(b"\\\""))
        {
            let start = value.range.start + 2;
            value.range = start..start + inner.len();
        }
        return;
    }
    // The quote that an escape stands for may be what ended the value.
    let rest = &text[value.range.start..];
    let is_end = |at: &usize| matches!(rest.get(at + 1), Some(b'n' | b'r' | b't' | b'"' | b'\''));
    if let Some(at) = memchr::memchr_iter(b'\\', bytes).find(is_end) {
        // In a string inside a string the backslash itself is escaped.
        let escapes = bytes[..at].iter().rev().take_while(|byte| **byte == b'\\').count();
        let kept = bytes[..at - escapes].trim_ascii_end();
        let kept = kept.strip_suffix(b";").unwrap_or(kept);
        value.range.end = value.range.start + kept.len();
    }
}

/// `name=value,other=value` and `name=value: what went wrong`: the value ends before the sign.
pub fn cut_at_pair(text: &[u8], value: &mut Value) {
    if value.style != Style::Quoted {
        // The marks of code in a sentence: ``name: value``.
        let bytes = &text[value.range.clone()];
        value.range.end -= bytes.iter().rev().take_while(|byte| **byte == b'`').count();
    }
    if !matches!(value.style, Style::Environment | Style::Flag | Style::Query) {
        return;
    }
    let bytes = &text[value.range.clone()];
    let is_pair = |at: &usize| {
        let rest = &bytes[at + 1..];
        let name =
            rest.iter().take_while(|byte| byte.is_ascii_alphanumeric() || b"_.".contains(byte));
        let length = name.count();
        length > 0 && rest[0].is_ascii_alphabetic() && rest.get(length) == Some(&b'=')
    };
    let end = memchr::memchr_iter(b',', bytes).find(is_pair).unwrap_or(bytes.len());
    let is_told = matches!(text.get(value.range.end), Some(b' ')) && bytes[..end].ends_with(b":");
    value.range.end = value.range.start + end - usize::from(is_told);
}

/// `map[A:value B:value]`, `{A=value}`: the bracket around all pairs is no part of the last value.
pub fn cut_at_bracket(text: &[u8], name: &Range<usize>, value: &mut Value) {
    const NEAR: usize = 1024;
    // `<![CDATA[…]]>` around it.
    let tail = [b"]]>".as_slice(), b"]]"].into_iter().find(|tail| {
        let is_whole = tail.len() == 3 || text.get(value.range.end) == Some(&b'>');
        is_whole && text[value.range.clone()].ends_with(tail)
    });
    if value.style != Style::Quoted {
        value.range.end -= tail.map_or(0, <[u8]>::len);
    }
    let bytes = &text[value.range.clone()];
    // The element that the line stands in ends.
    let close = memchr::memmem::find(bytes, b"</").filter(|close| *close > 0);
    if let Some(close) = close.filter(|_| value.style != Style::Quoted) {
        value.range.end = value.range.start + close;
    }
    let bytes = &text[value.range.clone()];
    let open = match bytes.last() {
        Some(b']') => b'[',
        Some(b'}') => b'{',
        _ => return,
    };
    let near = &text[name.start.saturating_sub(NEAR)..name.start];
    let line = memchr::memrchr(b'\n', near).map_or(near, |newline| &near[newline..]);
    if value.style != Style::Quoted && !bytes.contains(&open) && line.contains(&open) {
        value.range.end -= 1;
    }
}

/// `--ks-pass pass:…`: the first word says where the password is, which is here.
pub fn skip_source(text: &[u8], value: &mut Value) {
    if value.style == Style::Flag && text[value.range.clone()].starts_with(b"pass:") {
        value.range.start += b"pass:".len();
    }
}

/// `Authorization: "Token …"`: the first word says how the second is used.
pub fn skip_scheme(text: &[u8], name: &Range<usize>, value: &mut Value) {
    const HEADER: &[u8] = b"authorization";
    let name = &text[name.clone()];
    let ending = &name[name.len().saturating_sub(HEADER.len())..];
    let bytes = &text[value.range.clone()];
    let scheme = bytes.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
    let is_scheme = scheme > 0 && bytes.get(scheme) == Some(&b' ');
    if ending.eq_ignore_ascii_case(HEADER)
        && is_scheme
        && memchr::memchr(b' ', &bytes[scheme + 1..]).is_none()
    {
        value.range.start += scheme + 1;
    }
}
