//! Expressions: their references, and the shapes of their values.

use tree_sitter::Node;

use super::facts::{Id, Shape, Target, Use};
use super::read::{DEEPEST, Reader};

/// Operators that yield a truth value.
const COMPARISONS: [&str; 8] = ["==", "!=", "<", "<=", ">", ">=", "&&", "||"];

impl Reader<'_> {
    /// The shapes of a list of expressions.
    pub(super) fn expressions(&mut self, list: Node<'_>) -> Vec<Id> {
        let mut cursor = list.walk();
        let children: Vec<Node<'_>> = list.named_children(&mut cursor).collect();
        let children = children.into_iter().filter(|child| child.kind() != "comment");
        children.map(|child| self.expression(child)).collect()
    }

    /// The shape of the value that the `index`-th of `count` names gets.
    pub(super) fn nth(&mut self, values: &[Id], index: usize, count: usize) -> Id {
        match (values, index) {
            ([single], _) if count > 1 => match *self.file.shape(*single) {
                Shape::Call(function, _) => self.add(Shape::Call(function, index)),
                _ if index == 0 => *single,
                _ => self.add(Shape::Basic),
            },
            (values, index) => match values.get(index) {
                Some(value) => *value,
                None => self.add(Shape::Unknown("values that do not match")),
            },
        }
    }

    pub(super) fn expression(&mut self, node: Node<'_>) -> Id {
        if self.depth > DEEPEST {
            self.file.is_deep = true;
            return self.add(Shape::Unknown("too deep"));
        }
        self.depth += 1;
        let shape = self.expression_of(node);
        self.depth -= 1;
        shape
    }

    fn expression_of(&mut self, node: Node<'_>) -> Id {
        let inner = |field: &str| node.child_by_field_name(field);
        match node.kind() {
            "identifier" => self.name(node, Use::Value),
            "call_expression" => self.call(node),
            "selector_expression" => self.selector(node),
            "composite_literal" => self.composite(node),
            "func_literal" => self.closure(node),
            "unary_expression" => self.unary(node),
            "binary_expression" => self.binary(node),
            "index_expression" => {
                let operand = self.inner(inner("operand"));
                self.inner(inner("index"));
                self.add(Shape::Index(operand))
            }
            "slice_expression" => {
                for field in ["start", "end", "capacity"] {
                    inner(field).map(|bound| self.expression(bound));
                }
                self.inner(inner("operand"))
            }
            "type_assertion_expression" => {
                self.inner(inner("operand"));
                let ty = self.inner(inner("type"));
                self.add(Shape::Value(ty))
            }
            // `f[T](x)` reads like a conversion as well.
            "type_conversion_expression" => {
                self.inner(inner("operand"));
                let ty = self.inner(inner("type"));
                self.add(Shape::Call(ty, 0))
            }
            "parenthesized_expression" | "variadic_argument" => {
                let mut cursor = node.walk();
                let child = node.named_children(&mut cursor).find(|node| node.kind() != "comment");
                self.inner(child)
            }
            "nil" => self.add(Shape::Unknown("nil")),
            "int_literal"
            | "float_literal"
            | "imaginary_literal"
            | "rune_literal"
            | "true"
            | "false"
            | "iota"
            | "interpreted_string_literal"
            | "raw_string_literal" => self.add(Shape::Basic),
            "ERROR" | "comment" | "label_name" => self.add(Shape::Unknown("syntax error")),
            "type_instantiation_expression" => self.instantiation(node),
            _ => self.ty(node),
        }
    }

    fn inner(&mut self, node: Option<Node<'_>>) -> Id {
        match node {
            Some(node) => self.expression(node),
            None => self.add(Shape::Unknown("syntax error")),
        }
    }

    fn instantiation(&mut self, node: Node<'_>) -> Id {
        let mut cursor = node.walk();
        let types: Vec<Node<'_>> = node.named_children(&mut cursor).collect();
        let shapes: Vec<Id> = types.into_iter().map(|ty| self.expression(ty)).collect();
        shapes.first().copied().unwrap_or_else(|| self.add(Shape::Unknown("syntax error")))
    }

    fn name(&mut self, node: Node<'_>, used: Use) -> Id {
        let name = self.text(node);
        if name == "_" {
            return self.add(Shape::Unknown("blank"));
        }
        if let Some(local) = self.local(name) {
            return local;
        }
        self.refer(Target::Name(name.into(), used), node);
        self.add(Shape::Named(name.into()))
    }

    fn call(&mut self, node: Node<'_>) -> Id {
        let Some(function) = node.child_by_field_name("function") else {
            return self.add(Shape::Unknown("syntax error"));
        };
        let is_name = function.kind() == "identifier";
        let callee =
            if is_name { self.name(function, Use::Call) } else { self.expression(function) };
        if let Some(types) = node.child_by_field_name("type_arguments") {
            self.ty(types);
        }
        let arguments = node.child_by_field_name("arguments");
        let arguments = arguments.map(|list| self.expressions(list)).unwrap_or_default();
        let name = self.text(function);
        let first = arguments.first().copied();
        match (name, first) {
            ("new", Some(first)) if is_name && self.local(name).is_none() => {
                let value = self.add(Shape::Value(first));
                self.add(Shape::AddressOf(value))
            }
            ("make", Some(first)) if is_name && self.local(name).is_none() => {
                self.add(Shape::Value(first))
            }
            ("append", Some(first)) if is_name && self.local(name).is_none() => first,
            _ => self.add(Shape::Call(callee, 0)),
        }
    }

    fn selector(&mut self, node: Node<'_>) -> Id {
        let (Some(operand), Some(field)) =
            (node.child_by_field_name("operand"), node.child_by_field_name("field"))
        else {
            return self.add(Shape::Unknown("syntax error"));
        };
        let member = self.text(field);
        if operand.kind() == "identifier" && self.local(self.text(operand)).is_none() {
            let root = self.text(operand);
            self.refer(Target::Qualified(root.into(), member.into()), field);
            return self.add(Shape::Qualified(root.into(), member.into()));
        }
        let operand = self.expression(operand);
        self.refer(Target::Member(operand, member.into()), field);
        self.add(Shape::Member(operand, member.into()))
    }

    fn composite(&mut self, node: Node<'_>) -> Id {
        let ty = match node.child_by_field_name("type") {
            Some(ty) => self.ty(ty),
            None => self.add(Shape::Unknown("syntax error")),
        };
        let value = self.add(Shape::Value(ty));
        if let Some(body) = node.child_by_field_name("body") {
            self.literal(body, value);
        }
        value
    }

    /// The body of a composite literal whose value has a shape.
    fn literal(&mut self, body: Node<'_>, value: Id) {
        let element = self.add(Shape::RangeValue(value));
        let mut cursor = body.walk();
        let children: Vec<Node<'_>> = body.named_children(&mut cursor).collect();
        for child in children {
            match child.kind() {
                "keyed_element" => {
                    if let Some(key) = child.child_by_field_name("key") {
                        self.key(key, value);
                    }
                    if let Some(inner) = child.child_by_field_name("value") {
                        self.element(inner, element);
                    }
                }
                "literal_element" => self.element(child, element),
                _ => {}
            }
        }
    }

    fn element(&mut self, node: Node<'_>, shape: Id) {
        let Some(inner) = node.named_child(0) else { return };
        if inner.kind() != "literal_value" {
            self.expression(inner);
            return;
        }
        if self.depth < DEEPEST {
            self.depth += 1;
            self.literal(inner, shape);
            self.depth -= 1;
        }
    }

    fn key(&mut self, node: Node<'_>, value: Id) {
        let Some(inner) = node.named_child(0) else { return };
        match inner.kind() {
            "identifier" => {
                let name = self.text(inner);
                if self.local(name).is_none() {
                    self.refer(Target::Key(value, name.into()), inner);
                }
            }
            "literal_value" => {
                let shape = self.add(Shape::RangeKey(value));
                self.literal(inner, shape);
            }
            _ => {
                self.expression(inner);
            }
        }
    }

    fn closure(&mut self, node: Node<'_>) -> Id {
        self.push_scope();
        let shape = self.signature(node);
        if let Some(body) = node.child_by_field_name("body") {
            self.statements(body);
        }
        self.pop_scope();
        self.add(Shape::Value(shape))
    }

    fn unary(&mut self, node: Node<'_>) -> Id {
        let operator = node.child_by_field_name("operator").map(|operator| self.text(operator));
        let operand = self.inner(node.child_by_field_name("operand"));
        match operator {
            Some("&") => self.add(Shape::AddressOf(operand)),
            Some("*") => self.add(Shape::Deref(operand)),
            Some("<-") => self.add(Shape::Receive(operand)),
            Some("!") => self.add(Shape::Basic),
            _ => operand,
        }
    }

    fn binary(&mut self, node: Node<'_>) -> Id {
        let operator = node.child_by_field_name("operator").map(|operator| self.text(operator));
        let left = self.inner(node.child_by_field_name("left"));
        let right = self.inner(node.child_by_field_name("right"));
        match operator {
            Some(operator) if COMPARISONS.contains(&operator) => self.add(Shape::Basic),
            Some("<<" | ">>") => left,
            _ => self.add(Shape::Either(left, right)),
        }
    }
}
