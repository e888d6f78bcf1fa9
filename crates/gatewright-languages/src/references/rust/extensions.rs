//! Traits of packages that add members to types which do not know of them.

use super::crates::NOT_INSTALLED;
use super::facts::{Name, Type};
use super::modules::ModuleRef;
use super::resolver::{Answer, Found};
use super::{Checker, library};
use crate::references::session::Area;
use crate::references::words;

impl Checker<'_> {
    /// Whether traits of packages that extend types may be in scope.
    ///
    /// A type that is known is extended by traits that extend everything, and by those that
    /// extend it or a trait that it has.
    pub(super) fn has_extension_traits(&self, own: Option<(&str, &Type)>) -> bool {
        let text = self.session.read(&self.module.place).unwrap_or_default();
        let text: &[u8] = &text;
        self.module.file.modules.iter().enumerate().any(|(number, facts)| {
            let from = ModuleRef { number, ..self.module.clone() };
            let named = facts.uses.iter().flat_map(|(alias, paths)| {
                let is_unnamed = &**alias == "_";
                paths.iter().filter(move |path| {
                    let name = if is_unnamed { path.last().unwrap_or(alias) } else { alias };
                    let of = name.strip_suffix("Ext");
                    is_extension(name)
                        || match own {
                            Some((name, own)) => {
                                of.is_some_and(|of| of == name || own.traits.contains(of))
                            }
                            None => of.is_some() || is_unnamed || may_be_trait(text, name),
                        }
                })
            });
            let globs = facts.globs.iter().filter(|_| own.is_none());
            let paths = named.chain(globs);
            paths.filter(|path| !is_of_std(path)).any(|path| self.is_foreign(&from, path))
        })
    }

    /// Whether a path leads into a package.
    fn is_foreign(&self, from: &ModuleRef, path: &[Name]) -> bool {
        let is_own =
            path.first().is_some_and(|first| matches!(&**first, "crate" | "self" | "super"));
        let asked = if is_own { path } else { &path[..1] };
        match self.resolver.path(from, asked, true) {
            Answer::Found(Found::Module(found) | Found::Type(found, _)) => {
                found.place.area == Area::Installed
            }
            Answer::Found(Found::Listed(_)) | Answer::Unknown(NOT_INSTALLED) => true,
            Answer::Found(_) => false,
            _ => !is_own,
        }
    }
}

/// Whether a trait of this name usually extends types that do not know of it.
fn is_extension(name: &str) -> bool {
    matches!(name, "Tap" | "Pipe" | "Conv" | "OwoColorize")
}

/// Whether a path leads into the standard library.
fn is_of_std(path: &[Name]) -> bool {
    path.first().is_some_and(|first| library::is_crate(first))
}

/// Whether a text uses a name that it imports in no other way than a trait is used.
fn may_be_trait(text: &[u8], name: &str) -> bool {
    let is_of_trait = |at: usize| {
        let after = text[at + name.len()..].trim_ascii_start();
        let before = text[..at].trim_ascii_end();
        let is_bound = before.ends_with(b"+") || before.ends_with(b":") && !before.ends_with(b"::");
        match after.first() {
            Some(b',' | b';' | b'}') => !is_bound && !before.ends_with(b"&"),
            Some(b'{' | b'+') => is_bound,
            _ => after.starts_with(b"for ") || after.starts_with(b"as "),
        }
    };
    name.starts_with(|first: char| first.is_ascii_uppercase())
        && words::occurrences(text, name).all(is_of_trait)
}
