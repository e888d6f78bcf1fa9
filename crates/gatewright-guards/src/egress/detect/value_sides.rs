//! Values that stand beside their names without a sign of assignment: in columns, behind an
//! arrow, before the name.

use std::ops::Range;

use super::line_marks::behind_mark;
use super::text::{line_around, line_end, run_end, run_start, skip_blanks, skip_space, starts_at};
use super::value::looks_random;
use super::value_ends::behind_string;
use super::value_span::{
    LONGEST, Style, Value, bounded, is_query_end, is_variable_name, quoted, rest_of_line,
};

/// The arrows and bars with which tables and people point from a name to its value.
const ARROWS: [&str; 6] = ["→", "⇒", "➜", "│", "┃", "║"];

/// Where the value begins to which an arrow at `at` points.
pub fn pointed(text: &[u8], at: usize) -> Option<usize> {
    let arrow = ARROWS.iter().find(|arrow| starts_at(text, at, arrow.as_bytes()))?;
    Some(skip_blanks(text, at + arrow.len()))
}

/// A cell of a table behind the one with the name, whose bar stands at `bar`.
pub fn cell(text: &[u8], name: &Range<usize>, bar: usize) -> Option<Value> {
    let line = line_around(text, name.start);
    let before = text[line.start..name.start].trim_ascii_start();
    let marked = text.get(behind_mark(text, line.start)..name.start).unwrap_or(before);
    // The first column of a table has a bar before it or nothing at all.
    let is_first = before.is_empty() && line.start < name.start && text.get(bar + 1) == Some(&b' ');
    let at = skip_blanks(text, bar + 1);
    if !is_first && !before.starts_with(b"|") && !marked.starts_with(b"|") {
        let is_row = marked.trim_ascii().is_empty() && text[bar..].starts_with(b"| ");
        let row = is_row.then(|| alone(text, at).or_else(|| first_of_row(text, at))).flatten();
        return row.or_else(|| inner_cell(text, before, at));
    }
    quoted(text, at).or_else(|| {
        bounded(text, at, Style::Prose, |byte| !byte.is_ascii_whitespace() && byte != b'|')
    })
}

/// The word at `at` before the next bar of a row, when it looks random.
fn first_of_row(text: &[u8], at: usize) -> Option<Value> {
    let value = bounded(text, at, Style::Netrc, |byte| !byte.is_ascii_whitespace())?;
    let is_cell = starts_at(text, skip_blanks(text, value.range.end), b"| ");
    let bytes = &text[value.range.clone()];
    let is_value = bytes.iter().any(u8::is_ascii_digit) && looks_random(bytes);
    (is_cell && is_value).then_some(value)
}

/// `… | name | value |`: a cell at `at` between two bars, where a log stands before the table.
fn inner_cell(text: &[u8], before: &[u8], at: usize) -> Option<Value> {
    let value =
        bounded(text, at, Style::Netrc, |byte| !byte.is_ascii_whitespace() && byte != b'|')?;
    let is_cell = before.trim_ascii_end().ends_with(b" |")
        && starts_at(text, skip_blanks(text, value.range.end), b"|")
        && looks_random(&text[value.range.clone()]);
    is_cell.then_some(value)
}

/// `"name" "value"`: a line of two strings, of which the second begins at `at`.
pub fn paired_line(text: &[u8], name: &Range<usize>, at: usize) -> Option<Value> {
    let line = line_around(text, name.start);
    let before = text.get(behind_mark(text, line.start)..name.start)?.trim_ascii();
    let value = quoted(text, at).filter(|_| before == b"\"" && text.get(at) == Some(&b'"'))?;
    let rest = text.get(value.range.end + 1..line.end)?;
    let is_value = rest.trim_ascii().is_empty() && looks_random(&text[value.range.clone()]);
    is_value.then_some(value)
}

/// `name   value`: a line of a table, which has nothing else on it.
///
/// The name has several words, joined as those of settings are, and the value looks random.
pub fn in_column(text: &[u8], name: &Range<usize>, at: usize) -> Option<Value> {
    let line = line_around(text, name.start);
    let before = text.get(behind_mark(text, line.start)..name.start)?.trim_ascii();
    let is_first = before.is_empty() && text[name.clone()].contains(&b'_');
    // `set name value` of a shell, `put path/name value` of a store.
    let folder = run_start(before, before.len(), |byte| !byte.is_ascii_whitespace());
    let is_path = before.ends_with(b"/") && folder > 0;
    let before = if is_path { before[..folder].trim_ascii_end() } else { before };
    let verb = before.strip_suffix(b"set").or_else(|| before.strip_suffix(b"put"));
    let is_set = verb.is_some_and(|rest| {
        (is_path || text[..name.start].ends_with(b" "))
            && rest.last().is_none_or(u8::is_ascii_whitespace)
    });
    let is_column = at > name.end && (is_first || is_set);
    is_column.then(|| alone(text, at)).flatten()
}

/// `name -> value`: what an arrow of two signs points to, where nothing else can be meant.
pub fn pointed_alone(text: &[u8], at: usize) -> Option<Value> {
    starts_at(text, at, b"-> ").then(|| alone(text, skip_blanks(text, at + 2))).flatten()
}

/// The word at `at`, when it looks random and ends its line.
fn alone(text: &[u8], at: usize) -> Option<Value> {
    let line = line_around(text, at);
    let near = text.get(..line.end.min(at + LONGEST))?;
    let end = run_end(near, at.min(near.len()), |byte| !byte.is_ascii_whitespace());
    let is_last = near[end..].trim_ascii().is_empty()
        && matches!(text.get(near.len()), None | Some(b'\n' | b'\r'));
    let value = near.get(at..end)?;
    let is_value = value.iter().any(u8::is_ascii_digit)
        && !value.iter().any(|byte| b"\"'`(){}[],;<>".contains(byte))
        && looks_random(value);
    (is_last && is_value).then_some(Value { range: at..end, style: Style::Netrc })
}

/// `value='…' WHERE name='NAME'`, `{"value": "…", "name": "NAME"}`: the value before its name.
pub fn value_before(text: &[u8], name: &Range<usize>) -> Option<Value> {
    const REACH: usize = 700;
    const GAP: usize = 24;
    let line = line_around(text, name.start);
    let floor = line.start.max(name.start.saturating_sub(REACH));
    let before = before_label(&text[floor..name.start], &["name", "key"])?;
    // What stands between the two: a comma, a word of a query, nothing that ends an object.
    let close = memchr::memrchr2(b'"', b'\'', before)?;
    let gap = &before[close + 1..];
    if gap.len() > GAP || gap.iter().any(|byte| b"{}[]()=:;".contains(byte)) {
        return None;
    }
    let open = memchr::memrchr(before[close], &before[..close])?;
    before_label(&before[..open + 1], &["value"])?;
    quoted(text, floor + open).filter(|value| value.range == (floor + open + 1..floor + close))
}

/// `(NAME=value)`: what a message says aside; in a call it would be the name of a variable.
pub fn in_aside(text: &[u8], name: &Range<usize>, at: usize) -> Option<Value> {
    let value = bounded(text, at, Style::Environment, |byte| !is_query_end(byte) && byte != b',')?;
    let bytes = &text[value.range.clone()];
    let is_told = is_variable_name(&text[name.clone()]) || bytes.iter().any(u8::is_ascii_digit);
    let is_closed = matches!(text.get(value.range.end), Some(b')' | b','));
    let outer = name.start.checked_sub(2).map(|index| text[index]);
    let is_call = outer.is_some_and(|byte| !byte.is_ascii_whitespace());
    (is_closed && !is_call && is_told && looks_random(bytes)).then_some(value)
}

/// `"name", "value"`, `name="…" value="…"` and `"name": "…", "value": "…"`.
pub fn value_of_pair(text: &[u8], name: &Range<usize>, at: usize) -> Option<Value> {
    let comma = skip_space(text, below(text, name, at).unwrap_or(at));
    let has_comma = text.get(comma) == Some(&b',');
    let mut next = skip_space(text, comma + usize::from(has_comma));
    if has_comma
        && (opens_pair(text, name.start) || is_build_field(text, name))
        && text.get(at) == Some(&b',')
        && matches!(text.get(next)?, b'"' | b'\'')
    {
        let direct = quoted(text, next)?;
        let follows = skip_blanks(text, behind_string(text, &direct));
        if matches!(text.get(follows), Some(b')' | b'\n' | b',' | b';' | b']' | b'}') | None) {
            return Some(direct);
        }
    }
    if has_comma && is_labelled(text, name.start) {
        next = behind_member(text, next).unwrap_or(next);
    }
    let name_quoted = matches!(text.get(next)?, b'"' | b'\'');
    next += usize::from(name_quoted);
    const WORDS: [&str; 6] =
        ["value", "defaultvalue", "content", "default", "ParameterValue", "Value"];
    let word_at = |at: usize| WORDS.iter().find(|word| starts_at(text, at, word.as_bytes()));
    // `android:value="…"`
    let space = run_end(text, next, |byte| byte.is_ascii_lowercase());
    let is_spaced = !name_quoted && text.get(space) == Some(&b':') && word_at(next).is_none();
    next += if is_spaced { space + 1 - next } else { 0 };
    let word = word_at(next)?;
    next = skip_blanks(text, next + word.len() + usize::from(name_quoted));
    if !matches!(text.get(next)?, b':' | b'=') {
        return None;
    }
    let start = skip_blanks(text, next + 1);
    quoted(text, start).or_else(|| rest_of_line(text, start, Style::Colon))
}

/// True when the text at `at` is what `"Name":` says, behind a path perhaps.
fn is_labelled(text: &[u8], at: usize) -> bool {
    const NEAR: usize = 96;
    let near = &text[at.saturating_sub(NEAR)..at];
    let quote = memchr::memrchr(b'"', near);
    quote.is_some_and(|quote| before_label(&near[..quote + 1], &["name", "key"]).is_some())
}

/// Where the next member begins behind a short one that says what kind of value follows.
fn behind_member(text: &[u8], at: usize) -> Option<usize> {
    const KINDS: [&[u8]; 3] = [b"\"type\"", b"\"kind\"", b"\"datatype\""];
    let near = &text[at..(at + 12).min(text.len())];
    let is_kind =
        |kind: &&[u8]| near.get(..kind.len()).is_some_and(|word| word.eq_ignore_ascii_case(kind));
    let kind = KINDS.iter().find(|kind| is_kind(kind))?;
    let colon = skip_blanks(text, at + kind.len());
    let open = skip_blanks(text, colon + usize::from(text.get(colon) == Some(&b':')));
    let said = quoted(text, open)?;
    let comma = skip_space(text, said.range.end + 1);
    (text.get(comma) == Some(&b',')).then(|| skip_space(text, comma + 1))
}

/// Where the line below begins, behind a mark, when the one of the name has such a mark too.
fn below(text: &[u8], name: &Range<usize>, at: usize) -> Option<usize> {
    let line = line_around(text, name.start).start;
    let is_end = matches!(text.get(at), Some(b'\n' | b'\r'));
    let next = (is_end && behind_mark(text, line) > line).then(|| line_end(text, at))?;
    Some(behind_mark(text, next)).filter(|start| *start > next)
}

/// True when the quoted name that starts at `start` is the first of a call or tuple.
fn opens_pair(text: &[u8], start: usize) -> bool {
    // `#password` is how a page calls the field.
    let start = start - usize::from(text[..start].ends_with(b"#"));
    // `"--password"`: one argument of a list, behind which the next one is its value.
    let dashes = run_start(text, start, |byte| byte == b'-');
    let is_flag = (1..=2).contains(&(start - dashes));
    let start = if is_flag { dashes } else { start };
    let Some(quote) =
        start.checked_sub(1).filter(|index| matches!(text[*index], b'"' | b'\'' | b'`'))
    else {
        return false;
    };
    let before = text[..quote].iter().rev().find(|byte| !byte.is_ascii_whitespace());
    let is_lookup =
        [b"lookup(".as_slice(), b"query("].iter().any(|call| text[..quote].ends_with(call));
    let is_later = before == Some(&b',') && (is_flag || is_in_row(text, quote));
    (matches!(before, Some(b'(' | b'[' | b'{')) || is_later) && !is_lookup
}

/// `VALUES (1, 'name', 'value')`: a field of a row that is put into a table.
fn is_in_row(text: &[u8], at: usize) -> bool {
    const NEAR: usize = 64;
    let near = &text[at.saturating_sub(NEAR)..at];
    let row = memchr::memrchr(b'(', near).map(|open| near[..open].trim_ascii_end());
    row.is_some_and(|row| row.ends_with(b"VALUES") || row.ends_with(b"values"))
}

/// `buildConfigField "String", "NAME", "…"`: a build gives a program the value without brackets.
pub fn is_build_field(text: &[u8], name: &Range<usize>) -> bool {
    const NEAR: usize = 160;
    let line = line_around(text, name.start).start;
    let line = behind_mark(text, line).max(name.start.saturating_sub(NEAR));
    let before = text.get(line..name.start).unwrap_or_default().trim_ascii_start();
    [b"buildConfigField ".as_slice(), b"resValue "].iter().any(|word| before.starts_with(word))
}

/// What stands before one of `labels`, a sign of assignment and a quote, with which `text` ends.
fn before_label<'a>(text: &'a [u8], labels: &[&str]) -> Option<&'a [u8]> {
    let text = text.strip_suffix(b"\"").or_else(|| text.strip_suffix(b"'"))?.trim_ascii_end();
    let text = text.strip_suffix(b"=").or_else(|| text.strip_suffix(b":"))?.trim_ascii_end();
    let text = text.strip_suffix(b"\"").or_else(|| text.strip_suffix(b"'")).unwrap_or(text);
    let start = run_start(text, text.len(), |byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let is_label = labels.iter().any(|label| text[start..].eq_ignore_ascii_case(label.as_bytes()));
    let before = &text[..start];
    let before = before.strip_suffix(b"\"").or_else(|| before.strip_suffix(b"'")).unwrap_or(before);
    is_label.then_some(before)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str, value: Option<Value>) -> Option<&str> {
        value.and_then(|value| text.get(value.range))
    }

    #[test]
    fn a_value_stands_before_its_name() {
        for (text, expected) in [
            ("UPDATE t SET value='aB3dE5gH7' WHERE name='MY_TOKEN';", Some("aB3dE5gH7")),
            (r#"{"value": "aB3dE5gH7", "name": "MY_TOKEN"}"#, Some("aB3dE5gH7")),
            (r#"{"value": "aB3dE5gH7"}, {"name": "MY_TOKEN"}"#, None),
            (r#"{"label": "aB3dE5gH7", "name": "MY_TOKEN"}"#, None),
        ] {
            let start = text.find("MY_TOKEN").unwrap();
            let value = value_before(text.as_bytes(), &(start..start + 8));
            assert_eq!(shown(text, value), expected, "{text}");
        }
    }

    #[test]
    fn a_column_holds_a_random_value_alone() {
        for (text, expected) in [
            ("my_token    aB3dE5gH7kLm\n", Some("aB3dE5gH7kLm")),
            ("my_token    documentation2\n", None),
            ("my_token    aB3dE5gH7kLm and more\n", None),
        ] {
            let at = text.rfind("  ").unwrap() + 2;
            let value = in_column(text.as_bytes(), &(0..8), at);
            assert_eq!(shown(text, value), expected, "{text}");
        }
    }
}
