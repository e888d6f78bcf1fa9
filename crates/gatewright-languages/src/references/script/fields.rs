//! What the fields of a class hold, what its bases have and what functions give:
//! `this.till.open()`, `super.open()`, `make().open()`.

use std::sync::Arc;

use tree_sitter::Node;

use super::facts::{Class, Name, ScriptFile};
use super::walk::Walker;
use super::{Checker, Member, STEPS};

impl<'a> Walker<'a> {
    /// Notes the class of what a field holds, by its type or by what it is made of.
    pub(super) fn note_field(&mut self, member: Node<'_>, name: &str, class: usize) {
        if !matches!(member.kind(), "public_field_definition" | "field_definition") {
            return;
        }
        let annotation = member.child_by_field_name("type");
        let held = match annotation {
            Some(annotation) => self.lone_type(annotation),
            None => member.child_by_field_name("value").and_then(|value| self.made_class(value)),
        };
        self.hold(class, name, held);
    }

    /// Notes the class of a parameter of a constructor that is a field as well.
    pub(super) fn note_parameter(&mut self, parameter: Node<'_>, name: &str, class: usize) {
        const MARKS: [&str; 4] = ["private", "public", "protected", "readonly"];
        let text = self.text(parameter);
        if MARKS.iter().any(|mark| text.starts_with(mark)) {
            let annotation = parameter.child_by_field_name("type");
            let held = annotation.and_then(|annotation| self.lone_type(annotation));
            self.hold(class, name, held);
        }
    }

    /// `this.till = …` in a class whose fields have no types.
    pub(super) fn note_assigned(&mut self, node: Node<'_>, ancestors: &[Node<'_>]) {
        let left = node.child_by_field_name("left").filter(|it| it.kind() == "member_expression");
        let (Some(left), Some(right)) = (left, node.child_by_field_name("right")) else { return };
        let is_own = left.child_by_field_name("object").is_some_and(|it| it.kind() == "this");
        if !is_own {
            let name = self.field(left, "property").unwrap_or_default();
            self.file.outside.insert(name.into());
            return;
        }
        if matches!(self.text(right), "null" | "undefined") {
            return;
        }
        let held = self.made_class(right).filter(|_| node.kind() == "assignment_expression");
        if let (Some(class), Some(name)) =
            (self.class_of_this(ancestors), self.field(left, "property"))
        {
            self.hold(class, name, held);
        }
    }

    /// Held twice differently, nothing is known.
    fn hold(&mut self, class: usize, name: &str, held: Option<&str>) {
        let all = &mut self.file.classes[class].held;
        let known = all.entry(name.into()).or_insert_with(|| held.map(Name::from));
        if known.as_deref() != held {
            *known = None;
        }
    }

    /// The class in `new Till(…)`.
    pub(super) fn made_class(&self, value: Node<'_>) -> Option<&'a str> {
        let class = value.child_by_field_name("constructor");
        let class =
            class.filter(|it| value.kind() == "new_expression" && it.kind() == "identifier");
        class.map(|class| self.text(class))
    }

    /// The field in `this.till`, with or without a `!`.
    pub(super) fn own_field(&self, node: Node<'_>) -> Option<&'a str> {
        let node = match node.kind() {
            "non_null_expression" => node.named_child(0)?,
            _ => node,
        };
        let is_own = node.kind() == "member_expression"
            && node.child_by_field_name("object").is_some_and(|object| object.kind() == "this");
        self.field(node, "property").filter(|_| is_own)
    }
}

/// A class with the path of its file, and the file when it is another.
type Found = (String, Option<Arc<ScriptFile>>, usize);

impl Checker<'_> {
    /// A member of what a field of the class around it holds.
    pub(super) fn held_member(&mut self, class: usize, (field, member): (&str, &str), at: usize) {
        let found = match self.is_field_narrowed(field) || self.file.outside.contains(field) {
            true => None,
            false => self.held(self.file, self.path, &self.file.classes[class], field, STEPS),
        };
        self.member_of(found, member, at);
    }

    /// The class that a field holds, its own or that of a class it builds on.
    fn held(
        &self,
        file: &ScriptFile,
        path: &str,
        class: &Class,
        field: &str,
        steps: usize,
    ) -> Option<Found> {
        if steps == 0 {
            return None;
        }
        if let Some(held) = class.held.get(field) {
            return self.class(path, file, held.as_deref()?, STEPS);
        }
        if class.members.contains(field) {
            return None;
        }
        class.bases.iter().find_map(|base| {
            let (place, other, number) = self.class(path, file, base, STEPS)?;
            let holder = other.as_deref().unwrap_or(file);
            let (place, inner, number) =
                self.held(holder, &place, &holder.classes[number], field, steps - 1)?;
            Some((place, inner.or(other), number))
        })
    }

    /// A member of an object of a class, where that is known.
    fn member_of(&mut self, found: Option<Found>, member: &str, at: usize) {
        let Some((path, file, number)) = found else {
            return self.found.unknown("type not plain");
        };
        let holder = file.as_deref().unwrap_or(self.file);
        let facts: &Class = &holder.classes[number];
        if facts.is_enum || facts.is_merged && !facts.is_value {
            return self.found.unknown("type not plain");
        }
        let answer = self.search(holder, &path, facts, member, STEPS);
        self.member(answer, facts, member, at);
    }

    /// A member of a local that is what a function gives.
    pub(super) fn given_member(
        &mut self,
        (root, function, is_awaited): (&str, &str, bool),
        member: &str,
        at: usize,
    ) {
        let asked = (function, is_awaited);
        let found = match self.is_narrowed(root) || self.file.values.contains_key(function) {
            true => None,
            false => self.given(self.path, self.file, asked, STEPS),
        };
        self.member_of(found, member, at);
    }

    /// The class of what a function gives, by the name that it has in a file.
    fn given(
        &self,
        path: &str,
        file: &ScriptFile,
        (function, is_awaited): (&str, bool),
        steps: usize,
    ) -> Option<Found> {
        if let Some(given) = file.given.get(function) {
            let (class, is_promised) = given.as_ref()?;
            return (*is_promised == is_awaited).then(|| self.class(path, file, class, STEPS))?;
        }
        let mut import = file.imports.get(function)?.clone();
        let mut from = path.to_owned();
        for _ in 0..steps {
            let (path, file) = self.load(&from, &import.source).ok()?;
            if let Some(inner) = file.exports.get(&import.name) {
                let asked = (&**inner, is_awaited);
                let (place, other, number) =
                    self.given(&path, &file, asked, steps.checked_sub(1)?)?;
                return Some((place, other.or(Some(file)), number));
            }
            import = file.reexports.get(&import.name)?.clone();
            from = path;
        }
        None
    }

    /// A member that the bases of a class should have.
    pub(super) fn super_member(&mut self, class: usize, member: &str, offset: usize) {
        let facts = &self.file.classes[class];
        let bare = Class { bases: facts.bases.clone(), open: facts.open, ..Class::default() };
        let answer = match facts.bases.is_empty() {
            true => Member::Unknown(super::BASE),
            false => self.search(self.file, self.path, &bare, member, STEPS),
        };
        self.member(answer, facts, member, offset);
    }
}
