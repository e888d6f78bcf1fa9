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
