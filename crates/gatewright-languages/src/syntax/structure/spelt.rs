//! Line breaks that are spelt out: `\n` as two characters where a line should end.
//!
//! An agent that escapes once too often sends them. Written as they are they break the file;
//! nothing here guesses whether they were meant, it only says so and offers the same edit with
//! line breaks. What breaks nothing, as in a string or a comment, is left alone.

use gatewright_model::{EditShape, ReadyCall, Structural, StructureProblem, TextEdit};

use super::aftermath::has_new_errors;
use super::regions::Regions;
use super::{Request, Versions, answered, problems_of};

/// The problem with the calls to make, where the edits break the syntax and would not with line
/// breaks.
pub(super) fn answer(
    versions: &Versions<'_>,
    edits: &[TextEdit],
) -> Option<(Vec<StructureProblem>, Vec<ReadyCall>)> {
    if !edits.iter().any(|edit| edit.new.contains("\\n")) || !has_new_errors(versions) {
        return None;
    }
    let meant: Vec<TextEdit> = edits.iter().map(broken).collect();
    let text = applied(versions.before.source(), &meant)?;
    let broken = Versions {
        path: versions.path,
        before: versions.before.clone(),
        after: versions.before.version(text.as_bytes()).ok()?,
    };
    if has_new_errors(&broken) {
        return None;
    }
    let (structural, mut calls) = answered(&broken, problems_of(&broken, &Request::Edits(&meant)));
    if calls.is_empty() {
        let path = || versions.path.to_owned();
        let call = |edit: TextEdit| ReadyCall::Text { path: path(), old: edit.old, new: edit.new };
        calls = meant.into_iter().map(call).collect();
    }
    let first = Regions::of_edits(versions, edits).list.into_iter().next();
    let line = first.map(|region| versions.before.lines().line(region.base.start) as u32);
    let own = structural.into_iter().next();
    let problem = StructureProblem {
        found: Structural::SpeltLineBreaks,
        line,
        symbol: own.as_ref().and_then(|problem| problem.symbol.clone()),
        shape: own.as_ref().map_or(EditShape::Replace, |problem| problem.shape),
        call: own.and_then(|problem| problem.call),
    };
    Some((vec![problem], calls))
}

fn broken(edit: &TextEdit) -> TextEdit {
    let new = edit.new.replace("\\r\\n", "\n").replace("\\n", "\n");
    TextEdit { old: edit.old.clone(), new, replace_all: edit.replace_all }
}

/// The text with the edits made; `None` where one of them has no place, or several.
fn applied(source: &[u8], edits: &[TextEdit]) -> Option<String> {
    let mut text = std::str::from_utf8(source).ok()?.to_owned();
    for edit in edits {
        if edit.old.is_empty() || text.matches(&edit.old).count() != 1 {
            return None;
        }
        text = text.replacen(&edit.old, &edit.new_in(text.as_bytes()), 1);
    }
    Some(text)
}
