//! From the name of a module to its files: the workspace, the standard library, the packages.

use std::rc::Rc;
use std::sync::Arc;

use super::facts::{ModulePath, Name, PyFile};
use super::listed::{self, Listed};
use super::packages::{self, ManifestWords};
use super::resolver::Resolver;
use super::{stdlib, walk};
use crate::references::Ecosystem;
use crate::references::session::{Area, Place};
use crate::references::survey::OneFile;
use crate::references::words;

/// Extensions of modules that are not Python text.
const COMPILED: [&str; 6] = ["so", "pyd", "pyx", "pxd", "c", "cpp"];

/// A module, with everything that is known of it.
#[derive(Debug, Default)]
pub(super) struct Module {
    /// The last part of its name; empty where that is not asked for.
    pub(super) name: Name,
    /// The source, the stub, or both.
    pub(super) parts: Vec<Arc<PyFile>>,
    /// Why it may hold more than its parts say.
    pub(super) open: Option<&'static str>,
    /// The folder of its submodules.
    pub(super) folder: Option<Place>,
    /// The folder that one dot stands for.
    pub(super) home: Option<Place>,
    /// Its dotted name in the standard library.
    pub(super) standard: Option<String>,
}

/// The answer to the search of a module.
#[derive(Debug, Clone)]
pub(super) enum Lookup {
    Found(Rc<Module>),
    /// The part that is missing, and what stands in its place.
    Missing {
        name: String,
        is_package: bool,
        nearest: Rc<[String]>,
    },
    /// A module of a package that is not installed, and whose names are listed.
    Listed(Listed, Rc<str>),
    /// The part that no version of a listed package has, and what stands in its place.
    Unlisted {
        name: String,
        nearest: Rc<[String]>,
    },
    Unknown(&'static str),
}

impl Resolver<'_> {
    /// The module that an import in a file of folder `home` names.
    pub(super) fn find(&self, home: Option<&Place>, path: &ModulePath) -> Lookup {
        let is_it = |(known, level, _): &&(Option<Place>, usize, Lookup)| {
            *level == path.level && known.as_ref() == home
        };
        let known = self.modules.borrow().get(&path.dotted).and_then(|known| {
            let (_, _, lookup) = known.iter().find(is_it)?;
            Some(lookup.clone())
        });
        if let Some(known) = known {
            return known;
        }
        let lookup = if path.level > 0 {
            self.relative(home, path)
        } else {
            self.absolute(home, &path.dotted)
        };
        let mut modules = self.modules.borrow_mut();
        let known = modules.entry(path.dotted.clone()).or_default();
        known.push((home.cloned(), path.level, lookup.clone()));
        lookup
    }

    fn relative(&self, home: Option<&Place>, path: &ModulePath) -> Lookup {
        let Some(mut folder) = home.cloned() else { return Lookup::Unknown("relative import") };
        for _ in 1..path.level {
            let Some(parent) = folder.parent() else {
                return Lookup::Unknown("relative import beyond the root");
            };
            folder = parent;
        }
        if path.dotted.is_empty() {
            return Lookup::Found(Rc::new(self.package(&folder)));
        }
        self.descend(&folder, &path.dotted)
    }

    fn absolute(&self, home: Option<&Place>, dotted: &str) -> Lookup {
        let top = dotted.split('.').next().unwrap_or_default();
        if top.is_empty() {
            return Lookup::Unknown("syntax error");
        }
        let mut first = None;
        for root in self.roots(home) {
            if self.step(&root, top).is_none() {
                continue;
            }
            match self.descend(&root, dotted) {
                Lookup::Missing { name, is_package, nearest } => {
                    first.get_or_insert(Lookup::Missing { name, is_package, nearest });
                }
                Lookup::Found(module) if module.parts.is_empty() && module.open.is_none() => {
                    first = Some(Lookup::Found(module));
                }
                found => {
                    let is_shadow = root.area == Area::Workspace && stdlib::has_module(top);
                    return if is_shadow {
                        Lookup::Unknown("shadows the standard library")
                    } else {
                        found
                    };
                }
            }
        }
        if stdlib::has_module(top) {
            return self.standard(dotted);
        }
        match first {
            Some(_) if packages::is_known(top) && !self.has_source(home, top) => {
                Lookup::Unknown("package not installed")
            }
            Some(Lookup::Found(folder)) => Lookup::Found(folder),
            Some(Lookup::Missing { name, .. }) if self.is_other_part(dotted, &name) => {
                Lookup::Unknown("package declared but not installed")
            }
            Some(missing) => self.elsewhere(dotted).unwrap_or(missing),
            None if home.is_some_and(|home| self.step(home, top).is_some()) => {
                Lookup::Unknown("module beside the file")
            }
            None => self.elsewhere(dotted).unwrap_or_else(|| match stdlib::testing(dotted) {
                Some(section) => self.of_section(dotted, section),
                None => self.not_installed(top, dotted),
            }),
        }
    }

    /// A module of a package that lies nowhere.
    fn not_installed(&self, top: &str, dotted: &str) -> Lookup {
        match packages::unknown_package(self.session, top) {
            Lookup::Unknown(reason) if reason != packages::GENERATED => {
                let below = dotted[top.len()..].trim_start_matches('.');
                listed::of(top).map_or(Lookup::Unknown(reason), |listed| listed.find(below))
            }
            lookup => lookup,
        }
    }

    /// Whether a package that is declared and not installed brings the part of this name to a
    /// package that the workspace has as well: `shop.core` of the distribution `shop-core`.
    fn is_other_part(&self, dotted: &str, name: &str) -> bool {
        let mut parts = dotted.split('.');
        let (Some(top), Some(part)) = (parts.next(), parts.next()) else { return false };
        part == name && packages::is_declared(self.session, &format!("{top}.{part}"))
    }

    /// The folders in which an absolute import of a file starts.
    fn roots(&self, home: Option<&Place>) -> Vec<Place> {
        let mut roots = Vec::new();
        let mut folder = home.filter(|home| home.area == Area::Workspace).cloned();
        while let Some(current) = folder {
            let listing = self.session.list(&current);
            if !listing.files.contains("__init__.py") || current.path.is_empty() {
                for below in ["src", "lib", "python"] {
                    if listing.folders.contains(below) && !self.is_package(&current.join(below)) {
                        roots.push(current.join(below));
                    }
                }
                roots.push(current.clone());
            }
            folder = current.parent();
        }
        roots.extend(self.session.roots(Ecosystem::Python));
        roots
    }

    /// Whether a package of this name, with a source of its own, lies in a root.
    fn has_source(&self, home: Option<&Place>, top: &str) -> bool {
        self.roots(home).iter().any(|root| {
            self.step(root, top)
                .is_some_and(|module| !module.parts.is_empty() || module.open.is_some())
        })
    }

    /// Whether the folder around the part at `depth` of a path is a package.
    fn is_inside_package(&self, file: &str, depth: usize) -> bool {
        let parts: Vec<&str> = file.split('/').take(depth).collect();
        self.is_package(&Place::workspace(parts.join("/")))
    }

    fn is_package(&self, folder: &Place) -> bool {
        self.session.list(folder).files.contains("__init__.py")
    }

    /// The module at the end of a dotted path below a folder.
    fn descend(&self, root: &Place, dotted: &str) -> Lookup {
        let mut folder = root.clone();
        let mut current: Option<Rc<Module>> = None;
        for name in dotted.split('.') {
            if let Some(module) = &current {
                let Some(below) = &module.folder else {
                    return self.no_submodule(module, name, None);
                };
                folder = below.clone();
            }
            match self.step(&folder, name) {
                Some(module) => current = Some(module),
                None => {
                    let package = current.unwrap_or_default();
                    return self.no_submodule(&package, name, Some(&folder));
                }
            }
        }
        current.map_or(Lookup::Unknown("syntax error"), Lookup::Found)
    }

    fn no_submodule(&self, package: &Module, name: &str, folder: Option<&Place>) -> Lookup {
        if package.open.is_some() || package.parts.iter().any(|part| part.makes_modules) {
            return Lookup::Unknown("modules made at run time");
        }
        if package
            .parts
            .iter()
            .any(|part| part.scopes.first().is_some_and(|scope| scope.bindings.contains_key(name)))
        {
            return Lookup::Unknown("name that is no module");
        }
        if packages::is_generated(self.session, name) {
            return Lookup::Unknown("generated file");
        }
        let nearest = folder.map(|folder| self.modules_in(folder)).unwrap_or_default();
        Lookup::Missing { name: name.to_owned(), is_package: false, nearest: nearest.into() }
    }

    /// The modules and packages that lie directly in a folder.
    pub(super) fn modules_in(&self, folder: &Place) -> Vec<String> {
        let listing = self.session.list(folder);
        let files = listing.files.iter().filter_map(|file| file.strip_suffix(".py"));
        let files = files.filter(|file| *file != "__init__");
        files.map(str::to_owned).chain(listing.folders.iter().cloned()).collect()
    }

    /// The module called `name` that lies directly in a folder, looked up once.
    pub(super) fn step(&self, folder: &Place, name: &str) -> Option<Rc<Module>> {
        if let Some(known) = self.below.borrow().get(folder).and_then(|below| below.get(name)) {
            return known.clone();
        }
        let found = self.module_in(folder, name).map(Rc::new);
        let mut below = self.below.borrow_mut();
        below.entry(folder.clone()).or_default().insert(name.into(), found.clone());
        found
    }

    fn module_in(&self, folder: &Place, name: &str) -> Option<Module> {
        let listing = self.session.list(folder);
        if listing.folders.contains(name) {
            let below = folder.join(name);
            let inside = self.session.list(&below);
            if ["__init__.py", "__init__.pyi"].iter().any(|file| inside.files.contains(*file)) {
                return Some(self.package(&below));
            }
        }
        let files: Vec<Place> = [".py", ".pyi"]
            .iter()
            .map(|extension| format!("{name}{extension}"))
            .filter(|file| listing.files.contains(file))
            .map(|file| folder.join(&file))
            .collect();
        if !files.is_empty() {
            let home = Some(folder.clone());
            let mut module = Module { name: name.into(), home, ..Module::default() };
            self.add_parts(&mut module, &files);
            return Some(module);
        }
        let compiled = listing.files.iter().any(|file| {
            let rest = file.strip_prefix(name).and_then(|rest| rest.strip_prefix('.'));
            rest.and_then(|rest| rest.rsplit('.').next())
                .is_some_and(|extension| COMPILED.contains(&extension))
        });
        if compiled {
            return Some(Module { open: Some("compiled module"), ..Module::default() });
        }
        listing.folders.contains(name).then(|| self.package(&folder.join(name)))
    }

    /// A folder as a package, with or without an `__init__`.
    fn package(&self, folder: &Place) -> Module {
        let listing = self.session.list(folder);
        let files: Vec<Place> = ["__init__.py", "__init__.pyi"]
            .iter()
            .filter(|file| listing.files.contains(**file))
            .map(|file| folder.join(file))
            .collect();
        let mut module = Module {
            name: folder.path.rsplit('/').next().unwrap_or_default().into(),
            folder: Some(folder.clone()),
            home: Some(folder.clone()),
            ..Module::default()
        };
        self.add_parts(&mut module, &files);
        module
    }

    fn add_parts(&self, module: &mut Module, files: &[Place]) {
        for file in files {
            match self.facts(file) {
                Some(facts) => module.parts.push(facts),
                None => module.open = Some("file that cannot be read"),
            }
        }
    }

    pub(super) fn facts(&self, file: &Place) -> Option<Arc<PyFile>> {
        self.session.lasting(file, FACTS, read)
    }

    /// A module of the standard library.
    pub(super) fn standard(&self, dotted: &str) -> Lookup {
        let Some(section) = stdlib::section(dotted) else {
            let (parent, name) = dotted.rsplit_once('.').unwrap_or(("", dotted));
            let nearest = stdlib::modules_below(parent).map(str::to_owned).collect();
            return Lookup::Missing { name: name.to_owned(), is_package: false, nearest };
        };
        self.of_section(dotted, section)
    }

    fn of_section(&self, dotted: &str, section: &'static str) -> Lookup {
        let facts = self
            .session
            .index
            .packed("python-standard", dotted.as_bytes(), || stdlib::build(section));
        let standard = Some(dotted.to_owned());
        let name = dotted.rsplit('.').next().unwrap_or_default().into();
        Lookup::Found(Rc::new(Module { name, parts: vec![facts], standard, ..Module::default() }))
    }

    /// A module that lies anywhere in the workspace, under no usual root.
    fn elsewhere(&self, dotted: &str) -> Option<Lookup> {
        let below = dotted.replace('.', "/");
        let top = below.split('/').next().unwrap_or_default();
        // Asked first: the list of all files is long. Where it is too long, any part may be there.
        if !self.has_part(top) {
            return None;
        }
        let files = match self.session.all_files() {
            Some(files) => files,
            None => return Some(Lookup::Unknown("workspace too large to search")),
        };
        let mut is_there = false;
        for file in files.iter() {
            let (stem, extension) = file.rsplit_once('.').unwrap_or((file, ""));
            // A folder with data alone is no package, whatever its name.
            if !matches!(extension, "py" | "pyi") && !COMPILED.contains(&extension) {
                continue;
            }
            let stem = stem.strip_suffix("/__init__").unwrap_or(stem);
            if stem == below || stem.strip_suffix(&*below).is_some_and(|rest| rest.ends_with('/')) {
                let root = stem[..stem.len() - below.len()].trim_end_matches('/');
                if self.is_package(&Place::workspace(root)) {
                    continue;
                }
                if let Lookup::Found(module) = self.descend(&Place::workspace(root), dotted) {
                    // An example that is called like the package which it is about.
                    let is_known = packages::is_known(top);
                    return Some(match is_known && !root.is_empty() {
                        true => Lookup::Unknown("package not installed"),
                        false => Lookup::Found(module),
                    });
                }
            }
            let is_top = |part: &str| part.strip_suffix(".py").unwrap_or(part) == top;
            let depth = file.split('/').position(is_top);
            is_there |= file.ends_with(".py")
                && depth.is_some_and(|depth| !self.is_inside_package(file, depth));
        }
        is_there
            .then_some(Lookup::Unknown("package in an unusual place"))
            .filter(|_| !dotted.contains('.'))
    }

    /// Whether a folder or a file of the workspace may be called so.
    fn has_part(&self, name: &str) -> bool {
        let on_disk = self.session.of_look("parts of paths", |files| {
            let mut parts: Vec<u32> = files.iter().flat_map(|file| parts(file)).collect();
            parts.sort_unstable();
            parts.dedup();
            Some(parts)
        });
        let wanted = words::hash(name.as_bytes());
        on_disk.is_none_or(|parts| parts.binary_search(&wanted).is_ok())
            || self.session.changed().any(|path| parts(path).any(|part| part == wanted))
            || self.session.touched().any(|path| parts(path).any(|part| part == wanted))
    }
}

/// Numbers for the folders of a path and for its file, with and without what follows a dot.
fn parts(path: &str) -> impl Iterator<Item = u32> {
    path.split('/').flat_map(|part| {
        let stem = part.rsplit_once('.').map_or(part, |(stem, _)| stem);
        [words::hash(part.as_bytes()), words::hash(stem.as_bytes())]
    })
}

/// Under which name facts for other files are kept.
const FACTS: &str = "python";

/// What other files ask of a file.
fn read(bytes: &[u8]) -> PyFile {
    walk::read_definitions(bytes).unwrap_or_else(|| unreadable().for_others())
}

/// Takes of a file what other files will ask of it.
pub(in super::super) fn take_ahead(one: &OneFile<'_>) {
    one.lasting(FACTS, read);
    if packages::is_manifest(one.path) {
        one.kept(ManifestWords::of);
    }
}

/// What stands for a file that cannot be parsed.
fn unreadable() -> PyFile {
    let mut file = PyFile::new();
    file.open = Some("file that cannot be parsed");
    file
}
