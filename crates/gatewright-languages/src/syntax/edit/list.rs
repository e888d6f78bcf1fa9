//! Putting text into a container whose members are parted by commas: an enum, a struct of Rust,
//! an object that a name stands for.

use gatewright_model::Span;
use tree_sitter::Node;

use super::Position;
use super::insert::Slot;
use super::layout::{indentation, next_line, unit};
use crate::syntax::parsed::Parsed;
use crate::syntax::symbol::Symbol;

/// Whether commas part the members of a symbol.
pub(super) fn has_commas(parsed: &Parsed, symbol: &Symbol) -> bool {
    let has_comma = |braces: Node<'_>| {
        let mut cursor = braces.walk();
        braces.children(&mut cursor).any(|child| child.kind() == ",")
    };
    symbol.body.and_then(|body| node_at(parsed, body)).is_some_and(has_comma)
        || object(parsed, symbol).is_some()
}

/// The object that a name stands for: `{ … }` in `const table = { … };`.
fn object<'tree>(parsed: &'tree Parsed, symbol: &Symbol) -> Option<Node<'tree>> {
    let (name, root) = (symbol.name_span, parsed.tree().root_node());
    let named = root.descendant_for_byte_range(name.start, name.end)?.parent()?;
    let mut value = named.child_by_field_name("value").filter(|_| symbol.body.is_none())?;
    while matches!(value.kind(), "as_expression" | "satisfies_expression") {
        value = value.named_child(0)?;
    }
    (value.kind() == "object").then_some(value)
}

/// The places for a member with the text for each, the likeliest first.
pub(super) fn places(
    parsed: &Parsed,
    symbol: &Symbol,
    position: Position,
    body: &str,
) -> Vec<(Slot, String)> {
    let own = symbol.body.and_then(|body| node_at(parsed, body));
    let Some(braces) = own.or_else(|| object(parsed, symbol)) else { return Vec::new() };
    let mut cursor = braces.walk();
    let children: Vec<Node<'_>> = braces.named_children(&mut cursor).collect();
    let members = || children.iter().filter(|child| !child.is_extra());
    let text = body.trim_end().trim_end_matches([',', ';']);
    let outer = indentation(parsed, symbol.code.start).unwrap_or_default();
    let inline = !parsed.bytes(span(braces)).contains(&b'\n') && !text.contains('\n');
    let beside = children.iter().find_map(|child| indentation(parsed, child.start_byte()));
    let deeper = beside.filter(|own| own.len() > outer.len() && own.starts_with(&outer));
    let indent = match inline {
        true => String::new(),
        false => deeper.unwrap_or_else(|| format!("{outer}{}", unit(parsed))),
    };
    let list = List { parsed, is_inline: inline, indent };
    match position {
        Position::First => {
            // The comments above the first member are its own.
            let on_line = |child: &&Node<'_>| indentation(parsed, child.start_byte()).is_some();
            let first = children.iter().find(on_line).or_else(|| members().next());
            first.map(|first| list.before(*first, text)).into_iter().collect()
        }
        _ => {
            let after = members().rev().map(|member| list.after(*member, text));
            let behind = members().rev().map(|member| list.behind_all(*member, body));
            after.chain(behind).collect()
        }
    }
}

/// The node with exactly these bytes.
fn node_at(parsed: &Parsed, body: Span) -> Option<Node<'_>> {
    let node = parsed.tree().root_node().descendant_for_byte_range(body.start, body.end)?;
    (span(node) == body).then_some(node)
}

fn span(node: Node<'_>) -> Span {
    Span::new(node.start_byte(), node.end_byte())
}

struct List<'a> {
    parsed: &'a Parsed,
    is_inline: bool,
    indent: String,
}

impl List<'_> {
    fn before(&self, first: Node<'_>, text: &str) -> (Slot, String) {
        let start = first.start_byte();
        let own = indentation(self.parsed, start).filter(|_| !self.is_inline);
        let after = own.as_ref().map_or(" ".to_owned(), |indent| format!("\n{indent}"));
        let indent = own.unwrap_or_default();
        let span = Span::new(start - indent.len(), start);
        (Slot { span, before: String::new(), after, indent }, format!("{text},"))
    }

    fn after(&self, member: Node<'_>, text: &str) -> (Slot, String) {
        let source = self.parsed.source();
        let is_comma = |next: &Node<'_>| source[next.start_byte()..].starts_with(b",");
        let comma = member.next_sibling().filter(is_comma);
        let at = comma.map_or(member.end_byte(), |comma| comma.end_byte());
        let separator = if comma.is_some() { "" } else { "," };
        if self.is_inline {
            let (before, after, indent) = (format!("{separator} "), String::new(), String::new());
            return (Slot { span: Span::new(at, at), before, after, indent }, text.to_owned());
        }
        let span = Span::new(at, self.comment_end(at).unwrap_or(at));
        let before = format!("{separator}{}\n", self.parsed.text(span));
        let indent = indentation(self.parsed, member.start_byte()).unwrap_or(self.indent.clone());
        let trailing = if comma.is_some() { "," } else { "" };
        (Slot { span, before, after: String::new(), indent }, format!("{text}{trailing}"))
    }

    /// Behind the last member of a list that a semicolon ends, as in an enum with methods.
    fn behind_all(&self, member: Node<'_>, text: &str) -> (Slot, String) {
        let at = member.end_byte();
        let (before, indent) = (";\n\n".to_owned(), self.indent.clone());
        (Slot { span: Span::new(at, at), before, after: String::new(), indent }, text.to_owned())
    }

    /// Where the comment ends that is all that follows on a line.
    fn comment_end(&self, at: usize) -> Option<usize> {
        let source = self.parsed.source();
        let rest = &source[at..next_line(self.parsed, at)];
        let comment = self.parsed.language().language().line_comment.as_bytes();
        let is_comment = rest.trim_ascii_start().starts_with(comment);
        is_comment.then(|| at + rest.trim_ascii_end().len())
    }
}
