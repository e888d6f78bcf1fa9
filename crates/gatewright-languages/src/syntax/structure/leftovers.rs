//! What symbol calls leave to do: text that belongs to no definition, line by line.

use gatewright_model::{EditShape, ReadyCall, SymbolCall, TextEdit};
use imara_diff::{Algorithm, Diff, Hunk, InternedInput};

use super::calls::{is_same_but_for_blanks, number, text_edit, try_call};
use super::{Request, Versions, problems_of};
use crate::syntax::parsed::Parsed;

/// How many lines around a change may help to name its place.
const CONTEXT: usize = 4;
/// More changes than this are no leftovers.
const MOST: usize = 12;
/// How many ways to name a place are tried.
const TRIES: usize = 10;

/// The text edits that turn `now` into the result; `None` when the gate would refuse one.
pub(super) fn calls(versions: &Versions<'_>, now: &Parsed) -> Option<Vec<ReadyCall>> {
    let wanted = versions.after.source();
    let mut calls = Vec::new();
    let mut text = String::from_utf8(now.source().to_vec()).ok()?;
    let mut batch = Batch { base: text.clone(), edits: Vec::new() };
    let wanted_text = std::str::from_utf8(wanted).ok()?;
    while !is_same_but_for_blanks(text.as_bytes(), wanted) {
        if calls.len() == MOST {
            return None;
        }
        let found = ways_to_change(&text, wanted_text).into_iter().take(TRIES);
        let way = found
            .map(|(old, new)| (text.replacen(&old, &new, 1), old, new))
            .find(|(after, old, new)| batch.passes_with(versions, after, text_edit(old, new)));
        let (call, after) = match way {
            Some((after, old, new)) => {
                batch.edits.push(text_edit(&old, &new));
                (ReadyCall::Text { path: versions.path.to_owned(), old, new }, after)
            }
            None => {
                let (call, after) = beside_a_symbol(versions, &text, wanted_text)?;
                batch = Batch { base: after.clone(), edits: Vec::new() };
                (call, after)
            }
        };
        calls.push(call);
        text = after;
    }
    Some(calls)
}

/// Text edits that follow each other, and are judged together.
struct Batch {
    base: String,
    edits: Vec<TextEdit>,
}

impl Batch {
    /// Whether the gate lets one more edit pass, which makes `after`.
    fn passes_with(&self, versions: &Versions<'_>, after: &str, edit: TextEdit) -> bool {
        let language = versions.before.language();
        let Ok(before) = Parsed::new(language, self.base.as_bytes()) else { return false };
        let Ok(after) = before.version(after.as_bytes()) else { return false };
        let step = Versions { path: versions.path, before, after };
        let mut edits = self.edits.clone();
        edits.push(edit);
        problems_of(&step, &Request::Edits(&edits)).is_empty()
    }
}

/// Puts lines that only come, and whose place no text names, beside the definition next to them.
fn beside_a_symbol(
    versions: &Versions<'_>,
    now: &str,
    wanted: &str,
) -> Option<(ReadyCall, String)> {
    let hunk = first_change(now, wanted)?;
    let (old, new) = (Lines::of(now), Lines::of(wanted));
    if !hunk.before.is_empty() {
        return None;
    }
    let body = new.text(hunk.after.start as usize, hunk.after.end as usize);
    let (above, below) = old.gap(hunk.before.start as usize);
    let expected = format!("{}{body}{}", old.all[..above].concat(), old.all[above..].concat());
    let parsed = Parsed::new(versions.before.language(), now.as_bytes()).ok()?;
    let line = |offset: usize| parsed.lines().line(offset);
    parsed.outline().iter().find_map(|symbol| {
        let position = match () {
            () if line(symbol.full.end.saturating_sub(1)) == above => "after",
            () if line(symbol.full.start) == below + 1 => "before",
            () => return None,
        };
        let call = SymbolCall {
            symbol: symbol.path.clone(),
            overload: number(&parsed, symbol),
            path: versions.path.to_owned(),
            action: EditShape::Insert,
            position: Some(position.to_owned()),
            whole: false,
            body: Some(body.clone()),
        };
        let made = try_call(&parsed, &call)?;
        let is_made = is_same_but_for_blanks(made.source(), expected.as_bytes());
        let text = String::from_utf8(made.source().to_vec()).ok()?;
        is_made.then_some((ReadyCall::Symbol(call), text))
    })
}

/// The first change that is more than blank lines, which are not counted.
fn first_change(now: &str, wanted: &str) -> Option<Hunk> {
    let (old, new) = (Lines::of(now).without_blanks(), Lines::of(wanted).without_blanks());
    let input = InternedInput::new(old.as_bytes(), new.as_bytes());
    let mut diff = Diff::compute(Algorithm::Histogram, &input);
    diff.postprocess_lines(&input);
    diff.hunks().next()
}

/// The ways to spell the first change that is more than blank lines, each with enough lines around
/// it to stand only once: those that leave the blank lines as they shall be before the others, and
/// the shortest first.
fn ways_to_change(now: &str, wanted: &str) -> Vec<(String, String)> {
    let (old, new) = (Lines::of(now), Lines::of(wanted));
    let Some(hunk) = first_change(now, wanted) else { return Vec::new() };
    let mut ways: Vec<(bool, usize, String, String)> = Vec::new();
    for place in places(&old, &new, &hunk) {
        let named = named(now, (&old.all, place.lines), &place.new);
        let ranked = named.into_iter().map(|(lines, old, new)| (!place.is_exact, lines, old, new));
        ways.extend(ranked);
    }
    ways.sort_by_key(|(is_loose, lines, _, _)| (*is_loose, *lines));
    ways.into_iter().map(|(_, _, old, new)| (old, new)).collect()
}

/// Where a change may be made, and with what.
struct Place {
    lines: (usize, usize),
    new: String,
    /// Whether the blank lines around it are then those of the wanted text.
    is_exact: bool,
}

/// The lines that go; where none does, both sides of the gap that others come into.
fn places(old: &Lines<'_>, new: &Lines<'_>, hunk: &Hunk) -> Vec<Place> {
    let (start, end) = (hunk.before.start as usize, hunk.before.end as usize);
    let (first, last) = (hunk.after.start as usize, hunk.after.end as usize);
    let added = new.text(first, last);
    if start < end {
        let (from, to) = (old.full[start], old.full[end - 1] + 1);
        // What goes takes along the blank lines that would be too many.
        let kept = if first == last { new.blanks_before(first).len() } else { usize::MAX };
        let (over, under) = (old.blanks_before(start).len(), old.blanks_before(end).len());
        let surplus = (over + under).saturating_sub(kept);
        let lines = (from - surplus.saturating_sub(under), to + surplus.min(under));
        return vec![Place { lines, new: added, is_exact: true }];
    }
    let (above, below) = old.gap(start);
    let gap = below - above;
    let (blanks_above, blanks_below) = (new.blanks_before(first), new.blanks_before(last));
    let place = |at: usize, blanks: Option<(&[&str], &[&str])>| Place {
        lines: (at, at),
        new: blanks.map_or(added.clone(), |(over, under)| {
            format!("{}{added}{}", over.concat(), under.concat())
        }),
        is_exact: blanks.is_some(),
    };
    let left = |blanks: &[&str]| blanks.len().checked_sub(gap);
    let at_the_top = left(blanks_below).map(|left| (blanks_above, &blanks_below[..left]));
    let at_the_end = left(blanks_above).map(|left| (&blanks_above[..left], blanks_below));
    vec![place(above, at_the_top), place(below, at_the_end)]
}

/// The lines of a text, and which of them are not blank.
struct Lines<'a> {
    all: Vec<&'a str>,
    full: Vec<usize>,
}

impl<'a> Lines<'a> {
    fn of(text: &'a str) -> Self {
        let all: Vec<&str> = text.split_inclusive('\n').collect();
        let full = (0..all.len()).filter(|at| !all[*at].trim().is_empty()).collect();
        Self { all, full }
    }

    fn without_blanks(&self) -> String {
        self.full.iter().map(|at| format!("{}\n", self.all[*at].trim_end())).collect()
    }

    /// Some lines, counted without the blank ones, with the blank ones between them.
    fn text(&self, start: usize, end: usize) -> String {
        let lines = (start < end).then(|| &self.all[self.full[start]..=self.full[end - 1]]);
        lines.map(<[&str]>::concat).unwrap_or_default()
    }

    /// The blank lines before a line, which is counted without them.
    fn blanks_before(&self, start: usize) -> &[&'a str] {
        let (above, below) = self.gap(start);
        &self.all[above..below]
    }

    /// Where the gap before a line starts and ends, counted without and with the blank ones.
    fn gap(&self, start: usize) -> (usize, usize) {
        let above = start.checked_sub(1).map_or(0, |at| self.full[at] + 1);
        (above, self.full.get(start).copied().unwrap_or(self.all.len()))
    }
}

/// The ways to name one place, with the number of lines that each takes.
fn named(
    now: &str,
    (lines, (start, end)): (&[&str], (usize, usize)),
    new: &str,
) -> Vec<(usize, String, String)> {
    let contexts = (0..=CONTEXT).flat_map(|above| (0..=CONTEXT).map(move |below| (above, below)));
    let way = |(above, below): (usize, usize)| {
        let from = start.checked_sub(above)?;
        let to = end + below;
        let old = lines.get(from..to)?.concat();
        let is_named = !old.trim().is_empty() && now.matches(old.as_str()).count() == 1;
        let text = || format!("{}{new}{}", lines[from..start].concat(), lines[end..to].concat());
        is_named.then(|| (to - from, old.clone(), text()))
    };
    contexts.filter_map(way).collect()
}
