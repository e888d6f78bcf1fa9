//! From names and shapes of Kotlin to what they stand for.

use std::rc::Rc;

use super::super::jdk::{self, JdkClass};
use super::super::resolve as java;
use super::facts::{Block, Callee, Given, Id, Level, Member, Scope, Shape};
use super::library;
use super::outline::Declared;
use super::resolve::{
    Answer, BASE, Class, DEEPEST, DEFAULTS, Hit, Lookup, PACKAGED, Resolver, STAR, Source, TWO,
    Type, UNRESOLVED, single,
};

/// In how many files declarations of one name are followed.
const MOST: usize = 12;

/// Functions that give the value that they are called on.
const SAME: [&str; 5] = ["apply", "also", "takeIf", "takeUnless", "onEach"];

/// The receiver that a lambda adds.
#[derive(Debug, Clone)]
pub(super) enum Receiver {
    None,
    Of(Type),
    Unknown(&'static str),
}

impl Resolver<'_> {
    /// A function, property, class or object that is named without a receiver.
    pub(super) fn bare(
        &self,
        source: &Rc<Source>,
        scope: Scope,
        name: &str,
        depth: usize,
    ) -> Answer {
        let Some(depth) = depth.checked_sub(1) else { return Answer::Unknown("too many steps") };
        let mut unknown = None;
        let mut around = scope;
        // Whether a block of a small language is around, which lends names of its own.
        let mut in_language = false;
        while let Some(level) = source.file.level(around) {
            in_language |= level.level.is_of_language();
            let answer = match &level.level {
                Level::Class(number) => self.member(&self.with_twins(source, *number), name, depth),
                Level::Receiver(id, _) => {
                    self.member_of(self.eval(source, *id, depth), name, depth)
                }
                Level::Lambda(_) => match self.lambda(source, around, depth) {
                    Receiver::None => Answer::Missing,
                    Receiver::Of(ty) => self.member_of(ty, name, depth),
                    Receiver::Unknown(reason) => Answer::Unknown(reason),
                },
            };
            match answer {
                Answer::Missing => {}
                Answer::Unknown(BASE) if unknown.is_some() && in_language => {}
                Answer::Unknown(reason) => unknown = Some(reason),
                Answer::Found(Hit::Class(class)) if self.may_be_imported(source, &class, name) => {
                    return Answer::Found(Hit::Opaque(TWO));
                }
                found @ Answer::Found(_) => return found,
            }
            around = level.outer;
        }
        match self.at_the_top(source, name, depth) {
            found @ Answer::Found(_) => found,
            // A receiver that is not known says more than a package that is not.
            answer => unknown.map_or(answer, Answer::Unknown),
        }
    }

    /// Whether a class of another file, which a class around inherits, has the name of an import:
    /// what an interface holds does not come with it, so that the import may be meant.
    pub(super) fn may_be_imported(&self, source: &Rc<Source>, class: &Class, name: &str) -> bool {
        let Class::Kotlin(twins) = class else { return false };
        source.file.imports.iter().any(|import| !import.is_star && import.name() == name)
            && !twins.iter().any(|(of, _)| Rc::ptr_eq(of, source))
    }

    pub(super) fn member_of(&self, ty: Type, name: &str, depth: usize) -> Answer {
        match ty {
            Type::Class(class) => self.member(&class, name, depth),
            Type::Unknown(reason) => Answer::Unknown(reason),
            Type::Package(_) => Answer::Unknown("package outside of the workspace"),
        }
    }

    /// A name of the file, of its imports, of its package or of the defaults.
    fn at_the_top(&self, source: &Rc<Source>, name: &str, depth: usize) -> Answer {
        let file = &source.file;
        if let Some(member) = file.top.get(name) {
            return Answer::Found(Hit::Member(Rc::clone(source), member.clone()));
        }
        if let Some(import) = file.imports.iter().find(|it| !it.is_star && it.name() == name) {
            let hit = self.path(&import.path, depth);
            return Answer::Found(hit.unwrap_or(Hit::Opaque(UNRESOLVED)));
        }
        if let Some(hit) = self.in_package_value(&file.package, name) {
            return Answer::Found(hit);
        }
        let mut unknown = file.loose.contains(name).then_some("syntax error");
        unknown = unknown.or(file.has_contexts.then_some("context receivers"));
        unknown = unknown.or(source.is_foreign.then_some("names of another platform"));
        for import in file.imports.iter().filter(|import| import.is_star) {
            if let Some(hit) = self.in_package_value(&import.path, name) {
                return Answer::Found(hit);
            }
            match self.has_package(&import.path) {
                true => {}
                false => match self.qualified(&import.path, depth) {
                    Lookup::Found(class) => match self.member(&class, name, depth) {
                        found @ Answer::Found(_) => return found,
                        Answer::Unknown(reason) => unknown = Some(reason),
                        Answer::Missing => {}
                    },
                    _ => unknown = Some(STAR),
                },
            }
        }
        for package in DEFAULTS {
            if let Some(hit) = self.in_package_value(package, name) {
                return Answer::Found(hit);
            }
        }
        if let Some(hit) = self.extension(name) {
            return Answer::Found(hit);
        }
        unknown.map_or(Answer::Missing, Answer::Unknown)
    }

    /// What an import names.
    pub(super) fn path(&self, path: &str, depth: usize) -> Option<Hit> {
        if let Lookup::Found(class) = self.qualified(path, depth) {
            return Some(Hit::Class(class));
        }
        let (owner, name) = path.rsplit_once('.')?;
        if let Some(hit) = self.in_package_value(owner, name) {
            return Some(hit);
        }
        match self.qualified(owner, depth) {
            Lookup::Found(class) => match self.member(&class, name, depth) {
                Answer::Found(hit) => Some(hit),
                _ => None,
            },
            _ => None,
        }
    }

    /// A function or property of a package.
    fn in_package_value(&self, package: &str, name: &str) -> Option<Hit> {
        let mut found: Option<(Rc<Source>, Member)> = None;
        let paths = self.packages.find(package, name);
        if paths.len() > MOST {
            return Some(Hit::Opaque("overloads"));
        }
        for (path, _) in paths.iter().filter(|(_, kind)| *kind == Declared::Value) {
            let Some(source) = self.source(path) else { continue };
            let file = &source.file;
            let Some(member) = file.top.get(name).or_else(|| file.extensions.get(name)) else {
                return Some(Hit::Opaque("syntax error"));
            };
            found = Some(merge(found, &source, member));
        }
        if let Some((source, member)) = found {
            return Some(Hit::Member(source, member));
        }
        if let Some(entry) = library::function(package, name) {
            return Some(Hit::Library(entry));
        }
        if library::is_extension_of(package, name) {
            return library::extension(name).map(Hit::Library);
        }
        self.is_packaged_value(package, name).then_some(Hit::Opaque(PACKAGED))
    }

    /// Whether a package that only archives hold may have a name beside its classes.
    pub(super) fn is_packaged_value(&self, package: &str, name: &str) -> bool {
        !library::has_package(package)
            && !jdk::has_package(package)
            && self.java.project.is_packaged_word(package, name)
    }

    /// An extension of this name, of the workspace or of the library.
    pub(super) fn extension(&self, name: &str) -> Option<Hit> {
        let mut found: Option<(Rc<Source>, Member)> = None;
        let paths = self.packages.extensions(name);
        if paths.len() > MOST {
            return Some(Hit::Opaque("overloads"));
        }
        for path in paths {
            let Some(source) = self.source(&path) else { continue };
            match source.file.extensions.get(name) {
                Some(member) => found = Some(merge(found, &source, member)),
                None => return Some(Hit::Opaque("syntax error")),
            }
        }
        match (found, library::extension(name)) {
            (None, entry) => entry.map(Hit::Library),
            (Some((source, mut member)), entry) => {
                if entry.is_some() {
                    member.given = Given::Unknown;
                    member.block = Block::Open;
                }
                Some(Hit::Member(source, member))
            }
        }
    }

    pub(super) fn of_type(
        &self,
        source: &Rc<Source>,
        scope: Scope,
        ty: &str,
        depth: usize,
    ) -> Type {
        match ty {
            "" => Type::Unknown("type not plain"),
            _ => match self.class(source, scope, ty, depth) {
                Lookup::Found(class) => Type::Class(class),
                Lookup::Unknown(reason) => Type::Unknown(reason),
                _ => Type::Unknown("type that cannot be resolved"),
            },
        }
    }

    /// The type that something gives.
    fn given(&self, hit: Hit, depth: usize) -> Type {
        match hit {
            Hit::Member(source, member) => match &member.given {
                Given::Unknown => Type::Unknown("type not plain"),
                Given::Named(ty) => self.of_type(&source, member.scope, ty, depth),
                Given::Inferred(id) => self.eval(&source, *id, depth),
            },
            Hit::Class(class) => Type::Class(class),
            Hit::Library(entry) => match entry.ty {
                "" | "-" => Type::Unknown("type not plain"),
                ty => self.named(ty, depth),
            },
            Hit::Java(java::Type::Class(java::ClassRef::Jdk(class))) => match mapped(class) {
                Some(name) => self.named(name, depth),
                None => Type::Class(Class::Java(java::ClassRef::Jdk(class))),
            },
            Hit::Java(java::Type::Class(class)) => Type::Class(Class::Java(class)),
            Hit::Java(_) => Type::Unknown("type not plain"),
            Hit::Opaque(reason) => Type::Unknown(reason),
        }
    }

    fn named(&self, name: &str, depth: usize) -> Type {
        match self.qualified(name, depth) {
            Lookup::Found(class) => Type::Class(class),
            _ => Type::Unknown("type that cannot be resolved"),
        }
    }

    /// What calling something gives.
    fn called(&self, hit: Hit, depth: usize) -> Type {
        match &hit {
            Hit::Member(_, member) if !member.is_function => Type::Unknown("value that is called"),
            Hit::Class(Class::Kotlin(twins)) => {
                let is_plain = twins.iter().all(|(source, number)| {
                    let companion = source.file.companion(*number);
                    let invoke =
                        companion.map(|it| source.file.classes[it].members.contains_key("invoke"));
                    !source.file.classes[*number].is_object && invoke != Some(true)
                });
                if is_plain {
                    self.given(hit, depth)
                } else {
                    Type::Unknown("value that is called")
                }
            }
            _ => self.given(hit, depth),
        }
    }

    /// The type of a shape.
    pub(super) fn eval(&self, source: &Rc<Source>, id: Id, depth: usize) -> Type {
        let Some(depth) = depth.checked_sub(1) else { return Type::Unknown("too many steps") };
        let key = (Rc::as_ptr(source) as usize, id);
        if let Some(known) = self.types.borrow().get(&key) {
            return known.clone();
        }
        self.types.borrow_mut().insert(key, Type::Unknown("cycle of types"));
        let found = self.eval_shape(source, id, depth);
        match found {
            Type::Unknown("too many steps") => self.types.borrow_mut().remove(&key),
            _ => self.types.borrow_mut().insert(key, found.clone()),
        };
        found
    }

    fn eval_shape(&self, source: &Rc<Source>, id: Id, depth: usize) -> Type {
        match source.file.shape(id) {
            Shape::Unknown => Type::Unknown("type not plain"),
            Shape::Of(name, scope) => self.of_type(source, *scope, name, depth),
            Shape::This(scope) => self.this(source, *scope, None, depth),
            Shape::Labelled(label, scope) => self.this(source, *scope, Some(label), depth),
            Shape::Name(name, scope) => self.name(source, *scope, name, depth),
            Shape::Member(owner, name) => match self.eval(source, *owner, depth) {
                Type::Package(prefix) => {
                    let whole = format!("{prefix}.{name}");
                    match self.qualified(&whole, DEEPEST) {
                        Lookup::Found(class) => Type::Class(class),
                        _ => Type::Package(whole),
                    }
                }
                owner => match self.member_or_extension(owner, name, depth) {
                    Some(hit) => self.given(hit, depth),
                    None => Type::Unknown("missing member"),
                },
            },
            Shape::Method(owner, name) => {
                let owner = self.eval(source, *owner, depth);
                if let Type::Package(prefix) = &owner {
                    let whole = format!("{prefix}.{name}");
                    return match self.path(&whole, DEEPEST) {
                        Some(hit) => self.called(hit, depth),
                        None => Type::Unknown("package outside of the workspace"),
                    };
                }
                if SAME.contains(&&**name) {
                    return owner;
                }
                match self.member_or_extension(owner, name, depth) {
                    Some(hit) => self.called(hit, depth),
                    None => Type::Unknown("type not plain"),
                }
            }
            Shape::Call(name, scope) => match self.bare(source, *scope, name, depth) {
                Answer::Found(hit) => self.called(hit, depth),
                answer => match (self.class(source, *scope, name, depth), answer) {
                    (Lookup::Found(class), _) => self.called(Hit::Class(class), depth),
                    (_, Answer::Unknown(reason)) => Type::Unknown(reason),
                    _ => Type::Unknown("missing name"),
                },
            },
        }
    }

    fn name(&self, source: &Rc<Source>, scope: Scope, name: &str, depth: usize) -> Type {
        if name.starts_with(char::is_uppercase)
            && let Lookup::Found(class) = self.class(source, scope, name, depth)
        {
            return Type::Class(class);
        }
        match self.bare(source, scope, name, depth) {
            // An extension of this name is no value.
            Answer::Found(Hit::Library(_)) if matches!(name, "java" | "kotlin") => {
                Type::Package(name.to_owned())
            }
            Answer::Found(hit) => self.given(hit, depth),
            Answer::Unknown(reason) => Type::Unknown(reason),
            Answer::Missing if name.starts_with(char::is_lowercase) => {
                Type::Package(name.to_owned())
            }
            Answer::Missing => Type::Unknown("type that cannot be resolved"),
        }
    }

    /// A member of a value, or an extension when its type is known to have none.
    fn member_or_extension(&self, owner: Type, name: &str, depth: usize) -> Option<Hit> {
        match self.member_of(owner, name, depth) {
            Answer::Found(hit) => Some(hit),
            Answer::Missing => self.extension(name),
            Answer::Unknown(_) => None,
        }
    }

    /// The receiver at a place: the innermost, or the one of a label.
    fn this(&self, source: &Rc<Source>, scope: Scope, label: Option<&str>, depth: usize) -> Type {
        let mut around = scope;
        while let Some(level) = source.file.level(around) {
            let (own, ty) = match &level.level {
                Level::Class(number) => {
                    let own = &*source.file.classes[*number].name;
                    (own, Receiver::Of(Type::Class(single(source, *number))))
                }
                Level::Receiver(id, own) => (&**own, Receiver::Of(self.eval(source, *id, depth))),
                Level::Lambda(callee) => {
                    let own = match callee {
                        Callee::Bare(name, _) | Callee::Method(_, name) => &**name,
                        Callee::Unknown | Callee::Nothing => "",
                    };
                    (own, self.lambda(source, around, depth))
                }
            };
            match ty {
                Receiver::Of(ty) if label.is_none_or(|label| label == own) => return ty,
                Receiver::Unknown(reason) if label.is_none_or(|label| label == own) => {
                    return Type::Unknown(reason);
                }
                _ => {}
            }
            around = level.outer;
        }
        Type::Unknown("no class around")
    }
}

/// Declarations of one name in several files: what differs is not followed.
fn merge(
    known: Option<(Rc<Source>, Member)>,
    source: &Rc<Source>,
    member: &Member,
) -> (Rc<Source>, Member) {
    let Some((first, mut merged)) = known else { return (Rc::clone(source), member.clone()) };
    merged.given = Given::Unknown;
    merged.is_function &= member.is_function;
    merged.takes.extend(member.takes.iter().cloned());
    // The name of a receiver means the same in both files, or hardly compiles.
    merged.block = merged.block.or(member.block.clone());
    (first, merged)
}

/// The class of Kotlin that stands for one of the JDK.
fn mapped(class: JdkClass) -> Option<&'static str> {
    match (class.package, class.name()) {
        ("java.lang", "String") => Some("kotlin.String"),
        ("java.lang", "CharSequence") => Some("kotlin.CharSequence"),
        ("java.lang", "Object") => Some("kotlin.Any"),
        ("java.lang", "Integer") => Some("kotlin.Int"),
        ("java.lang", "Long") => Some("kotlin.Long"),
        ("java.lang", "Throwable") => Some("kotlin.Throwable"),
        ("java.lang", "Iterable") => Some("kotlin.collections.MutableIterable"),
        ("java.util", "Collection") => Some("kotlin.collections.MutableCollection"),
        ("java.util", "List") => Some("kotlin.collections.MutableList"),
        ("java.util", "Set") => Some("kotlin.collections.MutableSet"),
        ("java.util", "Map") => Some("kotlin.collections.MutableMap"),
        ("java.util", "Iterator") => Some("kotlin.collections.MutableIterator"),
        _ => None,
    }
}
