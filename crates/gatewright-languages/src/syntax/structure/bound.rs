//! Functions that are no symbols: those that a body binds to a name, and those that are made for
//! each name of a list.
//!
//! The queries capture them as `@bound` and `@made`. They may be edited freely; what a whole
//! text loses of them is asked here.

use std::collections::HashSet;

use gatewright_model::{LostDefinition, Span};
use tree_sitter::Node;

use super::Versions;
use super::aftermath::{function_around, twin};
use super::calls;
use super::cut::innermost;
use super::missed;
use crate::syntax::parsed::Parsed;
use crate::syntax::query::matches_with;

/// What is lost of them where the base was changed.
pub(super) fn lost(versions: &Versions<'_>) -> Vec<LostDefinition> {
    let region = calls::changed(versions);
    if region.is_empty() {
        return Vec::new();
    }
    let mut lost = lost_locals(versions, region);
    lost.extend(lost_of_lists(versions, region));
    lost
}

/// The functions that a body binds to a name which it still uses, and that nothing gives any
/// more.
fn lost_locals(versions: &Versions<'_>, region: Span) -> Vec<LostDefinition> {
    let (before, after) = (&versions.before, &versions.after);
    let is_symbol = |name: &str| after.outline().iter().any(|symbol| symbol.name == name);
    let lost = matches_with(before, "bound", region).into_iter().filter_map(|parts| {
        let whole = span(parts.get("bound")?);
        let name = before.text(span(parts.get("name")?));
        let around = function_around(before, whole)?;
        let is_missed = !is_symbol(&name)
            && twin(after, around).is_some_and(|now| missed::is_used_first(after, now, &name));
        is_missed.then(|| described(before, name, "function", whole))
    });
    lost.collect()
}

/// The methods that are made for the names of a list, of which the result makes or defines none.
fn lost_of_lists(versions: &Versions<'_>, region: Span) -> Vec<LostDefinition> {
    let (before, after) = (&versions.before, &versions.after);
    let made = made(before, region);
    if made.is_empty() {
        return Vec::new();
    }
    let path = |parent: &str, name: &str| format!("{parent}/{name}");
    let now: HashSet<String> = self::made(after, Span::new(0, after.source().len()))
        .iter()
        .map(|one| path(&one.parent, &one.name))
        .chain(after.outline().iter().map(|symbol| {
            let parent = symbol.parent.map_or("", |parent| after.outline()[parent].path.as_str());
            path(parent, symbol.name.trim_start_matches("self."))
        }))
        .collect();
    let is_lost = |one: &Made| !now.contains(&path(&one.parent, &one.name));
    let lost = made.into_iter().filter(is_lost);
    lost.map(|one| described(before, one.name, "method", one.whole)).collect()
}

/// A method that a loop over a list of names makes.
struct Made {
    /// The path of the symbol around the loop.
    parent: String,
    name: String,
    whole: Span,
}

fn made(parsed: &Parsed, region: Span) -> Vec<Made> {
    let mut found = Vec::new();
    for parts in matches_with(parsed, "made", region) {
        let text = |part: &str| parts.get(part).map(|node| parsed.text(span(node)));
        let Some((list, (item, template))) = text("list").zip(text("item").zip(text("template")))
        else {
            continue;
        };
        let Some(whole) = parts.get("made").map(span) else { continue };
        let parent = innermost(parsed, whole).map(|symbol| symbol.path.clone()).unwrap_or_default();
        let pattern = match template == item {
            true => "#{}".to_owned(),
            false => template.trim_matches(['"', ':']).replace(&format!("#{{{item}}}"), "#{}"),
        };
        // Another value than the item is in it: the names are not spelt out.
        if pattern.matches("#{").count() != 1 || !pattern.contains("#{}") {
            continue;
        }
        let name = |item: String| Made { parent: parent.clone(), name: item, whole };
        found.extend(items(&list).map(|item| name(pattern.replace("#{}", &item))));
    }
    found
}

/// The names that a list spells out: `%i[a b]`, `[:a, "b"]`.
fn items(list: &str) -> impl Iterator<Item = String> + '_ {
    let inner = list
        .trim_start_matches(['%', 'i', 'w', 'I', 'W'])
        .trim_matches(['[', ']', '(', ')', '{', '}']);
    let words = inner.split(|c: char| c.is_whitespace() || c == ',');
    let bare = words.map(|word| word.trim_matches([':', '"', '\'']));
    bare.filter(|word| !word.is_empty()).map(str::to_owned)
}

fn described(parsed: &Parsed, symbol: String, kind: &str, whole: Span) -> LostDefinition {
    let line = parsed.lines().line(whole.start);
    LostDefinition { symbol, kind: kind.to_owned(), line: u32::try_from(line).unwrap_or(u32::MAX) }
}

fn span(node: &Node<'_>) -> Span {
    Span::new(node.start_byte(), node.end_byte())
}
