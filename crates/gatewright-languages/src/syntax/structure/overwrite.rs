//! A whole-file write over an existing file: what it loses, and what it leaves out.

use std::collections::HashMap;

use gatewright_model::{EditShape, LostDefinition, Span, Structural, StructureProblem};

use super::Versions;
use super::aftermath::{is_local, lost_definition};
use super::{astray, bound, elision, hollow, loose, missed};
use crate::syntax::conditional::live;
use crate::syntax::parsed::Parsed;
use crate::syntax::symbol::{Symbol, SymbolKind};

/// The definitions that vanish and the elisions that come, if any.
pub(super) fn problems(versions: &Versions<'_>) -> Vec<StructureProblem> {
    let mut problems = Vec::new();
    let lost = vanished(&versions.before, &versions.after);
    let symbols = lost.iter().map(|symbol| lost_definition(&versions.before, symbol));
    let loose = lost_in_macros(versions).into_iter();
    let astray = astray::lost(&versions.before, &versions.after);
    let bound = bound::lost(versions);
    let definitions: Vec<LostDefinition> =
        symbols.chain(loose).chain(astray).chain(bound).collect();
    if let Some(first) = definitions.first() {
        problems.push(StructureProblem {
            line: Some(first.line),
            symbol: lost.first().map(|symbol| symbol.path.clone()),
            shape: EditShape::Remove,
            call: None,
            found: Structural::Vanish { definitions },
        });
    }
    let left_out = elision::first_new(&versions.before, &versions.after);
    if let Some((line, text)) = left_out.or_else(|| hollow::first(versions)) {
        problems.push(StructureProblem {
            found: Structural::Elision { text },
            line: u32::try_from(line).ok(),
            symbol: elision::around(&versions.after, line).map(|symbol| symbol.path.clone()),
            shape: EditShape::Replace,
            call: None,
        });
    }
    problems
}

/// Definitions inside the call of a macro whose keyword and name the result has less often.
fn lost_in_macros(versions: &Versions<'_>) -> Vec<LostDefinition> {
    let mut left: HashMap<(&str, String), usize> = HashMap::new();
    for definition in loose::definitions(&versions.after) {
        *left.entry((definition.keyword, definition.name)).or_insert(0) += 1;
    }
    // What left the macro is not lost.
    let is_plain = |name: &str| versions.after.outline().iter().any(|symbol| symbol.name == name);
    let mut lost = Vec::new();
    for definition in loose::definitions(&versions.before) {
        let key = (definition.keyword, definition.name.clone());
        let count = left.get_mut(&key).filter(|count| **count > 0);
        match count {
            Some(count) => *count -= 1,
            None if definition.whole == definition.head || is_plain(&definition.name) => {}
            None => lost.push(LostDefinition {
                symbol: definition.name,
                kind: definition.keyword.to_owned(),
                line: line_number(&versions.before, definition.head.start),
            }),
        }
    }
    lost
}

fn line_number(parsed: &Parsed, offset: usize) -> u32 {
    u32::try_from(parsed.lines().line(offset)).unwrap_or(u32::MAX)
}

/// The definitions of `before` that `after` has not, by name path and number.
///
/// Fields and variables are not counted, nor what a function binds to a name of its own on a line
/// or two, unless it still uses the name. A declaration of what is defined elsewhere is lost only when nothing of
/// its name is left.
fn vanished<'a>(before: &'a Parsed, after: &Parsed) -> Vec<&'a Symbol> {
    let mut by_kind: HashMap<(&str, SymbolKind, bool), usize> = HashMap::new();
    let mut by_path: HashMap<&str, usize> = HashMap::new();
    for symbol in live(after) {
        *by_kind.entry(own(symbol)).or_insert(0) += 1;
        *by_path.entry(symbol.path.as_str()).or_insert(0) += 1;
    }
    // What has its own kind still takes its place first; another kind may stand in for the rest.
    let mut others = Vec::new();
    for symbol in live(before) {
        match by_kind.get_mut(&own(symbol)) {
            Some(count) if *count > 0 => {
                *count -= 1;
                by_path.entry(&symbol.path).and_modify(|count| *count = count.saturating_sub(1));
            }
            _ => others.push(symbol),
        }
    }
    let mut lost = Vec::new();
    let is_lost = |symbol: &&Symbol| {
        counts(before, symbol) || (symbol.structural && missed::is_missed(before, after, symbol))
    };
    for symbol in others.into_iter().filter(is_lost) {
        match by_path.get_mut(symbol.path.as_str()) {
            Some(0) if symbol.body.is_some() || symbol.structural => lost.push(symbol),
            Some(count) => *count = count.saturating_sub(1),
            None => lost.push(symbol),
        }
    }
    lost
}

/// What a symbol is before anything else of its name may stand in for it.
fn own(symbol: &Symbol) -> (&str, SymbolKind, bool) {
    (symbol.path.as_str(), symbol.kind, symbol.body.is_some())
}

fn counts(parsed: &Parsed, symbol: &Symbol) -> bool {
    let is_declaration = matches!(symbol.kind, SymbolKind::Prototype | SymbolKind::Constant)
        || (symbol.kind.is_callable() && symbol.body.is_none());
    let is_own_binding = symbol.keyword.is_none()
        && is_bound(parsed, symbol)
        && is_local(parsed.outline(), symbol)
        && !hollow::has_lines(parsed, symbol);
    (symbol.structural || is_declaration) && !is_own_binding
}

/// Whether a name is only bound to a function: a value comes behind it, or the type of one.
fn is_bound(parsed: &Parsed, symbol: &Symbol) -> bool {
    let behind = Span::new(symbol.name_span.end, symbol.code.end.max(symbol.name_span.end));
    matches!(parsed.bytes(behind).trim_ascii_start().first(), None | Some(b'=' | b':'))
}
