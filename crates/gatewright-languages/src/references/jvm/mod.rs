//! Java and Kotlin: packages, imports, classes and their members.
//!
//! [`read`] and [`code`] turn a file into [`facts`], resolving locals on the
//! way; [`project`] finds packages, [`declared`] the files of their classes,
//! [`jdk`] knows the classes of the JDK,
//! [`resolve`] follows names; this file asks about every reference of Java.
//! [`kotlin`] does the same for Kotlin and asks here about classes of Java;
//! Java knows of Kotlin's classes only that they are there.

mod builds;
mod class_file;
mod code;
mod declared;
mod facts;
mod jars;
mod jdk;
mod kotlin;
mod misplaced;
mod project;
mod read;
mod resolve;
mod spelt;
mod values;

use std::cell::OnceCell;
use std::rc::Rc;
use std::sync::Arc;

pub(crate) use self::spelt::may_be_lent;

use self::facts::{Context, Import, Target};
use self::project::{Project, Source};
use self::resolve::{
    Answer, BASE, ClassRef, DEEPEST, Lookup, OPEN, Resolver, STAR, Type, UNRESOLVED,
};
use super::collector::{Collector, Kind};
use super::session::{Place, Session};
use super::survey::OneFile;
use crate::syntax::LanguageId;

/// Takes of a file what every question about the workspace will need.
pub(super) fn take_ahead(one: &OneFile<'_>) {
    one.kept(project::Named::of);
    if one.path.ends_with(".kt") {
        kotlin::take_ahead(one);
    }
}

/// The answers about one file; `None` when it cannot be told.
pub(crate) fn check(
    session: &Session<'_>,
    language: LanguageId,
    path: &str,
    text: &[u8],
) -> Option<Collector> {
    if language == LanguageId::Kotlin {
        return kotlin::check(session, path, text);
    }
    let first = check_in(Project::new(session).with_jars(), path, text)?;
    match first {
        (found, true) if !found.missing.is_empty() => {
            // The folders that were remembered may be out of date.
            check_in(Project::fresh(session).with_jars(), path, text).map(|(found, _)| found)
        }
        (found, _) => Some(found),
    }
}

/// The answers, and whether they rest on folders that were remembered.
fn check_in(project: Project<'_>, path: &str, text: &[u8]) -> Option<(Collector, bool)> {
    let file = project.facts_of_checked(text)?;
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder).into();
    let source = Rc::new(Source { file: Arc::clone(&file), folder, twins: OnceCell::new() });
    let resolver = Resolver::new(project);
    let mut checker = Checker { resolver, source, lonely: Vec::new(), found: Collector::default() };
    for import in &file.imports {
        checker.import(import);
    }
    for reference in &file.references {
        checker.reference(&reference.target, reference.context, reference.offset);
    }
    checker.judge_lonely();
    if file.is_deep {
        checker.found.unknown("too deep");
    }
    let is_stale = checker.resolver.project.is_stale.get();
    Some((checker.found, is_stale))
}

/// Whether a package would belong to the workspace itself.
fn is_own(
    project: &Project<'_>,
    own: &str,
    package: &str,
    is_shared: impl Fn(usize) -> bool,
) -> bool {
    const SHARED: [&str; 5] =
        ["org.apache", "org.eclipse", "com.google", "com.github", "io.github"];
    let head = |name: &str, count: usize| name.split('.').take(count).collect::<Vec<_>>().join(".");
    let two = head(package, 2);
    let is_ours = two.contains('.') && two == head(own, 2) && !SHARED.contains(&two.as_str());
    // Many projects share these three parts.
    let count = if package.starts_with("org.apache.commons.") { 4 } else { 3 };
    is_ours && !is_shared(2)
        || package.split('.').count() >= count
            && project.owns(&head(package, count))
            && !is_shared(count)
}

/// Why a name that stands alone may come from a class around it, or from a receiver.
pub(crate) const LENT_BY_CLASSES: [&str; 2] = [BASE, UNRESOLVED];

/// Why a member cannot be told of a class whose package is not installed.
const NOT_INSTALLED: &str = "class that is not installed";

/// Why a class cannot be told that stands in the body of an anonymous one.
const INSIDE: &str = "class inside of a base that cannot be resolved";

struct Checker<'a> {
    resolver: Resolver<'a>,
    source: Rc<Source>,
    /// Classes that only packages could bring that are imported whole and not known.
    lonely: Vec<(String, usize)>,
    found: Collector,
}

impl Checker<'_> {
    fn missing(&mut self, name: &str, kind: Kind, offset: usize, candidates: &[String]) {
        if self.source.file.loose.contains(name) {
            return self.found.unknown("syntax error");
        }
        self.found.missing(name, kind, offset, candidates.iter().map(String::as_str));
    }

    /// A class that was not found is missing when nothing else in the workspace names it.
    fn missing_class(&mut self, name: &str, kind: Kind, offset: usize) {
        let last = name.rsplit('.').next().unwrap_or(name);
        if last.is_empty() || last.ends_with("Kt") {
            return self.found.unknown("class of another language");
        }
        if kind == Kind::Import
            && let Some(home) = self.resolver.project.misplaced(name)
        {
            return self.missing(last, kind, offset, &[home]);
        }
        if self.resolver.project.is_known_word(last) {
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
        names.extend(jdk::names("java.lang").map(str::to_owned));
        if kind == Kind::Import {
            names.extend(self.resolver.project.classes_of(package_of(name)));
        }
        self.missing(last, kind, offset, &names);
    }

    /// Whether the file is alone in a package of a library that others import from.
    fn lies_in_library(&self) -> bool {
        let project = &self.resolver.project;
        let package = &*self.source.file.package;
        let Some((around, _)) = package.rsplit_once('.').filter(|(it, _)| it.contains('.')) else {
            return false;
        };
        let folders = project.package(package);
        let [folder] = &*folders else { return false };
        let listing = project.session.list(&Place::workspace(&**folder));
        listing.files.iter().filter(|file| project::is_source(file)).count() <= 1
            && project.package(around).is_empty()
            && project.is_known_word(around)
    }

    /// Whether the file imports from beside its own packages what is not the workspace's.
    fn shares_head(&self, package: &str, import: &Import, count: usize) -> bool {
        let head = |name: &str| name.split('.').take(count).map(str::to_owned).collect::<Vec<_>>();
        let is_beside = |other: &&Import| {
            other.path != import.path && !other.is_star && head(&other.path) == head(package)
        };
        let mut others = self.source.file.imports.iter().filter(is_beside);
        others.any(|other| {
            let owner = package_of(&other.path);
            !self.resolver.project.owns(owner) && self.resolver.project.is_known_word(owner)
        })
    }

    /// Whether a package would lie right below one of a single part that is the workspace's own.
    fn is_below_own_root(&self, package: &str, import: &Import) -> bool {
        let root = package.rsplit_once('.').map(|(root, _)| root);
        root.is_some_and(|root| {
            !root.contains('.')
                && !self.resolver.project.package(root).is_empty()
                && !self.shares_head(package, import, 1)
        })
    }

    /// Notes a class that a package may bring that is imported whole.
    fn lonely(&mut self, name: &str, offset: usize) {
        let last = name.rsplit('.').next().unwrap_or(name);
        match self.resolver.project.is_known_word(last) {
            true => self.found.unknown(STAR),
            false => self.lonely.push((name.to_owned(), offset)),
        }
    }

    /// One class alone that nothing explains is hardly all that such a package is there for.
    fn judge_lonely(&mut self) {
        let lonely = std::mem::take(&mut self.lonely);
        let is_single = lonely.windows(2).all(|pair| pair[0].0 == pair[1].0);
        for (name, offset) in lonely {
            match is_single {
                true => self.missing_class(&name, Kind::Class, offset),
                false => self.found.unknown(STAR),
            }
        }
    }

    fn import(&mut self, import: &Import) {
        let path = &*import.path;
        match (import.is_static, import.is_star) {
            (false, false) => self.imported_class(path, import),
            (true, true) => self.imported_class(path, import),
            (true, false) => {
                let (owner, name) = path.rsplit_once('.').unwrap_or(("", path));
                match self.resolver.qualified(owner, DEEPEST) {
                    Lookup::Found(class) => self.member(&class, name, Kind::Import, import.offset),
                    _ => self.imported_class(owner, import),
                }
            }
            (false, true) => {
                let is_here = !self.resolver.project.package(path).is_empty()
                    || jdk::has_package(path)
                    || self.resolver.project.is_packaged(path)
                    || jdk::is_test_package(path)
                    || matches!(self.resolver.qualified(path, DEEPEST), Lookup::Found(_));
                match is_here {
                    true => self.found.exists(),
                    false => self.missing_package(path, import),
                }
            }
        }
    }

    /// Notes an import of which cannot be told whether it leads anywhere.
    fn untold(&mut self, import: &Import, reason: &'static str) {
        match import.path.rsplit_once('.').filter(|_| !import.is_star) {
            Some(import_of) => self.found.untold(import_of, import.offset, reason),
            None => self.found.unknown(reason),
        }
    }

    fn imported_class(&mut self, path: &str, import: &Import) {
        let package = package_of(path);
        if jdk::is_platform(package) && self.resolver.project.package(package).is_empty() {
            return self.missing_package(package, import);
        }
        match self.resolver.qualified(path, DEEPEST) {
            Lookup::Found(_) => self.found.exists(),
            Lookup::Unknown(reason) => self.untold(import, reason),
            Lookup::Missing => self.missing_class(path, Kind::Import, import.offset),
            Lookup::Elsewhere => self.missing_package(package, import),
        }
    }

    /// A package that neither the workspace nor the JDK has.
    fn missing_package(&mut self, package: &str, import: &Import) {
        let project = &self.resolver.project;
        if project.is_known_word(package) {
            return self.untold(import, "package outside of the workspace");
        }
        let last = import.path.rsplit('.').next().unwrap_or_default();
        if matches!(last, "R" | "BR" | "BuildConfig") {
            return self.untold(import, "generated code");
        }
        let class = import.path.strip_prefix(package).and_then(|rest| rest.strip_prefix('.'));
        let class = class.and_then(|rest| rest.split('.').next()).filter(|_| !import.is_star);
        if let Some(home) = class.and_then(|class| project.home_beside(package, class)) {
            return self.missing(package, Kind::Module, import.offset, &[home]);
        }
        let is_shared = |count| self.shares_head(package, import, count);
        if is_own(project, &self.source.file.package, package, is_shared)
            || self.is_below_own_root(package, import)
            || package.starts_with("java.")
            || jdk::is_platform(package)
        {
            return self.missing(package, Kind::Module, import.offset, &[]);
        }
        match project.is_declared(package) {
            Some(false) => self.missing(package, Kind::Package, import.offset, &[]),
            Some(true) => self.untold(import, "package declared but not installed"),
            None => self.untold(import, "no build file"),
        }
    }

    fn reference(&mut self, target: &Target, context: Context, offset: usize) {
        match target {
            Target::Type(name) => match self.resolver.class(&self.source, context, name) {
                Lookup::Found(_) => self.found.exists(),
                // What an anonymous class stands for may lend it classes that are inside of it.
                Lookup::Unknown(BASE | OPEN)
                    if context
                        .is_some_and(|class| self.source.file.classes[class].name.is_empty())
                        && !self.resolver.project.is_known_word(name) =>
                {
                    self.found.doubtful(name, Kind::Class, offset, INSIDE);
                }
                // What is not known hardly lends a class that only this file names.
                Lookup::Missing | Lookup::Unknown(BASE | OPEN) => {
                    let head = self.first_missing(name, context);
                    self.missing_class(head, Kind::Class, offset);
                }
                Lookup::Unknown(STAR) => self.lonely(name, offset),
                Lookup::Unknown(reason) => self.found.unknown(reason),
                Lookup::Elsewhere => self.found.unknown("package outside of the workspace"),
            },
            Target::Call(name) => self.call(name, context, offset),
            Target::Name { name, may_be_package } => {
                self.name(name, *may_be_package, context, offset);
            }
            Target::Member(owner, name) => {
                match self.resolver.eval(&self.source, *owner, DEEPEST) {
                    Type::Class(class) => self.member(&class, name, Kind::Member, offset),
                    Type::Unknown(UNRESOLVED) => {
                        self.found.doubtful(name, Kind::Member, offset, NOT_INSTALLED);
                    }
                    Type::Unknown(reason) => self.found.unknown(reason),
                    Type::Basic => self.found.unknown("type not plain"),
                    Type::Package(_) => self.found.unknown("package outside of the workspace"),
                }
            }
        }
    }

    /// The head of a dotted name that is not there already: what it holds is not there either.
    fn first_missing<'n>(&self, name: &'n str, context: Context) -> &'n str {
        let mut heads = name.match_indices('.').map(|(end, _)| &name[..end]);
        let is_missing = |head: &&str| {
            let last = head.rsplit('.').next().unwrap_or(head);
            last.starts_with(char::is_uppercase)
                && matches!(self.resolver.class(&self.source, context, head), Lookup::Missing)
        };
        heads.find(is_missing).unwrap_or(name)
    }

    fn member(&mut self, class: &ClassRef, name: &str, kind: Kind, offset: usize) {
        match self.resolver.member(class, name) {
            Answer::Found(_) => self.found.exists(),
            Answer::Unknown(BASE) => self.found.doubtful(name, kind, offset, BASE),
            Answer::Unknown(reason) => self.found.unknown(reason),
            Answer::Missing if matches!(name, "new" | "this" | "class" | "super") => {
                self.found.exists();
            }
            Answer::Missing => {
                let names = self.resolver.names(class);
                self.missing(name, kind, offset, &names);
            }
        }
    }

    fn call(&mut self, name: &str, context: Context, offset: usize) {
        match self.resolver.around(&self.source, context, name) {
            Answer::Found(_) => self.found.exists(),
            Answer::Unknown(BASE) => self.found.doubtful(name, Kind::Call, offset, BASE),
            Answer::Unknown(reason) => self.found.unknown(reason),
            Answer::Missing if context.is_none() => self.found.unknown("no class around"),
            Answer::Missing => {
                let names = self.names_around(context);
                self.missing(name, Kind::Call, offset, &names);
            }
        }
    }

    fn names_around(&self, context: Context) -> Vec<String> {
        let mut names = Vec::new();
        let mut around = context;
        while let Some(class) = around.and_then(|number| self.source.file.classes.get(number)) {
            names.extend(class.members.keys().map(ToString::to_string));
            around = class.outer;
        }
        names
    }

    fn name(&mut self, name: &str, may_be_package: bool, context: Context, offset: usize) {
        let unknown = match self.resolver.around(&self.source, context, name) {
            Answer::Found(_) => return self.found.exists(),
            Answer::Unknown(reason) => Some(reason),
            Answer::Missing => None,
        };
        let is_class = name.starts_with(char::is_uppercase);
        match (self.resolver.class(&self.source, context, name), unknown) {
            (Lookup::Found(_), _) => self.found.exists(),
            (_, Some(BASE)) if !is_class && !may_be_package => {
                self.found.doubtful(name, Kind::Name, offset, BASE);
            }
            (_, Some(reason)) | (Lookup::Unknown(reason), None) => self.found.unknown(reason),
            _ if may_be_package && !is_class => {
                self.found.unknown("package outside of the workspace");
            }
            _ if is_class => self.missing_class(name, Kind::Class, offset),
            _ if context.is_none() => self.found.unknown("no class around"),
            _ => {
                let names = self.names_around(context);
                self.missing(name, Kind::Name, offset, &names);
            }
        }
    }
}

/// The package in front of the classes that a path ends with.
fn package_of(path: &str) -> &str {
    let mut package = path.rsplit_once('.').map_or(path, |(around, _)| around);
    while let Some((around, last)) = package.rsplit_once('.')
        && last.starts_with(char::is_uppercase)
    {
        package = around;
    }
    package
}

/// Whether a name is one that build tools and annotation processors write.
pub(super) fn is_generated(path: &str) -> bool {
    const STARTS: [&str; 3] = ["Dagger", "Hilt_", "Native"];
    const ENDS: [&str; 13] = [
        "Binding",
        "Directions",
        "Args",
        "_Impl",
        "_Factory",
        "Grpc",
        "GrpcKt",
        "JsonAdapter",
        "ManagerDelegate",
        "ManagerInterface",
        "OuterClass",
        "_GeneratedInjector",
        "ViewModel_Factory",
    ];
    let last = path.rsplit('.').next().unwrap_or(path);
    matches!(last, "R" | "BR" | "BuildConfig")
        || [".R.", ".databinding.", ".generated."].iter().any(|part| path.contains(part))
        || STARTS.iter().any(|start| last.starts_with(start))
        || ENDS.iter().any(|end| last.ends_with(end))
        || last.starts_with("Hybrid") && last.ends_with("Spec")
}
