//! From the syntax tree to [`GoFile`]: declarations and scopes.

use std::collections::HashMap;

use tree_sitter::Node;

use super::facts::{GoFile, Id, Import, Name, Reference, Shape, Symbol, Target, Use};
use crate::syntax::{LanguageId, Parsed};

/// How deep the reader goes into a tree.
pub(super) const DEEPEST: usize = 250;

/// What one file says; `None` when it cannot be parsed.
pub(crate) fn read(source: &[u8]) -> Option<GoFile> {
    let parsed = Parsed::new(LanguageId::Go, source).ok()?;
    let root = parsed.tree().root_node();
    let mut reader = Reader::new(source);
    reader.file.is_ignored = has_ignore_tag(source);
    if root.has_error() {
        reader.note_errors(root);
    }
    let mut cursor = root.walk();
    let children: Vec<Node<'_>> = root.named_children(&mut cursor).collect();
    for child in &children {
        let before = reader.file.references.len();
        reader.top(*child);
        if errors(*child) * 8 > child.byte_range().len() {
            reader.file.references.truncate(before);
            reader.note_words(*child);
        }
    }
    Some(reader.file)
}

/// How many bytes of a node did not parse.
fn errors(node: Node<'_>) -> usize {
    let mut stack = vec![node];
    let mut bytes = 0;
    while let Some(node) = stack.pop() {
        let mut cursor = node.walk();
        if node.is_error() {
            bytes += node.byte_range().len();
        } else if node.has_error() {
            stack.extend(node.children(&mut cursor));
        }
    }
    bytes
}

fn has_ignore_tag(source: &[u8]) -> bool {
    let head = &source[..source.len().min(4096)];
    ["//go:build ignore", "// +build ignore", "//go:build tools", "//go:build none"]
        .iter()
        .any(|tag| memchr::memmem::find(head, tag.as_bytes()).is_some())
}

/// Reads one file.
pub(super) struct Reader<'a> {
    source: &'a [u8],
    pub(super) file: GoFile,
    /// Locals, innermost scope last.
    scopes: Vec<HashMap<&'a str, Id>>,
    pub(super) depth: usize,
}

impl<'a> Reader<'a> {
    fn new(source: &'a [u8]) -> Self {
        Self { source, file: GoFile::default(), scopes: Vec::new(), depth: 0 }
    }

    pub(super) fn text(&self, node: Node<'_>) -> &'a str {
        let bytes = self.source.get(node.byte_range()).unwrap_or_default();
        std::str::from_utf8(bytes).unwrap_or_default()
    }

    pub(super) fn add(&mut self, shape: Shape) -> Id {
        self.file.add(shape)
    }

    pub(super) fn refer(&mut self, target: Target, node: Node<'_>) {
        self.file.references.push(Reference { target, offset: node.start_byte() });
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

    /// Whether the innermost scope declares a name already.
    pub(super) fn is_here(&self, name: &str) -> bool {
        self.scopes.last().is_some_and(|scope| scope.contains_key(name))
    }

    pub(super) fn declare(&mut self, name: &'a str, shape: Id) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name, shape);
        }
    }

    /// Notes the words of everything that did not parse.
    fn note_errors(&mut self, root: Node<'_>) {
        let mut stack = vec![root];
        while let Some(node) = stack.pop() {
            let mut cursor = node.walk();
            if node.is_error() {
                self.note_words(node);
            } else if node.has_error() {
                stack.extend(node.children(&mut cursor));
            }
        }
    }

    fn note_words(&mut self, node: Node<'_>) {
        let words = self.text(node).split(|c: char| !c.is_alphanumeric() && c != '_');
        self.file.loose.extend(words.filter(|word| !word.is_empty()).map(Name::from));
    }

    fn top(&mut self, node: Node<'_>) {
        match node.kind() {
            "package_clause" => {
                let name = node.named_child(0).map(|name| self.text(name));
                self.file.package = name.unwrap_or_default().into();
            }
            "import_declaration" => self.imports(node),
            "function_declaration" => self.function(node),
            "method_declaration" => self.method(node),
            "const_declaration" | "var_declaration" | "type_declaration" => {
                self.declaration(node, true);
            }
            _ => {
                self.push_scope();
                self.statement(node);
                self.pop_scope();
            }
        }
    }

    fn imports(&mut self, node: Node<'_>) {
        let mut stack = vec![node];
        while let Some(node) = stack.pop() {
            if node.kind() != "import_spec" {
                let mut cursor = node.walk();
                stack.extend(node.named_children(&mut cursor));
                continue;
            }
            let Some(path) = node.child_by_field_name("path") else { continue };
            let alias = node.child_by_field_name("name").map(|alias| self.text(alias).into());
            let text = self.text(path).trim_matches(['"', '`']);
            let import = Import { alias, path: text.into(), offset: path.start_byte() };
            self.file.imports.push(import);
        }
    }

    fn function(&mut self, node: Node<'_>) {
        self.push_scope();
        self.type_parameters(node);
        let shape = self.signature(node);
        if let Some(name) = node.child_by_field_name("name") {
            let shape = self.add(Shape::Value(shape));
            self.symbol(self.text(name), Symbol::Value(shape));
        }
        self.body(node);
        self.pop_scope();
    }

    fn method(&mut self, node: Node<'_>) {
        self.push_scope();
        let receiver = node.child_by_field_name("receiver");
        let receiver = receiver.and_then(|receiver| self.receiver(receiver));
        let shape = self.signature(node);
        if let Some((name, owner, value)) = receiver {
            if let Some(method) = node.child_by_field_name("name").map(|name| self.text(name)) {
                let shape = self.add(Shape::Value(shape));
                let methods = self.file.methods.entry(owner.into()).or_default();
                methods.insert(method.into(), shape);
            }
            self.declare(name, value);
        }
        self.body(node);
        self.pop_scope();
    }

    /// The receiver of a method: its name, the name of its type, its shape.
    fn receiver(&mut self, node: Node<'_>) -> Option<(&'a str, &'a str, Id)> {
        let parameter = node.named_child(0)?;
        let mut ty = parameter.child_by_field_name("type")?;
        let mut is_pointer = false;
        while matches!(ty.kind(), "pointer_type" | "parenthesized_type") {
            is_pointer |= ty.kind() == "pointer_type";
            ty = ty.named_child(0)?;
        }
        if ty.kind() == "generic_type" {
            if let Some(arguments) = ty.child_by_field_name("type_arguments") {
                self.declare_words(arguments);
            }
            ty = ty.child_by_field_name("type")?;
        }
        let owner = self.text(ty);
        self.refer(Target::Name(owner.into(), Use::Type), ty);
        let named = self.add(Shape::Named(owner.into()));
        let whole = if is_pointer { self.add(Shape::Pointer(named)) } else { named };
        let value = self.add(Shape::Value(whole));
        let name = parameter.child_by_field_name("name").map(|name| self.text(name));
        Some((name.unwrap_or("_"), owner, value))
    }

    /// Declares the type parameters of a receiver.
    fn declare_words(&mut self, node: Node<'_>) {
        let unknown = self.add(Shape::Unknown("type parameter"));
        let words = self.text(node).split(|c: char| !c.is_alphanumeric() && c != '_');
        for word in words.filter(|word| !word.is_empty()) {
            self.declare(word, unknown);
        }
    }

    fn body(&mut self, node: Node<'_>) {
        if let Some(body) = node.child_by_field_name("body") {
            self.statements(body);
        }
    }

    fn symbol(&mut self, name: &str, symbol: Symbol) {
        if name != "_" {
            self.file.symbols.insert(name.into(), symbol);
        }
    }

    /// Declares a value in the package or in the innermost scope.
    fn value(&mut self, name: Node<'_>, shape: Id, is_top: bool) {
        let name = self.text(name);
        if is_top {
            self.symbol(name, Symbol::Value(shape));
        } else {
            self.declare(name, shape);
        }
    }

    /// A declaration of constants, variables or types.
    pub(super) fn declaration(&mut self, node: Node<'_>, is_top: bool) {
        let mut before: Option<Id> = None;
        let mut cursor = node.walk();
        let specs: Vec<Node<'_>> = node.named_children(&mut cursor).collect();
        for spec in specs {
            match spec.kind() {
                "var_spec_list" => self.declaration(spec, is_top),
                "var_spec" => {
                    self.spec(spec, None, is_top);
                }
                "const_spec" => before = self.spec(spec, before, is_top),
                "type_spec" | "type_alias" => self.type_spec(spec, is_top),
                _ => {}
            }
        }
    }

    /// One line of a declaration; the shape that a line without values repeats.
    fn spec(&mut self, node: Node<'_>, before: Option<Id>, is_top: bool) -> Option<Id> {
        let ty = node.child_by_field_name("type").map(|ty| self.ty(ty));
        let typed = ty.map(|ty| self.add(Shape::Value(ty)));
        let values = node.child_by_field_name("value").map(|list| self.expressions(list));
        let mut cursor = node.walk();
        let names: Vec<Node<'_>> = node
            .children_by_field_name("name", &mut cursor)
            .filter(|name| name.kind() == "identifier")
            .collect();
        let mut last = before;
        for (index, name) in names.iter().enumerate() {
            let shape = match (typed, &values) {
                (Some(typed), _) => typed,
                (None, Some(values)) => self.nth(values, index, names.len()),
                (None, None) => before.unwrap_or_else(|| self.add(Shape::Basic)),
            };
            self.value(*name, shape, is_top);
            last = Some(shape);
        }
        last
    }

    fn type_spec(&mut self, node: Node<'_>, is_top: bool) {
        let Some(name) = node.child_by_field_name("name") else { return };
        let name = self.text(name);
        if !is_top {
            // A local type may name itself; it has no methods, so its shape is all there is.
            let itself = self.add(Shape::Unknown("local type"));
            self.declare(name, itself);
        }
        self.push_scope();
        self.type_parameters(node);
        let shape = match node.child_by_field_name("type") {
            Some(ty) => self.ty(ty),
            None => self.add(Shape::Unknown("type that cannot be read")),
        };
        self.pop_scope();
        match (is_top, node.kind()) {
            (false, _) => self.declare(name, shape),
            (true, "type_alias") => self.symbol(name, Symbol::Alias(shape)),
            (true, _) => self.symbol(name, Symbol::Type(shape)),
        }
    }

    /// Declares type parameters, which may stand for anything.
    fn type_parameters(&mut self, node: Node<'_>) {
        let Some(list) = node.child_by_field_name("type_parameters") else { return };
        let unknown = self.add(Shape::Unknown("type parameter"));
        let mut cursor = list.walk();
        let parameters: Vec<Node<'_>> = list.named_children(&mut cursor).collect();
        for parameter in &parameters {
            let mut cursor = parameter.walk();
            for name in parameter.children_by_field_name("name", &mut cursor) {
                self.declare(self.text(name), unknown);
            }
        }
        for parameter in &parameters {
            if let Some(constraint) = parameter.child_by_field_name("type") {
                self.ty(constraint);
            }
        }
    }

    /// Declares the parameters and named results of a function; its shape.
    pub(super) fn signature(&mut self, node: Node<'_>) -> Id {
        let mut named: Vec<(&'a str, Id)> = Vec::new();
        if let Some(parameters) = node.child_by_field_name("parameters") {
            self.parameters(parameters, &mut named);
        }
        let results = match node.child_by_field_name("result") {
            Some(list) if list.kind() == "parameter_list" => self.parameters(list, &mut named),
            Some(single) => vec![self.ty(single)],
            None => Vec::new(),
        };
        for (name, value) in named {
            self.declare(name, value);
        }
        self.add(Shape::Func(results.into()))
    }

    /// The types of a list of parameters, one for each name; the names go to `named`.
    fn parameters(&mut self, list: Node<'_>, named: &mut Vec<(&'a str, Id)>) -> Vec<Id> {
        let mut types = Vec::new();
        let mut cursor = list.walk();
        let parameters: Vec<Node<'_>> = list.named_children(&mut cursor).collect();
        for parameter in parameters {
            let Some(ty) = parameter.child_by_field_name("type") else { continue };
            let mut shape = self.ty(ty);
            if parameter.kind() == "variadic_parameter_declaration" {
                shape = self.add(Shape::Slice(shape));
            }
            let value = self.add(Shape::Value(shape));
            let mut cursor = parameter.walk();
            let names = parameter.children_by_field_name("name", &mut cursor);
            let before = named.len();
            named.extend(names.filter(|name| name.is_named()).map(|name| (self.text(name), value)));
            let count = (named.len() - before).max(1);
            types.extend(std::iter::repeat_n(shape, count));
        }
        types
    }
}
