//! Finding a whole word in bytes.

/// The offsets at which `word` stands as a whole identifier.
pub(crate) fn occurrences<'a>(text: &'a [u8], word: &'a str) -> impl Iterator<Item = usize> + 'a {
    let length = word.len();
    memchr::memmem::find_iter(text, word.as_bytes()).filter(move |&start| {
        let before = start.checked_sub(1).and_then(|index| text.get(index));
        let after = text.get(start + length);
        !before.is_some_and(|byte| is_word(*byte)) && !after.is_some_and(|byte| is_word(*byte))
    })
}

/// Whether `word` stands anywhere as a whole identifier.
pub(crate) fn contains(text: &[u8], word: &str) -> bool {
    occurrences(text, word).next().is_some()
}

pub(crate) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_of_a_word_is_not_the_word() {
        assert!(contains(b"x = foo(1)", "foo"));
        assert!(!contains(b"x = foobar(my_foo)", "foo"));
    }
}
