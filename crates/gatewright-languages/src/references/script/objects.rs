//! Objects whose keys are written out, and constants that other files import.
//!
//! `const COLOURS = { red: 1 }` makes an object that has the keys it is written with: a class of
//! its own, called by a name that no file can declare. A script that hands such an object to a
//! function may get more keys back.

use std::sync::Arc;

use tree_sitter::Node;

use super::facts::{Import, Name, ScriptFile};
use super::locals::Told;
use super::narrowed::last_word;
use super::walk::Walker;
use super::{Checker, STEPS};
use crate::references::words;

/// How the name of a class begins that a file writes out in place.
pub(super) const MARK: char = '{';
/// Why an object may have more keys than those that are written.
const SPREAD: &str = "object that takes keys of others";

impl Walker<'_> {
    /// What is told of a value that is an object with its keys.
    pub(super) fn told_by_object(&mut self, value: Option<Node<'_>>) -> Option<Told> {
        let object = self.written_object(value?)?;
        Some(Told::Made(self.object_class(object)))
    }

    /// The object in `{ … }`, `{ … } as const`, `{ … } satisfies Kinds`, `Object.freeze({ … })`.
    fn written_object<'t>(&self, value: Node<'t>) -> Option<Node<'t>> {
        match value.kind() {
            "object" => (value.named_child_count() > 0).then_some(value),
            "as_expression" if !self.text(value).trim_end().ends_with(" const") => None,
            "as_expression" | "satisfies_expression" | "parenthesized_expression" => {
                self.written_object(value.named_child(0)?)
            }
            "call_expression" if self.field(value, "function") == Some("Object.freeze") => {
                self.written_object(value.child_by_field_name("arguments")?.named_child(0)?)
            }
            _ => None,
        }
    }

    /// The class of an object, by a name made of its place.
    pub(super) fn object_class(&mut self, object: Node<'_>) -> Name {
        let name: Name = format!("{MARK}{}", object.start_byte()).into();
        let number = self.file.class_named(&name);
        let mut cursor = object.walk();
        for child in object.named_children(&mut cursor) {
            let key = match child.kind() {
                "pair" => self.plain_key(child, "key"),
                "method_definition" => self.plain_key(child, "name"),
                "shorthand_property_identifier" => Some(self.text(child).into()),
                "comment" => continue,
                _ => None,
            };
            let class = &mut self.file.classes[number];
            match key.filter(|key| &**key != "__proto__") {
                Some(key) => _ = class.members.insert(key),
                None => class.open = Some(SPREAD),
            }
        }
        self.file.classes[number].is_value = true;
        name
    }

    /// `export default { … }`: what the import of it stands for.
    pub(super) fn export_object_as(&mut self, name: &str, value: Option<Node<'_>>) {
        if let Some(Told::Made(class)) = self.told_by_object(value) {
            self.file.constants.insert(name.into(), class);
        }
    }
}

/// A class with the path of its file, and that file.
type Held = (String, Arc<ScriptFile>, usize);

impl Checker<'_> {
    /// The class of the object that an imported constant is.
    pub(super) fn imported_value(&self, root: &str) -> Option<Held> {
        let import = self.file.imports.get(root)?;
        let (path, file, inner) = self.defined(self.path, import, STEPS)?;
        let class = file.constants.get(&inner)?;
        let (place, other, number) = self.class(&path, &file, class, STEPS)?;
        Some((place, other.unwrap_or(file), number))
    }

    /// The file that defines what an import names, with its path, and its name there.
    pub(super) fn defined(
        &self,
        from: &str,
        import: &Import,
        steps: usize,
    ) -> Option<(String, Arc<ScriptFile>, Name)> {
        if steps == 0 {
            return None;
        }
        let (path, file) = self.load(from, &import.source).ok()?;
        if let Some(inner) = file.exports.get(&import.name) {
            return match file.imports.get(inner).filter(|_| !file.values.contains_key(inner)) {
                Some(next) => self.defined(&path, next, steps - 1),
                None => Some((path, Arc::clone(&file), inner.clone())),
            };
        }
        if let Some(next) = file.reexports.get(&import.name) {
            return self.defined(&path, next, steps - 1);
        }
        file.stars.iter().find_map(|star| {
            let import = Import { source: star.clone(), name: import.name.clone() };
            self.defined(&path, &import, steps - 1)
        })
    }

    /// Whether a script hands an object to a function that may put more on it.
    pub(super) fn is_handed_on(&self, root: &str) -> bool {
        !self.is_typed()
            && words::occurrences(self.text, root).any(|start| {
                let before = self.text[..start].trim_ascii_end();
                let after = self.text[start + root.len()..].trim_ascii_start();
                let is_argument = after.starts_with(b",") || after.starts_with(b")");
                let function = before.strip_suffix(b"(").map(|it| last_word(it.trim_ascii_end()));
                is_argument && function.is_some_and(|function| !is_reading(function))
            })
    }
}

/// Whether what stands before a bracket gets nothing to change.
fn is_reading(function: &[u8]) -> bool {
    const READING: [&str; 20] = [
        "if",
        "while",
        "switch",
        "return",
        "keys",
        "values",
        "entries",
        "freeze",
        "stringify",
        "log",
        "push",
        "includes",
        "String",
        "Boolean",
        "isArray",
        "require",
        "has",
        "resolve",
        "equal",
        "expect",
    ];
    READING.iter().any(|word| word.as_bytes() == function)
}
