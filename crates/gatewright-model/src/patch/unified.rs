//! Unified diffs, git's extended headers included.
//!
//! Text around the files (a mail, a commit message, a code fence) is ignored,
//! as git does. A hunk must have exactly the lines that its header counts.

use super::error::{PatchError, PatchProblem};
use super::header::{FileHeader, git_header, plain_header, refuse_binary};
use super::scan::Cursor;
use super::{HunkPlace, PATCH_SIZE_LIMIT, PatchHunk, PatchOperation};
use crate::{HunkLine, LineKind};

/// Reads a unified diff of any number of files.
///
/// ```
/// use gatewright_model::patch::{PatchOperation, parse_unified};
/// let diff = b"--- /dev/null\n+++ b/new.txt\n@@ -0,0 +1 @@\n+hello\n";
/// let operations = parse_unified(diff).unwrap();
/// assert!(matches!(&operations[0], PatchOperation::Create { path, .. } if path == "new.txt"));
/// ```
pub fn parse_unified(text: &[u8]) -> Result<Vec<PatchOperation>, PatchError> {
    if text.len() >= PATCH_SIZE_LIMIT {
        return Err(PatchProblem::TooLarge { bytes: text.len() }.at(1));
    }
    let mut cursor = Cursor::new(text);
    let mut operations = Vec::new();
    while cursor.peek().is_some() {
        refuse_unreadable(cursor)?;
        if starts_file(cursor) {
            operations.push(file(&mut cursor)?);
        } else {
            cursor.advance();
        }
    }
    if operations.is_empty() {
        return Err(PatchProblem::Empty.at(1));
    }
    Ok(operations)
}

/// Whether the header of a file starts here.
pub(super) fn starts_file(mut cursor: Cursor<'_>) -> bool {
    if cursor.is_at("diff --git ") {
        return true;
    }
    cursor.take_after("--- ").is_some() && cursor.is_at("+++ ")
}

/// Refuses, outside hunks, what would be lost if it were taken for prose.
fn refuse_unreadable(cursor: Cursor<'_>) -> Result<(), PatchError> {
    let line = cursor.peek().unwrap_or_default();
    refuse_binary(cursor)?;
    let problem =
        if cursor.is_at("diff --cc ") || cursor.is_at("diff --combined ") || cursor.is_at("@@@ ") {
            PatchProblem::Combined
        } else if cursor.is_at("@@ -") && counts(line).is_some() {
            PatchProblem::MissingFileHeader
        } else {
            return Ok(());
        };
    Err(problem.at(cursor.number()))
}

fn file(cursor: &mut Cursor<'_>) -> Result<PatchOperation, PatchError> {
    let line = cursor.number();
    let is_git = cursor.is_at("diff --git ");
    let header = if is_git { git_header(cursor)? } else { plain_header(cursor)? };
    let mut hunks = Vec::new();
    while cursor.is_at("@@ ") {
        hunks.push(hunk(cursor)?);
    }
    operation(header, hunks).map_err(|problem| problem.at(line))
}

fn operation(header: FileHeader, hunks: Vec<PatchHunk>) -> Result<PatchOperation, PatchProblem> {
    let is_executable = |mode: u32| mode & 0o100 != 0;
    let all_are = |kind| hunks.iter().flat_map(|hunk| &hunk.lines).all(|line| line.kind == kind);
    if [&header.old, &header.new].into_iter().flatten().any(String::is_empty) {
        return Err(PatchProblem::EmptyPath);
    }
    match (header.old, header.new) {
        (None, Some(_)) if hunks.len() > 1 || !all_are(LineKind::Added) => {
            Err(PatchProblem::NewFileHasOldLines)
        }
        (None, Some(path)) => {
            let content = hunks.into_iter().flat_map(|hunk| hunk.lines).flat_map(|line| line.text);
            let executable = header.new_mode.is_some_and(is_executable);
            Ok(PatchOperation::Create { path, content: content.collect(), executable })
        }
        (Some(_), None) if hunks.len() > 1 || !all_are(LineKind::Removed) => {
            Err(PatchProblem::DeletedFileHasNewLines)
        }
        (Some(path), None) => Ok(PatchOperation::Delete { path, hunks }),
        (Some(old), Some(new)) => {
            let executable = header.new_mode.map(is_executable);
            let (path, rename_to, copy_from) = match header.is_copy {
                true => (new, None, Some(old)),
                false if old == new => (old, None, None),
                false => (old, Some(new), None),
            };
            Ok(PatchOperation::Update { path, rename_to, copy_from, hunks, executable })
        }
        (None, None) => Err(PatchProblem::EmptyPath),
    }
}

/// How many lines of each side are still to come in a hunk.
struct Counts {
    before_start: u32,
    before: u32,
    after: u32,
}

/// Reads `@@ -start,count +start,count @@`.
fn counts(line: &[u8]) -> Option<Counts> {
    let line = std::str::from_utf8(&line[..line.len().min(100)])
        .or_else(|error| std::str::from_utf8(&line[..error.valid_up_to()]))
        .ok()?;
    let (ranges, _) = line.strip_prefix("@@ -")?.split_once(" @@")?;
    let (before, after) = ranges.split_once(" +")?;
    let (before_start, before) = range(before)?;
    let (_, after) = range(after)?;
    Some(Counts { before_start, before, after })
}

fn range(text: &str) -> Option<(u32, u32)> {
    let number = |text: &str| match text.bytes().all(|byte| byte.is_ascii_digit()) {
        true => text.parse::<u32>().ok(),
        false => None,
    };
    let (start, count) = text.split_once(',').unwrap_or((text, "1"));
    Some((number(start)?, number(count)?))
}

fn hunk(cursor: &mut Cursor<'_>) -> Result<PatchHunk, PatchError> {
    let header = cursor.number();
    let line = cursor.peek().unwrap_or_default();
    let mut counts = counts(line).ok_or_else(|| PatchProblem::BadHunkHeader.at(header))?;
    let before_start = counts.before_start;
    cursor.advance();
    let mut lines = Vec::new();
    while counts.before > 0 || counts.after > 0 {
        let here = cursor.number();
        let line = body_line(cursor).map_err(|problem| problem.at(here))?;
        let line = line.ok_or_else(|| PatchProblem::CountMismatch { header }.at(here))?;
        let fits = counts.take(line.kind);
        fits.ok_or_else(|| PatchProblem::CountMismatch { header }.at(here))?;
        lines.push(line);
        strip_missing_newline(cursor, &mut lines);
    }
    refuse_more_lines(*cursor, header)?;
    check_endings(&lines).map_err(|problem| problem.at(header))?;
    if !lines.iter().any(HunkLine::is_change) {
        return Err(PatchProblem::NoChange.at(header));
    }
    Ok(PatchHunk { place: HunkPlace::Line { before_start }, lines })
}

impl Counts {
    fn take(&mut self, kind: LineKind) -> Option<()> {
        if kind.is_in_before() {
            self.before = self.before.checked_sub(1)?;
        }
        if kind.is_in_after() {
            self.after = self.after.checked_sub(1)?;
        }
        Some(())
    }
}

/// The next line of a hunk; `None` at the end of the patch.
fn body_line(cursor: &mut Cursor<'_>) -> Result<Option<HunkLine>, PatchProblem> {
    let Some(whole) = cursor.peek_whole() else { return Ok(None) };
    let (kind, text) = match whole {
        // Some tools drop the blank of an empty context line.
        b"\n" | b"\r\n" => (LineKind::Context, whole),
        [b' ', text @ ..] => (LineKind::Context, text),
        [b'-', text @ ..] => (LineKind::Removed, text),
        [b'+', text @ ..] => (LineKind::Added, text),
        _ => return Err(PatchProblem::BadHunkLine),
    };
    cursor.advance();
    let mut text = text.to_vec();
    // The last line of the patch itself may have lost its newline on the way.
    if !text.ends_with(b"\n") {
        text.push(b'\n');
    }
    Ok(Some(HunkLine { kind, text }))
}

fn strip_missing_newline(cursor: &mut Cursor<'_>, lines: &mut [HunkLine]) {
    if !cursor.is_at("\\ ") {
        return;
    }
    cursor.advance();
    if let Some(last) = lines.last_mut() {
        last.text.pop();
    }
}

/// Lines that look like more of the hunk mean that its counts are wrong.
fn refuse_more_lines(cursor: Cursor<'_>, header: usize) -> Result<(), PatchError> {
    let line = cursor.peek().unwrap_or_default();
    // `-- ` starts the signature of a mail.
    let is_signature = line == b"-- " || line == b"--";
    let is_more = matches!(line.first(), Some(b' ' | b'+' | b'-' | b'\\'));
    if is_more && !is_signature && !starts_file(cursor) {
        return Err(PatchProblem::CountMismatch { header }.at(cursor.number()));
    }
    Ok(())
}

/// A line without an ending must be the last one of its side, and not empty.
fn check_endings(lines: &[HunkLine]) -> Result<(), PatchProblem> {
    let sides = [LineKind::is_in_before, LineKind::is_in_after];
    for is_in_side in sides {
        let mut ended = false;
        for line in lines.iter().filter(|line| is_in_side(line.kind)) {
            if ended || line.text.is_empty() {
                return Err(PatchProblem::MisplacedNoNewline);
            }
            ended = !line.text.ends_with(b"\n");
        }
    }
    Ok(())
}
