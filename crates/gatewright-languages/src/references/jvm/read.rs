//! From the syntax tree of Java to [`JvmFile`]: classes and what they declare.

use std::collections::HashMap;

use tree_sitter::Node;

use super::facts::{Class, Context, Id, Import, JvmFile, Name, Reference, Shape, Target};
use crate::syntax::{LanguageId, Parsed};

/// How deep the reader goes into a tree.
pub(super) const DEEPEST: usize = 250;

/// What one file says; `None` when it cannot be parsed.
pub(crate) fn read(source: &[u8]) -> Option<JvmFile> {
    let parsed = Parsed::new(LanguageId::Java, source).ok()?;
    let root = parsed.tree().root_node();
    let mut reader =
        Reader { source, file: JvmFile::default(), scopes: Vec::new(), context: None, depth: 0 };
    reader.note_parameters(root);
    for child in children(root) {
        reader.top(child);
    }
    let is_lombok = reader.file.imports.iter().any(|import| import.path.starts_with("lombok"));
    if is_lombok {
        for class in &mut reader.file.classes {
            class.open = Some("annotation processor");
        }
    }
    Some(reader.file)
}

/// The named children of a node, without comments.
pub(super) fn children(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    let all = node.named_children(&mut cursor);
    all.filter(|child| !matches!(child.kind(), "line_comment" | "block_comment")).collect()
}

/// Reads one file.
pub(super) struct Reader<'a> {
    source: &'a [u8],
    pub(super) file: JvmFile,
    /// Locals, innermost scope last.
    scopes: Vec<HashMap<&'a str, Id>>,
    pub(super) context: Context,
    pub(super) depth: usize,
}

impl<'a> Reader<'a> {
    pub(super) fn text(&self, node: Node<'_>) -> &'a str {
        let bytes = self.source.get(node.byte_range()).unwrap_or_default();
        std::str::from_utf8(bytes).unwrap_or_default()
    }

    pub(super) fn add(&mut self, shape: Shape) -> Id {
        self.file.add(shape)
    }

    pub(super) fn refer(&mut self, target: Target, node: Node<'_>) {
        let (context, offset) = (self.context, node.start_byte());
        self.file.references.push(Reference { target, context, offset });
    }

    pub(super) fn push_scope(&mut self) {
        self.scopes.push(HashMap::new());
    }

    pub(super) fn pop_scope(&mut self) {
        self.scopes.pop();
    }

    pub(super) fn local(&self, name: &str) -> Option<Id> {
        self.scopes.iter().rev().find_map(|scope| scope.get(name)).copied()
    }

    pub(super) fn declare(&mut self, name: Node<'_>, shape: Id) {
        let name = self.text(name);
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name, shape);
        }
    }

    /// Notes type parameters and the words of what did not parse.
    fn note_parameters(&mut self, root: Node<'_>) {
        let mut stack = vec![root];
        while let Some(node) = stack.pop() {
            match node.kind() {
                "type_parameter" => {
                    let name = children(node).into_iter().find(|it| it.kind() == "type_identifier");
                    self.file.parameters.extend(name.map(|name| Name::from(self.text(name))));
                }
                "ERROR" => self.note_words(node),
                _ => {}
            }
            if node.child_count() > 0 && !is_leaf(node) {
                stack.extend(children(node));
            }
        }
    }

    fn note_words(&mut self, node: Node<'_>) {
        let words = self.text(node).split(|c: char| !c.is_alphanumeric() && c != '_');
        self.file.loose.extend(words.filter(|word| !word.is_empty()).map(Name::from));
    }

    fn top(&mut self, node: Node<'_>) {
        match node.kind() {
            "package_declaration" => {
                let name = children(node).into_iter().rfind(|it| it.kind().ends_with("identifier"));
                self.file.package = name.map(|name| self.text(name)).unwrap_or_default().into();
            }
            "import_declaration" => self.import(node),
            _ => {
                self.push_scope();
                self.statement(node);
                self.pop_scope();
            }
        }
    }

    fn import(&mut self, node: Node<'_>) {
        let mut cursor = node.walk();
        let is_static = node.children(&mut cursor).any(|child| child.kind() == "static");
        let parts = children(node);
        let is_star = parts.iter().any(|part| part.kind() == "asterisk");
        let Some(path) = parts.iter().find(|part| part.kind().ends_with("identifier")) else {
            return;
        };
        let text = self.dotted(*path);
        let last = path.child_by_field_name("name").unwrap_or(*path);
        let offset = last.start_byte();
        let import = Import { path: text.into(), is_static, is_star, offset };
        self.file.imports.push(import);
    }

    /// A dotted name without the white space and the comments inside of it.
    fn dotted(&self, path: Node<'_>) -> String {
        let mut names = Vec::new();
        let mut around = Some(path);
        while let Some(node) = around {
            names.push(self.text(node.child_by_field_name("name").unwrap_or(node)));
            around = node.child_by_field_name("scope");
        }
        names.reverse();
        names.join(".")
    }

    /// Reads a class with its body; its number.
    pub(super) fn class(&mut self, node: Node<'_>) -> usize {
        let number = self.new_class(node.child_by_field_name("name").map(|name| self.text(name)));
        let outer = self.context.replace(number);
        let implied = match node.kind() {
            "enum_declaration" => Some("java.lang.Enum"),
            "record_declaration" => Some("java.lang.Record"),
            "annotation_type_declaration" => Some("java.lang.annotation.Annotation"),
            _ => None,
        };
        self.file.classes[number].bases.extend(implied.map(Name::from));
        if node.kind() == "enum_declaration" {
            let own = self.file.classes[number].name.clone();
            self.member("values", "");
            self.member("valueOf", &own);
        }
        self.context = outer;
        for child in children(node) {
            match child.kind() {
                "superclass" | "super_interfaces" | "extends_interfaces" => {
                    self.bases(child, number)
                }
                "modifiers" | "type_parameters" | "permits" => self.types_below(child),
                _ => {}
            }
        }
        self.context = Some(number);
        self.push_scope();
        if let Some(parameters) = node.child_by_field_name("parameters") {
            self.components(parameters);
        }
        if let Some(body) = node.child_by_field_name("body") {
            self.body(body);
        }
        self.pop_scope();
        self.context = outer;
        number
    }

    /// The number of a class; methods may each have one of their own by the same name, which
    /// then count as one.
    pub(super) fn new_class(&mut self, name: Option<&str>) -> usize {
        let name: Name = name.unwrap_or_default().into();
        let known = self.file.class(self.context, &name).filter(|_| !name.is_empty());
        if let Some(known) = known {
            return known;
        }
        self.file.classes.push(Class { name, outer: self.context, ..Class::default() });
        self.file.classes.len() - 1
    }

    fn bases(&mut self, node: Node<'_>, number: usize) {
        for child in children(node) {
            if child.kind() == "type_list" {
                self.bases(child, number);
            } else {
                let name = self.ty(child);
                self.file.classes[number].bases.push(name);
            }
        }
    }

    /// The components of a record are its fields and methods.
    fn components(&mut self, parameters: Node<'_>) {
        for parameter in children(parameters) {
            let ty = parameter.child_by_field_name("type").map(|ty| self.ty(ty));
            if let Some(name) = parameter.child_by_field_name("name") {
                let name = self.text(name);
                self.member(name, &ty.unwrap_or_default());
            }
        }
    }

    fn member(&mut self, name: &str, ty: &str) {
        let Some(class) = self.context.and_then(|number| self.file.classes.get_mut(number)) else {
            return;
        };
        // Overloads that give different types are not followed.
        let same = class.members.get(name).is_none_or(|known| &**known == ty);
        class.members.insert(name.into(), if same { ty.into() } else { Name::default() });
    }

    /// The body of a class.
    pub(super) fn body(&mut self, body: Node<'_>) {
        if body.has_error()
            && let Some(class) = self.context.and_then(|number| self.file.classes.get_mut(number))
        {
            class.open = Some("syntax error");
        }
        self.declare_fields(body);
        for node in children(body) {
            match node.kind() {
                "field_declaration" | "constant_declaration" => self.fields(node),
                "method_declaration" | "annotation_type_element_declaration" => self.method(node),
                "constructor_declaration" | "compact_constructor_declaration" => {
                    self.function(node);
                }
                "enum_constant" => self.constant(node),
                "enum_body_declarations" => self.body(node),
                "static_initializer" | "block" => self.statement(node),
                _ => {
                    self.statement(node);
                }
            }
        }
    }

    /// Fields hide the locals of the methods around their class.
    fn declare_fields(&mut self, body: Node<'_>) {
        for node in children(body) {
            if !matches!(node.kind(), "field_declaration" | "constant_declaration") {
                continue;
            }
            for declarator in children(node) {
                if let Some(name) = declarator.child_by_field_name("name") {
                    let shape = Shape::Name(self.text(name).into(), self.context);
                    let shape = self.add(shape);
                    self.declare(name, shape);
                }
            }
        }
    }

    fn fields(&mut self, node: Node<'_>) {
        let ty = node.child_by_field_name("type").map(|ty| self.ty(ty)).unwrap_or_default();
        for child in children(node) {
            match child.kind() {
                "modifiers" => self.types_below(child),
                "variable_declarator" => {
                    let is_array = child.child_by_field_name("dimensions").is_some();
                    if let Some(name) = child.child_by_field_name("name") {
                        let name = self.text(name);
                        self.member(name, if is_array { "" } else { &ty });
                    }
                    if let Some(value) = child.child_by_field_name("value") {
                        self.expression(value);
                    }
                }
                _ => {}
            }
        }
    }

    fn method(&mut self, node: Node<'_>) {
        let ty = node.child_by_field_name("type").map(|ty| self.ty(ty)).unwrap_or_default();
        if let Some(name) = node.child_by_field_name("name") {
            let name = self.text(name);
            self.member(name, &ty);
        }
        self.function(node);
    }

    /// The parameters and the body of a method or constructor.
    fn function(&mut self, node: Node<'_>) {
        self.push_scope();
        for child in children(node) {
            match child.kind() {
                "modifiers" | "type_parameters" | "throws" => self.types_below(child),
                "formal_parameters" => self.parameters(child),
                "block" | "constructor_body" => self.statement(child),
                _ => {}
            }
        }
        self.pop_scope();
    }

    fn constant(&mut self, node: Node<'_>) {
        let own = self.context.and_then(|number| self.file.classes.get(number));
        let own = own.map(|class| class.name.clone()).unwrap_or_default();
        if let Some(name) = node.child_by_field_name("name") {
            let name = self.text(name);
            self.member(name, &own);
        }
        if let Some(arguments) = node.child_by_field_name("arguments") {
            self.expressions(arguments);
        }
        if let Some(body) = node.child_by_field_name("body") {
            self.anonymous(body, own);
        }
    }

    /// The body of a class without a name.
    pub(super) fn anonymous(&mut self, body: Node<'_>, base: Name) {
        let number = self.new_class(None);
        self.file.classes[number].bases.push(base);
        let outer = self.context.replace(number);
        self.push_scope();
        self.body(body);
        self.pop_scope();
        self.context = outer;
    }

    pub(super) fn parameters(&mut self, list: Node<'_>) {
        for parameter in children(list) {
            self.parameter(parameter);
        }
    }

    fn parameter(&mut self, node: Node<'_>) {
        let mut ty = Name::default();
        for child in children(node) {
            match child.kind() {
                "modifiers" => self.types_below(child),
                "variable_declarator" => {
                    let unknown = self.add(Shape::Unknown);
                    if let Some(name) = child.child_by_field_name("name") {
                        self.declare(name, unknown);
                    }
                }
                "identifier" | "underscore_pattern" | "dimensions" | "this" => {}
                _ => ty = self.ty(child),
            }
        }
        if let Some(name) = node.child_by_field_name("name") {
            let is_array = node.child_by_field_name("dimensions").is_some();
            let shape = self.of(if is_array { Name::default() } else { ty });
            self.declare(name, shape);
        }
    }

    /// A value of a type, unknown where the type is not plain.
    pub(super) fn of(&mut self, ty: Name) -> Id {
        let context = self.context;
        match &*ty {
            "" => self.add(Shape::Unknown),
            "-" => self.add(Shape::Basic),
            _ => self.add(Shape::Of(ty, context)),
        }
    }

    /// The plain name of a type, its parts noted as references; empty when it is not plain.
    pub(super) fn ty(&mut self, node: Node<'_>) -> Name {
        if self.depth > DEEPEST {
            self.file.is_deep = true;
            return Name::default();
        }
        self.depth += 1;
        let name = self.type_of(node);
        self.depth -= 1;
        name
    }

    fn type_of(&mut self, node: Node<'_>) -> Name {
        match node.kind() {
            "type_identifier" => {
                let name = self.text(node);
                if name == "var" || self.file.parameters.contains(name) {
                    return Name::default();
                }
                self.refer(Target::Type(name.into()), node);
                name.into()
            }
            "scoped_type_identifier" => {
                let text = plain(self.text(node));
                for child in children(node) {
                    if matches!(child.kind(), "annotation" | "marker_annotation") {
                        self.types_below(child);
                    }
                }
                self.refer(Target::Type(text.clone()), node);
                text
            }
            "generic_type" | "annotated_type" => {
                let mut name = Name::default();
                for child in children(node) {
                    match child.kind() {
                        "type_arguments" | "annotation" | "marker_annotation" => {
                            self.types_below(child);
                        }
                        _ => name = self.ty(child),
                    }
                }
                name
            }
            "integral_type" | "floating_point_type" | "boolean_type" => "-".into(),
            _ => {
                self.types_below(node);
                Name::default()
            }
        }
    }

    /// Notes the types and annotations below a node.
    pub(super) fn types_below(&mut self, node: Node<'_>) {
        for child in children(node) {
            match child.kind() {
                "annotation" | "marker_annotation" => self.annotation(child),
                "type_parameter" | "type_bound" | "type_list" | "wildcard" => {
                    self.types_below(child);
                }
                "dimensions" | "identifier" | "super" => {}
                _ => {
                    self.ty(child);
                }
            }
        }
    }

    pub(super) fn annotation(&mut self, node: Node<'_>) {
        if let Some(name) = node.child_by_field_name("name") {
            self.refer(Target::Type(plain(self.text(name))), name);
        }
        if let Some(arguments) = node.child_by_field_name("arguments") {
            self.expressions(arguments);
        }
    }
}

/// A dotted name without spaces, annotations and type arguments.
fn plain(text: &str) -> Name {
    let mut depth = 0usize;
    let mut name = String::new();
    for c in text.chars() {
        match c {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            _ if depth == 0 && !c.is_whitespace() => name.push(c),
            _ => {}
        }
    }
    if name.contains('@') { Name::default() } else { name.into() }
}

fn is_leaf(node: Node<'_>) -> bool {
    matches!(node.kind(), "string_literal" | "import_declaration" | "package_declaration")
}
