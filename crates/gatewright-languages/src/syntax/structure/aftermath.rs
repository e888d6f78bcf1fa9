//! What an edit does to the definitions that it does not name.
//!
//! New text may bring new definitions; that is no structural edit while
//! everything that was there stays where it was. It is one when definitions
//! beside it vanish or end up inside another one, when it tears a body apart,
//! or when it defines a second time what is defined already.

use std::collections::HashMap;

use gatewright_model::{EditShape, LostDefinition, Span, Structural, StructureProblem, SymbolCall};
use memchr::memmem;

use super::Versions;
use super::calls;
use super::cut::{head_overlap, innermost, trimmed};
use super::moved;
use super::regions::{Region, Regions};
use crate::syntax::conditional::{dead_regions, has_directives, is_conditional, is_dead, live};
use crate::syntax::errors::new_errors;
use crate::syntax::parsed::Parsed;
use crate::syntax::symbol::Symbol;
use crate::syntax::tokens::{Token, TokenClass};
use crate::syntax::twins::{is_direct, is_kept_apart, is_single, slot};

/// What the edit does to definitions around it, if it reaches over lines. Several edits of one
/// line reach over those between them, as far as definitions are lost there.
pub(super) fn problem(versions: &Versions<'_>, regions: &Regions<'_>) -> Option<StructureProblem> {
    let widest = regions.list.iter().find(|region| region.reaches_over_lines());
    let first = regions.list.first().filter(|_| regions.edits > 1);
    let touched = widest.or(first)?;
    if is_beyond_the_grammar(versions, regions) {
        return None;
    }
    let lost = displaced(versions, regions);
    if !lost.is_empty() {
        return Some(splice(versions, touched, lost));
    }
    let widest = widest?;
    let tears = tears_a_body(versions, regions) || splits_a_body(versions, regions);
    if tears || takes_an_end(versions, regions) || moved::hands_over(versions, regions) {
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
    StructureProblem {
        found: Structural::Splice { definitions },
        line: u32::try_from(versions.before.lines().line(region.base.start)).ok(),
        symbol: around.map(|symbol| symbol.path.clone()),
        shape: region.shape(),
        call: None,
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
    let (had, has) = (counts(live(before)), counts(live(&versions.after)));
    let is_fewer = |path: &str| has.get(path).unwrap_or(&0) < had.get(path).unwrap_or(&0);
    let mut left = has.clone();
    let dead = dead_regions(before);
    let mut lost = Vec::new();
    for (index, symbol) in symbols.iter().enumerate() {
        if !symbol.structural || is_dead(&dead, symbol) {
            continue;
        }
        if is_renamed[index]
            && is_fewer(&symbol.path)
            && !is_local(symbols, symbol)
            && is_hidden(versions, symbol)
        {
            lost.push(lost_definition(before, symbol));
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

/// Whether the head of a definition stands in a comment or a string now that reaches over lines:
/// an edit that opens one before a head has touched that head, and named nothing anew.
fn is_hidden(versions: &Versions<'_>, symbol: &Symbol) -> bool {
    let (before, after) = (&versions.before, &versions.after);
    let start = symbol.bare_start.min(symbol.name_span.start);
    let head = before.bytes(Span::new(start, symbol.name_span.end));
    let hides = |parsed: &Parsed| {
        let is_text = |token: &&Token| token.class != TokenClass::Code;
        let texts = parsed.tokens().iter().filter(is_text).map(|token| parsed.bytes(token.span));
        texts.filter(|text| text.contains(&b'\n') && memmem::find(text, head).is_some()).count()
    };
    hides(after) > hides(before)
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

fn counts<'a>(symbols: impl Iterator<Item = &'a Symbol>) -> HashMap<&'a str, usize> {
    let mut counts = HashMap::new();
    for symbol in symbols {
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
        && dead_regions(&versions.after).len() <= dead_regions(&versions.before).len()
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

pub(super) fn has_new_errors(versions: &Versions<'_>) -> bool {
    let (before, after) = (versions.before.error_signature(), versions.after.error_signature());
    !new_errors(&before, &after).is_empty()
}

/// Whether new definitions came into a function together with new syntax errors.
fn tears_a_body(versions: &Versions<'_>, regions: &Regions<'_>) -> bool {
    let lands_in_function = regions.list.iter().any(|region| {
        region.reaches_over_lines()
            && innermost(&versions.before, region.base).is_some_and(|symbol| {
                // What ends where the function starts stands before it.
                symbol.kind.is_callable() && region.base.end > symbol.full.start
            })
    });
    lands_in_function && !added(versions).is_empty() && has_new_errors(versions)
}

/// Whether what stands behind an edit in a function no longer belongs to that function.
fn splits_a_body(versions: &Versions<'_>, regions: &Regions<'_>) -> bool {
    let (before, after) = (&versions.before, &versions.after);
    let spans = places(versions, regions);
    let mut shift = 0isize;
    let mut is_split = false;
    for (base, length) in spans {
        shift += difference(base, length);
        let Some(symbol) = function_around(before, trimmed(before, base)) else { continue };
        let rest = Span::new(base.end, symbol.code.end.max(base.end));
        let Some(next) = first_statement(before, rest) else { continue };
        let place = next.checked_add_signed(shift).unwrap_or(0);
        is_split |= twin(after, symbol).is_some_and(|twin| twin.full.end <= place);
    }
    is_split
}

/// By how much a text grows where `length` bytes come for `base`.
pub(super) fn difference(base: Span, length: usize) -> isize {
    isize::try_from(length).unwrap_or(0) - isize::try_from(base.len()).unwrap_or(0)
}

/// The symbol of the result that has the path and the number of one of the base.
pub(super) fn twin<'a>(after: &'a Parsed, symbol: &Symbol) -> Option<&'a Symbol> {
    let is_twin = |other: &&Symbol| other.path == symbol.path && other.overload == symbol.overload;
    after.outline().iter().find(is_twin)
}

/// Whether a definition that comes takes the end of the function around the edit: its closing
/// bracket or word stood behind the edit and now closes another one.
///
/// One line may be replaced by anything; several lines of a body, or several edits, may not
/// bring a definition that stands outside of it.
fn takes_an_end(versions: &Versions<'_>, regions: &Regions<'_>) -> bool {
    let is_asked = regions.edits > 1 || regions.list.iter().any(|region| region.is_multiline);
    if !is_asked || added(versions).is_empty() {
        return false;
    }
    let spans = places(versions, regions);
    spans.iter().any(|(base, _)| {
        let inside = trimmed(&versions.before, *base);
        let Some(symbol) = function_around(&versions.before, inside) else { return false };
        let is_open = inside.end < symbol.code.end && has_closing(&versions.before, symbol);
        let above = spans.iter().filter(|(base, _)| base.start < symbol.code.end);
        let shift: isize = above.map(|(base, length)| difference(*base, *length)).sum();
        let end = symbol.code.end.checked_add_signed(shift).unwrap_or(0);
        is_open && twin(&versions.after, symbol).is_some_and(|twin| twin.code.end < end)
    })
}

/// Whether a sound function ends with a bracket or a word of its own.
fn has_closing(parsed: &Parsed, symbol: &Symbol) -> bool {
    let code = parsed.bytes(symbol.code).trim_ascii_end();
    let code = code.strip_suffix(b";").unwrap_or(code);
    code.ends_with(b"}") || code.ends_with(b"end")
}

/// Each stretch of the base with the length of what comes there; all of it as one stretch where
/// the regions do not add up to the result.
pub(super) fn places(versions: &Versions<'_>, regions: &Regions<'_>) -> Vec<(Span, usize)> {
    let mut places: Vec<(Span, usize)> =
        regions.list.iter().map(|region| (region.base, region.new.len())).collect();
    places.sort_by_key(|(base, _)| base.start);
    let (before, after) = (versions.before.source().len(), versions.after.source().len());
    let (gone, come) = places
        .iter()
        .fold((0, 0), |(gone, come), (base, length)| (gone + base.len(), come + length));
    if before + come == after + gone {
        return places;
    }
    let changed = calls::changed(versions);
    vec![(changed, (changed.len() + after).saturating_sub(before))]
}

/// The smallest function whose body holds all of `span`.
pub(super) fn function_around(parsed: &Parsed, span: Span) -> Option<&Symbol> {
    let functions = parsed.outline().iter().filter(|symbol| symbol.kind.is_callable());
    functions
        .filter(|symbol| symbol.body.is_some_and(|body| body.contains(span)))
        .min_by_key(|symbol| symbol.full.len())
}

/// Where the first code in a stretch stands that does more than close a bracket or a block.
fn first_statement(parsed: &Parsed, span: Span) -> Option<usize> {
    let tokens = parsed.tokens_in(span).iter();
    let mut code = tokens.filter(|token| token.class != TokenClass::Comment);
    let found = code.find(|token| {
        let text = parsed.bytes(token.span).trim_ascii();
        !text.is_empty() && !matches!(text, b"}" | b")" | b"]" | b";" | b"," | b"end")
    });
    found.map(|token| token.span.start.max(span.start))
}

/// The structural symbols of the result that the base has not.
pub(super) fn added<'a>(versions: &'a Versions<'_>) -> Vec<&'a Symbol> {
    // What only declares a name has not defined it yet.
    let mut left = counts(versions.before.outline().iter().filter(|symbol| symbol.structural));
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

/// What is defined a second time beside the first one, where one replaces the other.
fn redefinition(versions: &Versions<'_>, regions: &Regions<'_>) -> Option<StructureProblem> {
    let (before, after) = (&versions.before, &versions.after);
    let (known, twin) = added(versions).into_iter().find_map(|twin| {
        let known = before.outline().iter().find(|known| {
            known.path == twin.path
                && known.kind.is_type() == twin.kind.is_type()
                && is_plain(before, known)
                && slot(before, known) == slot(after, twin)
                && regions.list.iter().all(|region| keeps(region, known))
        })?;
        // An overload that comes above leaves the function as often as it was.
        let is_more = single(after, twin) > single(before, known);
        let stands_beside = twin.parent.is_some() == known.parent.is_some();
        // Where a condition decides about one of them, it has to decide about both.
        let come_together = match is_conditional(before, known) {
            // What no directive decides about comes to be whatever another one's says.
            true => {
                (is_conditional(after, twin) || has_directives(after))
                    && !is_kept_apart(after, twin)
            }
            false => !is_conditional(after, twin),
        };
        (is_plain(after, twin) && is_more && stands_beside && come_together)
            .then_some((known, twin))
    })?;
    // Of those that take its place, the one that came is the one with another text; what only
    // declares the name takes nothing's place.
    let mut twins = after.outline().iter().filter(|symbol| {
        symbol.path == twin.path
            && is_single(after, symbol)
            && slot(after, symbol) == slot(before, known)
    });
    let new = twins.find(|symbol| after.bytes(symbol.code) != before.bytes(known.code));
    let replacement = |new| calls::replacement(versions, known, calls::own_text(after, new), false);
    let can_be_made = |call: &SymbolCall| {
        calls::try_call(before, call).is_some_and(|made| made.source() != before.source())
    };
    Some(StructureProblem {
        found: Structural::Redefinition,
        line: u32::try_from(before.lines().line(known.head.start)).ok(),
        symbol: Some(known.path.clone()),
        shape: EditShape::Replace,
        call: new.map(replacement).filter(can_be_made),
    })
}

/// How many definitions would take each other's place with a symbol, itself included.
fn single(parsed: &Parsed, symbol: &Symbol) -> usize {
    let is_same = |other: &&Symbol| {
        other.path == symbol.path
            && is_single(parsed, other)
            && slot(parsed, other) == slot(parsed, symbol)
    };
    parsed.outline().iter().filter(is_same).count()
}

/// Whether a region leaves a definition alone, or only adds text before or behind what it names.
fn keeps(region: &Region, known: &Symbol) -> bool {
    let only_adds =
        region.new.starts_with(region.old.as_str()) || region.new.ends_with(region.old.as_str());
    only_adds || !region.base.overlaps(known.code)
}

/// Whether a definition stands at its scope's own level, with nothing that may tell two apart.
fn is_plain(parsed: &Parsed, symbol: &Symbol) -> bool {
    let (_, column) = parsed.lines().position(symbol.code.start);
    let is_at_margin = symbol.parent.is_some() || column == 1 || is_conditional(parsed, symbol);
    is_single(parsed, symbol) && is_at_margin && is_direct(parsed, symbol)
}
