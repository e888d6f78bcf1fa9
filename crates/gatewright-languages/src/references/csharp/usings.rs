//! What `using` directives of C# name: namespaces, and types by an alias or with `static`.
//!
//! A type is missing when its namespace is known whole, or the type around it has none of that name.

use super::facts::Using;
use super::members::Answer;
use super::{Checker, Kind, last, project};

impl Checker<'_> {
    pub(super) fn using(&mut self, using: &Using) {
        let name = &*using.name;
        let root = name.split('.').next().unwrap_or(name);
        let is_type = using.is_static || using.alias.is_some();
        if is_type && self.is_declared_type(last(name)) {
            return self.found.exists();
        }
        match self.namespace(name) {
            Answer::Exists => self.found.exists(),
            _ if is_type => self.type_in_use(using),
            // Without a project file only the other files can tell which packages there are.
            Answer::Unknown(reason) if !self.view.has_manifest() => {
                let (part, kind) = match self.has_namespace(root) {
                    true => (last(name), Kind::Module),
                    false => (root, Kind::Package),
                };
                let at = if kind == Kind::Module { name.len() - part.len() } else { 0 };
                self.found.doubtful(part, kind, using.offset + at, reason);
            }
            Answer::Unknown(reason) => self.found.unknown(reason),
            Answer::Missing => {
                let kind = if self.has_namespace(root) { Kind::Module } else { Kind::Package };
                self.found.missing(name, kind, using.offset, []);
            }
        }
    }

    /// A type that `using static` or an alias names, and that nothing declares under that name.
    fn type_in_use(&mut self, using: &Using) {
        let Some((container, name)) = using.name.rsplit_once('.') else {
            return self.found.unknown("type of a package");
        };
        let offset = using.offset + container.len() + 1;
        let outer = last(container);
        // Tools write those of resources and settings.
        if outer == "Properties" {
            return self.found.unknown("generated code");
        }
        let is_inside = !self.view.types(outer).is_empty();
        if is_inside && self.search(outer, name) != Answer::Missing {
            return self.found.unknown("type inside of another");
        }
        if is_inside || self.is_whole(container) {
            let names = self.type_names();
            let names = names.iter().map(String::as_str);
            return self.found.missing(name, Kind::Import, offset, names);
        }
        match self.namespace(container) {
            Answer::Missing => self.found.missing(container, Kind::Module, using.offset, []),
            Answer::Exists => {
                self.found.doubtful(name, Kind::Import, offset, "namespace of a package");
            }
            Answer::Unknown(reason) => self.found.doubtful(name, Kind::Import, offset, reason),
        }
    }

    /// Whether files of the workspace declare a namespace itself, and no package can add to it, or
    /// all its types are listed.
    fn is_whole(&self, namespace: &str) -> bool {
        self.view.declares(namespace) && !self.view.may_grow(namespace)
            || project::is_closed_framework(namespace)
            || self.is_installed(namespace)
    }

    /// Whether a namespace exists.
    pub(super) fn namespace(&self, name: &str) -> Answer {
        if self.has_namespace(name) {
            return Answer::Exists;
        }
        let parent = name.rsplit_once('.').map_or("", |(parent, _)| parent);
        let is_own = self.view.has_namespace(parent) && !self.view.is_shared(parent);
        if !is_own && (self.view.is_declared_package(name) || !self.view.has_manifest()) {
            return Answer::Unknown("package declared but not installed");
        }
        Answer::Missing
    }
}
