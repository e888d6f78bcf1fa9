//! What a compiled .NET assembly offers: its types, their members and what they build on.
//!
//! Types and members that only the assembly itself can see are left out.

use std::collections::{HashMap, HashSet};

use super::facts::Name;
use super::tables::{self, Tables};
use crate::references::record::{Keep, Reader, Writer};

/// One type that others can see.
#[derive(Debug, Default, Clone)]
pub(super) struct Offered {
    pub(super) name: Name,
    /// Base types by their last name, type arguments left out.
    pub(super) bases: Vec<Name>,
    /// `None` when another assembly holds the type.
    pub(super) members: Option<HashSet<Name>>,
}

/// What one assembly offers.
#[derive(Debug, Default)]
pub(super) struct Assembly {
    pub(super) namespaces: HashSet<Name>,
    pub(super) types: Vec<Offered>,
    /// Methods that extend other types.
    pub(super) extensions: HashSet<Name>,
}

impl Keep for Assembly {
    const TAG: u8 = 26;

    fn write(&self, to: &mut Writer) {
        to.texts(self.namespaces.iter());
        to.list(self.types.iter(), |to, offered| {
            to.text(&offered.name);
            to.texts(offered.bases.iter());
            to.option(offered.members.as_ref(), |to, members| to.texts(members.iter()));
        });
        to.texts(self.extensions.iter());
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let namespaces = from.set()?;
        let types = from.list(|from| {
            let (name, bases) = (from.name()?, from.names()?);
            Some(Offered { name, bases, members: from.option(Reader::set)? })
        })?;
        Some(Self { namespaces, types, extensions: from.set()? })
    }
}

/// Who can see a type or a member: the lowest bits of its flags.
const VISIBILITY: usize = 7;
/// Types at the top, and inside of others, that can be seen from outside.
const SEEN_TYPES: [usize; 4] = [1, 2, 4, 7];
/// Members for heirs, for heirs and friends, for everybody.
const SEEN_MEMBERS: [usize; 3] = [4, 5, 6];
const INTERFACE: usize = 0x20;
const STATIC: usize = 0x10;
/// Methods behind properties, events and operators.
const SPECIAL: usize = 0x800;
const FORWARDED: usize = 0x20_0000;
/// What marks a method as one of another type.
const EXTENSION: &str = "ExtensionAttribute";

/// What the bytes of an assembly offer; `None` when they are none.
pub(super) fn read(bytes: &[u8]) -> Option<Assembly> {
    const LISTS: [(usize, usize); 4] = [
        (tables::TYPE_DEF, 4),
        (tables::TYPE_DEF, 5),
        (tables::PROPERTY_MAP, 1),
        (tables::EVENT_MAP, 1),
    ];
    let tables = Tables::new(bytes)?;
    if !LISTS.iter().all(|(table, column)| tables.is_ordered(*table, *column)) {
        return None;
    }
    let reader = AssemblyReader::new(tables);
    let mut found = Assembly::default();
    for row in 1..=reader.tables.count(tables::TYPE_DEF) {
        if let Some(offered) = reader.offered(row, &mut found) {
            found.types.push(offered);
        }
    }
    reader.forwarded(&mut found);
    Some(found)
}

struct AssemblyReader<'a> {
    tables: Tables<'a>,
    /// The type around each type that stands inside of another.
    around: HashMap<usize, usize>,
    inside: HashMap<usize, Vec<usize>>,
    interfaces: HashMap<usize, Vec<Name>>,
    properties: HashMap<usize, usize>,
    events: HashMap<usize, usize>,
    extending: HashSet<usize>,
}

impl<'a> AssemblyReader<'a> {
    fn new(tables: Tables<'a>) -> Self {
        let map = |table: usize| {
            let row = |row| Some((tables.cell(table, row, 0)?, row));
            (1..=tables.count(table)).filter_map(row).collect()
        };
        let (properties, events) = (map(tables::PROPERTY_MAP), map(tables::EVENT_MAP));
        let nested = |row| {
            Some((tables.cell(tables::NESTED, row, 0)?, tables.cell(tables::NESTED, row, 1)?))
        };
        let around: HashMap<usize, usize> =
            (1..=tables.count(tables::NESTED)).filter_map(nested).collect();
        let mut inside: HashMap<usize, Vec<usize>> = HashMap::new();
        for (row, outer) in &around {
            inside.entry(*outer).or_default().push(*row);
        }
        let (interfaces, extending) = Default::default();
        let mut reader = Self { tables, around, inside, interfaces, properties, events, extending };
        reader.interfaces = reader.interfaces();
        reader.extending = reader.extending();
        reader
    }

    fn interfaces(&self) -> HashMap<usize, Vec<Name>> {
        let mut found: HashMap<usize, Vec<Name>> = HashMap::new();
        for row in 1..=self.tables.count(tables::INTERFACE) {
            if let Some(class) = self.tables.cell(tables::INTERFACE, row, 0) {
                found.entry(class).or_default().push(self.named(tables::INTERFACE, row, 1));
            }
        }
        found
    }

    /// The methods that an attribute makes methods of other types.
    fn extending(&self) -> HashSet<usize> {
        // An assembly may declare the attribute for itself.
        let own = (1..=self.tables.count(tables::TYPE_DEF))
            .find(|row| self.tables.text(tables::TYPE_DEF, *row, 1) == Some(EXTENSION))
            .map(|row| self.tables.owned(tables::TYPE_DEF, (row, 5), tables::METHOD))
            .unwrap_or_default();
        let is_maker = |(table, row): (usize, usize)| {
            let owner = || self.tables.coded(table, row, (0, tables::OWNERS));
            match table {
                tables::MEMBER_REF => owner().is_some_and(|(table, row)| {
                    table == tables::TYPE_REF && self.tables.text(table, row, 1) == Some(EXTENSION)
                }),
                _ => own.contains(&row),
            }
        };
        let of = |row: usize| {
            let owner = self.tables.coded(tables::ATTRIBUTE, row, (0, tables::ATTRIBUTED))?;
            let maker = self.tables.coded(tables::ATTRIBUTE, row, (1, tables::MAKERS))?;
            (owner.0 == tables::METHOD && is_maker(maker)).then_some(owner.1)
        };
        (1..=self.tables.count(tables::ATTRIBUTE)).filter_map(of).collect()
    }

    /// The last name of the type that a cell names; empty when it cannot be told.
    fn named(&self, table: usize, row: usize, column: usize) -> Name {
        let found = self.tables.coded(table, row, (column, tables::TYPES));
        found.and_then(|(table, row)| self.last_name(table, row)).unwrap_or_default().into()
    }

    fn last_name(&self, table: usize, row: usize) -> Option<&'a str> {
        let (table, row) = match table {
            tables::TYPE_SPEC => {
                // A generic type: its mark, whether it is a class, then the type.
                let spelling = self.tables.blob(table, row, 0)?.strip_prefix(&[0x15])?;
                let (_, rest) = spelling.split_first()?;
                tables::decoded(tables::packed(rest)?.0, tables::TYPES)?
            }
            _ => (table, row),
        };
        self.tables.text(table, row, 1).map(plain)
    }

    fn offered(&self, row: usize, found: &mut Assembly) -> Option<Offered> {
        let flags = self.tables.cell(tables::TYPE_DEF, row, 0)?;
        if !SEEN_TYPES.contains(&(flags & VISIBILITY)) || !self.is_seen(row) {
            return None;
        }
        let name = plain(self.tables.text(tables::TYPE_DEF, row, 1)?);
        let namespace = self.tables.text(tables::TYPE_DEF, row, 2).unwrap_or_default();
        if !is_identifier(name) {
            return None;
        }
        if !namespace.is_empty() {
            found.namespaces.insert(namespace.into());
        }
        let mut bases = Vec::new();
        if flags & INTERFACE != 0 {
            bases.extend(self.interfaces.get(&row).into_iter().flatten().cloned());
        } else {
            bases.push(self.named(tables::TYPE_DEF, row, 3));
        }
        bases.retain(|base| &**base != "Object");
        let members = Some(self.members(row, found));
        Some(Offered { name: name.into(), bases, members })
    }

    /// Whether the types around a type can be seen.
    fn is_seen(&self, row: usize) -> bool {
        let mut row = row;
        for _ in 0..16 {
            let Some(around) = self.around.get(&row) else { return true };
            row = *around;
            let flags = self.tables.cell(tables::TYPE_DEF, row, 0).unwrap_or(0);
            if !SEEN_TYPES.contains(&(flags & VISIBILITY)) {
                return false;
            }
        }
        false
    }

    fn members(&self, class: usize, found: &mut Assembly) -> HashSet<Name> {
        let of = &self.tables;
        let mut members: HashSet<Name> = HashSet::new();
        for row in of.owned(tables::TYPE_DEF, (class, 4), tables::FIELD) {
            let flags = of.cell(tables::FIELD, row, 0).unwrap_or(0);
            if SEEN_MEMBERS.contains(&(flags & VISIBILITY)) {
                members.extend(self.member(tables::FIELD, row));
            }
        }
        for row in of.owned(tables::TYPE_DEF, (class, 5), tables::METHOD) {
            members.extend(self.method(row, found));
        }
        for (maps, table) in [(&self.properties, tables::PROPERTY), (&self.events, tables::EVENT)] {
            let map = if table == tables::EVENT { tables::EVENT_MAP } else { tables::PROPERTY_MAP };
            if let Some(row) = maps.get(&class) {
                let own = of.owned(map, (*row, 1), table);
                members.extend(own.filter_map(|row| self.member(table, row)));
            }
        }
        let inner = self.inside.get(&class).into_iter().flatten();
        let inner = inner.filter_map(|row| self.last_name(tables::TYPE_DEF, *row));
        members.extend(inner.map(Name::from));
        members
    }

    fn member(&self, table: usize, row: usize) -> Option<Name> {
        self.tables.text(table, row, 1).filter(|name| is_identifier(name)).map(Name::from)
    }

    fn method(&self, row: usize, found: &mut Assembly) -> Option<Name> {
        let flags = self.tables.cell(tables::METHOD, row, 2)?;
        let name = self.tables.text(tables::METHOD, row, 3).filter(|name| is_identifier(name))?;
        if self.extending.contains(&row) {
            found.extensions.insert(name.into());
        }
        // The accessors of a property that extends another type are plain methods.
        if flags & STATIC != 0 && flags & SPECIAL == 0 {
            let property = name.strip_prefix("get_").or_else(|| name.strip_prefix("set_"));
            found.extensions.extend(property.map(Name::from));
        }
        let is_seen = SEEN_MEMBERS.contains(&(flags & VISIBILITY)) && flags & SPECIAL == 0;
        is_seen.then(|| name.into())
    }

    /// Types that the assembly only passes on.
    fn forwarded(&self, found: &mut Assembly) {
        for row in 1..=self.tables.count(tables::EXPORTED) {
            let flags = self.tables.cell(tables::EXPORTED, row, 0).unwrap_or(0);
            let Some(name) = self.tables.text(tables::EXPORTED, row, 2).map(plain) else {
                continue;
            };
            if flags & FORWARDED == 0 || !is_identifier(name) {
                continue;
            }
            let namespace = self.tables.text(tables::EXPORTED, row, 3).unwrap_or_default();
            if !namespace.is_empty() {
                found.namespaces.insert(namespace.into());
            }
            found.types.push(Offered { name: name.into(), ..Offered::default() });
        }
    }
}

/// A name without the count of its type parameters.
fn plain(name: &str) -> &str {
    name.split('`').next().unwrap_or(name)
}

fn is_identifier(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_')
}
