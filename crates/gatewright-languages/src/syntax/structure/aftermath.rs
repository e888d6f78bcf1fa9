//! What an edit does to the definitions that it does not name.
//!
//! New text may bring new definitions; that is no structural edit while
//! everything that was there stays where it was. It is one when definitions
//! beside it vanish or end up inside another one, when it tears a body apart,
//! or when it defines a second time what is defined already.

use std::collections::HashMap;

use gatewright_model::{EditShape, LostDefinition, Structural, StructureProblem};

use super::Versions;
use super::cut::{head_overlap, innermost};
use super::regions::{Region, Regions};
use super::suggest;
use crate::syntax::errors::new_errors;
use crate::syntax::parsed::Parsed;
use crate::syntax::symbol::Symbol;

/// What the edit does to definitions around it, if it reaches over lines.
pub(super) fn problem(versions: &Versions<'_>, regions: &Regions<'_>) -> Option<StructureProblem> {
    let widest = regions.list.iter().find(|region| region.reaches_over_lines())?;
    if is_beyond_the_grammar(versions, regions) {
        return None;
    }
    let lost = displaced(versions, regions);
    if !lost.is_empty() {
        return Some(splice(versions, widest, lost));
    }
    if tears_a_body(versions, regions) {
        return Some(splice(versions, widest, Vec::new()));
    }
    redefinition(versions, regions)
}

fn splice(
    versions: &Versions<'_>,
    region: &Region,
    definitions: Vec<LostDefinition>,
) -> StructureProblem {
    let around = innermost(&versions.before, region.base);
    let call = suggest::insertion(versions).or_else(|| suggest::call(versions, region, around));
    StructureProblem {
        found: Structural::Splice { definitions },
        line: u32::try_from(versions.before.lines().line(region.base.start)).ok(),
        symbol: around.map(|symbol| symbol.path.clone()),
        shape: region.shape(),
        call,
    }
}

/// Definitions outside of every changed head that the result has no longer at their place.
fn displaced(versions: &Versions<'_>, regions: &Regions<'_>) -> Vec<LostDefinition> {
    let before = &versions.before;
    let symbols = before.outline();
    // A symbol comes after the one around it, so one pass hands marks down.
    let mut is_renamed = vec![false; symbols.len()];
    for (index, symbol) in symbols.iter().enumerate() {
        let by_parent = symbol.parent.is_some_and(|parent| is_renamed[parent]);
        let by_edit =
            regions.list.iter().any(|region| head_overlap(before, symbol, region.base).is_some());
        is_renamed[index] = by_parent || by_edit;
    }
    let mut left = counts(&versions.after);
    let mut lost = Vec::new();
    for (index, symbol) in symbols.iter().enumerate() {
        if !symbol.structural {
            continue;
        }
        let is_there = left.get_mut(symbol.path.as_str()).is_some_and(|count| {
            let is_there = *count > 0;
            *count = count.saturating_sub(1);
            is_there
        });
        if !is_there && !is_renamed[index] && !is_local(symbols, symbol) {
            lost.push(lost_definition(before, symbol));
        }
    }
    lost
}

pub(super) fn lost_definition(parsed: &Parsed, symbol: &Symbol) -> LostDefinition {
    LostDefinition {
        symbol: symbol.path.clone(),
        kind: symbol.kind.as_str().to_owned(),
        line: u32::try_from(parsed.lines().line(symbol.code.start)).unwrap_or(u32::MAX),
    }
}

/// Whether a symbol lives inside something that runs.
pub(super) fn is_local(symbols: &[Symbol], symbol: &Symbol) -> bool {
    let mut parent = symbol.parent;
    while let Some(index) = parent {
        if symbols[index].kind.is_callable() {
            return true;
        }
        parent = symbols[index].parent;
    }
    false
}

fn counts(parsed: &Parsed) -> HashMap<&str, usize> {
    let mut counts = HashMap::new();
    for symbol in parsed.outline() {
        *counts.entry(symbol.path.as_str()).or_insert(0) += 1;
    }
    counts
}

/// Whether the result only uses what the grammar does not know.
///
/// Grammars lag behind their languages, and one unknown construct may swallow
/// everything below it. Where brackets, quotes and comments of the new text
/// close as those of the old one did, and it defines nothing, nothing was torn.
fn is_beyond_the_grammar(versions: &Versions<'_>, regions: &Regions<'_>) -> bool {
    let language = versions.before.language().language();
    let has_brackets = language.line_comment == "//";
    has_brackets
        && regions.list.iter().all(|region| {
            closings(&region.old) == closings(&region.new)
                && !language.keywords.iter().any(|word| region.new.contains(word))
        })
        && has_new_errors(versions)
}

/// What a text leaves open of each kind of bracket, and whether it ends inside quotes.
fn closings(text: &str) -> [isize; 7] {
    let count = |mark: &str| isize::try_from(text.matches(mark).count()).unwrap_or(isize::MAX);
    [
        count("{") - count("}"),
        count("(") - count(")"),
        count("[") - count("]"),
        count("/*") - count("*/"),
        count("\"") % 2,
        count("'") % 2,
        count("`") % 2,
    ]
}

fn has_new_errors(versions: &Versions<'_>) -> bool {
    let (before, after) = (versions.before.error_signature(), versions.after.error_signature());
    !new_errors(&before, &after).is_empty()
}

/// Whether new definitions came into a function together with new syntax errors.
fn tears_a_body(versions: &Versions<'_>, regions: &Regions<'_>) -> bool {
    let lands_in_function = regions.list.iter().any(|region| {
        region.reaches_over_lines()
            && innermost(&versions.before, region.base)
                .is_some_and(|symbol| symbol.kind.is_callable())
    });
    lands_in_function && !added(versions).is_empty() && has_new_errors(versions)
}

/// The structural symbols of the result that the base has not.
pub(super) fn added<'a>(versions: &'a Versions<'_>) -> Vec<&'a Symbol> {
    let mut left = counts(&versions.before);
    let symbols = versions.after.outline().iter().filter(|symbol| symbol.structural);
    symbols
        .filter(|symbol| match left.get_mut(symbol.path.as_str()) {
            Some(count) if *count > 0 => {
                *count -= 1;
                false
            }
            _ => true,
        })
        .collect()
}

/// A function that is defined a second time beside the first one, in a language where one replaces
/// the other.
fn redefinition(versions: &Versions<'_>, regions: &Regions<'_>) -> Option<StructureProblem> {
    let (before, after) = (&versions.before, &versions.after);
    if !before.language().language().single_definitions {
        return None;
    }
    let (known, twin) = added(versions).into_iter().find_map(|twin| {
        let known = before.outline().iter().find(|known| {
            known.path == twin.path
                && is_plain(before, known)
                && regions.list.iter().all(|region| !region.base.overlaps(known.code))
        })?;
        (is_plain(after, twin) && twin.parent.is_some() == known.parent.is_some())
            .then_some((known, twin))
    })?;
    Some(StructureProblem {
        found: Structural::Redefinition,
        line: u32::try_from(before.lines().line(known.head.start)).ok(),
        symbol: Some(known.path.clone()),
        shape: EditShape::Replace,
        call: Some(suggest::replacement(versions, known, suggest::own_text(after, twin))),
    })
}

/// Whether a function stands at its scope's own level, without attributes that may tell two apart.
fn is_plain(parsed: &Parsed, symbol: &Symbol) -> bool {
    let (_, column) = parsed.lines().position(symbol.code.start);
    let is_at_margin = symbol.parent.is_some() || column == 1;
    let head = parsed.bytes(symbol.head);
    let has_attribute = head.starts_with(b"@") || head.starts_with(b"#[");
    let is_repeatable = matches!(symbol.name.as_str(), "init" | "_");
    symbol.kind.is_callable()
        && symbol.body.is_some()
        && is_at_margin
        && !has_attribute
        && !is_repeatable
}
