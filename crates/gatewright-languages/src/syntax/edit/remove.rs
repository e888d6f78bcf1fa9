//! Taking a symbol out with all that it owns.

use gatewright_model::Span;

use super::layout::{
    behind_comma, blanks_after, blanks_before, indentation, line_end, line_start, next_line,
    text_start,
};
use super::verify::Others;
use super::{EditRefusal, Outcome, one_of_several, verify};
use crate::syntax::parsed::Parsed;
use crate::syntax::symbol::Symbol;

/// The file without the symbol: the larger of the gaps around it stays, none at the edges of a
/// container, and a container that needs a statement gets one.
pub(super) fn plan(parsed: &Parsed, symbol: &Symbol) -> Result<Outcome, EditRefusal> {
    only_its_own(parsed, symbol)?;
    let mut last = None;
    let mut ways: Vec<(Span, String, Others)> = candidates(parsed, symbol)
        .into_iter()
        .map(|(span, filler)| (span, filler, Others::Unchanged))
        .collect();
    if let Some(span) = one_of_several::stretch(parsed, symbol) {
        // Where its code is all of the declaration, the other names would go with it.
        if symbol.code.end > span.end {
            ways.clear();
        }
        let is_first_on_its_line = indentation(parsed, symbol.full.start).is_some();
        let place = if is_first_on_its_line { ways.len() } else { 0 };
        ways.insert(place, (span, String::new(), Others::MayOwnMore));
    }
    for (span, filler, others) in ways {
        let (span, filler) = without_new_line_end(parsed, span, filler);
        let after = parsed.edited(span, filler.as_bytes())?;
        let checked = verify::no_new_errors(parsed, &after)
            .and_then(|()| verify::others_kept(parsed, &after, Some(symbol), (None, others)));
        match checked {
            Ok(()) => return Ok(Outcome { parsed: after, notes: Vec::new() }),
            Err(refusal) => last = Some(refusal),
        }
    }
    Err(last.unwrap_or(EditRefusal::EmptyBody))
}

/// Refuses where one declaration gives several names to one text, as in `var x, y = f()`: nothing
/// of it belongs to one name alone.
fn only_its_own(parsed: &Parsed, symbol: &Symbol) -> Result<(), EditRefusal> {
    let (name, root) = (symbol.name_span, parsed.tree().root_node());
    let Some(declaration) =
        root.descendant_for_byte_range(name.start, name.end).and_then(|node| node.parent())
    else {
        return Ok(());
    };
    let mut cursor = declaration.walk();
    let names = declaration.children_by_field_name("name", &mut cursor);
    let others = names.filter(|other| other.is_named() && other.byte_range() != name.range());
    let symbols: Vec<String> =
        others.map(|other| parsed.text(Span::new(other.start_byte(), other.end_byte()))).collect();
    if symbols.is_empty() { Ok(()) } else { Err(EditRefusal::OthersChange { symbols }) }
}

/// The same without the line end that the file would get at its end and did not have.
fn without_new_line_end(parsed: &Parsed, span: Span, filler: String) -> (Span, String) {
    let source = parsed.source();
    if span.end < source.len() || source.ends_with(b"\n") {
        return (span, filler);
    }
    let ends = |text: &str| {
        text.strip_suffix('\n').map(|text| text.len() - usize::from(text.ends_with('\r')))
    };
    if let Some(length) = ends(&filler) {
        return (span, filler[..length].to_owned());
    }
    let above = source[..span.start].strip_suffix(b"\n").filter(|_| filler.is_empty());
    let start = above.map_or(span.start, |text| text.strip_suffix(b"\r").unwrap_or(text).len());
    (Span::new(start, span.end), filler)
}

/// The stretches to take out, the best first. The comma behind a member of a list goes with it:
/// a grammar may take one that stands alone, and the language does not.
fn candidates(parsed: &Parsed, symbol: &Symbol) -> Vec<(Span, String)> {
    let end = behind_comma(parsed, symbol.full.end).unwrap_or(symbol.full.end);
    ways_to_take(parsed, symbol, Span::new(symbol.full.start, end))
}

fn ways_to_take(parsed: &Parsed, symbol: &Symbol, full: Span) -> Vec<(Span, String)> {
    let Some(indent) = indentation(parsed, full.start) else {
        let span = between_braces(parsed, full).or_else(|| with_comma_before(parsed, full));
        return vec![(span.unwrap_or(full), String::new())];
    };
    let rest_end = next_line(parsed, full.end);
    let rest = &parsed.source()[full.end..rest_end];
    if !rest.iter().all(u8::is_ascii_whitespace) {
        // Something else stands on the last line, so the lines stay.
        return vec![(full, String::new())];
    }
    let end = line_end(parsed);
    let start = line_start(parsed, full.start);
    let (above, from) = blanks_before(parsed, start);
    let (below, to) = blanks_after(parsed, rest_end);
    let is_edge = is_opened_above(parsed, symbol, from) || is_closed_below(parsed, symbol, to);
    let kept = if from == text_start(parsed) || to == parsed.source().len() || is_edge {
        0
    } else {
        above.max(below)
    };
    if is_only_statement(parsed, symbol) {
        return vec![(Span::new(start, rest_end), format!("{indent}pass{end}"))];
    }
    let around = Span::new(from, to);
    let largest = above.max(below).max(1);
    // Where what stands around would run together, a blank line stays, or all of them do.
    vec![
        (around, end.repeat(kept)),
        (around, end.repeat(largest)),
        (Span::new(start, rest_end), String::new()),
    ]
}

/// The last member of a list on one line goes with the comma that joined it to the others.
fn with_comma_before(parsed: &Parsed, full: Span) -> Option<Span> {
    let source = parsed.source();
    let before = source[..full.start].trim_ascii_end().strip_suffix(b",")?;
    let is_last = source[full.end..].trim_ascii_start().starts_with(b"}");
    is_last.then(|| Span::new(before.trim_ascii_end().len(), full.end))
}

/// All that stands between two braces of one line, where that is the stretch and blanks.
fn between_braces(parsed: &Parsed, full: Span) -> Option<Span> {
    let source = parsed.source();
    let start = source[..full.start].trim_ascii_end().len();
    let rest = &source[full.end..];
    let end = full.end + (rest.len() - rest.trim_ascii_start().len());
    let is_between = source[..start].ends_with(b"{") && source[end..].starts_with(b"}");
    is_between.then(|| Span::new(start, end))
}

/// Whether an indented block would be empty without the symbol.
fn is_only_statement(parsed: &Parsed, symbol: &Symbol) -> bool {
    if !parsed.language().language().indented {
        return false;
    }
    let root = parsed.tree().root_node();
    let Some(mut node) = root.descendant_for_byte_range(symbol.code.start, symbol.code.end) else {
        return false;
    };
    while node.kind() != "block" && node.start_byte() >= symbol.code.start {
        match node.parent() {
            Some(parent) => node = parent,
            None => return false,
        }
    }
    let mut cursor = node.walk();
    let mut statements = node.named_children(&mut cursor).filter(|child| !child.is_extra());
    node.kind() == "block" && statements.all(|child| child.start_byte() == symbol.code.start)
}

/// Whether the line before the gap opens the container of the symbol.
fn is_opened_above(parsed: &Parsed, symbol: &Symbol, from: usize) -> bool {
    let Some(body) = symbol.parent.and_then(|parent| parsed.outline()[parent].body) else {
        // A group of declarations.
        return parsed.source()[..from].trim_ascii_end().ends_with(b"(");
    };
    match parsed.source().get(body.start..from) {
        Some(text) => {
            let text = text.trim_ascii();
            text.is_empty() || text == b"{"
        }
        // Without braces a body starts with its first statement; a comment may stand before it.
        None => {
            let above = parsed.source()[..from].trim_ascii_end();
            let line = &above[memchr::memrchr(b'\n', above).map_or(0, |at| at + 1)..];
            let comment = parsed.language().language().line_comment.as_bytes();
            !line.trim_ascii_start().starts_with(comment)
        }
    }
}

/// Whether the line after the gap closes the container of the symbol.
fn is_closed_below(parsed: &Parsed, symbol: &Symbol, to: usize) -> bool {
    let Some(body) = symbol.parent.and_then(|parent| parsed.outline()[parent].body) else {
        return parsed.source()[to..].trim_ascii_start().starts_with(b")");
    };
    let rest = parsed.source().get(to..body.end).unwrap_or_default().trim_ascii();
    !parsed.language().language().indented && (rest.is_empty() || rest == b"}")
}
