//! Bytes that are written apart: numbers in a list, characters one by one.

use std::ops::Range;

use super::View;
use crate::egress::detect::text::{is_base64_byte, skip_blanks, starts_at};

/// The shortest list that may be a token.
const SHORTEST: usize = 16;
/// How many items behind a sign show that it stands in a list.
const NEAR: usize = 8;

/// How the bytes of a list are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// `41 4b`, `41:4b` or `41-4b`.
    Hex(u8),
    /// `0x41, 0x4b`.
    Code,
    /// `65, 75`.
    Decimal,
    /// `chr(65) . chr(75)`.
    Call,
    /// `'A', 'K'`.
    Quoted,
    /// `A K`.
    Letter,
    /// `AKIA IOSF ODNN`.
    Group,
}

const FORMS: [Form; 9] = [
    Form::Hex(b' '),
    Form::Hex(b':'),
    Form::Hex(b'-'),
    Form::Code,
    Form::Decimal,
    Form::Call,
    Form::Quoted,
    Form::Letter,
    Form::Group,
];

/// How many letters a group has.
const GROUP: usize = 4;

/// One byte of a list and where it stands.
type Item = (u8, Range<usize>);

/// The first bytes of the most common tokens, and what nearly every token has in them.
const SIGNS: [&str; 65] = [
    " 5f ",
    " 2e ",
    ":2e:",
    "0x2e,",
    " 46, ",
    ",46,",
    "'.',",
    "\".\",",
    " 2d ",
    ":5f:",
    ":2d:",
    "0x5f,",
    "0x2d,",
    " 95, ",
    ",95,",
    " 45, ",
    ",45,",
    "'_',",
    "'-',",
    "\"_\",",
    "\"-\",",
    "41 4b 49 41",
    "41 49 7a 61",
    "64 61 70 69",
    "41:4b:49:41",
    "41:49:7a:61",
    "0x41, 0x4b",
    "0x41,0x4b",
    "0x41, 0x49",
    "0x41,0x49",
    "65, 75, 73",
    "65,75,73",
    "65, 73, 122",
    "65,73,122",
    "'a', 'k'",
    "'a','k'",
    "\"a\", \"k\"",
    "\"a\",\"k\"",
    "'a', 'i'",
    "'a','i'",
    "-5f-",
    "-2d-",
    "-2e-",
    "41-4b-49-41",
    "chr(95)",
    "chr(45)",
    "chr(46)",
    "chr(65).chr(75)",
    "a k i a",
    "a i z a",
    "g h p _",
    "s k _ ",
    "s k - ",
    "x o x b",
    "n p m _",
    "h f _ ",
    "g l p a",
    "ghp_ ",
    "akia ",
    "aiza ",
    "npm_ ",
    "sk-a nt-a",
    "sk-p roj-",
    "xoxb -",
    "glpa t-",
];

/// The literals that stand in lists whose bytes are a token.
///
/// Nearly every token has an underscore or a dash in its first bytes; of the others the
/// first bytes of the most common ones are named.
pub fn signs() -> impl Iterator<Item = &'static str> {
    SIGNS.into_iter()
}

/// True when the sign at `at` stands in a list of bytes.
pub fn is_apart(text: &[u8], at: usize) -> bool {
    let at = skip_blanks(text, at);
    let at = at + usize::from(matches!(text.get(at), Some(b',' | b':' | b'-')));
    FORMS.iter().any(|form| match form {
        Form::Group => is_list_of_groups(text, at),
        _ => items(text, at, *form).take(NEAR).count() == NEAR,
    })
}

/// The text with the bytes of its lists put together. `None` when there is no list.
pub fn gathered(source: &View) -> Option<View> {
    let text = source.bytes();
    let mut gathered = None;
    let (mut kept, mut at) = (0, 0);
    while at < text.len() {
        let is_inside = at > 0 && text[at - 1].is_ascii_alphanumeric();
        let mut forms = FORMS.iter().filter(|_| !is_inside && !text[at].is_ascii_whitespace());
        let is_list = |form: &Form| match form {
            Form::Group => is_list_of_groups(text, at),
            _ => items(text, at, *form).take(SHORTEST).count() == SHORTEST,
        };
        let list = forms.find(|form| is_list(form)).map(|form| items(text, at, *form));
        let Some(list) = list else {
            at += 1;
            continue;
        };
        let view = gathered.get_or_insert_with(|| View::like(source));
        view.keep(source, kept..at);
        for (byte, range) in list {
            at = range.end;
            view.put(byte, source, range);
        }
        kept = at;
    }
    let mut view = gathered?;
    view.keep(source, kept..text.len());
    Some(view)
}

/// True when groups begin at `at` that are as long as a token is, and no longer.
fn is_list_of_groups(text: &[u8], at: usize) -> bool {
    const LONGEST: usize = 256;
    let before = text[..at].strip_suffix(b" ").unwrap_or_default();
    let length = before.iter().rev().take(GROUP + 1).take_while(|byte| is_token(**byte)).count();
    // A group before it is a part of the list, which began there.
    let is_first = length != GROUP;
    is_first && (SHORTEST..LONGEST).contains(&items(text, at, Form::Group).take(LONGEST).count())
}

/// The bytes of the list that begins at `at`.
fn items(text: &[u8], at: usize, form: Form) -> impl Iterator<Item = Item> + Clone {
    let mut next = Some(at);
    std::iter::from_fn(move || {
        let (byte, range) = item(text, next?, form)?;
        next = separated(text, range.end, form);
        Some((byte, range))
    })
}

/// The byte that is written at `at`.
fn item(text: &[u8], at: usize, form: Form) -> Option<Item> {
    let here = text.get(at..)?;
    let digit = |byte: u8| (byte as char).to_digit(16).map(|digit| digit as u8);
    let pair = |pair: &[u8]| Some(digit(*pair.first()?)? << 4 | digit(*pair.get(1)?)?);
    let (byte, length) = match form {
        Form::Hex(_) => (pair(here)?, 2),
        Form::Code => (pair(here.strip_prefix(b"0x").or_else(|| here.strip_prefix(b"0X"))?)?, 4),
        Form::Decimal => {
            let length = here.iter().take(4).take_while(|byte| byte.is_ascii_digit()).count();
            let digits = std::str::from_utf8(&here[..length]).ok()?;
            (digits.parse().ok()?, length)
        }
        Form::Call => {
            const NAME: &[u8] = b"chr(";
            let is_call =
                here.get(..NAME.len()).is_some_and(|name| name.eq_ignore_ascii_case(NAME));
            let inner = here.get(NAME.len()..).filter(|_| is_call)?;
            let length = inner.iter().take(4).take_while(|byte| byte.is_ascii_digit()).count();
            let digits = std::str::from_utf8(&inner[..length]).ok()?;
            let byte = digits.parse().ok().filter(|_| inner.get(length) == Some(&b')'))?;
            (byte, NAME.len() + length + 1)
        }
        Form::Quoted => match here {
            [open @ (b'\'' | b'"'), byte, close, ..] if open == close => (*byte, 3),
            _ => return None,
        },
        Form::Letter => (*here.first()?, 1),
        Form::Group => (*here.first().filter(|byte| is_token(**byte))?, 1),
    };
    let is_whole = form == Form::Group || !here.get(length).is_some_and(u8::is_ascii_alphanumeric);
    (is_whole && byte.is_ascii_graphic()).then(|| (byte, at..at + length))
}

/// Where the next byte of a list stands behind one that ends at `end`.
fn separated(text: &[u8], end: usize, form: Form) -> Option<usize> {
    let sign = *text.get(end)?;
    match form {
        Form::Hex(separator) => (sign == separator).then_some(end + 1),
        Form::Letter => (sign == b' ').then_some(end + 1),
        Form::Group => {
            let before = text[..end].iter().rev().take(GROUP + 1);
            match before.take_while(|byte| is_token(**byte)).count() {
                GROUP => (sign == b' ').then_some(end + 1),
                length => (length < GROUP && is_token(sign)).then_some(end),
            }
        }
        Form::Call => {
            let sign = skip_blanks(text, end);
            let joint = ["||", ".", "+", "&", ","]
                .iter()
                .find(|joint| starts_at(text, sign, joint.as_bytes()))?;
            Some(skip_blanks(text, sign + joint.len()))
        }
        Form::Code | Form::Decimal | Form::Quoted => {
            (sign == b',').then(|| skip_blanks(text, end + 1))
        }
    }
}

fn is_token(byte: u8) -> bool {
    is_base64_byte(byte) || byte == b'.'
}

#[cfg(test)]
mod tests {
    use super::*;

    fn together(text: &str) -> Option<String> {
        let view = gathered(&View::of(text.as_bytes()))?;
        Some(String::from_utf8_lossy(view.bytes()).into_owned())
    }

    #[test]
    fn bytes_of_a_list_are_put_together() {
        let token = b"ghp_0123456789ab";
        let list = |write: &dyn Fn(u8) -> String, separator: &str| {
            token.iter().map(|byte| write(*byte)).collect::<Vec<_>>().join(separator)
        };
        let hex = |byte: u8| format!("{byte:02x}");
        let character = |byte: u8| format!("'{}'", byte as char);
        for written in [
            list(&hex, " "),
            list(&hex, ":"),
            list(&hex, "-"),
            list(&|byte| format!("0x{byte:02X}"), ", "),
            list(&|byte| byte.to_string(), ","),
            list(&|byte| format!("chr({byte})"), " . "),
            list(&|byte| format!("Chr({byte})"), " & "),
            list(&character, ", "),
            list(&|byte| (byte as char).to_string(), " "),
            "ghp_ 0123 4567 89ab".to_owned(),
        ] {
            let expected = Some("k = [ghp_0123456789ab];".to_owned());
            assert_eq!(together(&format!("k = [{written}];")), expected, "{written}");
            assert!(is_apart(written.as_bytes(), 0), "{written}");
        }
    }

    #[test]
    fn short_lists_and_other_numbers_are_none() {
        for text in ["41 42 43 44", "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]"] {
            assert_eq!(together(text), None, "{text}");
        }
    }
}
