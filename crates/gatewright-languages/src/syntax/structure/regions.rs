//! Which stretches of the base a request replaces.
//!
//! Text edits are replayed in their order, so that each is seen in the text
//! that it met; its place is also known in the base. A patch, and edits that
//! do not replay to the result, are read from a line comparison instead.

use gatewright_model::{EditShape, ReplacedLines, Span, TextEdit};
use imara_diff::{Algorithm, Diff, InternedInput};

use super::Versions;
use super::calls::changed;
use super::cut::innermost;
use crate::syntax::parsed::Parsed;

/// One replaced stretch.
pub(super) struct Region {
    /// Where it stands in the base.
    pub(super) base: Span,
    /// The text that was replaced, as the request names it.
    pub(super) old: String,
    /// The text that comes there.
    pub(super) new: String,
    /// Whether the replaced text spans more than one line.
    pub(super) is_multiline: bool,
    /// The text and the place in it, where an earlier edit of the request had changed it.
    pub(super) met: Option<(Parsed, Span)>,
}

/// What a request replaces.
pub(super) struct Regions<'a> {
    pub(super) list: Vec<Region>,
    /// Edits whose old text is nowhere.
    pub(super) unlocated: Vec<&'a TextEdit>,
    /// How many edits there were, where one with `replace_all` counts once.
    pub(super) edits: usize,
}

impl Region {
    /// Whole lines of the base, with what comes there.
    fn of_lines(versions: &Versions<'_>, base: Span, new: String) -> Self {
        let old = versions.before.text(base);
        let is_multiline = is_multiline(&old);
        Self { base, old, new, is_multiline, met: None }
    }

    pub(super) fn shape(&self) -> EditShape {
        EditShape::of(&self.old, &self.new)
    }

    /// Whether old or new text spans more than one line.
    pub(super) fn reaches_over_lines(&self) -> bool {
        self.is_multiline || is_multiline(&self.new)
    }
}

/// Whether a text spans more than one line, however the lines end; a line end at its end does not
/// count.
pub(super) fn is_multiline(text: &str) -> bool {
    let text = text.strip_suffix('\n').unwrap_or(text);
    let text = text.strip_suffix('\r').unwrap_or(text);
    text.contains(['\n', '\r', '\u{2028}', '\u{2029}'])
}

/// A stretch that earlier edits changed, in the current text and in the base.
#[derive(Debug, Clone, Copy)]
struct Change {
    current: Span,
    base: Span,
}

struct Replay {
    text: Vec<u8>,
    changes: Vec<Change>,
}

impl<'a> Regions<'a> {
    /// The regions of text edits, which apply one after the other.
    pub(super) fn of_edits(versions: &Versions<'_>, edits: &'a [TextEdit]) -> Self {
        let mut replay = Replay { text: versions.before.source().to_vec(), changes: Vec::new() };
        let mut regions = Regions { list: Vec::new(), unlocated: Vec::new(), edits: edits.len() };
        for edit in edits {
            match locate(&replay.text, edit) {
                Some(located) => replay.apply(versions, &located, &mut regions.list),
                None if edit.old.is_empty() => {}
                None => regions.unlocated.push(edit),
            }
        }
        if replay.text != versions.after.source() {
            // The door did something else than the edits say: what really changed counts too.
            let lines = Regions::of_lines(versions);
            regions.list.extend(lines.list);
        }
        regions
    }

    /// The regions that a line comparison finds: changed lines only, no context.
    pub(super) fn of_lines(versions: &Versions<'_>) -> Regions<'static> {
        if let Some(region) = insertion(versions) {
            return Regions { list: vec![region], unlocated: Vec::new(), edits: 1 };
        }
        let (before, after) = (versions.before.source(), versions.after.source());
        let input = InternedInput::new(before, after);
        let mut diff = Diff::compute(Algorithm::Histogram, &input);
        diff.postprocess_lines(&input);
        let list: Vec<Region> = diff
            .hunks()
            .map(|hunk| {
                let base = lines_at(&versions.before, hunk.before.clone());
                let new = lines_at(&versions.after, hunk.after.clone());
                Region::of_lines(versions, base, versions.after.text(new))
            })
            .collect();
        Regions { edits: list.len(), list, unlocated: Vec::new() }
    }

    /// The regions that a patch spells: the lines that it takes out, those that it puts back
    /// unchanged among them, and not its context.
    pub(super) fn of_hunks(
        versions: &Versions<'_>,
        replaced: &[ReplacedLines],
    ) -> Regions<'static> {
        let region = |lines: &ReplacedLines| {
            let first = u32::try_from(lines.first).unwrap_or(u32::MAX);
            let count = u32::try_from(lines.count).unwrap_or(u32::MAX);
            let base = lines_at(&versions.before, first..first.saturating_add(count));
            Region::of_lines(versions, base, lines.new.clone())
        };
        let list: Vec<Region> = replaced.iter().map(region).collect();
        Regions { edits: list.len(), list, unlocated: Vec::new() }
    }
}

/// Lines that come in one stretch and take nothing out: above the definition that they stand in
/// where they may as well stand there, else as far down as they may.
///
/// A line comparison may find the lines of a function that is like the one before it in two
/// places, and so put the head of the one over the body of the other.
fn insertion(versions: &Versions<'_>) -> Option<Region> {
    let (before, after) = (versions.before.source(), versions.after.source());
    let changed = changed(versions);
    let length = after.len().checked_sub(before.len()).filter(|_| changed.is_empty())?;
    let line_at = |offset: usize| {
        memchr::memrchr(b'\n', &before[..offset]).map_or(0, |line_end| line_end + 1)
    };
    let around = innermost(&versions.before, Span::new(changed.start, changed.start));
    let places = around.map(|symbol| symbol.full.start).into_iter().chain([changed.start]);
    places.map(line_at).find_map(|line| {
        let new = Span::new(line, line + length);
        let is_whole =
            versions.after.bytes(new).ends_with(b"\n") && after[new.end..] == before[line..];
        let region = || Region::of_lines(versions, Span::new(line, line), versions.after.text(new));
        is_whole.then(region)
    })
}

/// The bytes of some lines, which are counted from 0.
fn lines_at(parsed: &Parsed, range: std::ops::Range<u32>) -> Span {
    let at = |index: u32| {
        let offset = parsed.lines().start(index as usize + 1);
        // The line after the last one starts at the end of the text.
        let is_behind = parsed.lines().line(offset) < index as usize + 1;
        if is_behind { parsed.source().len() } else { offset }
    };
    Span::new(at(range.start), at(range.end).max(at(range.start)))
}

/// An edit with its occurrences in the text that it met.
struct Located {
    old: String,
    new: String,
    places: Vec<Span>,
}

/// Finds the old text as it stands, with the file's line ends, or with its escapes resolved.
fn locate(text: &[u8], edit: &TextEdit) -> Option<Located> {
    if edit.old.is_empty() {
        return None;
    }
    let with_crlf = |text: &str| text.replace("\r\n", "\n").replace('\n', "\r\n");
    let (old, new) = (edit.old.clone(), edit.new_in(text));
    let (raw_old, raw_new) = (unescaped(&old), unescaped(&new));
    let spellings = [
        (old.clone(), new.clone()),
        (with_crlf(&old), with_crlf(&new)),
        (raw_old.clone(), raw_new.clone()),
        (with_crlf(&raw_old), with_crlf(&raw_new)),
        (broken(&old), broken(&new)),
        (with_crlf(&broken(&old)), with_crlf(&broken(&new))),
    ];
    spellings.into_iter().find_map(|(old, new)| {
        let finder = memchr::memmem::find_iter(text, old.as_bytes());
        let spans = finder.map(|start| Span::new(start, start + old.len()));
        let places: Vec<Span> =
            if edit.replace_all { spans.collect() } else { spans.take(1).collect() };
        (!places.is_empty()).then_some(Located { old, new, places })
    })
}

/// The text with line ends spelt out and every other escape as it is.
fn broken(text: &str) -> String {
    text.replace("\\r\\n", "\n").replace("\\n", "\n")
}

/// The text with `\n`, `\r`, `\t` and escaped quotes spelt out.
fn unescaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let resolved = match (c, chars.peek()) {
            ('\\', Some('n')) => Some('\n'),
            ('\\', Some('r')) => Some('\r'),
            ('\\', Some('t')) => Some('\t'),
            ('\\', Some(quote @ ('"' | '\'' | '\\'))) => Some(*quote),
            _ => None,
        };
        if resolved.is_some() {
            chars.next();
        }
        out.push(resolved.unwrap_or(c));
    }
    out
}

impl Replay {
    fn apply(&mut self, versions: &Versions<'_>, located: &Located, list: &mut Vec<Region>) {
        let is_multiline = is_multiline(&located.old);
        // From the last to the first, so that the places still to come stay valid.
        for place in located.places.iter().rev() {
            let touches_new = self.changes.iter().any(|change| change.current.overlaps(*place));
            let met = (touches_new && is_multiline)
                .then(|| Parsed::new(versions.before.language(), &self.text).ok())
                .flatten()
                .map(|parsed| (parsed, *place));
            list.push(Region {
                base: self.base_of(*place),
                old: located.old.clone(),
                new: located.new.clone(),
                is_multiline,
                met,
            });
            self.replace(*place, located.new.as_bytes());
        }
    }

    fn base_of(&self, place: Span) -> Span {
        let start = self.base_offset(place.start, |change| change.base.start);
        let end = self.base_offset(place.end, |change| change.base.end);
        Span::new(start, end.max(start))
    }

    fn base_offset(&self, offset: usize, inside: impl Fn(&Change) -> usize) -> usize {
        let mut base = offset;
        for change in &self.changes {
            if offset <= change.current.start {
                break;
            }
            if offset < change.current.end {
                return inside(change);
            }
            base = offset - change.current.end + change.base.end;
        }
        base
    }

    fn replace(&mut self, place: Span, new: &[u8]) {
        let base = self.base_of(place);
        let mut merged = Change { current: place, base };
        self.changes.retain(|change| {
            let touches = change.current.overlaps(place);
            if touches {
                merged.current.start = merged.current.start.min(change.current.start);
                merged.current.end = merged.current.end.max(change.current.end);
                merged.base.start = merged.base.start.min(change.base.start);
                merged.base.end = merged.base.end.max(change.base.end);
            }
            !touches
        });
        self.text.splice(place.range(), new.iter().copied());
        let shifted = |offset: usize| offset + new.len() - place.len();
        merged.current.end = shifted(merged.current.end);
        for change in &mut self.changes {
            if change.current.start >= place.end {
                change.current =
                    Span::new(shifted(change.current.start), shifted(change.current.end));
            }
        }
        let at = self.changes.partition_point(|change| change.current.start < merged.current.start);
        self.changes.insert(at, merged);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_resolve_once() {
        assert_eq!(unescaped(r"a\nb\tc\\n"), "a\nb\tc\\n");
    }

    #[test]
    fn a_line_end_at_the_end_is_one_line() {
        assert!(!is_multiline("fn a() {\n"));
        assert!(!is_multiline("fn a() {\r\n"));
        for text in ["fn a() {\n}", "fn a() {\r\n}", "fn a() {\r}", "function a() {\u{2028}}"] {
            assert!(is_multiline(text), "{text:?}");
        }
    }

    #[test]
    fn places_map_back_to_the_base_through_earlier_edits() {
        let mut replay = Replay { text: b"aaa bbb ccc".to_vec(), changes: Vec::new() };
        replay.replace(Span::new(4, 7), b"LONGER");
        assert_eq!(replay.text, b"aaa LONGER ccc");
        assert_eq!(replay.base_of(Span::new(11, 14)), Span::new(8, 11));
        assert_eq!(replay.base_of(Span::new(5, 6)), Span::new(4, 7));
        replay.replace(Span::new(0, 6), b"x");
        assert_eq!(replay.base_of(Span::new(1, 3)), Span::new(0, 7));
    }
}
