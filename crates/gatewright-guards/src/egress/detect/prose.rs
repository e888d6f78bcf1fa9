//! Tells words of sentences and of other languages from values.

use std::ops::Range;

use super::names::{NameClass, classify};
use super::text::{line_around, run_end, run_start};
use super::value_span::is_variable_name;

/// True when most of a value is letters that have no case, such as those of Chinese.
///
/// Whoever types them needs a program that offers them, which fields for passwords refuse.
/// What looks like a password of its own among them is none of their words.
pub fn is_without_case(bytes: &[u8]) -> bool {
    const SHORTEST: usize = 6;
    let characters = characters(bytes);
    let has_none = |one: &&char| one.is_alphabetic() && !one.is_lowercase() && !one.is_uppercase();
    let without = characters.iter().filter(has_none).count();
    let mut runs = characters.split(|one| !one.is_ascii_graphic());
    let is_told = runs.any(|run| run.len() >= SHORTEST && run.iter().any(char::is_ascii_digit));
    without > 0 && without * 2 >= characters.len() && !is_told
}

/// True for one word with a letter that is not ASCII: `Contraseña`.
pub fn is_accented_word(bytes: &[u8]) -> bool {
    let characters = characters(bytes);
    let is_end = |one: &char| matches!(one, '.' | ',' | '!' | '?' | ':' | '…');
    let ending = characters.iter().rev().take_while(|one| is_end(one)).count();
    let opening = characters.iter().take_while(|one| matches!(one, '¿' | '¡')).count();
    let word = &characters[opening.min(characters.len() - ending)..characters.len() - ending];
    let is_capital = |one: &char| one.is_uppercase();
    let is_cased = |part: &[char]| {
        part.iter().all(|one| one.is_alphabetic())
            && (part.iter().all(is_capital) || !part.iter().skip(1).any(is_capital))
    };
    characters.iter().any(|one| !one.is_ascii())
        && !word.is_empty()
        && word.split(|one| matches!(one, '-' | '\'' | '’')).all(is_cased)
}

/// The length of a word that says what something is, at the start of `text`.
pub fn copula(text: &[u8]) -> Option<usize> {
    const WORDS: [&str; 8] = ["is: ", "is ", "ist ", "lautet: ", "lautet ", "est ", "es ", "é "];
    WORDS.iter().find(|word| text.starts_with(word.as_bytes())).map(|word| word.len())
}

/// The length of words that say what a variable is set to, behind its name: `API_KEY to …`.
pub fn told(name: &[u8], text: &[u8]) -> Option<usize> {
    const WORDS: [&str; 5] = ["to equal ", "to be ", "to ", "equals ", "with "];
    let found = || WORDS.iter().find(|word| text.starts_with(word.as_bytes()));
    is_variable_name(name).then(found).flatten().map(|word| word.len())
}

/// The length of what is said of a key before its value: `, please set it up: `, ` for staging: `.
pub fn said(name: &[u8], text: &[u8]) -> Option<usize> {
    const REACH: usize = 56;
    let near = &text[..text.len().min(REACH)];
    let colon = memchr::memchr(b':', near).filter(|colon| text.get(colon + 1) == Some(&b' '))?;
    let is_inner = |byte: &u8| byte.is_ascii_alphabetic() || matches!(byte, b' ' | b',' | b'-');
    // What is shown to explain a form was made up.
    let explains = |word: &&str| memchr::memmem::find(&near[..colon], word.as_bytes()).is_some();
    let is_said = near[..colon].iter().all(is_inner)
        && near[..colon].contains(&b' ')
        && !["format", "like", "example", "follow", "such"].iter().any(explains);
    (is_said && matches!(classify(name), Some(NameClass::Secret))).then_some(colon + 2)
}

/// True when a letter that is not ASCII is written as `\u00f8`, as words of other languages are.
pub fn has_written_letter(bytes: &[u8]) -> bool {
    let is_letter = |at: usize| {
        let digits = bytes.get(at + 2..at + 6).and_then(|digits| std::str::from_utf8(digits).ok());
        let code = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        code.and_then(char::from_u32).is_some_and(|one| !one.is_ascii() && one.is_alphabetic())
    };
    memchr::memmem::find_iter(bytes, b"\\u").any(is_letter)
}

/// What a value says, with `\u00fc` read as the letter that it stands for; nothing if it is all ASCII.
fn characters(bytes: &[u8]) -> Vec<char> {
    let is_escaped = memchr::memmem::find(bytes, b"\\u").is_some();
    let text = std::str::from_utf8(bytes).ok().filter(|text| is_escaped || !text.is_ascii());
    let mut rest = text.unwrap_or_default();
    let mut characters = Vec::with_capacity(rest.len());
    while let Some(one) = rest.chars().next() {
        let digits = rest.strip_prefix("\\u").and_then(|rest| rest.get(..4));
        let escaped = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        let escaped = escaped.and_then(char::from_u32).filter(|one| !one.is_ascii());
        characters.push(escaped.unwrap_or(one));
        rest = &rest[escaped.map_or(one.len_utf8(), |_| 6)..];
    }
    characters
}

/// Words that stand behind a verb and not behind a value on a command line.
const BEHIND: [&str; 28] = [
    "a", "an", "the", "for", "from", "to", "of", "is", "are", "was", "as", "with", "by", "on",
    "in", "and", "or", "that", "which", "when", "will", "can", "must", "be", "being", "it", "not",
    "only",
];

/// Words that stand before an option in a sentence and not on a command line.
const BEFORE: [&str; 17] = [
    "the", "a", "an", "with", "without", "use", "using", "of", "and", "or", "if", "when", "that",
    "via", "option", "flag", "argument",
];

/// What an option is called behind its name.
const NOUNS: [&[u8]; 5] = [b"option", b"options", b"flag", b"argument", b"parameter"];

/// True when the word at `value` goes on with a sentence about the option at `name`.
pub fn is_in_sentence(text: &[u8], name: &Range<usize>, value: &Range<usize>) -> bool {
    let word = &text[value.clone()];
    if !word.iter().all(u8::is_ascii_lowercase) {
        return false;
    }
    if NOUNS.contains(&word) {
        return true;
    }
    let line = line_around(text, value.start);
    let has_comma = text.get(value.end) == Some(&b',');
    let behind = value.end + usize::from(has_comma);
    let next = behind + usize::from(text.get(behind) == Some(&b' '));
    let next = next..run_end(text, next, |byte| byte.is_ascii_lowercase());
    if next.start == behind || next.is_empty() || next.end > line.end {
        return false;
    }
    let option = run_start(text, name.start, |byte| !byte.is_ascii_whitespace());
    let before = text[line.start.min(option)..option].trim_ascii_end();
    let before = &before[run_start(before, before.len(), |byte| byte.is_ascii_alphabetic())..];
    let is_one = |words: &[&str], word: &[u8]| {
        words.iter().any(|one| one.as_bytes().eq_ignore_ascii_case(word))
    };
    has_comma || is_one(&BEHIND, &text[next]) || is_one(&BEFORE, before)
}

/// True when the quote at `at` ends a string in which `name` stands, and code goes on: `"Password:"+x`.
pub fn ends_string(text: &[u8], name: &Range<usize>, at: usize) -> bool {
    let quote = text.get(at).filter(|byte| matches!(byte, b'"' | b'\''));
    // The quotes of a name are not those of its value.
    let Some(quote) = quote.filter(|quote| text.get(name.end) != Some(*quote)) else {
        return false;
    };
    let line = line_around(text, name.start);
    let before = &text[line.start..name.start];
    let is_open = memchr::memchr_iter(*quote, before).count() % 2 == 1;
    is_open && matches!(text.get(at + 1), Some(b'+' | b'.' | b',' | b')' | b'&' | b';'))
}

/// True when `name` is left out of a list of ciphers: `HIGH:!PSK:!DSS`.
pub fn is_cipher(text: &[u8], name: &Range<usize>) -> bool {
    let before = name.start.checked_sub(1).map(|index| text[index]);
    let is_next = |sign: &[u8]| text[name.end..].starts_with(sign);
    before == Some(b'!') && is_next(b":")
        || matches!(before, Some(b':' | b'+')) && (is_next(b":!") || is_next(b":+"))
}
