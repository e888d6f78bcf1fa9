//! A text that is only the head of a symbol: it takes the place of the head, and the body stays.

use gatewright_model::Span;

use super::layout::{indentation, line_end, placed};
use super::replace::{composed, verified};
use super::{EditRefusal, Outcome};
use crate::syntax::parsed::Parsed;
use crate::syntax::symbol::{Symbol, SymbolKind};

/// Words of a head that has no body on purpose.
const BODILESS: [&str; 6] = ["abstract", "external", "expect", "declare", "extern", "native"];

/// What a text ends with that is more than a head, or is meant to have no body.
const CLOSED: [&str; 4] = [";", "}", "end", ","];

/// The file with `body` in the place of the symbol's head; `None` where the text is no head, which
/// it is only if the very body of the symbol is then the body of the new one.
pub(super) fn plan(
    parsed: &Parsed,
    symbol: &Symbol,
    body: &str,
) -> Result<Option<Outcome>, EditRefusal> {
    let Some((head_end, old)) = parts(parsed, symbol) else { return Ok(None) };
    let Some(text) = head_text(parsed, symbol, body) else { return Ok(None) };
    let target = indentation(parsed, symbol.full.start).unwrap_or_default();
    let text = placed(text, &target, parsed.language()).replace('\n', line_end(parsed));
    let trial = parsed.edited(Span::new(symbol.full.start, head_end), text.as_bytes())?;
    let region = Span::new(symbol.full.start, symbol.full.start + text.len());
    let around = trial.outline_around(region);
    let Some(new) = around.iter().find(|new| new.full.start == region.start) else {
        return Ok(None);
    };
    let has_body = |symbol: &Symbol, after: &Parsed| {
        symbol.body.is_some_and(|span| after.bytes(span).trim_ascii() == parsed.bytes(old))
    };
    if new.kind.is_type() != symbol.kind.is_type() || !has_body(new, &trial) {
        return Ok(None);
    }
    let (span, text, mut notes) = composed(parsed, symbol, new, &text);
    let after = parsed.edited(Span::new(span.start, head_end), text.as_bytes())?;
    if verified(parsed, symbol, &after).is_err() {
        return Ok(None);
    }
    notes.push("the text has no body, so the symbol's body was kept".to_owned());
    Ok(Some(Outcome { parsed: after, notes }))
}

/// Where the head ends, and the body, of a symbol that has both.
fn parts(parsed: &Parsed, symbol: &Symbol) -> Option<(usize, Span)> {
    let has_both = symbol.kind.is_type() || symbol.kind.is_callable();
    let body = symbol.body.filter(|_| has_both && symbol.kind != SymbolKind::Macro)?;
    let text = parsed.bytes(body);
    let start = body.start + (text.len() - text.trim_ascii_start().len());
    let body = Span::new(start, start + text.trim_ascii().len());
    let head_end = parsed.source()[..body.start].trim_ascii_end().len();
    (!body.is_empty() && head_end > symbol.bare_start).then_some((head_end, body))
}

/// The text without the brace that would open its body, if it can be a head at all.
fn head_text<'b>(parsed: &Parsed, symbol: &Symbol, body: &'b str) -> Option<&'b str> {
    let text = body.trim_end();
    if parsed.language().language().indented && !text.ends_with(':') {
        return None;
    }
    let is_member_of_interface = symbol.parent.is_some_and(|parent| {
        matches!(parsed.outline()[parent].kind, SymbolKind::Interface | SymbolKind::Trait)
    });
    let mut words = text.split_whitespace();
    let is_closed = CLOSED.iter().any(|mark| text.ends_with(mark)) || is_member_of_interface;
    if is_closed || words.any(|word| BODILESS.contains(&word)) {
        return None;
    }
    let text = text.strip_suffix('{').unwrap_or(text).trim_end();
    (!text.is_empty()).then_some(text)
}
