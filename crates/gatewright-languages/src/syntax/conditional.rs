//! Definitions that something decides about, so that several may have one name.

use super::parsed::Parsed;
use super::symbol::Symbol;

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
    let parent = symbol.parent.and_then(|index| parsed.outline().get(index));
    let root = parsed.tree().root_node();
    let mut node = root.descendant_for_byte_range(symbol.code.start, symbol.code.end);
    while let Some(here) = node {
        let holds_parent = parent.is_some_and(|parent| here.start_byte() <= parent.head.start);
        if holds_parent {
            return false;
        }
        let kind = here.kind();
        let is_directive = kind.starts_with("preproc_if") || kind.starts_with("preproc_el");
        if is_directive || (here.is_named() && BRANCHES.contains(&kind)) {
            return true;
        }
        node = here.parent();
    }
    false
}
