//! When a second definition of a name is the same one again, and not another one beside it.

use gatewright_model::Span;

use super::conditional::branch;
use super::language::LanguageId;
use super::parsed::Parsed;
use super::symbol::{Symbol, SymbolKind};

/// Words before a name that make room for two functions of that name in one type.
const ROOMS: [&str; 3] = ["get", "set", "static"];

/// Parts of annotations under which a second definition of a name stands beside the first.
const BESIDE: [&str; 2] = ["overload", "register"];

/// Whether a second definition with the same [`slot`] would take the place of this one, or be an
/// error: a function whose annotations do not tell it apart from others, or a type that is whole.
pub(super) fn is_single(parsed: &Parsed, symbol: &Symbol) -> bool {
    let notes = parsed.bytes(Span::new(symbol.code.start, symbol.bare_start));
    let has = |text: &[u8], word: &str| memchr::memmem::find(text, word.as_bytes()).is_some();
    let is_one = match symbol.kind {
        kind if kind.is_callable() => {
            // A member of something that has no name may stand in many such things.
            let is_loose = symbol.kind == SymbolKind::Method && !symbol.path.contains('/');
            // Where a name may have several, their heads tell them apart, and in Rust a condition.
            let may_differ = match parsed.language() {
                LanguageId::Rust => ["cfg", "version"].iter().any(|word| has(notes, word)),
                other if !other.language().single_definitions => false,
                // Other annotations are part of the slot.
                _ => BESIDE.iter().any(|word| has(notes, word)),
            };
            !may_differ && !is_loose && !matches!(symbol.name.as_str(), "init" | "_")
        }
        SymbolKind::Impl => false,
        kind if kind.is_type() => {
            let is_open = parsed.language().language().open_types.contains(&kind);
            !is_open && !has(notes, "cfg") && !has(parsed.bytes(symbol.head), "partial ")
        }
        _ => false,
    };
    is_one && symbol.structural && symbol.body.is_some()
}

/// What tells a function apart from others of its path: two with the same are one too many.
///
/// Where a name has one definition that is whether it reads, writes or belongs to the type, and
/// but for Rust its annotations; where it may have several, all of its head. Of a type it is how many parameters it takes.
pub(super) fn slot(parsed: &Parsed, symbol: &Symbol) -> String {
    if symbol.kind.is_type() {
        let behind = Span::new(symbol.name_span.end, symbol.head.end.max(symbol.name_span.end));
        let text = parsed.text(behind);
        let inside = text.trim_start().strip_prefix('<').and_then(|text| text.split('>').next());
        return inside.map_or(0, |text| text.matches(',').count() + 1).to_string();
    }
    let start = symbol.bare_start.min(symbol.name_span.start);
    let has_one = parsed.language().language().single_definitions;
    let end = if has_one { symbol.name_span.start } else { symbol.head.end };
    let text = parsed.text(Span::new(start, end.max(start)));
    let words = text.split_whitespace();
    if has_one {
        let notes = match parsed.language() {
            LanguageId::Rust => String::new(),
            _ => {
                parsed.text(Span::new(symbol.code.start, symbol.bare_start.max(symbol.code.start)))
            }
        };
        let rooms = words.filter(|word| ROOMS.contains(word));
        rooms.chain(notes.split_whitespace()).collect::<Vec<_>>().join(" ")
    } else {
        words.collect::<Vec<_>>().concat()
    }
}

/// Whether a condition keeps a definition apart from all others that would take its place: none of
/// them comes to be in the same branch.
pub(super) fn is_kept_apart(parsed: &Parsed, symbol: &Symbol) -> bool {
    let Some(own) = branch(parsed, symbol) else { return false };
    let own_slot = slot(parsed, symbol);
    !parsed.outline().iter().any(|other| {
        other.path == symbol.path
            && other.code != symbol.code
            && is_single(parsed, other)
            && slot(parsed, other) == own_slot
            && branch(parsed, other) == Some(own)
    })
}

/// Node kinds whose members belong to nothing that has a name, where no symbol has them as body.
const LOOSE: [&str; 7] = [
    "class_body",
    "object",
    "block",
    "do_block",
    "statement_block",
    "declaration_list",
    "compound_statement",
];

/// Whether a definition stands in the body of its parent, or in a branch there, and not in something
/// without a name: two objects without a class may both have a method `run`.
pub(super) fn is_direct(parsed: &Parsed, symbol: &Symbol) -> bool {
    let parent = symbol.parent.and_then(|index| parsed.outline().get(index));
    let body = parent.map(|parent| parent.body.unwrap_or(parent.code));
    let own = branch(parsed, symbol);
    let root = parsed.tree().root_node();
    let mut node = root.descendant_for_byte_range(symbol.code.start, symbol.code.end);
    while let Some(here) = node {
        let span = Span::new(here.start_byte(), here.end_byte());
        if body.is_some_and(|body| span.contains(body)) {
            return true;
        }
        let is_of_branch = || own.is_some_and(|own| own.contains(span));
        if span != symbol.code && LOOSE.contains(&here.kind()) && !is_of_branch() {
            return false;
        }
        node = here.parent();
    }
    true
}
