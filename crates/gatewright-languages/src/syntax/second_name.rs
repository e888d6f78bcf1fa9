//! The other names of a type: those that a `typedef` gives to a struct that has one already.

use gatewright_model::Span;

use super::parsed::Parsed;
use super::symbol::Symbol;
use super::tokens::TokenClass;

/// Where the names stand that a `typedef` around a named type gives to it.
///
/// `typedef struct node {…} node_t, *node_p;` is one definition with three names. The first is
/// the symbol's own; this gives the others.
pub(super) fn second_names(parsed: &Parsed, symbol: &Symbol) -> Vec<Span> {
    let Some(body) = symbol.body.filter(|body| body.end < symbol.code.end) else {
        return Vec::new();
    };
    if !symbol.kind.is_type() || !parsed.bytes(symbol.code).starts_with(b"typedef") {
        return Vec::new();
    }
    let tail = Span::new(body.end, symbol.code.end);
    let mut depth = 0usize;
    let mut names = Vec::new();
    for token in parsed.tokens_in(tail).iter().filter(|token| token.class == TokenClass::Code) {
        match parsed.bytes(token.span) {
            b"(" | b"[" => depth += 1,
            b")" | b"]" => depth = depth.saturating_sub(1),
            [first, ..] if depth == 0 && (first.is_ascii_alphabetic() || *first == b'_') => {
                names.push(token.span);
            }
            _ => {}
        }
    }
    names.retain(|name| *name != symbol.name_span);
    names
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::LanguageId;

    fn names(text: &str) -> Vec<String> {
        let parsed = Parsed::new(LanguageId::C, text.as_bytes()).unwrap();
        let symbols = parsed.outline().iter();
        symbols
            .flat_map(|symbol| second_names(&parsed, symbol))
            .map(|span| parsed.text(span))
            .collect()
    }

    #[test]
    fn a_typedef_gives_further_names() {
        assert_eq!(names("typedef struct a { int x; } b, *c;\n"), ["b", "c"]);
        assert_eq!(names("typedef enum a { X } b;\n"), ["b"]);
        assert_eq!(names("typedef struct a { int x; } b[SIZE];\n"), ["b"]);
    }

    #[test]
    fn a_variable_and_the_only_name_are_none() {
        assert!(names("struct a { int x; } b;\n").is_empty());
        assert!(names("typedef struct { int x; } b;\n").is_empty());
        assert!(names("struct a { int x; };\n").is_empty());
    }
}
