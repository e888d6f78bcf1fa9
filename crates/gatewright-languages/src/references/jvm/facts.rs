//! What one Java file says: its classes with their members, and its references.
//!
//! Locals are resolved while a file is read. What is left names members of the
//! classes around it, imports, or classes of the package; each is kept with the
//! class in which it stands.

use std::collections::{HashMap, HashSet};

/// A name, kept as small as it is.
pub(crate) type Name = Box<str>;

/// The place of a shape in its file's arena.
pub(crate) type Id = u32;

/// The number of a class in its file; none outside of every class.
pub(crate) type Context = Option<usize>;

/// How the class of a value is come by.
#[derive(Debug)]
pub(crate) enum Shape {
    Unknown,
    /// A number or a truth value.
    Basic,
    /// A value of a type, by the name that it has in a class.
    Of(Name, Context),
    This(Context),
    /// The part of an object that its base classes declare.
    Super(Context),
    /// A name that is no local: a field, a class, or the start of a package.
    Name(Name, Context),
    /// A field, or a class inside of a class.
    Field(Id, Name),
    /// What a method gives.
    Method(Id, Name),
    /// What a method of the classes around gives.
    Call(Name, Context),
}

/// A class, an interface, an enum, a record or an annotation.
#[derive(Debug, Default)]
pub(crate) struct Class {
    pub(crate) name: Name,
    pub(crate) outer: Context,
    /// Fields and methods, with the types that they give; empty where it is not plain.
    pub(crate) members: HashMap<Name, Name>,
    pub(crate) bases: Vec<Name>,
    /// Why there may be more members.
    pub(crate) open: Option<&'static str>,
}

/// An import.
#[derive(Debug)]
pub(crate) struct Import {
    pub(crate) path: Name,
    pub(crate) is_static: bool,
    pub(crate) is_star: bool,
    pub(crate) offset: usize,
}

impl Import {
    /// The name that it brings in.
    pub(crate) fn name(&self) -> &str {
        self.path.rsplit('.').next().unwrap_or_default()
    }
}

/// What is referred to.
#[derive(Debug)]
pub(crate) enum Target {
    Type(Name),
    /// A method of the classes around, or a function without a receiver.
    Call(Name),
    /// A value, a class, an object or, where `may_be_package`, the start of a package.
    Name {
        name: Name,
        may_be_package: bool,
    },
    Member(Id, Name),
}

/// A reference.
#[derive(Debug)]
pub(crate) struct Reference {
    pub(crate) target: Target,
    pub(crate) context: Context,
    pub(crate) offset: usize,
}

/// What a file says.
#[derive(Debug, Default)]
pub(crate) struct JvmFile {
    pub(crate) package: Name,
    pub(crate) imports: Vec<Import>,
    pub(crate) classes: Vec<Class>,
    pub(crate) shapes: Vec<Shape>,
    pub(crate) references: Vec<Reference>,
    /// Names of type parameters, anywhere in the file.
    pub(crate) parameters: HashSet<Name>,
    /// Words inside of syntax errors.
    pub(crate) loose: HashSet<Name>,
    /// Whether a part lay too deep to be read.
    pub(crate) is_deep: bool,
}

impl JvmFile {
    /// What other files ask of it: not its references.
    pub(crate) fn for_others(mut self) -> Self {
        self.references = Vec::new();
        self.shapes.shrink_to_fit();
        self.classes.shrink_to_fit();
        self
    }

    pub(crate) fn add(&mut self, shape: Shape) -> Id {
        self.shapes.push(shape);
        Id::try_from(self.shapes.len() - 1).unwrap_or(0)
    }

    pub(crate) fn shape(&self, id: Id) -> &Shape {
        self.shapes.get(id as usize).unwrap_or(&Shape::Unknown)
    }

    /// The class of a name directly inside of another, or at the top.
    pub(crate) fn class(&self, outer: Context, name: &str) -> Option<usize> {
        self.classes.iter().position(|class| class.outer == outer && &*class.name == name)
    }
}
