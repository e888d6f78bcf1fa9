//! Kotlin: packages wherever their files lie, imports, classes, extensions and receivers.
//!
//! [`outline`] reads every file of the workspace for the names that it declares,
//! [`read`] and [`code`] turn the files that matter into [`facts`]; [`packages`]
//! knows where names are declared, [`library`] what the standard library has;
//! [`resolve`] and [`values`] follow names; this file asks about every reference.

mod arguments;
mod blocks;
mod classes;
mod code;
mod declare;
mod facts;
mod from_java;
mod library;
mod members;
mod outline;
mod packages;
mod platform;
mod read;
mod resolve;
mod types;
mod values;
mod written;

use std::rc::Rc;

use self::facts::{Import, Scope, Target};
pub(super) use self::library::TABLE as LIBRARY;
use self::packages::Packages;
use self::resolve::{
    Answer, BASE, Class, DEEPEST, Lookup, Resolver, STAR, Source, Type, UNRESOLVED,
};
use super::super::collector::{Collector, Kind};
use super::super::replaced::odd_part;
use super::super::session::Session;
use super::super::survey::OneFile;
use super::{NOT_INSTALLED, is_generated, jdk, package_of, project::Project, resolve as java};

/// Takes of a file what every question about the workspace will need.
pub(super) fn take_ahead(one: &OneFile<'_>) {
    one.kept(packages::outline_of);
}

/// The answers about one file; `None` when it cannot be told.
pub(super) fn check(session: &Session<'_>, path: &str, text: &[u8]) -> Option<Collector> {
    let packages = Packages::new(session, false)?;
    let is_stale = packages.is_stale;
    let project = Project::new(session).with_jars();
    let first = check_in(session, packages, project, path, text)?;
    if !is_stale || first.missing.is_empty() {
        return Some(first);
    }
    // What was remembered of the workspace may be out of date.
    let project = Project::fresh(session).with_jars();
    check_in(session, Packages::new(session, true)?, project, path, text)
}

fn check_in<'a>(
    session: &'a Session<'a>,
    packages: Packages,
    project: Project<'a>,
    path: &'a str,
    text: &'a [u8],
) -> Option<Collector> {
    let resolver = Resolver::new(session, packages, java::Resolver::new(project));
    let source = resolver.read_checked(path, text)?;
    resolver.keep(path, &source);
    let is_script = path.ends_with(".kts");
    let (lonely, found) = (Vec::new(), Collector::default());
    let mut checker = Checker { resolver, source, is_script, lonely, found, written: (path, text) };
    let file = std::sync::Arc::clone(&checker.source.file);
    for import in &file.imports {
        checker.import(import);
    }
    for reference in &file.references {
        checker.reference(&reference.target, reference.scope, reference.offset);
    }
    for argument in &file.arguments {
        checker.argument(argument);
    }
    checker.judge_lonely();
    if file.is_deep {
        checker.found.unknown("too deep");
    }
    Some(checker.found)
}

struct Checker<'a> {
    resolver: Resolver<'a>,
    /// Names that only packages could bring that are imported whole and not known.
    lonely: Vec<(String, Kind, usize)>,
    source: Rc<Source>,
    /// A script is run by a program that adds names to it.
    is_script: bool,
    found: Collector,
    /// The path and the text that are checked.
    written: (&'a str, &'a [u8]),
}

impl Checker<'_> {
    fn missing(&mut self, name: &str, kind: Kind, offset: usize, candidates: &[String]) {
        if self.source.file.loose.contains(name) {
            return self.found.unknown("syntax error");
        }
        if self.is_script && !matches!(kind, Kind::Import | Kind::Module | Kind::Package) {
            return self.found.unknown("script");
        }
        if let Some(reason) = written::excuse(self.written.1, name, kind, offset) {
            return self.found.unknown(reason);
        }
        self.found.missing(name, kind, offset, candidates.iter().map(String::as_str));
    }

    /// Whether nothing can be said of a name here.
    fn is_loose(&self, name: &str) -> bool {
        self.is_script || self.source.is_foreign || self.source.file.loose.contains(name)
    }

    /// Whether other files name a word as well, so that it hardly is invented.
    fn is_known_word(&self, word: &str) -> bool {
        self.resolver.packages.is_known_word(word)
            || word.starts_with(char::is_uppercase)
                && self.resolver.java.project.is_known_word(word)
    }

    /// Notes a name that a package may bring that is imported whole.
    fn lonely(&mut self, name: &str, kind: Kind, offset: usize) {
        let last = name.rsplit('.').next().unwrap_or(name);
        match self.is_known_word(last) || is_generated(name) {
            true => self.found.unknown(STAR),
            false => self.lonely.push((last.to_owned(), kind, offset)),
        }
    }

    /// The first name that nothing explains is hardly what such a package is there for.
    fn judge_lonely(&mut self) {
        for (name, kind, offset) in std::mem::take(&mut self.lonely) {
            match self.is_loose(&name) {
                true => self.found.unknown(STAR),
                false => self.found.doubtful(&name, kind, offset, STAR),
            }
        }
    }

    /// A class that was not found is missing when nothing else in the workspace names it.
    fn missing_class(&mut self, name: &str, kind: Kind, offset: usize) {
        let last = name.rsplit('.').next().unwrap_or(name);
        if self.is_known_word(last) {
            return self.found.unknown("class that other files name as well");
        }
        if is_generated(name) {
            return self.found.unknown("generated code");
        }
        if self.lies_in_library() {
            return self.found.unknown("package shared with a library");
        }
        let file = &self.source.file;
        let own = file.classes.iter().map(|class| class.name.to_string());
        let imported = file.imports.iter().map(|import| import.name().to_owned());
        let mut names: Vec<String> = own.chain(imported).collect();
        names.extend(self.resolver.packages.names(&file.package));
        names.extend(library::names("kotlin").into_iter().map(str::to_owned));
        self.missing(last, kind, offset, &names);
    }

    fn import(&mut self, import: &Import) {
        let path = &*import.path;
        if import.is_star {
            let is_here = self.resolver.has_package(path)
                || matches!(self.resolver.qualified(path, DEEPEST), Lookup::Found(_));
            return match is_here {
                true => self.found.exists(),
                false => self.missing_package(path, import),
            };
        }
        if self.resolver.path(path, DEEPEST).is_some() {
            return self.found.exists();
        }
        let (owner, name) = path.rsplit_once('.').unwrap_or(("", path));
        match self.resolver.qualified(owner, DEEPEST) {
            Lookup::Found(class) => return self.member(&class, name, Kind::Import, import.offset),
            Lookup::Unknown(reason) => return self.untold(import, reason),
            Lookup::Missing
                if is_called_like_class(owner) && !self.resolver.packages.has_package(owner) =>
            {
                let package = owner.rsplit_once('.').map_or("", |(package, _)| package);
                return match self.is_shared(package) {
                    true => self.untold(import, "package shared with a library"),
                    false => self.missing_class(owner, Kind::Import, import.offset),
                };
            }
            _ => {}
        }
        if !self.resolver.has_package(owner) {
            return self.missing_package(owner, import);
        }
        match self.resolver.qualified(path, DEEPEST) {
            Lookup::Unknown(reason) => self.untold(import, reason),
            _ => self.missing_import(name, import),
        }
    }

    /// Notes an import of which cannot be told whether it leads anywhere.
    fn untold(&mut self, import: &Import, reason: &'static str) {
        let whole = import.path.rsplit_once('.').filter(|_| !import.is_star);
        match whole {
            Some(import_of) => self.found.untold(import_of, import.offset, reason),
            None => self.found.unknown(reason),
        }
    }

    fn missing_import(&mut self, name: &str, import: &Import) {
        let path = &*import.path;
        let owner = path.rsplit_once('.').map_or("", |(owner, _)| owner);
        if let Some(home) = self.misplaced(owner, name) {
            return self.missing(name, Kind::Import, import.offset, &[home]);
        }
        if self.is_known_word(name) || is_generated(path) {
            return self.found.unknown("name that other files import as well");
        }
        if self.is_shared(owner) {
            return self.untold(import, "package shared with a library");
        }
        let mut names = self.resolver.packages.names(owner);
        names.extend(library::names(owner).into_iter().map(str::to_owned));
        names.extend(jdk::names(owner).map(str::to_owned));
        self.missing(name, Kind::Import, import.offset, &names);
    }

    /// Where a class of the workspace really lies that is imported from another package.
    fn misplaced(&self, owner: &str, name: &str) -> Option<String> {
        let packages = &self.resolver.packages;
        if !name.starts_with(char::is_uppercase) || packages.imported_from(owner).contains(name) {
            return None;
        }
        self.resolver.java.project.misplaced(&format!("{owner}.{name}"))
    }

    /// Whether other files, or this one, import names of a package that the workspace does not
    /// declare and no build makes.
    fn is_shared(&self, package: &str) -> bool {
        let others = self.resolver.packages.imported_from(package);
        others.iter().any(|name| self.is_elsewhere(package, name))
    }

    /// Whether the file imports from its own package what only a library can have there.
    fn lies_in_library(&self) -> bool {
        let file = &self.source.file;
        let own =
            |path: &str| Some(path.strip_prefix(&*file.package)?.strip_prefix('.')?.to_owned());
        let imports = file.imports.iter().filter(|import| !import.is_star);
        let mut classes = imports.filter_map(|import| own(&import.path)).filter_map(|path| {
            let (class, _) = path.split_once('.')?;
            let is_package =
                || self.resolver.packages.has_package(&format!("{}.{class}", file.package));
            (class.starts_with(char::is_uppercase) && !is_package()).then(|| class.to_owned())
        });
        !file.package.is_empty() && classes.any(|class| self.is_elsewhere(&file.package, &class))
    }

    fn is_elsewhere(&self, package: &str, name: &str) -> bool {
        let path = format!("{package}.{name}");
        !matches!(name, "R" | "BuildConfig")
            && !is_generated(&path)
            && self.resolver.packages.find(package, name).is_empty()
            && self.resolver.path(&path, DEEPEST).is_none()
    }

    /// A package that neither the workspace nor a table has.
    fn missing_package(&mut self, package: &str, import: &Import) {
        const OUTSIDE: &str = "package outside of the workspace";
        // What a class has is not imported from a package that is not there.
        let package = if is_called_like_class(package) { package_of(package) } else { package };
        let packages = &self.resolver.packages;
        let project = &self.resolver.java.project;
        if packages.is_known_word(package) || project.is_known_word(package) {
            return self.untold(import, OUTSIDE);
        }
        if let Some(home) = self.home_beside(package, import) {
            return self.missing(package, Kind::Module, import.offset, &[home]);
        }
        if jdk::is_platform(package) || library::is_part(package) {
            return self.missing(package, Kind::Module, import.offset, &[]);
        }
        if self.is_used_library(package) {
            return self.untold(import, OUTSIDE);
        }
        let parent = package.rsplit_once('.').map_or("", |(parent, _)| parent);
        let parts = parent.split('.').count();
        let is_own =
            parts >= 2 && packages.has_package(parent) || parts >= 3 && packages.fills(parent);
        if is_own || package.starts_with("java.") {
            return self.missing(package, Kind::Module, import.offset, &[]);
        }
        match project.is_declared(package) {
            Some(false) => self.missing(package, Kind::Package, import.offset, &[]),
            Some(true) => self.untold(import, "package declared but not installed"),
            None => self.untold(import, "no build file"),
        }
    }

    /// The package of the workspace that has what is imported, and is called like the package
    /// that is not there but for one part which no build file names.
    fn home_beside(&self, package: &str, import: &Import) -> Option<String> {
        let (owner, name) = import.path.rsplit_once('.')?;
        if import.is_star || owner != package || package.split('.').count() < 3 {
            return None;
        }
        let homes = self.resolver.packages.homes(name);
        let is_beside = |home: &&str| {
            odd_part(package, home).is_some_and(|(part, _)| {
                self.resolver.java.project.is_built_with(&[part]) != Some(true)
            })
        };
        homes.into_iter().find(is_beside).map(str::to_owned)
    }

    /// Whether other files import from around a package that is not the workspace's own.
    fn is_used_library(&self, package: &str) -> bool {
        const COMMON: [&str; 8] = ["com", "org", "net", "io", "de", "me", "dev", "github"];
        let packages = &self.resolver.packages;
        let mut around = package;
        while let Some((outer, _)) = around.rsplit_once('.') {
            let is_telling = outer.split('.').any(|part| !COMMON.contains(&part));
            if is_telling && !packages.owns(outer) && packages.is_known_word(outer) {
                return true;
            }
            around = outer;
        }
        false
    }

    fn reference(&mut self, target: &Target, scope: Scope, offset: usize) {
        match target {
            Target::Type(name) => match self.resolver.class(&self.source, scope, name, DEEPEST) {
                Lookup::Found(_) => self.found.exists(),
                // What is not known hardly lends a class that only this file names.
                Lookup::Missing | Lookup::Unknown(BASE) => {
                    let head = self.resolver.first_missing(&self.source, scope, name);
                    self.missing_class(head, Kind::Class, offset);
                }
                Lookup::Unknown(STAR) => self.lonely(name, Kind::Class, offset),
                Lookup::Unknown(reason) => self.found.unknown(reason),
                Lookup::Elsewhere => self.found.unknown("package outside of the workspace"),
            },
            Target::Call(name) => self.name(name, Kind::Call, scope, offset),
            Target::Name { name, may_be_package: true } if name.starts_with(char::is_lowercase) => {
                match self.resolver.bare(&self.source, scope, name, DEEPEST) {
                    Answer::Found(_) => self.found.exists(),
                    Answer::Unknown(reason) => self.found.unknown(reason),
                    Answer::Missing => self.found.unknown("package outside of the workspace"),
                }
            }
            Target::Name { name, .. } => self.name(name, Kind::Name, scope, offset),
            Target::Member(owner, name) => {
                match self.resolver.eval(&self.source, *owner, DEEPEST) {
                    Type::Class(class) if self.lacks(*owner, &class, name) => {
                        let names = self.resolver.names(&class);
                        self.missing(name, Kind::Member, offset, &names);
                    }
                    Type::Class(class) => self.member(&class, name, Kind::Member, offset),
                    Type::Unknown(UNRESOLVED)
                        if !self.is_loose(name) && !self.is_declared(name) =>
                    {
                        self.found.doubtful(name, Kind::Member, offset, NOT_INSTALLED);
                    }
                    Type::Unknown(reason) => self.found.unknown(reason),
                    Type::Package(_) => self.found.unknown("package outside of the workspace"),
                }
            }
        }
    }

    /// Whether a class is named, and neither it nor its companion has a member: what its bases
    /// have does not come with its name.
    fn lacks(&self, owner: facts::Id, class: &Class, name: &str) -> bool {
        let facts::Shape::Name(named, _) = self.source.file.shape(owner) else { return false };
        named.starts_with(char::is_uppercase)
            && self.resolver.lacks_static(class, name)
            && !self.is_loose(name)
            && !self.is_declared(name)
    }

    /// Whether a name is an extension, or is brought in by the file itself.
    fn is_declared(&self, name: &str) -> bool {
        self.resolver.extension(name).is_some() || self.is_imported(name)
    }

    fn member(&mut self, class: &Class, name: &str, kind: Kind, offset: usize) {
        match self.resolver.member(class, name, DEEPEST) {
            Answer::Found(_) => self.found.exists(),
            Answer::Unknown(BASE) if !self.is_loose(name) => {
                self.found.doubtful(name, kind, offset, BASE);
            }
            Answer::Unknown(reason) => self.found.unknown(reason),
            Answer::Missing if self.resolver.extension(name).is_some() => self.found.exists(),
            Answer::Missing if kind != Kind::Import && self.is_imported(name) => {
                self.found.exists();
            }
            Answer::Missing if self.source.is_foreign => {
                self.found.unknown("names of another platform");
            }
            Answer::Missing
                if (self.has_unknown_star() || self.source.is_foreign)
                    && self.is_known_word(name) =>
            {
                self.found.unknown(STAR);
            }
            Answer::Missing => {
                let names = self.resolver.names(class);
                self.missing(name, kind, offset, &names);
            }
        }
    }

    /// Whether an import brings a name in, which may be an extension.
    fn is_imported(&self, name: &str) -> bool {
        self.source.file.imports.iter().any(|import| match import.is_star {
            true => self.resolver.is_packaged_value(&import.path, name),
            false => import.name() == name,
        })
    }

    /// Whether some package is imported whole that is not known.
    fn has_unknown_star(&self) -> bool {
        let mut stars = self.source.file.imports.iter().filter(|import| import.is_star);
        stars.any(|import| {
            !self.resolver.has_package(&import.path)
                && !matches!(self.resolver.qualified(&import.path, DEEPEST), Lookup::Found(_))
        })
    }

    fn name(&mut self, name: &str, kind: Kind, scope: Scope, offset: usize) {
        let unknown = match self.resolver.bare(&self.source, scope, name, DEEPEST) {
            Answer::Found(_) => return self.found.exists(),
            Answer::Unknown(reason) => Some(reason),
            Answer::Missing => None,
        };
        let is_class = name.starts_with(char::is_uppercase);
        match (self.resolver.class(&self.source, scope, name, DEEPEST), unknown) {
            (Lookup::Found(_), _) => self.found.exists(),
            (Lookup::Missing | Lookup::Unknown(BASE), Some(BASE))
                if is_class && kind == Kind::Call =>
            {
                self.missing_class(name, Kind::Class, offset);
            }
            // The receiver of a lambda lends functions, hardly classes.
            (Lookup::Missing, Some(blocks::OPEN | blocks::METHOD | blocks::OTHER | UNRESOLVED))
                if is_class && kind == Kind::Call =>
            {
                self.missing_class(name, Kind::Class, offset);
            }
            (Lookup::Unknown(STAR), Some(BASE)) if is_class && kind == Kind::Call => {
                self.lonely(name, Kind::Class, offset);
            }
            (Lookup::Missing | Lookup::Unknown(STAR), Some(STAR)) if kind == Kind::Call => {
                self.lonely(name, kind, offset);
            }
            (_, Some(reason)) if !is_class && is_lent(reason) && !self.is_loose(name) => {
                self.found.doubtful(name, kind, offset, reason);
            }
            (_, Some(reason)) | (Lookup::Unknown(reason), None) => self.found.unknown(reason),
            _ if is_class => self.missing_class(name, Kind::Class, offset),
            _ => {
                let names = self.names_around(scope);
                self.missing(name, kind, offset, &names);
            }
        }
    }

    fn names_around(&self, scope: Scope) -> Vec<String> {
        let file = &self.source.file;
        let mut names: Vec<String> = file.top.keys().map(ToString::to_string).collect();
        let mut around = scope;
        while let Some(level) = file.level(around) {
            if let facts::Level::Class(number) = level.level {
                names.extend(file.classes[number].members.keys().map(ToString::to_string));
            }
            around = level.outer;
        }
        names.extend(self.resolver.packages.names(&file.package));
        names
    }
}

/// Whether a class around a name, or a receiver, that is not known may lend it.
///
/// Blocks of functions without a receiver that are not known are small languages of their own, where
/// a word that nothing else spells is common.
fn is_lent(reason: &str) -> bool {
    [BASE, blocks::METHOD, blocks::OTHER, UNRESOLVED].contains(&reason)
}

/// Whether the last part of a path looks like a class.
fn is_called_like_class(path: &str) -> bool {
    path.rsplit('.').next().is_some_and(|it| it.starts_with(char::is_uppercase))
}
