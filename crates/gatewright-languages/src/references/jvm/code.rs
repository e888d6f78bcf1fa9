//! Statements and expressions of Java: locals, and the shapes of values.

use tree_sitter::Node;

use super::facts::{Id, Name, Shape, Target};
use super::read::{DEEPEST, Reader, children};

impl Reader<'_> {
    pub(super) fn statement(&mut self, node: Node<'_>) {
        if self.depth > DEEPEST {
            self.file.is_deep = true;
            return;
        }
        self.depth += 1;
        match node.kind() {
            "class_declaration"
            | "interface_declaration"
            | "enum_declaration"
            | "record_declaration"
            | "annotation_type_declaration" => {
                self.class(node);
            }
            "block"
            | "constructor_body"
            | "for_statement"
            | "switch_block"
            | "switch_rule"
            | "try_with_resources_statement" => {
                self.push_scope();
                self.statements(node);
                self.pop_scope();
            }
            "local_variable_declaration" => self.variables(node),
            "enhanced_for_statement" => self.for_each(node),
            "resource" => self.resource(node),
            "catch_clause" => self.catch(node),
            "labeled_statement" => {
                for child in children(node).into_iter().skip(1) {
                    self.statement(child);
                }
            }
            "switch_label" => self.label(node),
            "break_statement" | "continue_statement" | "ERROR" | "module_declaration"
            | "import_declaration" | "modifiers" => {}
            _ => {
                self.expression(node);
            }
        }
        self.depth -= 1;
    }

    fn statements(&mut self, node: Node<'_>) {
        for child in children(node) {
            self.statement(child);
        }
    }

    fn variables(&mut self, node: Node<'_>) {
        let ty = node.child_by_field_name("type");
        let is_var = ty.is_some_and(|ty| self.text(ty) == "var");
        let name = ty.map(|ty| self.ty(ty)).unwrap_or_default();
        for child in children(node) {
            match child.kind() {
                "modifiers" => self.types_below(child),
                "variable_declarator" => {
                    let value = child.child_by_field_name("value").map(|it| self.expression(it));
                    let is_array = child.child_by_field_name("dimensions").is_some();
                    let shape = match value {
                        Some(value) if is_var => value,
                        _ if is_array => self.add(Shape::Unknown),
                        _ => self.of(name.clone()),
                    };
                    if let Some(name) = child.child_by_field_name("name") {
                        self.declare(name, shape);
                    }
                }
                _ => {}
            }
        }
    }

    fn for_each(&mut self, node: Node<'_>) {
        self.push_scope();
        let ty = node.child_by_field_name("type").map(|ty| self.ty(ty)).unwrap_or_default();
        if let Some(value) = node.child_by_field_name("value") {
            self.expression(value);
        }
        let shape = self.of(ty);
        if let Some(name) = node.child_by_field_name("name") {
            self.declare(name, shape);
        }
        if let Some(body) = node.child_by_field_name("body") {
            self.statement(body);
        }
        self.pop_scope();
    }

    fn resource(&mut self, node: Node<'_>) {
        let Some(name) = node.child_by_field_name("name") else { return self.statements(node) };
        let ty = node.child_by_field_name("type").map(|ty| self.ty(ty)).unwrap_or_default();
        let value = node.child_by_field_name("value").map(|value| self.expression(value));
        let shape = match value {
            Some(value) if ty.is_empty() => value,
            _ => self.of(ty),
        };
        self.declare(name, shape);
    }

    fn catch(&mut self, node: Node<'_>) {
        self.push_scope();
        for child in children(node) {
            if child.kind() != "catch_formal_parameter" {
                self.statement(child);
                continue;
            }
            let mut types = Vec::new();
            for part in children(child) {
                if part.kind() == "catch_type" {
                    types.extend(children(part).into_iter().map(|ty| self.ty(ty)));
                }
            }
            let single = if types.len() == 1 { types.remove(0) } else { Name::default() };
            let shape = self.of(single);
            if let Some(name) = child.child_by_field_name("name") {
                self.declare(name, shape);
            }
        }
        self.pop_scope();
    }

    /// The constants of an enum stand in labels without their class.
    fn label(&mut self, node: Node<'_>) {
        for child in children(node) {
            match child.kind() {
                "identifier" => {}
                "pattern" | "type_pattern" | "record_pattern" => self.pattern(child),
                _ => {
                    self.expression(child);
                }
            }
        }
    }

    fn pattern(&mut self, node: Node<'_>) {
        let mut ty = Name::default();
        for child in children(node) {
            match child.kind() {
                "identifier" if node.kind() == "record_pattern" => {
                    self.refer(Target::Type(self.text(child).into()), child);
                }
                "identifier" => {
                    let shape = self.of(std::mem::take(&mut ty));
                    self.declare(child, shape);
                }
                "pattern"
                | "type_pattern"
                | "record_pattern"
                | "record_pattern_body"
                | "record_pattern_component" => self.pattern(child),
                "underscore_pattern" => {}
                _ => ty = self.ty(child),
            }
        }
    }

    pub(super) fn expressions(&mut self, list: Node<'_>) {
        for child in children(list) {
            self.expression(child);
        }
    }

    pub(super) fn expression(&mut self, node: Node<'_>) -> Id {
        if self.depth > DEEPEST {
            self.file.is_deep = true;
            return self.add(Shape::Unknown);
        }
        self.depth += 1;
        let shape = self.expression_of(node);
        self.depth -= 1;
        shape
    }

    fn expression_of(&mut self, node: Node<'_>) -> Id {
        let context = self.context;
        match node.kind() {
            "identifier" => self.name(node, false),
            "this" => self.add(Shape::This(context)),
            "super" => self.add(Shape::Super(context)),
            "method_invocation" => self.call(node),
            "field_access" => self.field(node),
            "object_creation_expression" => self.creation(node),
            "lambda_expression" => self.lambda(node),
            "method_reference" => self.method_reference(node),
            "cast_expression" => {
                if let Some(value) = node.child_by_field_name("value") {
                    self.expression(value);
                }
                let ty = node.child_by_field_name("type").map(|ty| self.ty(ty));
                self.of(ty.unwrap_or_default())
            }
            "instanceof_expression" => self.instance(node),
            "parenthesized_expression" => match children(node).first() {
                Some(inner) => self.expression(*inner),
                None => self.add(Shape::Unknown),
            },
            "string_literal" => self.add(Shape::Of("java.lang.String".into(), None)),
            "class_literal" => {
                self.types_below(node);
                self.add(Shape::Of("java.lang.Class".into(), None))
            }
            "array_creation_expression" => self.array(node),
            "element_value_pair" => {
                if let Some(value) = node.child_by_field_name("value") {
                    self.expression(value);
                }
                self.add(Shape::Unknown)
            }
            "annotation" | "marker_annotation" => {
                self.annotation(node);
                self.add(Shape::Unknown)
            }
            kind if kind.ends_with("_type") || kind == "type_identifier" => {
                self.ty(node);
                self.add(Shape::Unknown)
            }
            "type_arguments" => {
                self.types_below(node);
                self.add(Shape::Unknown)
            }
            "ERROR" => self.add(Shape::Unknown),
            kind if kind.ends_with("_literal") => self.add(Shape::Unknown),
            _ => {
                self.statements(node);
                self.add(Shape::Unknown)
            }
        }
    }

    fn array(&mut self, node: Node<'_>) -> Id {
        for child in children(node) {
            match child.kind() {
                "dimensions_expr" | "array_initializer" => self.expressions(child),
                "dimensions" => {}
                _ => {
                    self.ty(child);
                }
            }
        }
        self.add(Shape::Unknown)
    }

    fn name(&mut self, node: Node<'_>, may_be_package: bool) -> Id {
        let name = self.text(node);
        if let Some(local) = self.local(name) {
            return local;
        }
        self.refer(Target::Name { name: name.into(), may_be_package }, node);
        let context = self.context;
        self.add(Shape::Name(name.into(), context))
    }

    fn call(&mut self, node: Node<'_>) -> Id {
        let mut cursor = node.walk();
        let is_outer_super = node.named_children(&mut cursor).any(|it| it.kind() == "super");
        let object = node.child_by_field_name("object");
        let owner = object.map(|object| self.expression(object));
        if let Some(types) = node.child_by_field_name("type_arguments") {
            self.types_below(types);
        }
        if let Some(arguments) = node.child_by_field_name("arguments") {
            self.expressions(arguments);
        }
        let Some(name) = node.child_by_field_name("name") else {
            return self.add(Shape::Unknown);
        };
        let text: Name = self.text(name).into();
        let context = self.context;
        match (owner, object) {
            (Some(_), Some(object)) if is_outer_super && object.kind() != "super" => {
                self.add(Shape::Unknown)
            }
            (Some(owner), _) => {
                self.refer(Target::Member(owner, text.clone()), name);
                self.add(Shape::Method(owner, text))
            }
            (None, _) => {
                self.refer(Target::Call(text.clone()), name);
                self.add(Shape::Call(text, context))
            }
        }
    }

    fn field(&mut self, node: Node<'_>) -> Id {
        let (Some(object), Some(field)) =
            (node.child_by_field_name("object"), node.child_by_field_name("field"))
        else {
            return self.add(Shape::Unknown);
        };
        if field.kind() == "this" {
            return self.of(self.text(object).into());
        }
        let owner = match object.kind() {
            "identifier" => self.name(object, true),
            _ => self.expression(object),
        };
        let name: Name = self.text(field).into();
        self.refer(Target::Member(owner, name.clone()), field);
        self.add(Shape::Field(owner, name))
    }

    fn creation(&mut self, node: Node<'_>) -> Id {
        let Some(ty) = node.child_by_field_name("type") else { return self.add(Shape::Unknown) };
        let mut is_inner = false;
        let mut body = None;
        for child in children(node) {
            match child.kind() {
                "class_body" => body = Some(child),
                "annotation" | "marker_annotation" => self.annotation(child),
                "type_arguments" => self.types_below(child),
                "argument_list" => self.expressions(child),
                _ if child.end_byte() <= ty.start_byte() => {
                    is_inner = true;
                    self.expression(child);
                }
                _ => {}
            }
        }
        let name = if is_inner { Name::default() } else { self.ty(ty) };
        if let Some(body) = body {
            self.anonymous(body, name);
            // Its own methods may be called at once.
            return self.add(Shape::Unknown);
        }
        self.of(name)
    }

    fn lambda(&mut self, node: Node<'_>) -> Id {
        self.push_scope();
        if let Some(parameters) = node.child_by_field_name("parameters") {
            let unknown = self.add(Shape::Unknown);
            match parameters.kind() {
                "identifier" => self.declare(parameters, unknown),
                "inferred_parameters" => {
                    for name in children(parameters) {
                        self.declare(name, unknown);
                    }
                }
                _ => self.parameters(parameters),
            }
        }
        if let Some(body) = node.child_by_field_name("body") {
            self.statement(body);
        }
        self.pop_scope();
        self.add(Shape::Unknown)
    }

    fn method_reference(&mut self, node: Node<'_>) -> Id {
        let parts = children(node);
        let Some(first) = parts.first() else { return self.add(Shape::Unknown) };
        let is_value = first.kind() == "identifier"
            || ["this", "super", "field_access", "method_invocation"].contains(&first.kind())
            || first.kind().ends_with("_expression");
        let owner = match first.kind() {
            "identifier" => self.name(*first, false),
            _ if is_value => self.expression(*first),
            _ => {
                let ty = self.ty(*first);
                self.of(ty)
            }
        };
        if let Some(last) = parts.last().filter(|last| last.id() != first.id())
            && last.kind() == "identifier"
        {
            self.refer(Target::Member(owner, self.text(*last).into()), *last);
        }
        self.add(Shape::Unknown)
    }

    fn instance(&mut self, node: Node<'_>) -> Id {
        if let Some(left) = node.child_by_field_name("left") {
            self.expression(left);
        }
        if let Some(right) = node.child_by_field_name("right") {
            let ty = self.ty(right);
            let shape = self.of(ty);
            if let Some(name) = node.child_by_field_name("name") {
                self.declare(name, shape);
            }
        }
        if let Some(pattern) = node.child_by_field_name("pattern") {
            self.pattern(pattern);
        }
        self.add(Shape::Basic)
    }
}
