//! The password of a `.netrc` entry, told from the word in a sentence.

use std::ops::Range;

use super::text::{line_around, run_end, skip_blanks};

/// Words that stand before a value in an entry.
const KEYS: [&[u8]; 6] = [b"machine", b"login", b"account", b"port", b"user", b"host"];

/// True when the word at `name` gives the password of an entry, which starts at `value`.
pub fn is_entry(text: &[u8], name: &Range<usize>, value: usize) -> bool {
    let line = line_around(text, name.start);
    let above = line_around(text, line.start.saturating_sub(1));
    let before = &text[line.start..name.start];
    let is_begun = [before, &text[above.clone()]].iter().any(|part| {
        memchr::memmem::find(part, b"login ").is_some()
            || memchr::memmem::find(part, b"machine ").is_some()
    });
    let follows_pair =
        ends_with_pair(before) || !ends_with_word(before) && ends_with_pair(&text[above]);
    is_begun && follows_pair && !goes_on(text, value..line.end)
}

/// `login bob` at the end of `part`.
fn ends_with_pair(part: &[u8]) -> bool {
    let mut words = words(part).rev();
    let (Some(value), Some(key)) = (words.next(), words.next()) else { return false };
    let marks = key.iter().take_while(|byte| !byte.is_ascii_alphanumeric()).count();
    KEYS.contains(&&key[marks..]) && !matches!(value.last(), Some(b';' | b':' | b','))
}

fn ends_with_word(part: &[u8]) -> bool {
    words(part).next_back().is_some_and(is_lower_word)
}

/// True when the words behind the value are neither a key nor the end of the entry.
fn goes_on(text: &[u8], rest: Range<usize>) -> bool {
    let value_end = run_end(text, rest.start, |byte| !byte.is_ascii_whitespace());
    let next = skip_blanks(text, value_end).min(rest.end);
    let ends = [b"password".as_slice(), b"default", b"macdef"];
    words(&text[next..rest.end])
        .next()
        .is_some_and(|word| is_lower_word(word) && !KEYS.contains(&word) && !ends.contains(&word))
}

fn words(part: &[u8]) -> impl DoubleEndedIterator<Item = &[u8]> {
    part.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty())
}

fn is_lower_word(word: &[u8]) -> bool {
    word.iter().all(u8::is_ascii_lowercase)
}
