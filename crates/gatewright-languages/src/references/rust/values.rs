//! From the syntax tree to [`Value`] and [`Written`]: what the text says of values and types.

use tree_sitter::Node;

use super::facts::{RustFile, Value, Written, names};
use super::uses;
use super::walk::Walker;

/// How many expressions one inside of the other are followed.
const DEEP: usize = 16;
/// How many types one inside of the other are followed.
const NESTED: usize = 4;
/// What an asynchronous function gives, until it is awaited.
pub(super) const FUTURE: &str = "async";

impl RustFile {
    /// Forgets the types that name a parameter of the type or function around them.
    pub(super) fn forget_parameters(&mut self) {
        let declared = &self.declared;
        let of_types = self.types.values_mut();
        let of_types = of_types.flat_map(|facts| [&mut facts.field_types, &mut facts.results]);
        for known in of_types.chain(self.modules.iter_mut().map(|module| &mut module.results)) {
            let plain = std::mem::take(known).into_iter();
            *known = plain.filter_map(|(name, of)| Some((name, of.without(declared)?))).collect();
        }
    }
}

impl Walker<'_> {
    /// What a function gives; awaited first when it is asynchronous.
    pub(super) fn result_of(&self, function: Node<'_>) -> Option<Written> {
        let gives = self.written(function.child_by_field_name("return_type")?)?;
        let mut cursor = function.walk();
        let is_async = function.children(&mut cursor).any(|child| {
            child.kind() == "function_modifiers" && self.text(child).contains("async")
        });
        Some(match is_async {
            true => Written { path: vec![FUTURE.into()], with: vec![gives] },
            false => gives,
        })
    }

    /// A type as it is written, where it is plainly one.
    pub(super) fn written(&self, node: Node<'_>) -> Option<Written> {
        self.written_within(node, NESTED)
    }

    fn written_within(&self, node: Node<'_>, deep: usize) -> Option<Written> {
        let deep = deep.checked_sub(1)?;
        match node.kind() {
            "reference_type" => self.written_within(node.child_by_field_name("type")?, deep + 1),
            "dynamic_type" | "abstract_type" => {
                self.written_within(node.child_by_field_name("trait")?, deep)
            }
            "array_type" => {
                let of = self.written_within(node.child_by_field_name("element")?, deep)?;
                Some(Written::of_std(&["vec", "Vec"], vec![of]))
            }
            _ => {
                let path = names(&self.plain_path(node)?);
                Some(Written { path, with: self.arguments(node, deep) })
            }
        }
    }

    /// The types that a type is made with, up to the first that is not plain.
    fn arguments(&self, node: Node<'_>, deep: usize) -> Vec<Written> {
        let Some(list) = node.child_by_field_name("type_arguments") else { return Vec::new() };
        let mut cursor = list.walk();
        list.named_children(&mut cursor)
            .filter(|child| child.kind() != "lifetime")
            .map_while(|child| self.written_within(child, deep))
            .collect()
    }

    /// What `self` is here.
    pub(super) fn itself(&self) -> Option<Value> {
        let path = names(self.owner()?);
        Some(Value::Of(Written { path, with: Vec::new() }))
    }

    /// What an expression plainly is.
    pub(super) fn value_of(&self, node: Node<'_>) -> Option<Value> {
        self.value_within(node, DEEP)
    }

    fn value_within(&self, node: Node<'_>, deep: usize) -> Option<Value> {
        let deep = deep.checked_sub(1)?;
        let below = |node: Node<'_>| self.value_within(node, deep).map(Box::new);
        let first = || node.named_child(0);
        match node.kind() {
            "self" => self.itself(),
            "identifier" => Some(Value::Local(self.text(node).into())),
            "string_literal" | "raw_string_literal" => Some(of_std(&["str"])),
            "reference_expression" => self.value_within(node.child_by_field_name("value")?, deep),
            "parenthesized_expression" => self.value_within(first()?, deep),
            "unary_expression" if self.text(node).starts_with('*') => {
                self.value_within(first()?, deep)
            }
            "struct_expression" => {
                let path = uses::segments(node.child_by_field_name("name")?, self.source);
                let path = names(&self.without_self(path)?);
                Some(Value::Of(Written { path, with: Vec::new() }))
            }
            "field_expression" => {
                let field = node.child_by_field_name("field")?;
                let of = below(node.child_by_field_name("value")?)?;
                (field.kind() == "field_identifier")
                    .then(|| Value::Field(of, self.text(field).into()))
            }
            "try_expression" => below(first()?).map(Value::Inside),
            "await_expression" => below(first()?).map(Value::Awaited),
            "index_expression" => {
                let index = node.named_child(1)?;
                let of = below(first()?)?;
                (index.kind() != "range_expression").then_some(Value::Element(of))
            }
            "call_expression" => self.called(node.child_by_field_name("function")?, deep),
            _ => None,
        }
    }

    /// What a call of a function gives.
    fn called(&self, function: Node<'_>, deep: usize) -> Option<Value> {
        if self.text(function) == "format" && self.is_plain_macro(function) {
            return Some(of_std(&["string", "String"]));
        }
        let function = match function.kind() {
            "generic_function" => function.child_by_field_name("function")?,
            _ => function,
        };
        match function.kind() {
            "field_expression" => {
                let field = function.child_by_field_name("field")?;
                let of = self.value_within(function.child_by_field_name("value")?, deep)?;
                Some(Value::Method(Box::new(of), self.text(field).into()))
            }
            "identifier" | "scoped_identifier" if !self.is_plain_macro(function) => {
                let path = self.without_self(uses::segments(function, self.source))?;
                Some(Value::From(names(&path)))
            }
            _ => None,
        }
    }
}

fn of_std(path: &[&str]) -> Value {
    match path {
        ["str"] => Value::Of(Written { path: vec!["str".into()], with: Vec::new() }),
        path => Value::Of(Written::of_std(path, Vec::new())),
    }
}
