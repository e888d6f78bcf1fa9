//! References of which more than the text of the crate decides.
//!
//! What an attribute rewrites, what the crate takes over from a package that is not
//! installed, and what such a package is asked for: nothing of it is missing for certain.

use super::crates::NOT_INSTALLED;
use super::facts::{Path, Reference, Role, Segment};
use super::modules::ModuleRef;
use super::resolver::{Answer, Found};
use super::{Checker, is_derived, library, second_look};
use crate::references::collector::Kind;
use crate::references::session::Area;
use crate::references::words;

/// Why what a module has cannot be known.
const ATTRIBUTE: &str = "attribute macro";
/// Why a member of a value may be there.
const OF_VALUE: &str = "type not plain";
/// The same of a field.
const FIELD_OF_VALUE: &str = "field of a type not plain";
/// Why a path in the own crate may lead somewhere.
pub(super) const TAKEN_OVER: &str = "names of the crate taken over from an unknown package";

impl Checker<'_> {
    /// A reference in a module that an attribute rewrites: it may have what its text lacks.
    pub(super) fn rewritten(&mut self, from: &ModuleRef, reference: &Reference) {
        let around = std::mem::take(&mut self.found);
        self.target(from, reference);
        let inside = std::mem::replace(&mut self.found, around);
        if inside.missing.is_empty() && inside.doubtful.is_empty() {
            return self.found.unknown(ATTRIBUTE);
        }
        for one in inside.missing {
            self.found.doubtful(&one.name, one.kind, one.offset, ATTRIBUTE);
        }
        for one in inside.doubtful {
            self.found.doubtful(&one.name, one.kind, one.offset, ATTRIBUTE);
        }
    }

    /// The name of a path in the own crate that only a package whose names are all taken over
    /// can give.
    pub(super) fn taken_over<'p>(
        &mut self,
        from: &ModuleRef,
        path: &'p Path,
        is_use: bool,
    ) -> Option<&'p Segment> {
        if !matches!(&*path.first()?.name, "crate" | "self" | "super") {
            return None;
        }
        for length in 2..=path.len() {
            match self.answer(from, &path[..length], is_use) {
                Answer::Found(_) => {}
                Answer::Unknown(NOT_INSTALLED) => return path.get(length - 1),
                _ => return None,
            }
        }
        None
    }

    /// A member of a value of which the text does not say what it is.
    pub(super) fn member_of_any(&mut self, member: &Segment, is_call: bool) {
        let name = &*member.name;
        let reason = if is_call { OF_VALUE } else { FIELD_OF_VALUE };
        let is_usual =
            library::is_member(name) || is_derived(name) || self.module.file.loose.contains(name);
        if is_usual || self.may_come_from_package(name) {
            return self.found.unknown(reason);
        }
        self.found.doubtful(name, Kind::Member, member.offset, reason);
    }

    /// Whether a package whose names are known has a name. Packages that are installed are asked
    /// about names only that the file as it was did not have.
    pub(super) fn may_come_from_package(&self, name: &str) -> bool {
        let Some(home) = &self.module.home else { return false };
        let old = self.session.before(self.path);
        let is_new = old.is_none_or(|text| !words::contains(text, name));
        let mut packages = home.manifest.dependencies.keys();
        packages.any(|package| match self.resolver.crate_named(self.module, package) {
            Answer::Found(Found::Listed(list)) => list.has(name),
            Answer::Found(Found::Module(root)) => root.home.as_ref().is_some_and(|home| {
                is_new
                    && root.place.area == Area::Installed
                    && second_look::is_spelt(self.session, &home.folder, name, self.path)
            }),
            _ => false,
        })
    }

    /// The first name of a path that no `use` binds and of which cannot be told whether it is
    /// there, with the reason.
    pub(super) fn first_untold<'p>(
        &mut self,
        from: &ModuleRef,
        path: &'p [Segment],
        is_use: bool,
    ) -> Option<(&'p Segment, &'static str)> {
        let first = path.first()?;
        let is_bound = from.facts().uses.contains_key(&first.name) && !is_use
            || matches!(&*first.name, "crate" | "self" | "super" | "" | "test");
        if is_bound {
            return None;
        }
        match self.answer(from, &path[..1], is_use) {
            Answer::Unknown("macro") => None,
            Answer::Unknown(reason) => Some((first, reason)),
            _ => None,
        }
    }

    /// The kind that a name has by how it is used.
    pub(super) fn kind_by(role: Role) -> Kind {
        match role {
            Role::Call => Kind::Call,
            Role::Type => Kind::Class,
            _ => Kind::Name,
        }
    }

    /// Notes a `use` of which cannot be told whether it leads anywhere.
    pub(super) fn untold(&mut self, path: &[Segment], reason: &'static str) {
        let Some((last, owner @ [_, ..])) = path.split_last() else {
            return self.found.unknown(reason);
        };
        let owner: Vec<&str> = owner.iter().map(|segment| &*segment.name).collect();
        self.found.untold((&owner.join("::"), &last.name), last.offset, reason);
    }
}
