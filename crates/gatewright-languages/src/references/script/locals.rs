//! What the locals of a file stand for, by the block or function that declares them.
//!
//! A name is declared in many functions of a file, of another class in each. What is not declared
//! around a use (a `var` of another block) is told by the file as a whole, if at all.

use std::collections::HashMap;

use tree_sitter::Node;

use super::built_in;
use super::facts::{Name, Target};
use super::walk::Walker;

/// What declares names of its own.
const SCOPES: [&str; 11] = [
    "statement_block",
    "function_declaration",
    "function_expression",
    "generator_function",
    "generator_function_declaration",
    "arrow_function",
    "method_definition",
    "for_in_statement",
    "for_statement",
    "catch_clause",
    "switch_body",
];

/// Methods of a list that hand each of its items to a function.
const EACH: [&str; 8] =
    ["forEach", "map", "filter", "some", "every", "find", "findIndex", "flatMap"];

/// What is told of a local.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Told {
    /// Nothing yet: what it is told by is what it is set to.
    Nothing,
    /// An object of a class by what it is set to.
    Made(Name),
    /// An object of a class by its annotation.
    Of(Name),
    /// A list of such: what it is itself, and of what.
    Many(Name, Name),
    /// One out of a list of this name.
    EachOf(Name),
    /// What a function of this name gives, awaited or not.
    Given(Name, bool),
    Unknown,
}

/// The scopes around a place, the innermost first.
type Around = Vec<usize>;

/// The locals of a file while it is read.
#[derive(Default)]
pub(super) struct Locals {
    /// What each scope that declares a name tells of it.
    declared: HashMap<Name, Vec<(usize, Told)>>,
    assigned: Vec<(Around, Name, Option<Name>)>,
    /// The numbers of the references to members of a name.
    uses: Vec<(usize, Around)>,
}

fn around(ancestors: &[Node<'_>]) -> Around {
    let scopes = ancestors.iter().rev().filter(|node| SCOPES.contains(&node.kind()));
    scopes.map(Node::id).chain([0]).collect()
}

impl Locals {
    pub(super) fn declare(&mut self, name: &str, told: Told, ancestors: &[Node<'_>]) {
        let scope = around(ancestors)[0];
        let all = self.declared.entry(name.into()).or_default();
        match all.iter_mut().find(|(of, _)| *of == scope) {
            None => all.push((scope, told)),
            Some((_, known)) if *known != told => *known = Told::Unknown,
            Some(_) => {}
        }
    }

    pub(super) fn assign(&mut self, name: &str, made: Option<&str>, ancestors: &[Node<'_>]) {
        self.assigned.push((around(ancestors), name.into(), made.map(Name::from)));
    }

    pub(super) fn uses(&mut self, reference: usize, ancestors: &[Node<'_>]) {
        self.uses.push((reference, around(ancestors)));
    }

    /// What the innermost scope around a place that declares a name tells of it.
    fn known(&self, around: &[usize], name: &str) -> Option<&Told> {
        let all = self.declared.get(name)?;
        around.iter().find_map(|scope| Some(&all.iter().find(|(of, _)| of == scope)?.1))
    }

    fn known_mut(&mut self, around: &[usize], name: &str) -> Option<&mut Told> {
        let all = self.declared.get_mut(name)?;
        let at = around.iter().find_map(|scope| all.iter().position(|(of, _)| of == scope))?;
        Some(&mut all[at].1)
    }

    /// Weighs what locals are set to.
    fn settle(&mut self) {
        for (around, name, made) in std::mem::take(&mut self.assigned) {
            let Some(known) = self.known_mut(&around, &name) else { continue };
            let next = match (&*known, made) {
                (Told::Of(_), _) => continue,
                (Told::Nothing, Some(made)) => Told::Made(made),
                (Told::Made(class), Some(made)) if *class == made => continue,
                _ => Told::Unknown,
            };
            *known = next;
        }
    }

    /// The same, with one out of a list told by what the list holds.
    fn told(&self, around: &[usize], name: &str) -> Option<Told> {
        match self.known(around, name)? {
            Told::EachOf(list) => match self.known(around, list)? {
                Told::Many(_, class) => Some(Told::Of(class.clone())),
                _ => None,
            },
            told => Some(told.clone()),
        }
    }
}

impl<'a> Walker<'a> {
    /// Says of each member of a local what the local stands for, where that is known.
    pub(super) fn close_locals(&mut self) {
        let mut locals = std::mem::take(&mut self.locals);
        locals.settle();
        self.note_constants(&locals);
        for (number, around) in &locals.uses {
            let Some(reference) = self.file.references.get_mut(*number) else { continue };
            let Target::Member(root, member) = &reference.target else { continue };
            let next = match locals.told(around, root) {
                Some(Told::Of(class) | Told::Made(class) | Told::Many(class, _)) => {
                    Target::Local(root.clone(), class, member.clone())
                }
                Some(Told::Given(function, is_awaited)) => Target::Given {
                    root: root.clone(),
                    function,
                    is_awaited,
                    member: member.clone(),
                },
                _ => continue,
            };
            reference.target = next;
        }
    }

    /// Notes the classes of the constants that the file exports.
    fn note_constants(&mut self, locals: &Locals) {
        let file = &mut self.file;
        for inner in file.exports.values().filter(|inner| !file.class_names.contains_key(*inner)) {
            if let Some(Told::Of(class) | Told::Made(class)) = locals.known(&[0], inner) {
                file.constants.insert(inner.clone(), class.clone());
            }
        }
    }

    /// What the declaration of a variable tells of it.
    pub(super) fn told_by(&self, annotation: Option<Node<'_>>, value: Option<Node<'_>>) -> Told {
        let Some(value) = annotation.or(value) else { return Told::Nothing };
        if annotation.is_some() {
            let many = self.listed_type(value);
            let many = many.map(|(list, class)| Told::Many(list.into(), class.into()));
            let of = || self.plain_type(value).map(|class| Told::Of(class.into()));
            return many.or_else(of).unwrap_or(Told::Unknown);
        }
        let made = self.made_class(value).or_else(|| built_in::written(value));
        made.map(|class| Told::Made(class.into()))
            .or_else(|| self.given(value))
            .unwrap_or(Told::Unknown)
    }

    /// `make()` or `await make()`.
    fn given(&self, value: Node<'_>) -> Option<Told> {
        let is_awaited = value.kind() == "await_expression";
        let call = if is_awaited { value.named_child(0)? } else { value };
        let function = call.child_by_field_name("function")?;
        let is_plain = call.kind() == "call_expression" && function.kind() == "identifier";
        is_plain.then(|| Told::Given(self.text(function).into(), is_awaited))
    }

    /// The list of which a name is one, by the loop or the call that declares it.
    pub(super) fn each_of(&self, node: Node<'_>, parent: Node<'_>) -> Option<Told> {
        let list = match parent.kind() {
            "for_in_statement" => {
                let is_of = self.field(parent, "operator") == Some("of");
                parent.child_by_field_name("right").filter(|_| is_of)?
            }
            _ => self.mapped_list(node)?,
        };
        (list.kind() == "identifier").then(|| Told::EachOf(self.text(list).into()))
    }

    /// The list in `list.map(item => …)`, for the first parameter of that function.
    fn mapped_list<'t>(&self, node: Node<'t>) -> Option<Node<'t>> {
        let mut function = node.parent()?;
        let mut parameter = node;
        while function.kind() != "arrow_function" {
            let is_first = function.kind() != "formal_parameters"
                || function.named_child(0).is_some_and(|first| first.id() == parameter.id());
            if !is_first || !matches!(function.kind(), "formal_parameters" | "required_parameter") {
                return None;
            }
            parameter = function;
            function = function.parent()?;
        }
        let arguments = function.parent().filter(|it| it.kind() == "arguments")?;
        let is_first = arguments.named_child(0).is_some_and(|first| first.id() == function.id());
        let called = arguments.parent()?.child_by_field_name("function")?;
        let is_each = EACH.contains(&self.field(called, "property")?) && is_first;
        called.child_by_field_name("object").filter(|_| is_each)
    }

    /// The name of an annotation that is nothing but one, whatever it is made with, or nothing.
    pub(super) fn plain_type(&self, annotation: Node<'_>) -> Option<&'a str> {
        self.named(annotation.named_child(0)?)
    }

    /// The name of an annotation that is nothing but one: a field that may be nothing is asked first.
    pub(super) fn lone_type(&self, annotation: Node<'_>) -> Option<&'a str> {
        let inner = annotation.named_child(0)?;
        let is_name = inner.kind() == "type_identifier";
        is_name.then(|| self.text(inner)).or_else(|| built_in::typed(inner, self.text(inner)))
    }

    fn named(&self, node: Node<'_>) -> Option<&'a str> {
        match node.kind() {
            "type_identifier" => Some(self.text(node)),
            "generic_type" => {
                let name = node.child_by_field_name("name")?;
                (name.kind() == "type_identifier").then(|| self.text(name))
            }
            "union_type" => {
                let mut cursor = node.walk();
                let is_nothing = |node: &Node<'_>| matches!(self.text(*node), "null" | "undefined");
                let mut left = node.named_children(&mut cursor).filter(|node| !is_nothing(node));
                let only = left.next()?;
                left.next().is_none().then(|| self.named(only)).flatten()
            }
            _ => built_in::typed(node, self.text(node)),
        }
    }

    /// What a list is that an annotation names, and the class of its items.
    fn listed_type(&self, annotation: Node<'_>) -> Option<(&'a str, &'a str)> {
        let inner = annotation.named_child(0)?;
        let (list, item) = match inner.kind() {
            "array_type" => (built_in::LIST, inner.named_child(0)?),
            "generic_type" => {
                let name = self.field(inner, "name")?;
                let arguments = inner.child_by_field_name("type_arguments")?;
                let is_list = matches!(name, "Array" | "ReadonlyArray" | "Set" | "ReadonlySet");
                (name, arguments.named_child(0).filter(|_| is_list)?)
            }
            _ => return None,
        };
        self.named(item).map(|item| (list, item))
    }

    /// Notes the class of what a function gives, by its annotation.
    pub(super) fn note_given(&mut self, name: Option<&str>, function: Node<'_>) {
        let Some(name) = name else { return };
        let annotation = function.child_by_field_name("return_type");
        let inner = annotation.and_then(|annotation| annotation.named_child(0));
        let promised = inner.filter(|it| self.field(*it, "name") == Some("Promise"));
        let promised = promised.and_then(|it| it.child_by_field_name("type_arguments"));
        let given = match promised {
            Some(arguments) => arguments.named_child(0).and_then(|it| self.named(it)),
            None => annotation.and_then(|annotation| self.plain_type(annotation)),
        };
        let given = given.map(|class| (Name::from(class), promised.is_some()));
        let known = self.file.given.entry(name.into()).or_insert_with(|| given.clone());
        if *known != given {
            *known = None;
        }
    }
}
