//! Placeholders that stand in a text already.

use std::ops::Range;
use std::sync::LazyLock;

use memchr::memmem::Finder;

use super::anchors::Hit;

/// True when a literal is only a part of the name of a placeholder.
pub fn is_in_placeholder(text: &[u8], hit: &Hit) -> bool {
    const LONGEST: usize = 32;
    let before = &text[hit.start.saturating_sub(LONGEST)..hit.start];
    // The names of kinds are words that dashes join.
    matches!(before.last(), Some(b':' | b'-'))
        && memchr::memrchr2(b'[', b']', before)
            .is_some_and(|at| before[at..].starts_with(b"[REDACTED:"))
}

/// The placeholders that stand in `text` already.
pub fn placeholders(text: &[u8]) -> Vec<Range<usize>> {
    static OPENING: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(b"[REDACTED:"));
    OPENING
        .find_iter(text)
        .filter_map(|start| {
            let end = memchr::memchr(b']', &text[start..(start + 40).min(text.len())])?;
            Some(start..start + end + 1)
        })
        .collect()
}

/// True when nearly all of `range` is placeholders.
pub fn is_covered(range: &Range<usize>, standing: &[Range<usize>]) -> bool {
    let first = standing.partition_point(|one| one.end <= range.start);
    let covered: usize = standing[first..]
        .iter()
        .take_while(|one| one.start < range.end)
        .map(|one| one.end.min(range.end).saturating_sub(one.start.max(range.start)))
        .sum();
    covered > 0 && range.len() - covered < 8
}
