//! Attributes of what a call gives: `Till(1).open()`, `super().open()`, `with Till() as till`.

use tree_sitter::Node;

use super::facts::{Binding, Made, Path, Placed, Role, Target};
use super::fields::Field;
use super::kinds::Kind;
use super::stdlib;
use super::walk::Walker;

impl<'a> Walker<'a> {
    /// Notes the attributes that are asked of a class that is called, or of `super()`.
    pub(super) fn made(&mut self, node: Node<'a>, role: Role, keywords: Vec<Placed>) {
        let mut path: Vec<Placed> = Vec::new();
        let mut current = node;
        while Kind::of(current) == Kind::Attribute {
            let Some(attribute) = Field::Attribute.of(current) else { return };
            path.push((self.name(attribute), attribute.start_byte()));
            let Some(object) = Field::Object.of(current) else { return };
            current = object;
        }
        path.reverse();
        if let (Some(of), Some((_, offset))) = (self.maker(current), path.first()) {
            let offset = *offset;
            self.refer(Target::Made { of, path, role, keywords }, offset);
        }
    }

    /// What a call makes, where that is plain.
    fn maker(&self, node: Node<'a>) -> Option<Made> {
        if let Some(class) = self.made_of_own(node) {
            return Some(Made::Own(class));
        }
        let function = Field::Function.of(node).filter(|_| node.kind() == "call")?;
        if self.text(function) != "super" {
            // What `type(…)` and its like give is of another class than their own.
            let is_plain =
                |path: &Path| path.len() > 1 || !path.iter().any(|root| stdlib::is_builtin(root));
            return self.path(function).filter(is_plain).map(Made::Object);
        }
        let class = self.context.receiver?;
        let arguments = Field::Arguments.of(node)?;
        let first = arguments.named_child(0).map(|first| self.text(first));
        let is_own = first.is_none_or(|first| first == &*self.file.classes[class].name);
        is_own.then_some(Made::Super(class))
    }

    /// The path of what is called, if it is spelt like a class.
    fn called_class(&self, node: Node<'a>) -> Option<Path> {
        let function = Field::Function.of(node).filter(|_| node.kind() == "call")?;
        let path = self.path(function)?;
        let is_class = |last: &str| last.trim_start_matches('_').starts_with(char::is_uppercase);
        path.last().is_some_and(|last| is_class(last)).then_some(path)
    }

    /// `with Till() as till` gives what the class says that it gives.
    pub(super) fn with_item(&mut self, node: Node<'a>) {
        let value = Field::Value.of(node).filter(|value| value.kind() == "as_pattern");
        let Some(value) = value else { return self.children(node) };
        let mut cursor = value.walk();
        for child in value.named_children(&mut cursor) {
            if child.kind() != "as_pattern_target" {
                self.visit(child);
                continue;
            }
            let class = value.named_child(0).and_then(|made| self.called_class(made));
            let is_name = child.named_child(0).filter(|name| name.kind() == "identifier");
            match (is_name, class) {
                (Some(name), Some(class)) => self.target(name, Binding::Entered(class)),
                _ => self.visit(child),
            }
        }
    }

    /// The class that a function says to give: not one that is awaited, or replaced by another.
    pub(super) fn stated_class(&self, node: Node<'a>, decorators: &[Option<Path>]) -> Option<Path> {
        let is_plain = self.keeps_result(node, decorators);
        self.annotation_path(Field::ReturnType.of(node).filter(|_| is_plain)?)
    }

    /// The class of a literal.
    pub(super) fn literal_class(&self, node: Node<'a>) -> Option<&'static str> {
        match node.kind() {
            "list" | "list_comprehension" => Some("list"),
            "dictionary" | "dictionary_comprehension" => Some("dict"),
            "set" | "set_comprehension" => Some("set"),
            "string" => {
                let prefix = self.text(node).split(['"', '\'']).next().unwrap_or_default();
                Some(if prefix.contains(['b', 'B']) { "bytes" } else { "str" })
            }
            _ => None,
        }
    }

    /// Whether a method says, or shows by every `return`, that it gives its receiver.
    pub(super) fn gives_itself(&self, node: Node<'a>) -> bool {
        let stated = Field::ReturnType.of(node).map(|stated| self.text(stated));
        if stated.is_some_and(|stated| stated.rsplit('.').next() == Some("Self")) {
            return true;
        }
        let parameters = Field::Parameters.of(node);
        let receiver = parameters.and_then(|list| list.named_child(0)).map(|it| self.text(it));
        let (Some(receiver), Some(body)) = (receiver, Field::Body.of(node)) else {
            return false;
        };
        let mut gives = false;
        let mut stack = vec![body];
        while let Some(node) = stack.pop() {
            if node.kind() == "return_statement" {
                let given = node.named_child(0).map(|given| self.text(given));
                if given != Some(receiver) {
                    return false;
                }
                gives = true;
            }
            let mut cursor = node.walk();
            stack.extend(node.named_children(&mut cursor));
        }
        gives
    }
}
