//! CommonJS: what `require` brings, and what `module.exports` and `exports` hand out.
//!
//! A module is closed when every use of its `exports` is a plain assignment, a
//! property of it, or a list of names; anything else leaves it open. What it
//! exports as a whole has the name [`WHOLE`].

use tree_sitter::Node;

use super::facts::{Import, Name, Target};
use super::walk::Walker;
use crate::references::words;

/// The name of what a module exports as a whole (`module.exports = …`).
pub(super) const WHOLE: &str = "=";
const OPEN: &str = "module without plain exports";

/// How a file uses `exports`.
#[derive(Debug, Default)]
pub(super) struct Common {
    /// Whether it uses it at all.
    is_used: bool,
    /// Whether it uses it in a way that may add any name.
    is_open: bool,
    /// Whether it exports a whole object whose names are written out, be there any or none.
    pub(super) has_object: bool,
    /// Whether it is a module of the other kind, where `exports` is a name like others.
    pub(super) is_other: bool,
}

impl Walker<'_> {
    /// Says what the file hands out by `exports`, once it was read whole.
    pub(super) fn close_common(&mut self) {
        if self.common.is_other {
            return;
        }
        self.file.is_common = self.common.is_used;
        if self.common.is_open {
            self.file.open.get_or_insert(OPEN);
        }
        if self.file.exports.contains_key(WHOLE) {
            self.file.open.get_or_insert("module that exports a value");
        }
    }

    /// The module that a call of `require` names, as it is written.
    pub(super) fn required(&self, node: Node<'_>) -> Option<Name> {
        let is_require = node.kind() == "call_expression"
            && self.field(node, "function").is_some_and(|function| function == "require");
        let argument = node.child_by_field_name("arguments").filter(|_| is_require)?;
        let source = argument.named_child(0).filter(|node| node.kind() == "string")?;
        Some(self.text(source).trim_matches(['"', '\'', '`']).into())
    }

    /// Notes what a variable takes of a required module; whether it takes any.
    pub(super) fn require(&mut self, node: Node<'_>) -> bool {
        let value = node.child_by_field_name("value");
        let (Some(name), Some(value)) = (node.child_by_field_name("name"), value) else {
            return false;
        };
        if let Some(source) = self.required(value) {
            match name.kind() {
                "identifier" => self.bind_required(name, source, WHOLE),
                "object_pattern" => self.take(name, &source),
                _ => {}
            }
            return name.kind() == "identifier";
        }
        let source = value.child_by_field_name("object").and_then(|it| self.required(it));
        match (source, self.field(value, "property")) {
            (Some(source), Some(property)) if name.kind() == "identifier" => {
                self.bind_required(name, source, property);
                true
            }
            _ => false,
        }
    }

    /// Whether a name stands in the pattern that takes names out of a required module.
    pub(super) fn is_required(&self, ancestors: &[Node<'_>]) -> bool {
        let mut around = ancestors.iter().rev().filter(|node| node.kind() != "pair_pattern");
        let pattern = around.next().filter(|node| node.kind() == "object_pattern");
        let mut value = || around.next()?.child_by_field_name("value");
        pattern.is_some() && value().is_some_and(|value| self.required(value).is_some())
    }

    /// Binds a name to what a module exports; bound to two things it stands for neither.
    fn bind_required(&mut self, local: Node<'_>, source: Name, name: &str) {
        let local = self.text(local);
        let import = Import { source, name: name.into() };
        let known = self.file.imports.get(local).filter(|known| **known != import);
        if known.is_some() {
            self.file.value(local, super::facts::Value::Unknown);
        }
        self.file.imports.insert(local.into(), import);
    }

    /// The names that a pattern takes out of a module.
    fn take(&mut self, pattern: Node<'_>, source: &Name) {
        let mut cursor = pattern.walk();
        for child in pattern.named_children(&mut cursor) {
            let (name, local) = match child.kind() {
                "shorthand_property_identifier_pattern" => (Some(child), Some(child)),
                "pair_pattern" => (
                    child.child_by_field_name("key"),
                    child.child_by_field_name("value").filter(|it| it.kind() == "identifier"),
                ),
                // One with a value of its own may be missing.
                _ => continue,
            };
            let Some(name) = name.filter(|it| it.kind() != "computed_property_name") else {
                continue;
            };
            let taken: Name = self.text(name).trim_matches(['"', '\'']).into();
            if let Some(local) = local {
                self.bind_required(local, source.clone(), &taken);
            }
            self.refer(Target::Import(Import { source: source.clone(), name: taken }), name);
        }
    }

    /// Notes a use of `exports` or `module.exports`.
    pub(super) fn exports(&mut self, node: Node<'_>, ancestors: &[Node<'_>]) {
        self.common.is_used = true;
        let mut around = ancestors.iter().rev().copied();
        let (Some(parent), outer) = (around.next(), around.next()) else { return };
        let is_left = |of: Node<'_>, part: Node<'_>| {
            of.kind() == "assignment_expression"
                && of.child_by_field_name("left").is_some_and(|left| left.id() == part.id())
        };
        if is_left(parent, node) {
            return self.export_whole(parent.child_by_field_name("right"));
        }
        match parent.kind() {
            "member_expression" => {
                let key = self.field(parent, "property");
                if let (Some(key), Some(outer)) = (key, outer.filter(|it| is_left(*it, parent))) {
                    self.export_value(key, outer.child_by_field_name("right"));
                }
            }
            "arguments" => match self.defined_property(parent, outer) {
                Some(key) => self.export_value(&key, None),
                None => self.leave_open(),
            },
            _ => self.leave_open(),
        }
    }

    fn leave_open(&mut self) {
        self.common.is_open = true;
    }

    /// The property in `Object.defineProperty(exports, 'name', …)`.
    fn defined_property(&self, arguments: Node<'_>, call: Option<Node<'_>>) -> Option<Name> {
        let function = self.field(call?, "function")?;
        let name = arguments.named_child(1).filter(|node| node.kind() == "string")?;
        let name = self.text(name).trim_matches(['"', '\'']);
        (function == "Object.defineProperty").then(|| name.into())
    }

    /// `module.exports = value`.
    fn export_whole(&mut self, value: Option<Node<'_>>) {
        let Some(value) = value else { return };
        match value.kind() {
            "object" => self.export_object(value),
            // The inner assignment is noted for itself.
            "assignment_expression" => {
                let left = self.field(value, "left");
                if !matches!(left, Some("exports" | "module.exports")) {
                    self.leave_open();
                }
            }
            "identifier" => match self.plain_object(value) {
                Some(object) => self.export_object(object),
                None => {
                    let inner = self.text(value).into();
                    self.file.exports.insert(WHOLE.into(), inner);
                }
            },
            "class" => match self.field(value, "name") {
                Some(name) => {
                    self.file.exports.insert(WHOLE.into(), name.into());
                }
                None => self.leave_open(),
            },
            _ => match self.required(value) {
                Some(source) => {
                    let whole = Import { source: source.clone(), name: WHOLE.into() };
                    self.file.reexports.insert(WHOLE.into(), whole);
                    self.file.stars.push(source);
                }
                None => self.leave_open(),
            },
        }
    }

    /// The object that a constant of the file is, where the file does nothing but read it.
    fn plain_object<'t>(&self, name: Node<'t>) -> Option<Node<'t>> {
        let root = std::iter::successors(Some(name), Node::parent).last()?;
        let word = self.text(name);
        let mut cursor = root.walk();
        let constants = root.named_children(&mut cursor).filter(|child| {
            child.kind() == "lexical_declaration" && self.text(*child).starts_with("const")
        });
        let of_word = |constant: Node<'t>| {
            let declared = constant.named_child(0)?;
            (self.field(declared, "name")? == word).then_some(declared)
        };
        let declared = constants.filter_map(of_word).next()?;
        let object = declared.child_by_field_name("value").filter(|it| it.kind() == "object")?;
        let is_plain = |at: usize| {
            at == declared.start_byte()
                || at == name.start_byte()
                || is_read(&self.source[at + word.len()..])
        };
        words::occurrences(self.source, word).all(is_plain).then_some(object)
    }

    fn export_object(&mut self, object: Node<'_>) {
        let mut cursor = object.walk();
        for child in object.named_children(&mut cursor) {
            match child.kind() {
                "shorthand_property_identifier" => {
                    let name = self.text(child);
                    self.export_value(name, Some(child));
                }
                "pair" => match self.plain_key(child, "key") {
                    Some(key) => self.export_value(&key, child.child_by_field_name("value")),
                    None => self.leave_open(),
                },
                "method_definition" => match self.plain_key(child, "name") {
                    Some(key) => self.export_value(&key, None),
                    None => self.leave_open(),
                },
                "spread_element" => {
                    match child.named_child(0).and_then(|inner| self.required(inner)) {
                        Some(source) => self.file.stars.push(source),
                        None => self.leave_open(),
                    }
                }
                "comment" => {}
                _ => self.leave_open(),
            }
        }
        self.common.has_object = true;
    }

    pub(super) fn plain_key(&self, node: Node<'_>, field: &str) -> Option<Name> {
        let key = node.child_by_field_name(field)?;
        let is_plain = matches!(key.kind(), "property_identifier" | "string" | "number");
        is_plain.then(|| self.text(key).trim_matches(['"', '\'']).into())
    }

    /// One name that a module exports, with what it is called inside.
    fn export_value(&mut self, name: &str, value: Option<Node<'_>>) {
        if let Some(source) = value.and_then(|value| self.required(value)) {
            let whole = Import { source, name: WHOLE.into() };
            self.file.reexports.insert(name.into(), whole);
            return;
        }
        let is_name = |it: &Node<'_>| it.kind().ends_with("identifier");
        let inner = value.filter(is_name).map_or(name, |value| self.text(value));
        self.file.exports.insert(name.into(), inner.into());
    }
}

/// Whether what follows the name of an object takes one of its values, and sets none.
fn is_read(after: &[u8]) -> bool {
    let Some(member) = after.strip_prefix(b".") else { return false };
    let length = member.iter().take_while(|byte| words::is_word(**byte)).count();
    let rest = member[length..].trim_ascii_start();
    let is_set = rest.first() == Some(&b'=') && rest.get(1) != Some(&b'=');
    length > 0 && !is_set
}
