//! What a file becomes when only some of its hunks, or of their lines, are
//! accepted.
//!
//! The hunks must be those of this base, in order, as [`crate::diff_hunks`] or
//! [`crate::split_hunk`] gives them. Places come from the hunks and are never
//! searched for, so the result is exact where the same lines occur many times.

use std::borrow::Cow;
use std::collections::BTreeSet;

use crate::diff::split_lines;
use crate::{Encoding, Hunk, HunkId, LineKind, readable};

/// No hunk has this name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no hunk {id} in this file; list the hunks again, the file may have changed")]
pub struct UnknownHunk {
    /// The name that was asked for.
    pub id: HunkId,
}

/// The file with the accepted hunks applied and nothing else changed.
///
/// ```
/// use gatewright_model::{diff_hunks, select_hunks};
/// let before = b"1\n2\n3\n4\n5\n6\n7\n8\n9\n";
/// let after = b"one\n2\n3\n4\n5\n6\n7\n8\nnine\n";
/// let hunks = diff_hunks(before, after);
/// let accepted = [hunks[1].id.clone()].into();
/// assert_eq!(select_hunks(before, &hunks, &accepted), b"1\n2\n3\n4\n5\n6\n7\n8\nnine\n");
/// ```
pub fn select_hunks(before: &[u8], hunks: &[Hunk], accepted: &BTreeSet<HunkId>) -> Vec<u8> {
    select_lines(before, hunks, &|id, _| accepted.contains(id))
}

/// The file with the accepted lines applied: a removal that is not accepted
/// stays, an addition that is not accepted is left out.
///
/// `accepted` is asked for each removed or added line, by its index in
/// [`Hunk::lines`]. A line without an ending that is no longer the last one
/// takes the ending of the line that follows it. Where the two sides are spelt in
/// different ways, any accepted addition brings the new one.
pub fn select_lines(
    before: &[u8],
    hunks: &[Hunk],
    accepted: &dyn Fn(&HunkId, usize) -> bool,
) -> Vec<u8> {
    let (text, encodings) = text_of(before, hunks);
    let mut encoding = encodings.0;
    let mut assembly = Assembly::new(&text);
    for hunk in hunks {
        let mut position = hunk.before_index();
        for (index, line) in hunk.lines.iter().enumerate() {
            match line.kind {
                LineKind::Context => position += 1,
                LineKind::Removed => {
                    if accepted(&hunk.id, index) {
                        assembly.skip(position);
                    }
                    position += 1;
                }
                LineKind::Added if accepted(&hunk.id, index) => {
                    encoding = encodings.1;
                    assembly.add(position, &line.text);
                }
                LineKind::Added => {}
            }
        }
    }
    encoding.spell(assembly.finish())
}

/// The text that the hunks were made from, and how the two sides spell theirs.
fn text_of<'a>(before: &'a [u8], hunks: &[Hunk]) -> (Cow<'a, [u8]>, (Encoding, Encoding)) {
    match hunks.first().map(|hunk| (hunk.before_encoding, hunk.after_encoding)) {
        Some(encodings) if encodings != (Encoding::Utf8, Encoding::Utf8) => {
            (readable(before).0, encodings)
        }
        _ => (Cow::Borrowed(before), (Encoding::Utf8, Encoding::Utf8)),
    }
}

/// The lines that the hunk leaves in the file, context included: what a person
/// edits when a hunk is edited in place.
pub fn hunk_after(hunk: &Hunk) -> Vec<u8> {
    let kept = hunk.lines.iter().filter(|line| line.kind.is_in_after());
    kept.flat_map(|line| &line.text).copied().collect()
}

/// The whole result with every other hunk applied and `new_after_lines` in the
/// place of what hunk `id` would have left (see [`hunk_after`]).
///
/// The result is to be diffed anew; the untouched hunks keep their names.
pub fn replace_hunk(
    before: &[u8],
    hunks: &[Hunk],
    id: &HunkId,
    new_after_lines: &[u8],
) -> Result<Vec<u8>, UnknownHunk> {
    let edited = hunks.iter().position(|hunk| hunk.id == *id);
    let edited = edited.ok_or_else(|| UnknownHunk { id: id.clone() })?;
    let (text, encodings) = text_of(before, hunks);
    let mut assembly = Assembly::new(&text);
    for (number, hunk) in hunks.iter().enumerate() {
        let start = hunk.before_index();
        if number == edited {
            split_lines(new_after_lines).for_each(|line| assembly.add(start, line));
            (start..start + hunk.before_count as usize).for_each(|line| assembly.skip(line));
            continue;
        }
        let mut position = start;
        for line in &hunk.lines {
            match line.kind {
                LineKind::Context => position += 1,
                LineKind::Removed => {
                    assembly.skip(position);
                    position += 1;
                }
                LineKind::Added => assembly.add(position, &line.text),
            }
        }
    }
    Ok(encodings.1.spell(assembly.finish()))
}

/// A file being put together from the lines of its base and new ones.
struct Assembly<'a> {
    lines: Vec<&'a [u8]>,
    /// The first line of the base that is neither copied nor left out yet.
    next: usize,
    out: Vec<u8>,
}

impl<'a> Assembly<'a> {
    fn new(before: &'a [u8]) -> Self {
        Self {
            lines: split_lines(before).collect(),
            next: 0,
            out: Vec::with_capacity(before.len()),
        }
    }

    /// Copies the base up to the line with this index.
    fn copy_to(&mut self, position: usize) {
        let end = position.clamp(self.next, self.lines.len().max(self.next));
        for index in self.next..end {
            self.push(self.lines[index]);
        }
        self.next = end;
    }

    fn skip(&mut self, position: usize) {
        self.copy_to(position);
        if self.next == position {
            self.next += 1;
        }
    }

    fn add(&mut self, position: usize, line: &[u8]) {
        self.copy_to(position);
        self.push(line);
    }

    fn push(&mut self, line: &[u8]) {
        if self.out.last().is_some_and(|byte| *byte != b'\n') {
            let ending: &[u8] = if line.ends_with(b"\r\n") { b"\r\n" } else { b"\n" };
            self.out.extend_from_slice(ending);
        }
        self.out.extend_from_slice(line);
    }

    fn finish(mut self) -> Vec<u8> {
        self.copy_to(self.lines.len());
        self.out
    }
}
