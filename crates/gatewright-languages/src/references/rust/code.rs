//! From the syntax tree to [`RustFile`](super::facts::RustFile): locals and references in code.

use tree_sitter::Node;

use super::facts::{Local, Name, Role, Segment, Target, Value, names};
use super::uses;
use super::walk::Walker;

/// What a local ends with.
const SCOPES: [&str; 8] = [
    "block",
    "closure_expression",
    "function_item",
    "match_arm",
    "for_expression",
    "if_expression",
    "while_expression",
    "const_block",
];

impl Walker<'_> {
    /// Notes a node of code; whether to go below.
    pub(super) fn code(&mut self, node: Node<'_>, ancestors: &[Node<'_>]) -> bool {
        match node.kind() {
            "let_declaration" | "parameter" => self.binding(node, ancestors),
            "for_expression" | "let_condition" => {
                let value = node.child_by_field_name("value");
                let value = value.and_then(|value| self.value_of(value));
                let value = match node.kind() {
                    "for_expression" => value.map(|value| Value::Element(Box::new(value))),
                    _ => value,
                };
                if let Some(pattern) = node.child_by_field_name("pattern") {
                    self.bind_value(pattern, value, ancestors, node);
                }
            }
            "match_pattern" | "closure_parameters" => {
                let mut cursor = node.walk();
                let patterns: Vec<Node<'_>> = node
                    .named_children(&mut cursor)
                    .filter(|child| child.kind() != "parameter")
                    .collect();
                for pattern in patterns {
                    self.bind(pattern, None, ancestors, node);
                }
            }
            "type_parameter" | "const_parameter" => {
                if let Some(name) = node.child_by_field_name("name") {
                    let name = self.text(name).into();
                    self.file.declared.insert(name);
                }
            }
            "scoped_identifier" | "scoped_type_identifier" => self.path(node, ancestors),
            "identifier" | "type_identifier" => self.single(node, ancestors),
            "field_expression" => self.member(node, ancestors),
            "struct_expression" => self.fields(node, "name", node.child_by_field_name("body")),
            "struct_pattern" => self.fields(node, "type", Some(node)),
            _ => {}
        }
        true
    }

    /// The fields that a literal or a pattern names.
    fn fields(&mut self, node: Node<'_>, of: &str, list: Option<Node<'_>>) {
        let path = node.child_by_field_name(of).map(|of| uses::segments(of, self.source));
        let Some(path) = path.and_then(|path| self.without_self(path)) else { return };
        let Some(list) = list else { return };
        let mut cursor = list.walk();
        let named: Vec<Node<'_>> = list
            .named_children(&mut cursor)
            .filter(|child| !has_attribute(*child))
            .filter_map(|child| match child.kind() {
                "field_initializer" => child.child_by_field_name("field"),
                "shorthand_field_initializer" => child.named_child(0),
                "field_pattern" => child.child_by_field_name("name"),
                _ => None,
            })
            .collect();
        for field in named.into_iter().filter(|field| field.kind() != "integer_literal") {
            let name = self.text(field);
            let name = name.strip_prefix("r#").unwrap_or(name).into();
            let field = Segment { name, offset: field.start_byte() };
            self.refer(Target::Field { of: names(&path), field });
        }
    }

    fn binding(&mut self, node: Node<'_>, ancestors: &[Node<'_>]) {
        let Some(pattern) = node.child_by_field_name("pattern") else { return };
        let value = match node.child_by_field_name("type") {
            Some(of) => self.written(of).map(Value::Of),
            None => node.child_by_field_name("value").and_then(|value| self.value_of(value)),
        };
        self.bind_value(pattern, value, ancestors, node);
    }

    /// Binds a pattern to a value: a plain name is that value, the name in `Some(name)` what
    /// stands in it.
    fn bind_value(
        &mut self,
        pattern: Node<'_>,
        value: Option<Value>,
        ancestors: &[Node<'_>],
        node: Node<'_>,
    ) {
        let value = match pattern.kind() {
            "identifier" | "mut_pattern" => value,
            "tuple_struct_pattern" if self.is_some_or_ok(pattern) => {
                value.map(|value| Value::Inside(Box::new(value)))
            }
            _ => None,
        };
        self.bind(pattern, value, ancestors, node);
    }

    /// Whether a pattern is `Some(name)` or `Ok(name)`.
    fn is_some_or_ok(&self, pattern: Node<'_>) -> bool {
        let of = pattern.child_by_field_name("type").map(|of| self.text(of));
        let is_name = |inner: Node<'_>| matches!(inner.kind(), "identifier" | "mut_pattern");
        matches!(of, Some("Some" | "Ok"))
            && pattern.named_child_count() == 2
            && pattern.named_child(1).is_some_and(is_name)
    }

    /// Binds every name of a pattern from the end of `node` to the end of its scope.
    fn bind(
        &mut self,
        pattern: Node<'_>,
        value: Option<Value>,
        ancestors: &[Node<'_>],
        node: Node<'_>,
    ) {
        let own = SCOPES.contains(&node.kind()).then_some(node);
        let scope = own
            .or_else(|| ancestors.iter().rev().find(|node| SCOPES.contains(&node.kind())).copied());
        let end = scope.map_or(usize::MAX, |scope| scope.end_byte());
        let start = match node.kind() {
            "let_declaration" => node.end_byte(),
            _ => pattern.end_byte(),
        };
        for name in self.bound_names(pattern) {
            self.file.declared.insert(name.clone());
            let local = Local { start, end, value: value.clone() };
            self.file.locals.entry(name).or_default().push(local);
        }
    }

    fn bound_names(&self, pattern: Node<'_>) -> Vec<Name> {
        let mut found = Vec::new();
        let mut pending = vec![pattern];
        while let Some(node) = pending.pop() {
            match node.kind() {
                "identifier" | "shorthand_field_identifier" => found.push(self.text(node).into()),
                "scoped_identifier" | "scoped_type_identifier" | "type_identifier" => {}
                _ => {
                    let skipped = node.child_by_field_name("type").map(|node| node.id());
                    let mut cursor = node.walk();
                    pending.extend(
                        node.named_children(&mut cursor)
                            .filter(|child| Some(child.id()) != skipped),
                    );
                }
            }
        }
        found
    }

    fn path(&mut self, node: Node<'_>, ancestors: &[Node<'_>]) {
        let Some(parent) = ancestors.last() else { return };
        let is_part = matches!(
            parent.kind(),
            "scoped_identifier" | "scoped_type_identifier" | "visibility_modifier" | "attribute"
        );
        if is_part || (is_generic(*parent) && is_part_of_path(ancestors)) {
            return;
        }
        let role = match node.kind() {
            "scoped_type_identifier" => Role::Type,
            _ if is_called(node, ancestors) => Role::Call,
            _ => Role::Value,
        };
        if let Some(path) = self.without_self(uses::segments(node, self.source)) {
            self.refer(Target::Path(path, role));
        }
    }

    fn single(&mut self, node: Node<'_>, ancestors: &[Node<'_>]) {
        let Some(parent) = ancestors.last() else { return };
        let is = |field: &str| {
            parent.child_by_field_name(field).is_some_and(|child| child.id() == node.id())
        };
        // A lifetime where the grammar expects a type.
        if node.start_byte().checked_sub(1).and_then(|at| self.source.get(at)) == Some(&b'\'') {
            return;
        }
        if self.is_plain_macro(node) {
            return;
        }
        let name = self.text(node);
        let role = match (node.kind(), parent.kind()) {
            ("type_identifier", "scoped_type_identifier" | "type_parameter") => return,
            ("type_identifier", "type_binding" | "associated_type") if is("name") => return,
            (
                "type_identifier",
                "struct_item" | "enum_item" | "union_item" | "trait_item" | "type_item",
            ) if is("name") => return,
            ("type_identifier", "type_arguments") if self.is_bounded(node) => return,
            ("type_identifier", _) => Role::Type,
            (_, "call_expression") if is("function") => Role::Call,
            (_, "generic_function") if is("function") => Role::Call,
            (_, "tuple_struct_pattern") if is("type") => Role::Type,
            (_, kind) if is_constant(name) && (is_value_place(kind) || is("value")) => Role::Value,
            _ => return,
        };
        if matches!(name, "Self" | "_") || name.starts_with('$') {
            return;
        }
        let name = name.strip_prefix("r#").unwrap_or(name);
        let segment = Segment { name: name.into(), offset: node.start_byte() };
        self.refer(Target::Path(vec![segment], role));
    }

    /// Whether a name is that of a macro whose arguments were made code.
    pub(super) fn is_plain_macro(&self, name: Node<'_>) -> bool {
        self.original.get(name.end_byte()) == Some(&b'!')
            && self.source.get(name.end_byte()) == Some(&b' ')
    }

    /// Whether a name is an associated type that gets a bound (`Item: Trait`).
    fn is_bounded(&self, node: Node<'_>) -> bool {
        let after = self.source.get(node.end_byte()..).unwrap_or_default().trim_ascii_start();
        after.starts_with(b":") && !after.starts_with(b"::")
    }

    fn member(&mut self, node: Node<'_>, ancestors: &[Node<'_>]) {
        let (Some(value), Some(field)) =
            (node.child_by_field_name("value"), node.child_by_field_name("field"))
        else {
            return;
        };
        if field.kind() != "field_identifier" {
            return;
        }
        let name = self.text(field);
        let name = name.strip_prefix("r#").unwrap_or(name);
        let member = Segment { name: name.into(), offset: field.start_byte() };
        let is_call = is_called(node, ancestors);
        let of = self.value_of(value);
        self.refer(Target::Member { of, member, is_call });
    }
}

fn is_generic(node: Node<'_>) -> bool {
    matches!(node.kind(), "generic_type" | "generic_type_with_turbofish" | "generic_function")
}

/// Whether the generic type that is the innermost ancestor is a part of a longer path.
fn is_part_of_path(ancestors: &[Node<'_>]) -> bool {
    let around = ancestors.iter().rev().nth(1);
    around.is_some_and(|node| matches!(node.kind(), "scoped_identifier" | "scoped_type_identifier"))
}

fn is_called(node: Node<'_>, ancestors: &[Node<'_>]) -> bool {
    let mut inner = node;
    for around in ancestors.iter().rev() {
        let is_function =
            around.child_by_field_name("function").is_some_and(|child| child.id() == inner.id());
        match around.kind() {
            "call_expression" => return is_function,
            "generic_function" if is_function => inner = *around,
            _ => return false,
        }
    }
    false
}

/// Whether a single name below such a node is a value and no binding.
fn is_value_place(kind: &str) -> bool {
    matches!(
        kind,
        "arguments"
            | "binary_expression"
            | "reference_expression"
            | "field_expression"
            | "return_expression"
            | "index_expression"
            | "array_expression"
            | "range_expression"
            | "type_cast_expression"
            | "tuple_expression"
            | "parenthesized_expression"
            | "try_expression"
            | "match_expression"
            | "unary_expression"
    )
}

fn is_constant(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_uppercase())
}

/// Whether an attribute says when a field is there.
fn has_attribute(node: Node<'_>) -> bool {
    node.named_child(0).is_some_and(|first| first.kind() == "attribute_item")
}
