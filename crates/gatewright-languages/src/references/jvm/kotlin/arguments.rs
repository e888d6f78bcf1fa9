//! Arguments that are passed by name, held against what the function or constructor takes.
//!
//! A constructor that is known whole is asked alone. Functions have overloads in
//! other places, so that a name counts as missing only when nothing else in the
//! workspace spells it; of what is not installed it is weighed by the file as it was.

use tree_sitter::Node;

use super::Checker;
use super::facts::{Argument, Callee, Id, Member, Name, Scope};
use super::read::{Reader, children, has_token};
use super::resolve::{Answer, BASE, Class, DEEPEST, Hit, Lookup, STAR, Type, UNRESOLVED};
use crate::references::collector::Kind;
use crate::references::doubt::is_telling;
use crate::references::words;

/// Why nothing is known of what a function takes.
const OUTSIDE: &str = "arguments of what is not installed";

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

    /// Notes what is passed by name to something that is called.
    pub(super) fn note_arguments(&mut self, callee: impl Fn() -> Callee, parts: &[Node<'a>]) {
        let lists = parts.iter().filter(|part| part.kind() == "value_arguments");
        for argument in lists.flat_map(|list| children(*list)) {
            let [name, _] = children(argument)[..] else { continue };
            if name.kind() == "identifier" && has_token(argument, "=") {
                let (name, offset) = (self.text(name).into(), name.start_byte());
                let argument = Argument { callee: callee(), name, scope: self.scope, offset };
                self.file.arguments.push(argument);
            }
        }
    }

    /// Notes the names of what a constructor takes.
    pub(super) fn note_taken(&mut self, list: Node<'a>, class: usize) {
        let names = self.taken(list);
        self.file.classes[class].takes.extend(names);
    }

    /// The names of parameters.
    pub(super) fn taken(&self, list: Node<'a>) -> Vec<Name> {
        let parameters = children(list).into_iter().filter(|it| it.kind() == "parameter");
        let name = |it| children(it).into_iter().find(|part| part.kind() == "identifier");
        parameters.filter_map(name).map(|name| self.text(name).into()).collect()
    }
}

/// What something that is called takes by name.
enum Takes {
    /// These names; `is_whole` when there can be no others.
    Names {
        names: Vec<Name>,
        is_whole: bool,
    },
    /// It is not installed.
    Outside,
    Unknown,
}

impl Takes {
    fn of(member: Member) -> Self {
        match member.is_function {
            true => Takes::Names { names: member.takes, is_whole: false },
            false => Takes::Unknown,
        }
    }

    fn without(reason: &str) -> Self {
        match [UNRESOLVED, STAR, BASE].contains(&reason) {
            true => Takes::Outside,
            false => Takes::Unknown,
        }
    }
}

impl Checker<'_> {
    /// Whether what is called takes an argument of that name.
    pub(super) fn argument(&mut self, argument: &Argument) {
        let takes = match &argument.callee {
            Callee::Bare(name, _) => self.taken_bare(argument.scope, name),
            Callee::Method(owner, name) => self.taken_by_member(*owner, name),
            Callee::Unknown | Callee::Nothing => return,
        };
        let (name, offset) = (&*argument.name, argument.offset);
        match takes {
            Takes::Names { names, .. } if names.contains(&argument.name) => self.found.exists(),
            Takes::Names { names, is_whole } if is_whole || self.is_spelt_once(name) => {
                let names: Vec<String> = names.iter().map(ToString::to_string).collect();
                self.missing(name, Kind::Argument, offset, &names);
            }
            Takes::Outside if !self.is_loose(name) => {
                self.found.doubtful(name, Kind::Argument, offset, OUTSIDE);
            }
            _ => self.found.unknown("function that may have overloads"),
        }
    }

    fn taken_bare(&self, scope: Scope, name: &str) -> Takes {
        let answer = self.resolver.bare(&self.source, scope, name, DEEPEST);
        match answer {
            Answer::Found(Hit::Member(_, member)) => return Takes::of(member),
            // A function may be called like the class that is imported.
            Answer::Found(Hit::Class(class)) => return self.taken_by_class(&class, false),
            Answer::Found(Hit::Opaque(reason)) => return Takes::without(reason),
            Answer::Found(_) => return Takes::Unknown,
            Answer::Unknown(_) | Answer::Missing => {}
        }
        match self.resolver.class(&self.source, scope, name, DEEPEST) {
            Lookup::Found(class) => self.taken_by_class(&class, true),
            Lookup::Unknown(reason) => Takes::without(reason),
            Lookup::Missing | Lookup::Elsewhere => Takes::Unknown,
        }
    }

    fn taken_by_member(&self, owner: Id, name: &str) -> Takes {
        let ty = self.resolver.eval(&self.source, owner, DEEPEST);
        let answer = self.resolver.member_of(ty.clone(), name, DEEPEST);
        match (answer, ty) {
            (Answer::Found(Hit::Member(_, member)), _) if member.is_function => Takes::of(member),
            (Answer::Found(Hit::Member(..)), Type::Class(class)) if name == "copy" => {
                self.taken_by_class(&class, false)
            }
            (Answer::Found(Hit::Class(class)), _) => self.taken_by_class(&class, false),
            (Answer::Found(_), _) | (_, Type::Package(_)) => Takes::Unknown,
            (Answer::Missing, _) => match self.resolver.extension(name) {
                Some(Hit::Member(_, member)) => Takes::of(member),
                _ => Takes::Unknown,
            },
            (Answer::Unknown(reason), _) => match self.resolver.extension(name) {
                None => Takes::without(reason),
                Some(_) => Takes::Unknown,
            },
        }
    }

    /// What the constructors of a class take; all of it where no other function is meant.
    fn taken_by_class(&self, class: &Class, is_meant: bool) -> Takes {
        let Class::Kotlin(twins) = class else { return Takes::Unknown };
        let mut names = Vec::new();
        let mut is_whole = is_meant && twins.len() == 1;
        for (source, number) in twins.iter() {
            let class = &source.file.classes[*number];
            let companion = source.file.companion(*number).map(|it| &source.file.classes[it]);
            let is_called = |it: &super::facts::Class| {
                it.members.contains_key("invoke") || !it.bases.is_empty()
            };
            if class.is_object || companion.is_some_and(is_called) {
                return Takes::Unknown;
            }
            is_whole &= class.open.is_none() && !class.takes.is_empty();
            names.extend(class.takes.iter().cloned());
        }
        Takes::Names { names, is_whole }
    }

    /// Whether the workspace spells a word nowhere but at one place of this file.
    fn is_spelt_once(&self, word: &str) -> bool {
        let (path, text) = self.written;
        let session = self.resolver.session;
        words::occurrences(text, word).count() == 1
            && !session.any_other(("argument", word), path, is_telling, |_, text, _| {
                words::contains(text, word)
            })
    }
}
