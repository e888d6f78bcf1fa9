//! Putting text beside a symbol or into it.

use gatewright_model::Span;

use super::layout::{
    behind_comma, blanks_before, indentation, indentation_inside, indented, line_end, line_start,
    next_line, usual_gap,
};
use super::spacing::{gap_beside, is_plain_text};
use super::verify::Others;
use super::{EditRefusal, Outcome, Position, given, list, verify};
use crate::syntax::parsed::Parsed;
use crate::syntax::symbol::{Symbol, SymbolKind};
use crate::syntax::tokens::TokenClass;

/// How many groups around a symbol are tried.
const GROUPS: usize = 4;

/// Where text goes: the bytes that make way, and what stands before and after it.
pub(super) struct Slot {
    pub(super) span: Span,
    pub(super) before: String,
    pub(super) after: String,
    pub(super) indent: String,
}

/// The file with `body` at `position`.
pub(super) fn plan(
    parsed: &Parsed,
    symbol: &Symbol,
    position: Position,
    body: &str,
) -> Result<Outcome, EditRefusal> {
    let body = given(parsed, body, symbol.full)?;
    let index = parsed.outline().iter().position(|other| std::ptr::eq(other, symbol));
    match position {
        Position::Before | Position::After => beside(parsed, symbol, position, &body),
        Position::First | Position::Last => into(parsed, (symbol, index), position, &body),
    }
}

/// Into the symbol, or, where that cannot be, among members that commas part.
fn into(
    parsed: &Parsed,
    (symbol, index): (&Symbol, Option<usize>),
    position: Position,
    body: &str,
) -> Result<Outcome, EditRefusal> {
    let listed = || {
        let places = list::places(parsed, symbol, position, body).into_iter();
        places.map(|(slot, text)| filled(parsed, &slot, &text, index)).find_map(Result::ok)
    };
    if let Some(outcome) = list::has_commas(parsed, symbol).then(&listed).flatten() {
        return Ok(outcome);
    }
    let slot = inside(parsed, (symbol, index), position, body)?;
    match filled(parsed, &slot, body, index) {
        Err(refusal @ EditRefusal::NewErrors { .. }) => listed().ok_or(refusal),
        outcome => outcome,
    }
}

/// Beside the symbol, or, where that cannot be, beside the group of declarations that it is in.
fn beside(
    parsed: &Parsed,
    symbol: &Symbol,
    position: Position,
    body: &str,
) -> Result<Outcome, EditRefusal> {
    if let Some(outcome) = at_an_end_of_a_line(parsed, symbol, position, body) {
        return Ok(outcome);
    }
    let lines = gap_beside(parsed, symbol, body);
    let slot = |span: Span, lines: usize| match position {
        Position::Before => before(parsed, span, lines),
        _ => after(parsed, span, lines),
    };
    let refusal = match filled(parsed, &slot(symbol.full, lines), body, symbol.parent) {
        Err(refusal @ EditRefusal::NewErrors { .. }) => refusal,
        outcome => return outcome,
    };
    let (place, text) = in_list(parsed, symbol, position, body);
    if let Ok(outcome) = filled(parsed, &place, &text, symbol.parent) {
        return Ok(outcome);
    }
    let groups = groups(parsed, symbol).into_iter();
    let lines = if is_plain_text(parsed, body) { lines } else { lines.max(1) };
    let mut tried = groups.map(|group| filled(parsed, &slot(group, lines), body, symbol.parent));
    tried.find_map(Result::ok).ok_or(refusal)
}

/// Before the first or after the last member of a container that stands on one line with it: the
/// members come to lines of their own.
fn at_an_end_of_a_line(
    parsed: &Parsed,
    symbol: &Symbol,
    position: Position,
    body: &str,
) -> Option<Outcome> {
    let index = symbol.parent.filter(|_| !is_on_own_line(parsed, symbol))?;
    let holder = &parsed.outline()[index];
    let mut members = parsed.outline().iter().filter(|member| member.parent == Some(index));
    let (end, place) = match position {
        Position::Before => (members.next(), Position::First),
        _ => (members.next_back(), Position::Last),
    };
    let is_end = end.is_some_and(|end| std::ptr::eq(end, symbol));
    let is_one_line = !parsed.bytes(holder.code).contains(&b'\n');
    if !is_end || !is_one_line || !holder.kind.is_container() {
        return None;
    }
    into(parsed, (holder, Some(index)), place, body).ok()
}

/// Beside a member of a list, with the comma that parts the two.
fn in_list(parsed: &Parsed, symbol: &Symbol, position: Position, body: &str) -> (Slot, String) {
    let body = body.trim_end().trim_end_matches(',');
    let comma = behind_comma(parsed, symbol.full.end);
    let lines = usual_gap(parsed, symbol.parent);
    if matches!(position, Position::Before) {
        return (before(parsed, symbol.full, lines), format!("{body},"));
    }
    let end = comma.unwrap_or(symbol.full.end);
    let mut slot = after(parsed, Span::new(symbol.full.start, end), lines);
    if comma.is_some() {
        return (slot, format!("{body},"));
    }
    slot.before.insert(0, ',');
    (slot, body.to_owned())
}

/// What stands around the symbol and begins a line, up to the body of the symbol around it.
fn groups(parsed: &Parsed, symbol: &Symbol) -> Vec<Span> {
    let within = match symbol.parent {
        Some(parent) => parsed.outline()[parent].body.unwrap_or(parsed.outline()[parent].code),
        None => Span::new(0, parsed.source().len()),
    };
    let root = parsed.tree().root_node();
    let first = root.descendant_for_byte_range(symbol.code.start, symbol.code.end);
    let around = std::iter::successors(first, |node| node.parent());
    let mut spans: Vec<Span> = around
        .filter(|node| node.parent().is_some())
        .map(|node| Span::new(node.start_byte(), node.end_byte()))
        .filter(|span| span.contains(symbol.code) && *span != symbol.code && *span != within)
        .filter(|span| within.contains(*span) && indentation(parsed, span.start).is_some())
        .collect();
    spans.dedup();
    spans.truncate(GROUPS);
    spans
}

/// The file with `body` as the first or the last thing of its own level.
pub(super) fn plan_in_file(
    parsed: &Parsed,
    position: Position,
    body: &str,
) -> Result<Outcome, EditRefusal> {
    let body = given(parsed, body, Span::new(0, 0))?;
    let mut members = parsed.outline().iter().filter(|symbol| symbol.parent.is_none());
    let is_first = matches!(position, Position::Before | Position::First);
    let member = if is_first { members.next() } else { members.next_back() };
    match member {
        Some(first) if is_first => match below_code(parsed, first, &body) {
            Some(slot) => filled(parsed, &slot, &body, None),
            None => beside(parsed, first, Position::Before, &body),
        },
        Some(last) => beside(parsed, last, Position::After, &body),
        None => filled(parsed, &at_end(parsed), &body, None),
    }
}

/// Below the last code above the first symbol, for text that defines nothing: an import among
/// the imports.
fn below_code(parsed: &Parsed, first: &Symbol, body: &str) -> Option<Slot> {
    let alone = Parsed::once(parsed.language(), body.as_bytes()).ok()?;
    let above = parsed.tokens_in(Span::new(0, first.full.start)).iter();
    let mut code = above.filter(|token| {
        token.class == TokenClass::Code && !parsed.bytes(token.span).trim_ascii().is_empty()
    });
    let last = code.next_back().filter(|_| alone.outline().is_empty())?.span.end;
    let rest = &parsed.source()[last..next_line(parsed, last)];
    let at = last + rest.trim_ascii_end().len();
    let (before, after, indent) = ("\n".to_owned(), String::new(), String::new());
    Some(Slot { span: Span::new(at, at), before, after, indent })
}

/// The end of a file without symbols.
fn at_end(parsed: &Parsed) -> Slot {
    let end = parsed.source().len();
    let text_end = parsed.source().trim_ascii_end().len();
    let gap = gap(usual_gap(parsed, None));
    let before = if text_end == 0 { String::new() } else { format!("\n{gap}") };
    let span = Span::new(text_end, end);
    // A file that holds text keeps its way to end.
    let is_ended = text_end == 0 || parsed.source().ends_with(b"\n");
    let after = if is_ended { "\n".to_owned() } else { String::new() };
    Slot { span, before, after, indent: String::new() }
}

fn filled(
    parsed: &Parsed,
    slot: &Slot,
    body: &str,
    holder: Option<usize>,
) -> Result<Outcome, EditRefusal> {
    let text = indented(body, &slot.indent, parsed.language());
    let text = format!("{}{text}{}", slot.before, slot.after);
    let text = text.replace('\n', line_end(parsed));
    let after = parsed.edited(slot.span, text.as_bytes())?;
    verify::no_new_errors(parsed, &after)?;
    verify::others_kept(parsed, &after, None, (holder, Others::Unchanged))?;
    verify::names_free(parsed, &after)?;
    Ok(Outcome { parsed: after, notes: Vec::new() })
}

fn gap(lines: usize) -> String {
    "\n".repeat(lines)
}

fn before(parsed: &Parsed, span: Span, lines: usize) -> Slot {
    let start = line_start(parsed, span.start);
    let indent = indentation(parsed, span.start).unwrap_or_default();
    let after = format!("\n{}", gap(lines));
    Slot { span: Span::new(start, start), before: String::new(), after, indent }
}

fn after(parsed: &Parsed, span: Span, lines: usize) -> Slot {
    let end = span.end;
    let line = next_line(parsed, end);
    let rest = &parsed.source()[end..line];
    let comment = parsed.language().language().line_comment.as_bytes();
    let is_rest_owned = rest.trim_ascii().is_empty() || rest.trim_ascii().starts_with(comment);
    let at = if is_rest_owned { end + rest.trim_ascii_end().len() } else { end };
    let before = format!("\n{}", gap(lines));
    let indent = indentation(parsed, span.start).unwrap_or_default();
    let after = if is_rest_owned { String::new() } else { "\n".to_owned() };
    Slot { span: Span::new(at, at), before, after, indent }
}

fn inside(
    parsed: &Parsed,
    (symbol, index): (&Symbol, Option<usize>),
    position: Position,
    body: &str,
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
            Ok(before(parsed, first.full, gap_beside(parsed, first, body)))
        }
        (Position::Last, _, Some(last)) if is_on_own_line(parsed, last) => {
            Ok(after(parsed, last.full, gap_beside(parsed, last, body)))
        }
        _ => into_body(parsed, symbol, position, body).ok_or_else(refusal),
    }
}

fn is_on_own_line(parsed: &Parsed, symbol: &Symbol) -> bool {
    indentation(parsed, symbol.full.start).is_some()
}

/// A place in a body without members on lines of their own: behind its opening brace, before its
/// closing brace or word, or below its last line.
fn into_body(parsed: &Parsed, symbol: &Symbol, position: Position, body: &str) -> Option<Slot> {
    let outer = indentation(parsed, symbol.code.start).unwrap_or_default();
    let indent = indentation_inside(parsed, symbol);
    let source = parsed.source();
    let lines = if is_plain_text(parsed, body) { 0 } else { usual_gap(parsed, None).min(1) };
    let Some(old) = symbol.body else { return without_body(parsed, symbol, (&outer, indent)) };
    let brace =
        memchr::memchr(b'{', parsed.bytes(old)).filter(|_| source[..old.end].ends_with(b"}"));
    if let Some(brace) = brace {
        let braces = Span::new(old.start + brace, old.end);
        return Some(between_braces(parsed, (braces, position), lines, (&outer, indent)));
    }
    let (_, start) = blanks_before(parsed, old.end);
    let at = source[..old.end.max(start)].trim_ascii_end().len();
    Some(below_block(parsed, Span::new(old.start, at), lines, indent))
}

/// Below the last line of a block that indentation ends. One on the line of its head comes to a
/// line of its own, and a statement that only fills it goes.
fn below_block(parsed: &Parsed, block: Span, lines: usize, indent: String) -> Slot {
    let head = parsed.source()[..block.start].trim_ascii_end().len();
    let held = parsed.text(block);
    let is_filled = parsed.bytes(block).trim_ascii() == b"pass";
    let is_beside_head = indentation(parsed, block.start).is_none();
    let (span, before) = match (is_filled, is_beside_head) {
        (true, _) => (Span::new(head, block.end), "\n".to_owned()),
        (false, true) => (Span::new(head, block.end), format!("\n{indent}{held}\n{}", gap(lines))),
        (false, false) => (Span::new(block.end, block.end), format!("\n{}", gap(lines))),
    };
    Slot { span, before, after: String::new(), indent }
}

/// A class without a body: before the word that ends it, or in braces that it gets in place of a
/// semicolon. A module that ends with one has its members in a file of its own.
fn without_body(parsed: &Parsed, symbol: &Symbol, (outer, indent): (&str, String)) -> Option<Slot> {
    let source = parsed.source();
    let open = parsed.bytes(symbol.code).strip_suffix(b";").map(|head| head.trim_ascii_end().len());
    if open.is_some() && symbol.kind == SymbolKind::Module {
        return None;
    }
    let end = symbol.code.end.checked_sub(3).filter(|at| source[*at..].starts_with(b"end"));
    let (span, before) = match end {
        Some(end) => {
            let head = source[..end].trim_ascii_end();
            let head = head.strip_suffix(b";").unwrap_or(head).len();
            (Span::new(head, end), "\n".to_owned())
        }
        None if parsed.language().language().line_comment == "//" => {
            let head = open.map_or(symbol.code.end, |head| symbol.code.start + head);
            (Span::new(head, symbol.code.end), " {\n".to_owned())
        }
        None => return None,
    };
    let after = if end.is_some() { format!("\n{outer}") } else { format!("\n{outer}}}") };
    Some(Slot { span, before, after, indent })
}

/// Between the braces of a body; what stands on their line gets one of its own.
fn between_braces(
    parsed: &Parsed,
    (body, position): (Span, Position),
    lines: usize,
    (outer, indent): (&str, String),
) -> Slot {
    let source = parsed.source();
    let (open, close) = (body.start + 1, body.end - 1);
    let inner = parsed.text(Span::new(open, close));
    let held = inner.trim();
    let end = format!("\n{outer}");
    let is_first = matches!(position, Position::First);
    if held.is_empty() || !inner.contains('\n') {
        let (before, after) = match (held.is_empty(), is_first) {
            (true, _) => ("\n".to_owned(), end),
            (false, true) => ("\n".to_owned(), format!("\n{}{indent}{held}{end}", gap(lines))),
            (false, false) => (format!("\n{indent}{held}\n{}", gap(lines)), end),
        };
        return Slot { span: Span::new(open, close), before, after, indent };
    }
    let begins_below = inner.lines().next().is_some_and(|line| line.trim().is_empty());
    if is_first && begins_below {
        let at = open + inner.lines().next().map_or(0, str::len);
        return Slot {
            span: Span::new(open, at),
            before: "\n".to_owned(),
            after: gap(lines),
            indent,
        };
    }
    let text_end = source[..close].trim_ascii_end().len();
    let before = format!("\n{}", gap(lines));
    Slot { span: Span::new(text_end, close), before, after: end, indent }
}
