//! The call of the symbol tool that does what a text edit wanted to do.

use gatewright_model::{EditShape, Span, SymbolCall};

use super::Versions;
use super::aftermath::added;
use super::cut::innermost;
use super::regions::Region;
use crate::syntax::parsed::Parsed;
use crate::syntax::symbol::Symbol;

/// The call for an edit of `region` that cuts `symbol`.
pub(super) fn call(
    versions: &Versions<'_>,
    region: &Region,
    symbol: Option<&Symbol>,
) -> Option<SymbolCall> {
    // The smallest definition that holds the whole edit can take its result as it stands.
    let holder = innermost(&versions.before, region.base);
    let symbol = match (symbol, holder) {
        (Some(symbol), Some(holder)) if symbol.full.contains(holder.full) => symbol,
        (_, Some(holder)) => holder,
        (Some(symbol), None) => symbol,
        (None, None) => return None,
    };
    let is_kept = twin(versions, symbol).is_some();
    if is_kept && region.shape() == EditShape::Insert && is_same(versions, symbol) {
        return insertion(versions).or_else(|| replace_with_result(versions, symbol));
    }
    replace_with_result(versions, symbol)
}

/// The symbol with the same path and number in the result.
fn twin<'a>(versions: &'a Versions<'_>, symbol: &Symbol) -> Option<&'a Symbol> {
    let symbols = versions.after.outline().iter();
    symbols
        .filter(|other| other.path == symbol.path)
        .find(|other| other.overload == symbol.overload)
}

fn is_same(versions: &Versions<'_>, symbol: &Symbol) -> bool {
    twin(versions, symbol)
        .is_some_and(|twin| versions.before.bytes(symbol.full) == versions.after.bytes(twin.full))
}

/// Replaces `symbol` by what the result has in its place, or removes it where there is nothing.
pub(super) fn replace_with_result(versions: &Versions<'_>, symbol: &Symbol) -> Option<SymbolCall> {
    if let Some(twin) = twin(versions, symbol) {
        return Some(replacement(versions, symbol, own_text(&versions.after, twin)));
    }
    let text = text_in_place(versions, symbol.full);
    match text {
        Some(text) if text.trim().is_empty() => Some(removal(versions, symbol)),
        Some(text) => Some(replacement(versions, symbol, text)),
        None => Some(match added(versions).first() {
            Some(new) => replacement(versions, symbol, own_text(&versions.after, new)),
            None => removal(versions, symbol),
        }),
    }
}

/// What the result has where the base has `span`, if all that changed lies inside.
fn text_in_place(versions: &Versions<'_>, span: Span) -> Option<String> {
    let (before, after) = (versions.before.source(), versions.after.source());
    let from_end = before.len() - span.end;
    let end = after.len().checked_sub(from_end)?;
    let is_kept_around = span.start <= end
        && before[..span.start] == after[..span.start]
        && before[span.end..] == after[end..];
    is_kept_around
        .then(|| versions.after.text(with_indentation(&versions.after, Span::new(span.start, end))))
}

/// All the text that a symbol owns, with the indentation of its first line.
pub(super) fn own_text(parsed: &Parsed, symbol: &Symbol) -> String {
    parsed.text(with_indentation(parsed, symbol.full))
}

fn with_indentation(parsed: &Parsed, span: Span) -> Span {
    let line_start = parsed.lines().start(parsed.lines().line(span.start));
    let before = &parsed.source()[line_start..span.start];
    let is_blank = before.iter().all(|byte| matches!(byte, b' ' | b'\t'));
    if is_blank { Span::new(line_start, span.end) } else { span }
}

/// A call that gives `symbol` this text.
pub(super) fn replacement(versions: &Versions<'_>, symbol: &Symbol, body: String) -> SymbolCall {
    SymbolCall {
        symbol: symbol.path.clone(),
        overload: number(&versions.before, symbol),
        path: versions.path.to_owned(),
        action: EditShape::Replace,
        position: None,
        body: Some(body),
    }
}

/// A call that takes `symbol` out.
pub(super) fn removal(versions: &Versions<'_>, symbol: &Symbol) -> SymbolCall {
    let call = replacement(versions, symbol, String::new());
    SymbolCall { action: EditShape::Remove, body: None, ..call }
}

fn number(parsed: &Parsed, symbol: &Symbol) -> Option<u32> {
    let count = parsed.outline().iter().filter(|other| other.path == symbol.path).count();
    (count > 1).then_some(symbol.overload)
}

/// A call that inserts the first definition that the result adds, beside one that both have.
pub(super) fn insertion(versions: &Versions<'_>) -> Option<SymbolCall> {
    let new = *added(versions).first()?;
    let after = versions.after.outline();
    let siblings = || after.iter().filter(|other| other.parent == new.parent);
    let is_known =
        |other: &&Symbol| versions.before.outline().iter().any(|known| known.path == other.path);
    let above = siblings().filter(|other| other.full.end <= new.full.start).filter(is_known).last();
    let below = siblings().filter(|other| other.full.start >= new.full.end).find(is_known);
    let (anchor, position) =
        above.map(|anchor| (anchor, "after")).or(below.map(|anchor| (anchor, "before")))?;
    let body = own_text(&versions.after, new);
    let known = versions
        .before
        .outline()
        .iter()
        .find(|known| known.path == anchor.path && known.overload == anchor.overload)?;
    let call = replacement(versions, known, body);
    Some(SymbolCall { action: EditShape::Insert, position: Some(position.to_owned()), ..call })
}

/// The call for the first definition that a whole-file write changes, or adds.
pub(super) fn changed(versions: &Versions<'_>) -> Option<SymbolCall> {
    let before = versions.before.outline().iter().filter(|symbol| symbol.structural);
    let changed = before
        .filter(|symbol| !symbol.kind.is_container())
        .find(|symbol| twin(versions, symbol).is_some() && !is_same(versions, symbol));
    match changed {
        Some(symbol) => replace_with_result(versions, symbol),
        None => insertion(versions),
    }
}
