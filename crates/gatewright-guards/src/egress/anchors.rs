//! The prefilter: one pass that finds every literal that a rule or detector starts from.
//!
//! The four bytes at a place, whatever their case, are hashed into a bitmap of
//! 32 KiB that knows the rarest four of every literal, and a vector pass shows where
//! a pair may be, so the pass costs the same for ten rules and for a thousand. Only
//! where one of the two says yes is the literal itself looked for.

use std::collections::HashMap;
use std::ops::{ControlFlow, Range};

use super::catalogue::Catalogue;
use super::detect::Detector;
use super::quick::QuickState;
use super::sparks::{Literals, PairTable, bits_of, rarest_windows, search};

/// How many literals are found before they are told of, as far as all before them are known.
const MANY: usize = 256;

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
        self.moved(bytes, 0)
    }

    /// The same hit in a text that has at `to` what this one has at `from`.
    pub fn moved(&self, from: usize, to: usize) -> Hit {
        Hit { start: self.start - from + to, end: self.end - from + to, ..*self }
    }
}

/// Every literal, ready to be searched for.
#[derive(Debug)]
pub struct Anchors {
    literals: Literals<8192>,
    /// The literals of two bytes, in every spelling, and where they may be.
    pairs: HashMap<u16, usize, QuickState>,
    pair_table: PairTable,
    /// Who wants to know of each literal.
    targets: Vec<Vec<Target>>,
    /// The length of the longest.
    longest: usize,
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
        let mut literals: HashMap<Box<[u8]>, Vec<Target>, QuickState> = HashMap::default();
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
        let mut literals: Vec<_> = literals.into_iter().collect();
        // Of two at the same place the longer one is told of first.
        literals.sort_by_key(|(literal, _)| std::cmp::Reverse(literal.len()));
        let (literals, mut targets): (Vec<_>, Vec<_>) = literals.into_iter().unzip();
        targets.push(vec![Target::Detector(Detector::KeyLines)]);
        targets.push(vec![Target::Detector(Detector::Encoded)]);
        let mut anchors = Anchors {
            pairs: HashMap::default(),
            pair_table: PairTable::default(),
            longest: literals.first().map_or(0, |literal| literal.len()),
            line_starts: Vec::new(),
            key_lines: literals.len(),
            encoded: literals.len() + 1,
            targets,
            literals: Literals::new(Vec::new(), &[]),
        };
        literals.iter().enumerate().for_each(|(index, literal)| anchors.register(literal, index));
        let places = rarest_windows(&literals);
        anchors.literals = Literals::new(literals, &places);
        anchors
    }

    fn register(&mut self, literal: &[u8], index: usize) {
        if let [first, second] = *literal {
            self.pair_table.add([first, second]);
            for pair in spellings(first, second) {
                self.pairs.insert(u16::from_le_bytes(pair), index);
            }
        }
        if let Some(rest) = literal.strip_prefix(b"\n") {
            self.line_starts.push((index, rest.into()));
        }
    }

    /// What wants to know of `hit`.
    pub fn targets(&self, hit: &Hit) -> &[Target] {
        self.targets.get(hit.entry).map_or(&[], Vec::as_slice)
    }

    /// A hit that nobody waits for: it only makes its unit be looked at.
    pub fn bare_hit(&self, start: usize, end: usize) -> Hit {
        Hit { start, end, entry: self.targets.len() }
    }

    /// True for a hit that no literal shows: a disguise, a known value or a run that decodes.
    pub fn is_mark(&self, hit: &Hit) -> bool {
        hit.entry == self.encoded || hit.entry >= self.targets.len()
    }

    /// A hit at a line that may be key material.
    pub fn key_line_hit(&self, start: usize) -> Hit {
        Hit { start, end: start + 1, entry: self.key_lines }
    }

    /// A hit at a run that decodes to text.
    pub fn encoded_hit(&self, start: usize) -> Hit {
        Hit { start, end: start + 1, entry: self.encoded }
    }

    /// The length of the longest literal.
    pub fn longest(&self) -> usize {
        self.longest
    }

    /// What is less for a hit that is told of before another one in the same text.
    pub fn rank(&self, hit: &Hit) -> (usize, usize) {
        (hit.start + 1 - usize::from(self.begins_line(hit.entry)), hit.entry)
    }

    /// True when a line break shows where the literal starts.
    fn begins_line(&self, entry: usize) -> bool {
        self.literals.literal(entry)[0] == b'\n'
    }

    /// Calls `found` for every literal in `text`, from the left.
    pub fn scan(&self, text: &[u8], found: impl FnMut(Hit)) {
        let all = 0..text.len();
        self.scan_regions(text, std::slice::from_ref(&all), found);
    }

    /// Calls `found` for every literal in some parts of `text`, from the left.
    ///
    /// The parts are in order and apart.
    pub fn scan_regions(&self, text: &[u8], regions: &[Range<usize>], mut found: impl FnMut(Hit)) {
        for near in groups_of(regions) {
            let _ = self.look_through(text, near, &mut |hit| {
                found(hit);
                ControlFlow::Continue(())
            });
        }
    }

    /// True when a literal in some parts of `text` is one that is `wanted`.
    ///
    /// Of all that come after it only few are asked for.
    pub fn is_in_regions(
        &self,
        text: &[u8],
        regions: &[Range<usize>],
        mut wanted: impl FnMut(Hit) -> bool,
    ) -> bool {
        let mut look = |hit| match wanted(hit) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        };
        groups_of(regions).any(|near| self.look_through(text, near, &mut look).is_break())
    }

    /// Calls `found` for the literals in parts of `text` near each other, from the left, until
    /// it breaks. What lies between the parts is searched too, and nothing is told of it.
    fn look_through(
        &self,
        text: &[u8],
        regions: &[Range<usize>],
        found: &mut impl FnMut(Hit) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let (Some(first), Some(last)) = (regions.first(), regions.last()) else {
            return ControlFlow::Continue(());
        };
        let region = first.start..last.end;
        for (entry, literal) in &self.line_starts {
            if region.start == 0 && text.starts_with(literal) {
                found(Hit { start: 0, end: literal.len(), entry: *entry })?;
            }
        }
        let part = &text[region.clone()];
        let mut places: Vec<(usize, usize)> = Vec::new();
        let mut behind = 0;
        search(part, (self.literals.windows(), &self.pair_table), |starts, at| {
            if places.len() > MANY {
                let done = (region.start + at).saturating_sub(self.longest);
                self.tell(text, &mut places, done, found)?;
            }
            let mut add = |start: usize, entry: usize| {
                let start = region.start + start;
                let end = start + self.literals.literal(entry).len();
                if is_inside(regions, start..end, &mut behind) {
                    places.push((start, entry));
                }
            };
            for at in bits_of(starts.word, at) {
                self.literals.confirm(part, at, &mut add);
            }
            for at in bits_of(starts.pair, at) {
                if let Some(entry) = self.pair_at(part, at) {
                    add(at, entry);
                }
            }
            ControlFlow::Continue(())
        })?;
        self.tell(text, &mut places, text.len(), found)
    }

    #[inline]
    fn pair_at(&self, text: &[u8], at: usize) -> Option<usize> {
        let pair = text.get(at..at + 2)?.first_chunk()?;
        self.pairs.get(&u16::from_le_bytes(*pair)).copied()
    }

    /// Tells of the literals that start before `done`, in order, and takes them out of `places`.
    fn tell(
        &self,
        text: &[u8],
        places: &mut Vec<(usize, usize)>,
        done: usize,
        found: &mut impl FnMut(Hit) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        places.sort_unstable();
        let count = places.partition_point(|(start, _)| *start < done);
        for (start, entry) in places.drain(..count) {
            let literal = self.literals.literal(entry);
            let repeats = start > 0 && text[start - 1].eq_ignore_ascii_case(&literal[0]);
            if repeats && literal.iter().all(|byte| *byte == literal[0]) {
                continue;
            }
            // A line break shows where a line starts; it is not part of what starts there.
            let skipped = usize::from(self.begins_line(entry));
            found(Hit { start: start + skipped, end: start + literal.len(), entry })?;
        }
        ControlFlow::Continue(())
    }
}

/// The parts of a text, those together between which there is less than a search takes in anyway.
fn groups_of(regions: &[Range<usize>]) -> impl Iterator<Item = &[Range<usize>]> {
    const NEAR: usize = 64;
    regions.chunk_by(|one, next| next.start.saturating_sub(one.end) <= NEAR)
}

/// True when `range` is all in one of the parts.
///
/// `behind` is how many parts end before the last one that was asked for, which is near.
#[inline]
fn is_inside(regions: &[Range<usize>], range: Range<usize>, behind: &mut usize) -> bool {
    if let [_] = regions {
        return true;
    }
    while *behind > 0 && regions[*behind - 1].end >= range.end {
        *behind -= 1;
    }
    while regions.get(*behind).is_some_and(|region| region.end < range.end) {
        *behind += 1;
    }
    regions.get(*behind).is_some_and(|region| region.start <= range.start)
}

/// Two bytes in upper and lower case.
fn spellings(first: u8, second: u8) -> impl Iterator<Item = [u8; 2]> {
    let cases = |byte: u8| [byte.to_ascii_lowercase(), byte.to_ascii_uppercase()];
    cases(first).into_iter().flat_map(move |first| cases(second).map(|second| [first, second]))
}

#[cfg(test)]
#[path = "anchors_tests.rs"]
mod tests;
