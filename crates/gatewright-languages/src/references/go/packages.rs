//! Packages: the files of a folder that say the same package name.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use super::super::session::{Place, Session};
use super::facts::{GoFile, Id, Import, Symbol};
use super::modules::{Found, Modules};
use super::read;

/// Files above this size are data.
const LARGEST: usize = 3 << 20;
/// How many files of a folder are read.
const FILES: usize = 1500;

/// A package.
#[derive(Debug, Default)]
pub(crate) struct Package {
    /// The folder from which its imports are looked up; none for the standard library's table.
    pub(crate) folder: Option<Place>,
    pub(crate) files: Vec<Arc<GoFile>>,
    /// Why it may hold more.
    pub(crate) open: Option<&'static str>,
}

impl Package {
    pub(crate) fn name(&self) -> &str {
        self.files.first().map_or("", |file| &file.package)
    }

    /// What a name stands for, with the number of its file.
    pub(crate) fn symbol(&self, name: &str) -> Option<(usize, &Symbol)> {
        let files = self.files.iter().enumerate();
        files.into_iter().find_map(|(number, file)| Some((number, file.symbols.get(name)?)))
    }

    /// All that a name stands for: builds for different platforms declare it each for itself.
    pub(crate) fn symbols<'p>(
        &'p self,
        name: &'p str,
    ) -> impl Iterator<Item = (usize, &'p Symbol)> {
        let files = self.files.iter().enumerate();
        files.filter_map(move |(number, file)| Some((number, file.symbols.get(name)?)))
    }

    /// The methods of this name that a type has, each with the number of its file.
    pub(crate) fn methods<'p>(
        &'p self,
        owner: &'p str,
        name: &'p str,
    ) -> impl Iterator<Item = (usize, Id)> + 'p {
        let files = self.files.iter().enumerate();
        files.filter_map(move |(number, file)| Some((number, *file.methods.get(owner)?.get(name)?)))
    }

    /// Whether a type has a method by another name of it.
    pub(crate) fn has_method_of_alias(&self, name: &str) -> bool {
        self.files.iter().any(|file| {
            file.methods.iter().any(|(owner, methods)| {
                methods.contains_key(name)
                    && matches!(self.symbol(owner), Some((_, Symbol::Alias(_))))
            })
        })
    }

    /// The names of its declarations.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.files.iter().flat_map(|file| file.symbols.keys().map(|name| &**name))
    }

    /// Whether a name stands in a part of a file that did not parse.
    pub(crate) fn is_loose(&self, name: &str) -> bool {
        self.files.iter().any(|file| file.loose.contains(name))
    }
}

/// What an import leads to.
#[derive(Debug, Clone)]
pub(crate) enum Target {
    Package(Rc<Package>),
    Unknown(&'static str),
    Missing { is_package: bool },
}

/// A path as the files of a folder spell it.
type ImportKey = (Option<Place>, Box<str>);

/// The packages of one check, each loaded once.
pub(crate) struct Packages<'a> {
    session: &'a Session<'a>,
    pub(crate) modules: Modules<'a>,
    folders: RefCell<HashMap<Place, Rc<Package>>>,
    imports: RefCell<HashMap<ImportKey, Target>>,
}

impl<'a> Packages<'a> {
    pub(crate) fn new(session: &'a Session<'a>) -> Self {
        let modules = Modules::new(session);
        Self { session, modules, folders: RefCell::default(), imports: RefCell::default() }
    }

    /// The package that a path names in a file of `folder`.
    pub(crate) fn import(&self, folder: Option<&Place>, path: &str) -> Target {
        let key = (folder.cloned(), Box::from(path));
        if let Some(known) = self.imports.borrow().get(&key) {
            return known.clone();
        }
        let root = Place::workspace("");
        let target = match self.modules.find(folder.unwrap_or(&root), path) {
            Found::Folder(place) => Target::Package(self.load(&place)),
            Found::Standard(body) => Target::Package(self.standard(body)),
            Found::Unknown(reason) => Target::Unknown(reason),
            Found::Missing { is_package } => Target::Missing { is_package },
        };
        self.imports.borrow_mut().insert(key, target.clone());
        target
    }

    fn standard(&self, body: &'static str) -> Rc<Package> {
        let files = self.facts(body.as_bytes()).into_iter().collect();
        Rc::new(Package { folder: None, files, open: None })
    }

    /// The facts of the file that is checked.
    pub(crate) fn facts_of_checked(&self, bytes: &[u8]) -> Option<Arc<GoFile>> {
        let facts = self.session.checked_facts("go", bytes, || read::read(bytes).map(Arc::new));
        facts.as_ref().clone()
    }

    /// What other files ask of a file.
    fn facts(&self, bytes: &[u8]) -> Option<Arc<GoFile>> {
        let read = || read::read(bytes).map(|file| Arc::new(file.for_others()));
        self.session.index.facts("go", bytes, read).as_ref().clone()
    }

    /// All Go files of a folder.
    fn files(&self, folder: &Place) -> (Vec<Arc<GoFile>>, Option<&'static str>) {
        let mut open = None;
        let mut files = Vec::new();
        let listing = self.session.list(folder);
        let names = listing.files.iter().filter(|name| {
            name.ends_with(".go") && !name.starts_with('_') && !name.starts_with('.')
        });
        for name in names.take(FILES) {
            let bytes = self.session.read(&folder.join(name));
            match bytes.filter(|bytes| bytes.len() <= LARGEST).and_then(|it| self.facts(&it)) {
                Some(facts) => files.push(facts),
                None => open = Some("file that cannot be read"),
            }
        }
        if files.len() >= FILES {
            open = Some("folder with too many files");
        }
        (files, open)
    }

    /// The package that others import from a folder.
    pub(crate) fn load(&self, folder: &Place) -> Rc<Package> {
        if let Some(known) = self.folders.borrow().get(folder) {
            return Rc::clone(known);
        }
        let (mut files, open) = self.files(folder);
        let is_real = |file: &GoFile| {
            !file.is_ignored && !file.package.ends_with("_test") && &*file.package != "main"
        };
        if files.iter().any(|file| is_real(file)) {
            files.retain(|file| is_real(file));
        }
        let package = Rc::new(Package { folder: Some(folder.clone()), files, open });
        self.folders.borrow_mut().insert(folder.clone(), Rc::clone(&package));
        package
    }

    /// The package to which a file itself belongs, the file first.
    pub(crate) fn own(&self, folder: &Place, file: &Arc<GoFile>) -> Package {
        let (mut files, open) = self.files(folder);
        files.retain(|other| other.package == file.package && !Arc::ptr_eq(other, file));
        files.insert(0, Arc::clone(file));
        Package { folder: Some(folder.clone()), files, open }
    }
}

/// The name that an import path suggests for its package.
pub(crate) fn is_named(import: &Import, root: &str) -> bool {
    match &import.alias {
        Some(alias) => &**alias == root,
        None => {
            let mut parts = import.path.rsplit('/');
            let last = parts.next().unwrap_or_default();
            let is_version = last.len() > 1
                && last.starts_with('v')
                && last[1..].bytes().all(|byte| byte.is_ascii_digit());
            last == root || is_version && parts.next() == Some(root)
        }
    }
}
