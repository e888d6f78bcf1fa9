//! Cuts text into units: a line, or lines that belong together.
//!
//! Where a unit starts and ends depends on the text alone and never on how it
//! arrived, which makes a stream and a whole text agree. A line that a finding
//! may continue from (a block of key material, a name whose value stands on the
//! next line, a token cut at the margin) takes the next lines with it.

use std::ops::Range;

use super::anchors::{Anchors, Hit, Target};
use super::catalogue::{Catalogue, Tier};
use super::detect::disguised_key::disguised_block;
use super::detect::key_lines::{bare_block, header_block, lines_from};
use super::detect::name_span::name_around;
use super::detect::private_key::{BLOCK_REACH, Block, pem_block, ppk_block};
use super::detect::tables::table_end;
use super::detect::text::{RUN_REACH, cut_before, is_joined_byte, joined_end};
use super::detect::value_lists::{MOST_ITEMS, item_start};
use super::detect::{
    DEFAULT_REACH, Detector, MEMBER_REACH, default_key, is_asked, is_variable, member_key,
    parameter_end,
};
use super::sparks::shows_value;

/// The longest unit but for key blocks, and so the most that a stream holds back.
pub const UNIT_LIMIT: usize = 64 * 1024;
/// The longest block of key material.
pub const BLOCK_LIMIT: usize = 256 * 1024;

/// What is known about a unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// It ends here.
    To(usize),
    /// The text ends before one can tell.
    NeedsMore,
    /// It ends here, inside a block of key material that goes on for too long.
    Inside(usize),
}

/// Whether more text may follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// The text is complete.
    Final,
    /// More may come.
    Open,
}

/// The line of a hit.
pub(super) struct Line {
    /// Where it ends.
    pub(super) end: usize,
    /// How far its last string reaches, once that is known.
    pub(super) string_end: Option<usize>,
    /// The run of letters, digits, underscores and dashes that was asked for last.
    run: Range<usize>,
    /// Where the second line below it ends, once that is known.
    second_below: Option<usize>,
}

impl Line {
    /// The line that ends at `end`, of which nothing more is known.
    fn ending_at(end: usize) -> Line {
        Line { end, string_end: None, run: 0..0, second_below: None }
    }

    /// The run that holds `hit`, a name of letters, as far as names reach to either side.
    ///
    /// A run full of names is looked through once.
    fn run_around(&mut self, text: &[u8], hit: &Hit) -> Range<usize> {
        if !(self.run.contains(&hit.start) && hit.end <= self.run.end) {
            let outside = text[..hit.start].iter().rposition(|byte| !is_joined_byte(*byte));
            let start = outside.map_or(0, |last| last + 1);
            self.run = start..joined_end(text, hit.end);
        }
        let floor = hit.start.saturating_sub(RUN_REACH);
        self.run.start.max(floor)..self.run.end.min(hit.end + RUN_REACH)
    }
}

/// A line break that was looked for, so that one far away is found once for all hits before it.
#[derive(Default)]
struct LineBreak {
    /// From here to it stands no other one.
    from: usize,
    /// Where it lies, or where the text ends that has none.
    at: usize,
}

impl LineBreak {
    /// The first line break of `text` at or behind `from`, where `text` always is the same.
    fn behind(&mut self, text: &[u8], from: usize) -> Option<usize> {
        if !(self.from <= from && from < self.at) {
            let rest = text.get(from..)?;
            let newline = memchr::memchr(b'\n', rest);
            *self = LineBreak { from, at: newline.map_or(text.len(), |newline| from + newline) };
        }
        (self.at < text.len()).then_some(self.at)
    }
}

/// Cuts units out of a text, given its hits.
#[derive(Clone, Copy)]
pub struct Cutter<'a> {
    /// The text.
    pub text: &'a [u8],
    /// The prefilter that found the hits.
    pub anchors: &'a Anchors,
    /// The rules that they point to.
    pub catalogue: &'a Catalogue,
    /// Whether more may follow.
    pub ending: Ending,
}

impl Cutter<'_> {
    /// The end of the line at `start`, or of the piece that an overlong line is cut into.
    pub fn piece_end(&self, start: usize) -> Extent {
        let limit = (start + UNIT_LIMIT).min(self.text.len());
        if let Some(newline) = memchr::memchr(b'\n', &self.text[start..limit]) {
            return Extent::To(start + newline + 1);
        }
        if limit < start + UNIT_LIMIT {
            return match self.ending {
                Ending::Final => Extent::To(limit),
                Ending::Open => Extent::NeedsMore,
            };
        }
        Extent::To(cut_before(self.text, limit))
    }

    /// The start of the piece that holds `at`, where `from` starts a piece.
    ///
    /// An error with the start when the piece is not yet complete.
    pub fn piece_start(&self, from: usize, at: usize) -> Result<usize, usize> {
        let mut start =
            memchr::memrchr(b'\n', &self.text[from..at]).map_or(from, |newline| from + newline + 1);
        loop {
            match self.piece_end(start) {
                Extent::To(end) if end <= at => start = end,
                Extent::NeedsMore => return Err(start),
                _ => return Ok(start),
            }
        }
    }

    /// The end of the unit that starts at `start`, given the hits from there on.
    pub fn unit_end(&self, start: usize, hits: impl Iterator<Item = Hit>) -> Extent {
        let Extent::To(mut end) = self.piece_end(start) else { return Extent::NeedsMore };
        let mut line = Line::ending_at(start);
        let mut block_end = start;
        let mut encoded_end = start;
        let mut known = LineBreak::default();
        for hit in hits {
            let hit = &hit;
            if hit.start >= end {
                break;
            }
            if hit.start >= line.end {
                line = Line::ending_at(self.line_end_before(hit.start, end));
            }
            for target in self.anchors.targets(hit) {
                let is_block = matches!(target, Target::Detector(one) if one.is_block());
                let is_encoded = matches!(target, Target::Detector(Detector::Encoded));
                if is_block && hit.start < block_end || is_encoded && hit.start < encoded_end {
                    continue;
                }
                match self.wanted(hit, target, &mut line) {
                    Extent::To(wanted) => {
                        if is_block && wanted > line.end {
                            block_end = wanted;
                        }
                        if is_encoded {
                            encoded_end = wanted;
                        }
                        let is_key =
                            is_block || matches!(target, Target::Detector(Detector::KeyLines));
                        let is_wide = is_key && wanted > line.end;
                        end = self.extended(start, end, wanted, &mut known);
                        if is_wide {
                            end = self.behind_key(start, end);
                        }
                    }
                    Extent::Inside(at) if at > end => return Extent::Inside(at),
                    Extent::Inside(_) => {}
                    Extent::NeedsMore if self.text.len() - start < BLOCK_LIMIT => {
                        return Extent::NeedsMore;
                    }
                    Extent::NeedsMore => {
                        end = self.text.len().min(start + BLOCK_LIMIT);
                        block_end = end;
                    }
                }
            }
            if end > self.text.len() {
                return Extent::NeedsMore;
            }
        }
        Extent::To(end)
    }

    /// `end`, moved behind a string that goes on from the last line of a key.
    ///
    /// Once the key is hidden, its first line, which may name something, goes on there.
    fn behind_key(&self, start: usize, end: usize) -> usize {
        if end > self.text.len() {
            return end;
        }
        let behind = self.string_end(&mut Line::ending_at(end));
        self.extended(start, end, behind, &mut LineBreak::default())
    }

    fn line_end_before(&self, at: usize, end: usize) -> usize {
        memchr::memchr(b'\n', &self.text[at..end]).map_or(end, |newline| at + newline + 1)
    }

    /// `end`, moved to the line end behind `wanted` if the limit allows.
    ///
    /// Past the end of an open text the result lies behind it.
    fn extended(&self, start: usize, end: usize, wanted: usize, known: &mut LineBreak) -> usize {
        if wanted <= end {
            return end;
        }
        let text_end = self.text.len();
        // A line that ends behind the limit changes nothing, however far it goes on.
        let limit = text_end.min(start + BLOCK_LIMIT);
        let line_end = match known.behind(&self.text[..limit], wanted - 1) {
            Some(newline) => newline + 1,
            None if limit < text_end => return end,
            None if self.ending == Ending::Final => text_end,
            None => text_end + 1,
        };
        if line_end - start <= UNIT_LIMIT
            || (wanted - start > UNIT_LIMIT && line_end - start <= BLOCK_LIMIT)
        {
            line_end
        } else {
            end
        }
    }

    /// How far the unit must reach for this hit, which stands on `line`.
    fn wanted(&self, hit: &Hit, target: &Target, line: &mut Line) -> Extent {
        let line_end = line.end;
        let next_line = line_end + 1;
        match target {
            Target::Rule(index) => {
                let Some(rule) = self.catalogue.rule(*index) else { return Extent::To(line_end) };
                match self.goes_below(rule, hit, line_end) {
                    true if rule.tier == Tier::Proof => Extent::To(self.token_end(line_end)),
                    true => Extent::To(next_line),
                    false => Extent::To(line_end),
                }
            }
            Target::Detector(Detector::Pem) => {
                self.block(hit, |text| pem_block(text, hit.start, hit.end), line_end)
            }
            Target::Detector(Detector::DisguisedPem) => {
                self.block(hit, |text| disguised_block(text, hit.start), line_end)
            }
            Target::Detector(Detector::Ppk) => {
                self.block(hit, |text| ppk_block(text, hit.start), line_end)
            }
            Target::Detector(Detector::BareKey) => {
                self.block(hit, |text| bare_block(text, hit.start, hit.end), line_end)
            }
            Target::Detector(Detector::KeyHeader) => {
                self.block(hit, |text| header_block(text, hit.start), line_end)
            }
            Target::Detector(Detector::KeyLines) => {
                let lines = lines_from(self.text, hit.start);
                match lines.marker {
                    Some(marker) => Extent::To(marker),
                    None if lines.open && self.ending == Ending::Open => Extent::NeedsMore,
                    None => Extent::To(line_end),
                }
            }
            Target::Detector(Detector::ServiceAccount) => self.object_end(hit.end, line_end),
            Target::Detector(Detector::Netrc) if self.starts_line(hit.start) => {
                Extent::To(*line.second_below.get_or_insert_with(|| self.lines_after(line_end, 2)))
            }
            // Once the word that declares it is hidden, a name asks for what others ask for.
            Target::Detector(Detector::Name)
                if is_variable(self.text, line.run_around(self.text, hit).start) =>
            {
                let key = default_key(self.text, hit.end);
                let reach = hit.end..hit.end + DEFAULT_REACH;
                longer(self.value_end(key, reach, line_end), self.wanted_by_name(hit, line))
            }
            Target::Detector(Detector::Name) => self.wanted_by_name(hit, line),
            Target::Detector(Detector::Jwt) if self.runs_on(hit, line_end) => {
                Extent::To(self.wrapped_end(line_end).max(next_line))
            }
            Target::Detector(Detector::Url) if self.is_continued(hit.end, line_end) => {
                Extent::To(next_line)
            }
            // The bytes of a dump go on below.
            Target::Detector(Detector::Apart) => Extent::To(self.dump_end(line_end)),
            Target::Detector(Detector::Encoded) => self.encoded_end(hit, line_end),
            Target::Detector(_) => Extent::To(line_end),
        }
    }

    /// How far the unit must reach for a name that nothing declares.
    fn wanted_by_name(&self, hit: &Hit, line: &mut Line) -> Extent {
        let line_end = line.end;
        let run = line.run_around(self.text, hit);
        if self.opens_object(run.end, line_end) {
            let key = member_key(self.text, hit.end);
            return self.value_end(key, hit.end..hit.end + MEMBER_REACH, line_end);
        }
        let name = name_around(self.text, hit.start, hit.end);
        if let Some(table) = table_end(self.text, &name) {
            return Extent::To((table + 1).min(line_end + UNIT_LIMIT / 2));
        }
        if self.value_is_below(hit, &run, line_end) {
            let end = self.items_end(line_end);
            return Extent::To(parameter_end(self.text, end).unwrap_or(end) + 1);
        }
        // Without a value on its own line the name may not be seen in a complete text.
        Extent::To(self.string_end(line))
    }

    /// True when a backslash says that the address whose `://` ends at `at` goes on below.
    fn is_continued(&self, at: usize, line_end: usize) -> bool {
        const LONGEST: usize = 1024;
        let rest = &self.text[at.min(line_end)..line_end];
        let rest = rest.strip_suffix(b"\n").unwrap_or(rest);
        let rest = rest.strip_suffix(b"\r").unwrap_or(rest);
        rest.ends_with(b"\\")
            && rest.len() <= LONGEST
            && !rest.iter().any(|byte| byte.is_ascii_whitespace() || *byte == b'@')
    }

    /// Where the items of a list end that begin behind `line_end`.
    fn items_end(&self, line_end: usize) -> usize {
        let mut end = line_end;
        for _ in 0..MOST_ITEMS {
            if item_start(self.text, end).is_none() {
                break;
            }
            end = self.lines_after(end, 1);
        }
        end
    }

    /// The text up to the last line that nothing can be added to.
    ///
    /// All of it when `hit` lies in a line so long that it was cut.
    fn complete_lines(&self, hit: &Hit) -> &[u8] {
        match self.ending {
            Ending::Final => self.text,
            Ending::Open => {
                let end = memchr::memrchr(b'\n', self.text).map_or(0, |newline| newline + 1);
                if end < hit.end { self.text } else { &self.text[..end] }
            }
        }
    }

    fn block(&self, hit: &Hit, look: impl Fn(&[u8]) -> Block, line_end: usize) -> Extent {
        let complete = self.complete_lines(hit);
        match look(complete) {
            Block::NoKey => Extent::To(line_end),
            Block::Key { range, open: false } => Extent::To(range.end),
            Block::Key { range, .. } if complete.len() >= range.start + BLOCK_REACH => {
                Extent::Inside(range.end)
            }
            Block::Key { open: true, .. } | Block::Undecided => match self.ending {
                Ending::Final => Extent::To(self.text.len()),
                Ending::Open => Extent::NeedsMore,
            },
        }
    }

    /// The closing brace of the JSON object around `at`.
    fn object_end(&self, at: usize, line_end: usize) -> Extent {
        const REACH: usize = 8 * 1024;
        let limit = (at + REACH).min(self.text.len());
        match memchr::memchr(b'}', &self.text[at..limit]) {
            Some(brace) => Extent::To(at + brace + 1),
            None if limit < at + REACH && self.ending == Ending::Open => Extent::NeedsMore,
            None => Extent::To(line_end),
        }
    }

    /// True when an object whose name ends at `name_end` begins at the end of its line.
    fn opens_object(&self, name_end: usize, line_end: usize) -> bool {
        let name_end = name_end.min(line_end);
        let rest = self.text[name_end..line_end].trim_ascii_end();
        rest.len() <= 8
            && rest.ends_with(b"{")
            && rest.iter().all(|byte| matches!(byte, b'"' | b'\'' | b':' | b'=' | b' ' | b'{'))
    }

    /// True when what may be a value stands between a name that ends at `at` and the end of its line.
    fn shows_value(&self, at: usize, line_end: usize) -> bool {
        shows_value(self.text, &(at..line_end.min(at + MEMBER_REACH)))
    }

    /// The value that stands at `key`, which was looked for in `reach`, lines below its name.
    fn value_end(&self, key: Option<usize>, reach: Range<usize>, line_end: usize) -> Extent {
        let near = &self.text[reach.start..reach.end.min(self.text.len())];
        match key {
            Some(key) => match memchr::memchr(b'\n', &self.text[key..]) {
                Some(newline) if !self.shows_value(key, key + newline) => Extent::To(line_end),
                _ => Extent::To(key + 1),
            },
            None if near.len() == reach.len() || near.contains(&b'}') => Extent::To(line_end),
            None if self.ending == Ending::Open => Extent::NeedsMore,
            None => Extent::To(line_end),
        }
    }

    /// True when a name, the run around `hit`, ends its line but for what binds it to a value.
    fn value_is_below(&self, hit: &Hit, run: &Range<usize>, line_end: usize) -> bool {
        let name_end = run.end;
        let rest = self.text[name_end.min(line_end)..line_end].trim_ascii_end();
        let is_listed = || self.text[..run.start].trim_ascii_end().ends_with(b":");
        rest.is_empty() && (name_end > hit.end || is_listed() || is_asked(self.text, run.start))
            || rest.len() <= 12 && rest.starts_with(b"</") && rest.ends_with(b">")
            || rest.len() <= 8
                && !rest.is_empty()
                && rest.iter().all(|byte| {
                    matches!(
                        byte,
                        b'"' | b'\''
                            | b':'
                            | b']'
                            | b'='
                            | b' '
                            | b'|'
                            | b'>'
                            | b'-'
                            | b','
                            | b'('
                            | b'\\'
                            | b'<'
                            | b'/'
                            | b'k'
                            | b'e'
                            | b'y'
                    )
                })
    }

    /// True when what starts at `hit` may go on behind the end of the text.
    pub fn is_open(&self, hit: &Hit) -> bool {
        let end = self.text.len();
        self.anchors.targets(hit).iter().any(|target| match target {
            Target::Rule(index) => {
                self.catalogue.rule(*index).is_some_and(|rule| rule.tier == Tier::Proof)
                    && self.runs_on(hit, end)
            }
            Target::Detector(Detector::Pem) => {
                is_undecided(&pem_block(self.text, hit.start, hit.end))
            }
            Target::Detector(Detector::DisguisedPem) => {
                is_undecided(&disguised_block(self.text, hit.start))
            }
            Target::Detector(Detector::Ppk) => is_undecided(&ppk_block(self.text, hit.start)),
            Target::Detector(Detector::BareKey) => {
                is_undecided(&bare_block(self.text, hit.start, hit.end))
            }
            Target::Detector(Detector::KeyHeader) => {
                is_undecided(&header_block(self.text, hit.start))
            }
            Target::Detector(Detector::Jwt | Detector::Age | Detector::Url) => {
                self.runs_on(hit, end)
            }
            Target::Detector(_) => false,
        })
    }

    fn starts_line(&self, at: usize) -> bool {
        at == 0 || matches!(self.text[at - 1], b'\n' | b' ' | b'\t')
    }

    fn lines_after(&self, mut end: usize, count: usize) -> usize {
        for _ in 0..count {
            end = match memchr::memchr(b'\n', self.text.get(end..).unwrap_or_default()) {
                Some(newline) => end + newline + 1,
                None => return end + 1,
            };
        }
        end
    }
}

/// The one that reaches further, as far as one can tell.
fn longer(one: Extent, other: Extent) -> Extent {
    match (one, other) {
        (Extent::To(one), Extent::To(other)) => Extent::To(one.max(other)),
        (Extent::To(_), undecided) => undecided,
        (undecided, _) => undecided,
    }
}

fn is_undecided(block: &Block) -> bool {
    matches!(block, Block::Undecided | Block::Key { open: true, .. })
}
