//! C and C++: includes, and whether any text in reach spells a name.
//!
//! The preprocessor makes exact scopes a matter of each build, so a name counts
//! as there when the file, a header in reach, the libraries or any other file
//! of the workspace spells it. What is left is missing, unless a header of a
//! package that is not installed may hold it.

mod facts;
mod headers;
mod library;
mod second_look;

use std::collections::HashMap;
use std::sync::Arc;

use self::facts::{CFile, Include, Name, Reference, Role};
use self::headers::{Found, Reached};
use super::collector::{Collector, Kind};
use super::session::{Place, Session};
use crate::syntax::LanguageId;

/// Words that the grammar takes for names.
const WORDS: &str = "sizeof alignof defined typeof decltype static_assert offsetof va_arg asm \
noexcept typeid co_await co_yield not and or xor bitand bitor compl not_eq and_eq or_eq xor_eq \
override final import module requires concept consteval constinit char8_t nullptr auto";

/// The answers about one file; `None` when it cannot be parsed.
pub(crate) fn check(
    session: &Session<'_>,
    language: LanguageId,
    path: &str,
    text: &[u8],
) -> Option<Collector> {
    let facts =
        session.index.facts(language.name(), text, || facts::read(language, text).map(Arc::new));
    let file = facts.as_ref().clone()?;
    let reached = headers::reach(session, path, text);
    let mut checker = Checker {
        session,
        path,
        file: &file,
        reached,
        found: Collector::default(),
        known: HashMap::new(),
    };
    for include in &file.includes {
        checker.include(include);
    }
    for reference in &file.references {
        checker.reference(reference);
    }
    Some(checker.found)
}

/// Whether a name is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Answer {
    Exists,
    Unknown(&'static str),
    /// No text in reach spells it.
    Unspelt,
}

struct Checker<'a> {
    session: &'a Session<'a>,
    path: &'a str,
    file: &'a CFile,
    reached: Reached,
    found: Collector,
    known: HashMap<Name, Answer>,
}

impl Checker<'_> {
    fn include(&mut self, include: &Include) {
        let from = Place::workspace(self.path);
        match headers::find(self.session, &from, &include.path, include.is_system) {
            Found::File(_) | Found::Library => return self.found.exists(),
            Found::Nowhere => {}
        }
        if include.is_conditional {
            return self.found.unknown("conditional include");
        }
        if second_look::is_mentioned(self.session, include, self.path) {
            return self.found.unknown("header that is not there");
        }
        let kind = if include.is_system { Kind::Package } else { Kind::Module };
        let others = self.file.includes.iter().map(|include| &*include.path);
        let others: Vec<&str> = others.filter(|path| *path != &*include.path).collect();
        self.found.missing(&include.path, kind, include.offset, others);
    }

    fn reference(&mut self, reference: &Reference) {
        match self.answer(&reference.name) {
            Answer::Exists => self.found.exists(),
            Answer::Unknown(reason) => self.found.unknown(reason),
            Answer::Unspelt => match self.doubt(reference) {
                Some(reason) => self.found.unknown(reason),
                None => self.miss(reference),
            },
        }
    }

    fn answer(&mut self, name: &Name) -> Answer {
        if let Some(known) = self.known.get(name) {
            return *known;
        }
        let answer = self.search(name);
        self.known.insert(name.clone(), answer);
        answer
    }

    fn search(&self, name: &str) -> Answer {
        let is_there = self.file.declared.contains(name)
            || library::has(name)
            || library::is_of_tests(name)
            || self.reached.in_workspace(name)
            || self.reached.in_packages(name)
            || WORDS.split_whitespace().any(|word| word == name);
        if is_there {
            return Answer::Exists;
        }
        if name.starts_with('_') {
            return Answer::Unknown("name of the compiler");
        }
        if self.has_tests() && !name.contains(|c: char| c.is_ascii_lowercase()) {
            return Answer::Unknown("macro of a test library");
        }
        if second_look::is_spelt(self.session, name, self.path) {
            return Answer::Unknown("spelt elsewhere");
        }
        Answer::Unspelt
    }

    /// Whether the name of the file says that it is for one system only.
    fn is_named_after_a_system(&self) -> bool {
        let name = self.path.rsplit('/').next().unwrap_or_default().to_lowercase();
        ["win", "mac", "osx", "bsd", "solaris", "haiku", "amiga"]
            .iter()
            .any(|word| name.contains(word))
    }

    fn has_tests(&self) -> bool {
        const FOLDERS: [&str; 3] = ["gtest/", "gmock/", "benchmark/"];
        let is_one =
            |include: &Include| FOLDERS.iter().any(|folder| include.path.starts_with(folder));
        self.file.includes.iter().any(is_one)
    }

    /// Why a name that nothing spells may still be there.
    fn doubt(&self, reference: &Reference) -> Option<&'static str> {
        let is_for_one_system = self.reached.has_conditional_gaps && self.is_named_after_a_system();
        if !self.reached.has_gaps && !reference.is_conditional && !is_for_one_system {
            return None;
        }
        let is_own = match &reference.role {
            Role::Scoped(scope) => &**scope == "std" || self.is_own_type(scope),
            Role::Member(receiver) => receiver.as_deref().is_some_and(|name| self.is_own(name)),
            Role::Call | Role::Type => self.has_own_prefix(&reference.name),
        };
        let reason =
            if self.reached.has_gaps { "header that is not installed" } else { "conditional code" };
        (!is_own).then_some(reason)
    }

    /// Whether a variable has a type of the workspace.
    fn is_own(&self, variable: &str) -> bool {
        if variable == "this" {
            return true;
        }
        let of = self.file.variables.get(variable).and_then(Option::as_deref);
        of.is_some_and(|of| self.is_own_type(of))
    }

    fn is_own_type(&self, name: &str) -> bool {
        let is_here = self.file.types.contains(name) || self.reached.in_workspace(name);
        is_here && !self.reached.in_packages(name) && !library::has(name)
    }

    /// Whether functions of this file, or names of its headers, start with the same word.
    fn has_own_prefix(&self, name: &str) -> bool {
        let Some((prefix, _)) = name.split_once('_') else { return false };
        let is_same =
            |other: &Name| other.strip_prefix(prefix).is_some_and(|rest| rest.starts_with('_'));
        let mut others = self.file.references.iter().map(|other| &other.name);
        prefix.len() > 1
            && (self.file.functions.iter().any(is_same)
                || others.any(|other| is_same(other) && self.reached.in_workspace(other)))
    }

    fn miss(&mut self, reference: &Reference) {
        let kind = match reference.role {
            Role::Call => Kind::Call,
            Role::Type => Kind::Class,
            Role::Member(_) => Kind::Member,
            Role::Scoped(_) => Kind::Attribute,
        };
        let file = self.file;
        let names = file.declared.iter().chain(file.references.iter().map(|other| &other.name));
        let names = names.map(|name| &**name).filter(|name| *name != &*reference.name);
        self.found.missing(&reference.name, kind, reference.offset, names);
    }
}
