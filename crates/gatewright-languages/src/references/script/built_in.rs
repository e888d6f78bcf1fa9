//! What JavaScript brings itself: its global objects, and values that are written out.
//!
//! `Math.clamp(…)`, `Object.mapValues(…)`, `"till".toTitleCase()`, `tills: Till[]`. Anybody may
//! put more on these objects: a member that another file spells, or that the file asks for before
//! it calls it, is left alone.

use tree_sitter::Node;

use super::facts::Class;
use super::{Checker, Member, OF_FUNCTIONS, STEPS, own_classes};
use crate::references::words;

/// What a list is called that no name of a class says to be one. No file can declare such a name.
pub(super) const LIST: &str = "[]";
const TEXT: &str = "string";

/// The class of a value that is written out.
pub(super) fn written(value: Node<'_>) -> Option<&'static str> {
    match value.kind() {
        "string" | "template_string" => Some(TEXT),
        "array" => Some(LIST),
        _ => None,
    }
}

/// The class of a type that is no name of one.
pub(super) fn typed(node: Node<'_>, text: &str) -> Option<&'static str> {
    match (node.kind(), text) {
        ("array_type", _) => Some(LIST),
        ("predefined_type", TEXT) => Some(TEXT),
        ("predefined_type", "number") => Some("number"),
        _ => None,
    }
}

/// The number of the class of values that have no name of a class.
pub(super) fn number(name: &str) -> Option<usize> {
    let class = match name {
        TEXT => "String",
        LIST => "Array",
        "number" => "Number",
        _ => return None,
    };
    own_classes().class_names.get(class).copied()
}

/// The class of a global object.
fn class_of_global(name: &str) -> Option<&'static Class> {
    let own = own_classes();
    let number = match name {
        "Math" | "JSON" => own.class_names.get(name),
        "console" => own.class_names.get("Console"),
        "document" => own.class_names.get("Document"),
        _ => own.class_names.get(format!("{name}Constructor").as_str()),
    };
    number.map(|number| &own.classes[*number])
}

/// Whether a text calls a member wherever it spells it, so that it never asks for it first.
fn is_only_called(text: &[u8], root: &str, member: &str) -> bool {
    let spelt = format!("{root}.{member}");
    words::occurrences(text, &spelt)
        .all(|start| text[start + spelt.len()..].trim_ascii_start().starts_with(b"("))
}

impl Checker<'_> {
    /// A member of an object that nothing in the file declares.
    pub(super) fn global_member(&mut self, root: &str, member: &str, offset: usize) {
        let file = self.file;
        let is_declared = file.declared.contains(root) || file.imports.contains_key(root);
        let Some(class) = class_of_global(root).filter(|_| !is_declared) else {
            return self.found.unknown("type not plain");
        };
        if OF_FUNCTIONS.contains(&member) {
            return self.found.exists();
        }
        let answer = match self.search(own_classes(), self.path, class, member, STEPS) {
            Member::Missing if !is_only_called(self.text, root, member) => {
                Member::Unknown("guarded name")
            }
            answer => answer,
        };
        self.member(answer, class, member, offset);
    }
}
