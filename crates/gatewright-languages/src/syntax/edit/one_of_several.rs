//! One of several variables of a declaration: `a` in `const a = 1, b = 2;`.
//!
//! It goes with the comma that joins it to the others, and the declaration
//! stays. The last one that is left then owns all of the declaration.

use gatewright_model::Span;
use tree_sitter::Node;

use crate::syntax::parsed::Parsed;
use crate::syntax::symbol::Symbol;

/// The stretch that takes a variable out; `None` where it is the only one, or where something
/// else than its comma would go.
pub(super) fn stretch(parsed: &Parsed, symbol: &Symbol) -> Option<Span> {
    let own = declarator(parsed, symbol)?;
    let list = own.parent()?;
    let mut cursor = list.walk();
    let all: Vec<Node<'_>> =
        list.children(&mut cursor).filter(|child| child.kind() == own.kind()).collect();
    let index = all.iter().position(|child| child.id() == own.id())?;
    // A symbol that is all of the declaration owns no more of it than its own variable.
    let holds_all = all.last().is_some_and(|last| symbol.code.end > last.end_byte())
        && all.first().is_some_and(|first| symbol.code.start < first.start_byte());
    let start = if holds_all && all.len() > 1 { own.start_byte() } else { symbol.full.start };
    let start = start.min(own.start_byte());
    if let Some(next) = all.get(index + 1) {
        let end = owned_start(parsed, *next);
        let between = parsed.text(Span::new(own.end_byte(), end.max(own.end_byte())));
        let behind = between.trim_start().strip_prefix(',')?;
        // A comment on the same line is about this one; what follows is not.
        let below = behind.split_once('\n').map_or(behind, |(_, below)| below);
        return below.trim().is_empty().then(|| Span::new(start, end));
    }
    let before = all.get(index.checked_sub(1)?)?;
    let between = Span::new(before.end_byte().min(start), start);
    let is_comma = parsed.text(between).trim() == ",";
    is_comma.then(|| Span::new(between.start, own.end_byte()))
}

/// The node of a variable in a declaration that has several.
fn declarator<'tree>(parsed: &'tree Parsed, symbol: &Symbol) -> Option<Node<'tree>> {
    let wrappers = parsed.language().language().wrappers;
    let name = symbol.name_span;
    let mut node = parsed.tree().root_node().descendant_for_byte_range(name.start, name.end)?;
    loop {
        let parent = node.parent()?;
        if node.start_byte() < symbol.code.start {
            return None;
        }
        // A field may be the whole declaration, whose first name stands for it.
        let is_whole = parent.start_byte() == symbol.code.start && !is_alone(parent, node);
        if wrappers.contains(&parent.kind()) || (is_whole && node.kind() == "variable_declarator") {
            return (parent.start_byte() < symbol.code.start || !is_alone(parent, node))
                .then_some(node);
        }
        node = parent;
    }
}

fn is_alone(list: Node<'_>, node: Node<'_>) -> bool {
    let mut cursor = list.walk();
    list.children(&mut cursor).filter(|child| child.kind() == node.kind()).count() == 1
}

/// Where what belongs to a variable starts, its comments included.
fn owned_start(parsed: &Parsed, node: Node<'_>) -> usize {
    let inside = node.byte_range();
    let mut symbols = parsed.outline().iter();
    let own = symbols.find(|symbol| {
        inside.contains(&symbol.name_span.start) && symbol.code.start <= inside.start
    });
    own.map_or(inside.start, |symbol| symbol.full.start.min(inside.start))
}
