//! Types of Kotlin: their plain names, and the references in them.

use tree_sitter::Node;

use super::facts::{Id, Name, Shape, Target};
use super::read::{DEEPEST, Reader, children, is_type, outer_name};

impl<'a> Reader<'a> {
    /// A value of a type, unknown where the type is not plain.
    pub(super) fn of(&mut self, ty: Name) -> Id {
        let scope = self.scope;
        self.add(if ty.is_empty() { Shape::Unknown } else { Shape::Of(ty, scope) })
    }

    /// The plain name of a type, its parts noted as references; empty when it is not plain.
    pub(super) fn ty(&mut self, node: Node<'a>) -> Name {
        if self.depth > DEEPEST {
            self.file.is_deep = true;
            return Name::default();
        }
        self.depth += 1;
        let name = self.type_of(node);
        self.depth -= 1;
        name
    }

    pub(super) fn type_of(&mut self, node: Node<'a>) -> Name {
        match node.kind() {
            "user_type" => {
                for child in children(node) {
                    if matches!(child.kind(), "type_arguments" | "type_modifiers") {
                        self.types_below(child);
                    }
                }
                if self.is_annotation(node) {
                    self.annotations(node);
                    return Name::default();
                }
                let first = children(node).into_iter().find(|it| it.kind() == "identifier");
                let name = type_name(self.text(node));
                let Some(first) = first.filter(|_| !name.is_empty()) else {
                    return Name::default();
                };
                if self.file.parameters.contains(&name) {
                    return Name::default();
                }
                self.refer(Target::Type(name.clone()), first);
                name
            }
            "nullable_type" | "parenthesized_type" => {
                let mut name = Name::default();
                for child in children(node) {
                    match is_type(child.kind()) {
                        true => name = self.ty(child),
                        false => self.types_below(child),
                    }
                }
                name
            }
            _ => {
                self.types_below(node);
                Name::default()
            }
        }
    }

    /// Whether a name is the one of an annotation.
    fn is_annotation(&self, node: Node<'_>) -> bool {
        node.parent().is_some_and(|it| matches!(it.kind(), "annotation" | "constructor_invocation"))
            && (self.byte_before(node) == Some(b'@') || self.is_behind_place(node))
    }

    /// Whether the place that an annotation is for stands before its name: `@get:A`.
    fn is_behind_place(&self, node: Node<'_>) -> bool {
        let before = self.source.get(..node.start_byte()).unwrap_or_default();
        let Some(before) = before.strip_suffix(b":") else { return false };
        let place = before.iter().rev().take_while(|byte| byte.is_ascii_alphabetic()).count();
        place > 0 && before[..before.len() - place].ends_with(b"@")
    }

    fn byte_before(&self, node: Node<'_>) -> Option<u8> {
        let before = node.start_byte().checked_sub(1)?;
        self.source.get(before).copied()
    }

    /// The names of annotations: several in a row are spelt as one for the grammar, and a word of
    /// the language may be spelt as one.
    fn annotations(&mut self, node: Node<'a>) {
        let mut open: Option<(String, Node<'a>)> = None;
        for part in children(node).into_iter().filter(|it| it.kind() == "identifier") {
            // `@get:A`; arguments before another annotation are a part of the name.
            let name = self.text(part).split(['(', '<']).next().unwrap_or_default();
            let name = name.rsplit(':').next().unwrap_or_default();
            match (self.byte_before(part), &mut open) {
                (Some(b'.'), Some((known, _))) => *known = format!("{known}.{name}"),
                // Behind the place that it is for, the first one begins with its name.
                (Some(b'@' | b':'), _) => {
                    self.annotation(open.replace((name.to_owned(), part)));
                }
                _ => {}
            }
        }
        self.annotation(open);
    }

    fn annotation(&mut self, named: Option<(String, Node<'a>)>) {
        if let Some((name, node)) = named {
            self.refer(Target::Type(name.into()), node);
        }
    }

    /// The types and annotations below a node.
    pub(super) fn types_below(&mut self, node: Node<'a>) {
        if self.depth > DEEPEST {
            self.file.is_deep = true;
            return;
        }
        self.depth += 1;
        for child in children(node) {
            match child.kind() {
                "value_arguments" => self.arguments(child),
                kind if is_type(kind) => {
                    self.ty(child);
                }
                "identifier" => {}
                _ => self.types_below(child),
            }
        }
        self.depth -= 1;
    }
}

/// The name of a type behind its annotations.
fn type_name(text: &str) -> Name {
    if text.starts_with('@') { Name::default() } else { outer_name(text) }
}
