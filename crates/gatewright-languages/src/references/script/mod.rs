//! TypeScript and JavaScript: modules by path, exports, classes and interfaces.
//!
//! [`walk`] turns a file into [`facts`]; [`modules`] finds what a specifier
//! names, [`installed`] which declarations a package comes with; [`handed_out`]
//! follows what a module exports; this file asks about every reference.

mod aliases;
mod base_classes;
mod built_in;
mod declarations;
mod declares;
mod elsewhere;
mod exports;
mod facts;
mod fields;
mod handed_out;
mod installed;
mod keys;
mod known;
mod locals;
mod modules;
mod narrowed;
mod objects;
mod resolver;
mod roots;
mod runtime;
mod spelt;
mod view;
mod walk;

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use self::exports::WHOLE;
use self::facts::{Class, Import, Reference, ScriptFile, Target};
use self::modules::Found;
use self::resolver::Resolver;
use super::collector::{Collector, Kind};
use super::session::Session;
use super::suggest::{misspelt, near_beside};
use super::words;
use crate::syntax::LanguageId;

/// How many modules a name is followed through.
const STEPS: usize = 20;
/// How many files of packages one check reads.
const DECLARATIONS: usize = 400;
/// What every class has as a function.
const OF_FUNCTIONS: [&str; 9] =
    ["prototype", "name", "length", "call", "apply", "bind", "toString", "constructor", "caller"];
/// What every object has.
const OF_OBJECTS: [&str; 8] = [
    "toString",
    "constructor",
    "hasOwnProperty",
    "valueOf",
    "toLocaleString",
    "isPrototypeOf",
    "propertyIsEnumerable",
    "__proto__",
];

/// The answers about every reference of a file; `None` when it cannot be parsed.
pub(crate) fn check(
    session: &Session<'_>,
    language: LanguageId,
    path: &str,
    text: &[u8],
) -> Option<Collector> {
    let read = || walk::read(language, text).map(Arc::new);
    let file = session.checked_facts(language.name(), text, read).as_ref().clone()?;
    let mut checker = Checker {
        session,
        file: &file,
        path,
        text,
        found: Collector::default(),
        modules: RefCell::default(),
        resolver: Resolver::default(),
        declarations: Cell::new(DECLARATIONS),
    };
    for reference in &file.references {
        checker.reference(reference);
    }
    Some(checker.found)
}

/// What other files ask of a file.
fn facts_of(session: &Session<'_>, language: LanguageId, text: &[u8]) -> Option<Arc<ScriptFile>> {
    let read = || walk::read(language, text).map(|file| Arc::new(file.for_others()));
    session.index.facts(language.name(), text, read).as_ref().clone()
}

fn is_global(name: &str) -> bool {
    static GLOBALS: OnceLock<std::collections::HashSet<&'static str>> = OnceLock::new();
    GLOBALS.get_or_init(|| globals().collect()).contains(name)
}

/// Whether an import stands for all names of a module.
fn is_namespace(import: &Import) -> bool {
    let has_whole = runtime::names(&import.source).is_some() || known::is_whole(&import.source);
    matches!(&*import.name, "*" | WHOLE) || &*import.name == "default" && has_whole
}

/// The names that every file has.
fn globals<'a>() -> impl Iterator<Item = &'a str> {
    include_str!("globals.txt").split_whitespace()
}

/// The classes that come with the language.
fn own_classes() -> &'static Arc<ScriptFile> {
    static CLASSES: OnceLock<Arc<ScriptFile>> = OnceLock::new();
    CLASSES.get_or_init(|| {
        let mut file = ScriptFile::default();
        for line in include_str!("classes.txt").lines() {
            let mut words = line.split(' ');
            let (Some(name), Some(bases)) = (words.next(), words.next()) else { continue };
            let number = file.class_named(name);
            let class = &mut file.classes[number];
            class.bases.extend(bases.split(',').filter(|base| *base != "-").map(Into::into));
            class.members.extend(words.map(Into::into));
            class.open = class.members.contains("[]").then_some("index signature");
        }
        Arc::new(file)
    })
}

/// Whether the language, Node or a well-known package spells a name; `_` begins what is inner.
pub(super) fn is_of_packages(name: &str) -> bool {
    const TABLES: [&str; 4] = [
        include_str!("packages.txt"),
        include_str!("base_classes.txt"),
        include_str!("classes.txt"),
        include_str!("runtime.txt"),
    ];
    name.starts_with('_')
        || TABLES.iter().any(|table| words::contains(table.as_bytes(), name))
        || is_global(name)
}

struct Checker<'a> {
    session: &'a Session<'a>,
    file: &'a ScriptFile,
    path: &'a str,
    text: &'a [u8],
    found: Collector,
    modules: RefCell<HashMap<(String, String), Found>>,
    resolver: Resolver,
    /// How many more files of packages are read.
    declarations: Cell<usize>,
}

/// Why a declaration may not be all there is.
pub(super) const ADDED: &str = "declaration that others may add to";
/// Why what a class inherits is not known.
const BASE: &str = "base that cannot be resolved";
pub(super) const NO_NAME: &str = "base that is no plain name";

/// The answer to the search of a member.
enum Member {
    Exists,
    Missing,
    Unknown(&'static str),
}

impl Checker<'_> {
    fn reference(&mut self, reference: &Reference) {
        let offset = reference.offset;
        match &reference.target {
            Target::Module(source) => self.module(source, offset),
            Target::Import(import) => self.import(import, offset),
            Target::Name { name, is_call, is_type } => {
                let kind = match (is_call, is_type) {
                    (_, true) => Kind::Class,
                    (true, _) => Kind::Call,
                    _ => Kind::Name,
                };
                self.name(name, kind, offset);
            }
            Target::This(class, member) => {
                let class = &self.file.classes[*class];
                let answer = self.search(self.file, self.path, class, member, STEPS);
                self.member(answer, class, member, offset);
            }
            Target::Held(class, field, member) => {
                self.held_member(*class, (field, member), offset);
            }
            Target::Super(class, member) => self.super_member(*class, member, offset),
            Target::Member(root, member) => self.root_member(root, member, offset),
            Target::Of(class, member) => self.class_member(class, member, offset, false),
            Target::Local(root, class, member) => self.local_member((root, class), member, offset),
            Target::Loose(member) => self.loose_member(member, offset),
            Target::Keys(keys) => self.keys(keys),
            Target::Given { root, function, is_awaited, member } => {
                self.given_member((root, function, *is_awaited), member, offset);
            }
        }
    }

    fn module(&mut self, source: &str, offset: usize) {
        match self.find(self.path, source) {
            Found::File(_) | Found::Package => self.found.exists(),
            Found::Unknown(reason) => self.found.unknown(reason),
            Found::Missing { .. } if elsewhere::is_bundled(self.text, source) => {
                self.found.unknown("module inside of a bundle");
            }
            Found::Missing { is_package, nearest } => {
                let kind = if is_package { Kind::Package } else { Kind::Module };
                // Where the path spells an ending out, the file beside it has one as well.
                let end = source.rfind(".js").map_or("", |at| &source[at..]);
                let files: Vec<String> =
                    nearest.iter().map(|near| format!("{near}{end}")).collect();
                let near = near_beside(source, &files);
                self.found.missing(source, kind, offset, near.iter().map(String::as_str));
            }
        }
    }

    fn import(&mut self, import: &Import, offset: usize) {
        match self.handed_out(self.path, import) {
            Member::Exists => self.found.exists(),
            Member::Unknown(reason) => {
                self.found.untold((&import.source, &import.name), offset, reason);
            }
            Member::Missing if self.is_added_to(self.path, import) => {
                self.found.unknown("name that other files spell");
            }
            Member::Missing if self.is_augmented(&import.name) => {
                self.found.unknown(ADDED);
            }
            Member::Missing => {
                let names = self.names_of(self.path, &import.source);
                let near = names.iter().map(|name| &**name);
                self.found.missing(&import.name, Kind::Import, offset, near);
            }
        }
    }

    /// Whether other files may put a name into a module: its exports are an object, or it is a
    /// package's, to whose declarations anybody may add.
    fn is_added_to(&self, from: &str, import: &Import) -> bool {
        let Ok((path, file)) = self.load(from, &import.source) else { return false };
        let is_of_package = installed::is_of_package(&path);
        let is_open = file.is_common || is_of_package;
        let name = &*import.name;
        let is_put = || match is_of_package {
            true => self.is_elsewhere(name),
            false => self.is_put_elsewhere(name),
        };
        is_open && (self.file.stored.contains(name) || is_put())
    }

    /// Whether a file declares a name for a module that is not its own: `declare module './till'`.
    fn is_augmented(&self, name: &str) -> bool {
        let declares = |text: &[u8]| {
            words::contains(text, name) && memchr::memmem::find(text, b"declare module").is_some()
        };
        let is_asked = |file: &str| modules::language(file).is_some();
        self.file.class_names.contains_key(name) && declares(self.text)
            || self
                .session
                .any_other(("script adds", name), self.path, is_asked, |_, text, _| declares(text))
    }

    /// Whether classes of the file's language declare all that they have.
    fn is_typed(&self) -> bool {
        !matches!(modules::language(self.path), Some(LanguageId::JavaScript))
    }

    /// What a specifier names, looked up once.
    fn find(&self, from: &str, source: &str) -> Found {
        let key = (from.to_owned(), source.to_owned());
        if let Some(known) = self.modules.borrow().get(&key) {
            return known.clone();
        }
        let found = modules::find(self.session, &self.resolver, from, source);
        self.modules.borrow_mut().insert(key, found.clone());
        found
    }

    /// Whether what declares names for all files: declarations that import and export nothing.
    fn is_declaring_for_all(&self) -> bool {
        let file = self.file;
        let is_module = !file.exports.is_empty() || !file.reexports.is_empty();
        self.path.ends_with(".d.ts") && (!is_module || file.imports.is_empty())
    }

    fn name(&mut self, name: &str, kind: Kind, offset: usize) {
        let file = self.file;
        if file.declared.contains(name) || file.imports.contains_key(name) || is_global(name) {
            return self.found.exists();
        }
        if file.loose.contains(name) || self.is_spelt(file, self.text, name) {
            return self.found.unknown("syntax error");
        }
        if self.is_declaring_for_all() || elsewhere::is_ambient(self.session, name, self.path) {
            return self.found.unknown("ambient declaration");
        }
        if words::contains(self.text, &format!("typeof {name}")) {
            return self.found.unknown("guarded name");
        }
        // What the module has for which it declares more is in scope there.
        let is_added = || memchr::memmem::find(self.text, b"declare module").is_some();
        if kind == Kind::Class && is_added() {
            return self.found.unknown(ADDED);
        }
        // A declaration that the grammar does not know.
        if words::contains(self.text, &format!("using {name}")) {
            return self.found.unknown("syntax error");
        }
        let names = file.declared.iter().map(|name| &**name);
        self.found.missing(name, kind, offset, names.chain(misspelt(name, globals())));
    }

    fn class_member(&mut self, class: &str, member: &str, offset: usize, is_static: bool) {
        let Some((path, file, number)) = self.class(self.path, self.file, class, STEPS) else {
            return self.found.unknown("type not plain");
        };
        let holder = file.as_deref().unwrap_or(self.file);
        let facts: &Class = &holder.classes[number];
        // A namespace of its name adds nothing that the file of the class does not declare.
        let is_told =
            facts.is_value && !holder.values.contains_key(class) && !facts.members.is_empty();
        // What an enum stands for is a number or a text.
        if is_static && !is_told || !is_static && facts.is_enum {
            return self.found.unknown("type not plain");
        }
        let answer = self.search(holder, &path, facts, member, STEPS);
        self.member(answer, facts, member, offset);
    }

    /// A class by the name that it has in a file: its path, its file when it is another, its number.
    fn class(
        &self,
        path: &str,
        file: &ScriptFile,
        name: &str,
        steps: usize,
    ) -> Option<(String, Option<Arc<ScriptFile>>, usize)> {
        let is_own = file.class_names.contains_key(name);
        // A class that is imported and declared is one of a package, and added to.
        if steps == 0 || is_own && file.imports.contains_key(name) {
            return None;
        }
        if let Some(number) = built_in::number(name) {
            return Some((path.to_owned(), Some(Arc::clone(own_classes())), number));
        }
        if let Some(number) = file.class_names.get(name) {
            return Some((path.to_owned(), None, *number));
        }
        if let Some(import) = file.imports.get(name) {
            return self.imported_class(path, import, steps - 1);
        }
        if let Some((root, inner)) = name.split_once('.') {
            let import = file.imports.get(root).filter(|import| is_namespace(import))?;
            let import = Import { source: import.source.clone(), name: inner.into() };
            return self.imported_class(path, &import, steps - 1);
        }
        let own = own_classes();
        let number = own.class_names.get(name).filter(|_| !file.declared.contains(name))?;
        Some((path.to_owned(), Some(Arc::clone(own)), *number))
    }

    fn imported_class(
        &self,
        from: &str,
        import: &Import,
        steps: usize,
    ) -> Option<(String, Option<Arc<ScriptFile>>, usize)> {
        if steps == 0 {
            return None;
        }
        let loaded = self.load(from, &import.source);
        if loaded.as_ref().map_or(true, |(path, _)| installed::is_of_package(path))
            && let Some(number) = base_classes::number(import)
        {
            return Some((from.to_owned(), Some(Arc::clone(base_classes::all())), number));
        }
        let (path, file) = loaded.ok()?;
        let of_whole = || file.exports.get(WHOLE).filter(|_| &*import.name == "default");
        if let Some(inner) = file.exports.get(&import.name).or_else(of_whole) {
            let (place, other, number) = self.class(&path, &file, inner, steps - 1)?;
            return Some((place, other.or(Some(file)), number));
        }
        if let Some(import) = file.reexports.get(&import.name) {
            return self.imported_class(&path, import, steps - 1);
        }
        file.stars.iter().find_map(|star| {
            let import = Import { source: star.clone(), name: import.name.clone() };
            self.imported_class(&path, &import, steps - 1)
        })
    }

    fn search(
        &self,
        file: &ScriptFile,
        path: &str,
        class: &Class,
        member: &str,
        steps: usize,
    ) -> Member {
        if steps == 0 {
            return Member::Unknown("too many steps");
        }
        if class.members.contains(member) || OF_OBJECTS.contains(&member) {
            return Member::Exists;
        }
        // A namespace of its name gives what static members see through `this`.
        // One without a class or interface of its name may stand beside any type.
        let is_alone = !class.is_value && class.members.is_empty() && class.bases.is_empty();
        let is_merged = class.is_merged && (is_alone || file.declared.contains(member));
        let mut unknown = class.open.or(is_merged.then_some("namespace"));
        for base in &class.bases {
            let Some((place, other, number)) = self.class(path, file, base, STEPS) else {
                unknown = Some(BASE);
                continue;
            };
            let holder = other.as_deref().unwrap_or(file);
            let base = &holder.classes[number];
            if std::ptr::eq(base, class) {
                unknown = Some(BASE);
                continue;
            }
            if !class.is_value
                && std::ptr::eq(holder, own_classes().as_ref())
                && !std::ptr::eq(file, holder)
            {
                unknown = Some("interface over a class of the language");
                continue;
            }
            match self.search(holder, &place, base, member, steps - 1) {
                Member::Exists => return Member::Exists,
                Member::Unknown(reason) => unknown = Some(reason),
                Member::Missing => {}
            }
        }
        if file.stored.contains(member) || file.loose.contains(member) {
            unknown = Some("member set from outside");
        }
        let is_built_in = std::ptr::eq(file, &**own_classes());
        let is_of_table = base_classes::is_table(file);
        let is_inner = is_of_table && member.starts_with('_');
        if is_inner || (is_built_in || is_of_table) && self.is_added_elsewhere(member) {
            unknown = Some(ADDED);
        }
        // Interfaces of packages are there to be added to, and classes are at times.
        let is_shared = installed::is_of_package(path) && !is_built_in;
        if is_shared && (!class.is_value || self.is_elsewhere(member)) {
            unknown = Some(ADDED);
        }
        unknown.map_or(Member::Missing, Member::Unknown)
    }

    fn member(&mut self, answer: Member, class: &Class, member: &str, offset: usize) {
        match answer {
            Member::Exists => self.found.exists(),
            Member::Unknown(BASE | ADDED) if self.is_not_inherited(class, member) => {
                self.found.missing(member, Kind::Member, offset, []);
            }
            Member::Unknown(reason @ (BASE | NO_NAME)) => {
                self.found.doubtful(member, Kind::Member, offset, reason);
            }
            Member::Unknown(reason) => self.found.unknown(reason),
            Member::Missing if self.file.stored.contains(member) => {
                self.found.unknown("member set from outside")
            }
            // A class of JavaScript cannot declare what only those that extend it define.
            Member::Missing if !self.is_typed() && self.is_given_elsewhere(class, member) => {
                self.found.unknown("name that other files spell")
            }
            Member::Missing => {
                let names = class.members.iter().map(|name| &**name);
                self.found.missing(member, Kind::Member, offset, names);
            }
        }
    }
}
