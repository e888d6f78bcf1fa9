//! Symbols by a piece of their own head: `func (s *Store) Get`, `pub fn get`, `f(int a)`.
//!
//! The words have to stand in the head as they are asked for, white space aside, so
//! that nothing is guessed.

use gatewright_model::Span;

use crate::syntax::parsed::Parsed;
use crate::syntax::symbol::Symbol;

/// The symbols whose heads hold the text, with their name in it; none for a mere name.
pub(super) fn symbols<'a>(parsed: &'a Parsed, asked: &str) -> Vec<&'a Symbol> {
    let asked = on_one_line(asked.trim());
    if !asked.contains([' ', '(']) {
        return Vec::new();
    }
    parsed.outline().iter().filter(|symbol| holds(parsed, symbol, &asked)).collect()
}

fn holds(parsed: &Parsed, symbol: &Symbol, asked: &str) -> bool {
    let name = parsed.text(symbol.name_span);
    let start = symbol.bare_start.min(symbol.name_span.start);
    let end = symbol.head.end.max(symbol.name_span.end);
    if name.is_empty() || !asked.contains(name.as_str()) {
        return false;
    }
    let before = on_one_line(&parsed.text(Span::new(start, symbol.name_span.start)));
    let behind = on_one_line(&parsed.text(Span::new(symbol.name_span.end, end)));
    asked.match_indices(name.as_str()).any(|(at, _)| {
        let (over, under) = (&asked[..at], &asked[at + name.len()..]);
        let above = before.strip_suffix(over);
        let below = behind.strip_prefix(under);
        let ends_word = above.is_some_and(|rest| !rest.ends_with(is_word));
        ends_word && below.is_some_and(|rest| !rest.starts_with(is_word))
    })
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The text with each stretch of white space as one blank.
fn on_one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for c in text.chars() {
        match c.is_whitespace() {
            true if line.ends_with(' ') => {}
            true => line.push(' '),
            false => line.push(c),
        }
    }
    line
}
