//! The hunks between two states of a file, grouped as git groups them.
//!
//! Histogram diff with the indentation heuristic for sliders. Histogram diff
//! looks through the rest of the file once for every common region, which is
//! quadratic for a large file with scattered changes, so such a file is given
//! to the Myers algorithm, whose heuristics bound its work.

use imara_diff::{Algorithm, Diff, InternedInput};

use crate::hunk::{HunkNames, start_of_index};
use crate::{Encoding, Hunk, HunkLine, LineKind, readable};

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
///
/// A side in UTF-16 with its mark is taken as text. Where the two are spelt in
/// different ways all lines change.
pub fn diff_hunks(before: &[u8], after: &[u8]) -> Vec<Hunk> {
    if before == after {
        return Vec::new();
    }
    let ((old, old_encoding), (new, new_encoding)) = (readable(before), readable(after));
    let encodings = match (old.is_empty(), new.is_empty()) {
        (true, _) => (new_encoding, new_encoding),
        (_, true) => (old_encoding, old_encoding),
        _ => (old_encoding, new_encoding),
    };
    let mut hunks = match encodings.0 == encodings.1 {
        true => hunks_of_text(&old, &new),
        false => all_lines(&old, &new),
    };
    for hunk in &mut hunks {
        (hunk.before_encoding, hunk.after_encoding) = encodings;
    }
    hunks
}

fn hunks_of_text(before: &[u8], after: &[u8]) -> Vec<Hunk> {
    let (mut sides, mut changes) = sides_within(before, after, Cut::around(before, after));
    if sides.may_reach_beyond(&changes) {
        (sides, changes) = sides_within(before, after, Cut::default());
    }
    sides.hunks(&changes)
}

/// The one hunk that replaces everything.
fn all_lines(before: &[u8], after: &[u8]) -> Vec<Hunk> {
    let cut = Cut::default();
    let sides =
        Sides { before: split_lines(before).collect(), after: split_lines(after).collect(), cut };
    let change = Change { before: 0..sides.before.len(), after: 0..sides.after.len() };
    sides.hunks(&[change])
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

/// How many equal lines are kept on each side of all that differs. A change may slide over them.
const KEPT: usize = 128;

/// How far from the end of what is kept a change must stay, or the whole is looked at. Where a
/// change slides to is decided by up to twenty lines around it.
const MARGIN: usize = 32;

/// Equal bytes at both ends of two texts that need no look, whole lines with `KEPT` lines
/// between them and what differs.
#[derive(Debug, Clone, Copy, Default)]
struct Cut {
    start: usize,
    end: usize,
    /// How many lines end in those of the start and of the end.
    lines: (usize, usize),
}

impl Cut {
    fn around(before: &[u8], after: &[u8]) -> Self {
        let is_same = |(one, other): &(&u8, &u8)| one == other;
        let equal = before.iter().zip(after).take_while(is_same).count();
        let start = before_lines(&before[..equal], KEPT + 1);
        let (old, new) = (&before[equal..], &after[equal..]);
        let equal = old.iter().rev().zip(new.iter().rev()).take_while(is_same).count();
        let tail = &before[before.len() - equal..];
        let end = tail.len() - behind_lines(tail, KEPT + 1);
        let ends = |text: &[u8]| text.iter().filter(|byte| **byte == b'\n').count();
        let lines = (ends(&before[..start]), split_lines(&before[before.len() - end..]).count());
        Self { start, end, lines }
    }

    fn of<'a>(&self, text: &'a [u8]) -> &'a [u8] {
        &text[self.start..text.len() - self.end]
    }
}

/// Where the last `count` line ends of a text stop: all before that is whole lines.
fn before_lines(text: &[u8], count: usize) -> usize {
    let mut ends = text.iter().enumerate().rev().filter(|(_, byte)| **byte == b'\n');
    ends.nth(count).map_or(0, |(at, _)| at + 1)
}

/// Where the line behind the first `count` line ends starts.
fn behind_lines(text: &[u8], count: usize) -> usize {
    let mut ends = text.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
    ends.nth(count).map_or(text.len(), |(at, _)| at + 1)
}

fn sides_within<'a>(before: &'a [u8], after: &'a [u8], cut: Cut) -> (Sides<'a>, Vec<Change>) {
    let (before, after) = (cut.of(before), cut.of(after));
    let sides =
        Sides { before: split_lines(before).collect(), after: split_lines(after).collect(), cut };
    let changes = sides.changes(before, after);
    (sides, changes)
}

struct Sides<'a> {
    before: Vec<&'a [u8]>,
    after: Vec<&'a [u8]>,
    cut: Cut,
}

impl Sides<'_> {
    /// Whether a look at the whole might have put a change elsewhere.
    fn may_reach_beyond(&self, changes: &[Change]) -> bool {
        let (Some(first), Some(last)) = (changes.first(), changes.last()) else { return true };
        let from_start = first.before.start.min(first.after.start);
        let to_end = (self.before.len() - last.before.end).min(self.after.len() - last.after.end);
        let (above, below) = self.cut.lines;
        (above > 0 && from_start < MARGIN) || (below > 0 && to_end < MARGIN)
    }

    fn changes(&self, before: &[u8], after: &[u8]) -> Vec<Change> {
        let input = InternedInput::new(before, after);
        let left_out = 2 * (self.cut.lines.0 + self.cut.lines.1);
        let algorithm = match histogram_work(&input, left_out) > HISTOGRAM_WORK {
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

    fn hunks(&self, changes: &[Change]) -> Vec<Hunk> {
        let mut names = HunkNames::default();
        changes
            .chunk_by(|a, b| b.before.start - a.before.end <= 2 * CONTEXT)
            .map(|group| self.hunk(group, &mut names))
            .collect()
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
            before_start: start_of_index(self.cut.lines.0 + before, before_count),
            before_count: before_count as u32,
            after_start: start_of_index(self.cut.lines.0 + after, after_count),
            after_count: after_count as u32,
            lines,
            before_encoding: Encoding::Utf8,
            after_encoding: Encoding::Utf8,
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
/// into that many regions at most, and each is looked for in all that follows. Equal lines that
/// were left out count like all others.
fn histogram_work(input: &InternedInput<&[u8]>, left_out: usize) -> usize {
    let mut surplus = vec![0_i64; input.interner.num_tokens() as usize];
    for token in &input.before {
        surplus[token.0 as usize] += 1;
    }
    for token in &input.after {
        surplus[token.0 as usize] -= 1;
    }
    let changed: u64 = surplus.iter().map(|count| count.unsigned_abs()).sum();
    let lines = input.before.len() + input.after.len() + left_out;
    lines.saturating_mul(usize::try_from(changed).unwrap_or(usize::MAX))
}

fn changes_of(diff: &Diff) -> Vec<Change> {
    let range = |range: std::ops::Range<u32>| range.start as usize..range.end as usize;
    diff.hunks()
        .map(|hunk| Change { before: range(hunk.before), after: range(hunk.after) })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole(before: &[u8], after: &[u8]) -> Vec<Hunk> {
        let (sides, changes) = sides_within(before, after, Cut::default());
        sides.hunks(&changes)
    }

    /// Lines of a text of which most come again, so that changes slide; some numbers are drawn
    /// by a multiplication, which needs no other crate.
    fn lines(seed: &mut u64, count: usize) -> Vec<String> {
        let mut draw = |below: u64| {
            *seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (*seed >> 33) % below
        };
        let line = |_| match draw(6) {
            0 => "\n".to_owned(),
            1 => "    }\n".to_owned(),
            2 => "    return x\n".to_owned(),
            _ => format!("{}line {}\n", " ".repeat(draw(3) as usize * 4), draw(400)),
        };
        (0..count).map(line).collect()
    }

    #[test]
    fn what_is_equal_far_away_changes_no_hunk() {
        let mut seed = 7;
        let mut cut_short = 0;
        for round in 0..600_usize {
            let count = [3, 150, 300, 900][round % 4];
            let old = lines(&mut seed, count);
            let mut new = old.clone();
            let at = (round * 131) % count;
            let more = lines(&mut seed, round % 9);
            let upto = (at + round % 7).min(count);
            new.splice(at..upto, more);
            if round % 5 == 0 {
                // The same lines once more: the addition may stand in several places.
                let again: Vec<String> = new[at.min(new.len())..new.len().min(at + 40)].to_vec();
                new.splice(at..at, again);
            }
            let (old, mut new) = (old.concat(), new.concat());
            if round % 11 == 0 {
                new.pop();
            }
            let (old, new) = (old.as_bytes(), new.as_bytes());
            if old != new {
                assert_eq!(diff_hunks(old, new), whole(old, new), "round {round}");
                cut_short += usize::from(Cut::around(old, new).lines != (0, 0));
            }
        }
        assert!(cut_short > 100, "{cut_short}");
    }

    #[test]
    fn lines_that_all_are_the_same_are_looked_at_as_a_whole() {
        let old = "same\n".repeat(2_000);
        let new = "same\n".repeat(2_001);
        let (old, new) = (old.as_bytes(), new.as_bytes());
        assert_eq!(diff_hunks(old, new), whole(old, new));
        assert_eq!(diff_hunks(new, old), whole(new, old));
    }
}
