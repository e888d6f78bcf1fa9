//! Putting text beside a symbol or into it.

use gatewright_model::Span;

use super::layout::{
    blanks_before, indentation, indented, line_end, line_start, next_line, normalised, unit,
    usual_gap,
};
use super::{EditRefusal, Outcome, Position, verify};
use crate::syntax::parsed::Parsed;
use crate::syntax::symbol::Symbol;

/// Where text goes: the bytes that make way, and what stands before and after it.
struct Slot {
    span: Span,
    before: String,
    after: String,
    indent: String,
}

/// The file with `body` at `position`.
pub(super) fn plan(
    parsed: &Parsed,
    symbol: &Symbol,
    position: Position,
    body: &str,
) -> Result<Outcome, EditRefusal> {
    let body = normalised(body);
    if body.trim().is_empty() {
        return Err(EditRefusal::EmptyBody);
    }
    let index = parsed.outline().iter().position(|other| std::ptr::eq(other, symbol));
    let (slot, holder) = match position {
        Position::Before => (before(parsed, symbol), symbol.parent),
        Position::After => (after(parsed, symbol), symbol.parent),
        Position::First | Position::Last => (inside(parsed, symbol, index, position)?, index),
    };
    let text = indented(&body, &slot.indent, parsed.language());
    let text = format!("{}{text}{}", slot.before, slot.after);
    let text = text.replace('\n', line_end(parsed));
    let after = parsed.edited(slot.span, text.as_bytes())?;
    verify::no_new_errors(parsed, &after)?;
    verify::others_unchanged(parsed, &after, None, holder)?;
    verify::names_free(parsed, &after)?;
    Ok(Outcome { parsed: after, notes: Vec::new() })
}

fn gap(lines: usize) -> String {
    "\n".repeat(lines)
}

fn before(parsed: &Parsed, symbol: &Symbol) -> Slot {
    let start = line_start(parsed, symbol.full.start);
    let indent = indentation(parsed, symbol.full.start).unwrap_or_default();
    let after = format!("\n{}", gap(usual_gap(parsed, symbol.parent)));
    Slot { span: Span::new(start, start), before: String::new(), after, indent }
}

fn after(parsed: &Parsed, symbol: &Symbol) -> Slot {
    let end = symbol.full.end;
    let line = next_line(parsed, end);
    let rest = &parsed.source()[end..line];
    let comment = parsed.language().language().line_comment.as_bytes();
    let is_rest_owned = rest.trim_ascii().is_empty() || rest.trim_ascii().starts_with(comment);
    let at = if is_rest_owned { end + rest.trim_ascii_end().len() } else { end };
    let before = format!("\n{}", gap(usual_gap(parsed, symbol.parent)));
    let indent = indentation(parsed, symbol.full.start).unwrap_or_default();
    let after = if is_rest_owned { String::new() } else { "\n".to_owned() };
    Slot { span: Span::new(at, at), before, after, indent }
}

fn inside(
    parsed: &Parsed,
    symbol: &Symbol,
    index: Option<usize>,
    position: Position,
) -> Result<Slot, EditRefusal> {
    let refusal =
        || EditRefusal::NoContainer { symbol: symbol.path.clone(), kind: symbol.kind.as_str() };
    if !symbol.kind.is_container() {
        return Err(refusal());
    }
    let members: Vec<&Symbol> =
        parsed.outline().iter().filter(|member| member.parent == index).collect();
    match (position, members.first(), members.last()) {
        (Position::First, Some(first), _) if is_on_own_line(parsed, first) => {
            Ok(before(parsed, first))
        }
        (Position::Last, _, Some(last)) if is_on_own_line(parsed, last) => Ok(after(parsed, last)),
        _ => into_body(parsed, symbol).ok_or_else(refusal),
    }
}

fn is_on_own_line(parsed: &Parsed, symbol: &Symbol) -> bool {
    indentation(parsed, symbol.full.start).is_some()
}

/// The end of a body without members: before its closing brace or word, or below its last line.
fn into_body(parsed: &Parsed, symbol: &Symbol) -> Option<Slot> {
    let outer = indentation(parsed, symbol.code.start).unwrap_or_default();
    let indent = format!("{outer}{}", unit(parsed));
    let source = parsed.source();
    let Some(body) = symbol.body else {
        // A class without a body: only a closing word ends it.
        let end = symbol.code.end.checked_sub(3).filter(|at| source[*at..].starts_with(b"end"))?;
        let head = source[..end].trim_ascii_end().len();
        return Some(Slot {
            span: Span::new(head, end),
            before: "\n".to_owned(),
            after: format!("\n{outer}"),
            indent,
        });
    };
    if source[..body.end].ends_with(b"}") {
        let close = body.end - 1;
        let text_end = source[..close].trim_ascii_end().len();
        let is_empty = text_end == body.start + 1;
        let lines = if is_empty { 0 } else { usual_gap(parsed, None).min(1) };
        let before = format!("\n{}", gap(lines));
        return Some(Slot {
            span: Span::new(text_end, close),
            before,
            after: format!("\n{outer}"),
            indent,
        });
    }
    let (_, start) = blanks_before(parsed, body.end);
    let at = source[..body.end.max(start)].trim_ascii_end().len();
    Some(Slot { span: Span::new(at, at), before: "\n\n".to_owned(), after: String::new(), indent })
}
