//! Functions and properties of Kotlin with what they give.

use tree_sitter::Node;

use super::facts::{Block, Callee, Given, Id, Level, Member, Name};
use super::read::{Reader, children, is_type, outer_name};

impl<'a> Reader<'a> {
    /// The receiver of the lambda that a parameter of this type takes.
    pub(super) fn block_of(&self, ty: Node<'a>) -> Block {
        match ty.kind() {
            "nullable_type" | "parenthesized_type" | "non_nullable_type" => {
                let inner = children(ty).into_iter().find(|it| is_type(it.kind()));
                inner.map_or(Block::None, |inner| self.block_of(inner))
            }
            "function_type" => {
                let parts = children(ty);
                let list = parts.iter().position(|it| it.kind() == "function_type_parameters");
                let receiver = parts.iter().take(list.unwrap_or(0)).find(|it| is_type(it.kind()));
                match receiver.map(|it| outer_name(self.text(*it))) {
                    None => Block::None,
                    Some(name) if self.file.parameters.contains(&name) || name.is_empty() => {
                        Block::Open
                    }
                    Some(name) => Block::Of(name),
                }
            }
            "user_type" => Block::Named(outer_name(self.text(ty))),
            _ => Block::None,
        }
    }

    /// Reads a function; its name, what it gives, and whether it has a receiver.
    pub(super) fn function(&mut self, node: Node<'a>) -> (&'a str, Member, bool) {
        let name = node.child_by_field_name("name");
        let name_at = name.map_or(0, |name| name.start_byte());
        let text = name.map(|name| self.text(name)).unwrap_or_default();
        let parts = children(node);
        let receiver =
            parts.iter().find(|it| is_type(it.kind()) && it.end_byte() <= name_at).copied();
        let level = receiver.map(|receiver| self.receiver(receiver, text));
        let scope = self.scope;
        let (mut given, mut block) = (Given::Unknown, Block::None);
        let mut takes = Vec::new();
        self.inside(level, |reader| {
            for part in parts {
                match part.kind() {
                    "modifiers" | "type_parameters" | "type_constraints" => {
                        reader.types_below(part)
                    }
                    "function_value_parameters" => {
                        takes = reader.taken(part);
                        block = reader.parameters(part);
                    }
                    "function_body" => {
                        let shape = reader.function_body(part);
                        if let (Given::Unknown, Some(shape)) = (&given, shape) {
                            given = Given::Inferred(shape);
                        }
                    }
                    kind if is_type(kind) && part.start_byte() > name_at => {
                        let ty = reader.ty(part);
                        // A type that is not plain is given all the same.
                        given = Given::Named(ty);
                    }
                    _ => {}
                }
            }
        });
        (text, Member { given, is_function: true, block, scope, takes }, receiver.is_some())
    }

    pub(super) fn receiver(&mut self, ty: Node<'a>, label: &str) -> Level {
        let ty = self.ty(ty);
        let shape = self.of(ty);
        Level::Receiver(shape, label.into())
    }

    pub(super) fn function_body(&mut self, node: Node<'a>) -> Option<Id> {
        let mut shape = None;
        for child in children(node) {
            match child.kind() {
                "block" => self.statement(child),
                _ => shape = Some(self.expression(child)),
            }
        }
        shape
    }

    /// Declares parameters; the receiver of the last one's lambda.
    pub(super) fn parameters(&mut self, list: Node<'a>) -> Block {
        let mut block = Block::None;
        for child in children(list) {
            match child.kind() {
                "parameter" => {
                    let mut name = None;
                    let mut ty = Name::default();
                    for part in children(child) {
                        if is_type(part.kind()) {
                            block = self.block_of(part);
                            ty = self.ty(part);
                        } else if part.kind() == "identifier" {
                            name = Some(self.text(part));
                        }
                    }
                    let is_many = self.is_vararg(child);
                    let shape = self.of(if is_many { Name::default() } else { ty });
                    if let Some(name) = name {
                        self.declare(name, shape);
                    }
                }
                "parameter_modifiers" => self.types_below(child),
                _ => {
                    self.expression(child);
                }
            }
        }
        block
    }

    pub(super) fn is_vararg(&self, parameter: Node<'a>) -> bool {
        let before = parameter.prev_named_sibling();
        before.is_some_and(|it| {
            it.kind() == "parameter_modifiers" && self.text(it).contains("vararg")
        })
    }

    /// Reads a property; its names, what each gives, and whether it has a receiver.
    pub(super) fn property(&mut self, node: Node<'a>) -> Vec<(&'a str, Member, bool)> {
        let parts = children(node);
        let start = parts.iter().find(|it| it.kind().ends_with("variable_declaration"));
        let Some(variables) = start.copied() else { return Vec::new() };
        let receiver =
            parts.iter().find(|it| is_type(it.kind()) && it.end_byte() <= variables.start_byte());
        let receiver = receiver.copied();
        let names = self.variables(variables);
        let is_inferred = names.iter().all(|(_, ty)| ty.is_none());
        let label = names.first().map_or("", |(name, _)| name);
        let level = receiver.map(|receiver| self.receiver(receiver, label));
        let mut inferred = None;
        self.inside(level, |reader| {
            for part in parts
                .into_iter()
                .filter(|it| it.start_byte() >= variables.end_byte() || it.kind() == "modifiers")
            {
                match part.kind() {
                    "modifiers" | "type_constraints" => reader.types_below(part),
                    "getter" | "setter" => reader.accessor(part, &mut inferred),
                    "property_delegate" => {
                        for value in children(part) {
                            reader.expression(value);
                        }
                        inferred = Some(reader.unknown());
                    }
                    "lambda_literal" if is_inferred => {
                        reader.lambda(part, Callee::Nothing);
                        inferred = Some(reader.unknown());
                    }
                    _ => inferred = Some(reader.expression(part)),
                }
            }
        });
        let is_single = variables.kind() == "variable_declaration";
        let scope = self.scope;
        let member = |(name, ty): (&'a str, Option<Name>)| {
            let given = match (ty, inferred) {
                (Some(ty), _) => Given::Named(ty),
                (None, Some(id)) if is_single => Given::Inferred(id),
                _ => Given::Unknown,
            };
            let takes = Vec::new();
            let member = Member { given, is_function: false, block: Block::None, scope, takes };
            (name, member, receiver.is_some())
        };
        names.into_iter().map(member).collect()
    }

    pub(super) fn accessor(&mut self, node: Node<'a>, inferred: &mut Option<Id>) {
        self.inside(None, |reader| {
            let unknown = reader.unknown();
            reader.declare("field", unknown);
            for part in children(node) {
                match part.kind() {
                    "identifier" => reader.declare(reader.text(part), unknown),
                    "function_body" => {
                        let shape = reader.function_body(part);
                        if node.kind() == "getter" && inferred.is_none() {
                            *inferred = shape;
                        }
                    }
                    "modifiers" | "parameter_modifiers" => reader.types_below(part),
                    kind if is_type(kind) => {
                        let ty = reader.ty(part);
                        if node.kind() == "getter" {
                            *inferred = Some(reader.of(ty));
                        }
                    }
                    _ => {
                        reader.expression(part);
                    }
                }
            }
        });
    }

    /// The names of one or many variables with their types.
    pub(super) fn variables(&mut self, node: Node<'a>) -> Vec<(&'a str, Option<Name>)> {
        if node.kind() == "multi_variable_declaration" {
            return children(node).into_iter().flat_map(|it| self.variables(it)).collect();
        }
        let (mut name, mut ty) = (None, None);
        for child in children(node) {
            match child.kind() {
                "identifier" => name = Some(self.text(child)),
                "annotation" => self.types_below(child),
                kind if is_type(kind) => ty = Some(self.ty(child)),
                _ => {}
            }
        }
        name.map(|name| (name, ty)).into_iter().collect()
    }
}
