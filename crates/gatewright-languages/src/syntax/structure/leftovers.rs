//! What symbol calls leave to do: text that belongs to no definition, line by line.

use gatewright_model::{Intent, ReadyCall};
use imara_diff::{Algorithm, Diff, InternedInput};

use super::calls::{is_same_but_for_blanks, text_edit};
use super::{Request, Versions, problems_of};
use crate::syntax::parsed::Parsed;

/// How many lines around a change may help to name its place.
const CONTEXT: usize = 4;
/// More changes than this are no leftovers.
const MOST: usize = 12;

/// The text edits that turn `now` into the result; `None` when the gate would refuse one.
pub(super) fn calls(versions: &Versions<'_>, now: &Parsed) -> Option<Vec<ReadyCall>> {
    let wanted = versions.after.source();
    let mut calls = Vec::new();
    let mut text = String::from_utf8(now.source().to_vec()).ok()?;
    let wanted_text = std::str::from_utf8(wanted).ok()?;
    while !is_same_but_for_blanks(text.as_bytes(), wanted) {
        if calls.len() == MOST {
            return None;
        }
        let (old, new) = first_change(&text, wanted_text)?;
        let after = text.replacen(&old, &new, 1);
        if !passes(versions, &text, &after, &old, &new) {
            return None;
        }
        calls.push(ReadyCall::Text { path: versions.path.to_owned(), old, new });
        text = after;
    }
    Some(calls)
}

fn passes(versions: &Versions<'_>, before: &str, after: &str, old: &str, new: &str) -> bool {
    let language = versions.before.language();
    let Ok(before) = Parsed::new(language, before.as_bytes()) else { return false };
    let Ok(after) = before.version(after.as_bytes()) else { return false };
    let step = Versions { path: versions.path, before, after };
    let Intent::Edit(edits) = Intent::Edit(vec![text_edit(old, new)]) else { return false };
    problems_of(&step, &Request::Edits(&edits)).is_empty()
}

/// The first stretch of lines that differs in more than blank lines, with enough lines around it
/// to stand only once.
fn first_change(now: &str, wanted: &str) -> Option<(String, String)> {
    let input = InternedInput::new(now.as_bytes(), wanted.as_bytes());
    let mut diff = Diff::compute(Algorithm::Histogram, &input);
    diff.postprocess_lines(&input);
    let (old_lines, new_lines) = (lines(now), lines(wanted));
    diff.hunks().find_map(|hunk| {
        let old = (hunk.before.start as usize, hunk.before.end as usize);
        let new = (hunk.after.start as usize, hunk.after.end as usize);
        let (old_text, new_text) =
            (old_lines[old.0..old.1].concat(), new_lines[new.0..new.1].concat());
        if is_same_but_for_blanks(old_text.as_bytes(), new_text.as_bytes()) {
            return None;
        }
        named(now, (&old_lines, old), &new_text)
    })
}

fn named(
    now: &str,
    (lines, (start, end)): (&[&str], (usize, usize)),
    new: &str,
) -> Option<(String, String)> {
    let contexts = (0..=CONTEXT).flat_map(|above| (0..=CONTEXT).map(move |below| (above, below)));
    let mut contexts: Vec<(usize, usize)> = contexts.collect();
    contexts.sort_by_key(|(above, below)| above + below);
    contexts.into_iter().find_map(|(above, below)| {
        let from = start.checked_sub(above)?;
        let to = end + below;
        let old = lines.get(from..to)?.concat();
        let is_named = !old.trim().is_empty() && now.matches(old.as_str()).count() == 1;
        let text = || format!("{}{new}{}", lines[from..start].concat(), lines[end..to].concat());
        is_named.then(|| (old.clone(), text()))
    })
}

fn lines(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
}
