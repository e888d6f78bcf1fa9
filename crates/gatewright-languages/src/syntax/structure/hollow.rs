//! Bodies of which an overwrite leaves nothing but a comment.
//!
//! Where several lines of code were and a comment is all that comes, the comment stands for
//! them, whatever its words are. One that says that nothing shall be there is believed.

use std::collections::BTreeSet;

use gatewright_model::Span;

use super::Versions;
use super::aftermath::twin;
use crate::syntax::parsed::Parsed;
use crate::syntax::symbol::Symbol;
use crate::syntax::tokens::{Token, TokenClass};

/// The fewest lines of code that a comment may stand for.
const FEWEST: usize = 2;

/// Words with which a comment says that a body is empty on purpose.
const ON_PURPOSE: [&str; 24] = [
    "abstract",
    "deliberately",
    "deprecated",
    "disabled",
    "elsewhere",
    "empty",
    "handled",
    "ignore",
    "ignored",
    "inherited",
    "intentionally",
    "longer",
    "moved",
    "needed",
    "noop",
    "nop",
    "nothing",
    "obsolete",
    "op",
    "override",
    "removed",
    "required",
    "supported",
    "unused",
];

/// The first comment that is all of a body that had code, with its line number.
pub(super) fn first(versions: &Versions<'_>) -> Option<(usize, String)> {
    hollowed(versions).next()
}

/// Whether a stretch of the result holds such a comment.
pub(super) fn is_in(versions: &Versions<'_>, span: Span) -> bool {
    let lines = versions.after.lines();
    let (first, last) = (lines.line(span.start), lines.line(span.end));
    hollowed(versions).any(|(line, _)| (first..=last).contains(&line))
}

fn hollowed<'a>(versions: &'a Versions<'_>) -> impl Iterator<Item = (usize, String)> + 'a {
    let (before, after) = (&versions.before, &versions.after);
    let functions = after.outline().iter().filter(|symbol| symbol.kind.is_callable());
    functions.filter_map(move |symbol| {
        let comment = only_comment(after, symbol)?;
        let had = twin(before, symbol)?;
        let is_hollow = has_lines(before, had);
        let line = after.lines().line(comment.start);
        is_hollow.then(|| (line, after.text(comment).trim().to_owned()))
    })
}

/// What stands behind the head of a symbol, with the comments that some grammars count to the
/// head because no statement comes before them.
fn inside(parsed: &Parsed, symbol: &Symbol) -> Span {
    let named = symbol.name_span.end.min(symbol.head.end);
    let head = parsed.tokens_in(Span::new(named, symbol.head.end));
    let is_trailing = |token: &&Token| {
        token.class == TokenClass::Comment
            || matches!(parsed.bytes(token.span), b"end" | b"" | b"\n")
    };
    let own = head.len() - head.iter().rev().take_while(is_trailing).count();
    let line = |offset: usize| parsed.lines().line(offset);
    let last = line(own.checked_sub(1).map_or(symbol.name_span.start, |at| head[at].span.start));
    let is_below = |token: &&Token| line(token.span.start) > last;
    let first = head[own..].iter().find(is_below).map(|token| token.span.start);
    let start = first.unwrap_or(symbol.head.end);
    Span::new(start, symbol.full.end.max(start))
}

/// The first comment of a body that has no code, unless it says that there shall be none.
fn only_comment(parsed: &Parsed, symbol: &Symbol) -> Option<Span> {
    let span = inside(parsed, symbol);
    let tokens = parsed.tokens_in(span);
    if tokens.iter().any(|token| is_code(parsed, token)) {
        return None;
    }
    let is_comment = |token: &&Token| token.class == TokenClass::Comment;
    let comments: Vec<Span> = tokens.iter().filter(is_comment).map(|token| token.span).collect();
    let says_so = |comment: &Span| {
        let text = parsed.text(*comment).to_lowercase();
        let mut words = text.split(|c: char| !c.is_alphanumeric());
        words.any(|word| ON_PURPOSE.contains(&word))
    };
    comments.first().copied().filter(|_| !comments.iter().any(says_so))
}

/// Whether a body has so much code that a comment could not stand for it unseen.
pub(super) fn has_lines(parsed: &Parsed, symbol: &Symbol) -> bool {
    lines_of_code(parsed, symbol) >= FEWEST
}

fn lines_of_code(parsed: &Parsed, symbol: &Symbol) -> usize {
    let tokens =
        parsed.tokens_in(inside(parsed, symbol)).iter().filter(|token| is_code(parsed, token));
    tokens.map(|token| parsed.lines().line(token.span.start)).collect::<BTreeSet<_>>().len()
}

/// Whether a token does something: signs and words that only make a block do not, nor does a
/// string that documents.
fn is_code(parsed: &Parsed, token: &Token) -> bool {
    const MARKS: [&[u8]; 10] = [b"", b"{", b"}", b";", b":", b"pass", b"...", b"do", b"end", b"="];
    match token.class {
        TokenClass::Comment => false,
        TokenClass::String => !parsed.language().language().indented,
        TokenClass::Code => !MARKS.contains(&parsed.bytes(token.span).trim_ascii()),
    }
}
