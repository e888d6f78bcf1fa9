//! What one Ruby file defines and uses.

use std::collections::HashSet;

use super::scan;
use crate::references::record::{Keep, Reader, Writer};

pub(super) type Name = Box<str>;

/// One opening of a class or module.
#[derive(Debug, Clone, Default)]
pub(super) struct Class {
    /// The last part of its name.
    pub(super) name: Name,
    /// The superclass and what is mixed in, as written.
    pub(super) ancestors: Vec<Name>,
    /// Why its methods cannot be known.
    pub(super) open: Option<&'static str>,
    /// How far its line is indented.
    pub(super) indent: usize,
    /// Whether it is a module, on which no class can build.
    pub(super) is_module: bool,
    /// Whether the first of what it builds on is a superclass.
    pub(super) has_base: bool,
    /// Whether its name says that it stands in another (`module Shop::Desk`).
    pub(super) is_inside: bool,
}

/// What one file defines.
#[derive(Debug, Default)]
pub(super) struct Defined {
    /// Methods, and every symbol, for a symbol may define one.
    pub(super) methods: HashSet<Name>,
    pub(super) constants: HashSet<Name>,
    pub(super) classes: Vec<Class>,
    /// What is required, without what joins words, in lower case.
    pub(super) required: HashSet<Name>,
    /// What is mixed into every object, outside of all classes.
    pub(super) included: Vec<Name>,
}

impl Defined {
    /// Takes in what another file defines.
    pub(super) fn extend(&mut self, other: Self) {
        self.methods.extend(other.methods);
        self.constants.extend(other.constants);
        self.classes.extend(other.classes);
        self.required.extend(other.required);
        self.included.extend(other.included);
    }
}

impl Keep for Defined {
    const TAG: u8 = 23;

    fn write(&self, to: &mut Writer) {
        to.texts(self.methods.iter());
        to.texts(self.constants.iter());
        to.list(self.classes.iter(), |to, class| class.write(to));
        to.texts(self.required.iter());
        to.texts(self.included.iter());
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let (methods, constants) = (from.set()?, from.set()?);
        let classes = from.list(Class::read)?;
        let (required, included) = (from.set()?, from.names()?);
        Some(Self { methods, constants, classes, required, included })
    }
}

impl Class {
    fn write(&self, to: &mut Writer) {
        to.text(&self.name);
        to.texts(self.ancestors.iter());
        to.option(self.open, Writer::text);
        to.count(self.indent);
        for flag in [self.is_inside, self.is_module, self.has_base] {
            to.number(u64::from(flag));
        }
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let (name, ancestors) = (from.name()?, from.names()?);
        let open = from.option(Reader::text)?;
        let open = open.map(|open| scan::OPENINGS.into_iter().find(|known| *known == open));
        let open = if let Some(open) = open { Some(open?) } else { None };
        let (indent, is_inside) = (from.count()?, from.flag()?);
        let (is_module, has_base) = (from.flag()?, from.flag()?);
        Some(Self { name, ancestors, open, indent, is_module, has_base, is_inside })
    }
}

/// One use of a name.
#[derive(Debug)]
pub(super) struct Reference {
    pub(super) target: Target,
    pub(super) offset: usize,
}

/// What is used.
#[derive(Debug)]
pub(super) enum Target {
    /// A file beside this one.
    Relative(Name),
    /// A file on the load path.
    Feature(Name),
    /// A constant in no other; whether others are asked of it (`Shop::Desk`).
    Constant { name: Name, is_root: bool },
    /// A constant in another, with the whole path that stands before it.
    Scoped { scope: Name, name: Name },
    /// A method of the object itself; `class` is the class around it, `outer` the first part of
    /// the outermost one.
    Own { class: Option<Name>, outer: Option<Name>, name: Name, is_open: bool },
    /// A method of a class by its whole path, or of an object of it.
    Of { class: Name, name: Name },
}

/// What one file uses.
#[derive(Debug, Default)]
pub(super) struct Used {
    pub(super) references: Vec<Reference>,
    /// Local variables and parameters.
    pub(super) locals: HashSet<Name>,
    /// Symbols that classes hand to methods which may make others of them.
    pub(super) macros: HashSet<Name>,
}

/// The first and the last part of a constant's path.
pub(super) fn ends(path: &str) -> (&str, &str) {
    let path = path.trim_start_matches("::");
    let first = path.split("::").next().unwrap_or(path);
    (first, path.rsplit("::").next().unwrap_or(path))
}
