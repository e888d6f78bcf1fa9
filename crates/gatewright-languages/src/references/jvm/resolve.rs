//! Which class a name stands for, and which members a class has.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

use super::super::session::Session;
use super::declared::{Homes, HomesKey, SpeltFiles};
use super::facts::Context;
use super::jdk::{self, JdkClass};
use super::project::{Project, Source};

/// How deep classes are followed.
pub(crate) const DEEPEST: usize = 24;

/// Why what a class inherits is not known.
pub(crate) const BASE: &str = "base that cannot be resolved";
/// Why not all that a class of the JDK has is known.
pub(crate) const OPEN: &str = "class with unknown members";

/// Why a class cannot be told that is imported from where nobody can look.
pub(crate) const UNRESOLVED: &str = "import that is not resolved";

/// Why a name may come from anywhere.
pub(crate) const STAR: &str = "names taken over from an unknown package";

/// A class, of the workspace or of the JDK.
#[derive(Debug, Clone)]
pub(crate) enum ClassRef {
    Source(Rc<Source>, usize),
    Jdk(JdkClass),
}

/// The answer to the search of a class.
#[derive(Debug, Clone)]
pub(crate) enum Lookup {
    Found(ClassRef),
    Missing,
    /// The package is none that is known.
    Elsewhere,
    Unknown(&'static str),
}

/// What a value is.
#[derive(Debug, Clone)]
pub(crate) enum Type {
    Unknown(&'static str),
    Basic,
    Class(ClassRef),
    /// The start of a whole name.
    Package(String),
}

/// The answer to the search of a member.
#[derive(Debug)]
pub(crate) enum Answer {
    Found(Type),
    Missing,
    Unknown(&'static str),
}

/// A folder and the name of a class.
type FolderKey = (Box<str>, Box<str>);
/// The file and the class around, and a name.
type Key = (usize, Context, Box<str>);

/// Resolves names.
pub(crate) struct Resolver<'a> {
    pub(crate) project: Project<'a>,
    known: RefCell<HashMap<Key, Lookup>>,
    pub(super) scanned: RefCell<HashMap<FolderKey, Lookup>>,
    pub(super) homes: RefCell<HashMap<HomesKey, Rc<Homes>>>,
    /// Whether another declaration of a class is asked.
    pub(super) in_twin: Cell<bool>,
    pub(super) spelt: RefCell<HashMap<HomesKey, SpeltFiles>>,
}

impl<'a> Resolver<'a> {
    pub(crate) fn new(project: Project<'a>) -> Self {
        let (known, scanned, homes, spelt, in_twin) = Default::default();
        Self { project, known, scanned, homes, spelt, in_twin }
    }

    pub(super) fn session(&self) -> &Session<'a> {
        self.project.session
    }

    /// The class that a name stands for inside of a class of a file.
    pub(crate) fn class(&self, source: &Rc<Source>, context: Context, name: &str) -> Lookup {
        self.class_at(source, context, name, DEEPEST)
    }

    fn class_at(&self, source: &Rc<Source>, context: Context, name: &str, depth: usize) -> Lookup {
        if depth == 0 {
            return Lookup::Unknown("too many steps");
        }
        let key = (Rc::as_ptr(source) as usize, context, Box::from(name));
        if let Some(known) = self.known.borrow().get(&key) {
            return known.clone();
        }
        // A class that is looked up while it is looked up leads nowhere.
        self.known.borrow_mut().insert(key.clone(), Lookup::Unknown("cycle of classes"));
        let found = self.dotted(source, context, name, depth - 1);
        self.known.borrow_mut().insert(key, found.clone());
        found
    }

    fn dotted(&self, source: &Rc<Source>, context: Context, name: &str, depth: usize) -> Lookup {
        let (first, rest) = name.split_once('.').unwrap_or((name, ""));
        if !rest.is_empty() && first.starts_with(char::is_lowercase) {
            return match self.qualified(name, depth) {
                Lookup::Elsewhere => Lookup::Unknown("package outside of the workspace"),
                found => found,
            };
        }
        match self.simple(source, context, first, depth) {
            Lookup::Found(class) => self.inner(class, rest, depth),
            Lookup::Unknown(_) if !rest.is_empty() => Lookup::Unknown("class that is not known"),
            other => other,
        }
    }

    /// A class inside of a class, along a dotted rest.
    fn inner(&self, class: ClassRef, rest: &str, depth: usize) -> Lookup {
        let mut class = class;
        for part in rest.split('.').filter(|part| !part.is_empty()) {
            match self.inner_class(&class, part, depth) {
                Lookup::Found(found) => class = found,
                other => return other,
            }
        }
        Lookup::Found(class)
    }

    fn simple(&self, source: &Rc<Source>, context: Context, name: &str, depth: usize) -> Lookup {
        let file = &source.file;
        if file.parameters.contains(name) {
            return Lookup::Unknown("type parameter");
        }
        let mut around = context;
        while let Some(class) = around.and_then(|number| file.classes.get(number)) {
            if let Some(number) = file.class(around, name) {
                return Lookup::Found(ClassRef::Source(Rc::clone(source), number));
            }
            around = class.outer;
        }
        if let Some(number) = file.class(None, name) {
            return Lookup::Found(ClassRef::Source(Rc::clone(source), number));
        }
        if let Some(import) = file.imports.iter().find(|it| !it.is_star && it.name() == name) {
            return match self.qualified(&import.path, depth) {
                Lookup::Found(class) => Lookup::Found(class),
                Lookup::Unknown(reason) => Lookup::Unknown(reason),
                _ => Lookup::Unknown(UNRESOLVED),
            };
        }
        let inherited = self.inherited(source, context, name, depth);
        if matches!(inherited, Lookup::Found(_)) {
            return inherited;
        }
        match self.by_package(source, name, depth) {
            Lookup::Missing => inherited,
            other => other,
        }
    }

    /// A class that a base of the classes around declares.
    fn inherited(&self, source: &Rc<Source>, context: Context, name: &str, depth: usize) -> Lookup {
        let mut unknown = None;
        let mut around = context;
        while let Some(number) = around {
            let class = ClassRef::Source(Rc::clone(source), number);
            match self.inner_class(&class, name, depth) {
                Lookup::Missing | Lookup::Elsewhere => {}
                Lookup::Unknown(reason) => unknown = Some(reason),
                found @ Lookup::Found(_) => return found,
            }
            around = source.file.classes.get(number).and_then(|class| class.outer);
        }
        unknown.map_or(Lookup::Missing, Lookup::Unknown)
    }

    /// A class of the file's package, of `java.lang`, or of packages imported whole.
    fn by_package(&self, source: &Rc<Source>, name: &str, depth: usize) -> Lookup {
        let mut unknown = None;
        let package = &source.file.package;
        let mut folders = self.project.package(package);
        if !folders.contains(&source.folder) || package.is_empty() {
            folders = folders.iter().chain([&source.folder]).cloned().collect();
        }
        if let Some(found) = self.in_file(&folders, name) {
            return found;
        }
        let classes = [jdk::class("java.lang", name), jdk::class(package, name)];
        if let Some(class) = classes.into_iter().flatten().next() {
            return Lookup::Found(ClassRef::Jdk(class));
        }
        match self.in_folders(&folders, name) {
            Lookup::Missing | Lookup::Elsewhere => {}
            Lookup::Unknown(reason) => unknown = Some(reason),
            found @ Lookup::Found(_) => return found,
        }
        for import in source.file.imports.iter().filter(|import| import.is_star) {
            match self.qualified(&format!("{}.{name}", import.path), depth) {
                Lookup::Missing => {}
                found @ Lookup::Found(_) => return found,
                Lookup::Unknown(reason) => unknown = Some(reason),
                Lookup::Elsewhere => unknown = Some(STAR),
            }
        }
        unknown.map_or(Lookup::Missing, Lookup::Unknown)
    }

    /// A class by its whole name.
    pub(crate) fn qualified(&self, name: &str, depth: usize) -> Lookup {
        if let Some(class) = jdk::qualified(name) {
            return Lookup::Found(ClassRef::Jdk(class));
        }
        let mut is_known = false;
        let mut end = name.len();
        while let Some(dot) = name[..end].rfind('.') {
            let (package, rest) = (&name[..dot], &name[dot + 1..]);
            let (first, inner) = rest.split_once('.').unwrap_or((rest, ""));
            let folders = self.project.package(package);
            if !folders.is_empty() {
                match self.in_folders(&folders, first) {
                    Lookup::Found(class) => return self.inner(class, inner, depth),
                    Lookup::Unknown(reason) => return Lookup::Unknown(reason),
                    _ => {}
                }
                is_known |= first.starts_with(char::is_uppercase) || inner.is_empty();
            } else if let Some(class) = jdk::test_class(package, first) {
                return self.inner(ClassRef::Jdk(class), inner, depth);
            }
            if let Some(packaged) = self.project.packaged(package, first) {
                return self.inner(ClassRef::Source(packaged, 0), inner, depth);
            }
            // Packages below that of Android come apart from it.
            is_known |= jdk::has_package(package) && (package != "android" || inner.is_empty())
                || first.starts_with(char::is_uppercase)
                    && (jdk::is_test_package(package) || self.project.is_packaged(package));
            end = dot;
        }
        if is_known || name.starts_with("java.") { Lookup::Missing } else { Lookup::Elsewhere }
    }

    /// A class inside of a class or of its bases.
    fn inner_class(&self, class: &ClassRef, name: &str, depth: usize) -> Lookup {
        if depth == 0 {
            return Lookup::Unknown("too many steps");
        }
        let own = match class {
            ClassRef::Source(source, number) => {
                let inner = source.file.class(Some(*number), name);
                inner.map(|number| ClassRef::Source(Rc::clone(source), number))
            }
            ClassRef::Jdk(class) => {
                let name = format!("{}.{name}", class.name());
                let inner = jdk::class(class.package, &name);
                inner.or_else(|| jdk::test_class(class.package, &name)).map(ClassRef::Jdk)
            }
        };
        if let Some(own) = own {
            return Lookup::Found(own);
        }
        let mut unknown = None;
        for base in self.bases(class, depth - 1) {
            match base {
                Ok(base) => match self.inner_class(&base, name, depth - 1) {
                    Lookup::Missing | Lookup::Elsewhere => {}
                    Lookup::Unknown(reason) => unknown = Some(reason),
                    found @ Lookup::Found(_) => return found,
                },
                Err(reason) => unknown = Some(reason),
            }
        }
        unknown.map_or(Lookup::Missing, Lookup::Unknown)
    }

    /// The classes that a class extends, or why one cannot be told.
    fn bases(&self, class: &ClassRef, depth: usize) -> Vec<Result<ClassRef, &'static str>> {
        match class {
            ClassRef::Source(source, number) => {
                let class = &source.file.classes[*number];
                let resolve = |base: &str| match base {
                    "" => Err(BASE),
                    _ => match self.class_at(source, class.outer, base, depth) {
                        Lookup::Found(base) => Ok(base),
                        _ => Err(BASE),
                    },
                };
                class.bases.iter().map(|base| resolve(base)).collect()
            }
            ClassRef::Jdk(class) if !class.is_closed() => vec![Err(OPEN)],
            ClassRef::Jdk(class) => {
                class.bases().map(|base| base.map(ClassRef::Jdk).ok_or(BASE)).collect()
            }
        }
    }

    /// A member of a class.
    pub(crate) fn member(&self, class: &ClassRef, name: &str) -> Answer {
        match self.member_at(class, name, DEEPEST) {
            Answer::Missing if is_of_objects(name) => Answer::Found(Type::Unknown("object")),
            answer => answer,
        }
    }

    pub(super) fn member_at(&self, class: &ClassRef, name: &str, depth: usize) -> Answer {
        if depth == 0 {
            return Answer::Unknown("too many steps");
        }
        let own = match class {
            ClassRef::Source(source, number) => {
                let member = source.file.classes[*number].members.get(name);
                member.map(|ty| match source.has_twins() {
                    true => Type::Unknown("class that is declared twice"),
                    false => self.of_type(source, Some(*number), ty),
                })
            }
            ClassRef::Jdk(class) => class.member(name).map(|ty| match ty {
                "" => Type::Unknown("type not plain"),
                "-" => Type::Basic,
                ty => class.resolve(ty).map_or(Type::Unknown("type not plain"), |class| {
                    Type::Class(ClassRef::Jdk(class))
                }),
            }),
        };
        if let Some(own) = own {
            let is_overload =
                matches!(own, Type::Class(_)) && self.is_inherited(class, name, depth);
            return Answer::Found(if is_overload { Type::Unknown("overloads") } else { own });
        }
        if let Lookup::Found(inner) = self.inner_class(class, name, 1) {
            return Answer::Found(Type::Class(inner));
        }
        let mut unknown = match class {
            ClassRef::Source(source, number) => {
                let is_loose = source.file.loose.contains(name).then_some("syntax error");
                // Which of the copies is meant cannot be told, only what none of them has.
                let is_twin = source.has_twins().then(|| {
                    match self.is_in_twin(source, *number, name, depth) {
                        true => "class that is declared twice",
                        false => BASE,
                    }
                });
                source.file.classes[*number].open.or(is_loose).or(is_twin)
            }
            ClassRef::Jdk(_) => None,
        };
        for base in self.bases(class, depth - 1) {
            match base.map(|base| self.member_at(&base, name, depth - 1)) {
                Ok(Answer::Missing) => {}
                Ok(Answer::Unknown(reason)) | Err(reason) => unknown = Some(reason),
                Ok(found @ Answer::Found(_)) => return found,
            }
        }
        unknown.map_or(Answer::Missing, Answer::Unknown)
    }

    /// Whether a base may have a member of the same name, which may give another type.
    fn is_inherited(&self, class: &ClassRef, name: &str, depth: usize) -> bool {
        let has = |base: Result<ClassRef, &'static str>| match base {
            Ok(base) => !matches!(self.member_at(&base, name, depth - 1), Answer::Missing),
            Err(_) => true,
        };
        self.bases(class, depth - 1).into_iter().any(has)
    }

    pub(super) fn of_type(&self, source: &Rc<Source>, context: Context, ty: &str) -> Type {
        match ty {
            "" => Type::Unknown("type not plain"),
            "-" => Type::Basic,
            _ => match self.class(source, context, ty) {
                Lookup::Found(class) => Type::Class(class),
                Lookup::Unknown(reason) => Type::Unknown(reason),
                _ => Type::Unknown("type that cannot be resolved"),
            },
        }
    }

    /// A member of the classes around a place, the innermost first.
    pub(crate) fn around(&self, source: &Rc<Source>, context: Context, name: &str) -> Answer {
        let mut unknown = None;
        let mut around = context;
        while let Some(number) = around {
            let class = ClassRef::Source(Rc::clone(source), number);
            match self.member(&class, name) {
                Answer::Missing => {}
                Answer::Unknown(reason) => unknown = Some(reason),
                found @ Answer::Found(_) => return found,
            }
            around = source.file.classes.get(number).and_then(|class| class.outer);
        }
        match self.static_import(source, name) {
            Answer::Missing => unknown.map_or(Answer::Missing, Answer::Unknown),
            answer => answer,
        }
    }

    fn static_import(&self, source: &Rc<Source>, name: &str) -> Answer {
        let mut unknown = None;
        for import in source.file.imports.iter().filter(|import| import.is_static) {
            let owner = match (import.is_star, import.path.rsplit_once('.')) {
                (true, _) => &*import.path,
                (false, Some((owner, last))) if last == name => owner,
                _ => continue,
            };
            match self.qualified(owner, DEEPEST) {
                Lookup::Found(class) => match self.member(&class, name) {
                    Answer::Missing if import.is_star => {}
                    Answer::Found(ty) => return Answer::Found(ty),
                    _ => unknown = Some("static import"),
                },
                _ => unknown = Some("static import"),
            }
        }
        unknown.map_or(Answer::Missing, Answer::Unknown)
    }

    /// The members that a class spells out itself.
    pub(crate) fn names(&self, class: &ClassRef) -> Vec<String> {
        match class {
            ClassRef::Source(source, number) => {
                source.file.classes[*number].members.keys().map(ToString::to_string).collect()
            }
            ClassRef::Jdk(class) => class.members().map(str::to_owned).collect(),
        }
    }
}

/// Whether every object has a member of this name.
fn is_of_objects(name: &str) -> bool {
    jdk::class("java.lang", "Object").is_some_and(|object| object.member(name).is_some())
}
