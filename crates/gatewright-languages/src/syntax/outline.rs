//! From definition nodes to symbols: names, paths, heads and bodies.

use std::collections::HashMap;

use gatewright_model::Span;
use tree_sitter::Node;

use super::language::Language;
use super::ownership::{Comments, code_span, full_span};
use super::parsed::{Frame, Parsed};
use super::query::{Definition, definitions};
use super::symbol::{Keyword, Symbol, SymbolKind};

/// The length of a path below which no further one is built.
const LONGEST_PATH: usize = 1024;

/// How far above and below a region comments are looked at: the next line is what counts.
const AROUND: usize = 4096;

/// The symbols of a file in the order of its text.
pub(super) fn outline(parsed: &Parsed) -> Vec<Symbol> {
    let mut symbols = symbols_in(parsed, Span::new(0, parsed.source().len()));
    number_overloads(&mut symbols);
    symbols
}

/// The symbols that share a byte with a region, as the outline has them but for the number
/// among those of one name. Costs what the region does, not what the file does.
pub(super) fn outline_around(parsed: &Parsed, region: Span) -> Vec<Symbol> {
    let end = (region.end + AROUND).min(parsed.source().len());
    let mut symbols = symbols_in(parsed, Span::new(region.start.saturating_sub(AROUND), end));
    for symbol in &mut symbols {
        symbol.parent = None;
    }
    symbols.retain(|symbol| symbol.full.start < region.end && region.start < symbol.full.end);
    symbols
}

/// The symbols that share a byte with a region, and maybe more.
pub(super) fn symbols_in(parsed: &Parsed, region: Span) -> Vec<Symbol> {
    let found = definitions(parsed, region);
    let mut starts: Vec<usize> = found.values().map(|definition| definition.start).collect();
    starts.sort_unstable();
    let holds_one = |node: Node<'_>| {
        let first = starts.partition_point(|start| *start < node.start_byte());
        starts.get(first).is_some_and(|start| *start <= node.end_byte())
    };
    let comments = Comments::collect(parsed, region);
    let mut symbols: Vec<Symbol> = Vec::new();
    // The symbols around the node being visited, as (depth, index).
    let mut around: Vec<(usize, usize)> = Vec::new();
    parsed.visit(|node, ancestors| {
        while around.last().is_some_and(|(depth, _)| *depth >= ancestors.len()) {
            around.pop();
        }
        if let Some(definition) = found.get(&node.id()) {
            let parent = around.last().map(|(_, index)| *index);
            let place = Place { parsed, node, ancestors, comments: &comments };
            if let Some(mut symbol) = symbol(&place, definition) {
                symbol.parent = parent;
                if let Some(parent) = parent {
                    let is_hidden =
                        definition.rule.outermost && !symbols[parent].kind.is_container();
                    if is_hidden || is_same_definition(&symbols[parent], &symbol) {
                        return holds_one(node);
                    }
                    let is_member = symbols[parent].kind.is_type();
                    if is_member && symbol.kind == SymbolKind::Function {
                        symbol.kind = SymbolKind::Method;
                    }
                    symbol.path = below(&symbols[parent].path, &symbol.path);
                }
                around.push((ancestors.len(), symbols.len()));
                symbols.push(symbol);
            }
        }
        holds_one(node)
    });
    symbols
}

/// A path below another one. What is nested absurdly deep starts anew, or the paths alone would
/// take the square of the file's length; overload numbers keep them apart.
fn below(parent: &str, path: &str) -> String {
    let parent = if parent.len() > LONGEST_PATH { "\u{2026}" } else { parent };
    format!("{parent}/{path}")
}

/// Whether `inner` is only the value that `outer` binds to a name.
fn is_same_definition(outer: &Symbol, inner: &Symbol) -> bool {
    inner.body.is_some() && outer.body == inner.body
}

struct Place<'a, 'tree> {
    parsed: &'tree Parsed,
    node: Node<'tree>,
    ancestors: &'a [Frame<'tree>],
    comments: &'a Comments,
}

fn symbol(place: &Place<'_, '_>, definition: &Definition<'_>) -> Option<Symbol> {
    let language = place.parsed.language().language();
    let rule = definition.rule;
    let kind = definition.kind?;
    let is_local =
        || place.ancestors.iter().any(|frame| language.blocks.contains(&frame.node.kind()));
    let is_annotation =
        |kind: &str| language.annotations.contains(&kind) || kind == "inner_attribute_item";
    let is_in_annotation = || place.ancestors.iter().any(|frame| is_annotation(frame.node.kind()));
    if (rule.toplevel && is_local()) || (rule.outermost && is_in_annotation()) {
        return None;
    }
    let name_node = name_node(definition, rule.require.as_deref())?;
    let name = name_text(place.parsed, definition, name_node)?;
    let code = code_span(place.parsed, place.node, place.ancestors);
    let body = body(place.node, definition, language).map(|body| {
        match place.node.kind().starts_with("preproc_") {
            true => Span::new(body.start.min(code.end), code.end),
            false => Span::new(body.start.min(code.end), body.end.min(code.end)),
        }
    });
    let head = Span::new(code.start, body.map_or(code.end, |body| body.start.max(code.start)));
    let is_kind = !matches!(
        kind,
        SymbolKind::Field | SymbolKind::Constant | SymbolKind::Variable | SymbolKind::Prototype
    ) && (kind != SymbolKind::Property || body.is_some());
    Some(Symbol {
        kind,
        path: qualified(place.parsed, definition, &name),
        name,
        overload: 1,
        parent: None,
        name_span: name_node.map_or(Span::new(code.start, code.start), span),
        keyword: keyword(place.parsed, place.node, definition, head),
        head,
        body,
        code,
        bare_start: place.comments.bare_start(place.parsed, code),
        full: full_span(place.parsed, code, place.comments),
        structural: is_kind && !rule.gate_off,
    })
}

fn span(node: Node<'_>) -> Span {
    Span::new(node.start_byte(), node.end_byte())
}

/// The node of the name: `Some(None)` when a template gives the whole name.
fn name_node<'tree>(
    definition: &Definition<'tree>,
    require: Option<&str>,
) -> Option<Option<Node<'tree>>> {
    if let Some(declarator) = definition.part("declarator") {
        return declared_name(declarator, require).map(Some);
    }
    match definition.part("name") {
        Some(node) => Some(Some(node)),
        None => definition.rule.name_template.is_some().then(|| {
            definition.parts.iter().find(|(part, _)| part.ends_with("_name")).map(|part| part.1)
        }),
    }
}

/// The name inside a C declarator, which may be wrapped in pointers and parameters.
fn declared_name<'tree>(declarator: Node<'tree>, require: Option<&str>) -> Option<Node<'tree>> {
    let mut node = declarator;
    let mut seen_required = require.is_none();
    loop {
        if require == Some(node.kind()) {
            seen_required = true;
        } else if require.is_some() && seen_required && node.kind() == "parenthesized_declarator" {
            // A pointer to a function is a variable.
            return None;
        }
        let inner = match node.kind() {
            "init_declarator" if require.is_some() => return None,
            "parenthesized_declarator" | "reference_declarator" | "attributed_declarator" => {
                node.named_child(0)
            }
            _ => node.child_by_field_name("declarator"),
        };
        match inner {
            Some(inner) => node = inner,
            None => return seen_required.then_some(node),
        }
    }
}

fn name_text(
    parsed: &Parsed,
    definition: &Definition<'_>,
    node: Option<Node<'_>>,
) -> Option<String> {
    let Some(template) = &definition.rule.name_template else {
        let text = squeezed(parsed, node?);
        return (!text.is_empty()).then_some(text);
    };
    let mut name = template.clone();
    for (part, node) in &definition.parts {
        name = name.replace(&format!("{{{part}}}"), &squeezed(parsed, *node));
    }
    Some(name)
}

/// The text of a node on one line, without quotes around it and spaces beside signs.
fn squeezed(parsed: &Parsed, node: Node<'_>) -> String {
    let text = parsed.text(span(node));
    let text = text.trim_matches(['"', '\'', '`']);
    let text = if node.kind() == "simple_symbol" { text.trim_start_matches(':') } else { text };
    let mut out = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        let needs_space = out.chars().next_back().is_some_and(is_word)
            && word.chars().next().is_some_and(is_word);
        if needs_space || (!out.is_empty() && out.ends_with([',', '+'])) {
            out.push(' ');
        }
        out.push_str(word);
    }
    out
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The name behind the type that a method is declared for.
fn qualified(parsed: &Parsed, definition: &Definition<'_>, name: &str) -> String {
    let prefix = definition.rule.prefix.as_deref().and_then(|part| definition.part(part));
    match prefix {
        Some(node) => {
            let text = squeezed(parsed, node);
            let bare = text.trim_start_matches(['*', '(']);
            let bare = bare.split(['[', ')']).next().unwrap_or(bare);
            format!("{bare}/{name}")
        }
        None => name.to_owned(),
    }
}

fn body(node: Node<'_>, definition: &Definition<'_>, language: &Language) -> Option<Span> {
    let found = definition.part("body").or_else(|| node.child_by_field_name("body"));
    found.map(span).or_else(|| children_of_kind(node, language.bodies))
}

/// From the first to the last child of these kinds.
fn children_of_kind(node: Node<'_>, kinds: &[&str]) -> Option<Span> {
    if kinds.is_empty() {
        return None;
    }
    let mut cursor = node.walk();
    node.children(&mut cursor)
        .filter(|child| kinds.contains(&child.kind()))
        .map(span)
        .reduce(|first, last| Span::new(first.start, last.end))
}

fn keyword(
    parsed: &Parsed,
    node: Node<'_>,
    definition: &Definition<'_>,
    head: Span,
) -> Option<Keyword> {
    let language = parsed.language().language();
    let token = definition.part("keyword").or_else(|| {
        let mut cursor = node.walk();
        node.children(&mut cursor)
            .find(|child| !child.is_named() && language.keywords.contains(&child.kind()))
    })?;
    let span = span(token);
    let before = parsed.text(Span::new(head.start.min(span.start), span.start));
    let is_async = before.split_whitespace().next_back() == Some("async");
    let word = language
        .keywords
        .iter()
        .find(|word| is_async && word.strip_prefix("async ") == Some(token.kind()))
        .or_else(|| language.keywords.iter().find(|word| **word == token.kind()))?;
    Some(Keyword { word, span })
}

pub(super) fn number_overloads(symbols: &mut [Symbol]) {
    let mut seen: HashMap<&str, u32> = HashMap::with_capacity(symbols.len());
    for Symbol { path, overload, .. } in symbols {
        let count = seen.entry(path.as_str()).or_insert(0);
        *count += 1;
        *overload = *count;
    }
}

#[cfg(test)]
#[path = "outline_tests.rs"]
mod tests;
