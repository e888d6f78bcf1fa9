//! Whether a new name is free where it would stand. Nearly no server asks this.
//!
//! Three things are looked at: the symbols beside the renamed one; in every
//! place that changes and is a bare name, the names around it, up to the
//! function and the file; and the tokens in a bare name's own function. A name
//! behind a dot belongs to something else and is left alone.

use gatewright_model::Span;

use super::verify::places_of;
use crate::syntax::{Parsed, Symbol, TokenClass};

/// A name that is there already.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clash {
    /// The line number of it.
    pub line: usize,
    /// In which scope, for people.
    pub scope: String,
}

/// The symbol beside `symbol` that has the new name already.
pub fn sibling(parsed: &Parsed, symbol: &Symbol, new: &str) -> Option<Clash> {
    let parent = parent_path(&symbol.path);
    let has_it = |other: &&Symbol| {
        other.path != symbol.path
            && parent_path(&other.path) == parent
            && parsed.bytes(other.name_span) == new.as_bytes()
    };
    let other = parsed.outline().iter().find(has_it)?;
    let scope = if parent.is_empty() { "the same file".to_owned() } else { parent.to_owned() };
    Some(Clash { line: parsed.lines().line(other.name_span.start), scope })
}

/// A bare use of the new name that a renamed place would meet, or be caught by.
pub fn captured(parsed: &Parsed, text: &str, new: &str, renamed: &[usize]) -> Option<Clash> {
    let taken: Vec<usize> = places_of(parsed, text, new)
        .into_iter()
        .filter(|place| place.class == TokenClass::Code && !is_member(text, place.offset))
        .map(|place| place.offset)
        .collect();
    if taken.is_empty() {
        return None;
    }
    for offset in renamed.iter().filter(|offset| !is_member(text, **offset)) {
        let around = callables_around(parsed, *offset);
        let in_function = |at: &usize| around.iter().any(|(span, _)| span.range().contains(at));
        let at_top = |at: &usize| callables_around(parsed, *at).is_empty();
        if let Some(at) = taken.iter().find(|at| in_function(at) || at_top(at)) {
            let inner = around.iter().find(|(span, _)| span.range().contains(at));
            let scope = inner.map_or_else(|| "the file".to_owned(), |(_, name)| name.clone());
            return Some(Clash { line: parsed.lines().line(*at), scope });
        }
    }
    None
}

fn parent_path(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(parent, _)| parent)
}

/// Whether the name at an offset belongs to what stands before it.
fn is_member(text: &str, offset: usize) -> bool {
    let before = text.get(..offset).unwrap_or_default().trim_end();
    let is_range = before.ends_with("..");
    (before.ends_with('.') && !is_range) || before.ends_with("->") || before.ends_with("::")
}

/// The functions around an offset.
fn callables_around(parsed: &Parsed, offset: usize) -> Vec<(Span, String)> {
    let holds = |symbol: &&Symbol| {
        let body = Span::new(symbol.name_span.end.min(symbol.code.end), symbol.code.end);
        symbol.kind.is_callable() && body.range().contains(&offset)
    };
    let spanned = |symbol: &Symbol| (symbol.code, symbol.path.clone());
    parsed.outline().iter().filter(holds).map(spanned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lsp::project::occurrences;
    use crate::syntax::LanguageId;

    fn clash(language: LanguageId, text: &str) -> Option<usize> {
        let parsed = Parsed::new(language, text.as_bytes()).expect("a parse");
        let renamed: Vec<usize> = occurrences(text, "total").collect();
        captured(&parsed, text, "sum", &renamed).map(|clash| clash.line)
    }

    #[test]
    fn a_sibling_of_the_new_name_is_found_in_the_same_scope_only() {
        let text = "class A:\n    def total(self): pass\n    def sum(self): pass\n\nclass B:\n    def total(self): pass\n";
        let parsed = Parsed::new(LanguageId::Python, text.as_bytes()).expect("a parse");
        let symbol = |path: &str| {
            parsed.outline().iter().find(|symbol| symbol.path == path).expect("a symbol")
        };
        assert_eq!(sibling(&parsed, symbol("A/total"), "sum").map(|clash| clash.line), Some(3));
        assert_eq!(sibling(&parsed, symbol("B/total"), "sum"), None);
    }

    #[test]
    fn a_local_of_the_new_name_would_catch_the_call() {
        let caught = "def total(): pass\n\ndef f(sum):\n    return total() + sum\n";
        assert_eq!(clash(LanguageId::Python, caught), Some(3));
        let free =
            "def total(): pass\n\ndef f():\n    return total()\n\ndef g(sum):\n    return sum\n";
        assert_eq!(clash(LanguageId::Python, free), None);
    }

    #[test]
    fn an_import_of_the_new_name_clashes() {
        let text = "from m import sum\n\ndef f():\n    return total()\n";
        assert_eq!(clash(LanguageId::Python, text), Some(1));
    }

    #[test]
    fn members_of_other_things_do_not_clash() {
        let text = "def f(x):\n    return total() + x.sum\n";
        assert_eq!(clash(LanguageId::Python, text), None);
        let text = "fn f(x: X) { x.total(); let sum = 1; }\n";
        assert_eq!(clash(LanguageId::Rust, text), None);
    }

    #[test]
    fn words_in_comments_and_strings_do_not_clash() {
        let text = "def f():\n    # sum\n    return total() + 'sum'\n";
        assert_eq!(clash(LanguageId::Python, text), None);
    }
}
