//! What one TypeScript or JavaScript file says: declared names, exports, classes, references.
//!
//! Names are kept for the whole file, not by scope: a name that is declared
//! anywhere in a file counts as visible everywhere in it. That loses a little
//! and is never loud.

use std::collections::{HashMap, HashSet};

/// A name, kept as small as it is.
pub(crate) type Name = Box<str>;

/// Where an imported name comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Import {
    pub(crate) source: Name,
    /// The exported name, `*` for the whole module.
    pub(crate) name: Name,
}

/// A class, an interface or an enum with its members.
#[derive(Debug, Default)]
pub(crate) struct Class {
    pub(crate) members: HashSet<Name>,
    /// Names of what it extends.
    pub(crate) bases: Vec<Name>,
    /// Why it may have more members.
    pub(crate) open: Option<&'static str>,
    /// Whether a namespace of its name adds to what it has as a value.
    pub(crate) is_merged: bool,
    pub(crate) is_enum: bool,
    /// Whether it is there at run time: a class or an enum, not only an interface.
    pub(crate) is_value: bool,
    /// The classes of what its fields hold, where they are plain.
    pub(crate) held: HashMap<Name, Option<Name>>,
}

/// What a local stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Value {
    /// An object of the class or interface of this name.
    Of(Name),
    /// A function that is bound to a constant.
    Function,
    /// A component that is made of a function.
    Component,
    /// Declared more than once, or of no plain type.
    Unknown,
}

/// What takes an object with keys.
#[derive(Debug)]
pub(crate) enum Taker {
    /// The type of this name.
    Type(Name),
    /// The function of this name, at this place among what it takes.
    Function(Name, usize),
}

/// The keys of an object that is written for something, with their places.
#[derive(Debug)]
pub(crate) struct Keys {
    pub(crate) taker: Taker,
    pub(crate) keys: Vec<(Name, usize)>,
}

/// What is referred to.
#[derive(Debug)]
pub(crate) enum Target {
    Module(Name),
    Import(Import),
    Name {
        name: Name,
        is_call: bool,
        is_type: bool,
    },
    /// `this.member` in a class.
    This(usize, Name),
    /// `this.field.member` in a class, the field first.
    Held(usize, Name, Name),
    /// `super.member` in a class.
    Super(usize, Name),
    /// `root.member`.
    Member(Name, Name),
    /// A member of a local of a class: the local, the class, the member.
    Local(Name, Name, Name),
    /// A member of a local that is what a function gives.
    Given {
        root: Name,
        function: Name,
        is_awaited: bool,
        member: Name,
    },
    /// A member of an expression whose class is plain, the class first.
    Of(Name, Name),
    /// `this.member` where nothing says what `this` is.
    Loose(Name),
    Keys(Box<Keys>),
}

/// A reference.
#[derive(Debug)]
pub(crate) struct Reference {
    pub(crate) target: Target,
    pub(crate) offset: usize,
}

/// What one file says.
#[derive(Debug, Default)]
pub(crate) struct ScriptFile {
    pub(crate) declared: HashSet<Name>,
    pub(crate) imports: HashMap<Name, Import>,
    pub(crate) classes: Vec<Class>,
    /// Classes by name; two of a name are merged.
    pub(crate) class_names: HashMap<Name, usize>,
    pub(crate) values: HashMap<Name, Value>,
    /// The classes of what functions give, and whether it is promised; `None` where it is not plain.
    pub(crate) given: HashMap<Name, Option<(Name, bool)>>,
    /// The classes of the constants that it exports, by the names that they have inside.
    pub(crate) constants: HashMap<Name, Name>,
    /// The types of what functions take; `None` where two are called the same.
    pub(crate) takes: HashMap<Name, Option<Vec<Option<Name>>>>,
    /// Exported names and what they are called inside.
    pub(crate) exports: HashMap<Name, Name>,
    /// Names handed on from other modules.
    pub(crate) reexports: HashMap<Name, Import>,
    /// Modules of which every name is handed on.
    pub(crate) stars: Vec<Name>,
    /// Files that declarations put in by path: what they spell may be exported too.
    pub(crate) put_in: Vec<Name>,
    /// Why more may be exported.
    pub(crate) open: Option<&'static str>,
    pub(crate) references: Vec<Reference>,
    /// Members that are assigned on anything.
    pub(crate) stored: HashSet<Name>,
    /// Those that are assigned on anything but `this`, where fields have no types.
    pub(crate) outside: HashSet<Name>,
    /// Names inside text that does not parse.
    pub(crate) loose: HashSet<Name>,
    /// Keys of objects and names of methods, wherever they stand.
    pub(crate) keys: HashSet<Name>,
    /// Whether it hands its names out by `exports`.
    pub(crate) is_common: bool,
}

impl ScriptFile {
    /// What other files ask of it: not its references.
    pub(crate) fn for_others(mut self) -> Self {
        self.references = Vec::new();
        self.keys = HashSet::new();
        self.declared.shrink_to_fit();
        self.values.shrink_to_fit();
        self.exports.shrink_to_fit();
        self.stored.shrink_to_fit();
        self
    }

    /// The class of this name, made when there is none yet.
    pub(crate) fn class_named(&mut self, name: &str) -> usize {
        if let Some(number) = self.class_names.get(name) {
            return *number;
        }
        self.classes.push(Class::default());
        let number = self.classes.len() - 1;
        self.class_names.insert(name.into(), number);
        number
    }

    /// Notes what a local stands for; said twice differently, nothing is known.
    pub(crate) fn value(&mut self, name: &str, value: Value) {
        match self.values.get_mut(name) {
            Some(known) if *known == value => {}
            Some(known) => *known = Value::Unknown,
            None => {
                self.values.insert(name.into(), value);
            }
        }
    }
}
