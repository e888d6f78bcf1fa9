//! From the syntax tree to [`ScriptFile`].

use tree_sitter::Node;

use super::built_in;
use super::declares::{UNTYPED, is_declaration};
use super::exports::Common;
use super::facts::{Import, Name, Reference, ScriptFile, Target, Value};
use super::locals::{Locals, Told};
use crate::syntax::{LanguageId, Parsed};

/// What one file says; `None` when it cannot be parsed, or nests too deep to be asked.
pub(crate) fn read(language: LanguageId, source: &[u8]) -> Option<ScriptFile> {
    let parsed = Parsed::strict(language, source).ok()?;
    let (file, common, locals, computed, whole) = Default::default();
    let is_untyped = language == LanguageId::JavaScript;
    let mut walker = Walker { source, file, common, locals, computed, whole, is_untyped };
    if !parsed.visit_inside(|node, around| walker.node(node, around)) {
        return None;
    }
    walker.close();
    Some(walker.file)
}

pub(super) struct Walker<'a> {
    pub(super) source: &'a [u8],
    pub(super) file: ScriptFile,
    pub(super) common: Common,
    pub(super) locals: Locals,
    /// Names on which computed keys are put.
    computed: Vec<Name>,
    /// What `export =` hands out.
    pub(super) whole: Option<Name>,
    /// Whether fields have no types in the file's language.
    is_untyped: bool,
}

impl<'a> Walker<'a> {
    pub(super) fn text(&self, node: Node<'_>) -> &'a str {
        let bytes = self.source.get(node.byte_range()).unwrap_or_default();
        std::str::from_utf8(bytes).unwrap_or_default()
    }

    pub(super) fn field(&self, node: Node<'_>, field: &str) -> Option<&'a str> {
        node.child_by_field_name(field).map(|child| self.text(child))
    }

    fn close(&mut self) {
        self.close_whole();
        let has = |word: &str| memchr::memmem::find(self.source, word.as_bytes()).is_some();
        let is_common = ["module.exports", "exports.", "exports["].iter().any(|word| has(word));
        let is_module = has("export") || has("import");
        let has_exports = !self.file.exports.is_empty()
            || !self.file.reexports.is_empty()
            || !self.file.stars.is_empty();
        if (is_common && !has_exports && !self.common.has_object) || !is_module {
            self.file.open.get_or_insert("module without plain exports");
        }
        for name in std::mem::take(&mut self.computed) {
            if self.file.values.contains_key(&name) {
                self.file.value(&name, Value::Unknown);
            }
        }
        self.close_common();
        self.close_locals();
    }

    pub(super) fn refer(&mut self, target: Target, node: Node<'_>) {
        self.file.references.push(Reference { target, offset: node.start_byte() });
    }

    /// Notes one node; whether to go below.
    fn node(&mut self, node: Node<'_>, ancestors: &[Node<'_>]) -> bool {
        let parent = ancestors.last().copied();
        match node.kind() {
            "ERROR" => return self.loose(node),
            "import_statement" => return self.import(node),
            "export_statement" => {
                self.common.is_other = true;
                self.export(node);
            }
            "class_declaration" | "class" | "abstract_class_declaration" => self.class(node),
            "interface_declaration" => self.interface(node),
            "type_alias_declaration" => self.alias(node),
            "enum_declaration" => self.enumeration(node),
            "internal_module" | "module" => self.namespace(node),
            "variable_declarator" => self.variable(node, ancestors),
            "required_parameter" | "optional_parameter" => self.parameter(node, ancestors),
            "function_declaration" | "function_signature" => {
                self.note_given(self.field(node, "name"), node);
                if let Some(name) = self.field(node, "name") {
                    self.note_takes(name, node);
                }
            }
            "jsx_opening_element" | "jsx_self_closing_element" => self.keys_of_tag(node),
            "member_expression" if self.text(node) == "module.exports" => {
                self.exports(node, ancestors);
                return false;
            }
            "identifier" if self.text(node) == "exports" => {
                self.exports(node, ancestors);
                self.declare(node);
            }
            "member_expression" => self.member(node, ancestors),
            "assignment_expression" | "augmented_assignment_expression" => {
                if self.is_untyped {
                    self.note_assigned(node, ancestors);
                }
                self.store(node, ancestors);
            }
            "identifier" | "shorthand_property_identifier" | "type_identifier" => {
                if let Some(parent) = parent {
                    self.identifier(node, parent, ancestors);
                }
            }
            "shorthand_property_identifier_pattern" => {
                self.declare(node);
                if !self.is_required(ancestors) {
                    self.file.value(self.text(node), Value::Unknown);
                }
                self.locals.declare(self.text(node), Told::Unknown, ancestors);
            }
            "call_expression" => self.call(node, ancestors),
            "property_identifier" if self.is_untyped => self.note_key(node, parent),
            _ => {}
        }
        true
    }

    /// Notes a key of an object, or the name of a method.
    fn note_key(&mut self, node: Node<'_>, parent: Option<Node<'_>>) {
        if parent.is_some_and(|parent| parent.kind() != "member_expression") {
            let name: Name = self.text(node).into();
            self.file.keys.insert(name);
        }
    }

    pub(super) fn declare(&mut self, node: Node<'_>) {
        let name: Name = self.text(node).into();
        self.file.declared.insert(name);
    }

    fn loose(&mut self, node: Node<'_>) -> bool {
        let mut stack = vec![node];
        while let Some(node) = stack.pop() {
            if node.child_count() == 0 {
                let name: Name = self.text(node).into();
                self.file.loose.insert(name);
            }
            let mut cursor = node.walk();
            stack.extend(node.children(&mut cursor));
        }
        false
    }

    fn call(&mut self, node: Node<'_>, ancestors: &[Node<'_>]) {
        self.keys_of_call(node);
        let function = self.field(node, "function");
        if let Some("Object.defineProperty" | "Object.defineProperties" | "Object.assign") =
            function
        {
            self.define(node, ancestors);
        }
        if !matches!(function, Some("require" | "import")) {
            return;
        }
        let argument = node.child_by_field_name("arguments").and_then(|list| list.named_child(0));
        if let Some(argument) = argument.filter(|node| node.kind() == "string") {
            let source: Name = self.text(argument).trim_matches(['"', '\'', '`']).into();
            // What is tried may be missing.
            let is_tried = ancestors.iter().any(|node| node.kind() == "try_statement");
            if function == Some("require") && !is_tried {
                self.refer(Target::Module(source), argument);
            }
        }
    }

    /// Members that a call puts on an object, by a name in quotes or as the keys of another.
    fn define(&mut self, node: Node<'_>, ancestors: &[Node<'_>]) {
        let Some(arguments) = node.child_by_field_name("arguments") else { return };
        let mut cursor = arguments.walk();
        let mut all = arguments.named_children(&mut cursor);
        let first = all.next();
        let is_this = first.is_some_and(|first| first.kind() == "this");
        for value in all {
            match value.kind() {
                "string" => {
                    let name: Name = self.text(value).trim_matches(['"', '\'']).into();
                    self.file.stored.insert(name);
                }
                "object" if !self.text(value).contains("...") => {
                    let mut cursor = value.walk();
                    for pair in value.named_children(&mut cursor) {
                        let key = self.field(pair, "key").or_else(|| self.field(pair, "name"));
                        let name = key.unwrap_or_else(|| self.text(pair));
                        self.file.stored.insert(name.trim_matches(['"', '\'']).into());
                    }
                }
                _ if is_this => {
                    if let Some(class) = self.class_of_this(ancestors) {
                        self.file.classes[class].open.get_or_insert("members made at run time");
                    }
                }
                _ => {
                    if let Some(name) = first.map(|first| self.text(first)) {
                        self.locals.assign(name, None, ancestors);
                        self.computed.push(name.into());
                    }
                }
            }
        }
    }

    fn identifier(&mut self, node: Node<'_>, parent: Node<'_>, ancestors: &[Node<'_>]) {
        let name = self.text(node);
        if is_declaration(node, parent, ancestors) {
            self.declare(node);
            if UNTYPED.contains(&parent.kind()) {
                if !self.is_required(ancestors) {
                    self.file.value(name, Value::Unknown);
                }
                let told = self.each_of(node, parent).unwrap_or(Told::Unknown);
                self.locals.declare(name, told, ancestors);
            }
            return;
        }
        let is = |field: &str| {
            parent.child_by_field_name(field).is_some_and(|child| child.id() == node.id())
        };
        let is_type = node.kind() == "type_identifier";
        let is_call = match parent.kind() {
            "call_expression" => is("function"),
            "new_expression" => is("constructor"),
            "decorator" => true,
            _ => false,
        };
        let is_class = parent.kind() == "new_expression" && is("constructor")
            || matches!(parent.kind(), "extends_clause" | "class_heritage");
        match parent.kind() {
            "nested_type_identifier" | "nested_identifier" => return,
            "export_specifier" | "import_specifier" | "namespace_import" | "namespace_export" => {
                return;
            }
            "jsx_opening_element" | "jsx_closing_element" | "jsx_self_closing_element"
                if name.starts_with(|c: char| c.is_ascii_lowercase()) || name.contains('-') =>
            {
                return;
            }
            "jsx_attribute" | "jsx_namespace_name" | "meta_property" | "labeled_statement" => {
                return;
            }
            _ => {}
        }
        let name: Name = name.into();
        self.refer(
            Target::Name { name, is_call: is_call && !is_class, is_type: is_type || is_class },
            node,
        );
    }

    fn variable(&mut self, node: Node<'_>, ancestors: &[Node<'_>]) {
        let Some(name) = node.child_by_field_name("name") else { return };
        if self.require(node) || name.kind() != "identifier" {
            return;
        }
        let value = node.child_by_field_name("value");
        let annotation = node.child_by_field_name("type");
        let name = self.text(name);
        let written = self.told_by_object(value).filter(|_| annotation.is_none());
        let told = written.unwrap_or_else(|| self.told_by(annotation, value));
        if let Some(function) = value.filter(|value| value.kind() == "arrow_function") {
            self.note_given(Some(name), function);
        }
        let is_const = node.parent().is_some_and(|parent| {
            parent.kind() == "lexical_declaration" && self.text(parent).starts_with("const")
        });
        self.keys_of_type(annotation, value);
        let function = self.note_constant_takes(name, annotation, value).filter(|_| is_const);
        let value = match &told {
            Told::Of(class) => Value::Of(class.clone()),
            Told::Made(class) if is_const => Value::Of(class.clone()),
            _ => function.unwrap_or(Value::Unknown),
        };
        self.file.value(name, value);
        self.locals.declare(name, told, ancestors);
    }

    fn parameter(&mut self, node: Node<'_>, ancestors: &[Node<'_>]) {
        let Some(pattern) =
            node.child_by_field_name("pattern").filter(|node| node.kind() == "identifier")
        else {
            return;
        };
        let annotation = node.child_by_field_name("type");
        let told = match annotation {
            Some(_) => self.told_by(annotation, None),
            None => self.each_of(pattern, node).unwrap_or(Told::Unknown),
        };
        let name = self.text(pattern);
        let value = match &told {
            Told::Of(class) => Value::Of(class.clone()),
            _ => Value::Unknown,
        };
        self.file.value(name, value);
        self.locals.declare(name, told, ancestors);
    }

    fn member(&mut self, node: Node<'_>, ancestors: &[Node<'_>]) {
        let (Some(object), Some(property)) =
            (node.child_by_field_name("object"), node.child_by_field_name("property"))
        else {
            return;
        };
        let member: Name = self.text(property).into();
        if let Some(source) = self.required(object) {
            let is_stored = ancestors.last().is_some_and(|parent| {
                parent.kind() == "assignment_expression"
                    && parent.child_by_field_name("left").is_some_and(|it| it.id() == node.id())
            });
            if !is_stored {
                self.refer(Target::Import(Import { source, name: member }), property);
            }
            return;
        }
        match object.kind() {
            "this" => {
                if let Some(class) = self.class_of_this(ancestors) {
                    self.refer(Target::This(class, member), property);
                } else if let Some(class) = self.type_of_this(ancestors) {
                    self.refer(Target::Of(class.into(), member), property);
                } else if self.is_untyped {
                    self.refer(Target::Loose(member), property);
                }
            }
            "new_expression" => {
                if let Some(class) = self.made_class(object) {
                    self.refer(Target::Of(class.into(), member), property);
                }
            }
            "string" | "template_string" | "array" => {
                let is_called = ancestors.last().is_some_and(|it| it.kind() == "call_expression");
                if let Some(class) = built_in::written(object).filter(|_| is_called) {
                    self.refer(Target::Of(class.into(), member), property);
                }
            }
            "super" => {
                if let Some(class) = self.class_of_this(ancestors) {
                    self.refer(Target::Super(class, member), property);
                }
            }
            "member_expression" | "non_null_expression" => {
                let field = self.own_field(object);
                if let (Some(field), Some(class)) = (field, self.class_of_this(ancestors)) {
                    self.refer(Target::Held(class, field.into(), member), property);
                }
            }
            "identifier" => {
                let root: Name = self.text(object).into();
                self.locals.uses(self.file.references.len(), ancestors);
                self.refer(Target::Member(root, member), property);
            }
            _ => {}
        }
    }

    /// The class whose object `this` is here.
    pub(super) fn class_of_this(&mut self, ancestors: &[Node<'_>]) -> Option<usize> {
        for (index, node) in ancestors.iter().enumerate().rev() {
            match node.kind() {
                "method_definition" if says_this(*node) => return None,
                "function_expression"
                | "function_declaration"
                | "generator_function"
                | "generator_function_declaration"
                | "function"
                | "decorator" => return None,
                "method_definition" if index > 0 && ancestors[index - 1].kind() == "object" => {
                    return None;
                }
                "class_declaration" | "class" | "abstract_class_declaration" => {
                    return self.class_number(*node);
                }
                _ => {}
            }
        }
        None
    }

    /// The type that the function around it declares for `this`.
    fn type_of_this(&self, ancestors: &[Node<'_>]) -> Option<&'a str> {
        let around = ancestors.iter().rev().find(|node| {
            node.kind() != "arrow_function" && { node.child_by_field_name("parameters").is_some() }
        })?;
        if !says_this(*around) {
            return None;
        }
        let first = around.child_by_field_name("parameters")?.named_child(0)?;
        self.plain_type(first.child_by_field_name("type")?)
    }

    fn class_number(&mut self, node: Node<'_>) -> Option<usize> {
        let name = self.field(node, "name")?;
        Some(self.file.class_named(name))
    }

    fn store(&mut self, node: Node<'_>, ancestors: &[Node<'_>]) {
        let Some(left) = node.child_by_field_name("left") else { return };
        match left.kind() {
            "member_expression" => {
                // What is added to has to be there.
                let is_own =
                    left.child_by_field_name("object").is_some_and(|it| it.kind() == "this");
                let is_added_to = is_own && node.kind() == "augmented_assignment_expression";
                if let Some(property) =
                    left.child_by_field_name("property").filter(|_| !is_added_to)
                {
                    let name: Name = self.text(property).into();
                    self.file.stored.insert(name);
                }
            }
            // A key that is computed.
            "subscript_expression" => {
                if let Some(name) = self.field(left, "object") {
                    self.locals.assign(name, None, ancestors);
                    self.computed.push(name.into());
                }
            }
            "identifier" => {
                let name = self.text(left);
                self.file.value(name, Value::Unknown);
                let right = node.child_by_field_name("right");
                let made = right.and_then(|right| self.made_class(right));
                self.locals.assign(name, made, ancestors);
            }
            _ => {}
        }
    }
}

/// Whether a function declares what `this` is in it.
fn says_this(function: Node<'_>) -> bool {
    let parameters = function.child_by_field_name("parameters");
    let first = parameters.and_then(|parameters| parameters.named_child(0));
    let pattern = first.and_then(|first| first.child_by_field_name("pattern"));
    pattern.is_some_and(|pattern| pattern.kind() == "this")
}
