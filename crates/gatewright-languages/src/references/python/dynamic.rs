//! Calls that make names which are written nowhere: `setattr`, `globals`, `exec`, `__dict__`.

use tree_sitter::Node;

use super::facts::{Binding, MODULE, Name, ScopeKind};
use super::fields::Field;
use super::walk::{Walker, is_named};

/// Whether a call of something with this name may make names that are written nowhere.
pub(super) fn is_telling(name: &str) -> bool {
    matches!(
        name,
        "isinstance"
            | "issubclass"
            | "callable"
            | "setattr"
            | "getattr"
            | "hasattr"
            | "delattr"
            | "patch"
            | "setitem"
            | "globals"
            | "locals"
            | "vars"
            | "exec"
            | "execfile"
            | "__setattr__"
            | "update"
            | "setdefault"
    )
}

impl<'a> Walker<'a> {
    /// Calls that add names which are written nowhere.
    pub(super) fn note_dynamic(
        &mut self,
        path: &[Name],
        call: Node<'a>,
        arguments: Option<Node<'a>>,
    ) {
        let first = || arguments.and_then(|list| list.named_child(0));
        let second = || arguments.and_then(|list| list.named_child(1));
        match &**path.last().unwrap_or(&"".into()) {
            "isinstance" | "issubclass" | "callable" if path.len() == 1 => self.narrow(first()),
            "setattr" | "getattr" | "hasattr" | "delattr" | "patch" | "setitem" => {
                match second().and_then(|node| self.literal(node)) {
                    Some(name) => {
                        self.file.stored.insert(name);
                    }
                    None if is_named(path, "setattr") && !self.context.restores => {
                        self.open_target(first());
                    }
                    None => {}
                }
            }
            "globals" | "locals" if path.len() == 1 => {
                let is_class =
                    matches!(self.file.scopes[self.context.scope].kind, ScopeKind::Class(_));
                let is_module = is_named(path, "globals") || self.context.scope == MODULE;
                if (is_module || is_class) && self.escapes(call) {
                    self.open_scope();
                }
            }
            "vars" if path.len() == 1 && self.escapes(call) => match first() {
                Some(_) => self.open_target(first()),
                None => self.open_scope(),
            },
            "exec" | "execfile" if path.len() == 1 && second().is_none() => self.open_scope(),
            "__setattr__" => match second().and_then(|node| self.literal(node)) {
                Some(name) => {
                    self.file.stored.insert(name);
                }
                None if !self.context.restores => self.open_target(first()),
                None => {}
            },
            "update" | "setdefault" if path.len() == 3 && &*path[1] == "__dict__" => {
                let is_own = first().is_some_and(|node| self.text(node).ends_with("__dict__"))
                    || self.note_keywords(arguments);
                if !is_own && !self.context.restores && self.is_receiver(&path[0]) {
                    self.open_receiver();
                }
            }
            _ => {}
        }
    }

    /// A `__getattr__` of the module: one that answers for spelt names alone leaves it closed.
    pub(super) fn module_hook(&mut self, node: Node<'a>) {
        let text = self.text(node);
        let computes = ["import_module", "getattr(", "__import__", "globals", "import_string"];
        let is_plain = text.contains("AttributeError")
            && !computes.iter().any(|call| {
                text[4..].contains(call)
                    && text.matches(call).count() > usize::from(*call == "getattr(")
            });
        if is_plain {
            self.file.hooked = true;
        } else {
            self.file.hook = Some("module with a __getattr__");
        }
    }

    /// `setattr(target, name, …)` with a name that is not written.
    fn open_target(&mut self, target: Option<Node<'a>>) {
        let Some(target) = target else { return };
        let text = self.text(target);
        if text.contains("modules") || text.contains("__name__") {
            self.file.open.get_or_insert("names made at run time");
        }
        if text.starts_with("type(") || text.contains("__class__") {
            self.open_receiver();
        }
        let path = self.path(target);
        let Some([root]) = path.as_deref() else { return };
        let binding =
            self.file.lookup(self.context.scope, root).map(|(_, binding)| binding.clone());
        if let Some(Binding::Receiver(class) | Binding::Class(class)) = binding {
            self.file.classes[class].open.get_or_insert("setattr");
        }
    }

    /// A name whose type is tested stands for more than its first type.
    pub(super) fn narrow(&mut self, tested: Option<Node<'a>>) {
        let Some(tested) = tested else { return };
        if let Some(attribute) = Field::Attribute.of(tested) {
            let attribute = self.name(attribute);
            self.file.stored.insert(attribute);
        }
        if tested.kind() != "identifier" {
            return;
        }
        let name = self.text(tested);
        let holder = self.file.lookup(self.context.scope, name).map(|(holder, _)| holder);
        if let Some(holder) = holder {
            self.file.bind(holder, name, Binding::Other);
        }
    }

    /// Notes the names in `self.__dict__.update(name=…)`; whether there is nothing else.
    fn note_keywords(&mut self, arguments: Option<Node<'a>>) -> bool {
        let Some(arguments) = arguments else { return true };
        let names = self.keywords(arguments);
        let is_all = names.len() == arguments.named_child_count();
        self.file.stored.extend(names.into_iter().map(|(name, _)| name));
        is_all
    }

    fn is_receiver(&self, name: &str) -> bool {
        let binding = self.file.lookup(self.context.scope, name);
        matches!(binding, Some((_, Binding::Receiver(_))))
    }

    pub(super) fn open_receiver(&mut self) {
        if let Some(class) = self.context.receiver {
            self.file.classes[class].open.get_or_insert("setattr");
        }
    }

    /// The module, or the class whose body this is, may hold names that are written nowhere.
    fn open_scope(&mut self) {
        match self.file.scopes[self.context.scope].kind {
            ScopeKind::Class(class) => {
                self.file.classes[class].open.get_or_insert("names made at run time");
            }
            _ => {
                self.file.open.get_or_insert("names made at run time");
            }
        }
    }

    /// Whether the dictionary that a call gives is changed or handed on, not only read.
    fn escapes(&self, call: Node<'a>) -> bool {
        let Some(parent) = call.parent() else { return false };
        match parent.kind() {
            "subscript" => parent.parent().is_some_and(|outer| {
                let left = Field::Left.of(outer);
                matches!(outer.kind(), "assignment" | "augmented_assignment")
                    && left.is_some_and(|left| left.id() == parent.id())
                    || outer.kind() == "delete_statement"
            }),
            "attribute" => Field::Attribute.of(parent).is_some_and(|name| {
                matches!(self.text(name), "update" | "setdefault" | "__setitem__")
            }),
            "argument_list" => parent.parent().is_some_and(|outer| {
                let function = Field::Function.of(outer).map(|node| self.text(node));
                !function
                    .is_some_and(|name| matches!(name, "list" | "dict" | "sorted" | "set" | "len"))
            }),
            // What a function is given so is mostly written to.
            "assignment" | "default_parameter" => true,
            _ => false,
        }
    }
}
