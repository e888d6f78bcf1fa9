//! C and C++: includes, and whether any text in reach spells a name.
//!
//! The preprocessor makes exact scopes a matter of each build, so a name counts
//! as there when the file, a header in reach, the libraries or any other file
//! of the workspace spells it. What is left is missing, unless a header of a
//! package that is not installed may hold it.

mod built;
mod commands;
mod constants;
mod declarations;
mod doubt;
mod facts;
mod gaps;
mod headers;
mod library;
mod second_look;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use self::doubt::{Doubt, Doubtful, Jury, Old};
use self::facts::{CFile, Condition, Include, Name, Reference, Role};
use self::gaps::Gaps;
use self::headers::{Found, Reached};
use super::collector::{Collector, Kind};
use super::session::{Place, Session};
use crate::syntax::LanguageId;

/// Words that the grammar takes for names.
const WORDS: &str = "sizeof alignof defined typeof decltype static_assert offsetof va_arg asm \
noexcept typeid co_await co_yield not and or xor bitand bitor compl not_eq and_eq or_eq xor_eq \
override final import module requires concept consteval constinit char8_t nullptr auto";

/// First words of names that say nothing of where a name belongs.
const VERBS: &str = "add get set remove is has make init free new create delete find print read \
write open close parse do to from on put push pop insert erase clear start stop test check";

/// How many names of headers show that a first word is the workspace's own.
const FAMILY: usize = 2;

/// The answers about one file; `None` when it cannot be parsed.
pub(crate) fn check(
    session: &Session<'_>,
    language: LanguageId,
    path: &str,
    text: &[u8],
) -> Option<Collector> {
    let facts =
        session.checked_facts(language.name(), text, || facts::read(language, text).map(Arc::new));
    let file = facts.as_ref().clone()?;
    let reached = headers::reach(session, path, text);
    let gaps = Gaps::new(&reached, &file);
    let mut checker = Checker {
        session,
        path,
        file: &file,
        old: Old::of(session, language, path),
        reached,
        gaps,
        found: Collector::default(),
        known: HashMap::new(),
    };
    for include in &file.includes {
        checker.include(include);
    }
    let mut doubtful = Vec::new();
    for reference in &file.references {
        // A parser that lost its way takes the words of a text for names.
        if reference.offset.checked_sub(1).and_then(|at| text.get(at)) != Some(&b'"') {
            checker.reference(reference, &mut doubtful);
        }
    }
    checker.decide(&doubtful);
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
    old: Option<Old>,
    reached: Reached,
    gaps: Gaps,
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
        if built::is_built(self.session, &from, &include.path) {
            return self.found.unknown("header that a build makes");
        }
        if include.is_system && library::is_usual(&include.path) {
            return self.found.unknown("header that is not installed");
        }
        if let Some(reason) = self.include_doubt(include)
            && !self.is_first_gap(include)
        {
            return self.found.unknown(reason);
        }
        if second_look::is_mentioned(self.session, include, self.path) {
            return self.found.unknown("header that is not there");
        }
        if include.is_system && self.old.is_none() && self.is_one_of_several(include) {
            return self.found.unknown("header that is not installed");
        }
        let kind = if include.is_system { Kind::Package } else { Kind::Module };
        let others = self.file.includes.iter().map(|include| &*include.path);
        let others: Vec<&str> = others.filter(|path| *path != &*include.path).collect();
        self.found.missing(&include.path, kind, include.offset, others);
    }

    /// Whether a file includes more libraries that are not here than one: that is what it is for.
    fn is_one_of_several(&self, include: &Include) -> bool {
        let library = |path: &str| path.split('/').next().unwrap_or_default().to_owned();
        let own = library(&include.path);
        let mut others = self.file.includes.iter().filter(|other| library(&other.path) != own);
        !library::is_of_listed_folder(&include.path)
            && others.any(|other| self.is_foreign_library(other))
    }

    /// Whether every build includes this, of a library that is not here and hardly anyone has.
    fn is_foreign_library(&self, include: &Include) -> bool {
        let from = Place::workspace(self.path);
        // Of some folders all headers of all systems are known.
        let is_told = library::is_of_listed_folder(&include.path);
        include.is_system
            && include.condition == Condition::Always
            && !is_told
            && !library::is_usual(&include.path)
            && !built::is_built(self.session, &from, &include.path)
            && matches!(headers::find(self.session, &from, &include.path, true), Found::Nowhere)
            && !second_look::is_mentioned(self.session, include, self.path)
    }

    /// Why a header may be there for others than this machine.
    fn include_doubt(&self, include: &Include) -> Option<&'static str> {
        // Files for another system include more of its headers, none of them in a folder.
        let is_of_system =
            self.gaps.has_system && !include.path.contains('/') || self.is_named_after_a_system();
        match include.condition {
            Condition::System | Condition::Feature => Some("conditional include"),
            Condition::Always if include.is_system && is_of_system => {
                Some("header that is not installed")
            }
            Condition::Always => None,
        }
    }

    /// Whether a change adds this include to a file whose others were all found.
    fn is_first_gap(&self, include: &Include) -> bool {
        let from = Place::workspace(self.path);
        let is_found = |other: &Include| {
            let found = headers::find(self.session, &from, &other.path, other.is_system);
            !matches!(found, Found::Nowhere)
        };
        let Some(old) = &self.old else { return false };
        let mut others = self.file.includes.iter().filter(|other| other.path != include.path);
        !old.includes.contains(&include.path) && others.all(is_found)
    }

    fn reference<'r>(&mut self, reference: &'r Reference, doubtful: &mut Vec<Doubtful<'r>>) {
        match self.answer(&reference.name) {
            Answer::Exists => self.found.exists(),
            Answer::Unknown(reason) => self.found.unknown(reason),
            Answer::Unspelt => match self.doubt(reference) {
                Doubt::None => self.miss(reference),
                doubt => doubtful.push(Doubtful { reference, doubt }),
            },
        }
    }

    fn decide(&mut self, doubtful: &[Doubtful<'_>]) {
        let old = self.old.take();
        let spelt = self.found.unknown.get("spelt elsewhere").copied().unwrap_or_default();
        let jury = Jury::new(old.as_ref(), doubtful, spelt);
        for Doubtful { reference, doubt } in doubtful {
            match doubt {
                Doubt::None => self.miss(reference),
                Doubt::Kin => self.found.unknown("header that is not installed"),
                Doubt::Little if jury.is_alone(&reference.name) => self.miss(reference),
                Doubt::Little => self.found.unknown("header that is not installed"),
                Doubt::Much(_) if jury.is_first(&reference.name) => self.miss(reference),
                Doubt::Much("header that is not installed")
                    if jury.is_all() && reference.condition == Condition::Always =>
                {
                    self.miss(reference);
                }
                Doubt::Much(reason) => self.found.unknown(reason),
            }
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
        let is_made = |part: &Name| declarations::is_part(name, part);
        if self.file.handed.iter().any(is_made) || self.reached.may_make(name) {
            return Answer::Unknown("name that a macro makes");
        }
        let is_lost = self.session.is_lost(name);
        if !is_lost && second_look::was_spelt(self.session, name, self.path) {
            return Answer::Unknown("spelt elsewhere");
        }
        Answer::Unspelt
    }

    /// Whether the name of the file, or of its folder, says that it is for one system only.
    fn is_named_after_a_system(&self) -> bool {
        const FOLDERS: [&str; 11] = [
            "win", "win32", "w32", "windows", "mac", "macos", "darwin", "os2", "vms", "msdos",
            "amiga",
        ];
        const PARTS: [&str; 12] = [
            "win", "mac", "osx", "darwin", "bsd", "solaris", "sunos", "haiku", "amiga", "os390",
            "aix", "vms",
        ];
        // Ordinary words that begin like one.
        const WORDS: [&str; 5] = ["window", "rewind", "macro", "machine", "swing"];
        let path = self.path.to_lowercase().replace("windows", "win32");
        let path = WORDS.iter().fold(path, |path, word| path.replace(word, "_"));
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", &path));
        let is_of_one = |part: &str| {
            FOLDERS.contains(&part) || PARTS[2..].iter().any(|system| part.contains(system))
        };
        folder.split('/').any(is_of_one) || PARTS.iter().any(|part| name.contains(part))
    }

    fn includes_a_system(&self) -> bool {
        self.file.includes.iter().any(|include| library::is_elsewhere(&include.path))
    }

    fn has_tests(&self) -> bool {
        const FOLDERS: [&str; 3] = ["gtest/", "gmock/", "benchmark/"];
        let is_one =
            |include: &Include| FOLDERS.iter().any(|folder| include.path.starts_with(folder));
        self.file.includes.iter().any(is_one)
    }

    /// How likely a name that nothing spells is still there.
    fn doubt(&self, reference: &Reference) -> Doubt {
        let is_for_one_system =
            (self.gaps.has_any || self.includes_a_system()) && self.is_named_after_a_system();
        let name = &*reference.name;
        let condition = reference.condition;
        let is_own = match &reference.role {
            Role::Scoped(scope) => &**scope == "std" || self.is_own_type(scope),
            Role::Member(receiver) => receiver.as_deref().is_some_and(|name| self.is_own(name)),
            // Of what a field is cannot be told here; in code for one system it may be of that.
            Role::Below(root) => &**root == "this" && !is_for_one_system,
            Role::Call | Role::Type | Role::Tag | Role::Constant => false,
        };
        if is_own && (condition != Condition::System || !self.gaps.has_any) {
            return Doubt::None;
        }
        let is_free = !matches!(reference.role, Role::Member(_) | Role::Below(_) | Role::Scoped(_));
        let is_like_own = is_free && !self.is_like_a_foreign_one(name);
        if is_like_own && reference.role == Role::Call && self.is_of_own_family(name) {
            return Doubt::None;
        }
        if self.gaps.are_kin(name) {
            return Doubt::Kin;
        }
        if self.reached.lacks_kernel && reference.role != Role::Call {
            return Doubt::Much("header that is not installed");
        }
        if self.reached.is_whole() && condition == Condition::Always && !is_for_one_system {
            let is_sure = !self.gaps.has_any || !self.is_like_a_foreign_one(name);
            return if is_sure { Doubt::None } else { Doubt::Little };
        }
        let is_elsewhere = condition == Condition::System || is_for_one_system;
        if is_like_own && !is_elsewhere && self.has_own_prefix(name) {
            return Doubt::None;
        }
        let is_of_another = condition == Condition::System
            || condition == Condition::Feature && self.gaps.has_system_sometimes;
        if is_of_another || is_for_one_system {
            return Doubt::Much("conditional code");
        }
        let is_foreign = match &reference.role {
            Role::Scoped(_) => true,
            Role::Member(receiver) => receiver.as_deref().is_some_and(|name| self.is_foreign(name)),
            Role::Below(root) => self.is_foreign(root),
            _ => self.is_like_a_foreign_one(name),
        };
        if is_foreign || self.reached.is_cut || self.gaps.has_system {
            return Doubt::Much("header that is not installed");
        }
        Doubt::Little
    }

    /// Whether a variable has a type of the workspace, or of the libraries.
    fn is_own(&self, variable: &str) -> bool {
        let types = self.file.variables.get(variable);
        variable == "this"
            || types.is_some_and(|types| {
                let is_known = |of: &str| library::has(of) || self.is_own_type(of);
                types.iter().all(|of| of.as_deref().is_some_and(is_known))
            })
    }

    /// Whether a variable may have a type of a header that is not there.
    fn is_foreign(&self, variable: &str) -> bool {
        let Some(types) = self.file.variables.get(variable) else { return false };
        let mut plain = types.iter().flatten();
        plain.any(|of| !library::has(of) && !self.is_own_type(of))
    }

    /// Whether another name that no header in reach declares starts with the same word.
    fn is_like_a_foreign_one(&self, name: &str) -> bool {
        let Some(prefix) = gaps::prefix(name) else { return false };
        let is_foreign = |other: &Name| {
            &**other != name
                && gaps::prefix(other) == Some(prefix)
                && !self.file.declared.contains(other)
                && !self.reached.in_workspace(other)
                && !library::has(other)
        };
        self.file.references.iter().any(|other| is_foreign(&other.name))
    }

    fn is_own_type(&self, name: &str) -> bool {
        let is_here = self.file.types.contains(name) || self.reached.has_type(name);
        is_here
            && !self.reached.in_packages(name)
            && !library::has(name)
            && !self.gaps.are_kin(name)
    }

    /// Whether functions of this file, or names of its headers, start with the same word.
    fn has_own_prefix(&self, name: &str) -> bool {
        own_prefix(name).is_some_and(|prefix| {
            self.file.functions.iter().any(|other| has_prefix(other, prefix))
                || self.of_own_headers(prefix).next().is_some()
        })
    }

    /// Whether several names that the workspace's headers have, and no library, start like this.
    fn is_of_own_family(&self, name: &str) -> bool {
        own_prefix(name).is_some_and(|prefix| {
            let family: HashSet<&Name> =
                self.of_own_headers(prefix).filter(|other| !library::has(other)).collect();
            family.len() >= FAMILY
        })
    }

    /// The names with this first word that the file uses and headers of the workspace have.
    fn of_own_headers(&self, prefix: &str) -> impl Iterator<Item = &Name> {
        let names = self.file.references.iter().map(|other| &other.name);
        names.filter(move |name| has_prefix(name, prefix) && self.reached.in_workspace(name))
    }

    /// Whether what follows the first word of a name stands in a table of the workspace, of which a
    /// tool may make functions.
    fn is_row(&self, name: &str) -> bool {
        let Some((_, rest)) = name.split_once('_').filter(|(_, rest)| rest.contains('_')) else {
            return false;
        };
        second_look::is_in_table(self.session, rest, self.path)
    }

    fn miss(&mut self, reference: &Reference) {
        if second_look::is_spelt(self.session, &reference.name, self.path) {
            return self.found.unknown("spelt elsewhere");
        }
        if reference.role == Role::Call && self.is_row(&reference.name) {
            return self.found.unknown("name that a macro makes");
        }
        let kind = match reference.role {
            Role::Call => Kind::Call,
            Role::Type | Role::Tag => Kind::Class,
            Role::Constant => Kind::Name,
            Role::Member(_) | Role::Below(_) => Kind::Member,
            Role::Scoped(_) => Kind::Attribute,
        };
        let file = self.file;
        let names = file.declared.iter().chain(file.references.iter().map(|other| &other.name));
        let names = names.map(|name| &**name).filter(|name| *name != &*reference.name);
        self.found.missing(&reference.name, kind, reference.offset, names);
    }
}

/// The first word of a name, where it may say where the name belongs.
fn own_prefix(name: &str) -> Option<&str> {
    let (prefix, _) = name.split_once('_')?;
    let is_verb = VERBS.split_whitespace().any(|verb| verb == prefix);
    (prefix.len() > 1 && !is_verb).then_some(prefix)
}

fn has_prefix(name: &str, prefix: &str) -> bool {
    name.strip_prefix(prefix).is_some_and(|rest| rest.starts_with('_'))
}
