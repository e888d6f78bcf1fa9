//! One check: the workspace as the change would leave it, with its folders read once.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;
use std::sync::Arc;

use super::change::ChangedFile;
use super::index::Index;
use super::{Dependencies, Ecosystem, SourceTree};

/// How many files the search of a whole workspace looks at.
const SEARCHED: usize = 60_000;

/// Folders that hold no source of the workspace's own.
const SKIPPED: [&str; 14] = [
    ".git",
    ".hg",
    ".svn",
    "node_modules",
    ".venv",
    "venv",
    "__pycache__",
    ".tox",
    ".nox",
    ".mypy_cache",
    ".ruff_cache",
    ".pytest_cache",
    "target",
    ".gradle",
];

/// Where a path starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Area {
    /// At the root of the workspace.
    Workspace,
    /// At the root of the machine.
    Installed,
}

/// A file or folder.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Place {
    pub(crate) area: Area,
    pub(crate) path: String,
}

impl Place {
    pub(crate) fn workspace(path: impl Into<String>) -> Self {
        Self { area: Area::Workspace, path: path.into() }
    }

    pub(crate) fn installed(path: impl Into<String>) -> Self {
        Self { area: Area::Installed, path: path.into() }
    }

    /// What lies below this folder under `name`.
    pub(crate) fn join(&self, name: &str) -> Self {
        let path = match self.path.as_str() {
            "" => name.to_owned(),
            path => format!("{path}/{name}"),
        };
        Self { area: self.area, path }
    }

    /// The folder around it; `None` for a root.
    pub(crate) fn parent(&self) -> Option<Self> {
        if self.path.is_empty() {
            return None;
        }
        let path = self.path.rsplit_once('/').map_or("", |(parent, _)| parent);
        Some(Self { area: self.area, path: path.to_owned() })
    }
}

/// The names in a folder.
#[derive(Debug, Default)]
pub(crate) struct Listing {
    pub(crate) files: BTreeSet<String>,
    pub(crate) folders: BTreeSet<String>,
}

/// The workspace as a change leaves it, and the packages around it.
pub(crate) struct Session<'a> {
    overlay: BTreeMap<&'a str, Option<Arc<[u8]>>>,
    tree: &'a dyn SourceTree,
    dependencies: &'a dyn Dependencies,
    pub(crate) index: &'a Index,
    listings: RefCell<HashMap<Place, Rc<Listing>>>,
    sources: RefCell<HashMap<Place, Option<Arc<[u8]>>>>,
    files: RefCell<Option<Rc<Vec<String>>>>,
}

impl<'a> Session<'a> {
    pub(crate) fn new(
        changes: &'a [ChangedFile],
        side: impl Fn(&'a ChangedFile) -> Option<Arc<[u8]>>,
        tree: &'a dyn SourceTree,
        dependencies: &'a dyn Dependencies,
        index: &'a Index,
    ) -> Self {
        let overlay = changes.iter().map(|change| (change.path.as_str(), side(change))).collect();
        let (listings, sources, files) = Default::default();
        Self { overlay, tree, dependencies, index, listings, sources, files }
    }

    /// The folders in which packages lie.
    pub(crate) fn roots(&self, ecosystem: Ecosystem) -> Vec<Place> {
        self.dependencies.roots(ecosystem).into_iter().map(Place::installed).collect()
    }

    /// The bytes of a file.
    pub(crate) fn read(&self, place: &Place) -> Option<Arc<[u8]>> {
        if place.area == Area::Workspace
            && let Some(changed) = self.overlay.get(place.path.as_str())
        {
            return changed.clone();
        }
        if let Some(known) = self.sources.borrow().get(place) {
            return known.clone();
        }
        let bytes = match place.area {
            Area::Workspace => self.tree.read(&place.path),
            Area::Installed => self.dependencies.read(&place.path),
        };
        self.sources.borrow_mut().insert(place.clone(), bytes.clone());
        bytes
    }

    /// The bytes of a file of the workspace as they are on disk, whatever the change.
    pub(crate) fn read_base(&self, path: &str) -> Option<Arc<[u8]>> {
        self.tree.read(path)
    }

    /// The paths that the change set touches.
    pub(crate) fn changed(&self) -> impl Iterator<Item = &str> {
        self.overlay.keys().copied()
    }

    /// Whether the change set touches a file.
    pub(crate) fn is_changed(&self, path: &str) -> bool {
        self.overlay.contains_key(path)
    }

    /// The text of a file of the workspace, invalid bytes replaced.
    pub(crate) fn text(&self, path: &str) -> Option<String> {
        let bytes = self.read(&Place::workspace(path))?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// The names in a folder, read once.
    pub(crate) fn list(&self, folder: &Place) -> Rc<Listing> {
        if let Some(known) = self.listings.borrow().get(folder) {
            return Rc::clone(known);
        }
        let entries = match folder.area {
            Area::Workspace => self.tree.list(&folder.path),
            Area::Installed => self.dependencies.list(&folder.path),
        };
        let mut listing = Listing::default();
        for entry in entries {
            let names = if entry.is_dir { &mut listing.folders } else { &mut listing.files };
            names.insert(entry.name);
        }
        if folder.area == Area::Workspace {
            self.overlay_listing(&folder.path, &mut listing);
        }
        let listing = Rc::new(listing);
        self.listings.borrow_mut().insert(folder.clone(), Rc::clone(&listing));
        listing
    }

    fn overlay_listing(&self, folder: &str, listing: &mut Listing) {
        for (path, state) in &self.overlay {
            let below = match folder {
                "" => Some(*path),
                _ => path.strip_prefix(folder).and_then(|rest| rest.strip_prefix('/')),
            };
            let Some(below) = below else { continue };
            match (below.split_once('/'), state) {
                (Some((first, _)), Some(_)) => {
                    listing.folders.insert(first.to_owned());
                }
                (None, Some(_)) => {
                    listing.files.insert(below.to_owned());
                }
                (None, None) => {
                    listing.files.remove(below);
                }
                (Some(_), None) => {}
            }
        }
    }

    /// The paths of the workspace's files, up to a bound; `None` past it.
    ///
    /// Only asked for before a warning, never on the way of a clean change.
    pub(crate) fn all_files(&self) -> Option<Rc<Vec<String>>> {
        if let Some(files) = self.files.borrow().as_ref() {
            return (files.len() < SEARCHED).then(|| Rc::clone(files));
        }
        let mut found = Vec::new();
        let mut folders = vec![Place::workspace("")];
        while let Some(folder) = folders.pop() {
            let listing = self.list(&folder);
            found.extend(listing.files.iter().map(|name| folder.join(name).path));
            if found.len() >= SEARCHED {
                break;
            }
            let below = listing.folders.iter().filter(|name| !SKIPPED.contains(&name.as_str()));
            folders.extend(below.map(|name| folder.join(name)));
        }
        let found = Rc::new(found);
        *self.files.borrow_mut() = Some(Rc::clone(&found));
        (found.len() < SEARCHED).then_some(found)
    }
}
