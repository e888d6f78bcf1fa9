//! Members of types by their simple name, through all their bases.

use std::collections::BTreeSet;

use super::Checker;
use super::facts::Name;
use super::framework::{Framework, Known};
use super::walk::predefined;

/// What every object has.
const OF_OBJECTS: [&str; 13] = [
    "Equals",
    "GetHashCode",
    "ToString",
    "GetType",
    "ReferenceEquals",
    "MemberwiseClone",
    "Finalize",
    // What a value that may be none has.
    "Value",
    "HasValue",
    "GetValueOrDefault",
    "Invoke",
    "BeginInvoke",
    "EndInvoke",
];

/// Bases inside of .NET that have nothing of their own, where the table holds only their names.
const EMPTY: [&str; 1] = ["CriticalFinalizerObject"];

/// Why members of a type cannot be told whose base is in no file of the workspace.
pub(super) const BASE: &str = "base that cannot be resolved";

/// Why members of a type cannot be told of which only the name is known.
pub(super) const BARE: &str = "type whose members are not known";

/// Why members of a type cannot be told of which a tool may write another part.
pub(super) const PARTIAL: &str = "partial type with one part";

/// A type whose members are searched, by its simple name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Searched {
    name: String,
    /// Whether .NET itself names it, so that no package can be meant.
    is_framework: bool,
}

impl Searched {
    fn new(name: &str, is_framework: bool) -> Self {
        Self { name: name.to_owned(), is_framework }
    }
}

/// The answer to the search of a member.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Answer {
    Exists,
    Missing,
    Unknown(&'static str),
}

impl Checker<'_> {
    /// Whether the type of a name has a member.
    pub(super) fn search(&self, class: &str, member: &str) -> Answer {
        self.search_in(class, member, self.open.is_none())
    }

    /// The same of a name that stands alone, for which nothing extends the type.
    pub(super) fn search_bare(&self, class: &str, member: &str) -> Answer {
        self.search_in(class, member, true)
    }

    /// With `is_closed` a class has all members of its interfaces itself: no package extends those.
    fn search_in(&self, class: &str, member: &str, is_closed: bool) -> Answer {
        if OF_OBJECTS.contains(&member) || self.is_extension(member) {
            return Answer::Exists;
        }
        let mut seen = BTreeSet::new();
        let mut waiting = vec![Searched::new(class, false)];
        let mut unknown = None;
        while let Some(class) = waiting.pop() {
            if !seen.insert(class.clone()) {
                continue;
            }
            let from = waiting.len();
            let found = self.direct(&class, member, &mut waiting);
            if is_closed && !is_interface(&class.name) {
                let bases = waiting.split_off(from);
                waiting.extend(bases.into_iter().filter(|base| !is_plain_interface(&base.name)));
            }
            match found {
                Answer::Exists => return Answer::Exists,
                Answer::Unknown(reason) => unknown = Some(reason),
                Answer::Missing => {}
            }
        }
        unknown.map_or(Answer::Missing, Answer::Unknown)
    }

    fn is_extension(&self, member: &str) -> bool {
        Framework::get().extensions.contains(member)
            || self.view.is_extension(member)
            || self.view.packages().is_extension(member)
    }

    /// The types of .NET that a name can mean here.
    ///
    /// Namesakes whose members are not known count only when their namespace is in use.
    fn known(&self, class: &str) -> Vec<&'static Known> {
        let all = Framework::get().types(class);
        let is_full = all.iter().any(|known| known.members.is_some());
        let counts =
            |known: &&Known| known.members.is_some() || !is_full || self.uses(known.namespace);
        all.iter().filter(counts).collect()
    }

    /// Whether a type itself has a member; its bases are added to `waiting`.
    fn direct(&self, class: &Searched, member: &str, waiting: &mut Vec<Searched>) -> Answer {
        let is_framework = class.is_framework;
        let class = predefined(&class.name).unwrap_or(&class.name);
        let class = self.alias(class).unwrap_or(class);
        let own = self.view.types(class);
        let known = self.known(class);
        let installed = self.view.packages().types(class);
        // A package that is not installed may have a type of the same name.
        let is_meant = |known: &&Known| known.namespace == "System" || self.uses(known.namespace);
        let is_known = is_framework || self.open.is_none() || known.iter().any(is_meant);
        if own.is_empty() && installed.is_empty() && (known.is_empty() || !is_known) {
            return Answer::Unknown(BASE);
        }
        let mut unknown = None;
        for found in &own {
            if found.members.contains_key(member) {
                return Answer::Exists;
            }
            waiting.extend(found.bases.iter().map(|base| Searched::new(base, false)));
            // Tools write the other part of a class, hardly that of an interface.
            let parts = own.iter().filter(|class| class.outer == found.outer).count();
            if found.is_partial && parts < 2 && !is_interface(class) {
                unknown = Some(PARTIAL);
            }
        }
        for found in known {
            // A class has the members of its interfaces itself.
            let is_class = !is_interface(class);
            let bases = found.bases.iter().filter(|base| !(is_class && is_interface(base)));
            waiting.extend(bases.map(|base| Searched::new(base, true)));
            match &found.members {
                Some(members) if members.contains(member) => return Answer::Exists,
                Some(_) => {}
                None if own.is_empty() && !EMPTY.contains(&class) => unknown = Some(BARE),
                None => {}
            }
        }
        for found in installed {
            waiting.extend(found.bases.iter().map(|base| Searched::new(base, false)));
            match &found.members {
                Some(members) if members.contains(member) => return Answer::Exists,
                Some(_) => {}
                None => unknown = Some(BARE),
            }
        }
        unknown.map_or(Answer::Missing, Answer::Unknown)
    }

    /// The plain type of a member; `None` when there is no such member.
    pub(super) fn member_class(&self, class: &str, name: &str) -> Option<Option<Name>> {
        let mut waiting = vec![class.to_owned()];
        let mut seen = BTreeSet::new();
        let mut found: Option<Option<Name>> = None;
        while let Some(class) = waiting.pop() {
            if !seen.insert(class.clone()) {
                continue;
            }
            for declared in self.view.types(&class) {
                waiting.extend(declared.bases.iter().map(|base| base.to_string()));
                if let Some(plain) = declared.members.get(name) {
                    match &found {
                        Some(known) if known != plain => return Some(None),
                        _ => found = Some(plain.clone()),
                    }
                }
            }
            for known in self.known(&class) {
                waiting.extend(known.bases.iter().map(|base| (*base).to_owned()));
                if known.members.as_ref().is_some_and(|members| members.contains(name)) {
                    return Some(None);
                }
            }
            for offered in self.view.packages().types(&class) {
                waiting.extend(offered.bases.iter().map(|base| base.to_string()));
                if offered.members.as_ref().is_none_or(|members| members.contains(name)) {
                    return Some(None);
                }
            }
        }
        found
    }

    /// The names of all members of a type that are known.
    pub(super) fn member_names(&self, class: &str) -> BTreeSet<String> {
        let mut names = BTreeSet::new();
        let mut waiting = vec![class.to_owned()];
        let mut seen = BTreeSet::new();
        while let Some(class) = waiting.pop() {
            if !seen.insert(class.clone()) {
                continue;
            }
            for declared in self.view.types(&class) {
                waiting.extend(declared.bases.iter().map(|base| base.to_string()));
                names.extend(declared.members.keys().map(|name| name.to_string()));
            }
            for known in self.known(&class) {
                waiting.extend(known.bases.iter().map(|base| (*base).to_owned()));
                names.extend(known.members.iter().flatten().map(|name| (*name).to_owned()));
            }
            for offered in self.view.packages().types(&class) {
                waiting.extend(offered.bases.iter().map(|base| base.to_string()));
                names.extend(offered.members.iter().flatten().map(|name| name.to_string()));
            }
        }
        names
    }
}

/// Whether a name is spelt like that of an interface.
fn is_interface(name: &str) -> bool {
    let mut letters = name.chars();
    matches!(letters.next(), Some('I' | '_')) && letters.next().is_some_and(char::is_uppercase)
}

/// Whether a name is spelt like that of an interface and of nothing else: `IOException` is not.
fn is_plain_interface(name: &str) -> bool {
    let mut letters = name.chars();
    letters.next() == Some('I')
        && letters.next().is_some_and(char::is_uppercase)
        && letters.next().is_some_and(char::is_lowercase)
}
