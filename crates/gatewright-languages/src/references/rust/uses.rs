//! The leaves of `use` declarations.

use tree_sitter::Node;

use super::facts::{Path, Segment};

/// One leaf of a `use`.
#[derive(Debug)]
pub(super) enum Leaf {
    /// A path and the name that it gets.
    Named(Path, Box<str>),
    Glob(Path),
}

/// The leaves of a `use` argument. A leading `::` becomes an empty first segment.
pub(super) fn leaves(argument: Node<'_>, source: &[u8]) -> Vec<Leaf> {
    let mut found = Vec::new();
    let mut pending = vec![(argument, Path::new())];
    while let Some((node, prefix)) = pending.pop() {
        match node.kind() {
            "scoped_use_list" => {
                let mut prefix = prefix;
                match node.child_by_field_name("path") {
                    Some(path) => prefix.extend(segments(path, source)),
                    None => prefix.push(Segment { name: "".into(), offset: node.start_byte() }),
                }
                if let Some(list) = node.child_by_field_name("list") {
                    pending.push((list, prefix));
                }
            }
            "use_list" => {
                let mut cursor = node.walk();
                pending.extend(node.named_children(&mut cursor).map(|one| (one, prefix.clone())));
            }
            "use_wildcard" => {
                let mut path = prefix;
                if let Some(inner) = node.named_child(0) {
                    path.extend(segments(inner, source));
                }
                found.push(Leaf::Glob(path));
            }
            "use_as_clause" => {
                let Some(inner) = node.child_by_field_name("path") else { continue };
                let alias = node.child_by_field_name("alias").map(|alias| text(alias, source));
                let path = joined(prefix, segments(inner, source));
                found.push(Leaf::Named(path, alias.unwrap_or_default().into()));
            }
            "identifier" | "scoped_identifier" | "self" | "crate" | "super" => {
                let path = joined(prefix, segments(node, source));
                let name = path.last().map(|last| last.name.clone()).unwrap_or_default();
                found.push(Leaf::Named(path, name));
            }
            _ => {}
        }
    }
    found
}

/// A prefix with what follows it; a `self` in braces is the prefix itself.
fn joined(mut prefix: Path, rest: Path) -> Path {
    if !prefix.is_empty() && rest.len() == 1 && &*rest[0].name == "self" {
        return prefix;
    }
    prefix.extend(rest);
    prefix
}

/// The segments of a path node; generic arguments are left out.
pub(super) fn segments(node: Node<'_>, source: &[u8]) -> Path {
    let mut found = Path::new();
    let mut next = Some(node);
    while let Some(node) = next {
        next = None;
        match node.kind() {
            "scoped_identifier" | "scoped_type_identifier" => {
                if let Some(name) = node.child_by_field_name("name") {
                    found.push(segment(name, source));
                }
                next = node.child_by_field_name("path");
                if next.is_none() {
                    found.push(Segment { name: "".into(), offset: node.start_byte() });
                }
            }
            "generic_type" | "generic_type_with_turbofish" => {
                next = node.child_by_field_name("type");
            }
            "generic_function" => next = node.child_by_field_name("function"),
            _ => found.push(segment(node, source)),
        }
    }
    found.reverse();
    found
}

fn segment(node: Node<'_>, source: &[u8]) -> Segment {
    let name = text(node, source);
    Segment { name: name.strip_prefix("r#").unwrap_or(name).into(), offset: node.start_byte() }
}

pub(super) fn text<'a>(node: Node<'_>, source: &'a [u8]) -> &'a str {
    std::str::from_utf8(source.get(node.byte_range()).unwrap_or_default()).unwrap_or_default()
}
