//! The public names of Kotlin's standard library and of two libraries beside it, as a table.

use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

/// What the table says of a function or a property.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Entry {
    /// The type that it gives; empty when that is not plain, `-` for nothing.
    pub(super) ty: &'static str,
    /// The receiver of the lambda that it takes; `?` for the value that it is called on.
    pub(super) block: &'static str,
}

/// A class of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct LibraryClass {
    package: &'static str,
    line: &'static str,
}

#[derive(Debug, Default)]
struct Package {
    classes: HashMap<&'static str, LibraryClass>,
    aliases: HashMap<&'static str, &'static str>,
    functions: HashMap<&'static str, Entry>,
}

#[derive(Debug, Default)]
struct Library {
    packages: HashMap<&'static str, Package>,
    extensions: HashMap<&'static str, Entry>,
    /// The packages in which an extension lies.
    extended: HashSet<(&'static str, &'static str)>,
}

/// The packages of the standard library.
pub(crate) const TABLE: &str = include_str!("library.txt");

fn library() -> &'static Library {
    static LIBRARY: OnceLock<Library> = OnceLock::new();
    LIBRARY.get_or_init(|| {
        let mut library = Library::default();
        for part in TABLE.split("\n== ").skip(1) {
            let mut lines = part.lines();
            let Some(name) = lines.next() else { continue };
            let mut package = Package::default();
            for line in lines {
                add(&mut library, &mut package, name, line);
            }
            library.packages.insert(name, package);
        }
        library
    })
}

fn add(library: &mut Library, package: &mut Package, name: &'static str, line: &'static str) {
    let mut words = line.split(' ');
    let first = words.next().unwrap_or_default();
    let entries = words.skip(1).map(entry);
    match first {
        "fun" => package.functions.extend(entries),
        "alias" => package.aliases.extend(entries.map(|(name, entry)| (name, entry.ty))),
        "ext" => {
            for (own, entry) in entries {
                library.extended.insert((name, own));
                let known = library.extensions.entry(own).or_insert(entry);
                if known.ty != entry.ty {
                    known.ty = "";
                }
                if known.block != entry.block {
                    known.block = if known.block.is_empty() { entry.block } else { "?" };
                }
            }
        }
        _ => {
            package.classes.insert(first, LibraryClass { package: name, line });
        }
    }
}

/// Whether a package that is not there would have to be one of the standard library, of which
/// all are known but those of other platforms and of the compiler.
pub(super) fn is_part(package: &str) -> bool {
    const APART: [&str; 10] = [
        "browser", "build", "dom", "internal", "js", "metadata", "native", "script", "streams",
        "test",
    ];
    let is_plain = package.split('.').all(|part| part.starts_with(char::is_lowercase));
    let rest = package.strip_prefix("kotlin.");
    is_plain
        && rest.is_some_and(|rest| {
            !rest.split('.').any(|part| APART.contains(&part) || part.starts_with("wasm"))
        })
}

/// `name:type!receiver`.
fn entry(text: &'static str) -> (&'static str, Entry) {
    let (text, block) = text.split_once('!').unwrap_or((text, ""));
    let (name, ty) = text.split_once(':').unwrap_or((text, ""));
    (name, Entry { ty, block })
}

/// Whether the table has a package.
pub(super) fn has_package(package: &str) -> bool {
    library().packages.contains_key(package)
}

/// A class by its package and its name there.
pub(super) fn class(package: &str, name: &str) -> Option<LibraryClass> {
    library().packages.get(package)?.classes.get(name).copied()
}

/// The type that a name of a package stands for.
pub(super) fn alias(package: &str, name: &str) -> Option<&'static str> {
    library().packages.get(package)?.aliases.get(name).copied()
}

/// A function or property of a package, without a receiver.
pub(super) fn function(package: &str, name: &str) -> Option<Entry> {
    library().packages.get(package)?.functions.get(name).copied()
}

/// A function or property with a receiver, of any package.
pub(super) fn extension(name: &str) -> Option<Entry> {
    library().extensions.get(name).copied()
}

/// Whether a package has an extension of a name.
pub(super) fn is_extension_of(package: &str, name: &str) -> bool {
    library().extended.contains(&(package, name))
}

/// The names of a package.
pub(super) fn names(package: &str) -> Vec<&'static str> {
    let package = library().packages.get(package);
    let names = |it: &Package| -> Vec<&'static str> {
        it.functions.keys().chain(it.classes.keys()).copied().collect()
    };
    package.map(names).unwrap_or_default()
}

impl LibraryClass {
    /// The function of the same package that is called like the class.
    pub(super) fn maker(self) -> Option<Entry> {
        function(self.package, self.line.split(' ').next()?)
    }

    /// Whether it has members that the table does not know.
    pub(super) fn is_open(self) -> bool {
        self.line.split(' ').nth(1) == Some("*")
    }

    /// A class inside of it.
    pub(super) fn inner(self, name: &str) -> Option<LibraryClass> {
        let own = self.line.split(' ').next().unwrap_or_default();
        class(self.package, &format!("{own}.{name}"))
    }

    /// The classes that it extends, by their whole names.
    pub(super) fn bases(self) -> impl Iterator<Item = &'static str> {
        let bases = self.line.split(' ').nth(1).unwrap_or("-").split(',');
        bases.filter(|base| !matches!(*base, "-" | "?" | "*"))
    }

    /// A member, its own or an inherited one.
    pub(super) fn member(self, name: &str) -> Option<Entry> {
        self.line.split(' ').skip(2).map(entry).find_map(|(own, it)| (own == name).then_some(it))
    }

    /// The names of its members.
    pub(super) fn members(self) -> impl Iterator<Item = &'static str> {
        self.line.split(' ').skip(2).map(|text| entry(text).0)
    }
}
