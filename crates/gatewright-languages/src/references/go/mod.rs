//! Go: packages by folder, exported names, members of types.
//!
//! [`read`] turns a file into [`facts`], resolving locals on the way;
//! [`modules`] finds what an import names, [`packages`] loads it, [`resolve`]
//! follows names and members; this file asks about every reference.

mod expressions;
mod facts;
mod gopath;
mod listed;
mod modules;
mod packages;
mod read;
mod resolve;
mod statements;
mod types;

use std::rc::Rc;
use std::sync::Arc;

use self::facts::{GoFile, Import, Target, Use};
use self::packages::Target as Imported;
use self::resolve::{Answer, EMBEDDED, Resolver, Root, Scope, is_universal, universal};
use super::collector::{Collector, Kind};
use super::session::{Place, Session};
use super::suggest::{misspelt, near_beside};

/// How deep types are followed.
const DEPTH: usize = 40;

/// The answers about one file; `None` when it cannot be told.
pub(crate) fn check(session: &Session<'_>, path: &str, text: &[u8]) -> Option<Collector> {
    let resolver = Resolver::new(session);
    let file = resolver.packages.facts_of_checked(text)?;
    let place = Place::workspace(path);
    let folder = place.parent()?;
    let package = Rc::new(resolver.packages.own(&folder, &file));
    let mut checker = Checker {
        resolver,
        excuse: excuse(path, &file),
        file: Arc::clone(&file),
        folder,
        scope: Scope { package, file: 0 },
        found: Collector::default(),
    };
    for import in &file.imports {
        checker.import(import);
    }
    for reference in &file.references {
        checker.reference(&reference.target, reference.offset);
    }
    if file.is_deep {
        checker.found.unknown("too deep");
    }
    Some(checker.found)
}

/// What excuses a file that no build reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Excuse {
    None,
    /// Its imports may lead anywhere.
    Imports,
    Everything,
}

fn excuse(path: &str, file: &GoFile) -> Excuse {
    let mut parts = path.split('/');
    if parts.clone().any(|part| part == "testdata") {
        return Excuse::Everything;
    }
    if file.is_ignored || parts.any(|part| part.starts_with('_')) {
        return Excuse::Imports;
    }
    Excuse::None
}

struct Checker<'a> {
    resolver: Resolver<'a>,
    excuse: Excuse,
    file: Arc<GoFile>,
    folder: Place,
    scope: Scope,
    found: Collector,
}

/// Why a name may come from anywhere.
const DOTTED: &str = "names taken over from an unknown package";

impl Checker<'_> {
    /// Whether nothing can be said of a name here.
    fn is_excused(&self, name: &str) -> bool {
        self.excuse == Excuse::Everything || self.file.loose.contains(name)
    }

    fn missing(&mut self, name: &str, kind: Kind, offset: usize, candidates: &[String]) {
        let is_import = matches!(kind, Kind::Package | Kind::Module);
        if self.excuse == Excuse::Everything || self.excuse == Excuse::Imports && is_import {
            return self.found.unknown("file outside of the build");
        }
        if self.file.loose.contains(name) {
            return self.found.unknown("syntax error");
        }
        self.found.missing(name, kind, offset, candidates.iter().map(String::as_str));
    }

    fn import(&mut self, import: &Import) {
        match self.resolver.packages.import(Some(&self.folder), &import.path) {
            Imported::Package(_) => self.found.exists(),
            Imported::Unknown(reason) => self.found.unknown(reason),
            Imported::Missing { is_package } => {
                let kind = if is_package { Kind::Package } else { Kind::Module };
                let beside = self.resolver.packages.modules.beside(&self.folder, &import.path);
                let paths: Vec<String> = match near_beside(&import.path, &beside) {
                    near if near.is_empty() => {
                        modules::standard_paths().map(str::to_owned).collect()
                    }
                    near => near,
                };
                self.missing(&import.path, kind, import.offset, &paths);
            }
        }
    }

    fn reference(&mut self, target: &Target, offset: usize) {
        self.resolver.refill();
        match target {
            Target::Name(name, used) => {
                let kind = match used {
                    Use::Call => Kind::Call,
                    Use::Type => Kind::Class,
                    Use::Value => Kind::Name,
                };
                self.name(name, kind, offset);
            }
            Target::Qualified(root, name) => self.qualified(root, name, offset),
            Target::Member(owner, name) => {
                let known = self.resolver.known(&self.scope, *owner);
                self.member(&known.ty, name, offset);
            }
            Target::Key(literal, name) => self.key(*literal, name, offset),
        }
    }

    fn member(&mut self, ty: &resolve::Type, name: &str, offset: usize) {
        match self.resolver.member(ty, name, DEPTH) {
            Answer::Found(_) => self.found.exists(),
            Answer::Unknown(EMBEDDED) if !self.is_excused(name) => {
                self.found.doubtful(name, Kind::Member, offset, EMBEDDED);
            }
            Answer::Unknown(reason) => self.found.unknown(reason),
            Answer::Missing => {
                let names = self.resolver.names(ty);
                self.missing(name, Kind::Member, offset, &names);
            }
        }
    }

    /// A key is a field of a struct, or a value of the package.
    fn key(&mut self, literal: facts::Id, name: &str, offset: usize) {
        let known = self.resolver.known(&self.scope, literal);
        if let Some(record) = self.resolver.record_of(&known.ty) {
            return self.member(&record, name, offset);
        }
        if self.resolver.is_container(&known.ty) {
            return self.name(name, Kind::Name, offset);
        }
        self.found.unknown("type not plain");
    }

    fn name(&mut self, name: &str, kind: Kind, offset: usize) {
        let package = &self.scope.package;
        if package.symbol(name).is_some() || is_universal(name) || name == "_" {
            return self.found.exists();
        }
        if package.is_loose(name) {
            return self.found.unknown("syntax error");
        }
        if let Some(reason) = package.open {
            return self.found.unknown(reason);
        }
        let dots = self.file.imports.iter().filter(|it| it.alias.as_deref() == Some("."));
        let dotted = self.resolver.dotted(&self.scope);
        if dotted.iter().any(|package| package.symbol(name).is_some()) {
            return self.found.exists();
        }
        if dots.count() > dotted.len() {
            return match self.is_excused(name) {
                true => self.found.unknown(DOTTED),
                false => self.found.doubtful(name, kind, offset, DOTTED),
            };
        }
        let names = self.scope.package.names().chain(misspelt(name, universal()));
        let names: Vec<String> = names.map(str::to_owned).collect();
        self.missing(name, kind, offset, &names);
    }

    fn qualified(&mut self, root: &str, name: &str, offset: usize) {
        match self.resolver.root(&self.scope, root) {
            Root::Unknown(reason) => self.found.unknown(reason),
            Root::Package(package, _) => {
                match self.resolver.qualified(&self.scope, root, name, DEPTH) {
                    Answer::Found(_) => self.found.exists(),
                    Answer::Unknown(reason) => self.found.unknown(reason),
                    Answer::Missing => {
                        let names: Vec<String> = package.names().map(str::to_owned).collect();
                        self.missing(name, Kind::Attribute, offset, &names);
                    }
                }
            }
            Root::Other => self.value_member(root, name, offset),
        }
    }

    /// `root.name` where `root` is a variable or a type of the package.
    fn value_member(&mut self, root: &str, name: &str, offset: usize) {
        let Some(known) = self.resolver.symbol(&self.scope.package, root, DEPTH) else {
            let start = offset.saturating_sub(root.len() + 1);
            return self.name(root, Kind::Name, start);
        };
        self.member(&known.ty, name, offset);
    }
}
