//! Puts together strings that code puts together without a sign of concatenation.
//!
//! Between two strings may stand a blank, the comma of a list, the sign of another
//! language, a call that appends, or the assignment of the next variable, whose string
//! may begin with the last one by its name. All of these also stand between strings
//! that have nothing to do with each other, so only what is proof by itself counts in
//! this view, and no part of it may be a word.

use std::ops::Range;

use super::View;
use crate::egress::catalogue::is_wordy;
use crate::egress::detect::text::{is_base64_byte, run_end};
use crate::egress::sparks::{any_closing, closings};

/// How much may stand between two strings.
const GLUE: usize = 32;
/// From here on a part can be told from a word.
const LONG: usize = 6;

/// The text without what stands between its strings. `None` when there are not two.
pub fn assembled(source: &View) -> Option<View> {
    let text = source.bytes();
    let mut seams: Vec<Range<usize>> = Vec::new();
    closings(text, |close| {
        if seams.last().is_none_or(|last| last.end <= close)
            && let Some(end) = seam_end(text, close)
        {
            seams.push(seam_start(text, close)..end);
        }
    });
    source.without(&seams)
}

/// True when two strings of `text` stand near each other.
pub fn has_assembly(text: &[u8]) -> bool {
    any_closing(text, |close| seam_end(text, close).is_some())
}

/// True when `parts` of `view`, one behind the other, may be cut from one token.
pub fn may_be_cut(view: &View, parts: &[Range<usize>]) -> bool {
    let is_cut = |part: &[u8]| match part.len() {
        LONG.. => !is_wordy(part),
        _ => part.iter().any(|byte| !byte.is_ascii_lowercase()),
    };
    let later = parts.get(1..).unwrap_or_default();
    // What remains at the end may be so short that it says nothing.
    let (rest, middle) = match later {
        [middle @ .., rest] if later.len() > 1 && rest.len() < LONG => (Some(rest), middle),
        _ => (None, later),
    };
    let is_alnum =
        |part: &Range<usize>| view.bytes()[part.clone()].iter().all(|byte| *byte != b' ');
    middle.iter().all(|part| is_cut(&view.bytes()[part.clone()])) && rest.is_none_or(is_alnum)
}

/// The end of the seam that begins with the closing quote at `close`.
fn seam_end(text: &[u8], close: usize) -> Option<usize> {
    let is_inner = |byte: u8| is_base64_byte(byte) || byte == b'.';
    let before = close.checked_sub(1)?;
    let opens = || text.get(close + 1).is_some_and(u8::is_ascii_alphanumeric);
    match text[before] {
        b'{' => {
            let inner = text[..seam_start(text, close)].last();
            let is_inside = inner.is_some_and(|byte| is_inner(*byte)) && opens();
            return is_inside.then_some(close + 1);
        }
        byte if !is_inner(byte) => return None,
        _ if opens() && is_word_of_shell(text, close) => return Some(close + 1),
        _ => {}
    }
    let glue = &text[close + 1..(close + 2 + GLUE).min(text.len())];
    let length = glue.iter().position(|byte| matches!(byte, b'"' | b'\'' | b'`'))?;
    let end = close + 1 + length + 1;
    let end = match text.get(end) {
        Some(b'$' | b'#' | b'{') => behind_variable(text, end),
        _ => end,
    };
    let goes_on = text.get(end).is_some_and(|byte| is_inner(*byte));
    (goes_on && is_glue(&glue[..length])).then_some(end)
}

/// Where the seam begins of which the quote at `quote` is a part: `{"` puts one string in another.
fn seam_start(text: &[u8], quote: usize) -> usize {
    let brace = text[..quote].ends_with(b"{");
    let sign = brace && text[..quote - 1].ends_with(b"$");
    quote - usize::from(brace) - usize::from(sign)
}

/// True when the quote at `quote` goes on with a word of a shell: `key=abc"def"`.
///
/// Before it stands more than the letter of a string of another kind.
fn is_word_of_shell(text: &[u8], quote: usize) -> bool {
    const SHORTEST: usize = 3;
    text[quote] == b'"'
        && text[..quote].iter().rev().take(SHORTEST).filter(|byte| is_base64_byte(**byte)).count()
            == SHORTEST
}

/// Behind the variable with which a string begins at `at`: `{part}`, `${part}`, `$part`.
fn behind_variable(text: &[u8], at: usize) -> usize {
    const NAME: usize = 32;
    let near = &text[at..(at + NAME).min(text.len())];
    let sign = near.iter().take_while(|byte| matches!(byte, b'$' | b'#' | b'{')).count();
    let end = run_end(near, sign, |byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let is_closed = near[..sign].ends_with(b"{") && near.get(end) == Some(&b'}');
    if is_closed && end > sign { at + end + 1 } else { at }
}

/// True for what may stand between two parts of a token.
fn is_glue(glue: &[u8]) -> bool {
    let (mut has_name, mut binds) = (false, false);
    for byte in glue {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' => has_name = true,
            b'=' | b'(' => binds = true,
            b' ' | b'\t' | b'\n' | b'\r' | 0x0c | b'+' | b'.' | b'&' | b'|' | b'^' | b'%'
            | b',' | b';' | b')' | b'<' | b'>' | b'~' | b'*' | b'$' | b'{' | b'}' | b'\\'
            | b'/' => {}
            _ => return false,
        }
    }
    // The sign of a string of another kind: `f"…"`.
    binds || !has_name || matches!(glue.trim_ascii(), b"f" | b"b" | b"r" | b"u")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joined(text: &str) -> Option<String> {
        let view = assembled(&View::of(text.as_bytes()))?;
        Some(String::from_utf8_lossy(view.bytes()).into_owned())
    }

    #[test]
    fn strings_beside_each_other_are_put_together() {
        for text in [
            "t = \"ab\" \"cd\"",
            "t = \"ab\" ^ \"cd\"",
            "t = \"ab\" ++ 'cd\"",
            "t = \"ab\"\nt += \"cd\"",
            "t = \"ab\").append(\"cd\"",
            "t = \"ab\"\nu = f\"{t}cd\"",
            "t = \"ab{\"cd\"",
            "t = \"ab${'cd\"",
            "t = \"ab`;\nu = `${t}cd\"",
        ] {
            assert_eq!(joined(text).as_deref(), Some("t = \"abcd\""), "{text}");
        }
    }

    #[test]
    fn a_name_and_its_value_are_not() {
        for text in ["{\"ab\": \"cd\"}", "say \"ab\" or \"cd\"", "\"ab\" - \"cd\""] {
            assert_eq!(joined(text), None, "{text}");
        }
    }
}
