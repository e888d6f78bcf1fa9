//! Undoes escapes and look-alikes: one reading of the text as a person would see it.

use unicode_normalization::char::decompose_compatible;

use super::View;
use super::alike::{Reading, reading};
use super::marks::character_at;
use crate::egress::detect::text::{run_end, starts_at};
use crate::egress::sparks::disguises;

/// The text with escapes decoded, invisible characters gone and look-alikes folded.
///
/// `None` when nothing changes.
pub fn plain(source: &View) -> Option<View> {
    let text = source.bytes();
    let mut changed = None;
    let (mut kept, mut next) = (0, 0);
    disguises(text, |at| {
        if at < next {
            return;
        }
        let (byte, length) = match step(text, at) {
            Step::Keep => {
                // What is left of a character begins nothing.
                next = run_end(text, at + 1, |byte| matches!(byte, 0x80..=0xBF));
                return;
            }
            Step::Drop { length } => (None, length),
            Step::Become { byte, length } => (Some(byte), length),
        };
        let view = changed.get_or_insert_with(|| View::like(source));
        view.keep(source, kept..at);
        if let Some(byte) = byte {
            view.put(byte, source, at..at + length);
        }
        next = at + length;
        kept = next.min(text.len());
    });
    let mut view = changed?;
    view.keep(source, kept..text.len());
    Some(view)
}

enum Step {
    Keep,
    Drop { length: usize },
    Become { byte: u8, length: usize },
}

fn step(text: &[u8], at: usize) -> Step {
    match text[at] {
        b'\\' => escape(text, at),
        b'%' => match hex_byte(text, at + 1) {
            Some(_) if is_variable(text, at) => Step::Keep,
            Some(byte) => Step::Become { byte, length: 3 },
            None => Step::Keep,
        },
        b'&' => entity(text, at),
        0x1b => Step::Drop { length: terminal_sequence(text, at) },
        0x80.. => character(text, at),
        _ => Step::Keep,
    }
}

fn escape(text: &[u8], at: usize) -> Step {
    let become_ = |byte, length| Step::Become { byte, length };
    match text.get(at + 1) {
        Some(b'n') => become_(b'\n', 2),
        Some(b't') => become_(b'\t', 2),
        Some(b'r') => become_(b'\r', 2),
        Some(&sign @ (b'"' | b'\'' | b'/' | b'\\' | b'`' | b'$' | b'_' | b'-')) => become_(sign, 2),
        Some(b'e') if text.get(at + 2) == Some(&b'[') => terminal_escape(text, at, 2),
        Some(b'0') if starts_at(text, at, b"\\033[") => terminal_escape(text, at, 4),
        Some(b'x') if text.get(at + 2) == Some(&b'{') => match hex_byte(text, at + 3) {
            Some(byte) if text.get(at + 5) == Some(&b'}') => become_(byte, 6),
            _ => Step::Keep,
        },
        Some(b'x') => match hex_byte(text, at + 2) {
            Some(0x1b) => terminal_escape(text, at, 4),
            Some(byte) => become_(byte, 4),
            None => Step::Keep,
        },
        Some(b'u' | b'U') => unicode_escape(text, at),
        // Style sheets write six digits.
        Some(b'0') if starts_at(text, at, b"\\0000") => match hex_byte(text, at + 5) {
            Some(byte) => become_(byte, 7),
            None => Step::Keep,
        },
        Some(b'0'..=b'1') => match octal_byte(text, at + 1) {
            Some(byte) => become_(byte, 4),
            None => Step::Keep,
        },
        _ => Step::Keep,
    }
}

/// An escape written out, `\x1b[31m`, whose bracket lies `skip` bytes behind `at`.
fn terminal_escape(text: &[u8], at: usize, skip: usize) -> Step {
    if text.get(at + skip) != Some(&b'[') {
        return Step::Keep;
    }
    let end = run_end(text, at + skip + 1, |byte| matches!(byte, 0x20..=0x3f));
    let last = usize::from(!starts_at(text, end, b"[REDACTED:"));
    Step::Drop { length: end + last - at }
}

fn unicode_escape(text: &[u8], at: usize) -> Step {
    let braced = text.get(at + 2) == Some(&b'{');
    let start = at + 2 + usize::from(braced);
    let longest = if braced || text[at + 1] == b'U' { 8 } else { 4 };
    let digits_end = run_end(text, start, |byte| byte.is_ascii_hexdigit()).min(start + longest);
    let end = digits_end + usize::from(braced && text.get(digits_end) == Some(&b'}'));
    let digits = std::str::from_utf8(&text[start..digits_end]).unwrap_or_default();
    let code = u32::from_str_radix(digits, 16).ok().and_then(char::from_u32);
    match code {
        Some(code) if digits.len() >= 4 || braced => fold(code, end - at),
        _ => Step::Keep,
    }
}

fn entity(text: &[u8], at: usize) -> Step {
    const NAMED: [(&[u8], u8); 15] = [
        (b"&quot;", b'"'),
        (b"&apos;", b'\''),
        (b"&amp;", b'&'),
        (b"&lt;", b'<'),
        (b"&gt;", b'>'),
        (b"&colon;", b':'),
        (b"&sol;", b'/'),
        (b"&lowbar;", b'_'),
        (b"&hyphen;", b'-'),
        (b"&dash;", b'-'),
        (b"&period;", b'.'),
        (b"&equals;", b'='),
        (b"&plus;", b'+'),
        (b"&commat;", b'@'),
        (b"&num;", b'#'),
    ];
    // Most stand for themselves, in pairs or behind a blank.
    if !text.get(at + 1).is_some_and(|byte| byte.is_ascii_lowercase() || *byte == b'#') {
        return Step::Keep;
    }
    for (name, byte) in NAMED {
        if starts_at(text, at, name) {
            return Step::Become { byte, length: name.len() };
        }
    }
    if starts_at(text, at, b"&shy;") || starts_at(text, at, b"&zwj;") {
        return Step::Drop { length: 5 };
    }
    if text.get(at + 1) != Some(&b'#') {
        return Step::Keep;
    }
    let hex = matches!(text.get(at + 2), Some(b'x' | b'X'));
    let start = at + 2 + usize::from(hex);
    let end = run_end(text, start, |byte| byte.is_ascii_hexdigit()).min(start + 8);
    let digits = std::str::from_utf8(&text[start..end]).unwrap_or_default();
    let code = u32::from_str_radix(digits, if hex { 16 } else { 10 }).ok().and_then(char::from_u32);
    match code {
        Some(code) => fold(code, end - at + usize::from(text.get(end) == Some(&b';'))),
        None => Step::Keep,
    }
}

/// The length of a terminal control sequence.
fn terminal_sequence(text: &[u8], at: usize) -> usize {
    match text.get(at + 1) {
        Some(b'[') => {
            let end = run_end(text, at + 2, |byte| matches!(byte, 0x20..=0x3f));
            // The bracket of a placeholder ends no sequence.
            let last = usize::from(!starts_at(text, end, b"[REDACTED:"));
            (end + last).min(text.len()) - at
        }
        Some(b']') => {
            let end = run_end(text, at + 2, |byte| !matches!(byte, 0x07 | 0x1b | b'\n'));
            let close = match text.get(end) {
                Some(0x07) => 1,
                Some(0x1b) => 2,
                _ => 0,
            };
            (end + close).min(text.len()) - at
        }
        Some(_) => 2,
        None => 1,
    }
}

/// `%DB_PASSWORD%`: a variable of Windows, whose name begins as an encoded byte does.
fn is_variable(text: &[u8], at: usize) -> bool {
    const LONGEST: usize = 64;
    let near = &text[at + 1..(at + 1 + LONGEST).min(text.len())];
    let end =
        run_end(near, 0, |byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_');
    let name = &near[..end];
    let is_name = name.first().is_some_and(u8::is_ascii_alphabetic)
        && name.iter().any(|byte| !byte.is_ascii_hexdigit());
    is_name && near.get(end) == Some(&b'%') && hex_byte(near, end + 1).is_none()
}

/// `\101`, as shells and C write an A.
fn octal_byte(text: &[u8], at: usize) -> Option<u8> {
    let digits = text.get(at..at + 3)?;
    let value = digits.iter().try_fold(0, |value, digit| {
        matches!(digit, b'0'..=b'7').then(|| value * 8 + (digit - b'0'))
    })?;
    (0x20..0x7f).contains(&value).then_some(value)
}

fn hex_byte(text: &[u8], at: usize) -> Option<u8> {
    let digits = std::str::from_utf8(text.get(at..at + 2)?).ok()?;
    digits.bytes().all(|byte| byte.is_ascii_hexdigit()).then_some(())?;
    u8::from_str_radix(digits, 16).ok()
}

fn character(text: &[u8], at: usize) -> Step {
    match character_at(text, at) {
        // The one character for what an escape and a bracket begin.
        Some(('\u{9B}', length)) => {
            let end = run_end(text, at + length, |byte| matches!(byte, 0x20..=0x3f));
            let last = usize::from(!starts_at(text, end, b"[REDACTED:"));
            Step::Drop { length: (end + last).min(text.len()) - at }
        }
        Some((code, length)) => fold(code, length),
        None => Step::Keep,
    }
}

/// What a character is taken for, given that it fills `length` source bytes.
fn fold(code: char, length: usize) -> Step {
    match reading(code) {
        Reading::Nothing => Step::Drop { length },
        Reading::Ascii(byte) => Step::Become { byte, length },
        // Keeps the first byte; the others follow on their own.
        Reading::Itself => Step::Keep,
    }
}

/// True for characters that take no room.
pub fn is_invisible(code: char) -> bool {
    matches!(code,
        '\u{AD}' | '\u{34F}' | '\u{61C}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}' | '\u{180B}'..='\u{180E}'
        | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FE00}'..='\u{FE0F}'
        | '\u{FEFF}' | '\u{E0000}'..='\u{E007F}' | '\u{300}'..='\u{36F}')
}

/// The ASCII character that a look-alike is taken for.
pub fn ascii_of(code: char) -> Option<u8> {
    const ALIKE: &[(&str, &[u8])] = &[
        ("аеорсухіјѕһԁԛԝкмтнвгп", b"aeopcyxijshdqwkmthBrn"),
        ("АВЕКМНОРСТХУІЈЅԌ", b"ABEKMHOPCTXYIJSG"),
        ("αορνικτυεγωχ", b"aopviktueywx"),
        ("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", b"ABEZHIKMNOPTYX"),
        ("–—−‐‑‒", b"------"),
        ("ıȷɡɑʏ", b"ijgay"),
    ];
    if code.is_ascii() {
        return Some(code as u8);
    }
    for (letters, bytes) in ALIKE {
        if let Some(index) = letters.chars().position(|letter| letter == code) {
            return bytes.get(index).copied();
        }
    }
    let mut folded = None;
    let mut count = 0;
    decompose_compatible(code, |part| {
        count += 1;
        folded = Some(part);
    });
    folded.filter(|part| count == 1 && part.is_ascii()).map(|part| part as u8)
}
