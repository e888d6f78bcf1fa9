//! Which class a name of Kotlin stands for, and which members a class has.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use super::super::super::session::{Place, Session};
use super::super::resolve as java;
use super::facts::{KotlinFile, Level, Member, Scope};
use super::library::{self, Entry, LibraryClass};
use super::outline::Declared;
use super::packages::Packages;
use super::platform::is_foreign;
use super::read;

/// How deep classes are followed.
pub(super) const DEEPEST: usize = 20;
/// Why what a class inherits is not known.
pub(super) const BASE: &str = "base that cannot be resolved";
/// Why nothing is known of what an import brings.
pub(super) const UNRESOLVED: &str = "import that is not resolved";
/// Why a name may come from anywhere.
pub(super) const STAR: &str = "names taken over from an unknown package";
/// Packages that every file imports.
pub(super) const DEFAULTS: [&str; 10] = [
    "kotlin",
    "kotlin.annotation",
    "kotlin.collections",
    "kotlin.comparisons",
    "kotlin.io",
    "kotlin.ranges",
    "kotlin.sequences",
    "kotlin.text",
    "kotlin.jvm",
    "java.lang",
];
/// A file, by what it says.
#[derive(Debug)]
pub(super) struct Source {
    pub(super) file: Arc<KotlinFile>,
    /// Whether it is written for a platform whose own names no table has.
    pub(super) is_foreign: bool,
}

impl Source {
    fn new(file: Arc<KotlinFile>, path: &str) -> Self {
        let is_foreign = is_foreign(path, &file.package);
        Self { file, is_foreign }
    }
}

/// A class.
#[derive(Debug, Clone)]
pub(super) enum Class {
    /// A class of the workspace, in each file that declares it.
    Kotlin(Rc<[(Rc<Source>, usize)]>),
    Library(LibraryClass),
    Java(java::ClassRef),
}

/// The answer to the search of a class.
#[derive(Debug, Clone)]
pub(super) enum Lookup {
    Found(Class),
    Missing,
    /// The package is none that is known.
    Elsewhere,
    Unknown(&'static str),
}

/// What a name was found to be.
#[derive(Debug, Clone)]
pub(super) enum Hit {
    Member(Rc<Source>, Member),
    Class(Class),
    Library(Entry),
    Java(java::Type),
    /// It is there, and no more is known.
    Opaque(&'static str),
}

/// Why nothing more is known of a name.
pub(super) const PACKAGED: &str = "name inside of an archive";

/// Why a name that is imported and inherited cannot be told.
pub(super) const TWO: &str = "name that may stand for two classes";

/// The answer to the search of a name.
#[derive(Debug, Clone)]
pub(super) enum Answer {
    Found(Hit),
    Missing,
    Unknown(&'static str),
}

/// What a value is.
#[derive(Debug, Clone)]
pub(super) enum Type {
    Unknown(&'static str),
    Class(Class),
    /// The start of a whole name.
    Package(String),
}

/// The file and the scope, and a name.
type Key = (usize, Scope, Box<str>);

/// Resolves names.
pub(super) struct Resolver<'a> {
    pub(super) session: &'a Session<'a>,
    pub(super) packages: Packages,
    pub(super) java: java::Resolver<'a>,
    sources: RefCell<HashMap<Box<str>, Option<Rc<Source>>>>,
    known: RefCell<HashMap<Key, Lookup>>,
    pub(super) types: RefCell<HashMap<(usize, u32), Type>>,
    pub(super) blocks: RefCell<HashMap<(usize, u32), super::values::Receiver>>,
    /// Whether packages have files of Java.
    pub(super) of_java: RefCell<HashMap<Box<str>, bool>>,
}

impl<'a> Resolver<'a> {
    pub(super) fn new(
        session: &'a Session<'a>,
        packages: Packages,
        java: java::Resolver<'a>,
    ) -> Self {
        let (sources, known, types, blocks, of_java) = Default::default();
        Self { session, packages, java, sources, known, types, blocks, of_java }
    }

    /// The file at a path.
    pub(super) fn source(&self, path: &str) -> Option<Rc<Source>> {
        if let Some(known) = self.sources.borrow().get(path) {
            return known.clone();
        }
        let bytes = self.session.read(&Place::workspace(path));
        let source = bytes.and_then(|bytes| self.read(path, &bytes));
        self.sources.borrow_mut().insert(path.into(), source.clone());
        source
    }

    /// The file that is checked.
    pub(super) fn read_checked(&self, path: &str, bytes: &[u8]) -> Option<Rc<Source>> {
        let facts = self.session.checked_facts("kotlin", bytes, || read::read(bytes).map(Arc::new));
        facts.as_ref().clone().map(|file| Rc::new(Source::new(file, path)))
    }

    /// What other files ask of a file.
    fn read(&self, path: &str, bytes: &[u8]) -> Option<Rc<Source>> {
        let read = || read::read(bytes).map(|file| Arc::new(file.for_others()));
        let facts = self.session.index.facts("kotlin", bytes, read);
        facts.as_ref().clone().map(|file| Rc::new(Source::new(file, path)))
    }

    /// Keeps the file that is checked, so that it is not read twice.
    pub(super) fn keep(&self, path: &str, source: &Rc<Source>) {
        self.sources.borrow_mut().insert(path.into(), Some(Rc::clone(source)));
    }

    /// The class that a name stands for in a scope of a file.
    pub(super) fn class(
        &self,
        source: &Rc<Source>,
        scope: Scope,
        name: &str,
        depth: usize,
    ) -> Lookup {
        if depth == 0 {
            return Lookup::Unknown("too many steps");
        }
        let key = (Rc::as_ptr(source) as usize, scope, Box::from(name));
        if let Some(known) = self.known.borrow().get(&key) {
            return known.clone();
        }
        // A class that is looked up while it is looked up leads nowhere.
        self.known.borrow_mut().insert(key.clone(), Lookup::Unknown("cycle of classes"));
        let found = self.dotted(source, scope, name, depth - 1);
        self.known.borrow_mut().insert(key, found.clone());
        found
    }

    fn dotted(&self, source: &Rc<Source>, scope: Scope, name: &str, depth: usize) -> Lookup {
        let (first, rest) = name.split_once('.').unwrap_or((name, ""));
        if !rest.is_empty() && first.starts_with(char::is_lowercase) {
            return match self.qualified(name, depth) {
                Lookup::Elsewhere => Lookup::Unknown("package outside of the workspace"),
                found => found,
            };
        }
        match self.simple(source, scope, first, depth) {
            Lookup::Found(class) => self.inner(class, rest, depth),
            Lookup::Unknown(_) if !rest.is_empty() => Lookup::Unknown("class that is not known"),
            other => other,
        }
    }

    fn simple(&self, source: &Rc<Source>, scope: Scope, name: &str, depth: usize) -> Lookup {
        let file = &source.file;
        if file.parameters.contains(name) {
            return Lookup::Unknown("type parameter");
        }
        // What is imported hides what the package, this very file included, has at its top.
        if file.class(None, name).is_some()
            && let Some(imported) = self.imported(source, name, depth)
        {
            return imported;
        }
        let inherited = self.nested(source, scope, name, depth);
        match &inherited {
            Lookup::Found(class) if self.may_be_imported(source, class, name) => {
                return Lookup::Unknown(TWO);
            }
            Lookup::Found(_) => return inherited,
            _ => {}
        }
        if let Some(number) = file.class(None, name) {
            return Lookup::Found(self.with_twins(source, number));
        }
        if let Some((target, _)) = file.aliases.get(name) {
            return self.alias(source, target, depth);
        }
        if let Some(imported) = self.imported(source, name, depth) {
            return imported;
        }
        match self.by_package(source, name, depth) {
            Lookup::Missing if source.is_foreign => Lookup::Unknown("names of another platform"),
            Lookup::Missing => inherited,
            other => other,
        }
    }

    /// What an import of this name brings in.
    fn imported(&self, source: &Rc<Source>, name: &str, depth: usize) -> Option<Lookup> {
        let mut imports = source.file.imports.iter();
        let import = imports.find(|it| !it.is_star && it.name() == name)?;
        Some(match self.qualified(&import.path, depth) {
            Lookup::Found(class) => Lookup::Found(class),
            Lookup::Unknown(reason) => Lookup::Unknown(reason),
            _ => Lookup::Unknown(UNRESOLVED),
        })
    }

    fn alias(&self, source: &Rc<Source>, target: &str, depth: usize) -> Lookup {
        match target {
            "" => Lookup::Unknown("type alias"),
            _ => match self.class(source, None, target, depth) {
                Lookup::Found(class) => Lookup::Found(class),
                _ => Lookup::Unknown("type alias"),
            },
        }
    }

    /// A class inside of the classes around, or of their bases.
    fn nested(&self, source: &Rc<Source>, scope: Scope, name: &str, depth: usize) -> Lookup {
        let mut unknown = None;
        let mut around = scope;
        while let Some(level) = source.file.level(around) {
            if let Level::Class(number) = level.level {
                if &*source.file.classes[number].name == name {
                    return Lookup::Found(self.with_twins(source, number));
                }
                match self.inner_class(&single(source, number), name, depth) {
                    Lookup::Missing | Lookup::Elsewhere => {}
                    Lookup::Unknown(reason) => unknown = Some(reason),
                    found @ Lookup::Found(_) => return found,
                }
            }
            around = level.outer;
        }
        unknown.map_or(Lookup::Missing, Lookup::Unknown)
    }

    /// A class of a file with its other declarations, for other platforms.
    pub(super) fn with_twins(&self, source: &Rc<Source>, number: usize) -> Class {
        let class = &source.file.classes[number];
        if class.outer.is_some() || class.open.is_none() {
            return single(source, number);
        }
        let mut twins = vec![(Rc::clone(source), number)];
        for (path, kind) in self.packages.find(&source.file.package, &class.name) {
            if kind == Declared::Class
                && let Some(other) = self.source(&path)
                && !Arc::ptr_eq(&other.file, &source.file)
                && let Some(number) = other.file.class(None, &class.name)
            {
                twins.push((other, number));
            }
        }
        Class::Kotlin(twins.into())
    }

    /// A class of the file's package, of packages imported whole, or of the defaults.
    fn by_package(&self, source: &Rc<Source>, name: &str, depth: usize) -> Lookup {
        let mut unknown = None;
        let stars = source.file.imports.iter().filter(|import| import.is_star);
        let stars = stars.map(|import| (&*import.path, true));
        let own = std::iter::once((&*source.file.package, false));
        let defaults = DEFAULTS.iter().map(|package| (*package, false));
        for (package, is_star) in own.chain(stars).chain(defaults) {
            match self.in_package(package, name, depth) {
                Lookup::Missing => {}
                found @ Lookup::Found(_) => return found,
                Lookup::Unknown(reason) => unknown = Some(reason),
                Lookup::Elsewhere if is_star => match self.qualified(package, depth) {
                    // Test classes that are not known lend functions, hardly classes.
                    Lookup::Found(Class::Library(_)) => {}
                    Lookup::Found(class) => match self.inner_class(&class, name, depth) {
                        found @ Lookup::Found(_) => return found,
                        Lookup::Unknown(reason) => unknown = Some(reason),
                        _ => {}
                    },
                    _ => unknown = Some(STAR),
                },
                Lookup::Elsewhere => {}
            }
        }
        unknown.map_or(Lookup::Missing, Lookup::Unknown)
    }

    /// A class at the top of a package.
    fn in_package(&self, package: &str, name: &str, depth: usize) -> Lookup {
        let mut twins = Vec::new();
        let mut alias = None;
        for (path, kind) in self.packages.find(package, name) {
            let Some(source) = self.source(&path) else { continue };
            match (kind, source.file.class(None, name), source.file.aliases.get(name)) {
                (_, Some(number), _) => twins.push((source, number)),
                (_, None, Some((target, _))) => match self.alias(&source, target, depth) {
                    Lookup::Found(Class::Kotlin(others)) => twins.extend(others.iter().cloned()),
                    other => alias = Some(other),
                },
                (Declared::Class, None, None) => return Lookup::Unknown("syntax error"),
                _ => {}
            }
        }
        match alias {
            Some(alias) if twins.is_empty() => return alias,
            Some(_) => return Lookup::Unknown("declared for each platform"),
            None => {}
        }
        if !twins.is_empty() {
            return Lookup::Found(Class::Kotlin(twins.into()));
        }
        if let Some(class) = library::class(package, name) {
            return Lookup::Found(Class::Library(class));
        }
        if let Some(target) = library::alias(package, name) {
            return self.qualified(target, depth);
        }
        self.java_class(package, name)
    }

    /// A class by its whole name.
    pub(super) fn qualified(&self, name: &str, depth: usize) -> Lookup {
        if depth == 0 {
            return Lookup::Unknown("too many steps");
        }
        let mut is_known = false;
        let mut end = name.len();
        while let Some(dot) = name[..end].rfind('.') {
            let (package, rest) = (&name[..dot], &name[dot + 1..]);
            let (first, inner) = rest.split_once('.').unwrap_or((rest, ""));
            match self.in_package(package, first, depth - 1) {
                Lookup::Found(class) => return self.inner(class, inner, depth - 1),
                Lookup::Unknown(reason) => return Lookup::Unknown(reason),
                Lookup::Missing => {
                    is_known |= first.starts_with(char::is_uppercase) || inner.is_empty()
                }
                Lookup::Elsewhere => {}
            }
            end = dot;
        }
        if is_known { Lookup::Missing } else { Lookup::Elsewhere }
    }

    /// A class inside of a class, along a dotted rest.
    fn inner(&self, class: Class, rest: &str, depth: usize) -> Lookup {
        let mut class = class;
        for part in rest.split('.').filter(|part| !part.is_empty()) {
            match self.inner_class(&class, part, depth) {
                Lookup::Found(found) => class = found,
                other => return other,
            }
        }
        Lookup::Found(class)
    }

    /// A class inside of a class or of its bases.
    fn inner_class(&self, class: &Class, name: &str, depth: usize) -> Lookup {
        if depth == 0 {
            return Lookup::Unknown("too many steps");
        }
        match class {
            Class::Kotlin(twins) => {
                for (source, number) in twins.iter() {
                    if let Some(found) = self.own_inner(source, *number, name) {
                        return Lookup::Found(found);
                    }
                }
                let mut unknown = None;
                for base in self.bases(class, depth - 1) {
                    match base.map(|base| self.inner_class(&base, name, depth - 1)) {
                        Ok(Lookup::Missing | Lookup::Elsewhere) => {}
                        Ok(Lookup::Unknown(reason)) | Err(reason) => unknown = Some(reason),
                        Ok(found @ Lookup::Found(_)) => return found,
                    }
                }
                unknown.map_or(Lookup::Missing, Lookup::Unknown)
            }
            Class::Library(class) if class.is_open() => {
                Lookup::Unknown("class with unknown members")
            }
            Class::Library(class) => {
                let inner = class.inner(name).map(Class::Library);
                inner.map_or(Lookup::Missing, Lookup::Found)
            }
            Class::Java(class) => match self.java.member(class, name) {
                java::Answer::Found(java::Type::Class(class)) => Lookup::Found(Class::Java(class)),
                java::Answer::Found(_) => Lookup::Unknown("type not plain"),
                java::Answer::Unknown(reason) => Lookup::Unknown(reason),
                java::Answer::Missing => Lookup::Missing,
            },
        }
    }

    pub(super) fn own_inner(
        &self,
        source: &Rc<Source>,
        number: usize,
        name: &str,
    ) -> Option<Class> {
        let file = &source.file;
        let in_companion = || file.companion(number).and_then(|it| file.class(Some(it), name));
        let found = file.class(Some(number), name).or_else(in_companion)?;
        Some(single(source, found))
    }

    /// The classes that a class extends, or why one cannot be told.
    pub(super) fn bases(&self, class: &Class, depth: usize) -> Vec<Result<Class, &'static str>> {
        match class {
            Class::Kotlin(twins) => {
                let mut bases = Vec::new();
                for (source, number) in twins.iter() {
                    let class = &source.file.classes[*number];
                    for base in &class.bases {
                        bases.push(match self.class(source, class.scope, base, depth) {
                            Lookup::Found(base) => Ok(base),
                            _ => Err(BASE),
                        });
                    }
                }
                bases
            }
            Class::Library(class) => {
                let find = |base: &str| match self.qualified(base, depth) {
                    Lookup::Found(base) => Some(Ok(base)),
                    _ => None,
                };
                class.bases().filter_map(find).collect()
            }
            Class::Java(_) => Vec::new(),
        }
    }
}

/// One class of one file.
pub(super) fn single(source: &Rc<Source>, number: usize) -> Class {
    Class::Kotlin(Rc::from([(Rc::clone(source), number)]))
}
