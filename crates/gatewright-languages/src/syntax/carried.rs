//! The outline of an edited text, taken over from the text before where both trees are the same.
//!
//! A symbol is what its own node, the kinds of the nodes around it and the text
//! beside it make it. Where none of these differ it is carried over; where one
//! may, it is made anew, and where the two do not fit together, all are. The
//! result is the one that [`outline`](super::outline::outline) gives.

use gatewright_model::Span;

use super::outline::{number_overloads, symbols_in};
use super::parsed::Parsed;
use super::same_tree::{Difference, Splice, difference};
use super::symbol::Symbol;

/// The text that another one was made of, and how.
#[derive(Debug)]
pub(super) struct Origin {
    pub(super) before: Parsed,
    pub(super) splice: Splice,
}

/// Where a symbol of the old outline stands to the difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Before,
    /// It starts before the difference and holds some of it.
    Around,
    Inside,
    Behind,
}

/// The symbols of `after`; `None` where they have to be made anew.
pub(super) fn outline(after: &Parsed, origin: &Origin) -> Option<Vec<Symbol>> {
    let splice = origin.splice;
    let difference = difference(&origin.before, after, splice)?;
    let mut fresh = symbols_in(after, difference.new_around);
    let mut fresh_sides = Vec::with_capacity(fresh.len());
    for symbol in &fresh {
        fresh_sides.push(side(symbol, difference.new));
    }
    let old = origin.before.outline();
    if old.iter().any(|known| is_out_of_sight(known, &difference, splice)) {
        return None;
    }
    let mut symbols: Vec<Symbol> = Vec::with_capacity(old.len() + 8);
    // Where each symbol of the old and of the fresh ones has come to stand.
    let (mut old_places, mut fresh_places) = (vec![None; old.len()], vec![None; fresh.len()]);
    let mut around = (0..fresh.len()).filter(|index| fresh_sides[*index] == Side::Around);
    let upper = old.iter().enumerate().filter(|(_, symbol)| starts_before(symbol, difference.old));
    for (index, known) in upper {
        let place = symbols.len();
        old_places[index] = Some(place);
        let mut symbol = known.clone();
        if side(known, difference.old) == Side::Around {
            let number = around.next()?;
            fresh_places[number] = Some(place);
            symbol = joined(known, &fresh[number], &difference, splice)?;
        }
        symbol.parent = parent(known, &old_places)?;
        symbols.push(symbol);
    }
    if around.next().is_some() {
        return None;
    }
    for (index, symbol) in fresh.iter_mut().enumerate() {
        if fresh_sides[index] == Side::Inside {
            fresh_places[index] = Some(symbols.len());
            symbol.parent = parent(symbol, &fresh_places)?;
            symbols.push(symbol.clone());
        }
    }
    for (index, known) in old.iter().enumerate() {
        if side(known, difference.old) == Side::Behind {
            old_places[index] = Some(symbols.len());
            let parent = parent(known, &old_places)?;
            symbols.push(Symbol { parent, ..moved(known, splice)? });
        }
    }
    number_overloads(&mut symbols);
    Some(symbols)
}

fn side(symbol: &Symbol, difference: Span) -> Side {
    if symbol.code.end <= difference.start {
        Side::Before
    } else if symbol.code.start >= difference.end {
        Side::Behind
    } else if symbol.code.start < difference.start {
        Side::Around
    } else {
        Side::Inside
    }
}

/// Whether a symbol starts inside of the difference and has its name behind all that is looked at
/// anew: what it owns above, an attribute say, was spliced right at its beginning.
fn is_out_of_sight(symbol: &Symbol, difference: &Difference, splice: Splice) -> bool {
    side(symbol, difference.old) == Side::Inside
        && symbol.name_span.start >= splice.old.end
        && splice.moved(symbol.name_span.end) > difference.new_around.end
}

fn starts_before(symbol: &Symbol, difference: Span) -> bool {
    matches!(side(symbol, difference), Side::Before | Side::Around)
}

/// The place of a symbol's parent; `None` where it is not there.
fn parent(symbol: &Symbol, places: &[Option<usize>]) -> Option<Option<usize>> {
    match symbol.parent {
        Some(index) => places.get(index).copied().flatten().map(Some),
        None => Some(None),
    }
}

/// A symbol around the difference: what is above it as it was, the rest as it is now.
fn joined(
    known: &Symbol,
    fresh: &Symbol,
    difference: &Difference,
    splice: Splice,
) -> Option<Symbol> {
    let is_same = known.kind == fresh.kind
        && known.path == fresh.path
        && known.name == fresh.name
        && known.name_span == fresh.name_span
        && known.code.start == fresh.code.start
        && known.bare_start.max(known.name_span.end) <= difference.old.start;
    if !is_same {
        return None;
    }
    let ends_far_below = fresh.code.end >= difference.new_around.end;
    if ends_far_below && splice.moved(known.code.end) != fresh.code.end {
        return None;
    }
    let end = if ends_far_below { splice.moved(known.full.end) } else { fresh.full.end };
    let full = Span::new(known.full.start, end);
    Some(Symbol { full, bare_start: known.bare_start, ..fresh.clone() })
}

/// A symbol behind the difference, at its new place.
fn moved(symbol: &Symbol, splice: Splice) -> Option<Symbol> {
    let span = |span: Span| splice.moved_span(span);
    let mut moved = symbol.clone();
    moved.name_span = span(symbol.name_span)?;
    moved.head = span(symbol.head)?;
    moved.code = span(symbol.code)?;
    moved.full = span(symbol.full)?;
    moved.bare_start = splice.moved(symbol.bare_start);
    if let Some(body) = symbol.body {
        moved.body = Some(span(body)?);
    }
    if let Some(keyword) = &mut moved.keyword {
        keyword.span = span(keyword.span)?;
    }
    Some(moved)
}

#[cfg(test)]
#[path = "carried_tests.rs"]
mod tests;
