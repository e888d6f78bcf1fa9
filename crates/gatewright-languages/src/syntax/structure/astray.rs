//! Definitions where the parser lost its way: a keyword of the language with a name behind it, or
//! a line of a script that can only be a head.
//!
//! They are no symbols, because nothing there is. What becomes of them is told by the words
//! alone, which may err, and then on refusing.

use std::collections::{HashMap, HashSet};

use gatewright_model::{LostDefinition, Span};

use super::unsaid;
use crate::syntax::parsed::Parsed;
use crate::syntax::tokens::TokenClass;

/// The head of a definition that is no symbol.
#[derive(Debug)]
pub(super) struct Head {
    keyword: &'static str,
    name: String,
    /// From the keyword, where there is one, to the end of the name.
    pub(super) span: Span,
    /// Whether no keyword says that it is one.
    is_unsaid: bool,
}

/// Those of a text, in order; none where it parses.
pub(super) fn heads(parsed: &Parsed) -> Vec<Head> {
    let astray = errors(parsed);
    if astray.is_empty() {
        return Vec::new();
    }
    let symbols = parsed.outline().iter();
    let known: HashSet<usize> = symbols
        .flat_map(|symbol| {
            let keyword = symbol.keyword.as_ref().map(|keyword| keyword.span.start);
            keyword.into_iter().chain([symbol.name_span.start])
        })
        .collect();
    let is_astray = |head: &Head| {
        astray.iter().any(|error| error.contains(head.span)) && !known.contains(&head.span.start)
    };
    let mut heads: Vec<Head> = pairs(parsed).filter(is_astray).collect();
    heads.sort_by_key(|head| head.span.start);
    heads
}

/// The definitions that `after` names less often than `before` does, and that are no symbols.
pub(super) fn lost(before: &Parsed, after: &Parsed) -> Vec<LostDefinition> {
    let heads = heads(before);
    if heads.is_empty() {
        return Vec::new();
    }
    let (had, has) = (counts(before), counts(after));
    let count = |of: &HashMap<(&str, String), usize>, head: &Head| {
        of.get(&(head.keyword, head.name.clone())).copied().unwrap_or(0)
    };
    let is_named = |name: &str| after.outline().iter().any(|symbol| symbol.name == name);
    let is_lost = |head: &Head| {
        count(&has, head) < count(&had, head) && !(head.is_unsaid && is_named(&head.name))
    };
    let lost = heads.into_iter().filter(is_lost).map(|head| LostDefinition {
        kind: head.keyword.to_owned(),
        line: u32::try_from(before.lines().line(head.span.start)).unwrap_or(u32::MAX),
        symbol: head.name,
    });
    lost.collect()
}

fn counts(parsed: &Parsed) -> HashMap<(&'static str, String), usize> {
    let mut counts = HashMap::new();
    for head in pairs(parsed) {
        *counts.entry((head.keyword, head.name)).or_insert(0) += 1;
    }
    counts
}

/// The stretches that no rule of the grammar takes.
fn errors(parsed: &Parsed) -> Vec<Span> {
    let mut found = Vec::new();
    parsed.visit(|node, _| {
        if node.is_error() {
            found.push(Span::new(node.start_byte(), node.end_byte()));
        }
        node.has_error() && !node.is_error()
    });
    found
}

/// Each keyword with a name behind it and each line that is a head without one, by the text: where the parser lost its way there may be no
/// tokens at all.
fn pairs(parsed: &Parsed) -> impl Iterator<Item = Head> + '_ {
    let keywords = parsed.language().language().keywords.iter();
    let said = keywords.flat_map(move |keyword| {
        let found = memchr::memmem::find_iter(parsed.source(), keyword);
        found.filter_map(move |start| pair(parsed, keyword, start))
    });
    let unsaid = unsaid::lines(parsed).into_iter().filter(|(_, span)| !is_text(parsed, *span));
    said.chain(unsaid.map(|(keyword, span)| Head {
        keyword,
        name: parsed.text(span),
        span,
        is_unsaid: true,
    }))
}

fn pair(parsed: &Parsed, keyword: &'static str, start: usize) -> Option<Head> {
    let source = parsed.source();
    let is_word =
        |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || *byte >= 0x80;
    let rest = &source[start + keyword.len()..];
    let gap = rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    let length = rest[gap..].iter().take_while(|byte| is_word(byte)).count();
    let is_whole = !source[..start].last().is_some_and(is_word);
    let is_name = gap > 0 && length > 0 && !rest[gap].is_ascii_digit();
    let span = Span::new(start, start + keyword.len() + gap + length);
    // The name of a type that only stands in a declaration has a sign behind it.
    let next = source[span.end..].trim_ascii_start().first();
    let is_mention = next.is_some_and(|next| b"*&),;>.".contains(next));
    (is_whole && is_name && !is_mention && !is_text(parsed, span)).then(|| Head {
        keyword,
        name: parsed.text(Span::new(span.end - length, span.end)),
        span,
        is_unsaid: false,
    })
}

/// Whether a stretch is in a comment or a string, as far as that can be told.
fn is_text(parsed: &Parsed, span: Span) -> bool {
    let start = parsed.lines().start(parsed.lines().line(span.start));
    let line = parsed.bytes(Span::new(start, span.start)).trim_ascii_start();
    let comment = parsed.language().language().line_comment.as_bytes();
    line.starts_with(comment)
        || line.starts_with(b"*")
        || parsed.tokens_in(span).iter().any(|token| token.class != TokenClass::Code)
}
