//! Python: modules and packages, scopes, classes.
//!
//! [`walk`] turns a file into [`facts`]; [`modules`] finds modules by path;
//! [`resolver`] and [`members`] say what names stand for; this file asks them
//! about every reference of a file and weighs the answers.

mod built;
mod dynamic;
mod edited;
mod expressions;
mod facts;
mod fields;
mod given;
mod imports;
mod kinds;
mod listed;
mod made;
mod members;
mod mixins;
mod modules;
mod packages;
mod packed;
mod resolver;
mod second_look;
mod stdlib;
mod walk;

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

pub(super) use self::edited::check_edited;
use self::facts::{
    Binding, MODULE, Made, ModulePath, Name, Path, Placed, PyFile, Reference, Role, ScopeKind,
    Target,
};
pub(super) use self::modules::take_ahead;
use self::modules::{Lookup, Module};
use self::resolver::{Access, ClassRef, Resolver, Thing};
use super::collector::{Collector, Kind};
use super::session::{Place, Session};
use super::suggest::{misspelt, nearest};

/// The answers about every reference of a file; `None` when it cannot be parsed.
pub(crate) fn check(session: &Session<'_>, path: &str, text: &[u8]) -> Option<Collector> {
    let read = if session.is_about_others() { walk::read_once } else { walk::read };
    let read = || read(text).unwrap_or_else(|| PyFile { incomplete: true, ..PyFile::new() });
    Some(answers(session, path, session.checked_facts(ALL, text, read)))
}

/// The facts of a file with all of its references.
const ALL: &str = "python";

fn answers(session: &Session<'_>, path: &str, file: Arc<PyFile>) -> Collector {
    let home = Place::workspace(path).parent();
    let module = Rc::new(Module { parts: vec![file], home, ..Module::default() });
    let mut checker = Checker {
        resolver: Resolver::new(session),
        module,
        found: Collector::default(),
        path,
        heirs: RefCell::default(),
    };
    let file = Rc::clone(&checker.module);
    let references = file.parts[0].references.iter();
    for reference in references.filter(|reference| session.is_asked(reference.target.spelt())) {
        checker.reference(reference);
    }
    checker.found.incomplete = file.parts[0].incomplete;
    checker.found
}

/// Whether the standard library or a well-known package spells a name.
pub(super) fn is_of_packages(name: &str) -> bool {
    listed::is_spelt(name) || stdlib::is_spelt(name)
}

struct Checker<'a> {
    resolver: Resolver<'a>,
    module: Rc<Module>,
    found: Collector,
    path: &'a str,
    /// The files that name a class among several bases, by the name of the class.
    heirs: RefCell<HashMap<Name, Rc<[Place]>>>,
}

/// What a reference is used as, with the arguments that are passed by name.
type Used<'a> = (Role, &'a [Placed]);

/// How many bases are followed, one after the other.
const DEEPEST: usize = 20;

/// Why members of a class cannot be told whose base is not installed.
const BASE: &str = "base that cannot be resolved";

/// Reasons for which a name may be there although nothing defines it: a base that is not
/// installed, or code of the workspace itself that adds names at run time.
const WEIGHED: [&str; 6] = [
    BASE,
    "setattr",
    "metaclass",
    "class decorator of unknown effect",
    "module with a __getattr__",
    "names made at run time",
];

/// The path of a module with another name for the part of it that is missing.
fn in_path(dotted: &str, missing: &str, name: &str) -> String {
    let mut parts: Vec<&str> = dotted.split('.').collect();
    if let Some(part) = parts.iter_mut().find(|part| **part == missing) {
        *part = name;
    }
    parts.join(".")
}

impl Checker<'_> {
    fn file(&self) -> &PyFile {
        &self.module.parts[0]
    }

    fn reference(&mut self, reference: &Reference) {
        match &reference.target {
            Target::Module(path) => self.module_reference(reference, path),
            Target::Import(path, name) => self.import(reference, path, name),
            Target::Chain { path, role, keywords } => {
                self.chain(reference, path, (*role, keywords));
            }
            Target::Made { of, path, role, keywords } => {
                self.made(reference, of, path, (*role, keywords));
            }
        }
    }

    /// Attributes of what a call gives.
    fn made(&mut self, reference: &Reference, of: &Made, path: &[Placed], used: Used<'_>) {
        let thing = match of {
            Made::Object(class) => {
                self.resolver.object(&self.module, 0, reference.scope, class, Access::Exact)
            }
            Made::Own(class) => {
                let module = Rc::clone(&self.module);
                Thing::Class(ClassRef { module, part: 0, class: *class }, Access::AtLeast)
            }
            Made::Super(class) => {
                // What the class has itself says nothing about its bases.
                let facts = &self.file().classes[*class];
                let own = &self.file().scopes[facts.scope].bindings;
                if path.first().is_none_or(|(name, _)| own.contains_key(name)) {
                    return;
                }
                let module = Rc::clone(&self.module);
                Thing::Class(ClassRef { module, part: 0, class: *class }, Access::AtLeast)
            }
        };
        self.attributes(reference, thing, path, used);
    }

    fn module_reference(&mut self, reference: &Reference, path: &ModulePath) {
        match self.resolver.find(self.module.home.as_ref(), path) {
            Lookup::Found(_) => self.found.exists(),
            Lookup::Listed(..) => self.found.unknown(listed::NOT_INSTALLED),
            Lookup::Unknown(reason) => self.found.unknown(reason),
            Lookup::Missing { .. } | Lookup::Unlisted { .. } if reference.guarded => {
                self.found.unknown("guarded import");
            }
            Lookup::Unlisted { name, .. } if self.is_spelt_elsewhere(&name) => {
                self.found.unknown(listed::NOT_INSTALLED);
            }
            Lookup::Unlisted { nearest, .. } => {
                let nearest = nearest.iter().map(String::as_str);
                self.found.missing(&path.dotted, Kind::Module, reference.offset, nearest);
            }
            Lookup::Missing { is_package: true, nearest, .. } => {
                let nearest = nearest.iter().map(String::as_str);
                let name = path.dotted.split('.').next().unwrap_or_default();
                self.found.missing(name, Kind::Package, reference.offset, nearest);
            }
            Lookup::Missing { name, nearest: modules, .. } => {
                // Held against the part that is missing: the rest of the path is the same.
                let near = nearest(&name, modules.iter().map(String::as_str));
                let whole: Vec<String> =
                    near.iter().map(|near| in_path(&path.dotted, &name, near)).collect();
                let nearest = whole.iter().map(String::as_str);
                self.found.missing(&path.dotted, Kind::Module, reference.offset, nearest);
            }
        }
    }

    fn import(&mut self, reference: &Reference, path: &ModulePath, name: &str) {
        let source = match self.resolver.find(self.module.home.as_ref(), path) {
            Lookup::Found(source) => source,
            Lookup::Listed(listed, below)
                if !reference.guarded
                    && matches!(listed.member(&below, name), Thing::Missing)
                    && !self.is_spelt_elsewhere(name) =>
            {
                return self.missing_of_listed(listed, name, Kind::Import, reference.offset);
            }
            _ => {
                let owner = format!("{}{}", ".".repeat(path.level), path.dotted);
                let import = (owner.as_str(), name);
                return self.found.untold(import, reference.offset, "name of an unknown module");
            }
        };
        match self.resolver.member_of_module(&source, name) {
            Thing::Missing if reference.guarded => self.found.unknown("guarded import"),
            Thing::Missing => self.missing_of_module(&source, name, Kind::Import, reference.offset),
            Thing::Unknown(reason) => self.unknown(reason, name, Kind::Import, reference.offset),
            _ => self.found.exists(),
        }
    }

    /// A name of which cannot be told whether it is there.
    fn unknown(&mut self, reason: &'static str, name: &str, kind: Kind, offset: usize) {
        match WEIGHED.contains(&reason) {
            true => self.found.doubtful(name, kind, offset, reason),
            false => self.found.unknown(reason),
        }
    }

    /// A name that a module lacks, unless another file of the workspace sets it.
    fn missing_of_module(&mut self, module: &Rc<Module>, name: &str, kind: Kind, offset: usize) {
        if packages::is_generated(self.resolver.session, name) && module.folder.is_some() {
            return self.found.unknown("generated file");
        }
        let asked = (self.path, &*module.name);
        if module.parts.iter().any(|part| part.stored.contains(name))
            || second_look::sets_in_module(self.resolver.session, name, asked)
        {
            return self.found.unknown("attribute set from outside");
        }
        let parts = module.parts.iter();
        let names = parts.flat_map(|part| part.scopes[MODULE].bindings.keys()).map(|name| &**name);
        let modules = module.folder.as_ref().map(|folder| self.resolver.modules_in(folder));
        let modules = modules.iter().flatten().map(String::as_str);
        self.found.missing(name, kind, offset, names.chain(modules));
    }

    fn chain(&mut self, reference: &Reference, path: &[Placed], used: Used<'_>) {
        let Some(((root, offset), attributes)) = path.split_first() else { return };
        let thing = self.resolver.name(&self.module, 0, reference.scope, root);
        match &thing {
            Thing::Missing if reference.guarded => return self.found.unknown("guarded name"),
            Thing::Missing if &**root == "tags" && self.path.ends_with("conf.py") => {
                return self.found.unknown("name of a configuration file");
            }
            Thing::Missing => {
                let kind = match (used.0, attributes) {
                    (Role::Call, []) => Kind::Call,
                    (Role::Class, []) => Kind::Class,
                    _ => Kind::Name,
                };
                return self.missing_name(reference.scope, root, kind, *offset);
            }
            Thing::Unknown(reason) => return self.found.unknown(reason),
            _ => self.found.exists(),
        }
        self.attributes(reference, thing, attributes, used);
    }

    /// Attributes of a thing, one after the other, and the arguments of the last.
    fn attributes(
        &mut self,
        reference: &Reference,
        mut thing: Thing,
        attributes: &[Placed],
        (role, keywords): Used<'_>,
    ) {
        let mut may_be_subclass = false;
        let read = attributes.len() - usize::from(role == Role::Store && !attributes.is_empty());
        for (index, (attribute, offset)) in attributes[..read].iter().enumerate() {
            thing = self.resolver.read(thing);
            let next = self.resolver.attribute(&thing, attribute);
            match (&thing, &next) {
                (Thing::Opaque(reason), _) => return self.found.unknown(reason),
                (_, Thing::Missing) if reference.guarded => {
                    return self.found.unknown("guarded name");
                }
                (Thing::Module(module), Thing::Missing) => {
                    let module = Rc::clone(module);
                    return self.missing_of_module(&module, attribute, Kind::Attribute, *offset);
                }
                (Thing::Listed(listed, part), Thing::Missing) => {
                    let is_class = matches!(part, listed::Part::Class);
                    let kind = if is_class { Kind::Member } else { Kind::Attribute };
                    return self.missing_of_listed(*listed, attribute, kind, *offset);
                }
                (Thing::Class(class, access), Thing::Unknown(listed::BASE_LISTED))
                    if !self.is_spelt_elsewhere(attribute) =>
                {
                    let (class, access) = (class.clone(), *access);
                    return self.missing_member(&class, access, attribute, *offset);
                }
                (Thing::Class(_, Access::AtLeast), Thing::Missing)
                    if index > 0 && is_of_mock(attribute) =>
                {
                    return self.found.unknown("member of what tests put in its place");
                }
                (Thing::Class(class, access), Thing::Missing) => {
                    let (class, access) = (class.clone(), *access);
                    return self.missing_member(&class, access, attribute, *offset);
                }
                (_, Thing::Unknown(reason)) => {
                    return self.unknown(reason, attribute, Kind::Member, *offset);
                }
                _ => self.found.exists(),
            }
            may_be_subclass = matches!(thing, Thing::Class(_, Access::AtLeast));
            let is_held = matches!(next, Thing::Class(_, Access::AtLeast));
            thing = match is_held && self.file().stored.contains(attribute) {
                true => Thing::Opaque("attribute set from outside"),
                false => next,
            };
        }
        if role == Role::Call && !may_be_subclass {
            self.arguments(&thing, keywords);
        }
    }

    fn missing_name(&mut self, scope: usize, name: &str, kind: Kind, offset: usize) {
        let file = Rc::clone(&self.module);
        let scopes = &file.parts[0].scopes;
        let names = std::iter::successors(Some(scope), |number| scopes[*number].parent)
            .map(|number| &scopes[number])
            .filter(|scope| !matches!(scope.kind, ScopeKind::Class(_)))
            .flat_map(|scope| scope.bindings.keys().map(|name| &**name));
        self.found.missing(
            name,
            kind,
            offset,
            names.chain(misspelt(name, stdlib::builtin_names())),
        );
    }

    fn missing_member(&mut self, class: &ClassRef, access: Access, name: &str, offset: usize) {
        if self.file().stored.contains(name) {
            return self.found.unknown("attribute set from outside");
        }
        let session = self.resolver.session;
        if second_look::sets_attribute(session, name, self.path)
            || access == Access::AtLeast && self.is_given_below(class, name)
        {
            return self.found.unknown("member that a subclass or another file may give");
        }
        if access == Access::AtLeast && self.is_of_tests(class, name) {
            return self.found.unknown("member of a class that it is mixed into");
        }
        let mixed = (access == Access::AtLeast).then(|| self.mixed_in(class, name)).flatten();
        if let Some(reason) = mixed {
            return self.unknown(reason, name, Kind::Member, offset);
        }
        let names = self.resolver.member_names(class);
        self.found.missing(name, Kind::Member, offset, names.iter().map(|name| &**name));
    }

    /// Keyword arguments that the function does not take.
    fn arguments(&mut self, thing: &Thing, keywords: &[Placed]) {
        if keywords.is_empty() {
            return;
        }
        let (module, part, number) = match thing {
            Thing::Function(function) => (&function.module, function.part, function.function),
            Thing::Class(class, Access::Class) => match self.constructor(class) {
                Some((class, number)) => (&Rc::clone(&class.module), class.part, number),
                None => return self.fields(class, keywords),
            },
            _ => return,
        };
        let function = &module.parts[part].functions[number];
        if !function.takes_any {
            self.taken(function.keywords.split_whitespace().collect(), keywords);
        }
    }

    /// Keyword arguments that a dataclass takes: its fields, and those of what it builds on.
    fn fields(&mut self, class: &ClassRef, keywords: &[Placed]) {
        let mut names: Vec<Name> = Vec::new();
        let mut current = Some(class.clone());
        for _ in 0..DEEPEST {
            let Some(class) = current else { break };
            let file = class.file();
            let facts = &file.classes[class.class];
            let is_plain = |path: &Option<Path>| {
                path.as_ref().is_some_and(|path| walk::is_named(path, "dataclass"))
            };
            let own = &file.scopes[facts.scope].bindings;
            let is_made = !facts.decorators.is_empty() && facts.decorators.iter().all(is_plain);
            let is_whole = facts.metaclass.is_none() && facts.open.is_none();
            if !is_made || !is_whole || own.contains_key("__init__") || own.contains_key("__new__")
            {
                return;
            }
            names.extend(own.keys().cloned());
            if facts.bases.is_empty() {
                return self.taken(names.iter().map(|name| &**name).collect(), keywords);
            }
            current = self.resolver.only_base(&class);
        }
    }

    fn taken(&mut self, taken: Vec<&str>, keywords: &[Placed]) {
        for (name, offset) in keywords {
            if taken.contains(&&**name) {
                self.found.exists();
            } else {
                self.found.missing(name, Kind::Argument, *offset, taken.iter().copied());
            }
        }
    }

    /// The `__init__` that a class has to which nothing is done, its own or its only base's.
    fn constructor(&self, class: &ClassRef) -> Option<(ClassRef, usize)> {
        let mut class = class.clone();
        for _ in 0..DEEPEST {
            let file = class.file();
            let facts = &file.classes[class.class];
            if facts.metaclass.is_some() || !facts.decorators.is_empty() || facts.open.is_some() {
                return None;
            }
            let own = &file.scopes[facts.scope].bindings;
            match own.get("__init__") {
                _ if own.contains_key("__new__") => return None,
                Some(Binding::Function(number)) => return Some((class.clone(), *number)),
                Some(_) => return None,
                None => class = self.resolver.only_base(&class)?,
            }
        }
        None
    }
}

/// Whether tests ask a name of what they put in the place of an object.
fn is_of_mock(name: &str) -> bool {
    const ASKED: [&str; 8] = [
        "return_value",
        "side_effect",
        "called",
        "call_count",
        "call_args",
        "call_args_list",
        "mock_calls",
        "method_calls",
    ];
    name.starts_with("assert_") || name.ends_with("_mock") || ASKED.contains(&name)
}
