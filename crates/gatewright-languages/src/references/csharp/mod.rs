//! The references of C# files.
//!
//! [`scan`] reads what every file of the workspace declares, [`project`] keeps
//! it, [`walk`] reads what the changed file uses, [`framework`] knows what comes
//! with .NET. A name is missing when all places where it could be declared are
//! known. [`packages`] reads those that are installed; a file that uses another is open to its names.

mod arguments;
mod assembly;
mod branches;
mod facts;
mod framework;
mod heads;
mod lex;
mod manifests;
mod members;
mod packages;
mod project;
mod scan;
mod tables;
mod usings;
mod walk;

use std::ops::Range;
use std::sync::Arc;

use self::facts::{Declared, Name, Target, Type, Used, Using};
use self::framework::Framework;
use self::members::{Answer, BARE, BASE, PARTIAL};
use self::project::View;
use super::collector::{Collector, Kind, Missing};
use super::session::Session;
use super::survey::OneFile;

/// Takes of a file what every question about the workspace will need.
pub(super) fn take_ahead(one: &OneFile<'_>) {
    one.kept(scan::declared);
}

/// Why a member cannot be told of a type whose package is not installed.
const NOT_INSTALLED: &str = "type that is not installed";

/// How many names of one file are searched for in the whole workspace.
const SEARCHED: usize = 60;

/// The answers about one file; `None` when it cannot be told.
pub(crate) fn check(session: &Session<'_>, path: &str, text: &[u8]) -> Option<Collector> {
    let used = session.checked_facts("csharp used", text, || walk::read(text).map(Arc::new));
    let used = used.as_ref().clone()?;
    let view = View::new(session, path, text, false)?;
    let found = Checker::new(session, view, text, &used).run();
    if found.missing.is_empty() {
        return Some(found);
    }
    let view = View::new(session, path, text, true)?;
    let mut found = Checker::new(session, view, text, &used).run();
    if clear_named(session, path, &mut found) {
        // A namespace that is there after all may have any type.
        let view = View::new(session, path, text, false)?;
        found = Checker::new(session, view, text, &used).opened().run();
        clear_named(session, path, &mut found);
    }
    clear_conditional(text, session.before(path).is_none(), &mut found);
    Some(found)
}

/// What another file of the workspace names is made by a tool or comes from a package.
///
/// Whether a namespace is among it.
fn clear_named(session: &Session<'_>, path: &str, found: &mut Collector) -> bool {
    let name_of = |missing: &Missing| name_to_search(missing).to_owned();
    let mut names: Vec<String> = found.missing.iter().map(name_of).collect();
    names.sort();
    names.dedup();
    names.truncate(SEARCHED);
    project::named_elsewhere(session, path, &mut names);
    let (missing, named): (Vec<Missing>, Vec<Missing>) =
        found.missing.drain(..).partition(|missing| names.contains(&name_of(missing)));
    found.missing = missing;
    *found.unknown.entry("named elsewhere in the workspace").or_default() += named.len() as u64;
    named.iter().any(|missing| matches!(missing.kind, Kind::Module | Kind::Package))
}

/// What is searched for in other files: of a package its root, of which they may use other parts.
fn name_to_search(missing: &Missing) -> &str {
    match missing.kind {
        Kind::Package => missing.name.split('.').next().unwrap_or_default(),
        _ => &missing.name,
    }
}

/// What stands under a condition is written for builds that may not be this one.
///
/// A new file that stands under one as a whole has no other witness: where all of it is known but
/// one name, that one is missing.
fn clear_conditional(text: &[u8], is_new: bool, found: &mut Collector) {
    let conditions = branches::conditions(text);
    let is_certain = |at: usize| !conditions.iter().any(|range| range.contains(&at));
    let (certain, other): (Vec<Missing>, Vec<Missing>) =
        found.missing.drain(..).partition(|missing| is_certain(missing.offset));
    found.missing = certain;
    let is_whole = branches::is_all_under_one(text, &conditions);
    let is_one = other.windows(2).all(|pair| pair[0].name == pair[1].name);
    for missing in other {
        if is_new && is_whole && is_one {
            found.missing.push(missing);
        } else {
            found.doubtful(&missing.name, missing.kind, missing.offset, "code under a condition");
        }
    }
}

struct Checker<'a> {
    view: View,
    file: Arc<Declared>,
    used: &'a Used,
    found: Collector,
    /// Why types may come from where nobody can look.
    open: Option<&'static str>,
    /// What stands under conditions of the preprocessor.
    conditions: Vec<Range<usize>>,
}

impl<'a> Checker<'a> {
    fn new(session: &Session<'_>, view: View, text: &[u8], used: &'a Used) -> Self {
        let file = session.index.facts("csharp declared", text, || scan::declared(text));
        let conditions = branches::conditions(text);
        let found = Collector::default();
        let mut checker = Self { view, file, used, found, open: None, conditions };
        checker.open = checker.openness();
        checker
    }

    /// The same for a file that uses a namespace of which nobody knows the types.
    fn opened(self) -> Self {
        Self { open: self.open.or(Some("namespace of a package")), ..self }
    }

    fn run(mut self) -> Collector {
        let file = Arc::clone(&self.file);
        for using in &file.usings {
            self.using(using);
        }
        for reference in &self.used.references {
            self.reference(&reference.target, reference.offset);
        }
        self.found
    }

    /// Why the file is open to types of packages; `None` when it is not.
    fn openness(&self) -> Option<&'static str> {
        let is_certain = |at: usize| !self.conditions.iter().any(|range| range.contains(&at));
        let own = self.file.usings.iter().filter(|using| using.alias.is_none() && !using.is_static);
        let own = own.filter(|using| is_certain(using.offset));
        let all = own.map(|using| &*using.name).chain(self.view.global_usings());
        for namespace in all {
            let is_known = self.view.has_namespace(namespace)
                || project::is_closed_framework(namespace)
                || self.is_installed(namespace)
                || self.namespace(namespace) == Answer::Missing;
            if !is_known {
                return Some("namespace of a package");
            }
            if self.view.is_shared(namespace) {
                return Some("namespace shared with a package");
            }
        }
        for namespace in &self.file.namespaces {
            let ends = namespace.match_indices('.').map(|(index, _)| index);
            if ends.chain([namespace.len()]).any(|end| self.view.is_shared(&namespace[..end])) {
                return Some("namespace shared with a package");
            }
        }
        None
    }

    /// Whether the file has a namespace of .NET in use.
    fn uses(&self, namespace: &str) -> bool {
        self.file.usings.iter().any(|using| &*using.name == namespace)
            || self.view.global_usings().any(|using| using == namespace)
            || self.file.namespaces.iter().any(|own| own.starts_with(namespace))
    }

    fn has_namespace(&self, name: &str) -> bool {
        self.view.has_namespace(name)
            || Framework::get().namespaces.contains(name)
            || self.view.packages().has_namespace(name)
    }

    /// Whether a namespace is one of installed packages, and of no other.
    fn is_installed(&self, namespace: &str) -> bool {
        self.view.packages().has_namespace(namespace) && !self.view.is_declared_package(namespace)
    }

    /// Names that are near enough to be meant.
    fn type_names(&self) -> Vec<String> {
        let all = self.view.type_names().chain(self.view.packages().type_names());
        all.map(str::to_owned).collect()
    }

    fn is_type(&self, name: &str) -> bool {
        self.is_declared_type(name) || self.alias(name).is_some()
    }

    /// Whether a name is that of a type itself, and not only an alias.
    fn is_declared_type(&self, name: &str) -> bool {
        !self.view.types(name).is_empty()
            || !Framework::get().types(name).is_empty()
            || self.view.packages().has_type(name)
    }

    /// What an alias of the file stands for.
    fn alias(&self, name: &str) -> Option<&str> {
        let is = |using: &&Using| using.alias.as_deref() == Some(name);
        self.file.usings.iter().find(is).map(|using| last(&using.name))
    }

    fn reference(&mut self, target: &Target, offset: usize) {
        match target {
            Target::Type { name, is_attribute } => self.type_name(name, *is_attribute, offset),
            Target::Qualified { path, is_attribute } => self.qualified(path, *is_attribute, offset),
            Target::Call(name) => self.call(name, offset),
            Target::This(member) => self.this_member(member, offset),
            Target::Member { root, member, scope, root_offset } => {
                self.root_member(root, member, *scope, (*root_offset, offset));
            }
            Target::Field { field, member } => match self.field_class(field, offset) {
                Some(Some(class)) => self.class_member(&class, member, offset),
                _ => self.found.unknown("type not plain"),
            },
            Target::Chain { root, field, member, scope } => {
                match self.chain_class(root, field, *scope, offset) {
                    Some(class) => self.class_member(&class, member, offset),
                    None => self.found.unknown("type not plain"),
                }
            }
            Target::Of { class, member } => self.class_member(class, member, offset),
            Target::Argument { of, name } => self.argument(of, name, offset),
        }
    }

    fn type_name(&mut self, name: &str, is_attribute: bool, offset: usize) {
        let known = self.is_type(name)
            || self.used.declared.contains(name)
            || is_attribute && self.is_type(&format!("{name}Attribute"));
        if known {
            return self.found.exists();
        }
        if let Some(reason) = self.open.or_else(|| self.open_base(offset)) {
            return self.found.doubtful(name, Kind::Class, offset, reason);
        }
        let names = self.type_names();
        self.found.missing(name, Kind::Class, offset, names.iter().map(String::as_str));
    }

    /// Why a type around a place may have inherited types.
    fn open_base(&self, offset: usize) -> Option<&'static str> {
        let around = self.around(offset);
        around.iter().find_map(|class| match self.search(&class.name, " ") {
            Answer::Unknown(reason) => Some(reason),
            _ => None,
        })
    }

    fn qualified(&mut self, path: &str, is_attribute: bool, offset: usize) {
        let name = last(path);
        let root = path.split('.').next().unwrap_or(path);
        let has_root = self.has_namespace(root)
            || self.is_type(root)
            || self.is_part_of_namespace(root)
            || self.used.declared.contains(root);
        if !has_root && self.open.is_none() && self.open_base(offset).is_none() {
            return self.found.missing(root, Kind::Class, offset, []);
        }
        if self.is_type(name)
            || is_attribute && self.is_type(&format!("{name}Attribute"))
            || self.has_namespace(path)
        {
            return self.found.exists();
        }
        let container = path.rsplit_once('.').map_or("", |(container, _)| container);
        let is_closed = self.is_closed(container);
        if !is_closed && self.view.types(last(container)).is_empty() {
            return self.found.unknown("type of a package");
        }
        if !is_closed
            && matches!(self.search(last(container), name), Answer::Exists | Answer::Unknown(_))
        {
            return self.found.unknown("type of a package");
        }
        let names = self.type_names();
        self.found.missing(name, Kind::Class, offset, names.iter().map(String::as_str));
    }

    /// The types around a place, innermost first.
    fn around(&self, offset: usize) -> Vec<&Type> {
        let mut around: Vec<&Type> = self
            .file
            .types
            .iter()
            .filter(|class| class.start <= offset && offset < class.end && !class.name.is_empty())
            .collect();
        around.sort_by_key(|class| std::cmp::Reverse(class.start));
        around
    }

    fn call(&mut self, name: &str, offset: usize) {
        if self.used.declared.contains(name) {
            return self.found.exists();
        }
        let around: Vec<Name> =
            self.around(offset).iter().map(|class| class.name.clone()).collect();
        if around.is_empty() {
            return self.found.unknown("call outside of a type");
        }
        let statics = self.file.usings.iter().filter(|using| using.is_static);
        let statics: Vec<Name> = statics.map(|using| last(&using.name).into()).collect();
        let has_global = self.view.global_usings().any(|using| self.is_type(last(using)));
        let mut unknown = has_global.then_some("static members in use everywhere");
        for class in around.iter().chain(&statics) {
            match self.search_bare(class, name) {
                Answer::Exists => return self.found.exists(),
                Answer::Unknown(reason) => unknown = Some(reason),
                Answer::Missing => {}
            }
        }
        match unknown {
            Some(reason @ (BASE | BARE | PARTIAL)) => {
                self.found.doubtful(name, Kind::Call, offset, reason);
            }
            Some(reason) => self.found.unknown(reason),
            None => self.miss(&around[0], name, Kind::Call, offset),
        }
    }

    /// Notes a missing member with the names that are near.
    fn miss(&mut self, class: &str, name: &str, kind: Kind, offset: usize) {
        let names = self.member_names(class);
        self.found.missing(name, kind, offset, names.iter().map(String::as_str));
    }

    fn this_member(&mut self, member: &str, offset: usize) {
        let Some(class) = self.around(offset).first().map(|class| class.name.clone()) else {
            return self.found.unknown("call outside of a type");
        };
        self.class_member(&class, member, offset);
    }

    fn class_member(&mut self, class: &str, member: &str, offset: usize) {
        if self.used.declared.contains(class) && self.view.types(class).is_empty() {
            return self.found.unknown("type parameter");
        }
        let class: Name = self.alias(class).unwrap_or(class).into();
        match self.search(&class, member) {
            Answer::Exists => self.found.exists(),
            Answer::Unknown(BASE) => {
                let reason = if self.is_type(&class) { BASE } else { NOT_INSTALLED };
                self.found.doubtful(member, Kind::Member, offset, reason);
            }
            Answer::Unknown(reason @ (BARE | PARTIAL)) => {
                self.found.doubtful(member, Kind::Member, offset, reason);
            }
            Answer::Unknown(reason) => self.found.unknown(reason),
            Answer::Missing => self.miss(&class, member, Kind::Member, offset),
        }
    }

    /// The plain type of a field or property around a place; `None` when there is no such member.
    fn field_class(&self, name: &str, offset: usize) -> Option<Option<Name>> {
        self.around(offset).iter().find_map(|class| self.member_class(&class.name, name))
    }

    /// The plain type of a field or property of a value.
    fn chain_class(&self, root: &str, field: &str, scope: usize, offset: usize) -> Option<Name> {
        if let Some(class) = self.class_in(root, field, offset) {
            return Some(class);
        }
        let value = self.used.values.get(&(scope, root.into())).cloned();
        let class = match value.or_else(|| self.field_class(root, offset)) {
            Some(class) => class?,
            None if self.used.declared.contains(root) || self.has_namespace(root) => return None,
            None if self.view.types(root).is_empty() => return None,
            None => root.into(),
        };
        let class: Name = self.alias(&class).unwrap_or(&class).into();
        self.member_class(&class, field)?
    }

    /// The type of .NET that a whole name spells out (`System.Math`).
    fn class_in(&self, namespace: &str, name: &str, offset: usize) -> Option<Name> {
        let first = namespace.split('.').next().unwrap_or(namespace);
        let is_other = self.used.declared.contains(first)
            || self.is_type(first)
            || self.is_part_of_namespace(first)
            || self.field_class(first, offset).is_some();
        let mut types = Framework::get().types(name).iter();
        let is_there = project::is_closed_framework(namespace)
            && types.any(|known| *known.namespace == *namespace && known.members.is_some());
        (is_there && !is_other).then(|| name.into())
    }

    fn root_member(&mut self, root: &str, member: &str, scope: usize, offsets: (usize, usize)) {
        let offset = offsets.1;
        let value = self.used.values.get(&(scope, root.into())).cloned();
        // Inside of a class its name stands for itself, not for its constructor.
        let is_around = self.around(offset).iter().any(|class| *class.name == *root);
        let field = || self.field_class(root, offset).filter(|it| it.is_some() || !is_around);
        if let Some(value) = value.or_else(field) {
            return match value {
                Some(class) => self.class_member(&class, member, offset),
                None => self.found.unknown("type not plain"),
            };
        }
        if self.used.declared.contains(root) {
            return self.found.unknown("type not plain");
        }
        if self.is_type(root) {
            let is_inherited = self.open_base(offset).is_some();
            if is_inherited && self.view.types(root).is_empty() {
                // The base may have a member of that name.
                return match self.search(root, member) {
                    Answer::Exists => self.found.exists(),
                    Answer::Missing => {
                        self.found.doubtful(member, Kind::Member, offset, BASE);
                    }
                    Answer::Unknown(reason) => self.found.unknown(reason),
                };
            }
            if self.has_namespace(root) {
                return self.found.unknown("type and namespace of one name");
            }
            return self.class_member(root, member, offset);
        }
        if self.has_namespace(root) || self.is_part_of_namespace(root) {
            return self.part_of_namespace(root, member, offset);
        }
        if let Some(reason) = self.open.or_else(|| self.open_base(offset)) {
            return match root.starts_with(char::is_uppercase) {
                true => self.found.doubtful(member, Kind::Member, offset, NOT_INSTALLED),
                false => self.found.unknown(reason),
            };
        }
        if !root.starts_with(char::is_uppercase) {
            return self.found.unknown("name that is no type");
        }
        let names = self.type_names();
        self.found.missing(root, Kind::Class, offsets.0, names.iter().map(String::as_str));
    }

    /// What stands behind a namespace: another one, or a type.
    fn part_of_namespace(&mut self, namespace: &str, name: &str, offset: usize) {
        let is_known = self.is_part_of_namespace(namespace)
            || self.is_type(name)
            || self.used.declared.contains(name)
            || !project::is_closed_framework(namespace)
            || self.open_base(offset).is_some();
        match self.namespace(&format!("{namespace}.{name}")) {
            _ if is_known => self.found.exists(),
            Answer::Exists => self.found.exists(),
            Answer::Unknown(reason) => self.found.doubtful(name, Kind::Class, offset, reason),
            Answer::Missing => {
                let names = self.type_names();
                self.found.missing(name, Kind::Class, offset, names.iter().map(String::as_str));
            }
        }
    }

    /// Whether all types of a namespace are known.
    fn is_closed(&self, namespace: &str) -> bool {
        self.view.has_namespace(namespace) && !self.view.is_shared(namespace)
            || project::is_closed_framework(namespace)
            || self.is_installed(namespace)
    }

    /// Whether a name is a namespace below one that is in use.
    fn is_part_of_namespace(&self, name: &str) -> bool {
        self.file.namespaces.iter().any(|namespace| {
            let ends = namespace.match_indices('.').map(|(index, _)| index);
            let mut all = ends.chain([namespace.len()]);
            all.any(|end| self.has_namespace(&format!("{}.{name}", &namespace[..end])))
        })
    }
}

fn last(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or(path)
}
