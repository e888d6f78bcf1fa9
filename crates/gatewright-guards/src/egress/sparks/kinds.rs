//! What the bytes of a text are, one bit for each, and the runs that the bits show.
//!
//! A run is seen in a few words of bits where a look at each of its bytes would take as long as
//! the run is.

use std::ops::Range;

use super::masks::STEP;

/// What the bytes of the step before some steps and of those steps are.
#[derive(Debug, Clone, Copy)]
pub struct Kinds<'a> {
    /// Where the first of the steps begins in the text.
    pub start: usize,
    /// Letters and digits.
    pub letters: &'a [u64],
    /// Digits.
    pub digits: &'a [u64],
    /// Letters, digits, underscores and dashes.
    pub joined: &'a [u64],
}

/// What the bytes of a run are, which has no more bytes than a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Short {
    /// Digits.
    pub digits: u64,
    /// Underscores and dashes.
    pub separators: u64,
}

impl Kinds<'_> {
    /// The run of letters, digits, underscores and dashes that the byte at `at` belongs to.
    ///
    /// `None` when it may go on where nothing is known.
    #[inline]
    pub fn run_around(&self, at: usize) -> Option<Range<usize>> {
        let place = (at + STEP).checked_sub(self.start)?;
        let start = run_start(self.joined, place)? + self.start;
        let end = run_end(self.joined, place)? + self.start;
        Some(start.checked_sub(STEP)?..end.checked_sub(STEP)?)
    }

    /// What the bytes of a run are, unless it is long.
    #[inline]
    pub fn of_short(&self, run: &Range<usize>) -> Option<Short> {
        let start = (run.start + STEP).checked_sub(self.start)?;
        let bits = |words| bits_in(words, start, run.len());
        let short = Short { digits: bits(self.digits), separators: !bits(self.letters) };
        let all = low_bits(run.len());
        (run.len() <= STEP).then_some(Short { separators: short.separators & all, ..short })
    }
}

/// The lowest so many bits, of one and up to all of a word.
#[inline]
pub fn low_bits(count: usize) -> u64 {
    u64::MAX >> (STEP.wrapping_sub(count) % STEP)
}

/// So many bits from `start` on, no more than one word has.
#[inline]
fn bits_in(words: &[u64], start: usize, count: usize) -> u64 {
    let (index, places) = (start / STEP, start % STEP);
    let word = |index: usize| words.get(index).copied().unwrap_or_default();
    let behind = word(index + 1).checked_shl((STEP - places) as u32).unwrap_or_default();
    (word(index) >> places | behind) & low_bits(count)
}

/// Where the set bits around `place` begin, if that is known.
#[inline]
fn run_start(words: &[u64], place: usize) -> Option<usize> {
    let (index, bit) = (place / STEP, place % STEP);
    let missing = !words.get(index)? << (STEP - 1 - bit);
    if missing != 0 {
        return Some(place + 1 - missing.leading_zeros() as usize);
    }
    let index = words[..index].iter().rposition(|word| *word != u64::MAX)?;
    Some((index + 1) * STEP - words[index].leading_ones() as usize)
}

/// Where the set bits around `place` end, if that is known.
#[inline]
fn run_end(words: &[u64], place: usize) -> Option<usize> {
    let (index, bit) = (place / STEP, place % STEP);
    let missing = !words.get(index)? >> bit;
    if missing != 0 {
        return Some(place + missing.trailing_zeros() as usize);
    }
    let behind = words.get(index + 1..)?.iter().position(|word| *word != u64::MAX)?;
    let index = index + 1 + behind;
    Some(index * STEP + words[index].trailing_ones() as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEPS: usize = 3;

    /// One bit for each byte for which `belongs` holds, in so many words.
    fn bits(text: &[u8], belongs: impl Fn(u8) -> bool) -> Vec<u64> {
        let word = |part: &[u8]| {
            let bits = part.iter().enumerate().filter(|(_, byte)| belongs(**byte));
            bits.fold(0, |word, (place, _)| word | 1 << place)
        };
        text.chunks(STEP).map(word).collect()
    }

    proptest::proptest! {
        #[test]
        fn a_run_is_what_a_look_at_each_byte_shows(
            parts in proptest::collection::vec("[a-z0-9_-]{0,90}[ .]{0,2}", 1..8),
            start in 0..5usize,
        ) {
            let mut text = parts.concat().into_bytes();
            text.resize((STEPS + 1) * STEP, b'a');
            let is_joined = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
            let letters = bits(&text, |byte| byte.is_ascii_alphanumeric());
            let digits = bits(&text, |byte| byte.is_ascii_digit());
            let joined = bits(&text, is_joined);
            // The text begins so many steps before the ones that are looked at.
            let first = (start + 1) * STEP;
            let kinds = Kinds { start: first, letters: &letters, digits: &digits, joined: &joined };
            for at in (0..text.len()).filter(|at| is_joined(text[*at])) {
                let before = text[..at].iter().rposition(|byte| !is_joined(*byte));
                let behind = text[at..].iter().position(|byte| !is_joined(*byte));
                let run = before.zip(behind).map(|(before, behind)| before + 1..at + behind);
                let moved = |place: usize| place + start * STEP;
                let expected = run.clone().map(|run| moved(run.start)..moved(run.end));
                proptest::prop_assert_eq!(kinds.run_around(moved(at)), expected.clone());
                let Some((run, here)) = run.zip(expected).filter(|(run, _)| run.len() <= STEP) else { continue };
                let bytes = &text[run];
                let short = Short {
                    digits: bits(bytes, |byte| byte.is_ascii_digit())[0],
                    separators: bits(bytes, |byte| !byte.is_ascii_alphanumeric())[0],
                };
                proptest::prop_assert_eq!(kinds.of_short(&here), Some(short));
            }
        }
    }
}
