//! From shapes to types: what a name stands for, and which members a type has.

use std::cell::Cell;
use std::rc::Rc;

use super::super::session::Session;
use super::facts::{Fields, GoFile, Id, Name, Shape, Symbol};
use super::packages::{Package, Packages, Target, is_named};

/// How much work one reference may cause.
const BUDGET: usize = 4000;
/// How deep types are followed.
const DEEPEST: usize = 60;

/// Why a name that is declared more than once is not followed.
const PER_PLATFORM: &str = "declared for each platform";

/// Why what a struct has of another is not known.
pub(crate) const EMBEDDED: &str = "embedded type that cannot be resolved";

/// A file, as the place from which names are looked up.
#[derive(Debug, Clone)]
pub(crate) struct Scope {
    pub(crate) package: Rc<Package>,
    pub(crate) file: usize,
}

impl Scope {
    fn facts(&self) -> Option<&GoFile> {
        self.package.files.get(self.file).map(|file| &**file)
    }
}

/// A type.
#[derive(Debug, Clone)]
pub(crate) enum Type {
    Unknown(&'static str),
    /// Without members.
    Basic,
    /// The `error` of the language.
    Error,
    Named(Rc<Package>, Name),
    Pointer(Rc<Type>),
    Slice(Rc<Type>),
    Map(Rc<Type>, Rc<Type>),
    Chan(Rc<Type>),
    Func(Scope, Id),
    /// A struct or an interface.
    Record(Scope, Id),
}

/// What an expression is: a type, or a value of one.
#[derive(Debug, Clone)]
pub(crate) struct Known {
    pub(crate) ty: Type,
    pub(crate) is_type: bool,
}

fn value(ty: Type) -> Known {
    Known { ty, is_type: false }
}

fn of_type(ty: Type) -> Known {
    Known { ty, is_type: true }
}

fn unknown(reason: &'static str) -> Known {
    value(Type::Unknown(reason))
}

/// The answer to the search of a name.
#[derive(Debug)]
pub(crate) enum Answer {
    Found(Known),
    Missing,
    Unknown(&'static str),
}

/// What the first part of `root.name` is.
pub(crate) enum Root {
    Package(Rc<Package>, Name),
    Unknown(&'static str),
    /// No import.
    Other,
}

const BASIC: [&str; 21] = [
    "bool",
    "byte",
    "complex64",
    "complex128",
    "float32",
    "float64",
    "int",
    "int8",
    "int16",
    "int32",
    "int64",
    "rune",
    "string",
    "uint",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "uintptr",
    "any",
    "comparable",
];
const BUILT_IN: [&str; 22] = [
    "append", "cap", "clear", "close", "complex", "copy", "delete", "imag", "len", "make", "max",
    "min", "new", "panic", "print", "println", "real", "recover", "true", "false", "iota", "nil",
];

/// Whether the language itself declares a name.
pub(crate) fn is_universal(name: &str) -> bool {
    universal().any(|known| known == name)
}

/// The names that the language itself declares.
pub(crate) fn universal<'a>() -> impl Iterator<Item = &'a str> {
    BASIC.into_iter().chain(BUILT_IN).chain(["error"])
}

/// Resolves shapes.
pub(crate) struct Resolver<'a> {
    pub(crate) packages: Packages<'a>,
    budget: Cell<usize>,
}

impl<'a> Resolver<'a> {
    pub(crate) fn new(session: &'a Session<'a>) -> Self {
        Self { packages: Packages::new(session), budget: Cell::new(0) }
    }

    /// Allows the work that one reference may cause.
    pub(crate) fn refill(&self) {
        self.budget.set(BUDGET);
    }

    /// The type of a shape.
    pub(crate) fn known(&self, scope: &Scope, id: Id) -> Known {
        self.eval(scope, id, DEEPEST)
    }

    fn eval(&self, scope: &Scope, id: Id, depth: usize) -> Known {
        let left = self.budget.get();
        let (Some(facts), true) = (scope.facts(), depth > 0 && left > 0) else {
            return unknown("too many steps");
        };
        self.budget.set(left - 1);
        let go = |id: &Id| self.eval(scope, *id, depth - 1);
        let inner = |id: &Id| Rc::new(go(id).ty);
        match facts.shape(id) {
            Shape::Unknown(reason) => unknown(reason),
            Shape::Basic => value(Type::Basic),
            Shape::Named(name) => self.named(scope, name, depth - 1),
            Shape::Qualified(root, name) => match self.qualified(scope, root, name, depth - 1) {
                Answer::Found(known) => known,
                Answer::Missing => unknown("missing name"),
                Answer::Unknown(reason) => unknown(reason),
            },
            Shape::Pointer(target) => of_type(Type::Pointer(inner(target))),
            Shape::Slice(element) => of_type(Type::Slice(inner(element))),
            Shape::Map(key, element) => of_type(Type::Map(inner(key), inner(element))),
            Shape::Chan(element) => of_type(Type::Chan(inner(element))),
            Shape::Func(_) => of_type(Type::Func(scope.clone(), id)),
            Shape::Struct(_) | Shape::Interface(_) => of_type(Type::Record(scope.clone(), id)),
            Shape::Value(ty) => value(go(ty).ty),
            Shape::Call(function, index) => self.call(&go(function), *index, depth - 1),
            Shape::Member(owner, name) => match self.member(&go(owner).ty, name, depth - 1) {
                Answer::Found(known) => known,
                Answer::Missing => unknown("missing member"),
                Answer::Unknown(reason) => unknown(reason),
            },
            Shape::AddressOf(target) => value(Type::Pointer(inner(target))),
            Shape::Either(left, right) => match go(left) {
                Known { ty: Type::Basic, .. } => go(right),
                other => other,
            },
            Shape::Index(base)
            | Shape::RangeKey(base)
            | Shape::RangeValue(base)
            | Shape::Receive(base)
            | Shape::Deref(base) => self.part(facts.shape(id), go(base), depth - 1),
        }
    }

    /// A part of a container.
    fn part(&self, shape: &Shape, base: Known, depth: usize) -> Known {
        let whole = |it: &Rc<Type>| value(it.as_ref().clone());
        let ty = self.underlying(&base.ty, depth);
        match (shape, &ty) {
            (_, Type::Unknown(reason)) => unknown(reason),
            (Shape::Deref(_), _) if base.is_type => of_type(Type::Pointer(Rc::new(base.ty))),
            (Shape::Index(_), _) if base.is_type => base,
            (Shape::Deref(_), Type::Pointer(target)) => whole(target),
            (Shape::Receive(_) | Shape::RangeKey(_), Type::Chan(element)) => whole(element),
            (Shape::Index(_), Type::Func(..)) => base,
            (Shape::RangeKey(_), Type::Map(key, _)) => whole(key),
            (Shape::Index(_) | Shape::RangeValue(_), Type::Map(_, element)) => whole(element),
            (Shape::RangeKey(_), Type::Slice(_) | Type::Basic) => value(Type::Basic),
            (Shape::Index(_) | Shape::RangeValue(_), Type::Slice(element)) => whole(element),
            (Shape::Index(_) | Shape::RangeValue(_), Type::Basic) => value(Type::Basic),
            (
                Shape::Index(_) | Shape::RangeValue(_) | Shape::RangeKey(_),
                Type::Pointer(target),
            ) => self.part(shape, value(target.as_ref().clone()), depth.saturating_sub(1)),
            _ => unknown("type not plain"),
        }
    }

    fn call(&self, function: &Known, index: usize, depth: usize) -> Known {
        if function.is_type {
            return value(function.ty.clone());
        }
        match self.underlying(&function.ty, depth) {
            Type::Func(scope, id) => match scope.facts().map(|facts| facts.shape(id)) {
                Some(Shape::Func(results)) => match results.get(index) {
                    Some(result) => value(self.eval(&scope, *result, depth).ty),
                    None => unknown("call without such a result"),
                },
                _ => unknown("type not plain"),
            },
            Type::Unknown(reason) => unknown(reason),
            _ => unknown("type not plain"),
        }
    }

    /// A name of a package or of the language.
    fn named(&self, scope: &Scope, name: &str, depth: usize) -> Known {
        if let Some(known) = self.symbol(&scope.package, name, depth) {
            return known;
        }
        if name == "error" {
            return of_type(Type::Error);
        }
        if BASIC.contains(&name) {
            return of_type(Type::Basic);
        }
        let dotted = self.dotted(scope);
        dotted
            .iter()
            .find_map(|package| self.symbol(package, name, depth))
            .unwrap_or_else(|| unknown("name of the language or missing"))
    }

    /// The packages whose names a file takes over.
    pub(crate) fn dotted(&self, scope: &Scope) -> Vec<Rc<Package>> {
        let Some(facts) = scope.facts() else { return Vec::new() };
        let dots = facts.imports.iter().filter(|import| import.alias.as_deref() == Some("."));
        dots.filter_map(|import| {
            match self.packages.import(scope.package.folder.as_ref(), &import.path) {
                Target::Package(package) => Some(package),
                _ => None,
            }
        })
        .collect()
    }

    /// What a package declares under a name.
    pub(crate) fn symbol(&self, package: &Rc<Package>, name: &str, depth: usize) -> Option<Known> {
        let mut symbols = package.symbols(name);
        let (file, symbol) = symbols.next()?;
        if !matches!(symbol, Symbol::Type(_)) && symbols.next().is_some() {
            return Some(unknown(PER_PLATFORM));
        }
        let scope = Scope { package: Rc::clone(package), file };
        Some(match symbol {
            Symbol::Value(id) => value(self.eval(&scope, *id, depth).ty),
            Symbol::Type(_) => of_type(Type::Named(Rc::clone(package), name.into())),
            Symbol::Alias(id) => of_type(self.eval(&scope, *id, depth).ty),
        })
    }

    /// What the first part of `root.name` is in a file.
    pub(crate) fn root(&self, scope: &Scope, root: &str) -> Root {
        let Some(facts) = scope.facts() else { return Root::Other };
        let folder = scope.package.folder.as_ref();
        let mut unresolved = None;
        let (near, far): (Vec<_>, Vec<_>) =
            facts.imports.iter().partition(|import| is_named(import, root));
        for import in near.iter().chain(far.iter().filter(|import| import.alias.is_none())) {
            let is_near = is_named(import, root);
            match self.packages.import(folder, &import.path) {
                Target::Package(package)
                    if package.name() == root || import.alias.as_deref() == Some(root) =>
                {
                    return Root::Package(package, import.path.clone());
                }
                Target::Package(_) => {}
                Target::Unknown(reason) if is_near => return Root::Unknown(reason),
                Target::Missing { .. } if is_near => return Root::Unknown("missing module"),
                Target::Unknown(_) | Target::Missing { .. } => {
                    unresolved = Some("package whose name is not known");
                }
            }
        }
        match unresolved.filter(|_| scope.package.symbol(root).is_none()) {
            Some(reason) => Root::Unknown(reason),
            None => Root::Other,
        }
    }

    /// `root.name` where `root` is no local.
    pub(crate) fn qualified(&self, scope: &Scope, root: &str, name: &str, depth: usize) -> Answer {
        match self.root(scope, root) {
            Root::Package(package, path) => self.exported(&package, &path, name, depth),
            Root::Unknown(reason) => Answer::Unknown(reason),
            Root::Other => {
                let owner = self.named(scope, root, depth);
                self.member(&owner.ty, name, depth)
            }
        }
    }

    fn exported(&self, package: &Rc<Package>, path: &str, name: &str, depth: usize) -> Answer {
        if let Some(known) = self.symbol(package, name, depth) {
            return Answer::Found(known);
        }
        if package.is_loose(name) {
            return Answer::Unknown("syntax error");
        }
        if let Some(reason) = package.open {
            return Answer::Unknown(reason);
        }
        if package.folder.is_none()
            && let Some(folder) = self.packages.modules.in_roots(path)
            && self.packages.load(&folder).symbol(name).is_some()
        {
            return Answer::Unknown("name of the installed standard library");
        }
        Answer::Missing
    }

    /// The type behind a type's name.
    fn underlying(&self, ty: &Type, depth: usize) -> Type {
        let mut ty = ty.clone();
        for depth in (0..depth).rev() {
            let Type::Named(package, name) = &ty else { return ty };
            let Some((file, Symbol::Type(id))) = package.symbol(name) else {
                return Type::Unknown("type that cannot be resolved");
            };
            if package.symbols(name).count() > 1 {
                return Type::Unknown(PER_PLATFORM);
            }
            let scope = Scope { package: Rc::clone(package), file };
            ty = self.eval(&scope, *id, depth).ty;
        }
        Type::Unknown("too many steps")
    }

    /// A member of a type, or of a value of it.
    pub(crate) fn member(&self, ty: &Type, name: &str, depth: usize) -> Answer {
        if depth == 0 {
            return Answer::Unknown("too many steps");
        }
        match ty {
            Type::Unknown(reason) => Answer::Unknown(reason),
            Type::Error if name == "Error" => Answer::Found(unknown("error")),
            Type::Pointer(target) => self.member(target, name, depth - 1),
            Type::Record(scope, id) => self.record(scope, *id, name, depth - 1),
            Type::Named(package, owner) => {
                let mut methods = package.methods(owner, name);
                if let Some((file, id)) = methods.next() {
                    let scope = Scope { package: Rc::clone(package), file };
                    let known = match methods.next() {
                        Some(_) => unknown(PER_PLATFORM),
                        None => self.eval(&scope, id, depth - 1),
                    };
                    return Answer::Found(known);
                }
                if package.is_loose(name) {
                    return Answer::Unknown("syntax error");
                }
                let inner = self.underlying(ty, depth - 1);
                match (self.member(&inner, name, depth - 1), package.open) {
                    (Answer::Missing, Some(reason)) => Answer::Unknown(reason),
                    (Answer::Missing, None) if package.has_method_of_alias(name) => {
                        Answer::Unknown("method of an alias")
                    }
                    (answer, _) => answer,
                }
            }
            _ => Answer::Missing,
        }
    }

    fn record(&self, scope: &Scope, id: Id, name: &str, depth: usize) -> Answer {
        let Some(fields) = fields(scope, id) else { return Answer::Unknown("type not plain") };
        if let Some(member) = fields.members.get(name) {
            return Answer::Found(value(self.eval(scope, *member, depth).ty));
        }
        let mut open = fields.open;
        for embedded in &fields.embedded {
            let known = self.eval(scope, *embedded, depth);
            match self.member(&known.ty, name, depth.min(12)) {
                Answer::Missing => {}
                Answer::Unknown(_) => open = Some(EMBEDDED),
                found @ Answer::Found(_) => return found,
            }
        }
        open.map_or(Answer::Missing, Answer::Unknown)
    }

    /// The members that a type spells out itself, for suggestions.
    pub(crate) fn names(&self, ty: &Type) -> Vec<String> {
        let mut names = Vec::new();
        match ty {
            Type::Pointer(target) => return self.names(target),
            Type::Named(package, owner) => {
                let methods = package.files.iter().filter_map(|file| file.methods.get(owner));
                names.extend(methods.flat_map(|it| it.keys()).map(ToString::to_string));
                if let Type::Record(scope, id) = self.underlying(ty, DEEPEST) {
                    let fields = fields(&scope, id);
                    names.extend(
                        fields.iter().flat_map(|it| it.members.keys()).map(ToString::to_string),
                    );
                }
            }
            Type::Record(scope, id) => {
                let fields = fields(scope, *id);
                names.extend(
                    fields.iter().flat_map(|it| it.members.keys()).map(ToString::to_string),
                );
            }
            _ => {}
        }
        names
    }

    /// Whether a type is a struct, for the keys of its literals.
    pub(crate) fn record_of(&self, ty: &Type) -> Option<Type> {
        let mut ty = self.underlying(ty, DEEPEST);
        if let Type::Pointer(target) = &ty {
            ty = self.underlying(target, DEEPEST);
        }
        match &ty {
            Type::Record(..) => Some(ty),
            _ => None,
        }
    }

    /// Whether a type is a container whose literals have values as keys.
    pub(crate) fn is_container(&self, ty: &Type) -> bool {
        matches!(self.underlying(ty, DEEPEST), Type::Slice(_) | Type::Map(..))
    }
}

fn fields(scope: &Scope, id: Id) -> Option<&Fields> {
    match scope.facts()?.shape(id) {
        Shape::Struct(fields) | Shape::Interface(fields) => Some(fields),
        _ => None,
    }
}
