//! What one Go file says: its declarations, and its references as shapes.
//!
//! A shape is a type or the way to one (`x.Field`, `f()`, `xs[i]`), kept in one
//! arena per file. Locals are resolved while the file is read, so a shape only
//! names what lies in the package, in an import or in the language itself.

use std::collections::{HashMap, HashSet};

/// A name, kept as small as it is.
pub(crate) type Name = Box<str>;

/// The place of a shape in its file's arena.
pub(crate) type Id = u32;

/// A type, or how one is come by.
#[derive(Debug)]
pub(crate) enum Shape {
    /// Not plain from the text, with the reason.
    Unknown(&'static str),
    /// A value without members: numbers, texts, truth values.
    Basic,
    /// A name of the package or of the language.
    Named(Name),
    /// `package.Name`.
    Qualified(Name, Name),
    Pointer(Id),
    Slice(Id),
    Map(Id, Id),
    Chan(Id),
    /// A function with the types that it returns.
    Func(Box<[Id]>),
    Struct(Box<Fields>),
    Interface(Box<Fields>),
    /// A value of a type.
    Value(Id),
    /// One of the results of a call.
    Call(Id, usize),
    Member(Id, Name),
    Index(Id),
    RangeKey(Id),
    RangeValue(Id),
    Receive(Id),
    Deref(Id),
    AddressOf(Id),
    Either(Id, Id),
}

/// The members that a struct or an interface spells out.
#[derive(Debug, Default)]
pub(crate) struct Fields {
    pub(crate) members: HashMap<Name, Id>,
    /// Embedded types, which lend their members.
    pub(crate) embedded: Vec<Id>,
    /// Why there may be more members.
    pub(crate) open: Option<&'static str>,
}

/// What a name of a package stands for.
#[derive(Debug)]
pub(crate) enum Symbol {
    /// A function, a variable or a constant, with its shape.
    Value(Id),
    /// A type of its own.
    Type(Id),
    /// Another name for a type.
    Alias(Id),
}

/// An import.
#[derive(Debug)]
pub(crate) struct Import {
    /// The name that was given to it: `.` and `_` among them.
    pub(crate) alias: Option<Name>,
    pub(crate) path: Name,
    pub(crate) offset: usize,
}

/// How a name is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Use {
    Call,
    Type,
    Value,
}

/// What is referred to.
#[derive(Debug)]
pub(crate) enum Target {
    /// A name that is no local.
    Name(Name, Use),
    /// `root.name`, where `root` is no local.
    Qualified(Name, Name),
    /// The member of a value or a type.
    Member(Id, Name),
    /// A key of a composite literal: a field, or a name.
    Key(Id, Name),
}

/// A reference.
#[derive(Debug)]
pub(crate) struct Reference {
    pub(crate) target: Target,
    pub(crate) offset: usize,
}

/// What a file says.
#[derive(Debug, Default)]
pub(crate) struct GoFile {
    pub(crate) package: Name,
    pub(crate) imports: Vec<Import>,
    pub(crate) symbols: HashMap<Name, Symbol>,
    /// Methods by the type that they belong to.
    pub(crate) methods: HashMap<Name, HashMap<Name, Id>>,
    pub(crate) shapes: Vec<Shape>,
    pub(crate) references: Vec<Reference>,
    /// Words inside of syntax errors.
    pub(crate) loose: HashSet<Name>,
    /// Whether a build constraint keeps it out of every build.
    pub(crate) is_ignored: bool,
    /// Whether a part lay too deep to be read.
    pub(crate) is_deep: bool,
}

impl GoFile {
    /// What other files ask of it: not its references.
    pub(crate) fn for_others(mut self) -> Self {
        self.references = Vec::new();
        self.shapes.shrink_to_fit();
        self.symbols.shrink_to_fit();
        self
    }

    pub(crate) fn add(&mut self, shape: Shape) -> Id {
        self.shapes.push(shape);
        Id::try_from(self.shapes.len() - 1).unwrap_or(0)
    }

    pub(crate) fn shape(&self, id: Id) -> &Shape {
        self.shapes.get(id as usize).unwrap_or(&Shape::Unknown("shape that is not there"))
    }
}
