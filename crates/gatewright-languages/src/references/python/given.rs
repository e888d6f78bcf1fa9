//! What functions give and attributes hold, as the code of their own file shows.
//!
//! Only classes that are named from the module count: the names inside of a function are kept
//! for nobody else. Where two things are given or held, nothing is known.

use tree_sitter::Node;

use super::facts::{Binding, MODULE, Name, Path, ScopeKind};
use super::fields::Field;
use super::stdlib;
use super::walk::{Walker, is_named};

/// What the `return` statements of a function give.
#[derive(Debug, Default)]
pub(super) struct Returned {
    class: Option<Path>,
    is_mixed: bool,
}

impl Returned {
    fn note(&mut self, class: Option<Path>) {
        self.is_mixed |= class.is_none() || self.class.is_some() && self.class != class;
        self.class = class;
    }

    /// The one class, or function, whose call all of them give.
    pub(super) fn class(self) -> Option<Path> {
        self.class.filter(|_| !self.is_mixed)
    }
}

impl<'a> Walker<'a> {
    /// A `return`: what it gives is noted for the function around it.
    pub(super) fn note_returned(&mut self, node: Node<'a>) {
        let value = node.named_child(0).filter(|value| value.kind() != "none");
        let class = value.map(|value| self.shown_class(value));
        if let (Some(class), Some(returned)) = (class, self.returned.last_mut()) {
            returned.note(class);
        }
        self.children(node);
    }

    /// What gives one value after the other gives none of them.
    pub(super) fn note_yield(&mut self) {
        if let Some(returned) = self.returned.last_mut() {
            returned.is_mixed = true;
        }
    }

    /// Whether a function says nothing itself of what it gives, and nothing is done to it.
    pub(super) fn shows_class(&self, node: Node<'a>, decorators: &[Option<Path>]) -> bool {
        Field::ReturnType.of(node).is_none() && self.keeps_result(node, decorators)
    }

    /// Whether what a function gives is neither awaited nor replaced by another thing.
    pub(super) fn keeps_result(&self, node: Node<'a>, decorators: &[Option<Path>]) -> bool {
        const KEEPING: [&str; 4] = ["staticmethod", "classmethod", "property", "cached_property"];
        let keeps = |path: &Option<Path>| {
            path.as_ref().is_some_and(|path| KEEPING.iter().any(|name| is_named(path, name)))
        };
        let is_awaited = node.child(0).is_some_and(|first| first.kind() == "async");
        !is_awaited && decorators.iter().all(keeps)
    }

    /// The class whose object an expression is: called here, or before for a local.
    fn shown_class(&self, value: Node<'a>) -> Option<Path> {
        let binding = match value.kind() {
            "call" if self.made_of_own(value).is_none() => self.called(value),
            "identifier" => self.local(self.text(value)).cloned(),
            _ => None,
        };
        match binding {
            Some(Binding::Instance(path)) if self.is_lasting(&path) => Some(path),
            _ => None,
        }
    }

    fn called(&self, call: Node<'a>) -> Option<Binding> {
        Some(Binding::Instance(self.path(Field::Function.of(call)?)?))
    }

    /// What a name of the function around stands for.
    fn local(&self, name: &str) -> Option<&Binding> {
        let (holder, binding) = self.file.lookup(self.context.scope, name)?;
        (self.file.scopes[holder].kind == ScopeKind::Function).then_some(binding)
    }

    /// Whether others can look a path up: from the module, and no class that comes with Python.
    fn is_lasting(&self, path: &[Name]) -> bool {
        let Some(root) = path.first() else { return false };
        let holder = self.file.lookup(self.context.scope, root).map(|(holder, _)| holder);
        holder.is_none_or(|holder| holder == MODULE) && !stdlib::is_builtin(root)
    }

    /// The class of whose method a call makes another object: `cls()`, `type(self)()`.
    pub(super) fn made_of_own(&self, node: Node<'a>) -> Option<usize> {
        let function = Field::Function.of(node).filter(|_| node.kind() == "call")?;
        let receiver = match (function.kind(), self.context.is_of_class) {
            ("identifier", true) => function,
            ("attribute", false) => {
                let attribute = Field::Attribute.of(function)?;
                let object = Field::Object.of(function)?;
                (self.text(attribute) == "__class__").then_some(object)?
            }
            ("call", false) => {
                let asked = Field::Function.of(function)?;
                let arguments = Field::Arguments.of(function)?;
                let is_type = self.text(asked) == "type" && arguments.named_child_count() == 1;
                arguments.named_child(0).filter(|_| is_type)?
            }
            _ => return None,
        };
        match self.file.lookup(self.context.scope, self.text(receiver)) {
            Some((_, Binding::Receiver(class))) if receiver.kind() == "identifier" => Some(*class),
            _ => None,
        }
    }

    /// Stores an attribute, and notes of what class it is when the receiver holds it.
    pub(super) fn store_held(
        &mut self,
        left: Node<'a>,
        binding: Option<Binding>,
        value: Option<Node<'a>>,
    ) {
        // What is not there yet says nothing of what will be.
        let is_told = value.is_none_or(|value| value.kind() != "none") || binding.is_some();
        if let Some((class, name)) = self.attribute_of_receiver(left).filter(|_| is_told) {
            let held = self.held_binding(binding, value).unwrap_or(Binding::Other);
            let all = &mut self.file.classes[class].held;
            let known = all.entry(name).or_insert_with(|| held.clone());
            if *known != held {
                *known = Binding::Other;
            }
        }
        self.store(left);
    }

    fn attribute_of_receiver(&self, node: Node<'a>) -> Option<(usize, Name)> {
        let path = self.path(node).filter(|path| path.len() == 2)?;
        match self.file.lookup(self.context.scope, &path[0]) {
            Some((_, Binding::Receiver(class))) => Some((*class, path[1].clone())),
            _ => None,
        }
    }

    /// What a value is to those who ask for it later, where that is plain.
    fn held_binding(&self, binding: Option<Binding>, value: Option<Node<'a>>) -> Option<Binding> {
        let binding = match binding {
            Some(Binding::Alias(path)) if path.len() == 1 => self.local(&path[0]).cloned(),
            Some(binding) => Some(binding),
            None => value.and_then(|value| self.either(value)),
        };
        match binding? {
            Binding::Instance(path) if self.is_lasting(&path) => Some(Binding::Instance(path)),
            Binding::Annotated(path) if self.is_lasting(&path) => Some(Binding::Annotated(path)),
            _ => None,
        }
    }

    /// `given or Till()`, where both are of the same class.
    fn either(&self, value: Node<'a>) -> Option<Binding> {
        if value.kind() != "boolean_operator" {
            return None;
        }
        let (left, right) = (Field::Left.of(value)?, Field::Right.of(value)?);
        let Some(Binding::Annotated(said)) = self.local(self.text(left)) else { return None };
        let made = self.shown_class(right)?;
        (*said == made).then_some(Binding::Annotated(made))
    }

    /// What a parameter is that is annotated: an object of a class, or many of them.
    pub(super) fn annotated(&self, annotation: Node<'a>) -> Option<Binding> {
        const MANY: [&str; 10] = [
            "list",
            "List",
            "set",
            "Set",
            "Sequence",
            "Iterable",
            "Iterator",
            "Collection",
            "frozenset",
            "deque",
        ];
        if let Some(path) = self.annotation_path(annotation) {
            return Some(Binding::Annotated(path));
        }
        let inner = annotation.named_child(0).filter(|inner| inner.kind() == "generic_type")?;
        let (name, list) = (inner.named_child(0)?, inner.named_child(1)?);
        let is_many = MANY.contains(&self.text(name)) && list.named_child_count() == 1;
        Some(Binding::Many(self.annotation_path(list.named_child(0).filter(|_| is_many)?)?))
    }

    /// What each thing is that a loop goes through, where all are objects of a class.
    pub(super) fn one_of_many(&self, many: Option<Node<'a>>) -> Option<Binding> {
        let many = many.filter(|many| many.kind() == "identifier")?;
        match self.local(self.text(many)) {
            Some(Binding::Many(path)) => Some(Binding::Annotated(path.clone())),
            _ => None,
        }
    }
}
