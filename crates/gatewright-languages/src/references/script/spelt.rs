//! Names that an installed package does not spell anywhere.
//!
//! What a package hands out at run time nobody can list, but a name that stands in none of its
//! files, and in none of the packages that it needs, is hardly there. Asked is only about names
//! that nothing in the workspace spells and that the file did not have before.

use std::collections::HashSet;

use serde_json::Value;

use super::aliases::manifest;
use super::exports::WHOLE;
use super::facts::{Class, Import, Name};
use super::installed::types_of;
use super::modules::{Found, package_name};
use super::{Checker, Member, OF_FUNCTIONS, OF_OBJECTS, STEPS, is_of_packages};
use crate::references::session::Place;
use crate::references::words;

/// How much of a package, and of what it needs, is read.
const FILES: usize = 1_500;
const BYTES: usize = 12 << 20;
/// How far what a package needs is followed.
const DEPTH: usize = 2;
const NEEDED: [&str; 3] = ["dependencies", "peerDependencies", "optionalDependencies"];
/// The files of a package that may spell what it hands out.
const TELLING: [&str; 6] = [".js", ".cjs", ".mjs", ".ts", ".mts", ".cts"];

/// Declarations alone, which tell TypeScript what a package hands out.
const DECLARING: [&str; 3] = [".ts", ".mts", ".cts"];

/// What is left to be read for one question.
struct Budget {
    files: usize,
    bytes: usize,
}

impl Checker<'_> {
    /// Whether a module hands out a name; one that an installed package spells nowhere is missing.
    pub(super) fn handed_out(&self, from: &str, import: &Import) -> Member {
        match self.exported(from, import, STEPS) {
            Member::Unknown(_) if self.is_spelt_nowhere(from, import) => Member::Missing,
            answer => answer,
        }
    }

    fn is_spelt_nowhere(&self, from: &str, import: &Import) -> bool {
        let name = &*import.name;
        let is_whole = matches!(name, "*" | "default" | WHOLE) || import.source.starts_with('.');
        if is_whole || OF_FUNCTIONS.contains(&name) || OF_OBJECTS.contains(&name) {
            return false;
        }
        let package = package_name(&import.source);
        let was_there =
            || self.session.before(self.path).is_some_and(|old| words::contains(old, name));
        let Some(folder) = self.installed_in(from, package) else { return false };
        // Of the names of a module that is missing itself nothing is said.
        let is_there = || !matches!(self.find(from, &import.source), Found::Missing { .. });
        !self.file.stored.contains(name)
            && !is_of_packages(name)
            && !was_there()
            && is_there()
            && !self.is_elsewhere(name)
            && self.is_in_none_of(folder, name)
    }

    /// The folder of a package that is installed in the workspace.
    fn installed_in(&self, from: &str, package: &str) -> Option<Place> {
        let folders = std::iter::successors(Place::workspace(from).parent(), Place::parent);
        let folders = folders.filter(|folder| !folder.path.ends_with("node_modules"));
        let mut places = folders.map(|folder| folder.join("node_modules").join(package));
        places.find(|place| self.session.list(place).files.contains("package.json"))
    }

    /// Whether a package and those that it needs were read whole, and spell a name nowhere.
    fn is_in_none_of(&self, folder: Place, name: &str) -> bool {
        // Its types may lie beside it.
        let own = folder.path.rsplit_once("node_modules/").map_or("", |(_, own)| own);
        let types = self.installed_in(&folder.join("package.json").path, &types_of(own));
        let folders: Vec<Place> = types.into_iter().chain([folder]).collect();
        let mut budget = Budget { files: FILES, bytes: BYTES };
        let ends: &[&str] = match self.is_typed() && folders.iter().any(|it| self.declares(it)) {
            true => &DECLARING,
            false => &TELLING,
        };
        let mut seen: HashSet<String> = folders.iter().map(|folder| folder.path.clone()).collect();
        let mut asked = folders;
        for depth in 0..=DEPTH {
            let mut next = Vec::new();
            for folder in asked {
                if !self.is_not_in(&folder, (name, ends), &mut budget) {
                    return false;
                }
                let manifest = manifest(self.session, &folder);
                // Versions of its types may lead anywhere.
                let is_plain = |it: &Value| depth > 0 || it.get("typesVersions").is_none();
                let manifest = manifest.filter(is_plain);
                let Some(manifest) = manifest else { return false };
                let fields = NEEDED.iter().filter_map(|field| manifest.get(*field)?.as_object());
                for needed in fields.flat_map(|field| field.keys()).filter(|_| depth < DEPTH) {
                    let inside = folder.join("package.json").path;
                    let place = self.installed_in(&inside, needed);
                    next.extend(place.filter(|place| seen.insert(place.path.clone())));
                }
            }
            asked = next;
        }
        true
    }

    /// Whether a package says where its types are.
    fn declares(&self, folder: &Place) -> bool {
        let manifest = manifest(self.session, folder);
        let has = |field: &str| manifest.as_ref().is_some_and(|it| it.get(field).is_some());
        has("types") || has("typings") || self.session.list(folder).files.contains("index.d.ts")
    }

    /// Whether the packages that a class builds on are installed, and none spells a name.
    pub(super) fn is_not_inherited(&self, class: &Class, name: &str) -> bool {
        let was_there =
            || self.session.before(self.path).is_some_and(|old| words::contains(old, name));
        let is_own = self.file.classes.iter().any(|own| std::ptr::eq(own, class));
        let behind = |base: &Name| {
            let root = base.split('.').next().unwrap_or(base);
            let import = self.file.imports.get(root)?;
            self.installed_in(self.path, package_name(&import.source))
        };
        let packages: Option<Vec<Place>> = class.bases.iter().map(behind).collect();
        let Some(packages) =
            packages.filter(|all| is_own && !all.is_empty() && class.open.is_none())
        else {
            return false;
        };
        !self.file.stored.contains(name)
            && !is_of_packages(name)
            && !was_there()
            && !self.is_elsewhere(name)
            && packages.into_iter().all(|folder| self.is_in_none_of(folder, name))
    }

    /// Whether all files below a folder were read, and none spells a name.
    fn is_not_in(
        &self,
        folder: &Place,
        (name, ends): (&str, &[&str]),
        budget: &mut Budget,
    ) -> bool {
        let mut folders = vec![folder.clone()];
        while let Some(folder) = folders.pop() {
            let listing = self.session.list(&folder);
            // What is compiled may hand out anything.
            if listing.files.iter().any(|file| file.ends_with(".node") || file.ends_with(".gyp")) {
                return false;
            }
            let is_telling = |file: &&String| ends.iter().any(|end| file.ends_with(end));
            for file in listing.files.iter().filter(is_telling) {
                let Some(text) = self.session.read(&folder.join(file)) else { return false };
                let left = budget.files.checked_sub(1).zip(budget.bytes.checked_sub(text.len()));
                let Some((files, bytes)) = left else { return false };
                *budget = Budget { files, bytes };
                if words::contains(&text, name) || is_made_elsewhere(&text) {
                    return false;
                }
            }
            let inner = listing.folders.iter().filter(|name| *name != "node_modules");
            folders.extend(inner.map(|name| folder.join(name)));
        }
        true
    }
}

/// Whether a file takes something from a hidden package, which a tool makes (`.prisma/client`).
fn is_made_elsewhere(text: &[u8]) -> bool {
    let mut hidden = memchr::memmem::find_iter(text, b"require(").map(|at| &text[at + 8..]);
    hidden.any(|rest| {
        let inner = rest.strip_prefix(b"'.").or_else(|| rest.strip_prefix(b"\"."));
        inner.and_then(|inner| inner.first()).is_some_and(u8::is_ascii_alphabetic)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_packages_are_told_from_files_beside() {
        assert!(is_made_elsewhere(b"module.exports = require('.prisma/client')"));
        assert!(!is_made_elsewhere(b"require('./lib'); require('../till')"));
    }
}
