//! What an import path names: modules, vendored and installed packages, the standard library.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::OnceLock;

use super::super::Ecosystem;
use super::super::session::{Place, Session};
use super::{gopath, listed};

/// What an import path names.
#[derive(Debug, Clone)]
pub(crate) enum Found {
    Folder(Place),
    /// A package of the standard library or of a well-known module, as declarations.
    Standard(&'static str),
    Unknown(&'static str),
    /// Nothing; whether another module was asked for.
    Missing {
        is_package: bool,
    },
}

/// What a `go.mod` says.
#[derive(Debug, Default)]
pub(crate) struct Module {
    folder: Option<Place>,
    path: String,
    requires: Vec<(String, String)>,
    replaces: Vec<(String, String)>,
}

/// The modules around the files of one check, each read once.
pub(crate) struct Modules<'a> {
    session: &'a Session<'a>,
    known: RefCell<HashMap<Place, Option<Rc<Module>>>>,
}

/// The packages of the standard library by path: declarations, empty where only the name is known.
pub(crate) fn standard(path: &str) -> Option<&'static str> {
    standard_packages().get(path).copied()
}

/// The paths of the standard library.
pub(crate) fn standard_paths() -> impl Iterator<Item = &'static str> {
    standard_packages().keys().copied()
}

fn standard_packages() -> &'static HashMap<&'static str, &'static str> {
    static PACKAGES: OnceLock<HashMap<&'static str, &'static str>> = OnceLock::new();
    PACKAGES.get_or_init(|| {
        let parts = [include_str!("std_a.txt"), include_str!("std_b.txt")];
        let parts = parts.into_iter().flat_map(|text| text.split("\n== ").skip(1));
        parts
            .filter_map(|part| {
                let (head, body) = part.split_once('\n').unwrap_or((part, ""));
                Some((head.split(' ').next()?, body))
            })
            .collect()
    })
}

impl<'a> Modules<'a> {
    pub(crate) fn new(session: &'a Session<'a>) -> Self {
        Self { session, known: RefCell::default() }
    }

    /// What `path` names in a file of `folder`.
    pub(crate) fn find(&self, folder: &Place, path: &str) -> Found {
        if path == "C" {
            return Found::Unknown("cgo");
        }
        if path.starts_with("./") || path.starts_with("../") {
            return self.relative(folder, path);
        }
        let module = self.around(folder);
        if let Some(found) = self.vendored(folder, path) {
            return Found::Folder(found);
        }
        if let Some(module) = &module
            && let Some(found) = self.of_module(module, path)
        {
            return found;
        }
        if let Some(body) = standard(path) {
            return if body.is_empty() {
                Found::Unknown("platform package")
            } else {
                Found::Standard(body)
            };
        }
        if let Some(found) = self.in_roots(path) {
            return Found::Folder(found);
        }
        match module {
            Some(module) => self.absent(&module, path),
            None => self.without_module(path),
        }
    }

    /// The folder of the standard library's sources for a package, where they are installed.
    pub(crate) fn in_roots(&self, path: &str) -> Option<Place> {
        let roots = self.session.roots(Ecosystem::Go);
        roots.iter().map(|root| root.join(path)).find(|folder| self.has_go(folder))
    }

    fn has_go(&self, folder: &Place) -> bool {
        self.session.list(folder).files.iter().any(|name| name.ends_with(".go"))
    }

    fn relative(&self, folder: &Place, path: &str) -> Found {
        let mut place = folder.clone();
        for part in path.split('/') {
            match part {
                "." | "" => {}
                ".." => match place.parent() {
                    Some(parent) => place = parent,
                    None => return Found::Unknown("path outside of the workspace"),
                },
                part => place = place.join(part),
            }
        }
        if self.has_go(&place) {
            return Found::Folder(place);
        }
        Found::Missing { is_package: false }
    }

    /// The `go.mod` that governs a folder.
    fn around(&self, folder: &Place) -> Option<Rc<Module>> {
        if let Some(known) = self.known.borrow().get(folder) {
            return known.clone();
        }
        let here = folder.join("go.mod");
        let module = if self.session.list(folder).files.contains("go.mod") {
            self.session.read(&here).map(|bytes| {
                let text = String::from_utf8_lossy(&bytes);
                Rc::new(Module { folder: Some(folder.clone()), ..parse(&text) })
            })
        } else {
            folder.parent().and_then(|parent| self.around(&parent))
        };
        self.known.borrow_mut().insert(folder.clone(), module.clone());
        module
    }

    fn vendored(&self, folder: &Place, path: &str) -> Option<Place> {
        let mut around = Some(folder.clone());
        while let Some(place) = around {
            if self.session.list(&place).folders.contains("vendor") {
                let found = place.join("vendor").join(path);
                if self.has_go(&found) {
                    return Some(found);
                }
            }
            around = place.parent();
        }
        None
    }

    /// What a path names by the module's own path, its replacements and its requirements.
    fn of_module(&self, module: &Module, path: &str) -> Option<Found> {
        let folder = module.folder.as_ref()?;
        if let Some(rest) = below(path, &module.path) {
            let place = if rest.is_empty() { folder.clone() } else { folder.join(rest) };
            if self.has_go(&place) {
                return Some(Found::Folder(place));
            }
        }
        let replaced = module.replaces.iter().filter(|(old, _)| below(path, old).is_some());
        if let Some((old, new)) = replaced.max_by_key(|(old, _)| old.len()) {
            let rest = below(path, old).unwrap_or_default();
            let target = match self.relative(folder, &format!("{new}/{rest}")) {
                Found::Folder(place) if new.starts_with('.') => Found::Folder(place),
                _ if new.starts_with("./") || new.starts_with("../") => {
                    Found::Missing { is_package: false }
                }
                _ => Found::Unknown("replaced module"),
            };
            return Some(target);
        }
        let required = module.requires.iter().filter(|(name, _)| below(path, name).is_some());
        if let Some((name, version)) = required.max_by_key(|(name, _)| name.len()) {
            let rest = below(path, name).unwrap_or_default();
            return Some(self.installed(name, version, rest));
        }
        below(path, &module.path).map(|rest| self.own(module, folder, rest))
    }

    /// A path below the module's own one where there is no Go file.
    fn own(&self, module: &Module, folder: &Place, rest: &str) -> Found {
        // A module inside of this one; its own versions are listed where others need it.
        let inner = |prefix: &str| prefix.len() > module.path.len();
        if self.is_listed(folder, &format!("{}/{rest}", module.path), inner) {
            return Found::Unknown("module declared but not installed");
        }
        let place = folder.join(rest);
        let listing = self.session.list(&place);
        if listing.files.iter().any(|name| name.ends_with(".proto") || name.ends_with(".y")) {
            return Found::Unknown("generated package");
        }
        Found::Missing { is_package: false }
    }

    /// A required module in the caches.
    fn installed(&self, name: &str, version: &str, rest: &str) -> Found {
        let escaped = escape(name);
        for root in self.session.roots(Ecosystem::Go) {
            let exact = root.join(&format!("{escaped}@{version}"));
            for folder in [exact, root.join(name)] {
                let place = if rest.is_empty() { folder.clone() } else { folder.join(rest) };
                if self.has_go(&place) {
                    return Found::Folder(place);
                }
                let listing = self.session.list(&folder);
                if !listing.files.is_empty() && folder.path.contains('@') {
                    return Found::Missing { is_package: false };
                }
            }
        }
        if let Some(found) = self.of_work(name, rest) {
            return found;
        }
        let path = if rest.is_empty() { name.to_owned() } else { format!("{name}/{rest}") };
        match listed::find(name, version, &path) {
            Some(body) => Found::Standard(body),
            None => Found::Unknown("module declared but not installed"),
        }
    }

    /// A module that a `go.work` names.
    fn of_work(&self, name: &str, rest: &str) -> Option<Found> {
        let text = self.session.text("go.work")?;
        for line in text.lines() {
            let word = line.trim().trim_start_matches("use").trim().trim_matches('"');
            let Some(folder) = word.strip_prefix("./") else { continue };
            let place = Place::workspace(folder.trim_end_matches('/'));
            let Some(module) = self.around(&place).filter(|module| module.path == name) else {
                continue;
            };
            let folder = module.folder.clone()?;
            let place = if rest.is_empty() { folder } else { folder.join(rest) };
            return Some(if self.has_go(&place) {
                Found::Folder(place)
            } else {
                Found::Missing { is_package: false }
            });
        }
        None
    }

    /// The folders beside a path of the module around a folder.
    pub(crate) fn beside(&self, folder: &Place, path: &str) -> Vec<String> {
        let above = || {
            let module = self.around(folder)?;
            let place = module.folder.as_ref()?.join(below(path, &module.path)?);
            Some(self.session.list(&place.parent()?))
        };
        above().map(|list| list.folders.iter().cloned().collect()).unwrap_or_default()
    }

    /// A path that nothing declares.
    fn absent(&self, module: &Module, path: &str) -> Found {
        let first = path.split('/').next().unwrap_or_default();
        if let Some(folder) = &module.folder
            && self.is_listed(folder, path, |prefix| prefix.contains('/'))
        {
            return Found::Unknown("module declared but not installed");
        }
        Found::Missing { is_package: first.contains('.') }
    }

    /// Whether `go.sum` knows a module of this path, or of a prefix that is meant.
    fn is_listed(&self, folder: &Place, path: &str, is_meant: impl Fn(&str) -> bool) -> bool {
        let Some(bytes) = self.session.read(&folder.join("go.sum")) else { return false };
        let mut prefix = path;
        loop {
            let line = format!("\n{prefix} v");
            if is_meant(prefix) && memchr::memmem::find(&bytes, line.as_bytes()).is_some() {
                return true;
            }
            match prefix.rsplit_once('/') {
                Some((shorter, _)) => prefix = shorter,
                None => return false,
            }
        }
    }

    /// Without a `go.mod`, what the files import of each other says which paths are their own.
    fn without_module(&self, path: &str) -> Found {
        let Some(own) = gopath::own_path(self.session) else {
            return Found::Unknown("no go.mod");
        };
        let first = path.split('/').next().unwrap_or_default();
        if let Some(rest) = below(path, &own) {
            let module = Module { path: own.to_string(), ..Module::default() };
            let root = Place::workspace("");
            let place = if rest.is_empty() { root.clone() } else { root.join(rest) };
            return match self.has_go(&place) {
                true => Found::Folder(place),
                false => self.own(&module, &root, rest),
            };
        }
        match gopath::is_listed(self.session, path) {
            _ if !first.contains('.') => Found::Missing { is_package: false },
            Some(false) => Found::Missing { is_package: true },
            Some(true) => Found::Unknown("module declared but not installed"),
            None => Found::Unknown("no go.mod"),
        }
    }
}

/// What is left of `path` behind `prefix`, when it lies below it.
fn below<'p>(path: &'p str, prefix: &str) -> Option<&'p str> {
    let rest = path.strip_prefix(prefix).filter(|_| !prefix.is_empty())?;
    if rest.is_empty() { Some(rest) } else { rest.strip_prefix('/') }
}

/// A module's path as the cache spells it: capitals become `!` and a small letter.
fn escape(path: &str) -> String {
    let mut escaped = String::with_capacity(path.len());
    for c in path.chars() {
        if c.is_ascii_uppercase() {
            escaped.push('!');
        }
        escaped.push(c.to_ascii_lowercase());
    }
    escaped
}

fn parse(text: &str) -> Module {
    let mut module = Module::default();
    let mut block = String::new();
    for line in text.lines() {
        let line = line.split("//").next().unwrap_or_default().trim();
        if line == ")" {
            block.clear();
            continue;
        }
        if let Some(name) = line.strip_suffix('(') {
            block = name.trim().to_owned();
            continue;
        }
        let full = if block.is_empty() { line.to_owned() } else { format!("{block} {line}") };
        let parts: Vec<&str> =
            full.split_whitespace().map(|word| word.trim_matches(['"', '`'])).collect();
        match parts.as_slice() {
            ["module", path] => module.path = (*path).to_owned(),
            ["require", path, version, ..] => {
                module.requires.push(((*path).to_owned(), (*version).to_owned()));
            }
            ["replace", old, "=>", new, ..] | ["replace", old, _, "=>", new, ..] => {
                module.replaces.push(((*old).to_owned(), (*new).to_owned()));
            }
            _ => {}
        }
    }
    module
}
