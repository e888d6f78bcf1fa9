//! Arguments that are passed by name to the constructor of a class of the workspace.

use tree_sitter::Node;

use super::Checker;
use super::facts::{Argument, Id};
use super::read::{Reader, children, has_token};
use super::resolve::{Answer, Class, DEEPEST, Lookup};
use crate::references::collector::Kind;

impl<'a> Reader<'a> {
    /// `left function right`: the function is left alone.
    pub(super) fn infix(&mut self, node: Node<'a>) -> Id {
        let parts = children(node);
        for (at, part) in parts.iter().enumerate() {
            if at != 1 || parts.len() != 3 {
                self.expression(*part);
            }
        }
        self.unknown()
    }

    /// Notes what is passed by name to something that is called like a class.
    pub(super) fn note_arguments(&mut self, callee: &str, parts: &[Node<'a>]) {
        if !callee.starts_with(char::is_uppercase) {
            return;
        }
        let lists = parts.iter().filter(|part| part.kind() == "value_arguments");
        for argument in lists.flat_map(|list| children(*list)) {
            let [name, _] = children(argument)[..] else { continue };
            if name.kind() == "identifier" && has_token(argument, "=") {
                let argument = Argument {
                    callee: callee.into(),
                    name: self.text(name).into(),
                    scope: self.scope,
                    offset: name.start_byte(),
                };
                self.file.arguments.push(argument);
            }
        }
    }

    /// Notes the names of what a constructor takes.
    pub(super) fn note_taken(&mut self, list: Node<'a>, class: usize) {
        for parameter in children(list).into_iter().filter(|it| it.kind() == "parameter") {
            let name = children(parameter).into_iter().find(|it| it.kind() == "identifier");
            if let Some(name) = name {
                let name = self.text(name).into();
                self.file.classes[class].takes.push(name);
            }
        }
    }
}

impl Checker<'_> {
    /// Whether the class that is made takes an argument of that name.
    pub(super) fn argument(&mut self, argument: &Argument) {
        let (callee, scope) = (&*argument.callee, argument.scope);
        // A function that is called like the class takes what it likes.
        if let Answer::Found(_) = self.resolver.bare(&self.source, scope, callee, DEEPEST) {
            return;
        }
        let found = self.resolver.class(&self.source, scope, callee, DEEPEST);
        let Lookup::Found(Class::Kotlin(twins)) = found else { return };
        let [(source, number)] = &*twins else { return };
        let class = &source.file.classes[*number];
        let companion = source.file.companion(*number).map(|it| &source.file.classes[it]);
        let is_called_otherwise =
            companion.is_some_and(|it| it.members.contains_key("invoke") || !it.bases.is_empty());
        if class.takes.is_empty() || class.open.is_some() || is_called_otherwise {
            return;
        }
        match class.takes.contains(&argument.name) {
            true => self.found.exists(),
            false => {
                let names: Vec<String> = class.takes.iter().map(ToString::to_string).collect();
                self.missing(&argument.name, Kind::Argument, argument.offset, &names);
            }
        }
    }
}
