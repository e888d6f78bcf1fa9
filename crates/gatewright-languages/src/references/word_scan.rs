//! Every word of a text by a short number: all files of a workspace are looked through by this.
//!
//! The text is taken in blocks, each first turned into one bit for a byte, so
//! that no branch hangs on where a word ends. The numbers of one text are told
//! apart by a table and not by sorting all of them: most words stand in a file
//! many times. A text that is made to fill the table badly costs a sort.

use super::words::is_word;

/// How many bytes are looked at together.
const BLOCK: usize = 64;
/// How far from its place in the table a number is looked for.
const PROBES: usize = 16;
/// The least places that a table has.
const LEAST: usize = 64;
/// So many bytes of a text have one word that was not there before, at first sight.
const BYTES_FOR_ONE: usize = 32;
/// Spreads what differs in a word over the number.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// The number of no word; a word that comes to the same is left out of every set and question.
pub(super) const EMPTY: u32 = 0;

/// The numbers of the words of a text, each once, in order.
pub(super) fn distinct_words(text: &[u8]) -> Vec<u32> {
    let mut words = Distinct::new(text.len() / BYTES_FOR_ONE);
    for_each_word(text, |word| words.insert(word));
    words.into_sorted()
}

/// A number for a word.
pub(crate) fn hash(word: &[u8]) -> u32 {
    hash_at(word, 0, word.len())
}

fn for_each_word(text: &[u8], mut each: impl FnMut(u32)) {
    let (mut start, mut is_inside) = (0, false);
    let (blocks, rest) = text.as_chunks::<BLOCK>();
    let mut last = [b' '; BLOCK];
    last[..rest.len()].copy_from_slice(rest);
    for (number, block) in blocks.iter().chain([&last]).enumerate() {
        let mask = word_mask(block);
        let mut edges = mask ^ (mask << 1 | u64::from(is_inside));
        while edges != 0 {
            let at = number * BLOCK + edges.trailing_zeros() as usize;
            edges &= edges - 1;
            match is_inside {
                true => each(hash_at(text, start, at)),
                false => start = at,
            }
            is_inside = !is_inside;
        }
    }
}

/// One bit for each byte of a block that belongs to a word, the first the lowest.
fn word_mask(block: &[u8; BLOCK]) -> u64 {
    let flags = block.map(|byte| u8::from(is_word(byte)));
    let (eights, _) = flags.as_chunks::<8>();
    eights.iter().rev().fold(0, |mask, eight| mask << 8 | bits(*eight))
}

/// Eight flags as eight bits: the factor brings each of them to its place in the highest byte.
fn bits(flags: [u8; 8]) -> u64 {
    u64::from_le_bytes(flags).wrapping_mul(0x0102_0408_1020_4080) >> 56
}

fn hash_at(text: &[u8], start: usize, end: usize) -> u32 {
    let (mut at, mut state) = (start, 0);
    while at < end {
        let unwanted = 8usize.saturating_sub(end - at) * 8;
        let eight = eight_at(text, at) << unwanted >> unwanted;
        state = (state ^ eight).wrapping_mul(SPREAD);
        state ^= state >> 32;
        at += 8;
    }
    state as u32
}

/// The eight bytes that stand at a place; what lies behind the end is zero.
fn eight_at(text: &[u8], at: usize) -> u64 {
    let rest = text.get(at..).unwrap_or_default();
    if let Some((eight, _)) = rest.split_first_chunk::<8>() {
        return u64::from_le_bytes(*eight);
    }
    let mut eight = [0; 8];
    eight[..rest.len()].copy_from_slice(rest);
    u64::from_le_bytes(eight)
}

/// Numbers, each kept once.
struct Distinct {
    /// A power of two of them, half of them empty at least.
    places: Vec<u32>,
    count: usize,
    /// What found no place near its own; some of them twice.
    crowded: Vec<u32>,
}

impl Distinct {
    fn new(expected: usize) -> Self {
        let places = (expected * 2).next_power_of_two().max(LEAST);
        Self { places: vec![EMPTY; places], count: 0, crowded: Vec::new() }
    }

    fn insert(&mut self, word: u32) {
        if self.put(word) && self.count * 2 > self.places.len() {
            self.grow();
        }
    }

    /// Whether it is new in the table.
    fn put(&mut self, word: u32) -> bool {
        let mask = self.places.len() - 1;
        for probe in 0..PROBES {
            let place = &mut self.places[(word as usize + probe) & mask];
            if *place == word {
                return false;
            }
            if *place == EMPTY {
                *place = word;
                self.count += 1;
                return true;
            }
        }
        self.crowded.push(word);
        false
    }

    fn grow(&mut self) {
        let more = vec![EMPTY; self.places.len() * 2];
        self.count = 0;
        for word in std::mem::replace(&mut self.places, more) {
            if word != EMPTY {
                self.put(word);
            }
        }
    }

    fn into_sorted(self) -> Vec<u32> {
        let Self { mut places, crowded, .. } = self;
        places.extend(crowded);
        places.retain(|word| *word != EMPTY);
        places.sort_unstable();
        places.dedup();
        places
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The words as a plain loop finds them.
    fn plain(text: &[u8]) -> Vec<u32> {
        let runs = text.split(|byte| !is_word(*byte)).filter(|run| !run.is_empty());
        let mut words: Vec<u32> = runs.map(hash).filter(|word| *word != EMPTY).collect();
        words.sort_unstable();
        words.dedup();
        words
    }

    #[test]
    fn blocks_find_the_words_that_a_plain_loop_finds() {
        let page = "def f(x_1): return äöü.long_name_of_more_than_sixteen_bytes + f2 # – ß\n";
        let text = page.repeat(9);
        for start in 0..80 {
            for end in [start, start + 1, start + 63, start + 64, start + 65, start + 300] {
                let part = &text.as_bytes()[start..end];
                assert_eq!(distinct_words(part), plain(part), "{start}..{end}");
            }
        }
    }

    #[test]
    fn a_byte_belongs_to_a_word_wherever_it_stands_in_a_block() {
        for byte in 0..=u8::MAX {
            for at in 0..BLOCK {
                let mut block = [b' '; BLOCK];
                block[at] = byte;
                assert_eq!(word_mask(&block), u64::from(is_word(byte)) << at, "{byte} at {at}");
            }
        }
    }

    #[test]
    fn many_words_are_each_kept_once() {
        let text: String = (0..20_000).map(|at| format!("w{} ", at % 7_000)).collect();
        let words = distinct_words(text.as_bytes());
        assert_eq!(words, plain(text.as_bytes()));
        assert!(words.len() > 6_990, "{} of 7000 are told apart", words.len());
    }

    #[test]
    fn numbers_that_all_want_one_place_are_kept_too() {
        let mut words = Distinct::new(0);
        let wanted: Vec<u32> = (1..5_000).map(|number| number << 12).collect();
        wanted.iter().chain(&wanted).for_each(|word| words.insert(*word));
        assert_eq!(words.into_sorted(), wanted);
    }

    #[test]
    fn words_that_differ_in_one_letter_differ_in_their_number() {
        let word = *b"a_name_of_some_length";
        for at in 0..word.len() {
            let mut other = word;
            other[at] ^= 1;
            assert_ne!(hash(&word), hash(&other));
        }
        assert_ne!(hash(b"ab"), hash(b"ba"));
        assert_ne!(hash(b"aaaaaaaa"), hash(b"aaaaaaaaa"));
    }
}
