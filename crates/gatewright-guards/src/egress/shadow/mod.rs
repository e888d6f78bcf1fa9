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
mod wrapped;

use std::ops::Range;

pub use apart::{gathered, is_apart, signs};
pub use assemble::{assembled, has_assembly, may_be_cut};
pub use decode::{SHORTEST_RUN, decoded, decoded_runs, promises_text};
pub use dump::{dumped, is_dump, may_become_dump};
pub use join::{
    concatenated, ends_with_statement, ends_with_string, going_on, has_bare_seam, is_part_of_token,
    may_become_part, starts_with_appended, starts_with_string, unwrapped, without_border,
};
pub use marks::strange_marks;
pub use markup::{has_marks, unmarked};
pub use plain::plain;
pub use wrapped::{wrapped_end, wrapped_runs};

/// A changed copy of a text, with the way back.
#[derive(Debug, Clone)]
pub struct View {
    bytes: Vec<u8>,
    /// For each byte the source range that it stands for.
    origins: Vec<(u32, u32)>,
    /// Where something of the source was left out between two bytes.
    seams: Vec<usize>,
}

impl View {
    /// The text itself.
    pub fn of(text: &[u8]) -> View {
        let origins = (0..text.len()).map(|at| (at as u32, at as u32 + 1)).collect();
        View { bytes: text.to_vec(), origins, seams: Vec::new() }
    }

    /// An empty view with room for as much as `source` has.
    fn like(source: &View) -> View {
        View {
            bytes: Vec::with_capacity(source.bytes.len()),
            origins: Vec::with_capacity(source.bytes.len()),
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

    /// The source bytes behind a range of the view.
    pub fn source(&self, range: &Range<usize>) -> Range<usize> {
        let start = self.origins.get(range.start).map_or(0, |origin| origin.0 as usize);
        let end = range.end.checked_sub(1).and_then(|last| self.origins.get(last));
        start..end.map_or(start, |origin| origin.1 as usize)
    }

    /// The source bytes behind a range of the view, apart where a line of `text` ends between them.
    pub fn source_parts(&self, text: &[u8], range: &Range<usize>) -> Vec<Range<usize>> {
        let whole = self.source(range);
        if memchr::memchr(b'\n', text.get(whole.clone()).unwrap_or_default()).is_none() {
            return vec![whole];
        }
        let mut parts: Vec<Range<usize>> = Vec::new();
        for &(start, end) in self.origins.get(range.clone()).unwrap_or_default() {
            let (start, end) = (start as usize, end as usize);
            match parts.last_mut() {
                Some(last) if !text[last.end.min(start)..start].contains(&b'\n') => {
                    last.end = last.end.max(end);
                }
                _ => parts.push(start..end),
            }
        }
        parts
    }

    /// Appends the bytes of `source` in `range` as they are.
    fn keep(&mut self, source: &View, range: Range<usize>) {
        self.bytes.extend_from_slice(&source.bytes[range.clone()]);
        self.origins.extend_from_slice(&source.origins[range]);
    }

    /// Appends `byte`, which stands for a range of `source`.
    fn put(&mut self, byte: u8, source: &View, range: Range<usize>) {
        let origin = source.source(&range);
        self.bytes.push(byte);
        self.origins.push((origin.start as u32, origin.end as u32));
    }
}
