//! Running a language's query: which nodes are definitions, and what their parts are.

use std::collections::HashMap;
use std::sync::OnceLock;

use gatewright_model::Span;
use tree_sitter::{Node, Query, QueryCursor, StreamingIterator};

use super::language::{Language, LanguageId};
use super::parsed::Parsed;
use super::symbol::SymbolKind;

/// One pattern's answer for a definition node.
#[derive(Debug)]
pub(super) struct Definition<'tree> {
    /// `None` for a node that an earlier pattern rules out.
    pub(super) kind: Option<SymbolKind>,
    /// Where the node starts.
    pub(super) start: usize,
    pub(super) parts: Vec<(&'static str, Node<'tree>)>,
    pub(super) rule: &'static Rule,
}

/// What a pattern sets besides its captures.
#[derive(Debug, Default)]
pub(super) struct Rule {
    pub(super) name_template: Option<String>,
    pub(super) prefix: Option<String>,
    pub(super) require: Option<String>,
    pub(super) toplevel: bool,
    pub(super) outermost: bool,
    pub(super) gate_off: bool,
    index: usize,
}

struct Compiled {
    query: Query,
    rules: Vec<Rule>,
}

impl<'tree> Definition<'tree> {
    /// The node of a part.
    pub(super) fn part(&self, name: &str) -> Option<Node<'tree>> {
        self.parts.iter().find(|(part, _)| *part == name).map(|(_, node)| *node)
    }
}

/// The definition nodes that share a byte with a region, by node id.
pub(super) fn definitions(parsed: &Parsed, region: Span) -> HashMap<usize, Definition<'_>> {
    let mut found: HashMap<usize, Definition<'_>> = HashMap::new();
    let Some(compiled) = compiled(parsed.language()) else { return found };
    let names = compiled.query.capture_names();
    let mut cursor = QueryCursor::new();
    if region != Span::new(0, parsed.source().len()) {
        cursor.set_byte_range(region.start..region.end);
    }
    let root = parsed.tree().root_node();
    let mut matches = cursor.matches(&compiled.query, root, parsed.source());
    while let Some(found_match) = matches.next() {
        let rule = &compiled.rules[found_match.pattern_index];
        let mut definition = None;
        let mut parts = Vec::new();
        for capture in found_match.captures() {
            let name = names[capture.index as usize];
            match kind_of(name) {
                Some(kind) => definition = Some((kind, capture.node)),
                None => parts.push((name, capture.node)),
            }
        }
        let Some((kind, node)) = definition else { continue };
        let earlier = found.get(&node.id()).map(|known| known.rule.index);
        if earlier.is_none_or(|index| rule.index < index) {
            let start = node.start_byte();
            found.insert(node.id(), Definition { kind, start, parts, rule });
        }
    }
    found
}

/// What a query captures beside definitions: the parts of each match that has a part of this name
/// and shares a byte with a region.
pub(super) fn matches_with<'tree>(
    parsed: &'tree Parsed,
    part: &str,
    region: Span,
) -> Vec<HashMap<&'static str, Node<'tree>>> {
    let Some(compiled) = compiled(parsed.language()) else { return Vec::new() };
    let names = compiled.query.capture_names();
    if !names.contains(&part) {
        return Vec::new();
    }
    let mut cursor = QueryCursor::new();
    cursor.set_byte_range(region.start..region.end);
    let root = parsed.tree().root_node();
    let mut matches = cursor.matches(&compiled.query, root, parsed.source());
    let mut found = Vec::new();
    while let Some(found_match) = matches.next() {
        let captures = found_match.captures();
        let parts: HashMap<&'static str, Node<'_>> =
            captures.iter().map(|capture| (names[capture.index as usize], capture.node)).collect();
        if parts.contains_key(part) {
            found.push(parts);
        }
    }
    found
}

/// The kind that a capture names: `Some(None)` for `@skip`, `None` for a part.
fn kind_of(capture: &str) -> Option<Option<SymbolKind>> {
    if capture == "skip" {
        return Some(None);
    }
    SymbolKind::NAMES.iter().find(|(name, _)| *name == capture).map(|(_, kind)| Some(*kind))
}

fn compiled(id: LanguageId) -> Option<&'static Compiled> {
    static CACHE: [OnceLock<Option<Compiled>>; LanguageId::ALL.len()] =
        [const { OnceLock::new() }; LanguageId::ALL.len()];
    let index = LanguageId::ALL.iter().position(|known| *known == id)?;
    CACHE[index].get_or_init(|| compile(id.language()).ok()).as_ref()
}

fn compile(language: &Language) -> Result<Compiled, tree_sitter::QueryError> {
    let query = Query::new(&(language.grammar)(), language.query)?;
    let rules = (0..query.pattern_count()).map(|index| rule_of(&query, index)).collect();
    Ok(Compiled { query, rules })
}

fn rule_of(query: &Query, index: usize) -> Rule {
    let mut rule = Rule { index, ..Rule::default() };
    for setting in query.property_settings(index) {
        let value = setting.value.as_deref().map(str::to_owned);
        match &*setting.key {
            "name" => rule.name_template = value,
            "prefix" => rule.prefix = value,
            "require" => rule.require = value,
            "toplevel" => rule.toplevel = true,
            "outermost" => rule.outermost = true,
            "gate" => rule.gate_off = value.as_deref() == Some("off"),
            _ => {}
        }
    }
    rule
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_query_compiles_against_its_grammar() {
        for id in LanguageId::ALL {
            if let Err(error) = compile(id.language()) {
                panic!("{}: {error}", id.name());
            }
        }
    }
}
