//! A comment, a long string or a bracket that an edit opens and does not close.
//!
//! To the language all that stands behind it is gone. A parser that mends what it
//! reads goes on behind the mark as if nothing had happened, so the marks are counted:
//! those of the language, where they do not stand in a comment or a string of one line,
//! the quotes that the parser leaves aside, and where indentation ends a body the brackets,
//! which switch it off.

use gatewright_model::{EditShape, LostDefinition, Span, Structural, StructureProblem};

use super::Versions;
use super::aftermath::{has_new_errors, is_local, lost_definition};
use super::calls::changed;
use crate::syntax::parsed::Parsed;
use crate::syntax::tokens::{Token, TokenClass};

/// The definitions behind the mark, if there is one and any are.
pub(super) fn problem(versions: &Versions<'_>) -> Option<StructureProblem> {
    let is_more = open_marks(&versions.after)
        .into_iter()
        .zip(open_marks(&versions.before))
        .any(|(now, before)| now > before);
    if !is_more || !has_new_errors(versions) {
        return None;
    }
    let place = changed(versions).start;
    let symbols = versions.before.outline();
    let behind = symbols.iter().filter(|symbol| symbol.structural && symbol.code.start >= place);
    let definitions: Vec<LostDefinition> = behind
        .filter(|symbol| !is_local(symbols, symbol))
        .map(|symbol| lost_definition(&versions.before, symbol))
        .collect();
    if definitions.is_empty() {
        return None;
    }
    Some(StructureProblem {
        line: u32::try_from(versions.before.lines().line(place)).ok(),
        symbol: None,
        shape: EditShape::Replace,
        call: None,
        found: Structural::Splice { definitions },
    })
}

/// How many marks of each kind a text leaves open.
fn open_marks(parsed: &Parsed) -> Vec<usize> {
    let language = parsed.language().language();
    // The first line starts as every other one does.
    let text = [b"\n", parsed.source()].concat();
    let quoted = quoted(parsed);
    let count = |mark: &str| {
        let found = memchr::memmem::find_iter(&text, mark.as_bytes());
        found.filter(|at| !holds(&quoted, at.saturating_sub(1), mark.len())).count()
    };
    let left_open = |(open, close): &(&str, &str)| {
        if open == close { count(open) % 2 } else { count(open).saturating_sub(count(close)) }
    };
    let mut marks: Vec<usize> = language.long_marks.iter().map(left_open).collect();
    marks.push(stray_quotes(parsed));
    if language.indented {
        marks.extend(open_brackets(parsed));
    }
    marks
}

/// How many brackets of each kind a text leaves open.
fn open_brackets(parsed: &Parsed) -> [usize; 3] {
    let code = || parsed.tokens().iter().filter(|token| token.class == TokenClass::Code);
    let count = |sign: &[u8]| code().filter(|token| parsed.bytes(token.span) == sign).count();
    let left_open = |open: &[u8], close: &[u8]| count(open).saturating_sub(count(close));
    [left_open(b"(", b")"), left_open(b"[", b"]"), left_open(b"{", b"}")]
}

/// How many errors of the parse start with a quote that may reach over lines.
fn stray_quotes(parsed: &Parsed) -> usize {
    let quotes = parsed.language().language().long_quotes;
    let mut count = 0;
    if quotes.is_empty() {
        return count;
    }
    parsed.visit(|node, _| {
        if node.is_error() {
            let text = parsed.bytes(Span::new(node.start_byte(), node.end_byte()));
            count += usize::from(quotes.iter().any(|quote| text.starts_with(quote.as_bytes())));
        }
        node.has_error()
    });
    count
}

/// The text of strings and comments of one line, in order: a mark inside it marks nothing.
fn quoted(parsed: &Parsed) -> Vec<Span> {
    let line_comment = parsed.language().language().line_comment.as_bytes();
    let all = Span::new(0, parsed.source().len());
    let is_quoted = |token: &&Token| {
        let text = parsed.bytes(token.span);
        let is_text = match token.class {
            TokenClass::String => !token.is_literal,
            TokenClass::Comment => text.starts_with(line_comment),
            TokenClass::Code => false,
        };
        is_text && !text.contains(&b'\n')
    };
    parsed.tokens_in(all).iter().filter(is_quoted).map(|token| token.span).collect()
}

/// Whether one of the spans holds a mark and more than it; a token that is only the mark may well
/// be the end of a string.
fn holds(quoted: &[Span], start: usize, length: usize) -> bool {
    let before = quoted.partition_point(|span| span.start <= start);
    let around = before.checked_sub(1).map(|index| quoted[index]);
    around.is_some_and(|span| start + length <= span.end && length < span.len())
}
