//! Imports, exports, classes, interfaces and enums.

use tree_sitter::Node;

use super::facts::{Import, Name, Target};
use super::walk::Walker;

impl Walker<'_> {
    fn source(&self, node: Node<'_>) -> Option<Name> {
        Some(self.field(node, "source")?.trim_matches(['"', '\'']).into())
    }

    pub(super) fn import(&mut self, node: Node<'_>) -> bool {
        let Some(source) = self.source(node) else { return true };
        if let Some(place) = node.child_by_field_name("source") {
            self.refer(Target::Module(source.clone()), place);
        }
        let mut stack = vec![node];
        while let Some(node) = stack.pop() {
            match node.kind() {
                "import_specifier" => self.import_specifier(node, &source),
                "namespace_import" => {
                    if let Some(name) = node.named_child(0) {
                        self.bind_import(name, &source, "*");
                    }
                }
                "identifier"
                    if node.parent().is_some_and(|parent| parent.kind() == "import_clause") =>
                {
                    self.bind_import(node, &source, "default");
                    let import = Import { source: source.clone(), name: "default".into() };
                    self.refer(Target::Import(import), node);
                }
                _ => {
                    let mut cursor = node.walk();
                    stack.extend(node.named_children(&mut cursor));
                }
            }
        }
        false
    }

    fn import_specifier(&mut self, node: Node<'_>, source: &Name) {
        let Some(name) = node.child_by_field_name("name") else { return };
        let local = node.child_by_field_name("alias").unwrap_or(name);
        let imported: Name = self.text(name).into();
        self.bind_import(local, source, &imported);
        self.refer(Target::Import(Import { source: source.clone(), name: imported }), name);
    }

    fn bind_import(&mut self, local: Node<'_>, source: &Name, name: &str) {
        self.declare(local);
        let import = Import { source: source.clone(), name: name.into() };
        self.file.imports.insert(self.text(local).into(), import);
    }

    pub(super) fn export(&mut self, node: Node<'_>) {
        let source = self.source(node);
        if let (Some(source), Some(place)) = (&source, node.child_by_field_name("source")) {
            self.refer(Target::Module(source.clone()), place);
        }
        let mut cursor = node.walk();
        for child in node.children(&mut cursor) {
            match child.kind() {
                "*" => self.file.stars.extend(source.clone()),
                "namespace_export" => {
                    if let (Some(source), Some(name)) = (&source, child.named_child(0)) {
                        let import = Import { source: source.clone(), name: "*".into() };
                        let name = self.text(name).into();
                        self.file.reexports.insert(name, import);
                    }
                }
                "default" => {
                    let value = node.child_by_field_name("value");
                    self.export_object_as("default", value);
                    let value = value.filter(|value| value.kind() != "object");
                    let value = value.map_or("default", |value| self.text(value));
                    let declared = node.child_by_field_name("declaration");
                    let inner =
                        declared.and_then(|inner| self.field(inner, "name")).unwrap_or(value);
                    self.file.exports.insert("default".into(), inner.into());
                }
                "=" => {
                    self.file.open = Some("module that exports a value");
                    self.whole = node.named_child(0).map(|value| self.text(value).into());
                }
                "export_clause" => self.export_clause(child, source.as_ref()),
                _ => {}
            }
        }
        if let Some(declaration) = node.child_by_field_name("declaration") {
            self.export_declaration(declaration);
        }
    }

    /// `export = whole`: where that is a namespace, its names are those that the file declares, or
    /// that files spell which it puts in. Of a value more may be there.
    pub(super) fn close_whole(&mut self) {
        let Some(whole) = self.whole.take() else { return };
        let file = &mut self.file;
        let number = file.class_names.get(&whole);
        let is_namespace = number.is_some_and(|number| file.classes[*number].is_merged);
        if is_namespace && !file.values.contains_key(&whole) {
            file.put_in = put_in(self.source);
            file.open = None;
            file.exports.extend(file.declared.iter().map(|name| (name.clone(), name.clone())));
        }
    }

    fn export_clause(&mut self, node: Node<'_>, source: Option<&Name>) {
        let mut cursor = node.walk();
        for specifier in node.named_children(&mut cursor) {
            let Some(name) = specifier.child_by_field_name("name") else { continue };
            let inner: Name = self.text(name).into();
            let outer: Name = self.field(specifier, "alias").unwrap_or(&inner).into();
            match source {
                Some(source) => {
                    let import = Import { source: source.clone(), name: inner };
                    self.refer(Target::Import(import.clone()), name);
                    self.file.reexports.insert(outer, import);
                }
                None => {
                    let target =
                        Target::Name { name: inner.clone(), is_call: false, is_type: false };
                    self.refer(target, name);
                    self.file.exports.insert(outer, inner);
                }
            }
        }
    }

    fn export_declaration(&mut self, node: Node<'_>) {
        if let Some(name) = node.child_by_field_name("name") {
            let name: Name = self.text(name).trim_matches(['"', '\'']).into();
            self.file.exports.insert(name.clone(), name);
            return;
        }
        let mut stack = vec![node];
        while let Some(node) = stack.pop() {
            match node.kind() {
                "variable_declarator" => stack.extend(node.child_by_field_name("name")),
                "identifier" | "shorthand_property_identifier_pattern" | "type_identifier" => {
                    let name: Name = self.text(node).into();
                    self.file.exports.insert(name.clone(), name);
                }
                "pair_pattern" => stack.extend(node.child_by_field_name("value")),
                "assignment_pattern" | "object_assignment_pattern" => {
                    stack.extend(node.child_by_field_name("left"))
                }
                _ if node.child_by_field_name("name").is_some()
                    && node.kind() != "variable_declarator" =>
                {
                    stack.extend(node.child_by_field_name("name"));
                }
                _ => {
                    let mut cursor = node.walk();
                    stack.extend(node.named_children(&mut cursor));
                }
            }
        }
    }

    pub(super) fn class(&mut self, node: Node<'_>) {
        let Some(name) = self.field(node, "name") else { return };
        let number = self.file.class_named(name);
        self.file.classes[number].is_value = true;
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            match child.kind() {
                "class_heritage" => self.heritage(child, number),
                "class_body" => self.members(child, number),
                _ => {}
            }
        }
    }

    fn heritage(&mut self, node: Node<'_>, class: usize) {
        let mut cursor = node.walk();
        let mut clauses: Vec<Node<'_>> = node.named_children(&mut cursor).collect();
        if let Some(extends) = clauses.iter().find(|clause| clause.kind() == "extends_clause") {
            let mut cursor = extends.walk();
            clauses = extends.children_by_field_name("value", &mut cursor).collect();
        } else {
            clauses.retain(|clause| clause.kind() != "implements_clause");
        }
        for clause in clauses {
            self.base(clause, class);
        }
    }

    fn base(&mut self, node: Node<'_>, class: usize) {
        match node.kind() {
            "identifier" | "type_identifier" => {
                let base: Name = self.text(node).into();
                self.file.classes[class].bases.push(base);
            }
            "generic_type" => {
                if let Some(name) = node.child_by_field_name("name") {
                    self.base(name, class);
                }
            }
            // A class of a module: `lamps.Lamp`.
            "member_expression" | "nested_type_identifier"
                if node.named_child(0).is_some_and(|it| it.kind() == "identifier") =>
            {
                let base: String = self.text(node).split_whitespace().collect();
                self.file.classes[class].bases.push(base.into());
            }
            _ => self.file.classes[class].open = Some(super::NO_NAME),
        }
    }

    pub(super) fn members(&mut self, body: Node<'_>, class: usize) {
        let mut cursor = body.walk();
        for member in body.named_children(&mut cursor) {
            let name = member
                .child_by_field_name("name")
                .or_else(|| member.child_by_field_name("property"));
            match (member.kind(), name) {
                ("index_signature" | "call_signature" | "construct_signature", _) => {
                    self.file.classes[class].open = Some("index signature");
                }
                (_, Some(name)) if name.kind() == "computed_property_name" => {}
                (_, Some(name)) => {
                    let text: Name = self.text(name).trim_matches(['"', '\'']).into();
                    if &*text == "constructor" {
                        self.parameter_properties(member, class);
                    }
                    self.note_field(member, &text, class);
                    self.file.classes[class].members.insert(text);
                }
                _ => {}
            }
        }
    }

    fn parameter_properties(&mut self, constructor: Node<'_>, class: usize) {
        let Some(parameters) = constructor.child_by_field_name("parameters") else { return };
        let mut cursor = parameters.walk();
        for parameter in parameters.named_children(&mut cursor) {
            if let Some(pattern) = self.field(parameter, "pattern") {
                self.note_parameter(parameter, pattern, class);
                self.file.classes[class].members.insert(pattern.into());
            }
        }
    }

    pub(super) fn interface(&mut self, node: Node<'_>) {
        let Some(name) = self.field(node, "name") else { return };
        let number = self.file.class_named(name);
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            if matches!(child.kind(), "extends_type_clause" | "extends_clause") {
                let mut cursor = child.walk();
                for base in child.named_children(&mut cursor) {
                    self.base(base, number);
                }
            }
        }
        if let Some(body) = node.child_by_field_name("body") {
            self.members(body, number);
        }
    }

    pub(super) fn enumeration(&mut self, node: Node<'_>) {
        let Some(name) = self.field(node, "name") else { return };
        let number = self.file.class_named(name);
        self.file.classes[number].is_enum = true;
        self.file.classes[number].is_value = true;
        let Some(body) = node.child_by_field_name("body") else { return };
        let mut cursor = body.walk();
        for member in body.named_children(&mut cursor) {
            let name = member.child_by_field_name("name").unwrap_or(member);
            let text: Name = self.text(name).trim_matches(['"', '\'']).into();
            self.file.classes[number].members.insert(text);
        }
    }

    /// The names of the types that a type is made with.
    pub(super) fn type_parameters(&self, node: Node<'_>) -> Vec<Name> {
        let Some(list) = node.child_by_field_name("type_parameters") else { return Vec::new() };
        let mut cursor = list.walk();
        list.named_children(&mut cursor)
            .filter_map(|it| self.field(it, "name"))
            .map(Name::from)
            .collect()
    }

    /// A name for a type: what it has is written out, or what the types have that it joins. Of all
    /// other types nothing is known.
    pub(super) fn alias(&mut self, node: Node<'_>) {
        let (Some(name), Some(value)) =
            (self.field(node, "name"), node.child_by_field_name("value"))
        else {
            return;
        };
        let parts = match value.kind() {
            "object_type" => vec![value],
            "intersection_type" => joined(value),
            _ => return,
        };
        let given = self.type_parameters(node);
        let number = self.file.class_named(name);
        for part in parts {
            match part.kind() {
                "object_type" if part.named_child_count() > 0 => self.members(part, number),
                "type_identifier" if given.iter().all(|it| **it != *self.text(part)) => {
                    self.base(part, number);
                }
                _ => self.file.classes[number].open = Some("type not plain"),
            }
        }
    }

    /// A namespace: merged with a class or enum of its name, its members are not followed.
    pub(super) fn namespace(&mut self, node: Node<'_>) {
        if let Some(name) = self.field(node, "name") {
            let number = self.file.class_named(name);
            self.file.classes[number].is_merged = true;
        }
    }
}

/// The types that `A & B & C` joins.
fn joined(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    let parts = node.named_children(&mut cursor).filter(|part| part.kind() != "comment");
    let parts = parts.flat_map(|part| match part.kind() {
        "intersection_type" => joined(part),
        _ => vec![part],
    });
    parts.collect()
}

/// The files that the head of a file of declarations puts in by their path.
fn put_in(source: &[u8]) -> Vec<Name> {
    let text = String::from_utf8_lossy(source);
    let named = text.lines().filter_map(|line| {
        let line = line.trim_start().strip_prefix("/// <reference path=")?;
        line.split(['"', '\'']).nth(1).map(Name::from)
    });
    named.collect()
}
