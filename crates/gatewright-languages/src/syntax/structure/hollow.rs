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
        let is_hollow = lines_of_code(before, had) >= FEWEST;
        let line = after.lines().line(comment.start);
        is_hollow.then(|| (line, after.text(comment).trim().to_owned()))
    })
}

/// What stands behind the head of a symbol.
fn inside(symbol: &Symbol) -> Span {
    Span::new(symbol.head.end, symbol.full.end.max(symbol.head.end))
}

/// The first comment of a body that has no code, unless it says that there shall be none.
fn only_comment(parsed: &Parsed, symbol: &Symbol) -> Option<Span> {
    let span = inside(symbol);
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

fn lines_of_code(parsed: &Parsed, symbol: &Symbol) -> usize {
    let tokens = parsed.tokens_in(inside(symbol)).iter().filter(|token| is_code(parsed, token));
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
