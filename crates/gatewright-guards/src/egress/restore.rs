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
        let place = self.place_of(old_string)?;
        let cut = self.hidden.iter().find(|one| {
            let touches = one.view.start < place.end && place.start < one.view.end;
            touches && (one.view.start < place.start || place.end < one.view.end)
        });
        if let Some(cut) = cut {
            return Err(RestoreError::CutPlaceholder { placeholder: cut.kind.placeholder() });
        }
        let range = self.file_offset(place.start)..self.file_offset(place.end);
        let new_string = self.fill(new_string, &place)?;
        Ok(Restored { old_string: self.file[range.clone()].to_owned(), new_string, range })
    }

    /// The whole file behind a whole view that an agent sends back.
    ///
    /// A placeholder that was not shown is refused; one that is gone takes its value along.
    pub fn restore_whole(&self, new_view: &str) -> Result<String, RestoreError> {
        self.fill(new_view, &(0..self.view.len()))
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

    /// `text` with each placeholder replaced by the value that it stands for.
    fn fill(&self, text: &str, place: &Range<usize>) -> Result<String, RestoreError> {
        let old = self.slots(place);
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
            output.push_str(choose(&peers, &keys, order, *kind)?);
            from = range.end;
        }
        output.push_str(&text[from..]);
        Ok(output)
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
                }
            })
            .collect()
    }
}

/// A placeholder of the old text and what it stands for.
struct Slot<'a> {
    kind: Kind,
    key: &'a str,
    value: &'a str,
}

/// The value behind the placeholder number `order` of a kind.
///
/// `keys` are the line starts before the new placeholders of that kind. Where
/// they name the old ones uniquely they decide, so that lines may move; else the
/// order decides, unless a line start contradicts it.
fn choose<'a>(
    peers: &[&Slot<'a>],
    keys: &[&str],
    order: usize,
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
        Some(slot) if keys.len() == peers.len() && !contradicts => Ok(slot.value),
        Some(_) => Err(RestoreError::WhichOne { placeholder, count: peers.len() }),
        None => Err(RestoreError::Unmatched { placeholder }),
    }
}

/// The text before `at` on its line, without blanks around it.
fn key_before(text: &str, at: usize) -> &str {
    let start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    text[start..at].trim()
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
