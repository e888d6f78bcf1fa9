//! Placeholders that come back: an agent edits a file that it saw redacted.
//!
//! The agent saw the redacted view of a file and answers with texts that contain
//! placeholders. Each placeholder of `old_string` stands for the bytes that were
//! hidden at the place where `old_string` matches the view, and those of
//! `new_string` for the same bytes again, in order and by kind. Nothing is
//! guessed: what does not match exactly one place, or names a value that the old
//! text does not hold, is an error, so a secret is never shown, never lost and
//! never overwritten with its placeholder.

use std::ops::Range;

use super::kind::Kind;
use super::redactor::{Redaction, Redactor};

/// The true texts behind an edit that was made on a redacted view.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Restored {
    /// What to look for in the file.
    pub old_string: String,
    /// What to put there.
    pub new_string: String,
    /// Where `old_string` stands in the file, in bytes.
    pub range: Range<usize>,
}

/// Why an edit with placeholders cannot be carried over to the true file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RestoreError {
    /// The old text is not in the redacted view.
    #[error("old_string does not occur in the file as it was shown")]
    NotFound,
    /// The old text is in the redacted view more than once.
    #[error("old_string occurs {count} times in the file as it was shown; add lines around it")]
    Ambiguous {
        /// How often.
        count: usize,
    },
    /// The old text starts or ends inside a placeholder.
    #[error("old_string cuts through {placeholder}; take the placeholder in whole or leave it out")]
    CutPlaceholder {
        /// The placeholder.
        placeholder: &'static str,
    },
    /// The new text has a placeholder that the old text has not.
    #[error(
        "new_string contains {placeholder} with no hidden value of that kind left in old_string"
    )]
    Unmatched {
        /// The placeholder.
        placeholder: &'static str,
    },
    /// Two hidden values of a kind stand in the old text, and one is kept: which is not known.
    #[error(
        "old_string hides {count} values behind {placeholder} and new_string keeps another number; edit them one at a time"
    )]
    WhichOne {
        /// The placeholder.
        placeholder: &'static str,
        /// How many values it hides in the old text.
        count: usize,
    },
}

/// A file beside its redacted view.
#[derive(Debug, Clone)]
pub struct RedactedFile {
    file: String,
    view: String,
    /// Where each hidden value stands, in the view and in the file.
    hidden: Vec<Hidden>,
}

#[derive(Debug, Clone)]
struct Hidden {
    view: Range<usize>,
    file: Range<usize>,
    kind: Kind,
}

impl RedactedFile {
    /// The file as an agent sees it.
    pub fn new(redactor: &Redactor, file: &str) -> RedactedFile {
        let redacted = redactor.redact(file);
        RedactedFile::from_redactions(file, redacted.text, &redacted.redactions)
    }

    fn from_redactions(file: &str, view: String, redactions: &[Redaction]) -> RedactedFile {
        let mut hidden = Vec::with_capacity(redactions.len());
        let mut shift = 0isize;
        for redaction in redactions {
            let start = redaction.start.saturating_add_signed(shift);
            let end = start + redaction.kind.placeholder().len();
            hidden.push(Hidden { view: start..end, file: redaction.range(), kind: redaction.kind });
            shift += (end - start) as isize - redaction.range().len() as isize;
        }
        RedactedFile { file: file.to_owned(), view, hidden }
    }

    /// The redacted view.
    pub fn view(&self) -> &str {
        &self.view
    }

    pub(super) fn file(&self) -> &str {
        &self.file
    }

    /// Where each hidden value stands in the file, and what it is.
    pub(super) fn hidden(&self) -> impl Iterator<Item = (Kind, &Range<usize>)> {
        self.hidden.iter().map(|one| (one.kind, &one.file))
    }

    /// The true texts behind an edit of the view.
    pub fn restore(&self, old_string: &str, new_string: &str) -> Result<Restored, RestoreError> {
        self.restore_at(self.place_of(old_string)?, new_string)
    }

    /// The same for a text whose place in the view, in bytes, is known.
    ///
    /// # Panics
    ///
    /// Panics if `place` is not a range of the view or cuts a character.
    pub fn restore_at(
        &self,
        place: Range<usize>,
        new_string: &str,
    ) -> Result<Restored, RestoreError> {
        let cut = self.hidden.iter().find(|one| {
            let touches = one.view.start < place.end && place.start < one.view.end;
            touches && (one.view.start < place.start || place.end < one.view.end)
        });
        if let Some(cut) = cut {
            return Err(RestoreError::CutPlaceholder { placeholder: cut.kind.placeholder() });
        }
        let range = self.file_offset(place.start)..self.file_offset(place.end);
        let new_string = fill(new_string, &self.slots(&place), Matching::InOrder)?;
        Ok(Restored { old_string: self.file[range.clone()].to_owned(), new_string, range })
    }

    /// The whole file behind a whole view that an agent sends back, or behind the true
    /// file with a part of it changed, where the placeholders of that part stand for what was
    /// hidden in the part before.
    ///
    /// A placeholder that was not shown is refused; one that is gone takes its value along.
    pub fn restore_whole(&self, new_view: &str) -> Result<String, RestoreError> {
        let (old, new) = self.changed_lines(new_view);
        let slots = self.slots(&self.view_range(&old));
        if slots.is_empty() {
            let everywhere = self.slots(&(0..self.view.len()));
            return fill(new_view, &everywhere, Matching::ByLineStart);
        }
        let part = &new_view[new.clone()];
        let part = fill(part, &open_slots(slots, part), Matching::InOrder)?;
        Ok([&new_view[..new.start], &part, &new_view[new.end..]].concat())
    }

    /// The lines in which the file and `new_view` differ, in either, hidden values in whole.
    fn changed_lines(&self, new_view: &str) -> (Range<usize>, Range<usize>) {
        let file = self.file.as_str();
        let (one, two) = (file.as_bytes(), new_view.as_bytes());
        let same = one.iter().zip(two).take_while(|(one, two)| one == two).count();
        let rest = one[same..].iter().rev().zip(two[same..].iter().rev());
        let alike = rest.take_while(|(one, two)| one == two).count();
        let newline = file.as_bytes()[file.len() - alike..].iter().position(|byte| *byte == b'\n');
        let mut start = line_start(file, same);
        let mut end = newline.map_or(file.len(), |at| file.len() - alike + at + 1);
        for one in self.hidden.iter().rev().map(|one| &one.file) {
            if one.start < start && start < one.end {
                start = line_start(file, one.start);
            }
        }
        for one in self.hidden.iter().map(|one| &one.file) {
            if one.start < end && end < one.end {
                end = one.end;
            }
        }
        (start..end, start..new_view.len() - (file.len() - end))
    }

    /// Where a range of the file that cuts no hidden value stands in the view.
    fn view_range(&self, range: &Range<usize>) -> Range<usize> {
        let view_offset = |at: usize| {
            let before = self.hidden.partition_point(|one| one.file.end <= at);
            match before.checked_sub(1).and_then(|index| self.hidden.get(index)) {
                Some(one) => one.view.end + (at - one.file.end),
                None => at,
            }
        };
        view_offset(range.start)..view_offset(range.end)
    }

    fn place_of(&self, old_string: &str) -> Result<Range<usize>, RestoreError> {
        let places = overlapping_matches(&self.view, old_string);
        match places.as_slice() {
            [] => Err(RestoreError::NotFound),
            [start] => Ok(*start..*start + old_string.len()),
            many => Err(RestoreError::Ambiguous { count: many.len() }),
        }
    }

    fn file_offset(&self, at: usize) -> usize {
        let before = self.hidden.partition_point(|one| one.view.end <= at);
        match before.checked_sub(1).and_then(|index| self.hidden.get(index)) {
            Some(one) => one.file.end + (at - one.view.end),
            None => at,
        }
    }

    /// The placeholders within `place` of the view, each with what it stands for.
    ///
    /// One that stands literally in the file hides nothing and stands for itself.
    /// The key of a slot is what the agent quoted of its line, never more: the
    /// keys of the new text have no more either.
    fn slots(&self, place: &Range<usize>) -> Vec<Slot<'_>> {
        let quoted = &self.view[place.clone()];
        placeholders(quoted)
            .into_iter()
            .map(|(range, kind)| {
                let at = place.start + range.start;
                let hidden = self.hidden.binary_search_by_key(&at, |one| one.view.start).ok();
                let hidden = hidden.and_then(|index| self.hidden.get(index));
                Slot {
                    kind,
                    key: key_before(quoted, range.start),
                    value: hidden.map_or(kind.placeholder(), |one| &self.file[one.file.clone()]),
                    lines: hidden.map(|one| lines_around(&self.file, &one.file)),
                }
            })
            .collect()
    }
}

/// How the placeholders of a new text find their values.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Matching {
    /// By the starts of their lines, and else by their order: the new text stands for the old.
    InOrder,
    /// By the starts of their lines: the new text stands beside the old.
    ByLineStart,
}

/// `text` with each placeholder replaced by the value that it stands for.
fn fill(text: &str, old: &[Slot<'_>], matching: Matching) -> Result<String, RestoreError> {
    let new = placeholders(text);
    let mut output = String::with_capacity(text.len());
    let mut from = 0;
    for (index, (range, kind)) in new.iter().enumerate() {
        let peers: Vec<&Slot<'_>> = old.iter().filter(|slot| slot.kind == *kind).collect();
        let keys: Vec<&str> = new
            .iter()
            .filter(|one| one.1 == *kind)
            .map(|one| key_before(text, one.0.start))
            .collect();
        let order = new[..index].iter().filter(|one| one.1 == *kind).count();
        output.push_str(&text[from..range.start]);
        output.push_str(choose(&peers, &keys, (order, matching), *kind)?);
        from = range.end;
    }
    output.push_str(&text[from..]);
    Ok(output)
}

/// A placeholder of the old text and what it stands for.
struct Slot<'a> {
    kind: Kind,
    key: &'a str,
    value: &'a str,
    /// The true lines of what is hidden; `None` where nothing is.
    lines: Option<&'a str>,
}

/// The slots that the placeholders of `part` may stand for.
///
/// A value whose true lines stand in `part` has no placeholder there. That is believed only where
/// as many placeholders are missing: a short value may stand in other lines by chance.
fn open_slots<'a>(slots: Vec<Slot<'a>>, part: &str) -> Vec<Slot<'a>> {
    let shown = placeholders(part);
    let is_shown = |slot: &Slot<'_>| slot.lines.is_some_and(|lines| has_lines(part, lines));
    let is_believed = |kind: Kind| {
        let of_kind = slots.iter().filter(|slot| slot.kind == kind);
        let open = of_kind.filter(|slot| !is_shown(slot)).count();
        open == shown.iter().filter(|one| one.1 == kind).count()
    };
    let believed: Vec<bool> =
        slots.iter().map(|slot| is_shown(slot) && is_believed(slot.kind)).collect();
    slots.into_iter().zip(believed).filter(|(_, shown)| !shown).map(|(slot, _)| slot).collect()
}

/// The value behind the placeholder number `order` of a kind.
///
/// `keys` are the line starts before the new placeholders of that kind. Where
/// they name the old ones uniquely they decide, so that lines may move; else the
/// order decides, unless a line start contradicts it.
fn choose<'a>(
    peers: &[&Slot<'a>],
    keys: &[&str],
    (order, matching): (usize, Matching),
    kind: Kind,
) -> Result<&'a str, RestoreError> {
    let placeholder = kind.placeholder();
    let Some(first) = peers.first() else { return Err(RestoreError::Unmatched { placeholder }) };
    if peers.iter().all(|slot| slot.value == first.value) {
        return Ok(first.value);
    }
    let places = |key: &str| -> Vec<usize> {
        peers
            .iter()
            .enumerate()
            .filter(|(_, slot)| slot.key == key)
            .map(|(index, _)| index)
            .collect()
    };
    if let [only] = places(keys[order]).as_slice() {
        return Ok(peers[*only].value);
    }
    let contradicts = keys.iter().enumerate().any(|(index, key)| {
        let places = places(key);
        !places.is_empty() && !places.contains(&index)
    });
    match peers.get(order) {
        Some(slot)
            if matching == Matching::InOrder && keys.len() == peers.len() && !contradicts =>
        {
            Ok(slot.value)
        }
        Some(_) => Err(RestoreError::WhichOne { placeholder, count: peers.len() }),
        None => Err(RestoreError::Unmatched { placeholder }),
    }
}

/// The text before `at` on its line, without blanks around it.
fn key_before(text: &str, at: usize) -> &str {
    text[line_start(text, at)..at].trim()
}

/// Whether `lines` stand in `text` as whole lines.
fn has_lines(text: &str, lines: &str) -> bool {
    text.match_indices(lines).any(|(at, _)| {
        let (before, behind) = (&text[..at], &text[at + lines.len()..]);
        let is_start = before.is_empty() || before.ends_with('\n');
        is_start && (behind.is_empty() || behind.starts_with('\n'))
    })
}

/// The whole lines in which a range of `text` stands.
fn lines_around<'a>(text: &'a str, range: &Range<usize>) -> &'a str {
    let end = text[range.end..].find('\n').map_or(text.len(), |at| range.end + at);
    &text[line_start(text, range.start)..end]
}

fn line_start(text: &str, at: usize) -> usize {
    text.as_bytes()[..at].iter().rposition(|byte| *byte == b'\n').map_or(0, |newline| newline + 1)
}

/// The placeholders of `text`, in order.
fn placeholders(text: &str) -> Vec<(Range<usize>, Kind)> {
    let mut found = Vec::new();
    for (start, _) in text.match_indices("[REDACTED:") {
        let kind = Kind::ALL.into_iter().find(|kind| text[start..].starts_with(kind.placeholder()));
        if let Some(kind) = kind {
            found.push((start..start + kind.placeholder().len(), kind));
        }
    }
    found
}

/// Every place where `needle` starts in `text`, overlaps included.
pub(super) fn overlapping_matches(text: &str, needle: &str) -> Vec<usize> {
    let mut places = Vec::new();
    let mut from = 0;
    while !needle.is_empty()
        && let Some(at) = text[from..].find(needle)
    {
        places.push(from + at);
        let step = text[from + at..].chars().next().map_or(1, char::len_utf8);
        from += at + step;
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_shown_where_its_lines_stand_in_whole() {
        for (text, is_shown) in
            [("a=1", true), ("x\na=1\ny", true), ("ba=1", false), ("a=12", false)]
        {
            assert_eq!(has_lines(text, "a=1"), is_shown, "{text:?}");
        }
    }
}
