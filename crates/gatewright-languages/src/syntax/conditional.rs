//! Definitions that something decides about, so that several may have one name.

use gatewright_model::Span;
use tree_sitter::Node;

use super::parsed::Parsed;
use super::symbol::Symbol;
use super::tokens::TokenClass;

/// Node kinds below which a definition is one of several that may come to be.
const BRANCHES: [&str; 10] = [
    "if_statement",
    "try_statement",
    "switch_statement",
    "match_statement",
    "case_statement",
    "if",
    "unless",
    "case",
    "begin",
    "if_modifier",
];

/// Whether a preprocessor or a branch decides about a definition inside of what it belongs to.
pub(super) fn is_conditional(parsed: &Parsed, symbol: &Symbol) -> bool {
    branch(parsed, symbol).is_some()
}

/// The branch that a definition comes to be in: the lines below one directive, or one block of a
/// statement. Two in the same one come to be together.
pub(super) fn branch(parsed: &Parsed, symbol: &Symbol) -> Option<Span> {
    let span = |node: Node<'_>| Span::new(node.start_byte(), node.end_byte());
    let parent = symbol.parent.and_then(|index| parsed.outline().get(index));
    let root = parsed.tree().root_node();
    let mut node = root.descendant_for_byte_range(symbol.code.start, symbol.code.end);
    let mut inner = symbol.code;
    while let Some(here) = node {
        let holds_parent = parent.is_some_and(|parent| here.start_byte() <= parent.head.start);
        if holds_parent {
            return None;
        }
        let kind = here.kind();
        if kind.starts_with("preproc_if") || kind.starts_with("preproc_el") {
            return Some(span(here));
        }
        if here.is_named() && BRANCHES.contains(&kind) {
            return Some(inner);
        }
        inner = span(here);
        node = here.parent();
    }
    None
}

/// The symbols that a preprocessor does not leave out, whatever is defined.
pub(super) fn live(parsed: &Parsed) -> impl Iterator<Item = &Symbol> {
    let dead = dead_regions(parsed);
    parsed.outline().iter().filter(move |symbol| !is_dead(&dead, symbol))
}

/// Whether a symbol stands in a region that is left out.
pub(super) fn is_dead(dead: &[Span], symbol: &Symbol) -> bool {
    dead.iter().any(|region| region.contains(symbol.code))
}

/// Whether directives decide about definitions in the language of a text.
pub(super) fn has_directives(parsed: &Parsed) -> bool {
    let grammar = (parsed.language().language().grammar)();
    grammar.id_for_node_kind("preproc_if", true) != 0
}

/// What a preprocessor always leaves out: the lines below `#if 0`, and all that stands below a
/// condition that nothing ends.
pub(super) fn dead_regions(parsed: &Parsed) -> Vec<Span> {
    let source = parsed.source();
    if !has_directives(parsed) {
        return Vec::new();
    }
    let mut dead = Vec::new();
    // Where each open condition starts, and whether what follows is left out.
    let mut open: Vec<(usize, bool)> = Vec::new();
    let mut offset = 0;
    for line in source.split_inclusive(|byte| *byte == b'\n') {
        let start = offset;
        offset += line.len();
        let Some((word, rest)) = directive(line).filter(|_| is_code(parsed, start)) else {
            continue;
        };
        match word.as_str() {
            "if" => open.push((start, matches!(rest.as_str(), "0" | "(0)" | "false"))),
            "ifdef" | "ifndef" => open.push((start, false)),
            "else" | "elif" | "elifdef" | "elifndef" | "endif" => {
                let Some((from, was_dead)) = open.pop() else { continue };
                dead.extend(was_dead.then(|| Span::new(from, start)));
                if word != "endif" {
                    open.push((start, false));
                }
            }
            _ => {}
        }
    }
    dead.extend(open.first().map(|(from, _)| Span::new(*from, source.len())));
    dead
}

/// The word of a directive and what follows it, a comment aside.
fn directive(line: &[u8]) -> Option<(String, String)> {
    let text = line.trim_ascii().strip_prefix(b"#")?;
    let text = String::from_utf8_lossy(text);
    let text = text.split("//").next()?.split("/*").next()?.trim();
    let end = text.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(text.len());
    let (word, rest) = text.split_at(end);
    Some((word.to_owned(), rest.trim().to_owned()))
}

/// Whether a line does not start inside a comment or a string.
fn is_code(parsed: &Parsed, start: usize) -> bool {
    let around = parsed.tokens_in(Span::new(start, start + 1)).iter();
    !around.filter(|token| token.class != TokenClass::Code).any(|token| token.span.start < start)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::LanguageId;

    fn left_out(language: LanguageId, text: &str) -> Vec<String> {
        let parsed = Parsed::new(language, text.as_bytes()).unwrap();
        dead_regions(&parsed).into_iter().map(|region| parsed.text(region)).collect()
    }

    #[test]
    fn what_no_condition_lets_in_is_left_out() {
        let c = |text| left_out(LanguageId::C, text);
        assert_eq!(c("#if 0\nint a;\n#else\nint b;\n#endif\n"), ["#if 0\nint a;\n"]);
        assert_eq!(c("#ifdef A\nint a;\n# if 0 // off\nint b;\n# endif\n#endif\n").len(), 1);
        assert_eq!(c("int a;\n#ifdef A\nint b;\n"), ["#ifdef A\nint b;\n"]);
        assert!(c("#if 1\nint a;\n#elif 0\nint b;\n#endif\n/*\n#if 0\n*/\n").is_empty());
        assert_eq!(left_out(LanguageId::CSharp, "#if false\nclass A { }\n#endif\n").len(), 1);
        assert!(left_out(LanguageId::JavaScript, "#if 0\n").is_empty());
    }
}
