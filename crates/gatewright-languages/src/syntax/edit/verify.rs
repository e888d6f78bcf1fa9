//! What must hold of a result before it is handed out.

use std::collections::HashMap;

use gatewright_model::Span;

use super::EditRefusal;
use crate::syntax::errors::new_errors;
use crate::syntax::parsed::Parsed;
use crate::syntax::same_tree::Splice;
use crate::syntax::symbol::Symbol;
use crate::syntax::twins::{is_direct, is_kept_apart, is_single, slot};

/// No syntax error that was not there.
pub(super) fn no_new_errors(before: &Parsed, after: &Parsed) -> Result<(), EditRefusal> {
    let fresh = new_errors(&before.error_signature(), &after.error_signature());
    if fresh.is_empty() {
        return Ok(());
    }
    let errors = fresh.into_iter().map(|(error, _)| error).collect();
    Err(EditRefusal::NewErrors { errors })
}

/// What may become of the other symbols.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Others {
    /// Each keeps its bytes.
    Unchanged,
    /// The same, and one may own text around it that nobody owned, or several did.
    MayOwnMore,
}

/// Every symbol that neither holds nor lies in `target` has its path and its bytes still;
/// every symbol around it has its path.
pub(super) fn others_kept(
    before: &Parsed,
    after: &Parsed,
    target: Option<&Symbol>,
    (holder, others): (Option<usize>, Others),
) -> Result<(), EditRefusal> {
    let mut paths: HashMap<&str, usize> = HashMap::new();
    let mut places: HashMap<(&str, Span), usize> = HashMap::new();
    for symbol in after.outline() {
        *paths.entry(symbol.path.as_str()).or_insert(0) += 1;
        *places.entry((symbol.path.as_str(), symbol.full)).or_insert(0) += 1;
    }
    let splice = Splice::between(before.source(), after.source());
    let around = ancestors(before, target.and_then(|target| target.parent).or(holder));
    let mut changed = Vec::new();
    let mut elsewhere = Vec::new();
    for (index, symbol) in before.outline().iter().enumerate() {
        if target.is_some_and(|target| target.full.contains(symbol.full)) {
            continue;
        }
        let path = symbol.path.as_str();
        if around.contains(&index) {
            changed.extend((!take(&mut paths, &path)).then(|| path.to_owned()));
            continue;
        }
        // Outside of what differs both texts have the same bytes.
        let moved = splice.moved_span(symbol.full);
        let is_there = moved.is_some_and(|full| take(&mut places, &(path, full)));
        let is_kept = is_there
            || (others == Others::MayOwnMore && owns_more(after, symbol, splice, &mut places));
        if !is_kept {
            elsewhere.push(symbol);
        }
    }
    changed.extend(not_found(before, after, &elsewhere, &places));
    if changed.is_empty() { Ok(()) } else { Err(EditRefusal::OthersChange { symbols: changed }) }
}

/// Whether a symbol stands where it stood, with its own bytes and with more around them.
fn owns_more<'a>(
    after: &'a Parsed,
    symbol: &Symbol,
    splice: Splice,
    places: &mut HashMap<(&'a str, Span), usize>,
) -> bool {
    let (name, full) = (splice.moved_span(symbol.name_span), splice.moved_span(symbol.full));
    let mut now = after.outline().iter().filter(|now| {
        now.path == symbol.path
            && now.kind == symbol.kind
            && Some(now.name_span) == name
            && full.is_some_and(|full| now.full.contains(full))
    });
    now.any(|now| take(places, &(now.path.as_str(), now.full)))
}

/// Those of the symbols for which none is left that has their path and their bytes.
fn not_found(
    before: &Parsed,
    after: &Parsed,
    symbols: &[&Symbol],
    places: &HashMap<(&str, Span), usize>,
) -> Vec<String> {
    let mut left: HashMap<(&str, &[u8]), usize> = HashMap::new();
    for ((path, full), count) in places {
        *left.entry((path, after.bytes(*full))).or_insert(0) += count;
    }
    let mut gone = Vec::new();
    for symbol in symbols {
        if !take(&mut left, &(symbol.path.as_str(), before.bytes(symbol.full))) {
            gone.push(symbol.path.clone());
        }
    }
    gone
}

fn take<K: std::hash::Hash + Eq>(counts: &mut HashMap<K, usize>, key: &K) -> bool {
    match counts.get_mut(key) {
        Some(count) if *count > 0 => {
            *count -= 1;
            true
        }
        _ => false,
    }
}

fn ancestors(parsed: &Parsed, first: Option<usize>) -> Vec<usize> {
    let mut around = Vec::new();
    let mut next = first;
    while let Some(index) = next {
        around.push(index);
        next = parsed.outline()[index].parent;
    }
    around
}

/// Nothing is defined a second time that there can be only one of.
pub(super) fn names_free(before: &Parsed, after: &Parsed) -> Result<(), EditRefusal> {
    let (had, has) = (single_counts(before), single_counts(after));
    // A type with another name takes what it had twice along.
    let surplus =
        |counts: &HashMap<_, usize>| counts.values().map(|count| count - 1).sum::<usize>();
    if surplus(&has) <= surplus(&had) {
        return Ok(());
    }
    let mut symbols = after.outline().iter().filter(|symbol| is_single(after, symbol));
    let taken = symbols.find(|symbol| {
        let key = (symbol.path.as_str(), slot(after, symbol));
        let now = has.get(&key).copied().unwrap_or(0);
        let is_more = now > 1 && now > had.get(&key).copied().unwrap_or(0);
        is_more && !is_kept_apart(after, symbol) && is_direct(after, symbol)
    });
    match taken {
        Some(symbol) => Err(EditRefusal::NameTaken { symbol: symbol.path.clone() }),
        None => Ok(()),
    }
}

fn single_counts(parsed: &Parsed) -> HashMap<(&str, String), usize> {
    let mut counts = HashMap::new();
    for symbol in parsed.outline().iter().filter(|symbol| is_single(parsed, symbol)) {
        *counts.entry((symbol.path.as_str(), slot(parsed, symbol))).or_insert(0) += 1;
    }
    counts
}
