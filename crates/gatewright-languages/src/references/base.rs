//! What a check reads of the disk, each file and folder once.
//!
//! Both sides of a check, before and after the change, look through it, so that
//! a second look costs no second reading.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use super::files::{Budget, Files};
use super::index::Index;
use super::session::{Area, Listing, Place};
use super::{Dependencies, SourceTree};

/// How many files the search of a whole workspace looks at.
const SEARCHED: usize = 150_000;

/// How many of them one check looks through for the first time.
const LOOKED_THROUGH: usize = 60_000;

/// Under which name the files of a workspace are remembered.
pub(super) const WALKED: &str = "files of the workspace";

/// How deep folders are looked into.
const DEEPEST: usize = 64;

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

/// The disk, as one check sees it.
pub(crate) struct Base<'a> {
    pub(super) tree: &'a dyn SourceTree,
    pub(super) dependencies: &'a dyn Dependencies,
    listings: RefCell<HashMap<Place, Rc<Listing>>>,
    sources: RefCell<HashMap<Place, Option<Arc<[u8]>>>>,
    pub(super) index: &'a Index,
    /// The files, once they were asked for.
    walked: RefCell<Option<Arc<Walked>>>,
    /// The stamps of files in folders that were listed.
    stamps: RefCell<HashMap<String, u128>>,
    pub(super) budget: Budget,
    /// Whether all files were asked for, and there are too many.
    is_too_large: Cell<bool>,
}

/// A look at the whole workspace.
pub(super) struct Walked {
    generation: Option<u64>,
    /// `None` when there are too many files.
    pub(super) files: Option<Arc<Files>>,
}

impl<'a> Base<'a> {
    pub(crate) fn new(
        tree: &'a dyn SourceTree,
        dependencies: &'a dyn Dependencies,
        index: &'a Index,
    ) -> Self {
        let (listings, sources, walked, stamps) = Default::default();
        let (budget, is_too_large) = (Budget::new(LOOKED_THROUGH), Cell::new(false));
        Self { tree, dependencies, listings, sources, index, walked, stamps, budget, is_too_large }
    }

    /// Whether a question was left open because of how many files there are.
    pub(super) fn is_too_large(&self) -> bool {
        self.is_too_large.get()
    }

    /// The bytes of a file.
    pub(super) fn read(&self, place: &Place) -> Option<Arc<[u8]>> {
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

    /// Files that are not as they were when all files were looked at.
    pub(super) fn touched(&self) -> &[String] {
        self.tree.touched()
    }

    /// Another number whenever one of those was touched again.
    pub(super) fn touches(&self) -> u64 {
        self.tree.touches()
    }

    /// The names in a folder.
    pub(super) fn list(&self, folder: &Place) -> Rc<Listing> {
        if let Some(known) = self.listings.borrow().get(folder) {
            return Rc::clone(known);
        }
        let entries = match folder.area {
            Area::Workspace => self.tree.list(&folder.path),
            Area::Installed => self.dependencies.list(&folder.path),
        };
        let mut listing = Listing::default();
        for entry in entries {
            if let (Some(stamp), Area::Workspace) = (entry.stamp, folder.area) {
                self.stamps.borrow_mut().insert(folder.join(&entry.name).path, stamp);
            }
            let names = if entry.is_dir { &mut listing.folders } else { &mut listing.files };
            names.insert(entry.name);
        }
        let listing = Rc::new(listing);
        self.listings.borrow_mut().insert(folder.clone(), Rc::clone(&listing));
        listing
    }

    /// The stamp of a file in a folder that was listed.
    pub(super) fn stamp(&self, path: &str) -> Option<u128> {
        self.stamps.borrow().get(path).copied()
    }

    /// The files of the workspace; `None` when there are too many.
    pub(super) fn all_files(&self) -> Option<Arc<Files>> {
        if let Some(walked) = self.walked.borrow().as_ref() {
            return walked.files.clone();
        }
        let generation = self.tree.generation();
        let known = self.index.remembered::<Walked>(WALKED);
        let is_good = |known: &Walked| generation.is_some() && known.generation == generation;
        let walked = match known {
            Some(known) if is_good(&known) => known,
            known => {
                let found = self.walk();
                let files = match known.and_then(|known| known.files.clone()) {
                    // What was found out stays while nothing has changed.
                    Some(files) if found.as_ref().is_some_and(|found| files.is_same(found)) => {
                        Some(files)
                    }
                    _ => found.map(Files::new).map(Arc::new),
                };
                let walked = Arc::new(Walked { generation, files });
                self.index.remember(WALKED, Arc::clone(&walked));
                walked
            }
        };
        self.is_too_large.set(walked.files.is_none());
        *self.walked.borrow_mut() = Some(Arc::clone(&walked));
        walked.files.clone()
    }

    /// Looks into every folder; links may make them endless, so they are counted too.
    fn walk(&self) -> Option<Vec<(String, Option<u128>)>> {
        let mut found = Vec::new();
        let mut folders = vec![(Place::workspace(""), 0)];
        let mut looked_into = 0;
        while let Some((folder, depth)) = folders.pop() {
            let listing = self.list(&folder);
            let stamps = self.stamps.borrow();
            found.extend(listing.files.iter().map(|name| {
                let path = folder.join(name).path;
                let stamp = stamps.get(&path).copied();
                (path, stamp)
            }));
            drop(stamps);
            looked_into += 1;
            if found.len() >= SEARCHED || looked_into >= SEARCHED {
                return None;
            }
            if depth < DEEPEST {
                let below = listing.folders.iter();
                let below = below.filter(|name| !SKIPPED.contains(&name.as_str()));
                folders.extend(below.map(|name| (folder.join(name), depth + 1)));
            }
        }
        Some(found)
    }
}
