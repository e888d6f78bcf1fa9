//! Statements, with the scopes that they open.

use tree_sitter::Node;

use super::facts::{Id, Shape};
use super::read::{DEEPEST, Reader};

impl<'a> Reader<'a> {
    /// Reads the statements of a block in the scope that is there.
    pub(super) fn statements(&mut self, block: Node<'_>) {
        let mut cursor = block.walk();
        let children: Vec<Node<'_>> = block.named_children(&mut cursor).collect();
        for child in children {
            self.statement(child);
        }
    }

    pub(super) fn statement(&mut self, node: Node<'_>) {
        if self.depth > DEEPEST {
            self.file.is_deep = true;
            return;
        }
        self.depth += 1;
        match node.kind() {
            "block"
            | "if_statement"
            | "for_statement"
            | "for_clause"
            | "expression_case"
            | "default_case"
            | "expression_switch_statement"
            | "select_statement"
            | "communication_case" => {
                let is_clause = node.kind() == "for_clause";
                if !is_clause {
                    self.push_scope();
                }
                self.statements(node);
                if !is_clause {
                    self.pop_scope();
                }
            }
            "statement_list"
            | "labeled_statement"
            | "expression_statement"
            | "go_statement"
            | "defer_statement"
            | "return_statement"
            | "inc_statement"
            | "dec_statement"
            | "send_statement"
            | "assignment_statement"
            | "expression_list" => {
                self.statements(node);
            }
            "short_var_declaration" => self.short_declaration(node),
            "const_declaration" | "var_declaration" | "type_declaration" => {
                self.declaration(node, false);
            }
            "range_clause" | "receive_statement" => self.received(node),
            "type_switch_statement" => self.type_switch(node),
            "function_declaration"
            | "method_declaration"
            | "ERROR"
            | "comment"
            | "label_name"
            | "break_statement"
            | "continue_statement"
            | "goto_statement"
            | "empty_statement"
            | "fallthrough_statement" => {}
            _ => {
                self.expression(node);
            }
        }
        self.depth -= 1;
    }

    fn short_declaration(&mut self, node: Node<'_>) {
        let Some(right) = node.child_by_field_name("right") else { return };
        let values = self.expressions(right);
        let names = names(node.child_by_field_name("left"));
        for (index, name) in names.iter().enumerate() {
            let shape = self.nth(&values, index, names.len());
            self.declare_new(*name, shape);
        }
    }

    /// A short declaration keeps the names that its scope has already.
    fn declare_new(&mut self, name: Node<'_>, shape: Id) {
        let name = self.text(name);
        if !self.is_here(name) {
            self.declare(name, shape);
        }
    }

    /// `for k, v := range x` and `case v, ok := <-c`.
    fn received(&mut self, node: Node<'_>) {
        let Some(right) = node.child_by_field_name("right") else { return };
        let value = self.expression(right);
        let left = node.child_by_field_name("left");
        let mut cursor = node.walk();
        if !node.children(&mut cursor).any(|child| child.kind() == ":=") {
            if let Some(left) = left {
                self.expressions(left);
            }
            return;
        }
        let is_range = node.kind() == "range_clause";
        for (index, name) in names(left).iter().enumerate() {
            let shape = match (is_range, index) {
                (true, 0) => self.add(Shape::RangeKey(value)),
                (true, _) => self.add(Shape::RangeValue(value)),
                (false, 0) => value,
                (false, _) => self.add(Shape::Basic),
            };
            self.declare(self.text(*name), shape);
        }
    }

    fn type_switch(&mut self, node: Node<'_>) {
        self.push_scope();
        if let Some(initializer) = node.child_by_field_name("initializer") {
            self.statement(initializer);
        }
        let value = node.child_by_field_name("value").map(|value| self.expression(value));
        let alias = names(node.child_by_field_name("alias")).first().map(|name| self.text(*name));
        let mut cursor = node.walk();
        let cases: Vec<Node<'_>> = node
            .named_children(&mut cursor)
            .filter(|child| matches!(child.kind(), "type_case" | "default_case"))
            .collect();
        for case in cases {
            self.type_case(case, alias, value);
        }
        self.pop_scope();
    }

    fn type_case(&mut self, case: Node<'_>, alias: Option<&'a str>, value: Option<Id>) {
        self.push_scope();
        let mut cursor = case.walk();
        let types: Vec<Node<'_>> =
            case.children_by_field_name("type", &mut cursor).filter(|ty| ty.is_named()).collect();
        let shapes: Vec<Id> = types.iter().map(|ty| self.ty(*ty)).collect();
        if let Some(alias) = alias {
            let is_nil = types.first().is_some_and(|ty| self.text(*ty) == "nil");
            let shape = match (shapes.as_slice(), value) {
                ([single], _) if !is_nil => self.add(Shape::Value(*single)),
                (_, Some(value)) => value,
                _ => self.add(Shape::Unknown("type switch")),
            };
            self.declare(alias, shape);
        }
        let mut cursor = case.walk();
        let body: Vec<Node<'_>> = case
            .named_children(&mut cursor)
            .filter(|child| !types.iter().any(|ty| ty.id() == child.id()))
            .collect();
        for child in body {
            self.statement(child);
        }
        self.pop_scope();
    }
}

/// The names on the left of a declaration.
fn names(list: Option<Node<'_>>) -> Vec<Node<'_>> {
    let Some(list) = list else { return Vec::new() };
    let mut cursor = list.walk();
    list.named_children(&mut cursor).filter(|child| child.kind() != "comment").collect()
}
