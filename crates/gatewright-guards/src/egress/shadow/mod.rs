//! Shadow views: the text as it would read without its disguise.
//!
//! A view is a changed copy of a unit in which every byte knows the source
//! bytes that it stands for, so a finding in the view hides the disguised
//! original. Views are made only where the text shows a sign of one.

mod alike;
mod apart;
mod assemble;
mod decode;
mod dump;
mod join;
mod marks;
mod markup;
mod plain;
mod turned;
mod wide;
mod wrapped;

use std::ops::Range;

pub use apart::{gathered, is_apart, signs};
pub use assemble::{assembled, has_assembly, may_be_cut};
pub use decode::{Decoded, SHORTEST_RUN, decoded, decoded_runs, new_decoded_runs, promises_text};
pub use dump::{dumped, is_dump, may_become_dump};
pub use join::{
    concatenated, ends_with_statement, ends_with_string, going_on, has_bare_seam, is_part_of_token,
    may_become_part, starts_with_appended, starts_with_string, unwrapped, without_border,
};
pub use marks::strange_marks;
pub use markup::{has_marks, unmarked};
pub use plain::plain;
pub use turned::{is_turned, turned};
pub use wide::{is_wide, narrowed, wide_marks};
pub use wrapped::{wrapped_end, wrapped_runs};

/// A changed copy of a text, with the way back.
#[derive(Debug, Clone)]
pub struct View {
    bytes: Vec<u8>,
    /// What the bytes stand for: one piece begins where the last one ends.
    pieces: Vec<Piece>,
    /// Where something of the source was left out between two bytes.
    seams: Vec<usize>,
}

/// Neighbouring bytes of a view and what they stand for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Piece {
    /// Where it begins in the view.
    start: u32,
    /// Where it begins in the source.
    source: u32,
    /// How many bytes of the source a byte stands for; none for bytes that stand there as they are.
    length: u32,
}

impl Piece {
    /// The source bytes behind the byte at `at` of the view.
    fn origin(&self, at: usize) -> Range<usize> {
        let source = self.source as usize;
        match self.length as usize {
            0 => {
                let place = source + (at - self.start as usize);
                place..place + 1
            }
            length => source..source + length,
        }
    }
}

impl View {
    /// The text itself.
    pub fn of(text: &[u8]) -> View {
        let whole = Piece { start: 0, source: 0, length: 0 };
        View { bytes: text.to_vec(), pieces: vec![whole], seams: Vec::new() }
    }

    /// An empty view with room for as much as `source` has.
    fn like(source: &View) -> View {
        View {
            bytes: Vec::with_capacity(source.bytes.len()),
            pieces: Vec::with_capacity(source.pieces.len()),
            seams: Vec::new(),
        }
    }

    /// The view without these ranges, which are in order. `None` when there are none.
    fn without(&self, ranges: &[Range<usize>]) -> Option<View> {
        if ranges.is_empty() {
            return None;
        }
        let mut view = View::like(self);
        let mut kept = 0;
        for range in ranges {
            view.keep(self, kept..range.start);
            view.seams.push(view.bytes.len());
            kept = range.end;
        }
        view.keep(self, kept..self.bytes.len());
        Some(view)
    }

    /// Where something of the source was left out, in order.
    pub fn seams(&self) -> &[usize] {
        &self.seams
    }

    /// A range of the view, apart where something of the source was left out inside of it.
    pub fn parts(&self, range: &Range<usize>) -> Vec<Range<usize>> {
        let mut parts = Vec::new();
        let mut start = range.start;
        let first = self.seams.partition_point(|seam| *seam <= range.start);
        for &seam in self.seams[first..].iter().take_while(|seam| **seam < range.end) {
            parts.push(start..seam);
            start = seam;
        }
        parts.push(start..range.end);
        parts
    }

    /// The bytes of the view.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The ranges of the view whose bytes stand in the source as they are, each with its place there.
    ///
    /// They are in order. No two of them follow each other in the view and in the source.
    pub fn standing(&self) -> impl Iterator<Item = (Range<usize>, usize)> {
        let ends = self.pieces.iter().skip(1).map(|next| next.start as usize);
        let pieces = self.pieces.iter().zip(ends.chain([self.bytes.len()]));
        pieces
            .filter(|(piece, _)| piece.length == 0)
            .map(|(piece, end)| (piece.start as usize..end, piece.source as usize))
    }

    /// The places between two bytes of the view that are no neighbours in the source, in order.
    ///
    /// Its start and its end are such places.
    pub fn borders(&self) -> impl Iterator<Item = usize> {
        self.pieces.iter().map(|piece| piece.start as usize).chain([self.bytes.len()])
    }

    /// The source bytes behind a range of the view.
    pub fn source(&self, range: &Range<usize>) -> Range<usize> {
        let start = self.origin(range.start).map_or(0, |origin| origin.start);
        let last = range.end.checked_sub(1).and_then(|last| self.origin(last));
        start..last.map_or(start, |origin| origin.end)
    }

    /// The source bytes behind the byte at `at`, if there is one.
    fn origin(&self, at: usize) -> Option<Range<usize>> {
        let index = self.piece_at(at).filter(|_| at < self.bytes.len())?;
        self.pieces.get(index).map(|piece| piece.origin(at))
    }

    /// The piece that holds the byte at `at`.
    fn piece_at(&self, at: usize) -> Option<usize> {
        self.pieces.partition_point(|piece| piece.start as usize <= at).checked_sub(1)
    }

    /// The source bytes behind a range of the view, apart where a line of `text` ends between them.
    pub fn source_parts(&self, text: &[u8], range: &Range<usize>) -> Vec<Range<usize>> {
        let whole = self.source(range);
        if memchr::memchr(b'\n', text.get(whole.clone()).unwrap_or_default()).is_none() {
            return vec![whole];
        }
        let mut parts: Vec<Range<usize>> = Vec::new();
        for origin in range.clone().map_while(|at| self.origin(at)) {
            match parts.last_mut() {
                Some(last) if !text[last.end.min(origin.start)..origin.start].contains(&b'\n') => {
                    last.end = last.end.max(origin.end);
                }
                _ => parts.push(origin),
            }
        }
        parts
    }

    /// Appends the bytes of `source` in `range` as they are.
    fn keep(&mut self, source: &View, range: Range<usize>) {
        let Some(first) = source.piece_at(range.start).filter(|_| !range.is_empty()) else {
            return;
        };
        for piece in &source.pieces[first..] {
            let start = (piece.start as usize).max(range.start);
            if start >= range.end {
                break;
            }
            let place = self.bytes.len() + (start - range.start);
            self.stand(Piece {
                start: place as u32,
                source: piece.origin(start).start as u32,
                length: piece.length,
            });
        }
        self.bytes.extend_from_slice(&source.bytes[range]);
    }

    /// Adds a piece, which may only go on with the last one.
    fn stand(&mut self, piece: Piece) {
        let goes_on = |last: &Piece| {
            last.length == 0
                && piece.length == 0
                && piece.source.wrapping_sub(last.source) == piece.start - last.start
        };
        if !self.pieces.last().is_some_and(goes_on) {
            self.pieces.push(piece);
        }
    }

    /// Appends `byte`, which stands for a range of `source`.
    fn put(&mut self, byte: u8, source: &View, range: Range<usize>) {
        let origin = source.source(&range);
        let start = self.bytes.len() as u32;
        let length = origin.len().max(1) as u32;
        self.stand(Piece { start, source: origin.start as u32, length });
        self.bytes.push(byte);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_knows_what_it_stands_for_after_several_changes() {
        let view = View::of(b"0123456789abcdef");
        // Two bytes become one, three are left out, and one of those that became is kept.
        let mut once = View::like(&view);
        once.keep(&view, 0..4);
        once.put(b'X', &view, 4..6);
        once.put(b'Y', &view, 6..8);
        once.keep(&view, 8..16);
        let twice = once.without(&[1..3, 7..9]);
        let twice = twice.unwrap_or_else(|| View::of(b""));
        assert_eq!(twice.bytes(), b"03XY8bcdef");
        let origins: Vec<_> = (0..twice.bytes().len()).filter_map(|at| twice.origin(at)).collect();
        let first = [0..1, 3..4, 4..6, 6..8, 8..9, 11..12];
        assert_eq!(origins[..6], first);
        assert_eq!(origins[9], 15..16);
        assert_eq!(twice.source(&(1..4)), 3..8);
        let standing: Vec<_> = twice.standing().collect();
        assert_eq!(standing, [(0..1, 0), (1..2, 3), (4..5, 8), (5..10, 11)]);
    }

    #[test]
    fn what_was_kept_in_parts_stands_as_one() {
        let view = View::of(b"abcdef");
        let mut copy = View::like(&view);
        copy.keep(&view, 0..2);
        copy.keep(&view, 2..6);
        assert_eq!(copy.standing().collect::<Vec<_>>(), [(0..6, 0)]);
    }
}
