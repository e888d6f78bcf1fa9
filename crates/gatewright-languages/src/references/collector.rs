//! Gathers the answers about one file.

use std::collections::{BTreeMap, HashMap};

use super::suggest::nearest;

/// How many names a file's missing references are held against, all together.
///
/// A generated file can miss ten thousand names among ten thousand others; the
/// first are what a person reads.
const COMPARED: usize = 100_000;

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
    /// Whether it is looked up in a module, class or function, and not in the scopes around it.
    pub(crate) fn has_container(self) -> bool {
        matches!(self, Kind::Import | Kind::Attribute | Kind::Member | Kind::Argument)
    }

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

/// A name that something which is not installed may give.
#[derive(Debug)]
pub(crate) struct Doubtful {
    pub(crate) name: String,
    pub(crate) kind: Kind,
    pub(crate) offset: usize,
    pub(crate) reason: &'static str,
}

/// An import from a place whose names nobody can list.
#[derive(Debug)]
pub(crate) struct Untold {
    pub(crate) owner: String,
    pub(crate) name: String,
    pub(crate) offset: usize,
    pub(crate) reason: &'static str,
}

/// The answers about one file.
#[derive(Debug, Default)]
pub(crate) struct Collector {
    /// What is weighed by the imports as they were.
    pub(crate) untold: Vec<Untold>,
    /// What is weighed by the file as it was.
    pub(crate) doubtful: Vec<Doubtful>,
    pub(crate) checked: u64,
    pub(crate) unknown: BTreeMap<&'static str, u64>,
    pub(crate) missing: Vec<Missing>,
    pub(crate) incomplete: bool,
    compared: usize,
    suggested: HashMap<(Kind, String), Vec<String>>,
}

impl Collector {
    pub(crate) fn exists(&mut self) {
        self.checked += 1;
    }

    pub(crate) fn unknown(&mut self, reason: &'static str) {
        self.checked += 1;
        *self.unknown.entry(reason).or_default() += 1;
    }

    /// Notes a name that something which is not installed may give.
    pub(crate) fn doubtful(&mut self, name: &str, kind: Kind, offset: usize, reason: &'static str) {
        self.doubtful.push(Doubtful { name: name.to_owned(), kind, offset, reason });
    }

    /// Notes an import of a name from a place (`owner`) whose names nobody can list.
    pub(crate) fn untold(&mut self, (owner, name): (&str, &str), offset: usize, why: &'static str) {
        let (owner, name) = (owner.to_owned(), name.to_owned());
        self.untold.push(Untold { owner, name, offset, reason: why });
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
        let suggestions = self.suggestions(name, kind, candidates);
        self.missing.push(Missing { name: name.to_owned(), kind, offset, suggestions });
    }

    /// Computed once for a name, except for what is looked up in a container of its own.
    fn suggestions<'a>(
        &mut self,
        name: &str,
        kind: Kind,
        candidates: impl IntoIterator<Item = &'a str>,
    ) -> Vec<String> {
        let key = (kind, name.to_owned());
        let has_container = kind.has_container();
        if !has_container && let Some(known) = self.suggested.get(&key) {
            return known.clone();
        }
        let left = COMPARED.saturating_sub(self.compared);
        let compared = &mut self.compared;
        let within = candidates.into_iter().take(left).inspect(|_| *compared += 1);
        let suggestions = nearest(name, within);
        if !has_container {
            self.suggested.insert(key, suggestions.clone());
        }
        suggestions
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_misses_very_many_names_is_compared_a_bounded_number_of_times() {
        let names: Vec<String> = (0..10_000).map(|at| format!("value_{at}")).collect();
        let mut collector = Collector::default();
        for at in 0..1_000 {
            let name = format!("valeu_{at}");
            collector.missing(&name, Kind::Name, at, names.iter().map(String::as_str));
        }
        assert_eq!(collector.missing.len(), 1_000);
        assert_eq!(collector.missing[0].suggestions[0], "value_0");
        assert_eq!(collector.compared, COMPARED);
    }

    #[test]
    fn a_name_that_is_missing_again_is_not_compared_again() {
        let mut collector = Collector::default();
        for offset in 0..3 {
            collector.missing("recompute", Kind::Call, offset, ["compute", "value"]);
        }
        assert_eq!(collector.compared, 2);
        assert!(collector.missing.iter().all(|missing| missing.suggestions == ["compute"]));
    }
}
