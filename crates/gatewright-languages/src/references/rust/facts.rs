//! What one Rust file says: modules, items, uses, types, and the references in it.

use std::collections::{HashMap, HashSet};

/// A name.
pub(super) type Name = Box<str>;

/// One part of a path, with its byte offset.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Segment {
    pub(super) name: Name,
    pub(super) offset: usize,
}

/// A path as it is written. `Self` is replaced by the type that it stands for.
pub(super) type Path = Vec<Segment>;

/// The names of a path.
pub(super) fn names(path: &[Segment]) -> Vec<Name> {
    path.iter().map(|segment| segment.name.clone()).collect()
}

/// Everything of one file.
#[derive(Debug, Default)]
pub(super) struct RustFile {
    /// The first is the file itself, the others are inline.
    pub(super) modules: Vec<Module>,
    /// Types by name, those of inline modules included.
    pub(super) types: HashMap<Name, Type>,
    /// Names that patterns and generic parameters bind anywhere, and words in macros.
    pub(super) declared: HashSet<Name>,
    /// Words of item macros and of what cannot be parsed: each may be a definition.
    pub(super) loose: HashSet<Name>,
    pub(super) references: Vec<Reference>,
    /// Locals with the range in which they hold, in the order of the file.
    pub(super) locals: HashMap<Name, Vec<Local>>,
}

impl RustFile {
    /// What other files ask of it: neither its references nor its locals.
    pub(super) fn for_others(mut self) -> Self {
        self.references = Vec::new();
        self.locals = HashMap::new();
        self.declared = HashSet::new();
        self.types.shrink_to_fit();
        self.loose.shrink_to_fit();
        for module in &mut self.modules {
            module.items.shrink_to_fit();
            module.uses.shrink_to_fit();
        }
        self
    }
}

/// A module of a file.
#[derive(Debug, Default)]
pub(super) struct Module {
    pub(super) name: Name,
    pub(super) parent: Option<usize>,
    pub(super) items: HashMap<Name, Item>,
    pub(super) children: HashMap<Name, Child>,
    /// The modules below that only it and what is below it see.
    pub(super) private: HashSet<Name>,
    /// Names that `use` and `extern crate` bind, with what they stand for.
    pub(super) uses: HashMap<Name, Vec<Vec<Name>>>,
    /// Those of them that others see too.
    pub(super) shown: HashSet<Name>,
    pub(super) globs: Vec<Vec<Name>>,
    /// What its functions give, where that is plain.
    pub(super) results: HashMap<Name, Written>,
    /// Whether macros may define items here.
    pub(super) has_macros: bool,
    /// Why nothing can be said of it.
    pub(super) open: Option<&'static str>,
    /// Whether a macro makes something else of what stands in it.
    pub(super) is_rewritten: bool,
}

/// What a name of a module is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Item {
    Type,
    Value,
    Macro,
}

/// A module below a module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Child {
    Inline(usize),
    /// A file, at a path of its own where an attribute names one.
    File(Option<Name>),
    /// Several files, of which conditions choose one.
    Several,
}

/// A type, or what a file adds to a type of another file.
#[derive(Debug, Default)]
pub(super) struct Type {
    /// Whether it is defined here, not only added to.
    pub(super) is_defined: bool,
    pub(super) is_trait: bool,
    pub(super) fields: HashSet<Name>,
    /// Variants, functions, constants and types of it.
    pub(super) members: HashSet<Name>,
    /// The fields of those of its variants that have names for them.
    pub(super) variants: HashMap<Name, HashSet<Name>>,
    /// The types of its fields, where they are plain.
    pub(super) field_types: HashMap<Name, Written>,
    /// What its functions give, where that is plain.
    pub(super) results: HashMap<Name, Written>,
    /// Derived and implemented traits, and the bounds of a trait, by last name.
    pub(super) traits: HashSet<Name>,
    /// What it is another name of.
    pub(super) alias: Option<Vec<Name>>,
    pub(super) open: Option<&'static str>,
}

/// A local whose type may be plain.
#[derive(Debug)]
pub(super) struct Local {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) value: Option<Value>,
}

/// A type as it is written, references aside: its path, and the types that it is made with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Written {
    pub(super) path: Vec<Name>,
    pub(super) with: Vec<Written>,
}

impl Written {
    /// A type of the standard library, by its path below `std`.
    pub(super) fn of_std(path: &[&str], with: Vec<Written>) -> Self {
        let path = std::iter::once(&"std").chain(path).map(|name| Name::from(*name)).collect();
        Self { path, with }
    }

    /// The same up to the first of these names; `None` when it is one itself.
    pub(super) fn without(mut self, names: &HashSet<Name>) -> Option<Self> {
        if self.path.first().is_none_or(|first| names.contains(first)) {
            return None;
        }
        self.with = self.with.into_iter().map_while(|inner| inner.without(names)).collect();
        Some(self)
    }
}

/// What the text says of a value.
#[derive(Debug, Clone)]
pub(super) enum Value {
    /// It has this type.
    Of(Written),
    /// A function gives it, by its path.
    From(Vec<Name>),
    /// It is what a local is.
    Local(Name),
    /// It is a field of another.
    Field(Box<Value>, Name),
    /// A method of another gives it.
    Method(Box<Value>, Name),
    /// It stands in another, which may have none: `value?`, `Some(it)`.
    Inside(Box<Value>),
    /// It is one of another's elements.
    Element(Box<Value>),
    /// It is what another comes to: `value.await`.
    Awaited(Box<Value>),
}

/// One reference.
#[derive(Debug)]
pub(super) struct Reference {
    pub(super) module: usize,
    pub(super) target: Target,
}

/// What a reference is to.
#[derive(Debug)]
pub(super) enum Target {
    /// One leaf of a `use`.
    Use(Path),
    /// What an extern crate names.
    Crate(Segment),
    /// A name or path in code.
    Path(Path, Role),
    /// A member of a value; `None` when the text does not say what that is.
    Member { of: Option<Value>, member: Segment, is_call: bool },
    /// A field in a literal or a pattern of a type.
    Field { of: Vec<Name>, field: Segment },
}

/// How a path is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Call,
    Type,
    Value,
    Macro,
    /// The macro that a derive names.
    Derive,
}
