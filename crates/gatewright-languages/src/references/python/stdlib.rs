//! The standard library, from a table of names.
//!
//! The table is the union over interpreter versions and platforms, so that a
//! name is missing only where no version has it. `tests/references/stdlib_names.py`
//! writes it. One line each: `M` module, `S` star import, `A` alias, `C` class
//! with its bases and members, `N` other names.

use std::collections::HashMap;
use std::sync::OnceLock;

use super::facts::{Base, Binding, Class, MODULE, Path, PyFile, ScopeKind};
use super::walk::module_path;
use crate::references::words;

static TABLE: &str = include_str!("stdlib.txt");
/// Packages that tests are written with, in the same form: the names of all versions.
static TESTING: &str = include_str!("testing.txt");

/// Names that exist without a definition: set by the interpreter, or by interpreters before 3.
const IMPLICIT: [&str; 31] = [
    "__file__",
    "__name__",
    "__doc__",
    "__path__",
    "__package__",
    "__spec__",
    "__loader__",
    "__builtins__",
    "__annotations__",
    "__class__",
    "__debug__",
    "__module__",
    "__qualname__",
    "__dict__",
    "_",
    "reveal_type",
    "reveal_locals",
    "get_ipython",
    "unicode",
    "xrange",
    "long",
    "basestring",
    "raw_input",
    "unichr",
    "reduce",
    "file",
    "cmp",
    "execfile",
    "reload",
    "buffer",
    "WindowsError",
];

fn sections() -> &'static HashMap<&'static str, &'static str> {
    static SECTIONS: OnceLock<HashMap<&'static str, &'static str>> = OnceLock::new();
    SECTIONS.get_or_init(|| {
        let parts = TABLE.split("\nM ").map(|part| part.strip_prefix("M ").unwrap_or(part));
        let named = |part: &'static str| {
            let head = part.lines().next()?;
            Some((head.split(' ').next()?, part))
        };
        parts.filter_map(named).collect()
    })
}

/// Whether the standard library has a module of this dotted name.
pub(super) fn has_module(name: &str) -> bool {
    sections().contains_key(name)
}

/// Whether a name stands anywhere in the standard library or in the packages for tests.
pub(super) fn is_spelt(name: &str) -> bool {
    [TABLE, TESTING].iter().any(|table| words::contains(table.as_bytes(), name))
}

/// The names of the modules on top.
pub(super) fn top_modules() -> impl Iterator<Item = &'static str> {
    sections().keys().copied().filter(|name| !name.contains('.'))
}

/// The last names of the modules below a module, or of those on top.
pub(super) fn modules_below(parent: &str) -> impl Iterator<Item = &'static str> {
    sections().keys().filter_map(move |name| {
        let (above, last) = name.rsplit_once('.').unwrap_or(("", name));
        (above == parent).then_some(last)
    })
}

/// The text of a module's section.
pub(super) fn section(name: &str) -> Option<&'static str> {
    sections().get(name).copied()
}

/// The section of a test package that need not be installed to be known.
pub(super) fn testing(name: &str) -> Option<&'static str> {
    let parts = TESTING.split("\nM ").map(|part| part.strip_prefix("M ").unwrap_or(part));
    parts.into_iter().find(|part| part.lines().next() == Some(name))
}

/// Whether a name needs no definition.
pub(super) fn is_builtin(name: &str) -> bool {
    IMPLICIT.contains(&name)
        || super::resolver::is_dunder(name)
        || builtins().scopes.first().is_some_and(|scope| scope.bindings.contains_key(name))
}

/// The names that every scope has.
pub(super) fn builtin_names<'a>() -> impl Iterator<Item = &'a str> {
    builtins()
        .scopes
        .first()
        .into_iter()
        .flat_map(|scope| scope.bindings.keys())
        .map(|name| &**name)
}

fn builtins() -> &'static PyFile {
    static BUILTINS: OnceLock<PyFile> = OnceLock::new();
    BUILTINS.get_or_init(|| section("builtins").map(build).unwrap_or_default())
}

/// The facts of a section.
pub(super) fn build(section: &str) -> PyFile {
    let mut file = PyFile::new();
    let mut lines = section.lines();
    let _head = lines.next();
    for line in lines {
        let mut words = line.split(' ');
        match words.next() {
            Some("S") => file.stars.extend(words.next().map(|star| module_path(0, star))),
            Some("A") => {
                if let (Some(name), Some(target)) = (words.next(), words.next()) {
                    file.bind(MODULE, name, alias(target));
                }
            }
            Some("C") => class(&mut file, words),
            _ => words.for_each(|name| file.bind(MODULE, name, Binding::Other)),
        }
    }
    file
}

fn alias(target: &str) -> Binding {
    match target.strip_prefix('@') {
        Some(import) => match import.split_once(':') {
            Some((module, name)) => Binding::From(module_path(0, module), name.into()),
            None => Binding::Module(import.into()),
        },
        None => Binding::Alias(path(target)),
    }
}

fn path(dotted: &str) -> Path {
    dotted.split('.').map(Into::into).collect()
}

fn class<'a>(file: &mut PyFile, mut words: impl Iterator<Item = &'a str>) {
    let (Some(name), Some(bases)) = (words.next(), words.next()) else { return };
    let number = file.classes.len();
    let scope = file.add_scope(Some(MODULE), ScopeKind::Class(number));
    let mut class = Class {
        name: name.into(),
        scope,
        outer: MODULE,
        bases: Vec::new(),
        metaclass: None,
        decorators: Vec::new(),
        attributes: words.map(Into::into).collect(),
        held: HashMap::new(),
        open: None,
    };
    for base in bases.split(',').filter(|base| *base != "-") {
        match base.strip_prefix('!') {
            Some(metaclass) => class.metaclass = Some(path(metaclass)),
            None if base == "?" => class.bases.push(Base::Unknown),
            None => class.bases.push(Base::Path(path(base))),
        }
    }
    if class.attributes.contains("__getattr__") {
        class.open = Some("dynamic attributes");
    }
    file.classes.push(class);
    file.bind(MODULE, name, Binding::Class(number));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_knows_modules_classes_and_builtins() {
        assert!(has_module("os.path"));
        assert!(!has_module("os.paths"));
        assert!(is_builtin("print") && is_builtin("ExceptionGroup") && !is_builtin("pritn"));
        let threading = build(section("threading").unwrap());
        let Some(Binding::Class(thread)) = threading.scopes[MODULE].bindings.get("Thread") else {
            panic!("no class");
        };
        assert!(threading.classes[*thread].attributes.contains("daemon"));
    }
}
