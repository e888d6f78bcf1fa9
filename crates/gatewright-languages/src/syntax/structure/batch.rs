//! Small edits that together rewrite one definition.

use std::collections::{BTreeSet, HashMap};

use gatewright_model::{EditShape, Span, Structural, StructureProblem};

use super::Versions;
use super::astray;
use super::cut::{head_overlap, innermost, innermost_of_any_kind};
use super::loose;
use super::regions::{Region, Regions};
use crate::syntax::parsed::Parsed;
use crate::syntax::symbol::Symbol;

/// The first definition that several edits rewrite together, its head included,
/// or whose head changed places with another one's.
pub(super) fn problem(versions: &Versions<'_>, regions: &Regions<'_>) -> Option<StructureProblem> {
    if regions.edits < 2 {
        return None;
    }
    rewritten(versions, regions)
        .or_else(|| joined(versions, regions))
        .or_else(|| rewritten_in_a_macro(versions, regions))
        .or_else(|| swapped(versions, regions))
        .or_else(|| exchanged(versions, regions))
        .or_else(|| rewritten_where_unparsed(versions, regions))
}

fn rewritten(versions: &Versions<'_>, regions: &Regions<'_>) -> Option<StructureProblem> {
    let before = &versions.before;
    let mut touched: HashMap<usize, (&Symbol, BTreeSet<usize>, bool)> = HashMap::new();
    for region in &regions.list {
        let around = innermost(before, region.base).into_iter();
        let around = around.flat_map(|symbol| with_those_around(before, symbol));
        // A line may start with what belongs to no definition, and hold the head of one.
        let on_line = before.outline().iter().filter(|symbol| {
            let begins = region.base.start..region.base.end;
            symbol.structural && !region.is_multiline && begins.contains(&symbol.full.start)
        });
        for symbol in around.chain(on_line) {
            let cuts_head = head_overlap(before, symbol, region.base).is_some();
            let entry = touched
                .entry(symbol.full.start)
                .or_insert_with(|| (symbol, BTreeSet::new(), false));
            entry.1.extend(lines_of(before, region.base));
            entry.2 |= cuts_head;
        }
    }
    let mut hits: Vec<_> = touched
        .into_values()
        .filter(|(_, lines, cuts_head)| *cuts_head && lines.len() > 1)
        .collect();
    hits.sort_by_key(|(symbol, _, _)| symbol.full.start);
    let (symbol, lines, _) = hits.into_iter().next()?;
    let lines = lines.into_iter().filter_map(|line| u32::try_from(line).ok()).collect();
    Some(described(versions, regions, symbol, Structural::Batch { lines }))
}

/// The macro in whose call a definition is edited on several lines, its head included.
fn rewritten_in_a_macro(
    versions: &Versions<'_>,
    regions: &Regions<'_>,
) -> Option<StructureProblem> {
    let before = &versions.before;
    loose::definitions(before).into_iter().find_map(|definition| {
        let touched = |span: Span| regions.list.iter().filter(move |it| it.base.overlaps(span));
        let lines: BTreeSet<usize> =
            touched(definition.whole).flat_map(|region| lines_of(before, region.base)).collect();
        if lines.len() < 2 || touched(definition.head).next().is_none() {
            return None;
        }
        let lines = lines.into_iter().filter_map(|line| u32::try_from(line).ok()).collect();
        let symbol = innermost_of_any_kind(before, definition.head)?;
        Some(described(versions, regions, symbol, Structural::Batch { lines }))
    })
}

/// The symbol and those around it: a line of it is a line of theirs.
fn with_those_around<'a>(
    parsed: &'a Parsed,
    symbol: &'a Symbol,
) -> impl Iterator<Item = &'a Symbol> {
    let parent = |symbol: &&'a Symbol| symbol.parent.map(|parent| &parsed.outline()[parent]);
    let around = std::iter::successors(parent(&symbol), parent);
    std::iter::once(symbol).chain(around.filter(|outer| outer.structural))
}

/// A definition whose head and the lines next to it are edited one by one.
fn joined(versions: &Versions<'_>, regions: &Regions<'_>) -> Option<StructureProblem> {
    let before = &versions.before;
    let touched: BTreeSet<usize> =
        regions.list.iter().flat_map(|region| lines_of(before, region.base)).collect();
    let symbols = before.outline().iter().filter(|symbol| symbol.structural);
    symbols.into_iter().find_map(|symbol| {
        let head =
            regions.list.iter().find_map(|region| head_overlap(before, symbol, region.base))?;
        let owned = before.lines().line(symbol.full.start)..=before.lines().line(symbol.full.end);
        let line = before.lines().line(head);
        let is_touched = |line: &usize| owned.contains(line) && touched.contains(line);
        let above = (1..line).rev().take_while(is_touched);
        let below = (line..).take_while(is_touched);
        let mut lines: Vec<u32> =
            above.chain(below).filter_map(|line| u32::try_from(line).ok()).collect();
        lines.sort_unstable();
        let is_over_lines = lines.len() > 1;
        is_over_lines.then(|| described(versions, regions, symbol, Structural::Batch { lines }))
    })
}

/// A definition that is no symbol, because the parser lost its way there: its head, and another
/// line before the next one starts.
fn rewritten_where_unparsed(
    versions: &Versions<'_>,
    regions: &Regions<'_>,
) -> Option<StructureProblem> {
    let before = &versions.before;
    let heads = astray::heads(before);
    let line = |offset: usize| before.lines().line(offset);
    let starts = before.outline().iter().filter(|symbol| symbol.structural);
    let starts: BTreeSet<usize> = starts
        .map(|symbol| line(symbol.full.start))
        .chain(heads.iter().map(|head| line(head.span.start)))
        .collect();
    let head = heads.iter().find(|head| {
        let own = line(head.span.start);
        let next = starts.range(own + 1..).next().copied().unwrap_or(usize::MAX);
        let is_other = |region: &Region| (own + 1..next).contains(&line(region.base.start));
        let is_own = |region: &Region| region.base.overlaps(head.span);
        regions.list.iter().any(is_own) && regions.list.iter().any(is_other)
    })?;
    let of_line = |region: &Region| u32::try_from(line(region.base.start)).ok();
    let mut lines: Vec<u32> = regions.list.iter().filter_map(of_line).collect();
    lines.sort_unstable();
    Some(StructureProblem {
        found: Structural::Batch { lines },
        line: u32::try_from(line(head.span.start)).ok(),
        symbol: None,
        shape: EditShape::Replace,
        call: None,
    })
}

fn lines_of(parsed: &Parsed, span: Span) -> std::ops::RangeInclusive<usize> {
    let last = span.end.saturating_sub(1).max(span.start);
    parsed.lines().line(span.start)..=parsed.lines().line(last)
}

/// A definition whose body now stands under the head of another one that is still there; what
/// its own head became may be none, a lower-case name for a lambda of Ruby say.
fn swapped(versions: &Versions<'_>, regions: &Regions<'_>) -> Option<StructureProblem> {
    let bodies_before = bodies(&versions.before);
    let bodies_after = bodies(&versions.after);
    let mut hits: Vec<(&Symbol, String)> = Vec::new();
    for (path, (symbol, body)) in &bodies_before {
        let is_moved = bodies_after.get(path).is_none_or(|(_, now)| now != body);
        if !is_moved || !is_head_touched(versions, regions, symbol) {
            continue;
        }
        let other = bodies_after.iter().find(|(other, (_, now))| {
            let before = bodies_before.get(*other);
            *other != path && now == body && before.is_some_and(|(_, before)| before != body)
        });
        hits.extend(other.map(|(other, _)| (*symbol, (*other).to_owned())));
    }
    hits.sort_by_key(|(symbol, _)| symbol.full.start);
    let (symbol, other) = hits.into_iter().next()?;
    Some(described(versions, regions, symbol, Structural::SwappedHeads { other }))
}

/// A definition that now has the name of another one in whose place there is a third: what
/// [`swapped`] cannot tell of bodies that are alike, and of names that several definitions have.
fn exchanged(versions: &Versions<'_>, regions: &Regions<'_>) -> Option<StructureProblem> {
    let (before, after) = (versions.before.outline(), versions.after.outline());
    if before.len() != after.len() {
        return None;
    }
    let is_renamed = |(old, new): &(&Symbol, &Symbol)| {
        old.name != new.name
            && (old.parent, old.body.is_some()) == (new.parent, true)
            && old.structural
            && is_head_touched(versions, regions, old)
    };
    let renamed: Vec<(&Symbol, &Symbol)> = before.iter().zip(after).filter(is_renamed).collect();
    // A method and a function may exchange their names as well; their paths say where they are.
    let takes_place = |(old, new): &&(&Symbol, &Symbol)| {
        renamed.iter().any(|(other, then)| {
            other.path == new.path || (bare(other) == bare(new) && bare(then) == bare(old))
        })
    };
    let (symbol, new) = renamed.iter().find(takes_place)?;
    let other = new.path.clone();
    Some(described(versions, regions, symbol, Structural::SwappedHeads { other }))
}

/// A name without what says that it is one of the class itself.
fn bare(symbol: &Symbol) -> &str {
    symbol.name.trim_start_matches("self.")
}

fn is_head_touched(versions: &Versions<'_>, regions: &Regions<'_>, symbol: &Symbol) -> bool {
    let touches = |region: &Region| head_overlap(&versions.before, symbol, region.base).is_some();
    regions.list.iter().any(touches)
}

/// The bodies of the structural symbols, the last of several with one path.
fn bodies(parsed: &Parsed) -> HashMap<&str, (&Symbol, &[u8])> {
    let mut bodies = HashMap::new();
    for symbol in parsed.outline().iter().filter(|symbol| symbol.structural) {
        let Some(body) = symbol.body else { continue };
        bodies.insert(symbol.path.as_str(), (symbol, parsed.bytes(body).trim_ascii()));
    }
    bodies
}

fn described(
    versions: &Versions<'_>,
    regions: &Regions<'_>,
    symbol: &Symbol,
    found: Structural,
) -> StructureProblem {
    let old: usize = regions.list.iter().map(|region| region.old.len()).sum();
    let new: usize = regions.list.iter().map(|region| region.new.len()).sum();
    let shape = match new {
        0 => EditShape::Remove,
        new if new > old => EditShape::Insert,
        _ => EditShape::Replace,
    };
    StructureProblem {
        found,
        line: u32::try_from(versions.before.lines().line(symbol.head.start)).ok(),
        symbol: Some(symbol.path.clone()),
        shape,
        call: None,
    }
}
