//! Finding a whole word in bytes.

use super::record::{Keep, Reader, Writer};
pub(crate) use super::word_scan::hash;
use super::word_scan::{self, EMPTY};

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

pub(crate) const fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

/// The words of a text, by short hashes: what is not in it does not stand in the text.
#[derive(Debug)]
pub(crate) struct WordSet(Box<[u32]>);

impl WordSet {
    pub(crate) fn of(text: &[u8]) -> Self {
        Self(word_scan::distinct_words(text).into())
    }

    /// Whether the text may hold a name as a whole; a name of several words needs all of them.
    pub(crate) fn may_hold(&self, name: &str) -> bool {
        let mut words = runs(name.as_bytes()).map(hash).filter(|word| *word != EMPTY);
        words.all(|word| self.0.binary_search(&word).is_ok())
    }

    /// The bytes that it takes.
    pub(crate) fn held_bytes(&self) -> usize {
        size_of::<Self>() + size_of_val(&*self.0)
    }

    /// The hashes of the words, each once.
    pub(crate) fn hashes(&self) -> &[u32] {
        &self.0
    }
}

impl Keep for WordSet {
    const TAG: u8 = 1;

    fn write(&self, to: &mut Writer) {
        to.list(self.0.iter(), |to, hash| to.bytes(&hash.to_le_bytes()));
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let count = from.count().filter(|count| *count <= from.left() / 4)?;
        let (hashes, _) = from.bytes(count * 4)?.as_chunks::<4>();
        Some(Self(hashes.iter().map(|hash| u32::from_le_bytes(*hash)).collect()))
    }
}

fn runs(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(|byte| !is_word(*byte)).filter(|run| !run.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_of_a_word_is_not_the_word() {
        assert!(contains(b"x = foo(1)", "foo"));
        assert!(!contains(b"x = foobar(my_foo)", "foo"));
    }

    #[test]
    fn a_set_holds_every_name_that_stands_in_its_text() {
        let text = b"from a.b import c_d\nx = 'e-f' # g\xc3\xa9";
        let words = WordSet::of(text);
        for name in ["a", "a.b", "c_d", "e-f", "x", "g\u{e9}"] {
            assert!(contains(text, name) && words.may_hold(name), "{name}");
        }
        for name in ["c", "d", "a.y", "g", "e-g"] {
            assert!(!contains(text, name) && !words.may_hold(name), "{name}");
        }
    }

    #[test]
    fn a_set_has_the_words_that_a_split_finds() {
        for text in ["", "a", " a", "a ", "a b a", "-", "\u{e9}x.y_1", "def f(x): return x"] {
            let mut split: Vec<u32> = runs(text.as_bytes()).map(hash).collect();
            split.sort_unstable();
            split.dedup();
            assert_eq!(WordSet::of(text.as_bytes()).hashes(), split, "{text:?}");
        }
    }
}
