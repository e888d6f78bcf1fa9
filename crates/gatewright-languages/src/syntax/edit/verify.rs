//! What must hold of a result before it is handed out.

use std::collections::HashMap;

use super::EditRefusal;
use crate::syntax::conditional::is_conditional;
use crate::syntax::errors::new_errors;
use crate::syntax::parsed::Parsed;
use crate::syntax::symbol::Symbol;

/// No syntax error that was not there.
pub(super) fn no_new_errors(before: &Parsed, after: &Parsed) -> Result<(), EditRefusal> {
    let fresh = new_errors(&before.error_signature(), &after.error_signature());
    if fresh.is_empty() {
        return Ok(());
    }
    let errors = fresh.into_iter().map(|(error, _)| error).collect();
    Err(EditRefusal::NewErrors { errors })
}

/// Every symbol that neither holds nor lies in `target` has its path and its bytes still;
/// every symbol around it has its path.
pub(super) fn others_unchanged(
    before: &Parsed,
    after: &Parsed,
    target: Option<&Symbol>,
    holder: Option<usize>,
) -> Result<(), EditRefusal> {
    let mut left: HashMap<(&str, &[u8]), usize> = HashMap::new();
    let mut paths: HashMap<&str, usize> = HashMap::new();
    for symbol in after.outline() {
        *left.entry((symbol.path.as_str(), after.bytes(symbol.full))).or_insert(0) += 1;
        *paths.entry(symbol.path.as_str()).or_insert(0) += 1;
    }
    let around = ancestors(before, target.and_then(|target| target.parent).or(holder));
    let mut changed = Vec::new();
    for (index, symbol) in before.outline().iter().enumerate() {
        if target.is_some_and(|target| target.full.contains(symbol.full)) {
            continue;
        }
        let is_there = if around.contains(&index) {
            take(&mut paths, &symbol.path.as_str())
        } else {
            take(&mut left, &(symbol.path.as_str(), before.bytes(symbol.full)))
        };
        if !is_there {
            changed.push(symbol.path.clone());
        }
    }
    if changed.is_empty() { Ok(()) } else { Err(EditRefusal::OthersChange { symbols: changed }) }
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

/// No function or type is defined a second time where the language has one definition of a name.
pub(super) fn names_free(before: &Parsed, after: &Parsed) -> Result<(), EditRefusal> {
    if !before.language().language().single_definitions {
        return Ok(());
    }
    let (had, has) = (single_counts(before), single_counts(after));
    let taken = after.outline().iter().filter(|symbol| is_single(symbol)).find(|symbol| {
        let path = symbol.path.as_str();
        let now = has.get(path).copied().unwrap_or(0);
        let is_more = now > 1 && now > had.get(path).copied().unwrap_or(0);
        is_more && !is_conditional(after, symbol)
    });
    match taken {
        Some(symbol) => Err(EditRefusal::NameTaken { symbol: symbol.path.clone() }),
        None => Ok(()),
    }
}

/// Whether a second symbol like this one would take its place: a function without annotations,
/// which may tell several apart.
fn is_single(symbol: &Symbol) -> bool {
    symbol.structural
        && symbol.body.is_some()
        && symbol.bare_start == symbol.code.start
        && symbol.kind.is_callable()
        && symbol.name != "init"
}

fn single_counts(parsed: &Parsed) -> HashMap<&str, usize> {
    let mut counts = HashMap::new();
    for symbol in parsed.outline().iter().filter(|symbol| is_single(symbol)) {
        *counts.entry(symbol.path.as_str()).or_insert(0) += 1;
    }
    counts
}
