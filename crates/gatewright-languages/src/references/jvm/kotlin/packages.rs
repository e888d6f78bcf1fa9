//! The Kotlin files of a workspace, by package.
//!
//! What was read before is used as long as nothing is missing; before anything
//! is called missing, the workspace is read anew (unchanged files are known by
//! their content).

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::super::super::session::{Place, Session};
use super::facts::Name;
use super::outline::{Declared, Outline, hash, outline};

/// Files above this size are data.
const LARGEST: usize = 3 << 20;
/// Under which name the workspace is remembered.
const KEY: &str = "kotlin workspace";
/// The same, as long as no file changes.
const OF_FILES: &str = "kotlin workspace of files";
/// What keeps the outlines apart from other facts.
const SALT: &str = "kotlin outline";

/// The names at the top of a package, with the files that declare them.
type Names = HashMap<Name, Vec<(Box<str>, Declared)>>;

/// What the workspace holds on disk.
#[derive(Debug, Default)]
struct Workspace {
    files: HashMap<Box<str>, Arc<Outline>>,
    packages: HashMap<Name, Names>,
    extensions: HashMap<Name, Vec<Box<str>>>,
    words: HashMap<u32, u32>,
}

impl Workspace {
    fn read(session: &Session<'_>) -> Option<Self> {
        let mut workspace = Self::default();
        for path in session.disk_files()?.iter().filter(|path| path.ends_with(".kt")) {
            if let Some(outline) = session.kept(path, outline_of) {
                workspace.insert(path, outline);
            }
        }
        Some(workspace)
    }

    fn insert(&mut self, path: &str, outline: Arc<Outline>) {
        let package = self.packages.entry(outline.package.clone()).or_default();
        for (name, kind) in &outline.top {
            package.entry(name.clone()).or_default().push((path.into(), *kind));
        }
        for name in &outline.extensions {
            self.extensions.entry(name.clone()).or_default().push(path.into());
        }
        for word in &outline.words {
            *self.words.entry(*word).or_default() += 1;
        }
        self.files.insert(path.into(), outline);
    }
}

pub(super) fn outline_of(bytes: &[u8]) -> Outline {
    if bytes.len() <= LARGEST { outline(bytes) } else { Outline::default() }
}

/// The workspace as a change leaves it.
#[derive(Debug)]
pub(super) struct Packages {
    workspace: Arc<Workspace>,
    changed: HashMap<Box<str>, Arc<Outline>>,
    /// Whether the workspace is that of an earlier check.
    pub(super) is_stale: bool,
}

impl Packages {
    /// The workspace with what is remembered of it; read anew when `is_fresh`.
    pub(super) fn new(session: &Session<'_>, is_fresh: bool) -> Option<Self> {
        let known = session.index.remembered::<Workspace>(KEY).filter(|_| !is_fresh);
        let is_stale = known.is_some();
        let workspace = match known {
            Some(known) => known,
            None => {
                let read = session.of_files(OF_FILES, || Workspace::read(session))?;
                session.index.remember(KEY, Arc::clone(&read));
                read
            }
        };
        let mut changed = HashMap::new();
        for path in session.changed().filter(|path| path.ends_with(".kt")) {
            let bytes = session.read(&Place::workspace(path)).unwrap_or_default();
            let outline = session.index.facts(SALT, &bytes, || outline(&bytes));
            changed.insert(path.into(), outline);
        }
        Some(Self { workspace, changed, is_stale })
    }

    /// The files that declare a name at the top of a package.
    pub(super) fn find(&self, package: &str, name: &str) -> Vec<(Box<str>, Declared)> {
        let of_base = self.workspace.packages.get(package).and_then(|it| it.get(name));
        let of_base = of_base.into_iter().flatten();
        let mut found: Vec<_> =
            of_base.filter(|(path, _)| !self.changed.contains_key(path)).cloned().collect();
        for (path, outline) in self.changed.iter().filter(|(_, it)| &*it.package == package) {
            let own = outline.top.iter().find(|(own, _)| &**own == name);
            found.extend(own.map(|(_, kind)| (path.clone(), *kind)));
        }
        found
    }

    /// Whether some file belongs to a package.
    pub(super) fn has_package(&self, package: &str) -> bool {
        self.workspace.packages.contains_key(package)
            || self.changed.values().any(|outline| &*outline.package == package)
    }

    /// Whether some package lies below a prefix.
    pub(super) fn owns(&self, prefix: &str) -> bool {
        let below = |package: &Name| {
            package
                .strip_prefix(prefix)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        self.workspace.packages.keys().any(below)
            || self.changed.values().any(|outline| below(&outline.package))
    }

    /// Whether the workspace fills a prefix of packages: it has it, or several of the parts below.
    pub(super) fn fills(&self, prefix: &str) -> bool {
        let part = |package: &'_ Name| {
            let rest = package.strip_prefix(prefix)?.strip_prefix('.')?;
            rest.split('.').next().map(str::to_owned)
        };
        let changed = self.changed.values().map(|outline| &outline.package);
        let parts: HashSet<String> =
            self.workspace.packages.keys().chain(changed).filter_map(part).collect();
        self.has_package(prefix) || parts.len() > 1
    }

    /// The files that declare an extension of a name.
    pub(super) fn extensions(&self, name: &str) -> Vec<Box<str>> {
        let of_base = self.workspace.extensions.get(name).into_iter().flatten();
        let mut found: Vec<_> =
            of_base.filter(|path| !self.changed.contains_key(*path)).cloned().collect();
        let changed = self.changed.iter().filter(|(_, outline)| outline.extensions.contains(name));
        found.extend(changed.map(|(path, _)| path.clone()));
        found
    }

    /// Whether a word stands in a file that the change leaves alone.
    pub(super) fn is_known_word(&self, word: &str) -> bool {
        let word = hash(word);
        let count = self.workspace.words.get(&word).copied().unwrap_or(0);
        let changed = self.changed.keys().filter_map(|path| self.workspace.files.get(path));
        let own = changed.filter(|outline| outline.words.contains(&word)).count();
        count as usize > own
    }

    /// The names that files which the change leaves alone import from a package.
    pub(super) fn imported_from(&self, package: &str) -> HashSet<&str> {
        let files =
            self.workspace.files.iter().filter(|(path, _)| !self.changed.contains_key(*path));
        let imports = files.flat_map(|(_, outline)| &outline.imports);
        imports
            .filter_map(|path| path.strip_prefix(package)?.strip_prefix('.'))
            .filter(|name| !name.is_empty() && !name.contains('.'))
            .collect()
    }

    /// The packages of the workspace that have a name at their top.
    pub(super) fn homes(&self, name: &str) -> Vec<&str> {
        let of_base = self.workspace.packages.iter().filter(|(_, names)| names.contains_key(name));
        let has = |outline: &&Arc<Outline>| outline.top.iter().any(|(own, _)| &**own == name);
        let changed = self.changed.values().filter(has).map(|outline| &*outline.package);
        of_base.map(|(package, _)| &**package).chain(changed).collect()
    }

    /// The names at the top of a package.
    pub(super) fn names(&self, package: &str) -> Vec<String> {
        let names = self.workspace.packages.get(package).into_iter().flat_map(HashMap::keys);
        names.map(ToString::to_string).collect()
    }
}
