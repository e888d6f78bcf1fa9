//! Which calls a refusal offers instead of the edit.
//!
//! Mostly those that make what was asked for ([`calls`]). Where that cannot be
//! made, because it would not parse or because it leaves code out, the nearest
//! call that can: by the shape of the edit, on the definition that it touched.

use gatewright_model::{EditShape, ReadyCall, Span, Structural, StructureProblem, SymbolCall};

use super::aftermath::has_new_errors;
use super::calls::{self, own_text, replacement, try_call};
use super::levels::{Pairing, Step, steps};
use super::{Versions, elision, hollow};
use crate::syntax::parsed::Parsed;
use crate::syntax::symbol::Symbol;

/// The calls to make instead of an edit with these problems.
pub(super) fn calls(versions: &Versions<'_>, problems: &[StructureProblem]) -> Vec<ReadyCall> {
    if problems.is_empty() {
        return Vec::new();
    }
    let own: Vec<SymbolCall> = problems.iter().filter_map(|problem| problem.call.clone()).collect();
    if !own.is_empty() {
        return own.into_iter().map(ReadyCall::Symbol).collect();
    }
    let is_elided =
        problems.iter().any(|problem| matches!(problem.found, Structural::Elision { .. }));
    // What would be defined as it is already cannot be brought by any call.
    let is_double =
        problems.iter().any(|problem| matches!(problem.found, Structural::Redefinition));
    let mut offers = if is_double {
        Vec::new()
    } else if is_elided {
        without_elisions(versions)
    } else {
        // What would not parse cannot be made, and trying costs many parses of broken text.
        let planned = if has_new_errors(versions) { Vec::new() } else { calls::plan(versions) };
        if planned.is_empty() { nearest(versions, problems) } else { planned }
    };
    if offers.is_empty() {
        // Nothing is spelt out that could be made; what stands there is the next thing to know.
        let symbol = problems.iter().find_map(|problem| problem.symbol.clone());
        offers.push(ReadyCall::Read { path: versions.path.to_owned(), symbol });
    }
    offers
}

/// The definitions that a text with elisions spells out and changes or adds.
///
/// None where it does not parse: what is left of a class that ends in the middle stands in none,
/// and would come a second time.
fn without_elisions(versions: &Versions<'_>) -> Vec<ReadyCall> {
    if has_new_errors(versions) {
        return Vec::new();
    }
    let is_spelt_out = |new: &Symbol| {
        !elision::is_in(&versions.after, new.full) && !hollow::is_in(versions, new.full)
    };
    let steps = steps(&versions.before, &versions.after, Pairing::ByName);
    let mut calls = Vec::new();
    let mut now: Option<Parsed> = None;
    for step in steps {
        let is_meant = match &step {
            Step::Replace { old, new } => old.path == new.path && is_spelt_out(new),
            Step::Insert { new, .. } => is_spelt_out(new),
            Step::Remove { .. } => false,
        };
        if !is_meant {
            continue;
        }
        let before = now.as_ref().unwrap_or(&versions.before);
        let mut tried = calls::candidates(versions, before, &step).into_iter();
        let made = tried.find_map(|call| Some((try_call(before, &call)?, call)));
        if let Some((result, call)) = made {
            calls.push(ReadyCall::Symbol(call));
            now = Some(result);
        }
    }
    calls
}

/// A call that can be made on the definition that was touched.
fn nearest(versions: &Versions<'_>, problems: &[StructureProblem]) -> Vec<ReadyCall> {
    let Some(problem) = problems.first() else { return Vec::new() };
    let touched = versions.before.outline().iter().find(|symbol| {
        let path = problem.symbol.as_ref();
        path.is_some_and(|path| *path == symbol.path)
    });
    let mut offers = Vec::new();
    if problem.shape != EditShape::Remove {
        offers.extend(insertion(versions));
        offers.extend(touched.and_then(|symbol| with_result(versions, symbol)));
    }
    // To take out one of several is not what was asked for.
    let is_gone = match &problem.found {
        Structural::Vanish { definitions } => definitions.len() == 1,
        _ => problem.shape == EditShape::Remove,
    };
    // What only a broken text hides was not meant to go.
    let is_taken_out = |symbol: &&Symbol| calls::changed(versions).contains(symbol.name_span);
    // Nor was what is there as often as before, in another place.
    let count = |parsed: &Parsed, path: &str| {
        parsed.outline().iter().filter(|other| other.path == path).count()
    };
    let is_fewer = |symbol: &&Symbol| {
        count(&versions.after, &symbol.path) < count(&versions.before, &symbol.path)
    };
    let taken_out = touched.filter(|_| is_gone).filter(is_taken_out).filter(is_fewer);
    offers.extend(taken_out.map(|symbol| removal(versions, symbol)));
    let changes = |result: Parsed| result.source() != versions.before.source();
    let possible =
        offers.into_iter().find(|call| try_call(&versions.before, call).is_some_and(changes));
    possible.map(ReadyCall::Symbol).into_iter().collect()
}

/// Gives a symbol what the result has under its name, or in its place.
fn with_result(versions: &Versions<'_>, symbol: &Symbol) -> Option<SymbolCall> {
    let twin = versions
        .after
        .outline()
        .iter()
        .find(|other| other.path == symbol.path && other.overload == symbol.overload);
    let text = match twin {
        Some(twin) => Some(own_text(&versions.after, twin)),
        None => calls::text_in_place(versions, symbol.full),
    };
    text.map(|text| replacement(versions, symbol, text, false))
}

/// A call that takes `symbol` out.
fn removal(versions: &Versions<'_>, symbol: &Symbol) -> SymbolCall {
    let call = replacement(versions, symbol, String::new(), false);
    SymbolCall { action: EditShape::Remove, body: None, ..call }
}

/// A call that inserts the first definition that the result adds, beside one that the base has.
fn insertion(versions: &Versions<'_>) -> Option<SymbolCall> {
    let (before, after) = (versions.before.outline(), versions.after.outline());
    // What starts in the middle of a line is the rest of something that does not parse.
    let starts_a_line = |new: &Symbol| {
        let line_start = versions.after.lines().start(versions.after.lines().line(new.full.start));
        versions.after.bytes(Span::new(line_start, new.full.start)).trim_ascii().is_empty()
    };
    let is_new = |new: &Symbol| before.iter().all(|known| known.path != new.path);
    let new = after.iter().find(|new| new.structural && starts_a_line(new) && is_new(new))?;
    let known = |path: &str| before.iter().find(|known| known.path == path);
    let siblings = || after.iter().filter(|other| other.parent == new.parent);
    let above = siblings()
        .filter(|other| other.full.end <= new.full.start)
        .filter_map(|other| known(&other.path))
        .next_back();
    let below = siblings()
        .filter(|other| other.full.start >= new.full.end)
        .find_map(|other| known(&other.path));
    let (anchor, position) =
        above.map(|anchor| (anchor, "after")).or(below.map(|anchor| (anchor, "before")))?;
    let call = replacement(versions, anchor, own_text(&versions.after, new), false);
    Some(SymbolCall { action: EditShape::Insert, position: Some(position.to_owned()), ..call })
}
