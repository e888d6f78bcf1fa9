//! Backslash escapes, as shells, `printf` and most languages spell them.

use std::iter::Peekable;
use std::str::Chars;

/// The text with its escapes decoded.
pub fn decoded(text: &str) -> String {
    let mut out = Vec::new();
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if c == '\\' {
            escape(&mut chars, &mut out);
        } else {
            push(c, &mut out);
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

fn push(c: char, out: &mut Vec<u8>) {
    out.extend(c.encode_utf8(&mut [0; 4]).bytes());
}

fn escape(chars: &mut Peekable<Chars>, out: &mut Vec<u8>) {
    let Some(c) = chars.next() else { return out.push(b'\\') };
    match c {
        'n' => out.push(b'\n'),
        't' => out.push(b'\t'),
        'r' => out.push(b'\r'),
        'a' => out.push(7),
        'b' => out.push(8),
        'e' | 'E' => out.push(27),
        'f' => out.push(12),
        'v' => out.push(11),
        'x' => out.extend(number(chars, 2, 16).and_then(|code| u8::try_from(code).ok())),
        'u' => code_point(chars, 4, out),
        'U' => code_point(chars, 8, out),
        '0'..='7' => {
            let first = c.to_digit(8).unwrap_or_default();
            let longest = if c == '0' { 3 } else { 2 };
            let code = (0..longest).try_fold(first, |code, _| {
                let digit = chars.peek().and_then(|c| c.to_digit(8)).ok_or(code)?;
                chars.next();
                Ok::<u32, u32>(code * 8 + digit)
            });
            out.push(code.unwrap_or_else(|code| code).to_le_bytes()[0]);
        }
        '\\' | '\'' | '"' | '?' | '`' | '$' | '/' => push(c, out),
        '\n' => {}
        other => {
            out.push(b'\\');
            push(other, out);
        }
    }
}

fn code_point(chars: &mut Peekable<Chars>, digits: usize, out: &mut Vec<u8>) {
    let in_braces = chars.next_if_eq(&'{').is_some();
    let code = number(chars, digits.max(if in_braces { 6 } else { 0 }), 16);
    if in_braces {
        chars.next_if_eq(&'}');
    }
    if let Some(c) = code.and_then(char::from_u32) {
        push(c, out);
    }
}

/// A number of at most so many digits.
fn number(chars: &mut Peekable<Chars>, digits: usize, base: u32) -> Option<u32> {
    let mut value = None;
    for _ in 0..digits {
        let Some(digit) = chars.peek().and_then(|c| c.to_digit(base)) else { break };
        chars.next();
        value = Some(value.unwrap_or(0_u32).wrapping_mul(base).wrapping_add(digit));
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_of_a_character_is_known() {
        let dot = [r"\x2egit", r"\056git", r"\u002egit", r"\u{2e}git", r"\U0000002egit"];
        for text in dot {
            assert_eq!(decoded(text), ".git", "{text}");
        }
        assert_eq!(decoded(r"a\nb\\c\'d\qe\"), "a\nb\\c'd\\qe\\");
        assert_eq!(decoded(r"\xc3\xa4"), "ä");
    }
}
