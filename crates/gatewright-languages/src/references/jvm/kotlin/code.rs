//! Statements, expressions and types of Kotlin: locals, and the shapes of values.

use tree_sitter::Node;

use super::facts::{Callee, Id, Level, Shape, Target};
use super::read::{
    DEEPEST, Reader, call_parts, children, has_kind, has_token, is_type, outer_name, unsigned,
};

/// Functions whose lambda is given the value that they are called on.
const GIVES_ITSELF: [&str; 4] = ["let", "also", "takeIf", "takeUnless"];

/// Constants, and modifiers that stand alone where a declaration did not parse.
const WORDS: &str = "true false null break continue internal public private protected open override \
suspend inline abstract actual expect for if when while do try return throw interface class object";

impl<'a> Reader<'a> {
    pub(super) fn statement(&mut self, node: Node<'a>) {
        if self.depth > DEEPEST {
            self.file.is_deep = true;
            return;
        }
        self.depth += 1;
        match node.kind() {
            "class_declaration" | "object_declaration" | "companion_object" => self.class(node),
            "function_declaration" => {
                // It may call itself.
                let unknown = self.unknown();
                if let Some(name) = node.child_by_field_name("name") {
                    self.declare(self.text(name), unknown);
                }
                let (name, member, has_receiver) = self.function(node);
                if has_receiver {
                    super::facts::note(&mut self.file.extensions, name, member);
                }
            }
            "property_declaration" => self.local_property(node),
            "type_alias" => self.alias(node),
            "do_while_statement" => self.inside(None, |reader| reader.do_while(node)),
            "block" | "while_statement" | "finally_block" => {
                self.inside(None, |reader| reader.statements(node));
            }
            "for_statement" => self.for_each(node),
            "catch_block" => self.catch(node),
            "annotation" => self.types_below(node),
            "label" | "ERROR" => {}
            _ => {
                self.expression(node);
            }
        }
        self.depth -= 1;
    }

    fn statements(&mut self, node: Node<'a>) {
        for child in children(node) {
            self.statement(child);
        }
    }

    /// The condition sees what the block declares.
    fn do_while(&mut self, node: Node<'a>) {
        for child in children(node) {
            match child.kind() {
                "block" => self.statements(child),
                _ => self.statement(child),
            }
        }
    }

    fn local_property(&mut self, node: Node<'a>) {
        for (name, member, _) in self.property(node) {
            let shape = match member.given {
                super::facts::Given::Named(ty) => self.of(ty),
                super::facts::Given::Inferred(id) => id,
                super::facts::Given::Unknown => self.unknown(),
            };
            self.declare(name, shape);
        }
    }

    fn declare_all(&mut self, node: Node<'a>, inferred: Id) {
        let is_single = node.kind() == "variable_declaration";
        for (name, ty) in self.variables(node) {
            let shape = match ty {
                Some(ty) => self.of(ty),
                None if is_single => inferred,
                None => self.unknown(),
            };
            self.declare(name, shape);
        }
    }

    fn for_each(&mut self, node: Node<'a>) {
        let parts = children(node);
        self.inside(None, |reader| {
            let variable = parts.iter().position(|it| it.kind().ends_with("variable_declaration"));
            let value = variable.and_then(|at| parts.get(at + 1));
            if let Some(value) = value {
                reader.expression(*value);
            }
            let unknown = reader.unknown();
            for (at, part) in parts.iter().enumerate() {
                if Some(at) == variable {
                    reader.declare_all(*part, unknown);
                } else if value.is_none_or(|value| value.id() != part.id()) {
                    reader.statement(*part);
                }
            }
        });
    }

    fn catch(&mut self, node: Node<'a>) {
        self.inside(None, |reader| {
            let mut name = None;
            for child in children(node) {
                match child.kind() {
                    "identifier" => name = Some(reader.text(child)),
                    kind if is_type(kind) => {
                        let ty = reader.ty(child);
                        let shape = reader.of(ty);
                        if let Some(name) = name {
                            reader.declare(name, shape);
                        }
                    }
                    _ => reader.statement(child),
                }
            }
        });
    }

    pub(super) fn expression(&mut self, node: Node<'a>) -> Id {
        if self.depth > DEEPEST {
            self.file.is_deep = true;
            return self.unknown();
        }
        self.depth += 1;
        let shape = self.expression_of(node);
        self.depth -= 1;
        shape
    }

    fn expression_of(&mut self, node: Node<'a>) -> Id {
        match node.kind() {
            "identifier" => self.name(node, false),
            "this_expression" | "super_expression" => self.this(node),
            "navigation_expression" => self.navigation(node),
            "call_expression" => self.call(node),
            "callable_reference" => self.callable(node),
            "lambda_literal" => {
                self.lambda(node, Callee::Unknown);
                self.unknown()
            }
            "annotated_lambda" => {
                self.lambdas(node, || Callee::Unknown, None);
                self.unknown()
            }
            "anonymous_function" => self.anonymous_function(node),
            "object_literal" => {
                self.anonymous(node, None);
                self.unknown()
            }
            "as_expression" | "is_expression" => self.cast(node),
            "infix_expression" => self.infix(node),
            "when_expression" => self.when(node),
            "value_arguments" => {
                self.arguments(node);
                self.unknown()
            }
            "parenthesized_expression" => self.last(node),
            "unary_expression" if has_token(node, "!!") => self.last(node),
            "string_literal" | "multiline_string_literal" => {
                self.statements(node);
                self.add(Shape::Of("kotlin.String".into(), None))
            }
            "return_expression" => {
                let label = node.child_by_field_name("label").map(|label| label.id());
                for child in children(node).into_iter().filter(|it| Some(it.id()) != label) {
                    self.expression(child);
                }
                self.unknown()
            }
            kind if is_type(kind) => {
                self.ty(node);
                self.unknown()
            }
            "if_expression" | "try_expression" => {
                self.inside(None, |reader| reader.statements(node));
                self.unknown()
            }
            "ERROR" | "label" | "string_content" | "escape_sequence" => self.unknown(),
            _ => {
                self.statements(node);
                self.unknown()
            }
        }
    }

    fn last(&mut self, node: Node<'a>) -> Id {
        let mut shape = None;
        for child in children(node) {
            shape = Some(self.expression(child));
        }
        shape.unwrap_or_else(|| self.unknown())
    }

    fn name(&mut self, node: Node<'a>, may_be_package: bool) -> Id {
        let name = self.text(node);
        let is_word = WORDS.split(' ').any(|word| word == name) || self.is_modifier(node);
        if is_word || self.is_part(node) {
            return self.unknown();
        }
        let may_be_package = may_be_package || self.is_before_dot(node);
        let is_cast = self.is_cast(name, node.start_byte());
        if let Some(local) = self.local(name) {
            return if is_cast { self.unknown() } else { local };
        }
        self.refer(Target::Name { name: name.into(), may_be_package }, node);
        if is_cast {
            return self.unknown();
        }
        let scope = self.scope;
        self.add(Shape::Name(name.into(), scope))
    }

    fn this(&mut self, node: Node<'a>) -> Id {
        let scope = self.scope;
        if self.is_cast("this", node.start_byte()) {
            return self.unknown();
        }
        let label = children(node).into_iter().find(|it| it.kind() == "identifier");
        match label {
            Some(label) => {
                let label = self.text(label).into();
                self.add(Shape::Labelled(label, scope))
            }
            None => self.add(Shape::This(scope)),
        }
    }

    /// `owner.name`; the owner and the name.
    fn parts(&mut self, node: Node<'a>) -> Option<(Id, Node<'a>)> {
        let parts = children(node);
        let (owner, name) = (unsigned(*parts.first()?), *parts.last()?);
        if parts.len() < 2 || name.kind() != "identifier" {
            self.statements(node);
            return None;
        }
        let owner = match owner.kind() {
            "identifier" => self.name(owner, true),
            _ => self.expression(owner),
        };
        Some((owner, name))
    }

    fn navigation(&mut self, node: Node<'a>) -> Id {
        let Some((owner, name)) = self.parts(node) else { return self.unknown() };
        let text = self.text(name);
        if has_token(node, "::") {
            if text != "class" {
                self.refer(Target::Member(owner, text.into()), name);
            }
            return self.unknown();
        }
        self.refer(Target::Member(owner, text.into()), name);
        if self.is_cast(text, node.start_byte()) {
            return self.unknown();
        }
        self.add(Shape::Member(owner, text.into()))
    }

    fn call(&mut self, node: Node<'a>) -> Id {
        let parts = call_parts(node);
        let Some(function) = parts.first().copied().map(unsigned) else { return self.unknown() };
        if self.text(function) == "for" {
            // An annotated loop is taken for a call by the grammar.
            self.note_words(node);
        }
        let (mut owner, mut name) = (None, None);
        match function.kind() {
            "identifier" => name = Some(function),
            "navigation_expression" if !has_token(function, "::") => {
                if let Some((of, member)) = self.parts(function) {
                    (owner, name) = (Some(of), Some(member));
                }
            }
            _ => {
                self.expression(function);
            }
        }
        for part in parts.iter().filter(|it| it.kind() == "type_arguments") {
            self.types_below(*part);
        }
        let text = name.map(|name| self.text(name)).unwrap_or_default();
        let local = if owner.is_none() { self.local(text) } else { None };
        let is_open = name.is_none() || local.is_some();
        let callee = |first| match owner {
            _ if is_open => Callee::Unknown,
            Some(owner) => Callee::Method(owner, text.into()),
            None => Callee::Bare(text.into(), first),
        };
        self.call_arguments(&parts, callee, owner.filter(|_| GIVES_ITSELF.contains(&text)));
        let Some(name) = name.filter(|_| !is_open) else { return self.unknown() };
        self.note_arguments(|| callee(None), &parts);
        let scope = self.scope;
        match owner {
            Some(owner) => {
                self.refer(Target::Member(owner, text.into()), name);
                self.add(Shape::Method(owner, text.into()))
            }
            None => {
                let is_block =
                    has_kind(node, "annotated_lambda") && text.starts_with(char::is_uppercase);
                let target = match is_block {
                    // It is a function rather than a class.
                    true => Target::Name { name: text.into(), may_be_package: false },
                    false => Target::Call(text.into()),
                };
                self.refer(target, name);
                self.add(Shape::Call(text.into(), scope))
            }
        }
    }

    /// The arguments of a call, lambdas among them.
    fn call_arguments(
        &mut self,
        parts: &[Node<'a>],
        callee: impl Fn(Option<Id>) -> Callee,
        it: Option<Id>,
    ) {
        let mut first = None;
        for part in parts {
            match part.kind() {
                "value_arguments" => {
                    for argument in children(*part) {
                        let value = children(argument).pop().unwrap_or(argument);
                        if value.kind() == "lambda_literal" {
                            self.lambda_of(value, callee(first), it);
                        } else {
                            let shape = self.argument(argument);
                            first = first.or(shape);
                        }
                    }
                }
                "annotated_lambda" => self.lambdas(*part, || callee(first), it),
                _ => {}
            }
        }
    }

    fn lambdas(&mut self, node: Node<'a>, callee: impl Fn() -> Callee, it: Option<Id>) {
        for child in children(node) {
            match child.kind() {
                "lambda_literal" => self.lambda_of(child, callee(), it),
                "annotation" => self.types_below(child),
                _ => {}
            }
        }
    }

    pub(super) fn arguments(&mut self, list: Node<'a>) {
        for argument in children(list) {
            self.argument(argument);
        }
    }

    fn argument(&mut self, node: Node<'a>) -> Option<Id> {
        if node.kind() != "value_argument" {
            return Some(self.expression(node));
        }
        let value = children(node).pop()?;
        Some(self.expression(value))
    }

    pub(super) fn lambda(&mut self, node: Node<'a>, callee: Callee) {
        self.lambda_of(node, callee, None);
    }

    fn lambda_of(&mut self, node: Node<'a>, callee: Callee, it: Option<Id>) {
        let unknown = self.unknown();
        let given = it.unwrap_or(unknown);
        self.inside(Some(Level::Lambda(callee)), |reader| {
            reader.declare("it", given);
            for child in children(node) {
                if child.kind() == "lambda_parameters" {
                    let parameters = children(child);
                    let given = if parameters.len() == 1 { given } else { unknown };
                    for parameter in parameters {
                        reader.declare_all(parameter, given);
                    }
                } else {
                    reader.statement(child);
                }
            }
        });
    }

    fn anonymous_function(&mut self, node: Node<'a>) -> Id {
        let parts = children(node);
        let list = parts.iter().find(|it| it.kind() == "function_value_parameters");
        let start = list.map_or(0, |list| list.start_byte());
        let receiver = parts.iter().find(|it| is_type(it.kind()) && it.end_byte() <= start);
        let level = receiver.map(|receiver| self.receiver(*receiver, ""));
        self.inside(level, |reader| {
            for part in parts {
                match part.kind() {
                    "function_value_parameters" => {
                        reader.parameters(part);
                    }
                    "function_body" => {
                        reader.function_body(part);
                    }
                    _ => reader.types_below(part),
                }
            }
        });
        self.unknown()
    }

    fn callable(&mut self, node: Node<'a>) -> Id {
        let parts = children(node);
        let name = parts.last().filter(|it| it.kind() == "identifier").copied();
        let owner = parts.iter().find(|it| is_type(it.kind())).copied();
        match (owner, name) {
            (None, Some(name)) => {
                self.name(name, false);
            }
            (Some(owner), name) => {
                let text = outer_name(self.text(owner));
                let is_value = text.starts_with(char::is_lowercase);
                let shape = match self.local(&text) {
                    Some(local) if !self.is_cast(&text, owner.start_byte()) => local,
                    Some(_) => self.unknown(),
                    None if is_value => {
                        let scope = self.scope;
                        self.add(if text.contains('.') {
                            Shape::Unknown
                        } else {
                            Shape::Name(text, scope)
                        })
                    }
                    None => {
                        let ty = self.ty(owner);
                        self.of(ty)
                    }
                };
                if let Some(name) = name {
                    self.refer(Target::Member(shape, self.text(name).into()), name);
                }
            }
            (None, None) => {}
        }
        self.unknown()
    }

    fn cast(&mut self, node: Node<'a>) -> Id {
        if let Some(left) = node.child_by_field_name("left") {
            self.expression(left);
        }
        let ty = node.child_by_field_name("right").map(|ty| self.ty(ty)).unwrap_or_default();
        match node.kind() {
            "as_expression" => self.of(ty),
            _ => self.unknown(),
        }
    }

    fn when(&mut self, node: Node<'a>) -> Id {
        self.inside(None, |reader| {
            for child in children(node) {
                if child.kind() != "when_subject" {
                    reader.inside(None, |reader| reader.statements(child));
                    continue;
                }
                let parts = children(child);
                let value = parts.last().map(|value| reader.expression(*value));
                for part in parts.iter().filter(|it| it.kind() == "variable_declaration") {
                    let name = children(*part).into_iter().find(|it| it.kind() == "identifier");
                    let is_cast = has_kind(node, "when_entry") && reader.text(node).contains("is ");
                    let shape = if is_cast { None } else { value };
                    let shape = shape.unwrap_or_else(|| reader.unknown());
                    if let Some(name) = name {
                        reader.declare(reader.text(name), shape);
                    }
                }
            }
        });
        self.unknown()
    }
}
