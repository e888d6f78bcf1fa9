//! The macros that code and derives name.

use super::facts::{Path, Role, Segment};
use super::modules::{self, ModuleRef};
use super::resolver::{Answer, Found, searched};
use super::{Checker, second_look};
use crate::references::collector::Kind;
use crate::references::session::Area;

impl Checker<'_> {
    /// What became of the search for a macro.
    pub(super) fn macro_named(
        &mut self,
        from: &ModuleRef,
        answer: Answer,
        path: &Path,
        role: Role,
    ) {
        let is_single = path.len() == 1;
        match answer {
            Answer::Found(_) => self.found.exists(),
            Answer::Unknown(reason) => self.found.unknown(reason),
            Answer::Missing(gap) => {
                let name = &path[gap.at.min(path.len() - 1)];
                let of_crate = gap.macros_of.as_ref();
                let is_there = second_look::is_macro(self.session, &name.name)
                    || of_crate.is_some_and(|folder| {
                        second_look::is_macro_of(self.session, folder, &name.name)
                    });
                if is_there || (is_single && self.has_macro_use()) || self.hands_on(from, path) {
                    return self.found.unknown("macro");
                }
                let kind = match role {
                    Role::Derive if is_single => Kind::Name,
                    _ if is_single => Kind::Call,
                    _ => Kind::Attribute,
                };
                self.miss(&name.name, kind, name.offset, &gap);
            }
        }
    }

    /// Whether the package that a path begins with hands on all names of others, and so their
    /// macros.
    fn hands_on(&mut self, from: &ModuleRef, path: &[Segment]) -> bool {
        match self.answer(from, &path[..1], false) {
            Answer::Found(Found::Module(root)) => {
                root.place.area == Area::Installed && !root.facts().globs.is_empty()
            }
            _ => false,
        }
    }

    /// Whether a name of a package is a macro of one of those whose names it hands on.
    pub(super) fn is_macro_handed_on(&mut self, path: &[Segment]) -> bool {
        let from = ModuleRef { number: 0, ..self.module.clone() };
        let [of, name] = path else { return false };
        let Answer::Found(Found::Module(root)) = self.answer(&from, std::slice::from_ref(of), true)
        else {
            return false;
        };
        root.place.area == Area::Installed
            && root.facts().globs.iter().any(|glob| match self.resolver.path(&root, glob, true) {
                Answer::Found(Found::Module(other)) => {
                    second_look::is_macro_of(self.session, &searched(&other), &name.name)
                }
                _ => false,
            })
    }

    /// Whether macros of packages may be in scope without being named.
    fn has_macro_use(&self) -> bool {
        modules::root(&self.resolver.files, self.module).is_none_or(|root| {
            let text = self.session.read(&root.place).unwrap_or_default();
            memchr::memmem::find(&text, b"macro_use").is_some()
        })
    }
}
