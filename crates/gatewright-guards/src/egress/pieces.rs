//! A unit with its findings hidden, and the way back from what is found in the result.

use std::ops::Range;

use super::engine::Found;

/// A piece of an output and the source range that it stands for.
pub struct Piece {
    output: Range<usize>,
    source: Range<usize>,
}

/// `unit` with its findings hidden, and the pieces that were replaced.
pub fn hidden(unit: &[u8], found: &[Found]) -> (Vec<u8>, Vec<Piece>) {
    let mut output = Vec::with_capacity(unit.len());
    let mut pieces = Vec::with_capacity(found.len());
    let mut from = 0;
    for one in found {
        output.extend_from_slice(&unit[from..one.range.start]);
        let start = output.len();
        output.extend_from_slice(one.kind.placeholder().as_bytes());
        pieces.push(Piece { output: start..output.len(), source: one.range.clone() });
        from = one.range.end;
    }
    output.extend_from_slice(&unit[from..]);
    (output, pieces)
}

/// The source range of an output range; a touched placeholder counts whole.
pub fn source_range(pieces: &[Piece], range: &Range<usize>) -> Range<usize> {
    source_offset(pieces, range.start, |piece| piece.source.start)
        ..source_offset(pieces, range.end, |piece| piece.source.end)
}

fn source_offset(pieces: &[Piece], at: usize, inside: impl Fn(&Piece) -> usize) -> usize {
    let before = pieces.partition_point(|piece| piece.output.end <= at);
    match pieces.get(before) {
        Some(piece) if piece.output.start < at => inside(piece),
        _ => match before.checked_sub(1).and_then(|index| pieces.get(index)) {
            Some(piece) => piece.source.end + (at - piece.output.end),
            None => at,
        },
    }
}

/// Sorts, merges what overlaps, and widens to whole characters.
pub fn disjoint(text: &[u8], found: Vec<Found>) -> Vec<Found> {
    let mut found = line_by_line(text, found);
    found.retain(|one| !one.range.is_empty());
    found.sort_by_key(|one| (one.range.start, std::cmp::Reverse(one.range.end)));
    let mut merged: Vec<Found> = Vec::with_capacity(found.len());
    for mut one in found {
        widen(text, &mut one.range);
        match merged.last_mut() {
            Some(last) if one.range.start < last.range.end => {
                last.range.end = last.range.end.max(one.range.end);
            }
            _ => merged.push(one),
        }
    }
    merged
}

/// What is no key, apart for each line that it stands on.
///
/// A hidden line break would bring the lines around it nearer to each other, and
/// another look at the result would see another text.
fn line_by_line(text: &[u8], found: Vec<Found>) -> Vec<Found> {
    let is_whole =
        |one: &Found| one.is_block() || memchr::memchr(b'\n', &text[one.range.clone()]).is_none();
    if found.iter().all(is_whole) {
        return found;
    }
    let mut parts = Vec::with_capacity(found.len() + 4);
    for one in found {
        if is_whole(&one) {
            parts.push(one);
            continue;
        }
        let mut start = one.range.start;
        for line in text[one.range.clone()].split(|byte| *byte == b'\n') {
            let blanks = line.len() - line.trim_ascii_start().len();
            let range = start + blanks..start + blanks + line.trim_ascii().len();
            start += line.len() + 1;
            parts.push(Found { range, kind: one.kind, rule: one.rule.clone() });
        }
    }
    parts
}

fn widen(text: &[u8], range: &mut Range<usize>) {
    let inside = |at: usize| text.get(at).is_some_and(|byte| byte & 0xC0 == 0x80);
    while range.start > 0 && inside(range.start) {
        range.start -= 1;
    }
    while inside(range.end) {
        range.end += 1;
    }
}
