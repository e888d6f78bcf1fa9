//! Splitting a hunk at the context between its changes, as `s` does in
//! `git add -p`.

use crate::hunk::start_of_index;
use crate::{Hunk, HunkLine, LineKind};

/// The smallest hunks that this one consists of, in order.
///
/// Context between two changes belongs to both of its neighbours, so that each
/// part can be read, and applied, alone. A hunk with a single run of changes
/// comes back as it is.
pub fn split_hunk(hunk: &Hunk) -> Vec<Hunk> {
    let runs = change_runs(&hunk.lines);
    if runs.len() < 2 {
        return vec![hunk.clone()];
    }
    let mut parts = Vec::with_capacity(runs.len());
    let (mut before, mut after) = (hunk.before_index(), hunk.after_index());
    let mut start = 0;
    for (number, run) in runs.iter().enumerate() {
        let end = runs.get(number + 1).map_or(hunk.lines.len(), |next| next.start);
        let lines = &hunk.lines[start..end];
        parts.push(Hunk {
            id: hunk.id.part(number + 1),
            before_start: start_of_index(before, before_count(lines)),
            before_count: before_count(lines) as u32,
            after_start: start_of_index(after, after_count(lines)),
            after_count: after_count(lines) as u32,
            lines: lines.to_vec(),
            ..hunk.clone()
        });
        before += before_count(&hunk.lines[start..run.end]);
        after += after_count(&hunk.lines[start..run.end]);
        start = run.end;
    }
    parts
}

/// The index ranges of consecutive changed lines.
fn change_runs(lines: &[HunkLine]) -> Vec<std::ops::Range<usize>> {
    let mut runs = Vec::new();
    let mut position = 0;
    for run in lines.chunk_by(|a, b| a.is_change() == b.is_change()) {
        if run[0].kind != LineKind::Context {
            runs.push(position..position + run.len());
        }
        position += run.len();
    }
    runs
}

fn before_count(lines: &[HunkLine]) -> usize {
    lines.iter().filter(|line| line.kind.is_in_before()).count()
}

fn after_count(lines: &[HunkLine]) -> usize {
    lines.iter().filter(|line| line.kind.is_in_after()).count()
}
