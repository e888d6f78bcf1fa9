//! The tree of modules: files of a crate, what is above them and below them.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use super::crates::{self, Home};
use super::facts::{Child, Module, RustFile};
use super::walk;
use crate::references::session::{Area, Place, Session};

/// A module of a file.
#[derive(Debug, Clone)]
pub(super) struct ModuleRef {
    pub(super) place: Place,
    pub(super) file: Arc<RustFile>,
    pub(super) number: usize,
    pub(super) home: Option<Rc<Home>>,
}

impl ModuleRef {
    pub(super) fn facts(&self) -> &Module {
        &self.file.modules[self.number]
    }

    /// Whether a name that this one has cannot be seen from another module: a module below it,
    /// or what only a `use` of its own brings.
    pub(super) fn hides(&self, name: &str, from: &Self) -> bool {
        let facts = self.facts();
        if facts.items.contains_key(name) || self.is_around(from) {
            return false;
        }
        if facts.uses.contains_key(name) {
            return !facts.shown.contains(name) && !facts.children.contains_key(name);
        }
        facts.private.contains(name) && self.place != from.place
    }

    /// Whether another module is this one or may lie below it.
    fn is_around(&self, other: &Self) -> bool {
        if self.place != other.place {
            return self.is_above(other);
        }
        let modules = &self.file.modules;
        let parent = |number: &usize| modules.get(*number).and_then(|module| module.parent);
        std::iter::successors(Some(other.number), parent).any(|number| number == self.number)
    }

    /// Whether the path of another file says that it is below this one.
    fn is_above(&self, other: &Self) -> bool {
        let path = self.place.path.as_str();
        let (folder, last) = path.rsplit_once('/').unwrap_or(("", path));
        let home = match last {
            "mod.rs" | "lib.rs" | "main.rs" => folder,
            _ => path.strip_suffix(".rs").unwrap_or(path),
        };
        let below = other.place.path.strip_prefix(home);
        home.is_empty() || below.is_some_and(|below| below.starts_with('/'))
    }

    fn at(&self, number: usize) -> Self {
        Self { number, ..self.clone() }
    }
}

/// What the file that is checked says, parsed once for its content.
pub(super) fn facts_of_checked(session: &Session<'_>, text: &[u8]) -> Option<Arc<RustFile>> {
    let facts = session.checked_facts("rust", text, || walk::read(text).map(Arc::new));
    facts.as_ref().clone()
}

/// What other files ask of a file, parsed once for its content.
fn facts_of(session: &Session<'_>, text: &[u8]) -> Option<Arc<RustFile>> {
    let read = || walk::read(text).map(|file| Arc::new(file.for_others()));
    session.index.facts("rust", text, read).as_ref().clone()
}

/// The files of one check, each looked up once.
pub(super) struct Files<'a> {
    pub(super) session: &'a Session<'a>,
    loaded: RefCell<HashMap<Place, Option<Arc<RustFile>>>>,
}

impl<'a> Files<'a> {
    pub(super) fn new(session: &'a Session<'a>) -> Self {
        Self { session, loaded: RefCell::default() }
    }

    fn facts(&self, place: &Place) -> Option<Arc<RustFile>> {
        if let Some(known) = self.loaded.borrow().get(place) {
            return known.clone();
        }
        let bytes = self.session.read(place);
        let facts = bytes.and_then(|bytes| facts_of(self.session, &bytes));
        self.loaded.borrow_mut().insert(place.clone(), facts.clone());
        facts
    }
}

/// The module that a file is.
pub(super) fn load(files: &Files<'_>, place: &Place, home: Option<Rc<Home>>) -> Option<ModuleRef> {
    let file = files.facts(place)?;
    Some(ModuleRef { place: place.clone(), file, number: 0, home })
}

/// The crate whose root is a file.
pub(super) fn load_crate(files: &Files<'_>, root: &Place, folder: &Place) -> Option<ModuleRef> {
    let home = crates::home(files.session, &folder.join("Cargo.toml")).map(Rc::new);
    load(files, root, home)
}

/// The module below another; `None` when its file cannot be found.
pub(super) fn child(files: &Files<'_>, module: &ModuleRef, name: &str) -> Option<ModuleRef> {
    let path = match module.facts().children.get(name)? {
        Child::Inline(number) => return Some(module.at(*number)),
        Child::File(path) => path.clone(),
        Child::Several => return None,
    };
    let candidates = match path {
        Some(path) => with_path(module, &path),
        None => folders(module)
            .iter()
            .flat_map(|folder| {
                [folder.join(&format!("{name}.rs")), folder.join(name).join("mod.rs")]
            })
            .collect(),
    };
    candidates.iter().find_map(|place| load(files, place, module.home.clone()))
}

fn with_path(module: &ModuleRef, path: &str) -> Vec<Place> {
    let mut from: Vec<Place> = module.place.parent().into_iter().collect();
    from.extend(folders(module));
    from.iter().filter_map(|folder| crates::joined(folder, path)).collect()
}

/// The folders in which the files of the modules below one may lie.
fn folders(module: &ModuleRef) -> Vec<Place> {
    let Some(folder) = module.place.parent() else { return Vec::new() };
    let name = module.place.path.rsplit('/').next().unwrap_or_default();
    let stem = name.strip_suffix(".rs").unwrap_or(name);
    let mut bases = vec![folder.join(stem), folder];
    if matches!(stem, "mod" | "lib" | "main") {
        bases.remove(0);
    }
    let mut inner = Vec::new();
    let mut number = module.number;
    while let Some(parent) = module.file.modules[number].parent {
        inner.push(module.file.modules[number].name.clone());
        number = parent;
    }
    let below = |base: Place| inner.iter().rev().fold(base, |base, name| base.join(name));
    bases.into_iter().map(below).collect()
}

/// The module above another.
pub(super) enum Parent {
    Is(Box<ModuleRef>),
    /// It is the root of its crate.
    None,
    Unknown,
}

pub(super) fn parent(files: &Files<'_>, module: &ModuleRef) -> Parent {
    if let Some(parent) = module.facts().parent {
        return Parent::Is(Box::new(module.at(parent)));
    }
    let name = module.place.path.rsplit('/').next().unwrap_or_default();
    let stem = name.strip_suffix(".rs").unwrap_or(name);
    let is_root = matches!(stem, "lib" | "main") || stem == "build" && is_beside_manifest(module);
    if is_root || is_target(module) {
        return Parent::None;
    }
    let Some(mut folder) = module.place.parent() else { return Parent::None };
    let mut own_name = stem.to_owned();
    if stem == "mod" {
        own_name = folder.path.rsplit('/').next().unwrap_or_default().to_owned();
        let Some(above) = folder.parent() else { return Parent::None };
        folder = above;
    }
    let mut candidates: Vec<Place> =
        ["mod.rs", "lib.rs", "main.rs"].iter().map(|name| folder.join(name)).collect();
    if !folder.path.is_empty() {
        candidates.push(Place { path: format!("{}.rs", folder.path), ..folder.clone() });
    }
    if !candidates.iter().any(|place| *place != module.place && files.session.read(place).is_some())
        && let Some(above) = inline_parent(files, module, &folder, &own_name)
    {
        return Parent::Is(Box::new(above));
    }
    let home = module.home.as_ref();
    let targets = home.into_iter().flat_map(|home| {
        home.manifest.targets.iter().filter_map(|target| crates::joined(&home.folder, target))
    });
    candidates.extend(targets.filter(|target| target.parent().as_ref() == Some(&folder)));
    declaring(files, module, &candidates, &own_name)
}

/// The inline module, in a file of a folder further up, that declares a module.
fn inline_parent(
    files: &Files<'_>,
    module: &ModuleRef,
    folder: &Place,
    own_name: &str,
) -> Option<ModuleRef> {
    let mut inner: Vec<String> = Vec::new();
    let mut here = folder.clone();
    for _ in 0..4 {
        inner.push(here.path.rsplit('/').next().unwrap_or_default().to_owned());
        here = here.parent()?;
        let beside = Place { path: format!("{}.rs", here.path), ..here.clone() };
        let mut above_here: Vec<Place> =
            ["lib.rs", "main.rs", "mod.rs"].iter().map(|name| here.join(name)).collect();
        above_here.push(beside);
        for file in &above_here {
            let Some(above) = load(files, file, module.home.clone()) else { continue };
            let found = inner.iter().rev().try_fold(above, |above, name| {
                match above.facts().children.get(name.as_str()) {
                    Some(Child::Inline(number)) => Some(above.at(*number)),
                    _ => None,
                }
            });
            if let Some(found) = found.filter(|found| found.facts().children.contains_key(own_name))
            {
                return Some(found);
            }
        }
    }
    None
}

/// The first of the files that declares a module; a new file that none declares yet stands below
/// the one that may.
fn declaring(
    files: &Files<'_>,
    module: &ModuleRef,
    candidates: &[Place],
    own_name: &str,
) -> Parent {
    let mut loaded = Vec::new();
    for place in candidates {
        if *place == module.place {
            continue;
        }
        let Some(above) = load(files, place, module.home.clone()) else { continue };
        let file_name = module.place.path.rsplit('/').next().unwrap_or_default();
        let is_named = |child: &Child| matches!(child, Child::File(Some(path)) if path.rsplit('/').next() == Some(file_name));
        let children = &above.facts().children;
        if children.contains_key(own_name)
            || above.file.loose.contains(own_name)
            || children.values().any(is_named)
        {
            return Parent::Is(Box::new(above));
        }
        loaded.push(above);
    }
    let is_any = !loaded.is_empty();
    match <[ModuleRef; 1]>::try_from(loaded) {
        Ok([above]) if is_new(files, module) => Parent::Is(Box::new(above)),
        _ if is_any || is_nested(module) => Parent::Unknown,
        _ => Parent::None,
    }
}

/// Whether the change brings the file of a module.
fn is_new(files: &Files<'_>, module: &ModuleRef) -> bool {
    let path = &module.place.path;
    module.place.area == Area::Workspace
        && files.session.is_changed(path)
        && files.session.before(path).is_none()
}

fn is_beside_manifest(module: &ModuleRef) -> bool {
    let home = module.home.as_ref();
    home.is_none_or(|home| module.place.parent().as_ref() == Some(&home.folder))
}

/// Whether a file lies deeper than the roots of tests, examples and programs do.
fn is_nested(module: &ModuleRef) -> bool {
    let Some(home) = &module.home else { return true };
    let below = module.place.path.strip_prefix(&home.folder.path).unwrap_or_default();
    let depth = below.trim_start_matches('/').matches('/').count();
    let is_program = below.trim_start_matches('/').starts_with("src/bin/");
    depth > 1 + usize::from(is_program)
}

fn is_target(module: &ModuleRef) -> bool {
    let Some(home) = &module.home else { return false };
    let targets = home.manifest.targets.iter().chain(&home.manifest.lib_path);
    targets
        .filter_map(|target| crates::joined(&home.folder, target))
        .any(|target| target == module.place)
}

/// The root of the crate of a module; `None` when it cannot be told.
pub(super) fn root(files: &Files<'_>, module: &ModuleRef) -> Option<ModuleRef> {
    let mut here = module.clone();
    for _ in 0..50 {
        match parent(files, &here) {
            Parent::Is(above) => here = *above,
            Parent::None => return Some(here),
            Parent::Unknown => return None,
        }
    }
    None
}
