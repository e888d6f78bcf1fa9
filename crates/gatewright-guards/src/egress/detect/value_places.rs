//! More places in which a value stands: behind a test or a choice, in an array, on the line below
//! a question, before the words that name it.

use std::ops::Range;

use super::key_surroundings::prefix_length;
use super::line_marks::begins_line;
use super::text::{line_around, line_end, run_end, skip_blanks, starts_at};
use super::value::looks_random;
use super::value_span::{LONGEST, Style, Value, is_field, is_in_tuple, quoted};

/// The value of a name that ends at `at` without a sign of assignment directly behind it.
pub fn beside(text: &[u8], name: &Range<usize>, at: usize) -> Option<Value> {
    match text.get(at)? {
        b'{' => initialised(text, at),
        b'[' => of_array(text, at),
        b'\n' | b'\r' => answer(text, name),
        _ => None,
    }
}

/// `name{"value"}`: how C++ gives a name its first value.
fn initialised(text: &[u8], brace: usize) -> Option<Value> {
    let value = quoted(text, (text.get(brace) == Some(&b'{')).then_some(brace + 1)?)?;
    let is_closed = text.get(value.range.end + 1) == Some(&b'}');
    (is_closed && looks_random(&text[value.range.clone()])).then_some(value)
}

/// `name[] = "value"`, `name[64] = "value"`: an array of C, whose bracket stands at `at`.
pub fn of_array(text: &[u8], at: usize) -> Option<Value> {
    let close = run_end(text, at + 1, |byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let sign = skip_blanks(text, close + 1);
    let is_array = text.get(at) == Some(&b'[')
        && text.get(close) == Some(&b']')
        && text.get(sign) == Some(&b'=')
        && text.get(sign + 1) != Some(&b'=');
    is_array.then(|| quoted(text, skip_blanks(text, sign + 1))).flatten()
}

/// `test ? "value" : …`: the first of two values, one of which is chosen; the test begins at `at`.
pub fn chosen(text: &[u8], at: usize) -> Option<Value> {
    const LONGEST_TEST: usize = 64;
    let near = text.get(at..(at + LONGEST_TEST).min(text.len()))?;
    let near = &near[..memchr::memchr2(b'\n', b';', near).unwrap_or(near.len())];
    let mark = at + memchr::memmem::find(near, b" ? ")?;
    let value = quoted(text, skip_blanks(text, mark + 3))?;
    let is_choice = text.get(skip_blanks(text, value.range.end + 1)) == Some(&b':');
    (is_choice && looks_random(&text[value.range.clone()])).then_some(value)
}

/// True when a shell was asked for the variable whose name starts at `name`.
pub fn is_asked(text: &[u8], name: usize) -> bool {
    const QUESTIONS: [&[u8]; 4] = [b"echo $", b"printenv ", b"echo \"$", b"echo ${"];
    QUESTIONS.iter().any(|question| text[..name].ends_with(question))
}

/// The answer to a question for `name`, alone on the line below.
fn answer(text: &[u8], name: &Range<usize>) -> Option<Value> {
    if !is_asked(text, name.start) {
        return None;
    }
    let line = line_around(text, name.start);
    let rest = text.get(name.end..line.end)?.trim_ascii_end();
    let start = line_end(text, line.start);
    let below = text.get(start..line_end(text, start).min(start + LONGEST))?.trim_ascii_end();
    let marked = memchr::memchr(b'$', &text[line.clone()]).unwrap_or_default();
    let skipped = prefix_length(below, &text[line.start..line.start + marked]);
    let value = below.get(skipped..)?.trim_ascii();
    let start = start + below.len() - value.len();
    let is_answer = rest.iter().all(|byte| matches!(byte, b'"' | b'}'))
        && !value.iter().any(|byte| byte.is_ascii_whitespace() || b"\"'`(){}<>,;".contains(byte))
        && looks_random(value);
    is_answer.then_some(Value { range: start..start + value.len(), style: Style::Netrc })
}

/// `"value" as the name`: the value that stands before the words which end with `name`.
pub fn said_before(text: &[u8], name: &Range<usize>) -> Option<Value> {
    const NEAR: usize = 40;
    let floor = name.start.saturating_sub(NEAR);
    let near = &text[floor..name.start];
    let last = memchr::memrchr3(b'"', b'\'', b'`', near)?;
    let words = &near[last + 1..];
    let is_word = |byte: &u8| byte.is_ascii_alphabetic() || *byte == b' ';
    let is_told = words.starts_with(b" as ") || words.starts_with(b" for ");
    if !is_told || !words.iter().all(is_word) {
        return None;
    }
    let (close, quote) = (floor + last, near[last]);
    let before = &text[close.saturating_sub(LONGEST)..close];
    let open = close - before.len() + memchr::memrchr(quote, before)? + 1;
    let value = &text[open..close];
    let is_value = !value.iter().any(u8::is_ascii_whitespace) && looks_random(value);
    is_value.then_some(Value { range: open..close, style: Style::Quoted })
}

/// True when words before the name, which stands behind a blank, say that its value came first.
pub fn is_said_before(text: &[u8], name: &Range<usize>) -> bool {
    text[..name.start].ends_with(b" ") && said_before(text, name).is_some()
}

/// `name.to(value)` of a test, from behind the name: what it must be.
pub fn expected(text: &[u8], at: usize) -> Option<Value> {
    const CALLS: [&[u8]; 5] =
        [b".toBe(", b".toEqual(", b".toStrictEqual(", b".to.equal(", b".isEqualTo("];
    let call = CALLS.iter().find(|call| starts_at(text, at, call))?;
    quoted(text, at + call.len()).filter(|value| looks_random(&text[value.range.clone()]))
}

/// True when the comma behind a name, before `rest`, is followed by its value.
pub fn lists_value(text: &[u8], name: &Range<usize>, rest: &[u8]) -> bool {
    let next = rest.trim_ascii_start();
    begins_line(text, name.start)
        || is_field(text, name)
        || begins_with(next, b"value")
        || begins_with(next, b"paramet")
        || is_in_tuple(text, name.start)
            && next.first().is_none_or(|byte| matches!(byte, b'"' | b'\'' | b'<'))
}

/// True when `text` begins with `word` in small letters or large ones.
fn begins_with(text: &[u8], word: &[u8]) -> bool {
    text.get(..word.len()).is_some_and(|head| head.eq_ignore_ascii_case(word))
}
