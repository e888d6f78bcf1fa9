//! Expressions and assignment targets: the references that they make, the names that they bind.

use tree_sitter::Node;

use super::dynamic;
use super::facts::{Binding, MODULE, Name, Path, Placed, Role, ScopeKind, Target};
use super::fields::Field;
use super::kinds::Kind;
use super::walk::{Context, Walker, What, is_named};

impl<'a> Walker<'a> {
    /// Walks an expression whose value is used as `role`.
    pub(super) fn visit_as(&mut self, node: Node<'a>, role: Role) {
        self.expression(node, Kind::of(node), role);
    }

    /// The same of one whose kind is known.
    pub(super) fn expression(&mut self, node: Node<'a>, kind: Kind, role: Role) {
        match kind {
            Kind::Identifier | Kind::Attribute => self.chain(node, role, Vec::new()),
            Kind::Call => self.call(node),
            Kind::Assignment => self.assignment(node),
            Kind::AugmentedAssignment => self.augmented(node),
            Kind::NamedExpression => {
                self.field(node, Field::Value);
                if let Some(name) = Field::Name.of(node) {
                    self.bind_walrus(name);
                }
            }
            Kind::ForClause => {
                if let Some(left) = Field::Left.of(node) {
                    let one = self.one_of_many(Field::Right.of(node));
                    self.target(left, one.unwrap_or(Binding::Other));
                }
                self.rest(node, Field::Left);
            }
            Kind::WithItem => self.with_item(node),
            Kind::AsPatternTarget => {
                if let Some(inner) = node.named_child(0) {
                    self.target(inner, Binding::Other);
                }
            }
            Kind::DeleteStatement => self.delete(node),
            Kind::Yield => {
                self.note_yield();
                self.children(node);
            }
            Kind::Lambda => self.lambda(node),
            Kind::Comprehension => self.comprehension(node),
            Kind::KeywordArgument => self.field(node, Field::Value),
            Kind::MatchStatement => {
                self.narrow(Field::Subject.of(node));
                self.children(node);
            }
            Kind::CasePattern => self.case_pattern(node),
            Kind::ExceptClause => self.except_clause(node),
            Kind::Type => self.each(node, Role::Class),
            Kind::Nest if role == Role::Class => self.each(node, Role::Class),
            _ => self.children(node),
        }
    }

    fn each(&mut self, node: Node<'a>, role: Role) {
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            self.depth += 1;
            if self.depth < 400 {
                self.visit_as(child, role);
            }
            self.depth -= 1;
        }
    }

    /// The children that are not in `field`.
    fn rest(&mut self, node: Node<'a>, field: Field) {
        let left = field.of(node).map(|node| node.id());
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            if Some(child.id()) != left {
                self.visit(child);
            }
        }
    }

    fn except_clause(&mut self, node: Node<'a>) {
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            if child.kind() == "block" {
                self.visit(child);
            } else {
                self.visit_as(child, Role::Class);
            }
        }
    }

    /// A name or a chain of attributes; what it hangs on is walked when it is no name.
    fn chain(&mut self, node: Node<'a>, role: Role, keywords: Vec<Placed>) {
        if self.what == What::Definitions {
            return self.below_chain(node);
        }
        match self.placed_path(node) {
            Some(path) => {
                let offset = path[0].1;
                self.refer(Target::Chain { path, role, keywords }, offset);
            }
            None => {
                self.field(node, Field::Object);
                self.made(node, role, keywords);
            }
        }
    }

    /// Walks what a chain of attributes hangs on when it is no name.
    fn below_chain(&mut self, node: Node<'a>) {
        let mut current = node;
        while Kind::of(current) == Kind::Attribute {
            let Some(object) = Field::Object.of(current) else { return };
            current = object;
        }
        if Kind::of(current) != Kind::Identifier {
            self.visit(current);
        }
    }

    fn placed_path(&self, node: Node<'a>) -> Option<Vec<Placed>> {
        let mut reversed = Vec::new();
        let mut current = node;
        while Kind::of(current) == Kind::Attribute {
            let attribute = Field::Attribute.of(current)?;
            reversed.push((self.name(attribute), attribute.start_byte()));
            current = Field::Object.of(current)?;
        }
        if Kind::of(current) != Kind::Identifier {
            return None;
        }
        reversed.push((self.name(current), current.start_byte()));
        reversed.reverse();
        Some(reversed)
    }

    /// The dotted path that an expression is.
    pub(super) fn path(&self, node: Node<'a>) -> Option<Path> {
        let placed = self.placed_path(node)?;
        Some(placed.into_iter().map(|(name, _)| name).collect())
    }

    /// The dotted path of an annotation that is nothing but one, quoted or not, or may be `None`.
    pub(super) fn annotation_path(&self, node: Node<'a>) -> Option<Path> {
        let inner = if node.kind() == "type" { node.named_child(0)? } else { node };
        match inner.kind() {
            "string" => self.quoted_path(inner),
            "binary_operator" | "union_type" => {
                let (first, last) = (inner.named_child(0)?, inner.named_child(1)?);
                match (self.text(first), self.text(last)) {
                    ("None", _) => self.annotation_path(last),
                    (_, "None") => self.annotation_path(first),
                    _ => None,
                }
            }
            "generic_type" => {
                let (name, list) = (inner.named_child(0)?, inner.named_child(1)?);
                let is_single = self.text(name) == "Optional" && list.named_child_count() == 1;
                self.annotation_path(list.named_child(0).filter(|_| is_single)?)
            }
            _ => self.path(inner),
        }
    }

    /// The path that an annotation in quotes is, or may be `None`.
    fn quoted_path(&self, node: Node<'a>) -> Option<Path> {
        let text = self.literal(node)?;
        let is_name = |part: &str| {
            part.starts_with(|c: char| c.is_alphabetic() || c == '_')
                && part.chars().all(|c| c.is_alphanumeric() || c == '_')
        };
        let others = text.trim().strip_suffix("None").map(str::trim_end);
        let text = others.and_then(|text| text.strip_suffix('|')).unwrap_or(&text).trim();
        text.split('.').all(is_name).then(|| text.split('.').map(Into::into).collect())
    }

    fn call(&mut self, node: Node<'a>) {
        let Some(function) = Field::Function.of(node) else { return };
        let arguments = Field::Arguments.of(node);
        let keywords = match (self.what, arguments) {
            (What::References, Some(list)) => self.keywords(list),
            _ => Vec::new(),
        };
        let kind = Kind::of(function);
        let name = if kind == Kind::Attribute { Field::Attribute.of(function) } else { None };
        if dynamic::is_telling(self.text(name.unwrap_or(function)))
            && let Some(path) = self.path(function)
        {
            self.note_dynamic(&path, node, arguments);
        }
        match kind {
            Kind::Identifier | Kind::Attribute => self.chain(function, Role::Call, keywords),
            _ => self.visit(function),
        }
        if let Some(arguments) = arguments {
            self.visit(arguments);
        }
    }

    /// The keyword arguments; none when a `**` may pass more.
    pub(super) fn keywords(&self, arguments: Node<'a>) -> Vec<Placed> {
        let mut cursor = arguments.walk();
        let mut keywords = Vec::new();
        for child in arguments.named_children(&mut cursor) {
            if Kind::of(child) == Kind::KeywordArgument
                && let Some(name) = Field::Name.of(child)
            {
                keywords.push((self.name(name), name.start_byte()));
            }
        }
        keywords
    }

    pub(super) fn literal(&self, node: Node<'a>) -> Option<Name> {
        if node.kind() != "string" {
            return None;
        }
        let text = self.text(node);
        let inner = text.trim_start_matches(|c: char| c.is_alphabetic());
        let inner = inner.trim_matches(|c| c == '"' || c == '\'');
        Some(inner.into())
    }

    /// The fields of `namedtuple("N", …)` when they are written out.
    pub(super) fn named_tuple(&self, node: Node<'a>) -> Option<Vec<Name>> {
        let function = self.path(Field::Function.of(node)?)?;
        if !is_named(&function, "namedtuple") {
            return None;
        }
        let fields = Field::Arguments.of(node)?.named_child(1)?;
        if let Some(text) = self.literal(fields) {
            return Some(text.split([' ', ',', '\n', '\t']).map(Into::into).collect());
        }
        let mut cursor = fields.walk();
        fields.named_children(&mut cursor).map(|field| self.literal(field)).collect()
    }

    fn assignment(&mut self, node: Node<'a>) {
        let Some(left) = Field::Left.of(node) else { return };
        let right = Field::Right.of(node);
        let annotation = Field::Type.of(node);
        if let Some(annotation) = annotation {
            self.visit_as(annotation, Role::Class);
        }
        if let Some(right) = right {
            self.visit(right);
        }
        let kind = Kind::of(left);
        match self.text(left) {
            "__all__" if kind == Kind::Identifier => self.note_all(right),
            "__slots__" if kind == Kind::Identifier => self.note_slots(right),
            _ => {}
        }
        let binding = match (annotation, right) {
            (Some(annotation), None) => self.annotation_path(annotation).map(Binding::Annotated),
            (Some(annotation), Some(right)) => self.declared_binding(annotation, right),
            (None, Some(right)) => self.value_binding(right),
            (None, None) => None,
        };
        match kind {
            Kind::Attribute => self.store_held(left, binding, right),
            _ => self.target(left, binding.unwrap_or(Binding::Other)),
        }
    }

    /// What an annotated name stands for: an object of the class that is called, or else what
    /// the annotation says. In the body of a class the value may be a descriptor.
    fn declared_binding(&self, annotation: Node<'a>, right: Node<'a>) -> Option<Binding> {
        let value = self.value_binding(right);
        let is_of_class = matches!(self.file.scopes[self.context.scope].kind, ScopeKind::Class(_));
        let is_made = matches!(&value, Some(Binding::Instance(path))
            if path.last().is_some_and(|last| last.starts_with(char::is_uppercase)));
        if is_of_class || is_made {
            return value;
        }
        self.annotation_path(annotation).map(Binding::Annotated)
    }

    fn value_binding(&self, value: Node<'a>) -> Option<Binding> {
        match Kind::of(value) {
            Kind::Call => {
                if let Some(class) = self.made_of_own(value) {
                    return Some(Binding::Receiver(class));
                }
                let function = Field::Function.of(value)?;
                // What these give stands for other classes than their own.
                let is_other = matches!(self.text(function), "super" | "type");
                Some(Binding::Instance(self.path(function).filter(|_| !is_other)?))
            }
            Kind::Identifier | Kind::Attribute => Some(Binding::Alias(self.path(value)?)),
            // What a module or a class holds may be replaced from elsewhere.
            _ if self.file.scopes[self.context.scope].kind == ScopeKind::Function => {
                Some(Binding::Instance([self.literal_class(value)?.into()].into()))
            }
            _ => None,
        }
    }

    fn augmented(&mut self, node: Node<'a>) {
        self.field(node, Field::Right);
        match Field::Left.of(node) {
            // It adds to an attribute that is there.
            Some(left) if self.is_of_receiver(left) => self.visit_as(left, Role::Plain),
            Some(left) => self.target(left, Binding::Other),
            None => {}
        }
    }

    /// Whether a node is an attribute of the receiver of the method around it.
    fn is_of_receiver(&self, node: Node<'a>) -> bool {
        let path = self.path(node).filter(|path| path.len() == 2);
        let root = path.as_ref().and_then(|path| path.first());
        let binding = root.and_then(|root| self.file.lookup(self.context.scope, root));
        matches!(binding, Some((_, Binding::Receiver(_))))
    }

    fn note_all(&mut self, value: Option<Node<'a>>) {
        let Some(value) = value.filter(|_| self.context.scope == MODULE) else { return };
        let mut cursor = value.walk();
        let names: Option<Vec<Name>> = match value.kind() {
            "list" | "tuple" => value
                .named_children(&mut cursor)
                .filter(|child| child.kind() != "comment")
                .map(|child| self.literal(child))
                .collect(),
            _ => None,
        };
        self.file.all = names;
    }

    fn note_slots(&mut self, value: Option<Node<'a>>) {
        let ScopeKind::Class(class) = self.file.scopes[self.context.scope].kind else { return };
        let mut stack: Vec<Node<'a>> = value.into_iter().collect();
        while let Some(node) = stack.pop() {
            if let Some(name) = self.literal(node) {
                self.file.classes[class].attributes.insert(name);
            }
            let mut cursor = node.walk();
            stack.extend(node.named_children(&mut cursor));
        }
    }

    /// Binds or stores into an assignment target.
    pub(super) fn target(&mut self, node: Node<'a>, binding: Binding) {
        match Kind::of(node) {
            Kind::Identifier => {
                let name = self.text(node);
                self.bind(name, binding);
            }
            Kind::Attribute => self.store_held(node, None, Some(node)),
            Kind::Nest if node.kind() == "subscript" => {
                if self.text(node).contains("__dict__[") && !self.context.restores {
                    self.open_receiver();
                }
                self.note_sys_modules(node);
                self.children(node);
            }
            _ => {
                let mut cursor = node.walk();
                for child in node.named_children(&mut cursor) {
                    self.target(child, Binding::Other);
                }
            }
        }
    }

    fn note_sys_modules(&mut self, node: Node<'a>) {
        let text = self.text(node);
        if text.contains("modules") {
            // What replaces the module itself finds those below it in the same folder.
            self.file.makes_modules |= !text.contains("[__name__]");
            if text.contains("__name__") {
                self.file.open.get_or_insert("module replaced at run time");
            }
        }
        if text.starts_with("globals()")
            || text.starts_with("locals()")
            || text.starts_with("vars()")
        {
            self.file.open.get_or_insert("names made at run time");
        }
    }

    pub(super) fn store(&mut self, node: Node<'a>) {
        let Some(path) = self.placed_path(node) else {
            if let Some(attribute) = Field::Attribute.of(node) {
                let name = self.name(attribute);
                self.file.stored.insert(name);
            }
            self.field(node, Field::Object);
            return;
        };
        let binding = self.file.lookup(self.context.scope, &path[0].0).map(|(_, known)| known);
        match (binding, path.as_slice()) {
            (Some(Binding::Receiver(class)), [_, (attribute, _)]) => {
                let (class, attribute) = (*class, attribute.clone());
                if &*attribute == "__dict__" && !self.context.restores {
                    self.file.classes[class].open.get_or_insert("setattr");
                }
                self.file.classes[class].attributes.insert(attribute);
            }
            _ => {
                if let Some((attribute, _)) = path.last() {
                    self.file.stored.insert(attribute.clone());
                    self.file.makes_modules |= &**attribute == "__path__";
                }
            }
        }
        let offset = path[0].1;
        self.refer(Target::Chain { path, role: Role::Store, keywords: Vec::new() }, offset);
    }

    fn delete(&mut self, node: Node<'a>) {
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            match child.kind() {
                "expression_list" | "tuple" => self.delete(child),
                "attribute" => self.store(child),
                _ => self.visit(child),
            }
        }
    }

    /// A walrus binds in the function around a comprehension.
    fn bind_walrus(&mut self, name: Node<'a>) {
        let mut scope = self.context.scope;
        while self.file.scopes[scope].kind == ScopeKind::Comprehension {
            let Some(parent) = self.file.scopes[scope].parent else { break };
            scope = parent;
        }
        let name = self.text(name);
        self.file.bind(scope, name, Binding::Other);
    }

    /// Binds every name in a pattern of a parameter.
    pub(super) fn bind_pattern(&mut self, node: Node<'a>) {
        self.target_names(node);
    }

    fn target_names(&mut self, node: Node<'a>) {
        if Kind::of(node) == Kind::Identifier {
            let name = self.text(node);
            self.bind(name, Binding::Other);
        }
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            self.target_names(child);
        }
    }

    fn comprehension(&mut self, node: Node<'a>) {
        let scope = self.file.add_scope(Some(self.context.scope), ScopeKind::Comprehension);
        self.within(Context { scope, ..self.context }, |walker| {
            let mut cursor = node.walk();
            let (clauses, others): (Vec<_>, Vec<_>) = node
                .named_children(&mut cursor)
                .partition(|child| Kind::of(*child) == Kind::ForClause);
            for child in clauses.into_iter().chain(others) {
                walker.visit(child);
            }
        });
    }

    /// A pattern of `match`: plain names are bound, dotted ones and classes are referred to.
    fn case_pattern(&mut self, node: Node<'a>) {
        let mut stack = vec![node];
        while let Some(node) = stack.pop() {
            match node.kind() {
                "identifier" => {
                    let name = self.text(node);
                    self.bind(name, Binding::Other);
                }
                "class_pattern" => {
                    let mut cursor = node.walk();
                    stack.extend(node.named_children(&mut cursor).skip(1));
                }
                "dotted_name" if node.named_child_count() > 1 => {}
                "keyword_pattern" => {
                    let mut cursor = node.walk();
                    stack.extend(node.named_children(&mut cursor).skip(1));
                }
                _ => {
                    let mut cursor = node.walk();
                    stack.extend(node.named_children(&mut cursor));
                }
            }
        }
    }
}
