//! What one C# file declares, as far as others need it.

use std::collections::HashMap;

use crate::references::record::{Keep, Reader, Writer};

pub(super) type Name = Box<str>;

/// A `using` directive.
#[derive(Debug, Clone)]
pub(super) struct Using {
    /// The namespace or type, with dots.
    pub(super) name: Name,
    pub(super) alias: Option<Name>,
    pub(super) is_static: bool,
    pub(super) is_global: bool,
    /// The byte offset of the name.
    pub(super) offset: usize,
}

/// One declaration of a class, structure, interface, enumeration, record or delegate.
#[derive(Debug, Clone, Default)]
pub(super) struct Type {
    pub(super) name: Name,
    /// The names of the types around it, outermost first.
    pub(super) outer: Vec<Name>,
    pub(super) is_partial: bool,
    /// Base types by their last name, type arguments left out.
    pub(super) bases: Vec<Name>,
    /// Members, each with the name of its type where that is plain.
    pub(super) members: HashMap<Name, Option<Name>>,
    /// Where the declaration starts and ends.
    pub(super) start: usize,
    pub(super) end: usize,
}

/// What one file declares.
#[derive(Debug, Default)]
pub(super) struct Declared {
    pub(super) namespaces: Vec<Name>,
    pub(super) usings: Vec<Using>,
    pub(super) types: Vec<Type>,
    /// Methods that extend other types.
    pub(super) extensions: Vec<Name>,
}

impl Keep for Declared {
    const TAG: u8 = 3;

    fn write(&self, to: &mut Writer) {
        to.texts(self.namespaces.iter());
        to.list(self.usings.iter(), |to, using| using.write(to));
        to.list(self.types.iter(), |to, class| class.write(to));
        to.texts(self.extensions.iter());
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let namespaces = from.names()?;
        let (usings, types) = (from.list(Using::read)?, from.list(Type::read)?);
        Some(Self { namespaces, usings, types, extensions: from.names()? })
    }
}

impl Using {
    fn write(&self, to: &mut Writer) {
        to.text(&self.name);
        to.option(self.alias.as_deref(), Writer::text);
        to.number(u64::from(self.is_static));
        to.number(u64::from(self.is_global));
        to.count(self.offset);
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let (name, alias) = (from.name()?, from.option(Reader::name)?);
        let (is_static, is_global) = (from.flag()?, from.flag()?);
        Some(Self { name, alias, is_static, is_global, offset: from.count()? })
    }
}

impl Type {
    fn write(&self, to: &mut Writer) {
        to.text(&self.name);
        to.texts(self.outer.iter());
        to.number(u64::from(self.is_partial));
        to.texts(self.bases.iter());
        to.list(self.members.iter(), |to, (name, class)| {
            to.text(name);
            to.option(class.as_deref(), Writer::text);
        });
        to.count(self.start);
        to.count(self.end);
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let (name, outer) = (from.name()?, from.names()?);
        let (is_partial, bases) = (from.flag()?, from.names()?);
        let members = from.map(|from| Some((from.name()?, from.option(Reader::name)?)))?;
        let (start, end) = (from.count()?, from.count()?);
        Some(Self { name, outer, is_partial, bases, members, start, end })
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
    /// A type, or an attribute by its short name.
    Type { name: Name, is_attribute: bool },
    /// A name in a namespace or type, `a.b.c`, where a type is wanted.
    Qualified { path: Name, is_attribute: bool },
    /// A method called without a receiver.
    Call(Name),
    /// A member of the type around it, through `this` or `base`.
    This(Name),
    /// A member of a plain name; `scope` is the member declaration around it.
    Member { root: Name, member: Name, scope: usize, root_offset: usize },
    /// A member of a field or property of the type around it, through `this`.
    Field { field: Name, member: Name },
    /// A member of a field or property of a plain name, `root.field.member`.
    Chain { root: Name, field: Name, member: Name, scope: usize },
    /// A member of an expression whose type is plain.
    Of { class: Name, member: Name },
    /// An argument by name.
    Argument { of: Called, name: Name },
}

/// What an argument is passed to.
#[derive(Debug)]
pub(super) enum Called {
    /// A type that is made.
    Type(Name),
    /// A method without a receiver.
    Own(Name),
    /// A method of something.
    Of(Name),
}

/// What one file uses.
#[derive(Debug, Default)]
pub(super) struct Used {
    pub(super) references: Vec<Reference>,
    /// Locals and parameters by declaration and name, each with its plain type.
    pub(super) values: HashMap<(usize, Name), Option<Name>>,
    /// Names that the file declares in any way but as types.
    pub(super) declared: std::collections::HashSet<Name>,
}

impl Used {
    /// Notes a value; two declarations of one name must agree.
    pub(super) fn value(&mut self, scope: usize, name: &str, class: Option<&str>) {
        self.declared.insert(name.into());
        let class: Option<Name> = class.map(Into::into);
        let known = self.values.entry((scope, name.into())).or_insert_with(|| class.clone());
        if *known != class {
            *known = None;
        }
    }
}
