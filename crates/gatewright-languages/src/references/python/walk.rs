//! From the syntax tree to [`PyFile`]: statements, scopes and bindings.

use tree_sitter::{Node, TreeCursor};

use super::facts::{
    Base, Binding, Class, Function, ModulePath, Name, Path, PyFile, Reference, Role, ScopeKind,
    Target,
};
use super::fields::Field;
use super::given::Returned;
use super::kinds::Kind;
use crate::syntax::{LanguageId, Parsed};

/// How deep nesting is followed.
const DEPTH: usize = 400;

/// What one Python file says; `None` when it cannot be parsed.
pub(crate) fn read(source: &[u8]) -> Option<PyFile> {
    let parsed = Parsed::new(LanguageId::Python, source).ok()?;
    Some(read_parsed(source, &parsed, What::References))
}

/// The same of a file that nobody will ask about as a whole.
pub(crate) fn read_once(source: &[u8]) -> Option<PyFile> {
    let parsed = Parsed::once(LanguageId::Python, source).ok()?;
    Some(read_parsed(source, &parsed, What::References))
}

/// What other files ask of a file, which is less than half of the work.
pub(crate) fn read_definitions(source: &[u8]) -> Option<PyFile> {
    let parsed = Parsed::once(LanguageId::Python, source).ok()?;
    Some(read_parsed(source, &parsed, What::Definitions).for_others())
}

/// What is taken of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum What {
    /// All that it says.
    References,
    /// All but what it refers to.
    Definitions,
}

fn read_parsed<'a>(source: &'a [u8], parsed: &'a Parsed, what: What) -> PyFile {
    let mut walker = Walker::new(source, what, PyFile::new());
    walker.children(parsed.tree().root_node());
    if walker.file.hooked {
        walker.spelled(parsed.tree().root_node());
    }
    let hook = walker.file.scopes[super::facts::MODULE].bindings.get("__getattr__");
    if hook.is_some_and(|hook| !matches!(hook, Binding::Function(_))) {
        walker.file.hook = Some("module with a __getattr__");
    }
    walker.file
}

/// Where the walk stands.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Context {
    pub(super) scope: usize,
    /// The class whose method is being walked.
    pub(super) receiver: Option<usize>,
    /// Whether a missing import is expected here.
    pub(super) imports_guarded: bool,
    /// Whether a missing name is expected here.
    pub(super) names_guarded: bool,
    /// Whether a missing attribute is expected here.
    pub(super) attributes_guarded: bool,
    /// Whether a method restores what was there before (`__setstate__`).
    pub(super) restores: bool,
    /// Whether the receiver is the class itself.
    pub(super) is_of_class: bool,
}

pub(super) struct Walker<'a> {
    pub(super) source: &'a [u8],
    pub(super) what: What,
    pub(super) file: PyFile,
    pub(super) depth: usize,
    pub(super) context: Context,
    /// What the functions around this place give, the innermost last.
    pub(super) returned: Vec<Returned>,
    /// Cursors that nobody uses: most nodes have few children, and a cursor of their own would
    /// cost more than the way to them.
    spare: Vec<TreeCursor<'a>>,
}

impl<'a> Walker<'a> {
    /// A walk that adds to what is known of a file.
    pub(super) fn new(source: &'a [u8], what: What, file: PyFile) -> Self {
        let (context, returned, spare) = Default::default();
        Self { source, what, file, depth: 0, context, returned, spare }
    }

    pub(super) fn text(&self, node: Node<'a>) -> &'a str {
        self.source
            .get(node.byte_range())
            .and_then(|bytes| std::str::from_utf8(bytes).ok())
            .unwrap_or_default()
    }

    pub(super) fn name(&self, node: Node<'a>) -> Name {
        self.text(node).into()
    }

    pub(super) fn children(&mut self, node: Node<'a>) {
        if node.named_child_count() == 0 {
            return;
        }
        let mut cursor = self.spare.pop().unwrap_or_else(|| node.walk());
        for child in node.named_children(&mut cursor) {
            self.visit(child);
        }
        self.spare.push(cursor);
    }

    pub(super) fn field(&mut self, node: Node<'a>, field: Field) {
        if let Some(child) = field.of(node) {
            self.visit(child);
        }
    }

    /// Walks with another context, then goes back.
    pub(super) fn within(&mut self, context: Context, walk: impl FnOnce(&mut Self)) {
        let outer = std::mem::replace(&mut self.context, context);
        walk(self);
        self.context = outer;
    }

    pub(super) fn visit(&mut self, node: Node<'a>) {
        if self.depth >= DEPTH {
            self.file.incomplete = true;
            return;
        }
        self.depth += 1;
        self.statement(node);
        self.depth -= 1;
    }

    fn statement(&mut self, node: Node<'a>) {
        match Kind::of(node) {
            Kind::Leaf => {}
            Kind::Error => self.loose(node),
            Kind::FunctionDefinition => self.function(node, &[]),
            Kind::ClassDefinition => self.class(node, &[]),
            Kind::DecoratedDefinition => self.decorated(node),
            Kind::Import => self.import(node),
            Kind::ImportFrom => self.import_from(node),
            Kind::TryStatement => self.try_statement(node),
            Kind::IfClause => self.if_statement(node),
            Kind::GlobalStatement => self.global(node),
            Kind::TypeAlias => self.type_alias(node),
            Kind::ReturnStatement => self.note_returned(node),
            kind => self.expression(node, kind, Role::Plain),
        }
    }

    /// Text that does not parse: its names count as bound, so that nothing is said of them.
    fn loose(&mut self, node: Node<'a>) {
        let mut stack = vec![node];
        while let Some(node) = stack.pop() {
            if node.kind() == "identifier" {
                let name = self.name(node);
                self.file.loose.insert(name);
            }
            let mut cursor = node.walk();
            stack.extend(node.named_children(&mut cursor));
        }
    }

    /// Notes every name that is written in a string.
    fn spelled(&mut self, root: Node<'a>) {
        let mut stack = vec![root];
        while let Some(node) = stack.pop() {
            if let Some(name) = self.literal(node) {
                self.file.spelled.insert(name);
            }
            let mut cursor = node.walk();
            stack.extend(node.named_children(&mut cursor));
        }
    }

    pub(super) fn refer(&mut self, target: Target, offset: usize) {
        if self.what == What::Definitions {
            return;
        }
        let guarded = match target {
            Target::Chain { ref path, .. } if path.len() == 1 => self.context.names_guarded,
            Target::Chain { .. } => self.context.attributes_guarded,
            _ => self.context.imports_guarded,
        };
        let scope = self.scope_of(&target);
        self.file.references.push(Reference { target, scope, offset, guarded });
    }

    /// Where a name is looked up: in the body of a class not before it is bound there, while it
    /// stands for something outside (`uuid = Field(default=uuid.uuid4)`).
    fn scope_of(&self, target: &Target) -> usize {
        let scope = self.context.scope;
        let Target::Chain { path, .. } = target else { return scope };
        let body = &self.file.scopes[scope];
        let (Some((root, _)), ScopeKind::Class(_), Some(parent)) =
            (path.first(), body.kind, body.parent)
        else {
            return scope;
        };
        let is_outside =
            !body.bindings.contains_key(root) && self.file.lookup(parent, root).is_some();
        if is_outside { parent } else { scope }
    }

    pub(super) fn bind(&mut self, name: &str, binding: Binding) {
        self.file.bind(self.context.scope, name, binding);
    }

    fn decorated(&mut self, node: Node<'a>) {
        let mut cursor = node.walk();
        let mut decorators = Vec::new();
        for child in node.named_children(&mut cursor) {
            if child.kind() == "decorator" {
                let inner = child.named_child(0);
                decorators.push(inner.and_then(|inner| self.decorator(inner)));
                if let Some(inner) = inner {
                    self.visit_as(inner, Role::Call);
                }
            }
        }
        match Field::Definition.of(node) {
            Some(definition) if definition.kind() == "class_definition" => {
                self.class(definition, &decorators);
            }
            Some(definition) => self.function(definition, &decorators),
            None => {}
        }
    }

    /// What a decorator is called.
    pub(super) fn decorator(&self, inner: Node<'a>) -> Option<Path> {
        let is_call = Kind::of(inner) == Kind::Call;
        self.path(if is_call { Field::Function.of(inner).unwrap_or(inner) } else { inner })
    }

    pub(super) fn function(&mut self, node: Node<'a>, decorators: &[Option<Path>]) {
        let Some(name_node) = Field::Name.of(node) else { return };
        let name = self.text(name_node);
        let outer = self.context;
        let class = match self.file.scopes[outer.scope].kind {
            ScopeKind::Class(class) => Some(class),
            _ => None,
        };
        if outer.scope == super::facts::MODULE && name == "__getattr__" {
            self.module_hook(node);
        }
        let scope = self.file.add_scope(Some(outer.scope), ScopeKind::Function);
        let is_static = decorators.iter().flatten().any(|path| is_named(path, "staticmethod"));
        let receiver = class.filter(|_| !is_static);
        let receiver_class = receiver.or(outer.receiver);
        let is_decorated = |name| decorators.iter().flatten().any(|path| is_named(path, name));
        let is_of_class = match receiver {
            Some(_) => is_decorated("classmethod"),
            None => outer.is_of_class && !is_static,
        };
        let restores = is_restoring(name);
        let inner = Context { scope, receiver: receiver_class, restores, is_of_class, ..outer };
        let mut signature = Function {
            keywords: String::new(),
            takes_any: !decorators.is_empty(),
            gives: self.stated_class(node, decorators),
            enters_itself: matches!(name, "__enter__" | "__aenter__") && self.gives_itself(node),
            is_property: is_decorated("property") || is_decorated("cached_property"),
        };
        self.returned.push(Returned::default());
        self.within(inner, |walker| {
            walker.type_parameters(node);
            if let Some(parameters) = Field::Parameters.of(node) {
                walker.parameters(parameters, receiver, &mut signature);
            }
        });
        let generic = Field::TypeParameters.of(node).is_some();
        self.within(if generic { inner } else { outer }, |walker| walker.annotations(node));
        self.within(inner, |walker| walker.field(node, Field::Body));
        let shown = self.returned.pop().and_then(Returned::class);
        if self.shows_class(node, decorators) {
            signature.gives = shown;
        }
        self.file.functions.push(signature);
        let number = self.file.functions.len() - 1;
        self.bind(name, Binding::Function(number));
    }

    pub(super) fn type_parameters(&mut self, node: Node<'a>) {
        let Some(parameters) = Field::TypeParameters.of(node) else { return };
        let mut stack = vec![parameters];
        while let Some(node) = stack.pop() {
            if node.kind() == "identifier" {
                let name = self.text(node);
                self.bind(name, Binding::Other);
            }
            let mut cursor = node.walk();
            stack.extend(node.named_children(&mut cursor));
        }
    }

    fn parameters(&mut self, node: Node<'a>, receiver: Option<usize>, signature: &mut Function) {
        let mut cursor = node.walk();
        let mut is_first = true;
        for child in node.named_children(&mut cursor) {
            if child.kind() == "comment" {
                continue;
            }
            let annotation = Field::Type.of(child);
            let name = Field::Name.of(child).or_else(|| match child.kind() {
                "identifier" => Some(child),
                "typed_parameter" => child.named_child(0),
                _ => None,
            });
            match name {
                Some(name) if name.kind() == "identifier" => {
                    let binding = match (receiver.filter(|_| is_first), annotation) {
                        (Some(class), None) => Binding::Receiver(class),
                        (_, Some(kind)) => self.annotated(kind).unwrap_or(Binding::Other),
                        _ => Binding::Other,
                    };
                    let text = self.text(name);
                    signature.keywords.push_str(text);
                    signature.keywords.push(' ');
                    self.bind(text, binding);
                }
                Some(other) => self.splat(other, signature),
                None => self.splat(child, signature),
            }
            is_first = false;
        }
    }

    /// What stands in a head beside the names: annotations and defaults, of the scope around it.
    fn annotations(&mut self, node: Node<'a>) {
        if let Some(parameters) = Field::Parameters.of(node) {
            let mut cursor = parameters.walk();
            for child in parameters.named_children(&mut cursor) {
                if let Some(annotation) = Field::Type.of(child) {
                    self.visit_as(annotation, Role::Class);
                }
                self.field(child, Field::Value);
            }
        }
        if let Some(annotation) = Field::ReturnType.of(node) {
            self.visit_as(annotation, Role::Class);
        }
    }

    fn splat(&mut self, node: Node<'a>, signature: &mut Function) {
        if node.kind() == "dictionary_splat_pattern" {
            signature.takes_any = true;
        }
        self.bind_pattern(node);
    }

    pub(super) fn lambda(&mut self, node: Node<'a>) {
        let scope = self.file.add_scope(Some(self.context.scope), ScopeKind::Function);
        let mut signature = Function { takes_any: true, ..Function::default() };
        self.within(Context { scope, ..self.context }, |walker| {
            if let Some(parameters) = Field::Parameters.of(node) {
                walker.parameters(parameters, None, &mut signature);
            }
            walker.annotations(node);
            walker.field(node, Field::Body);
        });
    }

    fn class(&mut self, node: Node<'a>, decorators: &[Option<Path>]) {
        let Some(name) = Field::Name.of(node) else { return };
        let outer = self.context.scope;
        let number = self.file.classes.len();
        let around = self.scope_of_parameters(node);
        let scope = self.file.add_scope(Some(around), ScopeKind::Class(number));
        self.file.classes.push(Class {
            name: self.name(name),
            scope,
            outer,
            bases: Vec::new(),
            metaclass: None,
            decorators: decorators.to_vec(),
            attributes: Default::default(),
            held: Default::default(),
            open: None,
        });
        let inner = Context { scope, receiver: None, is_of_class: false, ..self.context };
        self.within(inner, |walker| {
            if let Some(bases) = Field::Superclasses.of(node) {
                walker.superclasses(bases, number);
            }
            walker.field(node, Field::Body);
        });
        for hook in ["__getattr__", "__getattribute__"] {
            if self.file.scopes[scope].bindings.contains_key(hook) {
                self.file.classes[number].open.get_or_insert("dynamic attributes");
            }
        }
        self.file.classes[number].held.retain(|_, binding| *binding != Binding::Other);
        let name = self.text(name);
        self.bind(name, Binding::Class(number));
    }

    /// The scope around a class: its type parameters are seen in its methods too.
    fn scope_of_parameters(&mut self, node: Node<'a>) -> usize {
        let outer = self.context.scope;
        if Field::TypeParameters.of(node).is_none() {
            return outer;
        }
        let scope = self.file.add_scope(Some(outer), ScopeKind::Comprehension);
        self.within(Context { scope, ..self.context }, |walker| walker.type_parameters(node));
        scope
    }

    fn superclasses(&mut self, node: Node<'a>, class: usize) {
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            match child.kind() {
                "comment" => {}
                "keyword_argument" => {
                    let value = Field::Value.of(child);
                    let key = Field::Name.of(child).map(|name| self.text(name));
                    if key == Some("metaclass") {
                        let path = value.and_then(|value| self.path(value));
                        let metaclass = path.unwrap_or_else(|| vec!["?".into()]);
                        self.file.classes[class].metaclass = Some(metaclass);
                    }
                    if let Some(value) = value {
                        self.visit_as(value, Role::Class);
                    }
                }
                _ => {
                    let base = self.base(child);
                    self.file.classes[class].bases.push(base);
                    self.visit_as(child, Role::Class);
                }
            }
        }
    }

    fn base(&self, node: Node<'a>) -> Base {
        match node.kind() {
            "subscript" => Field::Value.of(node).map_or(Base::Unknown, |value| self.base(value)),
            "call" => self.named_tuple(node).map_or(Base::Unknown, Base::Fields),
            _ => self.path(node).map_or(Base::Unknown, Base::Path),
        }
    }

    fn type_alias(&mut self, node: Node<'a>) {
        if let Some(left) = Field::Left.of(node) {
            let mut stack = vec![left];
            while let Some(node) = stack.pop() {
                if node.kind() == "identifier" {
                    let name = self.text(node);
                    self.bind(name, Binding::Other);
                }
                let mut cursor = node.walk();
                stack.extend(node.named_children(&mut cursor));
            }
        }
        if let Some(right) = Field::Right.of(node) {
            self.visit_as(right, Role::Class);
        }
    }

    fn global(&mut self, node: Node<'a>) {
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            let name = self.text(child);
            if node.kind() == "global_statement" {
                self.file.bind(super::facts::MODULE, name, Binding::Other);
            }
            self.bind(name, Binding::Other);
        }
    }
}

/// Whether a method of this name puts back attributes that the class has anyway.
fn is_restoring(name: &str) -> bool {
    matches!(name, "__setstate__" | "__copy__" | "__deepcopy__" | "__setattr__" | "__reduce__")
}

/// Whether the last name of a path is this one.
pub(super) fn is_named(path: &[Name], name: &str) -> bool {
    path.last().is_some_and(|last| &**last == name)
}

/// The module path of relative dots and a dotted name.
pub(super) fn module_path(level: usize, dotted: &str) -> ModulePath {
    let dotted: String = dotted.chars().filter(|c| !c.is_whitespace()).collect();
    ModulePath { level, dotted: dotted.into() }
}
