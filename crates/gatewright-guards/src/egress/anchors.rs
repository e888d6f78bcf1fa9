//! The prefilter: one pass that finds every literal that a rule or detector starts from.
//!
//! Bytes are folded to 32 classes and three neighbouring classes index a bitmap
//! of 4 KiB, so the pass costs the same for ten rules and for a thousand. Only
//! where the bitmap says yes is the literal itself compared.

use std::collections::{BTreeMap, HashMap};

use super::catalogue::Catalogue;
use super::detect::Detector;

const LETTER_A: u8 = 0;
const DIGIT: u8 = 26;
const UNDERSCORE: u8 = 27;
const DASH: u8 = 28;
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
            b'_' => UNDERSCORE,
            b'-' => DASH,
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
    bitmap: Box<[u64]>,
    /// For each trigram where its entries start in `bucketed`, and how many there are.
    buckets: Box<[(u32, u32)]>,
    bucketed: Vec<usize>,
    entries: Vec<Entry>,
    /// The literals that a line break begins, without it: they may begin the text too.
    line_starts: Vec<(usize, Box<[u8]>)>,
}

impl Anchors {
    /// The anchors of the catalogue's rules and of the detectors.
    pub fn of(catalogue: &Catalogue) -> Anchors {
        let mut literals: HashMap<Box<[u8]>, Vec<Target>> = HashMap::new();
        for (index, rule) in catalogue.rules().iter().enumerate() {
            for keyword in &rule.keywords {
                literals.entry(keyword.as_bytes().into()).or_default().push(Target::Rule(index));
            }
        }
        for (literal, detector) in Detector::literals() {
            literals
                .entry(literal.into_bytes().into())
                .or_default()
                .push(Target::Detector(detector));
        }
        let mut entries: Vec<Entry> =
            literals.into_iter().map(|(literal, targets)| Entry { literal, targets }).collect();
        entries.sort_by(|left, right| left.literal.cmp(&right.literal));
        let mut anchors = Anchors {
            bitmap: vec![0; 512].into(),
            buckets: Box::default(),
            bucketed: Vec::new(),
            entries: Vec::new(),
            line_starts: Vec::new(),
        };
        let mut buckets = BTreeMap::new();
        for (index, entry) in entries.iter().enumerate() {
            anchors.register(&entry.literal, index, &mut buckets);
            if let Some(rest) = entry.literal.strip_prefix(b"\n") {
                anchors.line_starts.push((index, rest.into()));
            }
        }
        anchors.entries = entries;
        let mut places = vec![(0, 0); 1 << 15];
        for (key, bucket) in buckets {
            places[usize::from(key)] = (anchors.bucketed.len() as u32, bucket.len() as u32);
            anchors.bucketed.extend(bucket);
        }
        anchors.buckets = places.into();
        anchors
    }

    fn register(&mut self, literal: &[u8], index: usize, buckets: &mut BTreeMap<u16, Vec<usize>>) {
        let class = |position: usize| literal.get(position).map(|byte| CLASSES[usize::from(*byte)]);
        let (Some(first), Some(second)) = (class(0), class(1)) else { return };
        let thirds = match class(2) {
            Some(third) => third..=third,
            None => 0..=OTHER,
        };
        // Comments and divisions begin no path.
        let begins_path = literal.len() == 2 && matches!(literal[1], b'/' | b'~');
        for third in thirds {
            if begins_path && literal[1] == b'/' && matches!(third, SLASH | DELIMITER | DASH) {
                continue;
            }
            let key = trigram(first, second, third);
            self.bitmap[usize::from(key >> 6)] |= 1 << (key & 63);
            buckets.entry(key).or_default().push(index);
        }
    }

    /// What wants to know of `hit`.
    pub fn targets(&self, hit: &Hit) -> &[Target] {
        self.entries.get(hit.entry).map_or(&[], |entry| &entry.targets)
    }

    /// A hit that nobody waits for: it only makes its unit be looked at.
    pub fn bare_hit(&self, start: usize, end: usize) -> Hit {
        Hit { start, end, entry: self.entries.len() }
    }

    /// Calls `found` for every literal in `text`, from the left.
    pub fn scan(&self, text: &[u8], mut found: impl FnMut(Hit)) {
        let bitmap: &[u64; 512] = match (&*self.bitmap).try_into() {
            Ok(bitmap) => bitmap,
            Err(_) => return,
        };
        for (entry, literal) in &self.line_starts {
            if text.starts_with(literal) {
                found(Hit { start: 0, end: literal.len(), entry: *entry });
            }
        }
        let mut key = 0u16;
        for (index, byte) in text.iter().enumerate() {
            key = ((key << 5) | u16::from(CLASSES[usize::from(*byte)])) & 0x7fff;
            if bitmap[usize::from(key >> 6)] >> (key & 63) & 1 == 1 && index >= 2 {
                self.compare(text, index - 2, key, &mut found);
            }
        }
        // A literal of two bytes may end the text.
        if let Some(start) = text.len().checked_sub(2) {
            let key = (key << 5) & 0x7fff;
            self.compare(text, start, key, &mut found);
        }
    }

    fn compare(&self, text: &[u8], start: usize, key: u16, found: &mut impl FnMut(Hit)) {
        let (first, count) = self.buckets[usize::from(key)];
        let bucket = &self.bucketed[first as usize..(first + count) as usize];
        let rest = &text[start..];
        for &entry in bucket {
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
