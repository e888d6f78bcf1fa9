//! The `*** Begin Patch` form.
//!
//! Taken liberally where its inventor does: blank space around the markers and
//! at the end of paths, blank lines between files, an empty line as empty
//! context, a first hunk without `@@`. A text wrapped in a here-document is
//! unwrapped by the caller. Line endings are not part of this form.

use super::error::{PatchError, PatchProblem};
use super::{HunkPlace, PATCH_SIZE_LIMIT, PatchHunk, PatchOperation};
use crate::{HunkLine, LineKind};

pub(super) const BEGIN: &str = "*** Begin Patch";
const END: &str = "*** End Patch";
const ADD: &str = "*** Add File:";
const DELETE: &str = "*** Delete File:";
const UPDATE: &str = "*** Update File:";
const MOVE: &str = "*** Move to:";
const END_OF_FILE: &str = "*** End of File";

/// Reads a patch from `*** Begin Patch` to `*** End Patch`.
///
/// ```
/// use gatewright_model::patch::{apply_hunks, parse_begin_patch, PatchOperation};
/// let patch = "*** Begin Patch\n*** Update File: a.txt\n@@\n-one\n+two\n*** End Patch";
/// let operations = parse_begin_patch(patch).unwrap();
/// let PatchOperation::Update { hunks, .. } = &operations[0] else { panic!() };
/// assert_eq!(apply_hunks(b"zero\r\none\r\n", hunks).unwrap(), b"zero\r\ntwo\r\n");
/// ```
pub fn parse_begin_patch(text: &str) -> Result<Vec<PatchOperation>, PatchError> {
    if text.len() >= PATCH_SIZE_LIMIT {
        return Err(PatchProblem::TooLarge { bytes: text.len() }.at(1));
    }
    let mut lines = Lines::new(text);
    lines.skip_blank();
    if lines.peek().map(str::trim) != Some(BEGIN) {
        return Err(lines.problem(PatchProblem::MissingBegin));
    }
    lines.advance();
    let mut operations = Vec::new();
    loop {
        lines.skip_blank();
        match lines.peek().map(str::trim) {
            None => return Err(lines.problem(PatchProblem::MissingEnd)),
            Some(END) => break,
            Some(_) => operations.push(operation(&mut lines)?),
        }
    }
    lines.advance();
    lines.skip_blank();
    if lines.peek().is_some() {
        return Err(lines.problem(PatchProblem::MissingEnd));
    }
    if operations.is_empty() {
        return Err(PatchProblem::Empty.at(1));
    }
    Ok(operations)
}

/// The lines of the patch without endings, with a number.
struct Lines<'a> {
    lines: std::iter::Peekable<std::str::Lines<'a>>,
    number: usize,
}

impl<'a> Lines<'a> {
    fn new(text: &'a str) -> Self {
        Self { lines: text.lines().peekable(), number: 1 }
    }

    fn peek(&mut self) -> Option<&'a str> {
        self.lines.peek().copied()
    }

    fn advance(&mut self) {
        self.number += usize::from(self.lines.next().is_some());
    }

    fn skip_blank(&mut self) {
        while self.peek().is_some_and(|line| line.trim().is_empty()) {
            self.advance();
        }
    }

    /// The path after `marker`, if the line has that marker.
    fn take_path(&mut self, marker: &str) -> Result<Option<String>, PatchError> {
        let Some(path) = self.peek().and_then(|line| line.trim().strip_prefix(marker)) else {
            return Ok(None);
        };
        let path = path.trim();
        if path.is_empty() {
            return Err(self.problem(PatchProblem::EmptyPath));
        }
        self.advance();
        Ok(Some(path.to_owned()))
    }

    fn problem(&self, problem: PatchProblem) -> PatchError {
        problem.at(self.number)
    }
}

fn operation(lines: &mut Lines<'_>) -> Result<PatchOperation, PatchError> {
    if let Some(path) = lines.take_path(ADD)? {
        let content = added_content(lines);
        return Ok(PatchOperation::Create { path, content, executable: false });
    }
    if let Some(path) = lines.take_path(DELETE)? {
        return Ok(PatchOperation::Delete { path, hunks: Vec::new() });
    }
    if let Some(path) = lines.take_path(UPDATE)? {
        return update(lines, path);
    }
    Err(lines.problem(PatchProblem::UnexpectedLine))
}

fn added_content(lines: &mut Lines<'_>) -> Vec<u8> {
    let mut content = Vec::new();
    while let Some(line) = lines.peek().and_then(|line| line.strip_prefix('+')) {
        content.extend_from_slice(line.as_bytes());
        content.push(b'\n');
        lines.advance();
    }
    content
}

fn update(lines: &mut Lines<'_>, path: String) -> Result<PatchOperation, PatchError> {
    let rename_to = lines.take_path(MOVE)?;
    let mut hunks = Vec::new();
    while let Some(hunk) = hunk(lines, hunks.is_empty())? {
        hunks.push(hunk);
    }
    if hunks.is_empty() && rename_to.is_none() {
        return Err(lines.problem(PatchProblem::EmptyUpdate));
    }
    Ok(PatchOperation::Update { path, rename_to, copy_from: None, hunks, executable: None })
}

/// The next hunk of an update; `None` where another file or the end follows.
fn hunk(lines: &mut Lines<'_>, is_first: bool) -> Result<Option<PatchHunk>, PatchError> {
    while lines.peek().is_some_and(str::is_empty) {
        lines.advance();
    }
    let start = lines.number;
    let mut headings = Vec::new();
    let mut has_marker = false;
    while let Some(heading) = lines.peek().and_then(heading) {
        has_marker = true;
        headings.extend((!heading.is_empty()).then(|| heading.to_owned()));
        lines.advance();
    }
    if !has_marker {
        match lines.peek() {
            None => return Ok(None),
            Some(line) if line.trim_end().starts_with("*** ") => return Ok(None),
            Some(_) if !is_first => return Err(lines.problem(PatchProblem::BadHunkLine)),
            Some(_) => {}
        }
    }
    let body = body(lines);
    let at_end = lines.peek().is_some_and(|line| line.trim_end() == END_OF_FILE);
    if at_end {
        lines.advance();
    }
    if !body.iter().any(HunkLine::is_change) {
        let is_bad_line = body.is_empty() && !has_marker;
        let problem = if is_bad_line { PatchProblem::BadHunkLine } else { PatchProblem::NoChange };
        return Err(problem.at(start));
    }
    Ok(Some(PatchHunk { place: HunkPlace::Context { headings, at_end }, lines: body }))
}

/// The text of an `@@` line.
fn heading(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("@@")?;
    if rest.trim().is_empty() { Some("") } else { rest.strip_prefix(' ').map(str::trim_end) }
}

/// The lines up to the next marker. Blank lines at the end separate hunks and
/// files; only before `*** End of File` are they context.
fn body(lines: &mut Lines<'_>) -> Vec<HunkLine> {
    let mut body = Vec::new();
    let mut blank = 0;
    let empty = || HunkLine::new(LineKind::Context, "");
    while let Some(line) = lines.peek() {
        let kind = match line.as_bytes().first() {
            None => {
                blank += 1;
                lines.advance();
                continue;
            }
            Some(b' ') => LineKind::Context,
            Some(b'-') => LineKind::Removed,
            Some(b'+') => LineKind::Added,
            Some(_) => break,
        };
        body.extend(std::iter::repeat_with(empty).take(std::mem::take(&mut blank)));
        body.push(HunkLine::new(kind, &line[1..]));
        lines.advance();
    }
    if lines.peek().is_some_and(|line| line.trim_end() == END_OF_FILE) {
        body.extend(std::iter::repeat_with(empty).take(blank));
    }
    body
}
