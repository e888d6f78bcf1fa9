//! The prefilter: one pass that finds every literal that a rule or detector starts from.
//!
//! The four bytes at a place, whatever their case, are hashed into a bitmap of
//! 32 KiB, and the first two into one of 8 KiB for the literals of two and three
//! bytes, so the pass costs the same for ten rules and for a thousand. Only where
//! a bitmap says yes is the literal itself compared.

use std::collections::{BTreeMap, HashMap};
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::Range;

use super::catalogue::Catalogue;
use super::detect::Detector;

/// What makes a letter lower case and leaves pairs of other bytes to the comparison.
const FOLD: u32 = 0x2020_2020;
const LONG_BITS: u32 = 18;

/// A hasher for small keys of our own making, where speed is all that matters.
#[derive(Debug, Clone, Copy, Default)]
pub struct Quick(u64);

/// Maps with [`Quick`].
pub type QuickState = BuildHasherDefault<Quick>;

impl Hasher for Quick {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u32(u32::from(*byte));
        }
    }

    fn write_u16(&mut self, value: u16) {
        self.write_u32(u32::from(value));
    }

    fn write_u32(&mut self, value: u32) {
        self.0 = (self.0.rotate_left(5) ^ u64::from(value)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }
}

/// Who wants to know of a literal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// A rule of the catalogue, by index.
    Rule(usize),
    /// A hand-written detector.
    Detector(Detector),
}

/// A literal at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hit {
    /// Where it starts, in bytes.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
    /// Which literal it is.
    entry: usize,
}

impl Hit {
    /// The same hit in a text that starts `bytes` later.
    pub fn back_by(&self, bytes: usize) -> Hit {
        Hit { start: self.start - bytes, end: self.end - bytes, ..*self }
    }
}

#[derive(Debug)]
struct Entry {
    literal: Box<[u8]>,
    targets: Vec<Target>,
}

/// How a literal starts: most that are compared differ in their first eight bytes.
#[derive(Debug, Clone, Copy)]
pub struct Start {
    /// The first eight bytes, folded, and zero behind the end.
    head: u64,
    /// All bits of the bytes that the literal has.
    mask: u64,
    /// Which literal it is.
    pub entry: usize,
}

impl Start {
    /// The start of a literal.
    pub fn of(literal: &[u8], entry: usize) -> Start {
        let length = literal.len().min(8);
        let mask = if length == 8 { u64::MAX } else { (1 << (length * 8)) - 1 };
        Start { head: folded_head(literal) & mask, mask, entry }
    }

    /// False when a text with this [`folded_head`] does not start so.
    #[inline]
    pub fn may_be(&self, head: u64) -> bool {
        head & self.mask == self.head
    }
}

/// Every literal, ready to be searched for.
#[derive(Debug)]
pub struct Anchors {
    /// The first four bytes of the literals of four bytes and more, hashed.
    is_long: Box<[u64; 1 << (LONG_BITS - 6)]>,
    /// The first two bytes of the others, in every spelling.
    is_short: Box<[u64; 1 << 10]>,
    /// The literals of four bytes and more by their first four, folded.
    long: HashMap<u32, Vec<Start>, QuickState>,
    /// The others by their first two, folded.
    short: HashMap<u32, Vec<Start>, QuickState>,
    entries: Vec<Entry>,
    /// The literals that a line break begins, without it: they may begin the text too.
    line_starts: Vec<(usize, Box<[u8]>)>,
    /// The entry of lines that may be key material, which no literal shows.
    key_lines: usize,
    /// The entry of runs that decode to text.
    encoded: usize,
}

impl Anchors {
    /// The anchors of the catalogue's rules and of the detectors.
    pub fn of(catalogue: &Catalogue) -> Anchors {
        let mut literals: BTreeMap<Box<[u8]>, Vec<Target>> = BTreeMap::new();
        for (index, keywords) in catalogue.keywords().enumerate() {
            for keyword in keywords {
                literals.entry(keyword.as_bytes().into()).or_default().push(Target::Rule(index));
            }
        }
        for (literal, detector) in Detector::literals() {
            literals
                .entry(literal.into_bytes().into())
                .or_default()
                .push(Target::Detector(detector));
        }
        let mut anchors = Anchors {
            is_long: Box::new([0; 1 << (LONG_BITS - 6)]),
            is_short: Box::new([0; 1 << 10]),
            long: HashMap::default(),
            short: HashMap::default(),
            entries: Vec::new(),
            line_starts: Vec::new(),
            key_lines: 0,
            encoded: 0,
        };
        for (literal, targets) in literals {
            anchors.register(Entry { literal, targets });
        }
        anchors.key_lines = anchors.entries.len();
        let targets = vec![Target::Detector(Detector::KeyLines)];
        anchors.entries.push(Entry { literal: Box::default(), targets });
        anchors.encoded = anchors.entries.len();
        let targets = vec![Target::Detector(Detector::Encoded)];
        anchors.entries.push(Entry { literal: Box::default(), targets });
        anchors
    }

    fn register(&mut self, entry: Entry) {
        let index = self.entries.len();
        match *entry.literal {
            [first, second, third, fourth, ..] => {
                let word = u32::from_le_bytes([first, second, third, fourth]) | FOLD;
                let slot = long_slot(word);
                self.is_long[slot >> 6] |= 1 << (slot & 63);
                self.long.entry(word).or_default().push(Start::of(&entry.literal, index));
            }
            [first, second, ..] => {
                for pair in spellings(first, second) {
                    let slot = usize::from(u16::from_le_bytes(pair));
                    self.is_short[slot >> 6] |= 1 << (slot & 63);
                }
                let word = u32::from_le_bytes([first, second, 0, 0]) | FOLD;
                self.short.entry(word & 0xffff).or_default().push(Start::of(&entry.literal, index));
            }
            _ => return,
        }
        if let Some(rest) = entry.literal.strip_prefix(b"\n") {
            self.line_starts.push((index, rest.into()));
        }
        self.entries.push(entry);
    }

    /// What wants to know of `hit`.
    pub fn targets(&self, hit: &Hit) -> &[Target] {
        self.entries.get(hit.entry).map_or(&[], |entry| &entry.targets)
    }

    /// A hit that nobody waits for: it only makes its unit be looked at.
    pub fn bare_hit(&self, start: usize, end: usize) -> Hit {
        Hit { start, end, entry: self.entries.len() }
    }

    /// A hit at a line that may be key material.
    pub fn key_line_hit(&self, start: usize) -> Hit {
        Hit { start, end: start + 1, entry: self.key_lines }
    }

    /// A hit at a run that decodes to text.
    pub fn encoded_hit(&self, start: usize) -> Hit {
        Hit { start, end: start + 1, entry: self.encoded }
    }

    /// Calls `found` for every literal in `text`, from the left.
    pub fn scan(&self, text: &[u8], found: impl FnMut(Hit)) {
        self.scan_region(text, 0..text.len(), found);
    }

    /// Calls `found` for every literal in a part of `text`, from the left.
    pub fn scan_region(&self, text: &[u8], region: Range<usize>, mut found: impl FnMut(Hit)) {
        for (entry, literal) in &self.line_starts {
            if region.start == 0 && text.starts_with(literal) {
                found(Hit { start: 0, end: literal.len(), entry: *entry });
            }
        }
        let text = &text[..region.end];
        for (offset, four) in text[region.start..].windows(4).enumerate() {
            let word = u32::from_le_bytes([four[0], four[1], four[2], four[3]]);
            let long = long_slot(word | FOLD);
            let is_long = self.is_long[long >> 6] >> (long & 63);
            if is_long & 1 == 1 {
                self.confirm_long(text, region.start + offset, word | FOLD, &mut found);
            }
            if self.may_be_short(four[0], four[1]) {
                self.confirm_short(text, region.start + offset, &mut found);
            }
        }
        // What stands in the last three bytes has no four.
        for start in region.end.saturating_sub(3).max(region.start)..region.end {
            if start + 1 < text.len() && self.may_be_short(text[start], text[start + 1]) {
                self.confirm_short(text, start, &mut found);
            }
        }
    }

    /// True when a literal of two or three bytes may begin with these two.
    #[inline]
    fn may_be_short(&self, first: u8, second: u8) -> bool {
        let slot = usize::from(u16::from_le_bytes([first, second]));
        self.is_short[slot >> 6] >> (slot & 63) & 1 == 1
    }

    /// Compares the literals that begin with `word` to what starts at `start`.
    #[inline(never)]
    fn confirm_long(&self, text: &[u8], start: usize, word: u32, found: &mut dyn FnMut(Hit)) {
        self.compare(text, start, self.long.get(&word), found);
    }

    /// Compares the literals of two and three bytes to what starts at `start`.
    #[inline(never)]
    fn confirm_short(&self, text: &[u8], start: usize, found: &mut dyn FnMut(Hit)) {
        if let Some(&[first, second]) = text.get(start..start + 2) {
            let pair = u32::from_le_bytes([first, second, 0, 0]) | FOLD;
            self.compare(text, start, self.short.get(&(pair & 0xffff)), found);
        }
    }

    fn compare(
        &self,
        text: &[u8],
        start: usize,
        bucket: Option<&Vec<Start>>,
        found: &mut dyn FnMut(Hit),
    ) {
        let Some(bucket) = bucket else { return };
        let rest = &text[start..];
        let head = folded_head(rest);
        for Start { entry, .. } in bucket.iter().filter(|one| one.may_be(head)) {
            let entry = *entry;
            let literal = &self.entries[entry].literal;
            let repeats = start > 0 && text[start - 1].eq_ignore_ascii_case(&literal[0]);
            if repeats && literal.iter().all(|byte| *byte == literal[0]) {
                continue;
            }
            if rest.get(..literal.len()).is_some_and(|head| head.eq_ignore_ascii_case(literal)) {
                // A line break shows where a line starts; it is not part of what starts there.
                let skipped = usize::from(literal[0] == b'\n');
                found(Hit { start: start + skipped, end: start + literal.len(), entry });
            }
        }
    }
}

/// The first eight bytes of `text`, folded; of less the missing ones are zero.
#[inline]
pub fn folded_head(text: &[u8]) -> u64 {
    const FOLD: u64 = u64::from_le_bytes([0x20; 8]);
    match text.first_chunk::<8>() {
        Some(eight) => u64::from_le_bytes(*eight) | FOLD,
        None => {
            let mut eight = [0; 8];
            eight[..text.len()].copy_from_slice(text);
            u64::from_le_bytes(eight) | FOLD
        }
    }
}

#[inline]
fn long_slot(word: u32) -> usize {
    (word.wrapping_mul(0x9E37_79B1) >> (32 - LONG_BITS)) as usize
}

/// Two bytes in upper and lower case.
fn spellings(first: u8, second: u8) -> impl Iterator<Item = [u8; 2]> {
    let cases = |byte: u8| [byte.to_ascii_lowercase(), byte.to_ascii_uppercase()];
    cases(first).into_iter().flat_map(move |first| cases(second).map(|second| [first, second]))
}
