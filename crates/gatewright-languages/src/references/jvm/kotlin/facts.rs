//! What one Kotlin file says: its declarations, and its references.
//!
//! Locals are resolved while a file is read. What is left is kept with the
//! chain of receivers in which it stands: classes, extended types, and lambdas
//! whose receiver depends on the function that takes them.

use std::collections::{HashMap, HashSet};

pub(super) use super::super::facts::{Id, Name, Target};

/// The place of a level in its file's arena; none outside of every receiver.
pub(super) type Scope = Option<u32>;

/// How the type of a value is come by.
#[derive(Debug)]
pub(super) enum Shape {
    Unknown,
    /// A value of a type, by the name that it has in a scope.
    Of(Name, Scope),
    /// The innermost receiver.
    This(Scope),
    /// The receiver of a label.
    Labelled(Name, Scope),
    /// A name that is no local: a property, a class, or the start of a package.
    Name(Name, Scope),
    /// A property, or a class inside of a class.
    Member(Id, Name),
    /// What a function gives that is called without a receiver.
    Call(Name, Scope),
    /// What a function of a value gives.
    Method(Id, Name),
}

/// The function that takes a lambda.
#[derive(Debug)]
pub(super) enum Callee {
    Unknown,
    /// A lambda that is only kept.
    Nothing,
    /// A function without a receiver, with its first argument.
    Bare(Name, Option<Id>),
    Method(Id, Name),
}

/// One receiver around a place.
#[derive(Debug)]
pub(super) enum Level {
    Class(usize),
    /// The type that a function extends.
    Receiver(Id, Name),
    Lambda(Callee),
}

impl Level {
    /// Whether it is the block of a function that is named like a class, as those of small
    /// languages are.
    pub(super) fn is_of_language(&self) -> bool {
        matches!(self, Level::Lambda(Callee::Bare(name, _)) if name.starts_with(char::is_uppercase))
    }
}

/// A level with the one around it.
#[derive(Debug)]
pub(super) struct Around {
    pub(super) level: Level,
    pub(super) outer: Scope,
}

/// The type that a declaration gives.
#[derive(Debug, Clone)]
pub(super) enum Given {
    Unknown,
    Named(Name),
    Inferred(Id),
}

/// The receiver of the lambda that a function takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Block {
    None,
    /// A receiver that is a type parameter, or overloads that differ.
    Open,
    Of(Name),
    /// The last parameter is of a named type, which may stand for a function.
    Named(Name),
}

impl Block {
    /// What a lambda gets when either of two overloads may take it.
    pub(super) fn or(self, other: Self) -> Self {
        match (self, other) {
            (Block::None, other) => other,
            (own, Block::None) => own,
            (own, other) if own == other => own,
            (Block::Of(name), Block::Named(_)) | (Block::Named(_), Block::Of(name)) => {
                Block::Of(name)
            }
            _ => Block::Open,
        }
    }
}

/// A function or a property.
#[derive(Debug, Clone)]
pub(super) struct Member {
    pub(super) given: Given,
    pub(super) is_function: bool,
    pub(super) block: Block,
    pub(super) scope: Scope,
    /// The names of what a function takes, its overloads in the same place included.
    pub(super) takes: Vec<Name>,
}

/// A class, an interface, an object, a companion or an enum.
#[derive(Debug, Default)]
pub(super) struct Class {
    pub(super) name: Name,
    pub(super) outer: Option<usize>,
    /// Where its bases are named.
    pub(super) scope: Scope,
    /// The level inside of its body.
    pub(super) inside: Scope,
    pub(super) members: HashMap<Name, Member>,
    pub(super) bases: Vec<Name>,
    pub(super) is_object: bool,
    /// The lambda that its constructor takes.
    pub(super) block: Option<Block>,
    /// The names of what its constructors take.
    pub(super) takes: Vec<Name>,
    /// Why there may be more members.
    pub(super) open: Option<&'static str>,
}

/// An import.
#[derive(Debug)]
pub(super) struct Import {
    pub(super) path: Name,
    pub(super) alias: Option<Name>,
    pub(super) is_star: bool,
    pub(super) offset: usize,
}

impl Import {
    /// The name that it brings in.
    pub(super) fn name(&self) -> &str {
        let last = || self.path.rsplit('.').next().unwrap_or_default();
        self.alias.as_deref().unwrap_or_else(last)
    }
}

/// A reference.
#[derive(Debug)]
pub(super) struct Reference {
    pub(super) target: Target,
    pub(super) scope: Scope,
    pub(super) offset: usize,
}

/// An argument that is passed by its name.
#[derive(Debug)]
pub(super) struct Argument {
    pub(super) callee: Callee,
    pub(super) name: Name,
    pub(super) scope: Scope,
    pub(super) offset: usize,
}

/// What a file says.
#[derive(Debug, Default)]
pub(super) struct KotlinFile {
    pub(super) package: Name,
    pub(super) imports: Vec<Import>,
    pub(super) classes: Vec<Class>,
    /// The numbers of classes by what is around them and their names.
    pub(super) class_names: HashMap<(Option<usize>, Name), usize>,
    /// The numbers of companions by their classes.
    pub(super) companions: HashMap<usize, usize>,
    /// Functions and properties at the top, without a receiver.
    pub(super) top: HashMap<Name, Member>,
    /// Functions and properties with a receiver, anywhere.
    pub(super) extensions: HashMap<Name, Member>,
    /// The types that aliases stand for, empty for functions, and the receivers of those.
    pub(super) aliases: HashMap<Name, (Name, Block)>,
    pub(super) shapes: Vec<Shape>,
    pub(super) levels: Vec<Around>,
    pub(super) references: Vec<Reference>,
    pub(super) arguments: Vec<Argument>,
    /// Names of type parameters, anywhere in the file.
    pub(super) parameters: HashSet<Name>,
    /// Words inside of syntax errors.
    pub(super) loose: HashSet<Name>,
    /// Whether functions take receivers that only their head names.
    pub(super) has_contexts: bool,
    /// Whether a part lay too deep to be read.
    pub(super) is_deep: bool,
}

impl KotlinFile {
    /// What other files ask of it: not its references.
    pub(super) fn for_others(mut self) -> Self {
        self.references = Vec::new();
        self.arguments = Vec::new();
        self.shapes.shrink_to_fit();
        self.levels.shrink_to_fit();
        self
    }

    pub(super) fn add(&mut self, shape: Shape) -> Id {
        self.shapes.push(shape);
        Id::try_from(self.shapes.len() - 1).unwrap_or(0)
    }

    pub(super) fn shape(&self, id: Id) -> &Shape {
        self.shapes.get(id as usize).unwrap_or(&Shape::Unknown)
    }

    pub(super) fn level(&self, scope: Scope) -> Option<&Around> {
        self.levels.get(scope? as usize)
    }

    /// The class of a name directly inside of another, or at the top.
    pub(super) fn class(&self, outer: Option<usize>, name: &str) -> Option<usize> {
        self.class_names.get(&(outer, name.into())).copied()
    }

    /// The companion of a class.
    pub(super) fn companion(&self, class: usize) -> Option<usize> {
        self.companions.get(&class).copied()
    }
}

/// Notes a declaration; overloads that differ are not followed.
pub(super) fn note(members: &mut HashMap<Name, Member>, name: &str, mut member: Member) {
    if let Some(known) = members.get(name) {
        let same =
            matches!((&known.given, &member.given), (Given::Named(a), Given::Named(b)) if a == b);
        if !same {
            member.given = Given::Unknown;
        }
        member.block = known.block.clone().or(member.block);
        member.is_function &= known.is_function;
        member.takes.extend(known.takes.iter().cloned());
    }
    members.insert(name.into(), member);
}
