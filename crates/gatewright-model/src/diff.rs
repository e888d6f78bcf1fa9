//! The hunks between two states of a file, grouped as git groups them.
//!
//! Histogram diff with the indentation heuristic for sliders. Histogram diff
//! looks through the rest of the file once for every common region, which is
//! quadratic for a large file with scattered changes, so such a file is given
//! to the Myers algorithm, whose heuristics bound its work.

use imara_diff::{Algorithm, Diff, InternedInput};

use crate::hunk::{HunkNames, start_of_index};
use crate::{Hunk, HunkLine, LineKind};

/// Lines of context around a change.
const CONTEXT: usize = 3;

/// Above this much work (lines of both sides, times lines that only one side
/// has), Myers takes over.
const HISTOGRAM_WORK: usize = 4_000_000;

/// The hunks that turn `before` into `after`, in order, with three lines of
/// context; none when the two are equal.
///
/// ```
/// use gatewright_model::{diff_hunks, unified_hunk};
/// let hunks = diff_hunks(b"one\ntwo\n", b"one\n2\n");
/// assert_eq!(unified_hunk(&hunks[0]), "@@ -1,2 +1,2 @@\n one\n-two\n+2\n");
/// ```
pub fn diff_hunks(before: &[u8], after: &[u8]) -> Vec<Hunk> {
    if before == after {
        return Vec::new();
    }
    let sides =
        Sides { before: split_lines(before).collect(), after: split_lines(after).collect() };
    let changes = sides.changes(before, after);
    let mut names = HunkNames::default();
    changes
        .chunk_by(|a, b| b.before.start - a.before.end <= 2 * CONTEXT)
        .map(|group| sides.hunk(group, &mut names))
        .collect()
}

/// The lines of `text`, each with its `\n`; the last may lack it.
pub(crate) fn split_lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split_inclusive(|byte| *byte == b'\n')
}

/// Line indexes: these lines of the base become those of the result.
struct Change {
    before: std::ops::Range<usize>,
    after: std::ops::Range<usize>,
}

struct Sides<'a> {
    before: Vec<&'a [u8]>,
    after: Vec<&'a [u8]>,
}

impl Sides<'_> {
    fn changes(&self, before: &[u8], after: &[u8]) -> Vec<Change> {
        let input = InternedInput::new(before, after);
        let algorithm = match histogram_work(&input) > HISTOGRAM_WORK {
            true => Algorithm::Myers,
            false => Algorithm::Histogram,
        };
        let mut diff = Diff::compute(algorithm, &input);
        diff.postprocess_lines(&input);
        let changes = changes_of(&diff);
        if self.is_faithful(&changes) {
            return changes;
        }
        // Sliding is cosmetic. Should it ever break the pairing of the equal
        // lines, the plain result stands.
        changes_of(&Diff::compute(algorithm, &input))
    }

    /// Whether the lines outside the changes are equal on both sides.
    fn is_faithful(&self, changes: &[Change]) -> bool {
        let (mut before, mut after) = (0, 0);
        for change in changes {
            let equal = self.before.get(before..change.before.start)
                == self.after.get(after..change.after.start);
            if !equal {
                return false;
            }
            (before, after) = (change.before.end, change.after.end);
        }
        self.before.get(before..) == self.after.get(after..)
    }

    fn hunk(&self, group: &[Change], names: &mut HunkNames) -> Hunk {
        let (first, last) = (&group[0], &group[group.len() - 1]);
        let leading = CONTEXT.min(first.before.start);
        let trailing = CONTEXT.min(self.before.len() - last.before.end);
        let (before, after) = (first.before.start - leading, first.after.start - leading);
        let lines = self.lines(group, before, last.before.end + trailing);
        let before_count = lines.iter().filter(|line| line.kind.is_in_before()).count();
        let after_count = lines.iter().filter(|line| line.kind.is_in_after()).count();
        Hunk {
            id: names.name(&lines),
            before_start: start_of_index(before, before_count),
            before_count: before_count as u32,
            after_start: start_of_index(after, after_count),
            after_count: after_count as u32,
            lines,
        }
    }

    fn lines(&self, group: &[Change], start: usize, end: usize) -> Vec<HunkLine> {
        let mut lines = Vec::new();
        let mut push = |kind, texts: &[&[u8]]| {
            lines.extend(texts.iter().map(|text| HunkLine::new(kind, *text)));
        };
        let mut position = start;
        for change in group {
            push(LineKind::Context, &self.before[position..change.before.start]);
            push(LineKind::Removed, &self.before[change.before.clone()]);
            push(LineKind::Added, &self.after[change.after.clone()]);
            position = change.before.end;
        }
        push(LineKind::Context, &self.before[position..end]);
        lines
    }
}

/// A bound for the steps of histogram diff: the changed lines split the file
/// into that many regions at most, and each is looked for in all that follows.
fn histogram_work(input: &InternedInput<&[u8]>) -> usize {
    let mut surplus = vec![0_i64; input.interner.num_tokens() as usize];
    for token in &input.before {
        surplus[token.0 as usize] += 1;
    }
    for token in &input.after {
        surplus[token.0 as usize] -= 1;
    }
    let changed: u64 = surplus.iter().map(|count| count.unsigned_abs()).sum();
    let lines = input.before.len() + input.after.len();
    lines.saturating_mul(usize::try_from(changed).unwrap_or(usize::MAX))
}

fn changes_of(diff: &Diff) -> Vec<Change> {
    let range = |range: std::ops::Range<u32>| range.start as usize..range.end as usize;
    diff.hunks()
        .map(|hunk| Change { before: range(hunk.before), after: range(hunk.after) })
        .collect()
}
