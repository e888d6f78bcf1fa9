//! Keys of objects that are written for a type, and of tags: `pay({ amuont: 1 })`.
//!
//! Held against it are objects for a variable with a plain type, for a function of the workspace
//! whose parameter has one, and the attributes of a component that is such a function. A key that
//! another file spells is left alone: a package may add it to what all tags take.

use std::sync::Arc;

use tree_sitter::Node;

use super::facts::{Class, Keys, Name, ScriptFile, Taker, Target, Value};
use super::objects::MARK;
use super::walk::Walker;
use super::{Checker, Member, STEPS};
use crate::references::collector::Kind;

/// What every tag takes.
const OF_TAGS: [&str; 3] = ["key", "ref", "children"];
/// Types of a component, which name what it takes.
const COMPONENTS: [&str; 4] = ["FC", "FunctionComponent", "React.FC", "React.FunctionComponent"];
/// What gives the component that it gets.
const WRAPPERS: [&str; 5] = ["memo", "React.memo", "observer", "forwardRef", "React.forwardRef"];

impl Walker<'_> {
    /// Notes the keys of an object that a type tells all of.
    pub(super) fn keys_of_type(&mut self, annotation: Option<Node<'_>>, value: Option<Node<'_>>) {
        let (Some(annotation), Some(value)) = (annotation, value) else { return };
        if let Some(class) = self.lone_type(annotation).filter(|_| value.kind() == "object") {
            let taker = Taker::Type(class.into());
            self.note_keys(taker, value, false);
        }
    }

    /// Notes the keys of the objects that a call is made with.
    pub(super) fn keys_of_call(&mut self, call: Node<'_>) {
        let function = call.child_by_field_name("function");
        let Some(function) = function.filter(|it| it.kind() == "identifier") else { return };
        let Some(arguments) = call.child_by_field_name("arguments") else { return };
        let mut cursor = arguments.walk();
        let all = arguments.named_children(&mut cursor).filter(|it| it.kind() != "comment");
        for (index, argument) in all.enumerate() {
            match argument.kind() {
                "object" => {
                    let taker = Taker::Function(self.text(function).into(), index);
                    self.note_keys(taker, argument, false);
                }
                "spread_element" => break,
                _ => {}
            }
        }
    }

    /// Notes the attributes of a tag.
    pub(super) fn keys_of_tag(&mut self, tag: Node<'_>) {
        let name = tag.child_by_field_name("name").filter(|it| it.kind() == "identifier");
        let name = name.map(|name| self.text(name)).unwrap_or_default();
        if name.starts_with(|first: char| first.is_ascii_uppercase()) {
            self.note_keys(Taker::Function(name.into(), 0), tag, true);
        }
    }

    fn note_keys(&mut self, taker: Taker, object: Node<'_>, is_tag: bool) {
        let mut keys = Vec::new();
        let mut cursor = object.walk();
        for child in object.named_children(&mut cursor) {
            let key = match child.kind() {
                "pair" => child.child_by_field_name("key"),
                "method_definition" => child.child_by_field_name("name"),
                "shorthand_property_identifier" => Some(child),
                "jsx_attribute" => child.named_child(0),
                _ => None,
            };
            let is_name = |key: &Node<'_>| {
                matches!(key.kind(), "property_identifier" | "shorthand_property_identifier")
            };
            if let Some(key) = key.filter(is_name) {
                let name: Name = self.text(key).into();
                let is_any = is_tag && (name.contains('-') || OF_TAGS.contains(&&*name));
                if !is_any {
                    keys.push((name, key.start_byte()));
                }
            }
        }
        if !keys.is_empty() {
            self.refer(Target::Keys(Box::new(Keys { taker, keys })), object);
        }
    }

    /// Notes the types of what a function takes; of two functions of a name nothing is told.
    pub(super) fn note_takes(&mut self, name: &str, function: Node<'_>) {
        let taken = self.taken(function);
        self.take_as(name, taken);
    }

    /// The same for a constant that is a function, or a component by its type.
    pub(super) fn note_constant_takes(
        &mut self,
        name: &str,
        annotation: Option<Node<'_>>,
        value: Option<Node<'_>>,
    ) -> Option<Value> {
        let typed = annotation.map(|annotation| self.component_type(annotation));
        let function = value.and_then(|value| self.wrapped(value));
        let taken = match (typed, function) {
            (Some(taken), _) => taken.map(|class| vec![Some(class)]),
            (None, Some(function)) => Some(self.taken(function)).flatten(),
            (None, None) => return None,
        };
        self.take_as(name, taken);
        let is_plain =
            value.is_some_and(|it| matches!(it.kind(), "arrow_function" | "function_expression"));
        Some(if is_plain { Value::Function } else { Value::Component })
    }

    fn take_as(&mut self, name: &str, taken: Option<Vec<Option<Name>>>) {
        let known = self.file.takes.entry(name.into()).or_insert_with(|| taken.clone());
        if *known != taken {
            *known = None;
        }
    }

    /// What is handed to a component whose type says so: `FC<Props>`.
    fn component_type(&mut self, annotation: Node<'_>) -> Option<Name> {
        let inner = annotation.named_child(0).filter(|it| it.kind() == "generic_type")?;
        let is_component = COMPONENTS.contains(&self.field(inner, "name")?);
        let first = inner.child_by_field_name("type_arguments")?.named_child(0)?;
        if !is_component {
            return None;
        }
        self.taken_type(first)
    }

    /// The function in a value, seen through what hands it on.
    fn wrapped<'t>(&self, value: Node<'t>) -> Option<Node<'t>> {
        match value.kind() {
            "arrow_function" | "function_expression" => Some(value),
            "call_expression" if WRAPPERS.contains(&self.field(value, "function")?) => {
                if value.child_by_field_name("type_arguments").is_some() {
                    return None;
                }
                self.wrapped(value.child_by_field_name("arguments")?.named_child(0)?)
            }
            _ => None,
        }
    }

    /// The types of the parameters of a function, as far as they are plain.
    fn taken(&mut self, function: Node<'_>) -> Option<Vec<Option<Name>>> {
        let parameters = function.child_by_field_name("parameters")?;
        let own: Vec<Name> = self.type_parameters(function);
        let mut taken = Vec::new();
        let mut cursor = parameters.walk();
        for parameter in parameters.named_children(&mut cursor) {
            match parameter.kind() {
                "comment" => continue,
                "required_parameter" | "optional_parameter" => {}
                _ => break,
            }
            let pattern = parameter.child_by_field_name("pattern");
            if pattern.is_some_and(|it| matches!(it.kind(), "rest_pattern" | "this")) {
                break;
            }
            let annotation = parameter.child_by_field_name("type");
            let class = annotation
                .and_then(|annotation| annotation.named_child(0))
                .and_then(|inner| self.taken_type(inner));
            taken.push(class.filter(|class| !own.contains(class)));
        }
        Some(taken)
    }

    /// The class of a type that is a name, or written out in place.
    fn taken_type(&mut self, node: Node<'_>) -> Option<Name> {
        match node.kind() {
            "type_identifier" => Some(self.text(node).into()),
            "object_type" if node.named_child_count() > 0 => {
                let name: Name = format!("{MARK}{}", node.start_byte()).into();
                let number = self.file.class_named(&name);
                self.members(node, number);
                Some(name)
            }
            _ => None,
        }
    }
}

impl Checker<'_> {
    /// Each of some keys, held against what takes them.
    pub(super) fn keys(&mut self, keys: &Keys) {
        let found = match &keys.taker {
            Taker::Type(class) => self.class(self.path, self.file, class, STEPS),
            Taker::Function(function, index) => self.taken_class(function, *index),
        };
        let found = found.filter(|(_, file, number)| {
            let class = &file.as_deref().unwrap_or(self.file).classes[*number];
            let is_empty = class.members.is_empty() && class.bases.is_empty();
            !is_empty && !class.is_enum && !class.is_merged
        });
        let Some((path, file, number)) = found else {
            return self.found.unknown("type not plain");
        };
        let holder = file.as_deref().unwrap_or(self.file);
        let class: &Class = &holder.classes[number];
        for (key, offset) in &keys.keys {
            match self.search(holder, &path, class, key, STEPS) {
                Member::Exists => self.found.exists(),
                Member::Unknown(reason) => self.found.unknown(reason),
                Member::Missing if self.is_elsewhere(key) => {
                    self.found.unknown("name that other files spell");
                }
                Member::Missing => {
                    let names = class.members.iter().map(|name| &**name);
                    self.found.missing(key, Kind::Argument, *offset, names);
                }
            }
        }
    }

    /// The class of what a function takes at a place.
    fn taken_class(
        &self,
        function: &str,
        index: usize,
    ) -> Option<(String, Option<Arc<ScriptFile>>, usize)> {
        let is_function = |file: &ScriptFile, name: &str| {
            let value = file.values.get(name);
            value.is_none_or(|value| matches!(value, Value::Function | Value::Component))
        };
        let of = |file: &ScriptFile, name: &str| {
            let taken = file.takes.get(name).filter(|_| is_function(file, name))?.as_ref()?;
            taken.get(index)?.clone()
        };
        if self.file.takes.contains_key(function) {
            let class = of(self.file, function)?;
            return self.class(self.path, self.file, &class, STEPS);
        }
        let import = self.file.imports.get(function)?;
        if self.file.values.contains_key(function) {
            return None;
        }
        let (path, file, inner) = self.defined(self.path, import, STEPS)?;
        let class = of(&file, &inner)?;
        let (place, other, number) = self.class(&path, &file, &class, STEPS)?;
        Some((place, other.or(Some(file)), number))
    }
}
