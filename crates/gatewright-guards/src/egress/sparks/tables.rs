//! The tables that the vector passes ask: which bytes may stand at which place of a literal.

/// How many bytes of a literal are searched for.
pub const WINDOW: usize = 4;

/// Which bytes may stand at each place of a window, by their low five bits.
///
/// Letters of both cases have the same low five bits. A set bit stands for a group of
/// windows; a window may be where one group has all of its bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WindowTable {
    parts: [Groups; PARTS],
}

/// How many times eight groups there are.
pub const PARTS: usize = 3;

/// Eight groups: for each place of a window and for each class of bytes one bit for each.
type Groups = [[Row; 2]; WINDOW];

/// What sixteen indices stand for.
pub type Row = [u8; 16];

/// No group at all.
const EMPTY: Row = [0; 16];

/// Adds `groups` to what `index` stands for.
fn allow(row: &mut Row, index: u8, groups: u8) {
    row[usize::from(index & 15)] |= groups;
}

impl Default for WindowTable {
    fn default() -> WindowTable {
        WindowTable { parts: [[[EMPTY; 2]; WINDOW]; PARTS] }
    }
}

impl WindowTable {
    /// How many groups there are.
    pub const GROUPS: usize = 8 * PARTS;

    /// Lets the bytes of `class` stand at `place` of the windows of `group`.
    pub fn allow(&mut self, place: usize, class: u8, group: usize) {
        let rows = &mut self.parts[group / 8][place];
        allow(&mut rows[usize::from(class >> 4 & 1)], class & 15, 1 << (group % 8));
    }

    /// The tables of each eight groups.
    pub fn parts(&self) -> &[Groups; PARTS] {
        &self.parts
    }
}

/// Which bytes may stand at each place of a pair, by their low and their high four bits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PairTable {
    places: [[Row; 2]; PAIR],
}

impl Default for PairTable {
    fn default() -> PairTable {
        PairTable { places: [[EMPTY; 2]; PAIR] }
    }
}

/// How many bytes a pair has.
pub const PAIR: usize = 2;

impl PairTable {
    /// Adds a pair, whatever its case. Those that end alike share a group.
    pub fn add(&mut self, pair: [u8; PAIR]) {
        let last = pair[1].to_ascii_lowercase();
        let group = 1 << ((last >> 1 ^ last >> 4) & 7);
        for ([low, high], byte) in self.places.iter_mut().zip(pair) {
            for byte in [byte.to_ascii_lowercase(), byte.to_ascii_uppercase()] {
                allow(low, byte & 15, group);
                allow(high, byte >> 4, group);
            }
        }
    }

    /// The tables of each place, for the low and for the high four bits.
    pub fn places(&self) -> &[[Row; 2]; PAIR] {
        &self.places
    }
}

/// A set of four bytes, or of three that any byte follows, whatever their case, with a few more
/// that happen to share a bit.
///
/// The first three bytes choose one of so many words and the fourth a bit of it, so that three
/// bytes alone fill one word and no more.
#[derive(Debug, Clone)]
pub struct WordSet<const WORDS: usize>(Box<[u32; WORDS]>);

impl<const WORDS: usize> Default for WordSet<WORDS> {
    fn default() -> WordSet<WORDS> {
        WordSet(Box::new([0; WORDS]))
    }
}

impl<const WORDS: usize> WordSet<WORDS> {
    const BITS: u32 = WORDS.ilog2();
    /// What makes a letter lower case and leaves pairs of other bytes to the comparison.
    const FOLD: u32 = 0x0020_2020;
    /// What mixes the first three bytes, and moves the fourth out.
    const MIX: u32 = 0x9E37_79B1 << 8;

    /// Adds the first four bytes of `window`, or its only three.
    pub fn add(&mut self, window: &[u8]) {
        let [first, second, third, ref rest @ ..] = *window else { return };
        let word = &mut self.0[WordSet::<WORDS>::word_of([first, second, third, 0])];
        match rest.first() {
            // Letters of both cases have the same low five bits.
            Some(fourth) => *word |= 1 << (fourth & 31),
            None => *word = u32::MAX,
        }
    }

    /// One when the four bytes may be in the set, else zero.
    #[inline(always)]
    pub fn bit(&self, four: [u8; 4]) -> u32 {
        self.0[WordSet::<WORDS>::word_of(four)] >> (four[3] & 31) & 1
    }

    /// Which word the first three bytes choose.
    #[inline(always)]
    pub fn word_of(four: [u8; 4]) -> usize {
        let three = u32::from_le_bytes(four) | WordSet::<WORDS>::FOLD;
        (three.wrapping_mul(WordSet::<WORDS>::MIX) >> (32 - WordSet::<WORDS>::BITS)) as usize
    }
}
