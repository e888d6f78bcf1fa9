//! Finds the value that belongs to a name, and in which way it is written.

use std::ops::Range;

use super::line_marks::begins_line;
use super::netrc::is_entry;
use super::prose::{copula, ends_string, is_cipher, is_in_sentence, said, told};
use super::text::{run_end, run_start, skip_blanks, skip_space, starts_at};
use super::value::looks_random;
use super::value_ends::{
    before_next_pair, behind_ampersand, behind_string, closing_quote, word_end,
};
use super::value_forms::{
    accessed, braced, changed, declared_as, default_below, element_value, enclosed, is_command,
    is_declared, is_first, is_set, is_statement, is_symbol, is_variable, left_arrow, markup_value,
    parameter_value, property_list_value, set_for, skip_colours, skip_property, typed,
    typed_before, typed_into,
};
use super::value_places::{beside, chosen, expected};
use super::value_sides::{
    cell, in_aside, in_column, paired_line, pointed, pointed_alone, value_of_pair,
};

/// The longest value without quotes; what runs on for longer is no secret with a name.
pub const LONGEST: usize = 512;

/// How a value is written, which says how far to trust it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// Between quotes.
    Quoted,
    /// `NAME=value`, without blanks.
    Environment,
    /// `name: value`, to the end of the line.
    Colon,
    /// `name = value`, to the end of the line.
    Spaced,
    /// `--name value` or `--name=value`.
    Flag,
    /// `?name=value&` or `;name=value;`.
    Query,
    /// `<name>value</name>`.
    Markup,
    /// `password value` of a `.netrc` file.
    Netrc,
    /// `the password is value`.
    Prose,
}

/// A value and its style.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Value {
    /// Where it lies, without quotes.
    pub range: Range<usize>,
    /// How it is written.
    pub style: Style,
}

/// The value of the name at `name`, if one follows.
pub fn value_after(text: &[u8], name: &Range<usize>) -> Option<Value> {
    let quoted_name = text.get(name.end).is_some_and(|byte| matches!(byte, b'"' | b'\'' | b'`'));
    let mut at = name.end + usize::from(quoted_name);
    let is_braced = name.start > 0 && text[name.start - 1] == b'{';
    let is_close = |byte: &u8| *byte == b']' || *byte == b'}' && is_braced;
    let is_closed = text.get(at).is_some_and(is_close);
    at += usize::from(is_closed);
    at = skip_emphasis(text, at);
    let next = *text.get(at)?;
    if next == b'>' && (quoted_name || name.start > 0 && text[name.start - 1] == b'<') {
        return markup_value(text, at + 1);
    }
    if next == b' ' && name.start > 0 && text[name.start - 1] == b'<' {
        return element_value(text, at);
    }
    let arrow = skip_blanks(text, at);
    if let Some(length) = left_arrow(&text[arrow..]) {
        return quoted(text, skip_blanks(text, arrow + length));
    }
    if next == b'<' {
        // Behind a reference, `${name}`, its own element ends.
        return if is_closed { None } else { property_list_value(text, at) };
    }
    if quoted_name && is_variable(text, name.start) {
        return default_below(text, at);
    }
    let ends_line = matches!(next, b'\n' | b'\r');
    if (quoted_name || ends_line)
        && let Some(value) = value_of_pair(text, name, at)
    {
        return Some(value);
    }
    match next {
        b'(' => return quoted(text, skip_blanks(text, at + 1)),
        b',' => {
            return listed(text, name, at).or_else(|| {
                let length = said(&text[name.clone()], &text[at..])?;
                in_sentence(text, at + length)
            });
        }
        _ => {}
    }
    if let Some(value) = beside(text, name, at) {
        return Some(value);
    }
    // Nim says so that others may use the name.
    let at = if starts_at(text, at, b"* = ") { at + 1 } else { at };
    let operator = skip_blanks(text, at);
    if starts_at(text, operator, b"{ get") {
        return accessed(text, operator);
    }
    if quoted_name
        && ["to ", "is ", "as "].iter().any(|word| starts_at(text, operator, word.as_bytes()))
    {
        return quoted(text, skip_blanks(text, operator + 3));
    }
    let below = quoted_name.then(|| paired_line(text, name, operator)).flatten();
    below.or_else(|| behind_name(text, name, at, operator))
}

/// The value behind a name that ends at `at`, by the sign at `operator`.
fn behind_name(text: &[u8], name: &Range<usize>, at: usize, operator: usize) -> Option<Value> {
    match text.get(operator)? {
        b'=' | b':' | b'+' | b'?' | b'|' | b'!' => assigned(text, name, at, operator),
        b'<' => property_list_value(text, operator),
        b')' | b']' => typed_into(text, operator).or_else(|| expected(text, operator + 1)),
        b'-' if operator > at && starts_at(text, operator, b"->") => pointed_alone(text, operator),
        _ if operator > at => {
            spaced(text, name, operator).or_else(|| in_column(text, name, operator)).or_else(|| {
                let at = pointed(text, operator)?;
                quoted(text, at).or_else(|| rest_of_line(text, at, Style::Colon))
            })
        }
        _ => None,
    }
}

/// `**` behind a name that is set in bold.
fn skip_emphasis(text: &[u8], at: usize) -> usize {
    if starts_at(text, at, b"**") { at + 2 } else { at }
}

/// `{name: NAME, value: …}`, or the field behind a name that begins a line.
fn listed(text: &[u8], name: &Range<usize>, comma: usize) -> Option<Value> {
    let is_end = |byte: u8| byte.is_ascii_whitespace() || matches!(byte, b',' | b'}' | b']' | b'"');
    let next = skip_blanks(text, comma + 1);
    let words = [b"value:".as_slice(), b"Value=", b"value=", b"ParameterValue="];
    if let Some(word) = words.iter().find(|word| starts_at(text, next, word)) {
        let start = skip_blanks(text, next + word.len());
        return quoted(text, start)
            .or_else(|| bounded(text, start, Style::Colon, |byte| !is_end(byte)));
    }
    if is_in_tuple(text, name.start)
        && comma == name.end
        && let inner = next + usize::from(starts_at(text, next, b"<<\"")) * 2
        && matches!(text.get(inner), Some(b'"' | b'\''))
    {
        return quoted(text, inner);
    }
    if !begins_line(text, name.start) && !is_field(text, name) {
        return None;
    }
    quoted(text, comma + 1).or_else(|| bounded(text, comma + 1, Style::Prose, |byte| !is_end(byte)))
}

/// True when a name at `at` is the first of a tuple or of a reference with a fallback.
pub fn is_in_tuple(text: &[u8], at: usize) -> bool {
    text[..at].ends_with(b"{") || text[..at].ends_with(b"${env:")
}

/// True when the variable at `name` is a field of a table that commas part.
pub fn is_field(text: &[u8], name: &Range<usize>) -> bool {
    text[..name.start].ends_with(b",") && is_variable_name(&text[name.clone()])
}

/// What follows `=`, `:`, `:=`, `=>`, `==`, `+=`, `?=`, `||=`, or a type and `=`.
fn assigned(text: &[u8], name: &Range<usize>, name_end: usize, operator: usize) -> Option<Value> {
    let end = run_end(text, operator, |byte| {
        matches!(byte, b'=' | b':' | b'+' | b'?' | b'|' | b'!' | b'>' | b'~')
    });
    // A value in base64 may begin with a plus.
    let end = if starts_at(text, operator, b"=+") { operator + 1 } else { end };
    // `${NAME:-value}`
    let is_default = starts_at(text, operator, b":-") && text[..name.start].ends_with(b"{");
    let end = end + usize::from(is_default && end == operator + 1);
    let symbol = &text[operator..end];
    match symbol {
        b"|" => return cell(text, name, operator),
        // A fallback for what is not set.
        b"||" | b"??" => {
            return quoted(text, skip_blanks(text, end)).filter(|value| !value.range.is_empty());
        }
        _ => {}
    }
    if symbol == b"::" {
        let at = skip_blanks(text, end);
        return (at > end).then(|| quoted(text, at)).flatten();
    }
    if symbol.len() > 3 || !symbol.iter().any(|byte| matches!(byte, b'=' | b':')) {
        return None;
    }
    let mut at = skip_colours(text, skip_blanks(text, skip_emphasis(text, end)));
    at = if symbol == b":" { skip_property(text, at) } else { at };
    if ends_string(text, name, at) || is_cipher(text, name) {
        return None;
    }
    let list = braced(text, name, at).filter(|_| symbol == b"=");
    if let Some(value) = list.or_else(|| enclosed(text, at, symbol)) {
        return value;
    }
    if matches!(text.get(at), None | Some(b'\n' | b'\r')) {
        at = parameter_value(text, at).or_else(|| next_line_value(text, at, symbol))?;
    } else if symbol == b":" && matches!(text.get(at), Some(b'|' | b'>')) && ends_line(text, at + 1)
    {
        at = next_line_value(text, at + 1 + usize::from(text.get(at + 1) == Some(&b'-')), symbol)?;
    }
    if let Some(value) = quoted(text, at).or_else(|| in_parentheses(text, at)) {
        return Some(changed(text, value));
    }
    if matches!(symbol, b"==" | b"===" | b"!=" | b"!==" | b"=~") {
        return None;
    }
    if symbol == b":"
        && let Some(value) = typed(text, at)
    {
        return Some(value);
    }
    if end == at && operator == name_end && symbol == b"=" {
        return tight(text, name, at);
    }
    if let Some(value) = chosen(text, at) {
        return Some(value);
    }
    let style = if symbol.contains(&b'=') { Style::Spaced } else { Style::Colon };
    rest_of_line(text, at, style)
}

/// What follows `=` without blanks and quotes: the sign before the name says how it ends.
fn tight(text: &[u8], name: &Range<usize>, at: usize) -> Option<Value> {
    match name.start.checked_sub(1).and_then(|index| text.get(index)) {
        Some(b'?' | b'&' | b';' | b'|') => {
            bounded(text, at, Style::Query, |byte| !is_query_end(byte))
        }
        Some(b'-') => {
            let word = bounded(text, at, Style::Flag, |byte| !byte.is_ascii_whitespace())?;
            let end = at + closing_quote(&text[word.range.clone()]);
            Some(Value { range: at..end, ..word })
        }
        // `{NAME=value,NAME=value}`
        Some(b'{' | b',') => {
            let is_end = |byte| is_query_end(byte) || matches!(byte, b',' | b'}');
            bounded(text, at, Style::Environment, |byte| !is_end(byte))
        }
        Some(b'(') if let Some(value) = in_aside(text, name, at) => Some(value),
        _ => {
            let end = behind_ampersand(text, name, word_end(text, at));
            bounded_to(text, at, Style::Environment, end).or_else(|| exported(text, name, at..end))
        }
    }
}

/// The value of a variable in large letters, which may have a parenthesis in its middle.
fn exported(text: &[u8], name: &Range<usize>, range: Range<usize>) -> Option<Value> {
    let value = &text[range.clone()];
    let is_value = is_variable_name(&text[name.clone()])
        && range.len() <= LONGEST
        && !matches!(value.last(), Some(b')' | b',' | b']' | b'}'))
        && looks_random(value);
    is_value.then_some(Value { range, style: Style::Environment })
}

/// `("…"`, with a line break before the quote or without.
fn in_parentheses(text: &[u8], at: usize) -> Option<Value> {
    (text.get(at) == Some(&b'(')).then(|| quoted(text, skip_space(text, at + 1))).flatten()
}

pub(super) fn is_query_end(byte: u8) -> bool {
    byte.is_ascii_whitespace()
        || matches!(byte, b'&' | b';' | b'"' | b'\'' | b'`' | b'<' | b'>' | b')' | b'\\' | b'|')
}

fn ends_line(text: &[u8], at: usize) -> bool {
    let at = at + usize::from(matches!(text.get(at), Some(b'-' | b'+')));
    matches!(text.get(skip_blanks(text, at)), None | Some(b'\n' | b'\r'))
}

/// A value alone on the next line, indented or quoted.
fn next_line_value(text: &[u8], at: usize, symbol: &[u8]) -> Option<usize> {
    let start = skip_space(text, at);
    let quoted = matches!(text.get(start)?, b'"' | b'\'');
    let indented = start > 0 && matches!(text[start - 1], b' ' | b'\t');
    let alone = {
        let end = run_end(text, start, |byte| !byte.is_ascii_whitespace());
        ends_line(text, end) && !text[start..end].contains(&b':') && text[start] != b'-'
    };
    (quoted || (symbol == b":" && indented && alone)).then_some(start)
}

/// The text between quotes at `at`, with an optional string prefix before them.
pub fn quoted(text: &[u8], at: usize) -> Option<Value> {
    let mut open = at;
    while open < at + 2
        && text.get(open).is_some_and(|byte| {
            matches!(byte, b'b' | b'r' | b'f' | b'u' | b'L' | b'N' | b'@' | b'$' | b'B' | b'R')
        })
    {
        open += 1;
    }
    let quote = *text.get(open)?;
    if !matches!(quote, b'"' | b'\'' | b'`') {
        return None;
    }
    let triple =
        text.get(open..open + 3).is_some_and(|head| head.iter().all(|byte| *byte == quote));
    let start = open + if triple { 3 } else { 1 };
    let mut end = start;
    while let Some(&byte) = text.get(end).filter(|_| end - start < 1200) {
        match byte {
            // The line goes on below, of which a unit may not know.
            b'\\' if !matches!(text.get(end + 1), Some(b'\n' | b'\r')) => end += 1,
            b'\n' => break,
            _ if byte == quote => return Some(Value { range: start..end, style: Style::Quoted }),
            _ => {}
        }
        end += 1;
    }
    // The quote is not closed on this line: cut off, or a wrapped value.
    // A string around it that was cut ends with its own quote.
    let is_end = |byte: u8| byte.is_ascii_whitespace() || byte == b'"' && quote != b'"';
    let end = run_end(text, start, |byte| !is_end(byte));
    (end > start).then_some(Value { range: start..end, style: Style::Quoted })
}

/// The value of the option at `name`, which begins at `at`.
fn behind_flag(text: &[u8], name: &Range<usize>, at: usize) -> Option<Value> {
    let word_end = |byte: u8| byte.is_ascii_whitespace() || matches!(byte, b'"' | b'\'' | b'`');
    if text.get(at) == Some(&b'-') {
        return None;
    }
    // `[--name VALUE]` of a usage.
    let dashes = run_start(text, name.start, |byte| byte == b'-');
    let is_optional = text[..dashes].ends_with(b"[");
    let word = || {
        let is_end = |byte: u8| word_end(byte) || is_optional && byte == b']';
        bounded(text, at, Style::Flag, |byte| !is_end(byte))
    };
    quoted(text, at).or_else(|| word().filter(|value| !is_in_sentence(text, name, &value.range)))
}

/// A value that follows its name after blanks alone.
fn spaced(text: &[u8], name: &Range<usize>, at: usize) -> Option<Value> {
    let word_end = |byte: u8| byte.is_ascii_whitespace() || matches!(byte, b'"' | b'\'' | b'`');
    if name.start > 0 && text[name.start - 1] == b'-' {
        return behind_flag(text, name, at);
    }
    for option in ["--body ", "--value "] {
        if starts_at(text, at, option.as_bytes()) {
            let at = skip_blanks(text, at + option.len());
            return quoted(text, at)
                .or_else(|| bounded(text, at, Style::Flag, |byte| !word_end(byte)));
        }
    }
    let word = &text[name.clone()];
    let is_line = if word.eq_ignore_ascii_case(b"password") {
        is_entry(text, name, at)
    } else {
        stands_apart(word) && (begins_line(text, name.start) || is_odd_name(word))
    };
    if is_line && starts_at(text, at, b"[-") {
        // The next option of a usage.
        return None;
    }
    if is_line {
        return bounded(text, at, Style::Netrc, |byte| !byte.is_ascii_whitespace());
    }
    if word.eq_ignore_ascii_case(b"password") && is_first(text, name.start) {
        let alone = bounded(text, at, Style::Prose, |byte| !byte.is_ascii_whitespace());
        if let Some(value) = alone.filter(|value| ends_line(text, value.range.end)) {
            return quoted(text, at).or(Some(value));
        }
    }
    let declared = typed_before(text, at).or_else(|| declared_as(text, at));
    if let Some(value) = declared.or_else(|| set_for(text, at)) {
        return Some(value);
    }
    let is_told = copula(&text[at..]).or_else(|| told(word, &text[at..]));
    if let Some(length) = is_told.or_else(|| said(word, &text[at..])) {
        return in_sentence(text, skip_blanks(text, at + length));
    }
    if is_declared(&text[..name.start]) {
        return quoted(text, at)
            .or_else(|| bounded(text, at, Style::Environment, |byte| !word_end(byte)));
    }
    quoted(text, at).filter(|value| {
        is_statement(text, name)
            || is_symbol(text, name.start)
            || stands_apart(word)
            || ends_line(text, behind_string(text, value))
                && (is_command(text, name)
                    || is_set(text, name.start) && looks_random(&text[value.range.clone()]))
    })
}

/// The value at `start` of a sentence, without the point behind it.
fn in_sentence(text: &[u8], start: usize) -> Option<Value> {
    let is_end =
        |byte: u8| byte.is_ascii_whitespace() || matches!(byte, b'"' | b'\'' | b'`' | b',' | b')');
    let value =
        quoted(text, start).or_else(|| bounded(text, start, Style::Prose, |byte| !is_end(byte)))?;
    let trailing = usize::from(text[value.range.clone()].ends_with(b"."));
    Some(Value { range: value.range.start..value.range.end - trailing, style: value.style })
}

/// Names of passwords behind which the value stands after a blank.
pub fn stands_apart(name: &[u8]) -> bool {
    name.eq_ignore_ascii_case(b"password") || is_odd_name(name)
}

/// Names that stand before nothing but a password.
fn is_odd_name(name: &[u8]) -> bool {
    [b"insecure-password".as_slice(), b"wpa-psk", b"requirepass", b"masterauth"].contains(&name)
}

/// `DB_PASSWORD`: several words in large letters.
pub fn is_variable_name(name: &[u8]) -> bool {
    name.contains(&b'_') && !name.iter().any(u8::is_ascii_lowercase)
}

/// A value without quotes at `at`, as far as its bytes belong to it.
pub fn bounded(
    text: &[u8],
    at: usize,
    style: Style,
    belongs: impl Fn(u8) -> bool,
) -> Option<Value> {
    let near = &text[..(at + LONGEST + 1).min(text.len())];
    bounded_to(text, at, style, run_end(near, at, belongs))
}

/// A value without quotes whose word ends at `end`.
pub fn bounded_to(text: &[u8], at: usize, style: Style, mut end: usize) -> Option<Value> {
    if end - at > LONGEST {
        return None;
    }
    // Where colours or a string of C end, so does the value; one with colours inside shows without them.
    match memchr::memchr2(0x1b, 0, &text[at..end]) {
        Some(colour) if colour > 0 => end = at + colour,
        _ => {}
    }
    while end > at && matches!(text[end - 1], b',' | b';') {
        end -= 1;
    }
    // A closing parenthesis without its opening one belongs to a call around the value.
    let call = style == Style::Environment && {
        let value = &text[at..end];
        memchr::memchr(b')', value).is_some_and(|close| !value[..close].contains(&b'('))
    };
    (end > at && !call).then_some(Value { range: at..end, style })
}

/// An unquoted value up to the end of the line or a comment.
///
/// A trailing comma or semicolon makes it an expression of some language, and
/// expressions hold no literal without quotes.
pub fn rest_of_line(text: &[u8], at: usize, style: Style) -> Option<Value> {
    let near = &text[..(at + LONGEST + 1).min(text.len())];
    let end = memchr::memchr2(b'\n', b'\r', &near[at..]).map_or(near.len(), |offset| at + offset);
    let end = match memchr::memchr(0x1b, &text[at..end]) {
        Some(colour) if colour > 0 => at + colour,
        Some(_) => return None,
        None => end,
    };
    let mut value = &text[at..end];
    for comment in [b" #".as_slice(), b" //", b" ;"] {
        if let Some(cut) = memchr::memmem::find(value, comment) {
            value = &value[..cut];
        }
    }
    let value = value.trim_ascii_end();
    let value = &value[..closing_quote(value)];
    if value.is_empty() || value.contains(&b' ') {
        if let Some(value) = before_next_pair(text, at, style) {
            return Some(value);
        }
        let first = run_end(text, at, |byte| !byte.is_ascii_whitespace());
        let first = at + closing_quote(&text[at..first]);
        let alone = !matches!(
            text.get(first.saturating_sub(1)),
            Some(b',' | b';' | b'{' | b'(' | b')' | b':')
        );
        let is_long = first - at >= if style == Style::Colon { 8 } else { 20 };
        // `name: Type = …`
        let is_type = style == Style::Colon && text.get(skip_blanks(text, first)) == Some(&b'=');
        return (is_long && alone && !is_type).then_some(Value { range: at..first, style });
    }
    (!matches!(value.last(), Some(b',' | b';' | b'{' | b'(' | b')')))
        .then_some(Value { range: at..at + value.len(), style })
}
