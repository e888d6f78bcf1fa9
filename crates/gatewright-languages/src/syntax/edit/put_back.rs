//! Putting a removed symbol back, byte by byte.
//!
//! A removal takes blank lines along and may leave a `pass`, so that the file
//! alone does not say how it was. Who knows the content that the file had
//! before may ask here: where that content without the symbol is exactly the
//! content now, putting the symbol back is going back to it.

use gatewright_model::{Encoding, decode};

use super::layout::{indentation, normalised, placed};
use super::{EditPlan, Position, SymbolAction, SymbolEdit, check_expected, remove, resolve};
use crate::syntax::language::LanguageId;
use crate::syntax::parsed::Parsed;
use crate::syntax::symbol::Symbol;

/// The content `earlier`, if `edit` puts back the symbol that was taken out of it to make `now`.
///
/// Either the edit says so, or it inserts the text of the symbol between the neighbours that the
/// symbol had. `None` in every other case: the edit is an ordinary one then.
pub fn put_back(
    language: LanguageId,
    earlier: &[u8],
    now: &[u8],
    edit: &SymbolEdit,
) -> Option<EditPlan> {
    let (text, encoding) = decode(earlier).ok()?;
    let (now, now_encoding) = decode(now).ok()?;
    // Only the bytes decide about a mark of UTF-8: one may come to the start when text goes.
    if encoding != now_encoding && (is_wide(encoding) || is_wide(now_encoding)) {
        return None;
    }
    let before = Parsed::new(language, &text).ok()?;
    let after = before.version(&now).ok()?;
    let symbol = match &edit.action {
        SymbolAction::PutBack => named(&before, &after, edit)?,
        SymbolAction::Insert { position, body } => {
            let anchor = anchor(&after, edit).ok()?;
            let mut symbols = before.outline().iter();
            symbols.find(|symbol| {
                is_text_of(&before, symbol, body)
                    && is_place_of(&before, symbol, anchor, *position)
                    && is_taken_out(&before, symbol, &after)
            })?
        }
        _ => return None,
    };
    Some(EditPlan {
        after: earlier.to_vec(),
        symbol: symbol.path.clone(),
        span: symbol.full,
        notes: vec!["put back as it was".to_owned()],
        taken: None,
    })
}

fn is_wide(encoding: Encoding) -> bool {
    matches!(encoding, Encoding::Utf16Le | Encoding::Utf16Be)
}

fn named<'a>(before: &'a Parsed, after: &Parsed, edit: &SymbolEdit) -> Option<&'a Symbol> {
    if let Ok(symbol) = resolve(before, &edit.symbol, edit.overload) {
        return is_taken_out(before, symbol, after).then_some(symbol);
    }
    // Of several with that path, the one that was taken out is meant.
    let mut symbols = before.outline().iter().filter(|symbol| symbol.path == edit.symbol);
    symbols.find(|symbol| is_taken_out(before, symbol, after))
}

/// The symbol that the edit names; the file itself has no name.
fn anchor<'a>(after: &'a Parsed, edit: &SymbolEdit) -> Result<Option<&'a Symbol>, ()> {
    if edit.symbol.is_empty() {
        return Ok(None);
    }
    let symbol = resolve(after, &edit.symbol, edit.overload).map_err(|_| ())?;
    check_expected(after, symbol, edit.expect).map_err(|_| ())?;
    Ok(Some(symbol))
}

fn is_taken_out(before: &Parsed, symbol: &Symbol, after: &Parsed) -> bool {
    remove::plan(before, symbol).is_ok_and(|outcome| outcome.parsed.source() == after.source())
}

fn is_text_of(before: &Parsed, symbol: &Symbol, body: &str) -> bool {
    let (body, own) = (normalised(body), normalised(&before.text(symbol.full)));
    let indent = indentation(before, symbol.full.start).unwrap_or_default();
    let is_own = |body: &str| {
        let lines = |text: &str| text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n");
        own.len().abs_diff(body.len()) <= body.len() && lines(body) == lines(&own)
    };
    !body.is_empty()
        && (is_own(body.strip_prefix(indent.as_str()).unwrap_or(&body))
            || is_own(&placed(&body, &indent, before.language())))
}

/// Whether the symbol stood at this side of the anchor, nothing else between the two.
fn is_place_of(
    before: &Parsed,
    symbol: &Symbol,
    anchor: Option<&Symbol>,
    position: Position,
) -> bool {
    let siblings = || {
        let symbols = before.outline().iter();
        symbols.filter(|other| other.parent == symbol.parent && !std::ptr::eq(*other, symbol))
    };
    let above = siblings().rfind(|other| other.full.end <= symbol.full.start);
    let below = siblings().find(|other| other.full.start >= symbol.full.end);
    let is_anchor = |other: Option<&Symbol>| match (other, anchor) {
        (Some(other), Some(anchor)) => {
            other.path == anchor.path && number_without(before, other, symbol) == anchor.overload
        }
        (other, anchor) => other.is_none() && anchor.is_none(),
    };
    let parent = symbol.parent.map(|parent| &before.outline()[parent]);
    match position {
        Position::Before => below.is_some() && is_anchor(below),
        Position::After => above.is_some() && is_anchor(above),
        Position::First => above.is_none() && is_anchor(parent),
        Position::Last => below.is_none() && is_anchor(parent),
    }
}

/// The overload number that a symbol has once another one is gone.
fn number_without(before: &Parsed, symbol: &Symbol, gone: &Symbol) -> u32 {
    let lost = before.outline().iter().filter(|other| {
        gone.full.contains(other.full)
            && other.path == symbol.path
            && other.overload < symbol.overload
    });
    symbol.overload - u32::try_from(lost.count()).unwrap_or(0)
}
