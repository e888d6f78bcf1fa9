//! Gathers the answers about one file.

use std::collections::BTreeMap;

use super::suggest::nearest;

/// The kind of a missing reference, as receipts spell it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Kind {
    Module,
    Package,
    Import,
    Name,
    Attribute,
    Call,
    Class,
    Member,
    Argument,
}

impl Kind {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Kind::Module => "module",
            Kind::Package => "package",
            Kind::Import => "import",
            Kind::Name => "name",
            Kind::Attribute => "attribute",
            Kind::Call => "call",
            Kind::Class => "class",
            Kind::Member => "member",
            Kind::Argument => "argument",
        }
    }
}

/// One reference that does not exist.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Missing {
    pub(crate) name: String,
    pub(crate) kind: Kind,
    /// The byte offset.
    pub(crate) offset: usize,
    pub(crate) suggestions: Vec<String>,
}

/// The answers about one file.
#[derive(Debug, Default)]
pub(crate) struct Collector {
    pub(crate) checked: u64,
    pub(crate) unknown: BTreeMap<&'static str, u64>,
    pub(crate) missing: Vec<Missing>,
    pub(crate) incomplete: bool,
}

impl Collector {
    pub(crate) fn exists(&mut self) {
        self.checked += 1;
    }

    pub(crate) fn unknown(&mut self, reason: &'static str) {
        self.checked += 1;
        *self.unknown.entry(reason).or_default() += 1;
    }

    /// Notes a missing reference with the nearest of `candidates`.
    pub(crate) fn missing<'a>(
        &mut self,
        name: &str,
        kind: Kind,
        offset: usize,
        candidates: impl IntoIterator<Item = &'a str>,
    ) {
        self.checked += 1;
        let suggestions = nearest(name, candidates);
        self.missing.push(Missing { name: name.to_owned(), kind, offset, suggestions });
    }
}
