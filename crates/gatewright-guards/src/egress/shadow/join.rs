//! Puts together what was taken apart: string concatenation and line wraps.

use std::cell::LazyCell;
use std::ops::Range;
use std::sync::LazyLock;

use memchr::memmem::Finder;

use super::View;
use crate::egress::catalogue::is_wordy;
use crate::egress::detect::text::{is_base64_byte, line_around, run_end, skip_blanks, skip_space};
use crate::egress::sparks::{any_closing, joints};

/// The text without the seams of string concatenation. `None` when there are none.
pub fn concatenated(source: &View) -> Option<View> {
    let text = source.bytes();
    static JOIN: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(b"join("));
    static CONCAT: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(b"concat"));
    let lists: Lists<'_> =
        LazyCell::new(Box::new(|| JOIN.find(text).is_some() || CONCAT.find(text).is_some()));
    let mut seams: Vec<Range<usize>> = Vec::new();
    let mut done = 0;
    joints(text, |at| {
        if at >= done
            && let Some(end) = seam_end(text, at, &lists)
        {
            seams.push(at..end);
            done = end;
        }
    });
    source.without(&seams)
}

/// Whether the text joins lists of strings, found out when first asked.
type Lists<'a> = LazyCell<bool, Box<dyn FnOnce() -> bool + 'a>>;

/// The end of the seam at `at`: a quote, what joins two strings, and a quote again.
fn seam_end(text: &[u8], at: usize, lists: &Lists<'_>) -> Option<usize> {
    let quote = text[at];
    if quote == b'\\' {
        let is_last = matches!(text[at + 1..], [b'\n', ..] | [b'\r', b'\n', ..]);
        return is_last.then(|| line_start_below(text, at));
    }
    let is_quote = matches!(quote, b'"' | b'\'' | b'`');
    if !is_quote || at == 0 || !text.get(at + 1).is_some_and(|byte| may_follow(*byte, lists)) {
        return None;
    }
    if let Some(end) = bare_seam_end(text, at) {
        return Some(end);
    }
    let operator = skip_gap(text, at + 1);
    let end = run_end(text, operator, |byte| {
        matches!(byte, b'+' | b'.' | b'&' | b'|' | b'\\' | b'<') || (byte == b',' && **lists)
    });
    let sign = &text[operator..end];
    if !matches!(sign, b"+" | b"." | b".." | b"&" | b"||" | b"\\" | b"," | b"<<" | b"") {
        return None;
    }
    let behind = if sign == b"&" { skip_line_sign(text, end) } else { end };
    let next = skip_gap(text, behind);
    let next = if text[at + 1..next].contains(&b'\n') { behind_mark(text, at, next) } else { next };
    let adjacent = end == operator && !text[at + 1..next].contains(&b'\n');
    let prefix = usize::from(matches!(text.get(next), Some(b'f' | b'b' | b'r')));
    if adjacent || text.get(next + prefix) != Some(&quote) {
        return None;
    }
    // Without a sign between them two strings are one only where the second goes on as a token.
    let inner = next + prefix + 1;
    let goes_on = text.get(inner).is_some_and(|byte| is_token(*byte) || *byte == b'\\');
    if end == operator && !goes_on || is_key(text, inner, quote) {
        return None;
    }
    Some(next + prefix + 1)
}

/// Where the line goes on below the one that ends at `at`, behind its number or mark.
fn line_start_below(text: &[u8], at: usize) -> usize {
    behind_mark(text, at, skip_space(text, at + 1))
}

/// Where the line at `next`, below the one that holds `at`, begins behind its number or mark.
fn behind_mark(text: &[u8], at: usize, next: usize) -> usize {
    let next = behind_number(text, next);
    mark_end(text, at, next).unwrap_or(next)
}

/// Where the line at `at` begins behind its number.
fn behind_number(text: &[u8], at: usize) -> usize {
    number_end(text, at).map_or(at, |end| skip_blanks(text, end))
}

/// Behind blanks, line breaks and one comment at `at`.
fn skip_gap(text: &[u8], at: usize) -> usize {
    const COMMENT: usize = 64;
    let at = skip_space(text, at);
    let near = &text[at..(at + COMMENT).min(text.len())];
    match near.starts_with(b"/*").then(|| memchr::memmem::find(near, b"*/")).flatten() {
        Some(close) => skip_space(text, at + close + 2),
        None => at,
    }
}

/// Behind the sign at `at` with which Basic says that a line goes on below: ` _`.
fn skip_line_sign(text: &[u8], at: usize) -> usize {
    let sign = skip_blanks(text, at);
    let is_sign = sign > at && text.get(sign) == Some(&b'_');
    let is_last = matches!(text.get(skip_blanks(text, sign + 1)), Some(b'\n' | b'\r'));
    if is_sign && is_last { sign + 1 } else { at }
}

/// True when the string at `at` is a name that a value follows.
///
/// What is planned for a map begins its lines with a plus: `+ "KEY" = "value"`.
fn is_key(text: &[u8], at: usize, quote: u8) -> bool {
    const NEAR: usize = 128;
    let near = &text[at..(at + NEAR).min(text.len())];
    memchr::memchr(quote, near).is_some_and(|length| {
        let sign = skip_blanks(text, at + length + 1);
        matches!(text[sign.min(text.len())..], [b':', ..] | [b'=', ..])
            && !text[sign..].starts_with(b"==")
    })
}

/// False for most of what stands behind a quote: then it begins a string or ends the last one.
fn may_follow(byte: u8, lists: &Lists<'_>) -> bool {
    byte.is_ascii_whitespace() || b"\"'`+.&|\\<".contains(&byte) || byte == b',' && **lists
}

/// The end of the quotes at `at` when they join two words of a shell: `abc""def`, `'abc'"def"`.
fn bare_seam_end(text: &[u8], at: usize) -> Option<usize> {
    const MOST: usize = 6;
    let near = text[at..].iter().take(MOST + 1);
    let end = at + near.take_while(|byte| matches!(byte, b'"' | b'\'')).count();
    let is_inner = |byte: Option<&u8>| byte.is_some_and(|byte| is_token(*byte) && *byte != b'=');
    let is_seam = (2..=MOST).contains(&(end - at));
    (is_seam && is_inner(text[..at].last()) && is_inner(text.get(end))).then_some(end)
}

/// True when quotes stand between two parts of a token of `text`.
pub fn has_bare_seam(text: &[u8]) -> bool {
    any_closing(text, |at| bare_seam_end(text, at).is_some())
}

/// The text without line breaks inside tokens. `None` when there are none.
pub fn unwrapped(source: &View) -> Option<View> {
    let text = source.bytes();
    let mut breaks: Vec<Range<usize>> = Vec::new();
    for at in memchr::memchr2_iter(b'\n', b'\r', text) {
        let kept = breaks.last().map_or(0, |last| last.end);
        if at <= kept {
            continue;
        }
        let next = skip_space(text, at);
        if next == text.len() {
            break;
        }
        // Shells of Windows have a sign before the break, boxes a border.
        let end = at - usize::from(matches!(text[at - 1], b'^' | b'`'));
        let line = line_around(text, at).start.max(kept);
        let end = line + without_border(&text[line..end]).len();
        if end <= kept || !is_token(text[end - 1]) {
            continue;
        }
        let next = number_end(text, next).unwrap_or(next);
        let next = mark_end(text, at, next).unwrap_or(next);
        let next = next + border_length(&text[next..]);
        let next = appended(text, at, next).unwrap_or(next);
        let goes_on = text.get(next).is_some_and(|byte| is_token(*byte));
        if goes_on && !begins_anew(text, next) {
            breaks.push(soft_start(text, end, kept)..next);
        }
    }
    source.without(&breaks)
}

/// How many of `parts`, which follow each other in `view`, are one token by their looks.
///
/// The first always is. A later one stands alone on its line and is no word, or is the
/// rest that remains when a text is cut into lines of one length.
pub fn going_on(view: &View, parts: &[Range<usize>]) -> usize {
    const LONG: usize = 8;
    let text = view.bytes();
    let is_alone = |part: &Range<usize>| {
        view.seams().binary_search(&part.end).is_ok()
            || text
                .get(part.end)
                .is_none_or(|byte| matches!(byte, b'\n' | b'\r' | b'"' | b'\'' | b'\\'))
    };
    let mut kept = 1;
    for part in &parts[1..] {
        let is_rest = kept > 1 && part.len() <= parts[kept - 1].len();
        let is_word = part.len() < LONG || is_wordy(&text[part.clone()]);
        if !is_alone(part) || is_word && !is_rest || names_value(&text[part.clone()]) {
            break;
        }
        kept += 1;
    }
    kept
}

/// `NAME=value`: padding stands only at the end of a token.
fn names_value(part: &[u8]) -> bool {
    let padding = part.iter().rev().take_while(|byte| **byte == b'=').count();
    part[..part.len() - padding].contains(&b'=')
}

/// Where a line goes on at `next` behind the mark with which the line that ends at `at` begins too.
///
/// Diffs, quotations and comments have such marks.
fn mark_end(text: &[u8], at: usize, next: usize) -> Option<usize> {
    let line = line_around(text, at).start;
    let first = skip_blanks(text, line);
    let is_mark = |byte: &u8| b"+->#|/*".contains(byte);
    // A line that a string holds begins behind its quote.
    let inner = || memchr::memrchr(b'"', &text[line..at]).map(|quote| line + quote + 1);
    let first = match text.get(first).is_some_and(is_mark) {
        true => first,
        false => inner().filter(|inner| text.get(*inner).is_some_and(is_mark))?,
    };
    let mark = text[first];
    let length = text[first..at].iter().take_while(|byte| **byte == mark).count();
    let end = run_end(text, next, |byte| byte == mark);
    (first < at && end - next == length).then(|| skip_blanks(text, end))
}

/// True when a line is nothing but a part of a token, behind its number or mark.
pub fn is_part_of_token(line: &[u8]) -> bool {
    let part = part_of(line);
    !part.is_empty() && part.iter().all(|byte| is_token(*byte))
}

/// True when the start of a line may become a part of a token and nothing else.
pub fn may_become_part(line: &[u8]) -> bool {
    // The last character may not be complete.
    let cut = line.iter().rev().take(2).take_while(|byte| **byte >= 0x80).count();
    part_of(&line[..line.len() - cut]).iter().all(|byte| is_token(*byte))
}

/// Where what is added stands in the line at `next`, to the variable of the line that ends at `at`.
///
/// A shell has no quotes around a word: `key=abc` and `key+=def`.
fn appended(text: &[u8], at: usize, next: usize) -> Option<usize> {
    const LONGEST: usize = 40;
    let near = &text[next..(next + LONGEST).min(text.len())];
    let length = run_end(near, 0, |byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let (name, rest) = near.split_at(length);
    if name.is_empty() || !rest.starts_with(b"+=") {
        return None;
    }
    let line = line_around(text, at).start;
    let inner = memchr::memrchr(b'"', &text[line..at]).map_or(line, |quote| line + quote + 1);
    let is_own = |start: &usize| text[*start..at].trim_ascii_start().starts_with(name);
    let first = text[Some(inner).filter(is_own).unwrap_or(line)..at].trim_ascii_start();
    let first = first.strip_prefix(b"export ").unwrap_or(first).strip_prefix(name)?;
    matches!(first, [b'=', ..] | [b'+', b'=', ..]).then_some(next + name.len() + 2)
}

/// A line without the border of the box that it stands in, at its end.
pub fn without_border(line: &[u8]) -> &[u8] {
    let line_trimmed = line.trim_ascii_end();
    let inner = BORDERS.iter().find_map(|border| line_trimmed.strip_suffix(border.as_bytes()));
    inner.map_or(line, |inner| inner.trim_ascii_end())
}

/// How long the border of a box is at the start of a line, with the blanks behind it.
///
/// Cells in which nothing stands belong to it: a value is wrapped in its own column.
fn border_length(line: &[u8]) -> usize {
    let mut length = 0;
    while let Some(border) = BORDERS.iter().find(|one| line[length..].starts_with(one.as_bytes())) {
        length = skip_blanks(line, length + border.len());
    }
    length
}

/// What stands at the sides of a box.
const BORDERS: [&str; 4] = ["│", "┃", "║", "|"];

/// A line without its number, its mark and the sign that says that it goes on or ends.
fn part_of(line: &[u8]) -> &[u8] {
    let line = without_border(line.trim_ascii());
    let line = &line[border_length(line)..];
    let from = number_end(line, 0).unwrap_or_default().min(line.len());
    let mark = line[from..].iter().take_while(|byte| b"+->#|/* ".contains(byte)).count();
    let part = &line[from + mark..];
    match part {
        [rest @ .., b'\\' | b'^' | b'`'] => rest,
        // The string that a token stands in ends with it.
        _ => {
            let is_end = |byte: &&u8| matches!(byte, b'"' | b'\'' | b'`' | b';' | b',' | b')');
            &part[..part.len() - part.iter().rev().take_while(is_end).count()]
        }
    }
}

/// Where a line goes on behind its number, as editors and tools show it: `12→`.
pub(super) fn number_end(text: &[u8], at: usize) -> Option<usize> {
    const MOST: usize = 6;
    let end = run_end(text, at, |byte| byte.is_ascii_digit());
    let length = match text.get(end..)? {
        [b'\t', ..] => 1,
        // Arrows and bars.
        [0xE2, 0x86 | 0x94, _, ..] => 3,
        _ => return None,
    };
    (1..=MOST).contains(&(end - at)).then(|| skip_blanks(text, end + length))
}

/// Where the break at `at` begins: an equals sign before it says that the line goes on.
fn soft_start(text: &[u8], at: usize, kept: usize) -> usize {
    let is_soft = at >= kept + 2 && text[at - 1] == b'=' && is_base64_byte(text[at - 2]);
    at - usize::from(is_soft)
}

/// True when the line at `at` begins with a number of its own or with a name and a value.
fn begins_anew(text: &[u8], at: usize) -> bool {
    let end = run_end(text, at, is_base64_byte);
    let is_number = text[at..end].iter().all(u8::is_ascii_digit) && end - at <= 6;
    match text.get(end) {
        // Padding ends a token; behind it stands nothing that belongs to it.
        Some(b'=') => text.get(end + 1).is_some_and(|byte| is_base64_byte(*byte)),
        Some(b':') => matches!(text.get(end + 1), Some(b' ' | b'\n')),
        Some(b'\t' | b' ' | b'|' | 0x80..) => is_number,
        _ => false,
    }
}

fn is_token(byte: u8) -> bool {
    is_base64_byte(byte) || matches!(byte, b'.' | b'=')
}

/// True when a line ends with a string and what ends a statement.
pub fn ends_with_statement(line: &[u8]) -> bool {
    let is_end = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b';' | b',' | b')');
    let last = line.iter().rev().find(|byte| !is_end(byte));
    matches!(last, Some(b'"' | b'\'' | b'`'))
}

/// True when a line ends with a string, or with what joins one to the next.
pub fn ends_with_string(line: &[u8]) -> bool {
    let is_joint = |byte: &u8| byte.is_ascii_whitespace() || is_operator(*byte) || *byte == b'_';
    let last = line.iter().rev().find(|byte| !is_joint(byte));
    matches!(last, Some(b'"' | b'\'' | b'`'))
}

/// True when a line starts with a string, or with what joins one to the last.
pub fn starts_with_string(line: &[u8]) -> bool {
    let is_joint = |byte: &u8| byte.is_ascii_whitespace() || is_operator(*byte);
    let line = line.trim_ascii_start();
    let number = number_end(line, 0).unwrap_or_default().min(line.len());
    let mut rest = line[number..].iter().skip_while(|byte| is_joint(byte));
    let first = rest.next();
    let is_prefix = matches!(first, Some(b'f' | b'b' | b'r'));
    matches!(if is_prefix { rest.next() } else { first }, Some(b'"' | b'\'' | b'`'))
}

/// True when a line starts with a string that is added to the last: `name += "…"`.
pub fn starts_with_appended(line: &[u8]) -> bool {
    const NAME: usize = 32;
    let line = line.trim_ascii_start();
    let near = &line[..line.len().min(NAME)];
    let Some(quote) = near.iter().position(|byte| matches!(byte, b'"' | b'\'' | b'`')) else {
        return false;
    };
    let is_inner = |byte: &u8| byte.is_ascii_alphanumeric() || b"_.+=($ ".contains(byte);
    let before = &near[..quote];
    before.iter().all(is_inner) && before.iter().any(|byte| matches!(byte, b'=' | b'('))
}

/// True for the signs that join two strings.
fn is_operator(byte: u8) -> bool {
    matches!(byte, b'+' | b'.' | b'&' | b'|' | b'\\' | b'<')
}
