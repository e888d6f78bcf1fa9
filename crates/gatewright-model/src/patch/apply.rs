//! Applying the hunks of a patch to the bytes of a file.
//!
//! A hunk with a line number is tried there first, then at the one other place
//! where its lines stand, byte for byte. A hunk without one must stand at one
//! place below its headings. There is no fuzz: context is never ignored.

use std::fmt;
use std::ops::Range;

use super::locate::{Found, Index};
use super::scan::without_ending;
use super::{HunkPlace, PatchHunk};
use crate::diff::split_lines;
use crate::{HunkLine, LineKind, ReplacedLines};

/// A hunk that does not fit the file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct HunkMismatch {
    /// The number of the hunk within its file, one-based.
    pub hunk: usize,
    /// The line of the base where the patch wants it, one-based.
    pub line: Option<u32>,
    /// Why it does not fit.
    pub reason: MismatchReason,
    /// The first line of the base that the hunk expects and does not find,
    /// shortened.
    pub expected: String,
    /// The line of the base where most of the hunk stands, one-based.
    pub nearest: Option<u32>,
}

/// Why a hunk does not fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum MismatchReason {
    /// Its lines stand nowhere after the hunk before it.
    #[error("its lines are not in the file after the hunk before it")]
    NotFound,
    /// Its lines stand at more than one place.
    #[error("its lines stand at line {first} and at line {second}; add context to tell them apart")]
    Ambiguous {
        /// One place, one-based.
        first: u32,
        /// Another.
        second: u32,
    },
    /// An `@@` heading is not in the file.
    #[error("its \"@@\" heading is not in the file")]
    HeadingNotFound,
    /// It says that it ends the file, and does not.
    #[error("it does not stand at the end of the file")]
    NotAtEnd,
    /// It only adds, and nothing says where.
    #[error("it has neither context nor removed lines; add context lines")]
    NoContext,
    /// It leaves a line without an ending before other lines.
    #[error("it leaves a line without a newline in the middle of the file")]
    MissingNewline,
    /// Finding it would take too long.
    #[error("finding its place takes too long; make the diff against the current file")]
    TooCostly,
}

impl fmt::Display for HunkMismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "hunk {}", self.hunk)?;
        if let Some(line) = self.line {
            write!(f, " (line {line})")?;
        }
        write!(f, " does not fit: {}", self.reason)?;
        if !self.expected.is_empty() {
            write!(f, "; expected {:?}", self.expected)?;
        }
        match self.nearest {
            Some(line) => write!(f, "; the nearest place is line {line}"),
            None => f.write_str("; read the file again and make the patch anew"),
        }
    }
}

/// The bytes after every hunk is applied; all of them fit, or it is an error.
pub fn apply_hunks(before: &[u8], hunks: &[PatchHunk]) -> Result<Vec<u8>, HunkMismatch> {
    replaced_lines(before, hunks).map(|(after, _)| after)
}

/// The same, with the lines that the patch itself takes out: those that it puts back unchanged
/// are among them, its context is not.
pub fn replaced_lines(
    before: &[u8],
    hunks: &[PatchHunk],
) -> Result<(Vec<u8>, Vec<ReplacedLines>), HunkMismatch> {
    let (after, replaced, _) = applied(before, hunks)?;
    Ok((after, replaced))
}

/// Where a hunk stands, its context included, in bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlacedHunk {
    /// In the bytes before.
    pub before: Range<usize>,
    /// In the bytes after.
    pub after: Range<usize>,
}

/// The bytes after every hunk is applied, with where each hunk stands, from the top down.
///
/// ```
/// use gatewright_model::patch::{PatchOperation, parse_unified, placed_hunks};
/// let patch = b"--- a/x\n+++ b/x\n@@ -2,1 +2,2 @@\n two\n+three\n";
/// let operations = parse_unified(patch).unwrap();
/// let PatchOperation::Update { hunks, .. } = &operations[0] else { panic!("an update") };
/// let (after, places) = placed_hunks(b"one\ntwo\n", hunks).unwrap();
/// assert_eq!(after, b"one\ntwo\nthree\n");
/// assert_eq!((&places[0].before, &places[0].after), (&(4..8), &(4..14)));
/// ```
pub fn placed_hunks(
    before: &[u8],
    hunks: &[PatchHunk],
) -> Result<(Vec<u8>, Vec<PlacedHunk>), HunkMismatch> {
    let (after, _, placed) = applied(before, hunks)?;
    Ok((after, placed))
}

type Applied = (Vec<u8>, Vec<ReplacedLines>, Vec<PlacedHunk>);

fn applied(before: &[u8], hunks: &[PatchHunk]) -> Result<Applied, HunkMismatch> {
    let mut target = Target::new(before);
    let mut placed = Vec::with_capacity(hunks.len());
    for (number, hunk) in hunks.iter().enumerate() {
        let emitted = target.place(hunk).and_then(|start| target.emit(hunk, start));
        placed.push(emitted.map_err(|reason| target.mismatch(number + 1, hunk, reason))?);
    }
    let finished = target.finish().map_err(|reason| HunkMismatch {
        hunk: hunks.len(),
        line: None,
        reason,
        expected: String::new(),
        nearest: None,
    });
    finished.map(|(after, replaced)| (after, replaced, placed))
}

/// A file while hunks are applied to it, from the top down.
struct Target<'a> {
    lines: Vec<&'a [u8]>,
    /// The first line that no hunk has passed.
    next: usize,
    /// How many bytes stand before it.
    passed: usize,
    out: Vec<u8>,
    replaced: Vec<ReplacedLines>,
    exact: Option<Index<'a>>,
    bare: Option<Index<'a>>,
}

impl<'a> Target<'a> {
    fn new(before: &'a [u8]) -> Self {
        let lines = split_lines(before).collect();
        let out = Vec::with_capacity(before.len());
        Self { lines, next: 0, passed: 0, out, replaced: Vec::new(), exact: None, bare: None }
    }

    /// The index of the line where the hunk starts.
    fn place(&mut self, hunk: &PatchHunk) -> Result<usize, MismatchReason> {
        match &hunk.place {
            HunkPlace::Line { before_start } => self.place_by_line(*before_start, hunk),
            HunkPlace::Context { headings, at_end } => {
                self.place_by_context(headings, *at_end, &pattern_of(hunk))
            }
        }
    }

    fn place_by_line(&mut self, start: u32, hunk: &PatchHunk) -> Result<usize, MismatchReason> {
        let pattern = pattern_of(hunk);
        if pattern.is_empty() {
            let is_empty = self.lines.is_empty();
            return if is_empty { Ok(0) } else { Err(MismatchReason::NoContext) };
        }
        let stated = (start as usize).saturating_sub(1);
        let here = self.lines.get(stated..stated.saturating_add(pattern.len()));
        if stated >= self.next && here == Some(pattern.as_slice()) {
            return Ok(stated);
        }
        let range = self.next..self.lines.len();
        unique(self.exact_index().find(&pattern, range))
    }

    fn place_by_context(
        &mut self,
        headings: &[String],
        at_end: bool,
        pattern: &[&[u8]],
    ) -> Result<usize, MismatchReason> {
        let end = self.lines.len();
        let regions = self.regions_below(headings)?;
        if pattern.is_empty() {
            // Without a heading the form means the end of the file.
            return if headings.is_empty() { Ok(end) } else { Err(MismatchReason::NoContext) };
        }
        if at_end {
            let start = end.checked_sub(pattern.len()).filter(|start| *start >= self.next);
            let start = start.ok_or(MismatchReason::NotAtEnd)?;
            let found = self.bare_index().find(pattern, start..start + 1);
            return unique(found).map_err(|_| MismatchReason::NotAtEnd);
        }
        if headings.is_empty() {
            let range = self.next..end;
            return unique(self.bare_index().find(pattern, range));
        }
        self.first_in_one_region(&regions, pattern)
    }

    /// A heading names the nearest such lines below it. Where the heading stands
    /// several times, only one of them may have the lines below it.
    fn first_in_one_region(
        &mut self,
        regions: &[Range<usize>],
        pattern: &[&[u8]],
    ) -> Result<usize, MismatchReason> {
        let mut found = Found::Nowhere;
        for region in regions {
            let range = region.start.max(self.next)..region.end;
            let here = match self.bare_index().find(pattern, range) {
                Found::Nowhere => continue,
                Found::TooCostly => return Err(MismatchReason::TooCostly),
                Found::Once(start) | Found::Twice(start, _) => start,
            };
            found = match found {
                Found::Once(earlier) if earlier != here => Found::Twice(earlier, here),
                _ => Found::Once(here),
            };
            if let Found::Twice(..) = found {
                break;
            }
        }
        unique(found)
    }

    /// The stretches that start with the last heading, inside those of the ones
    /// before it.
    fn regions_below(&mut self, headings: &[String]) -> Result<Vec<Range<usize>>, MismatchReason> {
        let whole = 0..self.lines.len();
        let mut regions = vec![whole];
        for heading in headings {
            let places = self.heading_places(heading);
            let mut inner = Vec::new();
            for region in &regions {
                let from = places.partition_point(|place| *place < region.start);
                let to = places.partition_point(|place| *place < region.end);
                let inside = &places[from..to];
                let ends = inside.iter().skip(1).copied().chain([region.end]);
                inner.extend(inside.iter().zip(ends).map(|(start, end)| *start..end));
            }
            if inner.is_empty() {
                return Err(MismatchReason::HeadingNotFound);
            }
            regions = inner;
        }
        Ok(regions)
    }

    /// Where the heading is a whole line; else where it is one but for indentation.
    fn heading_places(&mut self, heading: &str) -> Vec<usize> {
        let exact = self.bare_index().places(heading.as_bytes()).to_vec();
        if !exact.is_empty() {
            return exact;
        }
        let heading = heading.as_bytes().trim_ascii();
        let is_heading = |line: &&[u8]| line.trim_ascii() == heading;
        self.lines
            .iter()
            .enumerate()
            .filter(|(_, line)| is_heading(line))
            .map(|(at, _)| at)
            .collect()
    }

    fn exact_index(&mut self) -> &mut Index<'a> {
        self.exact.get_or_insert_with(|| Index::new(self.lines.iter().copied()))
    }

    fn bare_index(&mut self) -> &mut Index<'a> {
        let lines = &self.lines;
        self.bare.get_or_insert_with(|| Index::new(lines.iter().map(|line| without_ending(line))))
    }

    fn emit(&mut self, hunk: &PatchHunk, start: usize) -> Result<PlacedHunk, MismatchReason> {
        let takes_endings = matches!(hunk.place, HunkPlace::Context { .. });
        self.copy_to(start, takes_endings)?;
        let (before, after) = (self.passed, self.out.len());
        let mut run: Option<ReplacedLines> = None;
        for line in &hunk.lines {
            if line.kind == LineKind::Context {
                self.replaced.extend(run.take());
            } else {
                run.get_or_insert_with(|| ReplacedLines::at(self.next)).take(line);
            }
            match line.kind {
                LineKind::Context => self.copy_to(self.next + 1, takes_endings)?,
                LineKind::Removed => self.pass_line(),
                LineKind::Added if takes_endings => {
                    let ending = self.ending_here();
                    self.push(&line.text, takes_endings)?;
                    self.out.extend_from_slice(ending);
                }
                LineKind::Added => self.push(&line.text, takes_endings)?,
            }
        }
        self.replaced.extend(run);
        Ok(PlacedHunk { before: before..self.passed, after: after..self.out.len() })
    }

    /// Goes on behind the current line, which is copied or left out.
    fn pass_line(&mut self) {
        self.passed += self.lines.get(self.next).map_or(0, |line| line.len());
        self.next += 1;
    }

    fn copy_to(&mut self, end: usize, takes_endings: bool) -> Result<(), MismatchReason> {
        while self.next < end.min(self.lines.len()) {
            let line = self.lines[self.next];
            self.push(line, takes_endings)?;
            self.pass_line();
        }
        Ok(())
    }

    fn push(&mut self, text: &[u8], takes_endings: bool) -> Result<(), MismatchReason> {
        if self.out.last().is_some_and(|byte| *byte != b'\n') {
            if !takes_endings {
                return Err(MismatchReason::MissingNewline);
            }
            let ending = self.ending_here();
            self.out.extend_from_slice(ending);
        }
        self.out.extend_from_slice(text);
        Ok(())
    }

    /// The line ending that the file uses around the current line.
    fn ending_here(&self) -> &'static [u8] {
        let around = [self.next.wrapping_sub(1), self.next, 0];
        let lines = around.into_iter().filter_map(|index| self.lines.get(index));
        let mut ended = lines.filter(|line| line.ends_with(b"\n"));
        if ended.next().is_some_and(|line| line.ends_with(b"\r\n")) { b"\r\n" } else { b"\n" }
    }

    fn finish(mut self) -> Result<(Vec<u8>, Vec<ReplacedLines>), MismatchReason> {
        self.copy_to(self.lines.len(), false)?;
        Ok((self.out, self.replaced))
    }

    fn mismatch(
        &mut self,
        number: usize,
        hunk: &PatchHunk,
        reason: MismatchReason,
    ) -> HunkMismatch {
        let pattern = pattern_of(hunk);
        let (index, line) = match hunk.place {
            HunkPlace::Line { before_start } => (self.exact_index(), Some(before_start)),
            HunkPlace::Context { .. } => (self.bare_index(), None),
        };
        let wanted = line.map(|line| (line as usize).saturating_sub(1));
        let nearest = index.nearest(&pattern, wanted);
        let is_missing = |line: &&&[u8]| index.places(line).is_empty();
        let expected = pattern.iter().find(is_missing).or(pattern.first());
        let expected = expected.map(|line| shortened(line)).unwrap_or_default();
        HunkMismatch { hunk: number, line, reason, expected, nearest: nearest.map(number_of) }
    }
}

impl ReplacedLines {
    fn at(first: usize) -> Self {
        Self { first, count: 0, new: String::new() }
    }

    fn take(&mut self, line: &HunkLine) {
        match line.kind {
            LineKind::Removed => self.count += 1,
            _ => {
                self.new.push_str(&String::from_utf8_lossy(without_ending(&line.text)));
                self.new.push('\n');
            }
        }
    }
}

fn unique(found: Found) -> Result<usize, MismatchReason> {
    match found {
        Found::Once(start) => Ok(start),
        Found::Nowhere => Err(MismatchReason::NotFound),
        Found::TooCostly => Err(MismatchReason::TooCostly),
        Found::Twice(first, second) => {
            Err(MismatchReason::Ambiguous { first: number_of(first), second: number_of(second) })
        }
    }
}

/// The lines that the base must have.
fn pattern_of(hunk: &PatchHunk) -> Vec<&[u8]> {
    let lines = hunk.lines.iter().filter(|line| line.kind.is_in_before());
    lines.map(|line: &HunkLine| line.text.as_slice()).collect()
}

fn number_of(index: usize) -> u32 {
    u32::try_from(index.saturating_add(1)).unwrap_or(u32::MAX)
}

fn shortened(line: &[u8]) -> String {
    let line = without_ending(line);
    String::from_utf8_lossy(&line[..line.len().min(400)]).chars().take(80).collect()
}
