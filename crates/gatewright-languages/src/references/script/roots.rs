//! Members of a name: of a module, a class, a function, or an object.

use super::exports::WHOLE;
use super::facts::{Import, Value};
use super::modules::DECLARED;
use super::objects::MARK;
use super::{Checker, Kind, Member, OF_FUNCTIONS, OF_OBJECTS, STEPS, known, runtime};

impl Checker<'_> {
    pub(super) fn root_member(&mut self, root: &str, member: &str, offset: usize) {
        let file = self.file;
        if let Some(import) = file
            .imports
            .get(root)
            .filter(|import| self.is_whole_module(root, import) && !file.values.contains_key(root))
        {
            let wanted = Import { source: import.source.clone(), name: member.into() };
            return self.import_member(self.path, &wanted, offset);
        }
        if let Some((from, source)) = self.namespace(root) {
            return self.import_member(&from, &Import { source, name: member.into() }, offset);
        }
        let is_static = file.class_names.contains_key(root) || file.imports.contains_key(root);
        if is_static && !file.values.contains_key(root) {
            return self.static_member(root, member, offset);
        }
        match file.values.get(root) {
            Some(Value::Of(class)) if !self.is_narrowed(root) => {
                let class = class.clone();
                self.local_member((root, &class), member, offset);
            }
            _ if self.is_own_function(root) => self.function_member(root, member, offset),
            _ => self.global_member(root, member, offset),
        }
    }

    /// Whether a name stands for all that a module exports, and for no class.
    fn is_whole_module(&self, root: &str, import: &Import) -> bool {
        match &*import.name {
            "*" => true,
            WHOLE if known::is_of_names(&import.source) => false,
            WHOLE => {
                runtime::names(&import.source).is_some()
                    || self.class(self.path, self.file, root, STEPS).is_none()
            }
            "default" => {
                runtime::names(&import.source).is_some() || known::is_whole(&import.source)
            }
            _ => false,
        }
    }

    fn import_member(&mut self, from: &str, wanted: &Import, offset: usize) {
        match self.handed_out(from, wanted) {
            Member::Exists => self.found.exists(),
            Member::Unknown(reason @ DECLARED) => {
                self.found.doubtful(&wanted.name, Kind::Attribute, offset, reason);
            }
            Member::Unknown(reason) => self.found.unknown(reason),
            Member::Missing if self.is_added_to(from, wanted) => {
                self.found.unknown("name that other files spell");
            }
            Member::Missing => {
                let names = self.names_of(from, &wanted.source);
                let near = names.iter().map(|name| &**name);
                self.found.missing(&wanted.name, Kind::Attribute, offset, near);
            }
        }
    }

    /// A member of a class or enum itself, or of a constant that is imported.
    fn static_member(&mut self, root: &str, member: &str, offset: usize) {
        if OF_FUNCTIONS.contains(&member) {
            return self.found.exists();
        }
        match self.imported_value(root) {
            Some((path, file, number)) if !self.is_narrowed(root) && !self.is_handed_on(root) => {
                let class = &file.classes[number];
                if class.is_enum || class.is_merged && !class.is_value {
                    return self.found.unknown("type not plain");
                }
                let answer = self.search(&file, &path, class, member, STEPS);
                self.member(answer, class, member, offset);
            }
            _ => self.class_member(root, member, offset, true),
        }
    }

    /// A member of a local that is an object of a class.
    pub(super) fn local_member(&mut self, (root, class): (&str, &str), member: &str, at: usize) {
        match self.is_narrowed(root) || class.starts_with(MARK) && self.is_handed_on(root) {
            true => self.found.unknown("type not plain"),
            false => self.class_member(class, member, at, false),
        }
    }

    /// Whether a name is that of a function of the file, and of nothing else in it.
    fn is_own_function(&self, root: &str) -> bool {
        let file = self.file;
        let is_value = file.values.get(root).is_some_and(|value| *value != Value::Function);
        let is_typed = file.class_names.contains_key(root) || file.imports.contains_key(root);
        file.takes.contains_key(root) && !is_value && !is_typed
    }

    /// A member of a function of the file: what something puts there, in this file or another.
    fn function_member(&mut self, root: &str, member: &str, offset: usize) {
        if OF_FUNCTIONS.contains(&member) || OF_OBJECTS.contains(&member) {
            return self.found.exists();
        }
        let is_put_there = self.file.stored.contains(member) || self.is_put_elsewhere(member);
        // `typeof till.default` asks whether it is there.
        let before = self.text.get(..offset).unwrap_or_default();
        let is_question = before.ends_with(format!("typeof {root}.").as_bytes());
        if is_put_there || is_question || self.is_narrowed(root) || self.is_handed_on(root) {
            return self.found.unknown("member set from outside");
        }
        self.found.missing(member, Kind::Member, offset, []);
    }

    /// `this.member` in a function of which nothing says what `this` is.
    pub(super) fn loose_member(&mut self, member: &str, offset: usize) {
        let file = self.file;
        let is_told = file.stored.contains(member)
            || file.keys.contains(member)
            || file.classes.iter().any(|class| class.members.contains(member));
        if is_told || OF_OBJECTS.contains(&member) {
            return self.found.exists();
        }
        self.found.doubtful(member, Kind::Member, offset, "this of a function");
    }
}
