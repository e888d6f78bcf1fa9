//! The prefilter: one pass that finds every literal that a rule or detector starts from.
//!
//! Bytes are folded to 32 classes and three neighbouring classes index a bitmap
//! of 4 KiB, so the pass costs the same for ten rules and for a thousand. Only
//! where the bitmap says yes is the literal itself compared.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::Range;

use super::catalogue::Catalogue;
use super::detect::Detector;

const LETTER_A: u8 = 0;
const DIGIT: u8 = 26;
const JOINER: u8 = 27;
/// Bytes that begin paths and are rare elsewhere.
const RARE: u8 = 28;
const SLASH: u8 = 29;
const DELIMITER: u8 = 30;
const OTHER: u8 = 31;

static CLASSES: [u8; 256] = classes();

const fn classes() -> [u8; 256] {
    let mut table = [OTHER; 256];
    let mut byte = 0;
    while byte < 256 {
        let value = byte as u8;
        table[byte] = match value {
            b'a'..=b'z' => LETTER_A + (value - b'a'),
            b'A'..=b'Z' => LETTER_A + (value - b'A'),
            b'0'..=b'9' => DIGIT,
            b'_' | b'-' => JOINER,
            b'~' | b'\\' | b'@' => RARE,
            b'/' => SLASH,
            b' ' | b'\t' | b'\n' | b'\r' | b'"' | b'\'' | b'`' | b'(' | b'[' | b'{' | b',' => {
                DELIMITER
            }
            _ => OTHER,
        };
        byte += 1;
    }
    table
}

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

#[derive(Debug)]
struct Entry {
    literal: Box<[u8]>,
    targets: Vec<Target>,
}

/// Every literal, ready to be searched for.
#[derive(Debug)]
pub struct Anchors {
    /// The trigrams of classes with which a literal starts.
    trigrams: Box<[u64]>,
    /// Those with which a literal of two or three bytes starts.
    is_short: Box<[u64]>,
    /// The literals of two or three bytes by their trigram.
    short: HashMap<u16, Vec<usize>, QuickState>,
    /// The runs of four classes with which a longer literal starts.
    quads: Box<[u64]>,
    /// The longer literals by their first four classes.
    long: HashMap<u32, Vec<usize>, QuickState>,
    entries: Vec<Entry>,
    /// The literals that a line break begins, without it: they may begin the text too.
    line_starts: Vec<(usize, Box<[u8]>)>,
    /// The entry of lines that may be key material, which no literal shows.
    key_lines: usize,
}

impl Anchors {
    /// The anchors of the catalogue's rules and of the detectors.
    pub fn of(catalogue: &Catalogue) -> Anchors {
        let mut literals: HashMap<Box<[u8]>, Vec<Target>> = HashMap::new();
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
            trigrams: vec![0; 1 << 9].into(),
            is_short: vec![0; 1 << 9].into(),
            short: HashMap::default(),
            quads: vec![0; 1 << 14].into(),
            long: HashMap::default(),
            entries: Vec::new(),
            line_starts: Vec::new(),
            key_lines: 0,
        };
        for (literal, targets) in literals {
            anchors.register(Entry { literal, targets });
        }
        anchors.key_lines = anchors.entries.len();
        let targets = vec![Target::Detector(Detector::KeyLines)];
        anchors.entries.push(Entry { literal: Box::default(), targets });
        anchors
    }

    fn register(&mut self, entry: Entry) {
        let index = self.entries.len();
        let classes: Vec<u8> =
            entry.literal.iter().take(4).map(|byte| CLASSES[usize::from(*byte)]).collect();
        match classes[..] {
            [first, second] => {
                let is_path = entry.literal[1] == b'/';
                // Comments and divisions begin no path.
                let third = |third: &u8| !(is_path && matches!(*third, SLASH | DELIMITER | RARE));
                for third in (0..=OTHER).filter(third) {
                    self.register_short([first, second, third], index);
                }
            }
            [first, second, third] => self.register_short([first, second, third], index),
            [first, second, third, fourth] => {
                let trigram = trigram(first, second, third);
                let quad = (u32::from(trigram) << 5) | u32::from(fourth);
                self.trigrams[usize::from(trigram >> 6)] |= 1 << (trigram & 63);
                self.quads[(quad >> 6) as usize] |= 1 << (quad & 63);
                self.long.entry(quad).or_default().push(index);
            }
            _ => return,
        }
        if let Some(rest) = entry.literal.strip_prefix(b"\n") {
            self.line_starts.push((index, rest.into()));
        }
        self.entries.push(entry);
    }

    fn register_short(&mut self, [first, second, third]: [u8; 3], index: usize) {
        let key = trigram(first, second, third);
        self.trigrams[usize::from(key >> 6)] |= 1 << (key & 63);
        self.is_short[usize::from(key >> 6)] |= 1 << (key & 63);
        self.short.entry(key).or_default().push(index);
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

    /// Calls `found` for every literal in `text`, from the left.
    pub fn scan(&self, text: &[u8], found: impl FnMut(Hit)) {
        self.scan_region(text, 0..text.len(), found);
    }

    /// Calls `found` for every literal in a part of `text`, from the left.
    pub fn scan_region(&self, text: &[u8], region: Range<usize>, mut found: impl FnMut(Hit)) {
        let Ok(trigrams) = <&[u64; 512]>::try_from(&*self.trigrams) else { return };
        for (entry, literal) in &self.line_starts {
            if region.start == 0 && text.starts_with(literal) {
                found(Hit { start: 0, end: literal.len(), entry: *entry });
            }
        }
        let base = region.start;
        let text = &text[..region.end];
        let mut key = 0u16;
        for (index, byte) in text[base..].iter().enumerate() {
            key = ((key << 5) | u16::from(CLASSES[usize::from(*byte)])) & 0x7fff;
            if trigrams[usize::from(key >> 6)] >> (key & 63) & 1 == 1 && index >= 2 {
                self.confirm(text, base + index, key, &mut found);
            }
        }
        // A literal of two bytes may end the text.
        if region.len() >= 2 {
            let bucket = self.short.get(&((key << 5) & 0x7fff));
            self.compare(text, text.len() - 2, bucket, &mut found);
        }
    }

    /// Asks the finer filters about the trigram `key` whose last byte stands at `last`.
    #[inline(never)]
    fn confirm(&self, text: &[u8], last: usize, key: u16, found: &mut dyn FnMut(Hit)) {
        let Some(start) = last.checked_sub(2) else { return };
        if let Some(byte) = text.get(start + 3) {
            let quad = (u32::from(key) << 5) | u32::from(CLASSES[usize::from(*byte)]);
            if self.quads[(quad >> 6) as usize] >> (quad & 63) & 1 == 1 {
                self.compare(text, start, self.long.get(&quad), found);
            }
        }
        if self.is_short[usize::from(key >> 6)] >> (key & 63) & 1 == 1 {
            self.compare(text, start, self.short.get(&key), found);
        }
    }

    fn compare(
        &self,
        text: &[u8],
        start: usize,
        bucket: Option<&Vec<usize>>,
        found: &mut dyn FnMut(Hit),
    ) {
        let rest = &text[start..];
        for &entry in bucket.into_iter().flatten() {
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

fn trigram(first: u8, second: u8, third: u8) -> u16 {
    (u16::from(first) << 10) | (u16::from(second) << 5) | u16::from(third)
}
