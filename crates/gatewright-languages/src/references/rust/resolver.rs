//! What a path leads to, through modules, uses, globs and crates.

use std::cell::RefCell;
use std::collections::HashMap;

use super::crates::{self, Home, Located, NOT_INSTALLED};
use super::facts::{Item, Name, Segment};
use super::library;
use super::listed::OfList;
use super::modules::{self, Files, ModuleRef, Parent};
use crate::references::session::{Area, Place, Session};

/// How many modules the search for one name goes through.
const STEPS: usize = 40;

/// What a path can lead to.
#[derive(Debug, Clone)]
pub(super) enum Found {
    Module(ModuleRef),
    /// A type by the name that it has in the file of its module.
    Type(ModuleRef, Name),
    /// A module of the standard library.
    Std(String),
    /// A type of the standard library.
    StdType(Name),
    /// A crate that is not installed, or a name of it.
    Listed(OfList),
    /// A function, a constant, a macro.
    Value,
}

/// The answer to a search.
#[derive(Debug, Clone)]
pub(super) enum Answer {
    Found(Found),
    Unknown(&'static str),
    Missing(Gap),
}

/// A name that is not where it should be.
#[derive(Debug, Clone, Default)]
pub(super) struct Gap {
    /// The index of the segment.
    pub(super) at: usize,
    /// Whether it is a member of a type.
    pub(super) of_type: bool,
    /// Whether it would be a crate.
    pub(super) is_crate: bool,
    /// Where a macro or a trait might define it.
    pub(super) macros_of: Option<Place>,
    /// Where it should be.
    pub(super) place: Option<Found>,
}

impl Gap {
    fn answer(at: usize) -> Answer {
        Answer::Missing(Self { at, ..Self::default() })
    }

    /// The last part of a path, as a member of what stands before it.
    pub(super) fn at_end_of(path: &[Segment]) -> Self {
        Self { at: path.len().saturating_sub(1), of_type: true, ..Self::default() }
    }
}

/// Searches for one file under check.
pub(super) struct Resolver<'a> {
    pub(super) files: Files<'a>,
    /// The searches under way, so that a cycle of globs ends.
    pending: RefCell<Vec<(Place, usize, Name)>>,
    crates: RefCell<HashMap<(Place, String), Answer>>,
}

impl<'a> Resolver<'a> {
    pub(super) fn new(session: &'a Session<'a>) -> Self {
        Self { files: Files::new(session), pending: RefCell::default(), crates: RefCell::default() }
    }

    /// What a path leads to from a module. `is_use` is said of the path of a `use`.
    pub(super) fn path(&self, from: &ModuleRef, path: &[Name], is_use: bool) -> Answer {
        let Some(first) = path.first() else { return Answer::Unknown("empty path") };
        let mut answer = match &**first {
            "" => match path.get(1) {
                Some(name) => at(self.crate_named(from, name), 1),
                None => Answer::Unknown("empty path"),
            },
            _ => self.first(from, first, path, is_use),
        };
        let done = if first.is_empty() { 2 } else { 1 };
        for (index, name) in path.iter().enumerate().skip(done) {
            let Answer::Found(found) = &answer else { return answer };
            answer = at(self.below(found, name), index);
        }
        answer
    }

    fn first(&self, from: &ModuleRef, name: &Name, path: &[Name], is_use: bool) -> Answer {
        match &**name {
            "crate" | "$crate" => match modules::root(&self.files, from) {
                Some(root) => Answer::Found(Found::Module(root)),
                None => Answer::Unknown("root of the crate"),
            },
            "self" => Answer::Found(Found::Module(from.clone())),
            "super" => match modules::parent(&self.files, from) {
                Parent::Is(parent) => Answer::Found(Found::Module(*parent)),
                _ => Answer::Unknown("module above"),
            },
            _ => self.name(from, name, path, is_use),
        }
    }

    fn name(&self, from: &ModuleRef, name: &Name, path: &[Name], is_use: bool) -> Answer {
        let own_use = (is_use && path.len() > 1).then_some(path);
        let inside = self.guarded(from, name, own_use);
        // What `use` binds comes before what is always there.
        let mut named = from.facts().uses.get(name).into_iter().flatten();
        let is_named = named.any(|path| Some(path.as_slice()) != own_use);
        let is_unknown = matches!(inside, Answer::Unknown(_));
        if matches!(inside, Answer::Found(_))
            || is_unknown && (is_named || self.is_used_by_glob(from, name))
        {
            return inside;
        }
        if &**name == "test" && path.len() > 1 {
            return Answer::Unknown("unstable crate");
        }
        if library::in_prelude(name) {
            let is_type = library::is_type(name) || library::is_module(&format!("std::{name}"));
            let found = if is_type { Found::StdType(name.clone()) } else { Found::Value };
            let is_primitive = name.starts_with(|first: char| first.is_ascii_lowercase());
            return Answer::Found(if is_primitive && !is_use {
                Found::StdType(name.clone())
            } else {
                found
            });
        }
        let outside = self.crate_named(from, name);
        if !matches!(outside, Answer::Missing(_)) {
            return outside;
        }
        let is_old = from.home.as_ref().is_some_and(|home| !home.manifest.has_edition);
        if is_use && is_old {
            return match modules::root(&self.files, from) {
                Some(root) => self.in_module(&root, name),
                None => Answer::Unknown("root of the crate"),
            };
        }
        let is_bound = self.is_extern_crate(from, name);
        match (inside, outside) {
            (Answer::Missing(_) | Answer::Unknown("macro"), _) if is_bound => {
                Answer::Unknown("name of an extern crate")
            }
            (Answer::Unknown(reason), _)
                if is_bound || !(is_use && path.len() > 1 && is_of_package(reason)) =>
            {
                Answer::Unknown(reason)
            }
            (Answer::Unknown(_), outside) => outside,
            (Answer::Missing(inside), Answer::Missing(outside)) => {
                Answer::Missing(Gap { is_crate: outside.is_crate && is_use, ..inside })
            }
            (inside, _) => inside,
        }
    }

    /// Whether an `extern crate` of the module or of the root, or a `use` of the root, gives a
    /// crate this name.
    fn is_extern_crate(&self, from: &ModuleRef, name: &Name) -> bool {
        let binds = |module: &ModuleRef| {
            let mut paths = module.facts().uses.get(name).into_iter().flatten();
            paths.any(|path| path.first().is_some_and(|first| first.is_empty()))
        };
        let hands_on = |root: &ModuleRef| root.facts().uses.contains_key(name);
        binds(from)
            || modules::root(&self.files, from).is_some_and(|root| binds(&root) || hands_on(&root))
    }

    /// What a crate name stands for.
    pub(super) fn crate_named(&self, from: &ModuleRef, name: &str) -> Answer {
        if library::is_crate(name) {
            return Answer::Found(Found::Std(name.to_owned()));
        }
        let Some(home) = &from.home else { return Answer::Unknown("no manifest") };
        let key = (home.folder.clone(), name.to_owned());
        if let Some(known) = self.crates.borrow().get(&key) {
            return known.clone();
        }
        let answer = self.locate(home, name);
        self.crates.borrow_mut().insert(key, answer.clone());
        answer
    }

    fn locate(&self, home: &Home, name: &str) -> Answer {
        match crates::locate(self.files.session, home, name) {
            Located::At(root, folder) => match modules::load_crate(&self.files, &root, &folder) {
                Some(root) => Answer::Found(Found::Module(root)),
                None => Answer::Unknown("package that cannot be read"),
            },
            Located::Listed(list) => Answer::Found(Found::Listed(list)),
            Located::Unknown(reason) => Answer::Unknown(reason),
            Located::Missing => Answer::Missing(Gap { is_crate: true, ..Gap::default() }),
        }
    }

    fn below(&self, found: &Found, name: &Name) -> Answer {
        match found {
            Found::Module(module) if &**name == "self" => {
                Answer::Found(Found::Module(module.clone()))
            }
            Found::Module(module) if &**name == "super" => {
                match modules::parent(&self.files, module) {
                    Parent::Is(parent) => Answer::Found(Found::Module(*parent)),
                    _ => Answer::Unknown("module above"),
                }
            }
            Found::Module(module) => self.in_module(module, name),
            Found::Type(module, of) => self.in_type(module, of, name, STEPS),
            Found::Std(path) => in_std(path, name),
            Found::StdType(_) if library::is_member(name) => Answer::Found(Found::Value),
            Found::StdType(of) if library::is_module(&format!("std::{of}")) => {
                match in_std(&format!("std::{of}"), name) {
                    Answer::Missing(gap) => Answer::Missing(Gap { of_type: true, ..gap }),
                    found => found,
                }
            }
            Found::StdType(_) => Answer::Missing(Gap { of_type: true, ..Gap::default() }),
            Found::Listed(list) => list.below(name),
            Found::Value => Answer::Unknown("below a value"),
        }
    }

    /// What a name is in a module.
    pub(super) fn in_module(&self, module: &ModuleRef, name: &Name) -> Answer {
        self.guarded(module, name, None)
    }

    /// The same, without the `use` whose own path is being followed.
    fn guarded(&self, module: &ModuleRef, name: &Name, own_use: Option<&[Name]>) -> Answer {
        let key = (module.place.clone(), module.number, name.clone());
        if own_use.is_none() && self.pending.borrow().contains(&key) {
            return Gap::answer(0);
        }
        if self.pending.borrow().len() >= STEPS {
            return Answer::Unknown("too many steps");
        }
        self.pending.borrow_mut().push(key);
        let answer = self.search(module, name, own_use);
        self.pending.borrow_mut().pop();
        answer
    }

    fn search(&self, module: &ModuleRef, name: &Name, own_use: Option<&[Name]>) -> Answer {
        let facts = module.facts();
        if facts.children.contains_key(name) {
            return match modules::child(&self.files, module, name) {
                Some(child) => Answer::Found(Found::Module(child)),
                None => Answer::Unknown("module without a file"),
            };
        }
        match facts.items.get(name) {
            Some(Item::Type) => {
                return Answer::Found(Found::Type(module.clone(), name.clone()));
            }
            Some(Item::Value | Item::Macro) => return Answer::Found(Found::Value),
            None => {}
        }
        let is_other = |path: &&Vec<Name>| Some(path.as_slice()) != own_use;
        let paths = facts.uses.get(name).into_iter().flatten().filter(is_other);
        let paths: Vec<&Vec<Name>> = paths.collect();
        if !paths.is_empty() {
            return self.bound(module, &paths);
        }
        let place = Some(Found::Module(module.clone()));
        let mut gap = Gap { place, ..Gap::default() };
        if facts.has_macros || module.place.area == Area::Installed {
            gap.macros_of = Some(searched(module));
        }
        let mut unknown = facts.open;
        for glob in facts.globs.iter().filter(|glob| !glob.contains(name)) {
            match self.in_glob(module, glob, name) {
                Answer::Found(found) => return Answer::Found(found),
                Answer::Unknown(reason) => unknown = Some(reason),
                Answer::Missing(other) => gap.macros_of = gap.macros_of.or(other.macros_of),
            }
        }
        if module.file.loose.contains(name) {
            let is_foreign = module.place.area == Area::Installed;
            unknown = unknown.or(Some(if is_foreign { "macro of a package" } else { "macro" }));
        }
        unknown.map_or(Answer::Missing(gap), Answer::Unknown)
    }

    /// Whether a module of the same crate that a glob takes over has a `use` of this name.
    fn is_used_by_glob(&self, module: &ModuleRef, name: &Name) -> bool {
        let is_own = |glob: &&Vec<Name>| {
            glob.first().is_some_and(|first| matches!(&**first, "super" | "crate" | "self"))
        };
        let mut globs = module.facts().globs.iter().filter(is_own);
        globs.any(|glob| match self.path(module, glob, true) {
            Answer::Found(Found::Module(inner)) => inner.facts().uses.contains_key(name),
            _ => false,
        })
    }

    /// What a name that `use` binds stands for; it is there, whatever it is.
    fn bound(&self, module: &ModuleRef, paths: &[&Vec<Name>]) -> Answer {
        let answers: Vec<Answer> = paths.iter().map(|path| self.path(module, path, true)).collect();
        let is_unknown = |answer: &&Answer| matches!(answer, Answer::Unknown(_));
        let is_found = |answer: &&Answer| matches!(answer, Answer::Found(_));
        let is_place = |answer: &&Answer| is_found(answer) && !is_value(answer);
        // A feature decides which of several packages has this name.
        let is_outside = |answer: &&Answer| matches!(answer, Answer::Unknown(NOT_INSTALLED));
        if answers.len() > 1 && answers.iter().any(is_listed) {
            return Answer::Unknown(NOT_INSTALLED);
        }
        let best = answers.iter().find(is_outside);
        let best = best.or_else(|| answers.iter().find(is_place));
        let best = best.or_else(|| answers.iter().find(is_found));
        let best = best.or_else(|| answers.iter().rfind(is_unknown));
        best.cloned().unwrap_or(Answer::Unknown("use that leads nowhere known"))
    }

    fn in_glob(&self, module: &ModuleRef, glob: &[Name], name: &Name) -> Answer {
        match self.path(module, glob, true) {
            Answer::Found(Found::Module(inner)) if inner.hides(name, module) => Gap::answer(0),
            Answer::Found(Found::Module(inner)) => self.in_module(&inner, name),
            Answer::Found(Found::Std(path)) if library::is_open(&path) => {
                match library::is_anywhere(name) {
                    true => Answer::Unknown("part of the standard library"),
                    false => Gap::answer(0),
                }
            }
            Answer::Found(Found::Std(path)) => in_std(&path, name),
            Answer::Found(Found::Type(inner, of)) => {
                let is_variant =
                    inner.file.types.get(&of).is_some_and(|of| of.members.contains(name));
                if is_variant { Answer::Found(Found::Value) } else { Gap::answer(0) }
            }
            Answer::Found(Found::StdType(_)) => {
                if library::is_member(name) {
                    Answer::Found(Found::Value)
                } else {
                    Gap::answer(0)
                }
            }
            // A list has more names than its crate shows: those of crates are no part of it.
            Answer::Found(Found::Listed(_)) if is_package(module, name) => Gap::answer(0),
            Answer::Found(Found::Listed(list)) => list.in_glob(name),
            Answer::Found(Found::Value) => Answer::Unknown("glob of a value"),
            Answer::Unknown(reason) => Answer::Unknown(reason),
            Answer::Missing(_) => Answer::Unknown("glob that leads nowhere known"),
        }
    }

    /// What a member of a type is, by the file that defines the type.
    fn in_type(&self, module: &ModuleRef, of: &Name, name: &Name, steps: usize) -> Answer {
        let Some(facts) = module.file.types.get(of) else {
            return Answer::Unknown("type not plain");
        };
        if facts.members.contains(name) {
            return Answer::Found(Found::Value);
        }
        if let Some(alias) = facts.alias.as_ref().filter(|_| steps > 0) {
            return match self.path(module, alias, false) {
                Answer::Found(Found::Type(module, of)) => {
                    self.in_type(&module, &of, name, steps - 1)
                }
                Answer::Found(found @ (Found::StdType(_) | Found::Listed(_))) => {
                    self.below(&found, name)
                }
                _ => Answer::Unknown("type alias"),
            };
        }
        if library::is_member(name) {
            return Answer::Found(Found::Value);
        }
        let macros_of = (module.place.area == Area::Installed).then(|| searched(module));
        let place = Some(Found::Type(module.clone(), of.clone()));
        let gap = Gap { of_type: true, macros_of, place, ..Gap::default() };
        facts.open.map_or(Answer::Missing(gap), Answer::Unknown)
    }

    /// The type that a name of a type stands for, other names of it followed.
    pub(super) fn type_at(&self, from: &ModuleRef, path: &[Name]) -> Option<Found> {
        let mut found = match self.path(from, path, false) {
            Answer::Found(found) => found,
            _ => return None,
        };
        for _ in 0..STEPS {
            let Found::Type(module, of) = &found else { break };
            let Some(alias) = module.file.types.get(of).and_then(|facts| facts.alias.clone())
            else {
                break;
            };
            let Answer::Found(next) = self.path(&module.clone(), &alias, false) else {
                return None;
            };
            found = next;
        }
        Some(found)
    }
}

/// Whether names are unknown only because of what packages may bring into scope.
///
/// Modules hardly ever come that way, so that the start of a longer path is none of them.
fn is_of_package(reason: &str) -> bool {
    matches!(reason, NOT_INSTALLED | "part of the standard library")
}

/// Whether a name is that of a crate which the package of a module may use.
fn is_package(module: &ModuleRef, name: &str) -> bool {
    let home = module.home.as_ref();
    library::is_crate(name)
        || home.is_some_and(|home| home.manifest.dependencies.contains_key(name))
}

fn is_listed(answer: &Answer) -> bool {
    matches!(answer, Answer::Found(Found::Listed(_)))
}

fn is_value(answer: &Answer) -> bool {
    matches!(answer, Answer::Found(Found::Value))
}

/// The same answer about the segment at an index.
fn at(answer: Answer, index: usize) -> Answer {
    match answer {
        Answer::Missing(gap) => Answer::Missing(Gap { at: index, ..gap }),
        other => other,
    }
}

fn in_std(path: &str, name: &Name) -> Answer {
    let whole = format!("{path}::{name}");
    if library::is_module(&whole) {
        return Answer::Found(Found::Std(whole));
    }
    if library::is_open(path) {
        return Answer::Unknown("part of the standard library");
    }
    let last = path.rsplit("::").next().unwrap_or_default();
    if library::in_prelude(last) && library::is_member(name) {
        return Answer::Found(Found::Value);
    }
    if !library::has(path, name) {
        return Answer::Missing(Gap { place: Some(Found::Std(path.to_owned())), ..Gap::default() });
    }
    let is_type =
        name.starts_with(|first: char| first.is_ascii_uppercase()) || library::in_prelude(name);
    Answer::Found(if is_type { Found::StdType(name.clone()) } else { Found::Value })
}

impl Found {
    /// The names that are there.
    pub(super) fn names(&self) -> Vec<String> {
        let owned = |name: &Name| name.to_string();
        match self {
            Found::Module(module) => {
                let facts = module.facts();
                let items = facts.items.keys().chain(facts.children.keys());
                items.chain(facts.uses.keys()).map(owned).collect()
            }
            Found::Type(module, of) => {
                let facts = module.file.types.get(of).into_iter();
                facts
                    .flat_map(|facts| facts.members.iter().chain(&facts.fields))
                    .map(owned)
                    .collect()
            }
            Found::Std(path) => library::names(path),
            Found::Listed(list) => list.all(),
            Found::StdType(_) | Found::Value => Vec::new(),
        }
    }
}

/// Where to look for what macros of a module define.
pub(super) fn searched(module: &ModuleRef) -> Place {
    match (&module.home, module.place.area) {
        (Some(home), Area::Installed) => home.folder.clone(),
        _ => Place::workspace(""),
    }
}
