//! What a replaced stretch cuts: a definition keyword, or the head of a definition.

use gatewright_model::{EditShape, Span, Structural, StructureProblem, TextEdit};

use super::Versions;
use super::loose;
use super::regions::{Region, is_multiline};
use crate::syntax::parsed::Parsed;
use crate::syntax::second_name::second_names;
use crate::syntax::symbol::{Symbol, SymbolKind};

/// A definition that a stretch cuts.
struct Cut<'a> {
    found: Structural,
    symbol: Option<&'a Symbol>,
    offset: usize,
}

/// What makes replacing one region structural, if anything.
pub(super) fn problem(versions: &Versions<'_>, region: &Region) -> Option<StructureProblem> {
    if !region.is_multiline {
        return None;
    }
    if let Some(cut) = cut(&versions.before, region.base) {
        return Some(described(versions, region, &cut));
    }
    let (met, place) = region.met.as_ref()?;
    let cut = cut(met, *place)?;
    let line = versions.before.lines().line(region.base.start);
    Some(StructureProblem {
        found: cut.found,
        line: u32::try_from(line).ok(),
        symbol: cut.symbol.map(|symbol| symbol.path.clone()),
        shape: region.shape(),
        call: None,
    })
}

fn described(versions: &Versions<'_>, region: &Region, cut: &Cut<'_>) -> StructureProblem {
    StructureProblem {
        found: cut.found.clone(),
        line: u32::try_from(versions.before.lines().line(cut.offset)).ok(),
        symbol: cut.symbol.map(|symbol| symbol.path.clone()),
        shape: region.shape(),
        call: None,
    }
}

/// What an edit is whose old text is not in the file: its own text decides.
pub(super) fn unlocated(versions: &Versions<'_>, edit: &TextEdit) -> Option<StructureProblem> {
    if !is_multiline(&edit.old) {
        return None;
    }
    let parsed = Parsed::new(versions.before.language(), edit.old.as_bytes()).ok()?;
    let cut = cut(&parsed, Span::new(0, edit.old.len()))?;
    let path = cut.symbol.map(|symbol| symbol.path.clone());
    let shape = EditShape::of(&edit.old, &edit.new);
    Some(StructureProblem { found: cut.found, line: None, symbol: path, shape, call: None })
}

fn cut(parsed: &Parsed, span: Span) -> Option<Cut<'_>> {
    keyword_of_definition(parsed, span)
        .or_else(|| keyword_in_loose_tokens(parsed, span))
        .or_else(|| keyword_where_unparsed(parsed, span))
        .or_else(|| head(parsed, span))
}

fn keyword_of_definition(parsed: &Parsed, span: Span) -> Option<Cut<'_>> {
    parsed.outline().iter().filter(|symbol| symbol.structural).find_map(|symbol| {
        let keyword = symbol.keyword.filter(|keyword| keyword.span.overlaps(span))?;
        let found = Structural::Keyword { keyword: keyword.word.to_owned() };
        Some(Cut { found, symbol: Some(symbol), offset: keyword.span.start })
    })
}

/// A keyword with a name behind it where the grammar sees loose tokens, as in a macro.
fn keyword_in_loose_tokens(parsed: &Parsed, span: Span) -> Option<Cut<'_>> {
    let has_loose = parsed.tokens_in(span).iter().any(|token| token.in_opaque);
    let definitions = if has_loose { loose::definitions(parsed) } else { Vec::new() };
    definitions.into_iter().find_map(|definition| {
        let at = Span::new(definition.head.start, definition.head.start + definition.keyword.len());
        at.overlaps(span).then(|| Cut {
            found: Structural::Keyword { keyword: definition.keyword.to_owned() },
            symbol: innermost_of_any_kind(parsed, at),
            offset: at.start,
        })
    })
}

/// A whole word in the text, where the parser lost its way: it errs on refusing.
fn keyword_where_unparsed(parsed: &Parsed, span: Span) -> Option<Cut<'_>> {
    if !is_unparsed(parsed, span) {
        return None;
    }
    let text = parsed.bytes(span);
    let keywords = parsed.language().language().keywords;
    let word = |keyword: &&&str| word_at(text, keyword.as_bytes()).is_some();
    let keyword = keywords.iter().find(word)?;
    let offset = span.start + word_at(text, keyword.as_bytes()).unwrap_or(0);
    let found = Structural::Keyword { keyword: (*keyword).to_owned() };
    Some(Cut { found, symbol: innermost(parsed, span), offset })
}

fn word_at(text: &[u8], word: &[u8]) -> Option<usize> {
    let is_word = |byte: Option<&u8>| {
        byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte >= 0x80)
    };
    memchr::memmem::find_iter(text, word).find(|start| {
        let before = start.checked_sub(1).and_then(|index| text.get(index));
        !is_word(before) && !is_word(text.get(start + word.len()))
    })
}

/// Whether an error of the parse lies at `span` and no sound node around it holds all of `span`.
fn is_unparsed(parsed: &Parsed, span: Span) -> bool {
    let mut is_unparsed = false;
    parsed.visit(|node, _| {
        let here = Span::new(node.start_byte(), node.end_byte());
        if is_unparsed || !node.has_error() || !here.overlaps(span) {
            return false;
        }
        if node.is_error() {
            let mut cursor = node.walk();
            let is_inside_child = node.children(&mut cursor).any(|child| {
                let child_span = Span::new(child.start_byte(), child.end_byte());
                child.child_count() > 0 && child_span.contains(span)
            });
            is_unparsed = !is_inside_child;
        }
        !is_unparsed
    });
    is_unparsed
}

fn head(parsed: &Parsed, span: Span) -> Option<Cut<'_>> {
    let symbols = parsed.outline().iter().filter(|symbol| symbol.structural);
    symbols.filter(|symbol| !is_statement(parsed, symbol)).find_map(|symbol| {
        let offset = head_overlap(parsed, symbol, span)?;
        let found = Structural::HeadCut { kind: symbol.kind.as_str().to_owned() };
        Some(Cut { found, symbol: Some(symbol), offset })
    })
}

/// Whether a symbol is a short name for a type that stands among the statements of a body.
fn is_statement(parsed: &Parsed, symbol: &Symbol) -> bool {
    if symbol.kind != SymbolKind::Type || parsed.bytes(symbol.code).contains(&b'\n') {
        return false;
    }
    let blocks = parsed.language().language().blocks;
    let root = parsed.tree().root_node();
    let first = root.descendant_for_byte_range(symbol.code.start, symbol.code.end);
    std::iter::successors(first, |node| node.parent()).any(|node| blocks.contains(&node.kind()))
}

/// Where `span` first touches code in the head or a name of a symbol.
pub(super) fn head_overlap(parsed: &Parsed, symbol: &Symbol, span: Span) -> Option<usize> {
    let shared = |part: Span| {
        let start = part.start.max(span.start);
        let end = part.end.min(span.end);
        (start < end && parsed.has_code_in(Span::new(start, end))).then_some(start)
    };
    let in_second = || second_names(parsed, symbol).into_iter().find_map(shared);
    shared(symbol.head).or_else(|| shared(symbol.name_span)).or_else(in_second)
}

/// The smallest structural symbol around `span`, white space at its ends aside.
pub(super) fn innermost(parsed: &Parsed, span: Span) -> Option<&Symbol> {
    let span = trimmed(parsed, span);
    let around = parsed.outline().iter().filter(|symbol| symbol.full.contains(span));
    around.filter(|symbol| symbol.structural).min_by_key(|symbol| symbol.full.len())
}

/// The smallest symbol of any kind around `span`.
pub(super) fn innermost_of_any_kind(parsed: &Parsed, span: Span) -> Option<&Symbol> {
    let around = parsed.outline().iter().filter(|symbol| symbol.full.contains(span));
    around.min_by_key(|symbol| symbol.full.len())
}

/// The span without the white space at its ends.
pub(super) fn trimmed(parsed: &Parsed, span: Span) -> Span {
    let bytes = parsed.bytes(span);
    let leading = bytes.len() - bytes.trim_ascii_start().len();
    Span::new(span.start + leading, span.start + leading + bytes.trim_ascii().len())
}
