//! Comments that stand for code that was left out.
//!
//! A comment is an elision when nothing but elision is in it: an ellipsis
//! alone, or words such as "rest of the code unchanged". A sentence that only
//! mentions such words says something else and is none. Where the words alone
//! do not tell ("unchanged", "same as above"), code that is missing there does.

use std::collections::HashMap;

use gatewright_model::Span;

use super::aftermath::twin;
use super::elision_words::{Says, has_marker, says};
use crate::syntax::parsed::Parsed;
use crate::syntax::symbol::Symbol;
use crate::syntax::tokens::TokenClass;

/// A comment, or a line of one, that may stand for code.
struct Elision {
    /// Its line number.
    line: usize,
    text: String,
    /// Whether its words are enough.
    is_plain: bool,
}

/// The first elision of `after` that `before` does not have, with its line number.
pub(super) fn first_new(before: &Parsed, after: &Parsed) -> Option<(usize, String)> {
    let mut known: HashMap<String, usize> = HashMap::new();
    for elision in elisions(before) {
        *known.entry(elision.text).or_insert(0) += 1;
    }
    let is_new = |elision: &Elision| match known.get_mut(&elision.text) {
        Some(count) if *count > 0 => {
            *count -= 1;
            false
        }
        _ => true,
    };
    let new: Vec<Elision> = elisions(after).into_iter().filter(is_new).collect();
    new.into_iter()
        .find(|elision| {
            let is_alone = is_bare(after, elision.line);
            let is_enough = elision.is_plain && is_alone;
            let may_be = elision.is_plain || is_alone;
            is_enough || (may_be && lacks_code(before, after, elision.line))
        })
        .map(|elision| (elision.line, elision.text))
}

/// Whether a stretch of a text holds what may be an elision.
pub(super) fn is_in(parsed: &Parsed, span: Span) -> bool {
    let (first, last) = (parsed.lines().line(span.start), parsed.lines().line(span.end));
    elisions(parsed).iter().any(|elision| (first..=last).contains(&elision.line))
}

/// The innermost definition on this line.
pub(super) fn around(parsed: &Parsed, line: usize) -> Option<&Symbol> {
    let is_there = |symbol: &&Symbol| {
        let last = symbol.full.end.saturating_sub(1).max(symbol.full.start);
        (parsed.lines().line(symbol.full.start)..=parsed.lines().line(last)).contains(&line)
    };
    parsed.outline().iter().filter(is_there).min_by_key(|symbol| symbol.full.len())
}

/// Whether nothing but a comment stands on a line.
fn is_bare(after: &Parsed, line: usize) -> bool {
    let on_line = Span::new(after.lines().start(line), after.lines().start(line + 1));
    // Among markup a comment stands in braces; a body may need a statement that does nothing.
    let is_placeholder = |text: &[u8]| matches!(text, b"" | b"{" | b"}" | b"pass" | b"..." | b";");
    after.tokens_in(on_line).iter().all(|token| match token.class {
        TokenClass::Comment => true,
        TokenClass::String if docstring(after, line).is_some() => true,
        _ => is_placeholder(after.bytes(token.span).trim_ascii()),
    })
}

/// Whether the definition around a line, or the file, has less code than it had.
fn lacks_code(before: &Parsed, after: &Parsed, line: usize) -> bool {
    let Some(mut now) = around(after, line) else {
        return is_less(before, after);
    };
    // A comment above a definition may stand for what was above it in the one around.
    if line < after.lines().line(now.code.start) {
        now = now.parent.map_or(now, |parent| &after.outline()[parent]);
    }
    match twin(before, now) {
        Some(had) => code_in(after, now.code) < code_in(before, had.code),
        // Where the text did not parse, what it was is nobody's own.
        None => before.first_error().is_some() && is_less(before, after),
    }
}

/// Whether a text has less code than it had; where it did not parse, of which there may be no
/// tokens, whether it has fewer lines.
fn is_less(before: &Parsed, after: &Parsed) -> bool {
    let whole = |parsed: &Parsed| Span::new(0, parsed.source().len());
    let lines = |parsed: &Parsed| {
        let all = parsed.source().split(|byte| *byte == b'\n');
        all.filter(|line| !line.trim_ascii().is_empty()).count()
    };
    let is_unseen = before.tree().root_node().has_error() && lines(after) < lines(before);
    is_unseen || code_in(after, whole(after)) < code_in(before, whole(before))
}

fn code_in(parsed: &Parsed, span: Span) -> usize {
    let tokens = parsed.tokens_in(span).iter();
    tokens.filter(|token| token.class != TokenClass::Comment).count()
}

/// What a string says that is all that stands on a line, where strings may document.
fn docstring(parsed: &Parsed, line: usize) -> Option<String> {
    let span = Span::new(parsed.lines().start(line), parsed.lines().start(line + 1));
    let text = parsed.text(span);
    let inside = |mark| text.trim().strip_prefix(mark).and_then(|text| text.strip_suffix(mark));
    let inner = ["\"\"\"", "'''"].into_iter().find_map(inside)?;
    parsed.language().language().indented.then(|| inner.to_owned())
}

/// Docstrings that may stand for the body below them.
fn docstring_elisions(parsed: &Parsed) -> Vec<Elision> {
    let strings = parsed.tokens().iter().filter(|token| token.class == TokenClass::String);
    let mut lines: Vec<usize> =
        strings.map(|token| parsed.lines().line(token.span.start)).collect();
    lines.dedup();
    let elision = |line: usize| {
        let text = docstring(parsed, line).filter(|text| says(text) != Says::Other)?;
        Some(Elision { line, text, is_plain: false })
    };
    lines.into_iter().filter_map(elision).collect()
}

fn elisions(parsed: &Parsed) -> Vec<Elision> {
    let mut found = bare_elisions(parsed);
    if parsed.language().language().indented {
        found.extend(docstring_elisions(parsed));
    }
    for token in parsed.tokens() {
        if token.class == TokenClass::Comment {
            found.extend(elisions_in(parsed, token.span));
        }
    }
    found.sort_by(|one, other| (one.line, &one.text).cmp(&(other.line, &other.text)));
    found.dedup_by(|one, other| (one.line, &one.text) == (other.line, &other.text));
    found
}

fn elisions_in(parsed: &Parsed, span: Span) -> Vec<Elision> {
    let first_line = parsed.lines().line(span.start);
    let text = parsed.text(span);
    let elision = |(index, line): (usize, &str)| {
        let said = says(line);
        let is_plain = said == Says::LeftOut;
        let (line, text) = (first_line + index, line.trim().to_owned());
        (said != Says::Other).then_some(Elision { line, text, is_plain })
    };
    text.lines().enumerate().filter_map(elision).collect()
}

/// Lines of plain text that start with an ellipsis where code should be, and comments that the
/// parser, having lost its way, does not see as such.
fn bare_elisions(parsed: &Parsed) -> Vec<Elision> {
    let mut found = Vec::new();
    let has_errors = parsed.tree().root_node().has_error();
    let mut offset = 0;
    for (index, line) in parsed.source().split_inclusive(|byte| *byte == b'\n').enumerate() {
        let text = String::from_utf8_lossy(line);
        let text = text.trim();
        let starts_bare =
            ["...", "…", "[...", "<...", "(..."].iter().any(|mark| text.starts_with(mark));
        let span = Span::new(offset, offset + line.len());
        offset += line.len();
        let is_in_string =
            || parsed.tokens_in(span).iter().any(|token| token.class == TokenClass::String);
        let is_bare = starts_bare && has_marker(text) && says(text) == Says::LeftOut;
        let is_unseen = text.starts_with(parsed.language().language().line_comment)
            && says(text) != Says::Other
            && has_errors
            && parsed.tokens_in(span).iter().all(|token| token.class == TokenClass::Code);
        if is_unseen || (is_bare && !is_in_string()) {
            let is_plain = says(text) == Says::LeftOut;
            found.push(Elision { line: index + 1, text: text.to_owned(), is_plain });
        }
    }
    found
}
