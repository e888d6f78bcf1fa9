//! Well-known crates that are not installed, as lists of all the names that they may give.
//!
//! A list has more names than its crate shows, so that only what is in none of its files is
//! called missing. It counts for the versions that a semantic version promises to be alike, up
//! to the one that it was made of; of a newer one nothing is said.

use std::collections::HashMap;
use std::sync::OnceLock;

use super::facts::Name;
use super::library;
use super::manifest::fits;
use super::resolver::{Answer, Found, Gap};

/// Why what lies behind a name of a list is not known.
const BEHIND: &str = "name that a package takes over";

/// One crate.
#[derive(Debug)]
pub(super) struct Listed {
    version: &'static str,
    line: &'static str,
    /// The names, and whether each leads to names of another crate or type.
    names: OnceLock<HashMap<&'static str, bool>>,
}

/// A crate, or what one of its names stands for.
#[derive(Debug, Clone)]
pub(super) struct OfList {
    list: &'static Listed,
    name: Option<Name>,
}

fn lists() -> &'static HashMap<&'static str, Vec<Listed>> {
    static LISTS: OnceLock<HashMap<&'static str, Vec<Listed>>> = OnceLock::new();
    LISTS.get_or_init(|| {
        let mut lists: HashMap<&'static str, Vec<Listed>> = HashMap::new();
        let lines = include_str!("packages.txt").lines().filter(|line| !line.starts_with('#'));
        for line in lines {
            let mut parts = line.splitn(3, ' ');
            let (Some(name), Some(version), Some(line)) =
                (parts.next(), parts.next(), parts.next())
            else {
                continue;
            };
            let list = Listed { version, line, names: OnceLock::new() };
            lists.entry(name).or_default().push(list);
        }
        lists
    })
}

/// The list of a package in the version that a lock or, without one, a requirement names.
pub(super) fn find(package: &str, locked: &[String], wanted: Option<&str>) -> Option<OfList> {
    let wanted = match locked {
        [] => wanted?,
        [version] => version,
        // Which of several versions is meant is not known.
        _ => return None,
    };
    let wanted = wanted.trim_start_matches(['^', '=', '~', ' ']);
    if !wanted.starts_with(|first: char| first.is_ascii_digit()) || wanted.contains([',', '*']) {
        return None;
    }
    let is_it =
        |list: &&Listed| fits(wanted, list.version) && release(wanted) <= release(list.version);
    let list = lists().get(package)?.iter().find(is_it)?;
    Some(OfList { list, name: None })
}

/// The numbers of a version.
fn release(version: &str) -> Vec<u64> {
    let numbers = version.split(['-', '+']).next().unwrap_or_default().split('.');
    numbers.map(|number| number.parse().unwrap_or(0)).collect()
}

impl Listed {
    fn names(&self) -> &HashMap<&'static str, bool> {
        self.names.get_or_init(|| {
            let words = self.line.split(' ');
            words.map(|word| (word.trim_start_matches('*'), word.starts_with('*'))).collect()
        })
    }
}

impl OfList {
    /// Whether more than the list is known to give lies behind it.
    pub(super) fn is_open(&self) -> bool {
        let mark = self.name.as_ref().and_then(|name| self.list.names().get(&**name));
        mark.copied().unwrap_or(false)
    }

    /// The name of the type that it is.
    pub(super) fn of_type(&self) -> Option<&Name> {
        self.name.as_ref().filter(|name| name.starts_with(|c: char| c.is_ascii_uppercase()))
    }

    /// Whether the crate may give a name, to others or as a member.
    pub(super) fn has(&self, name: &str) -> bool {
        self.list.names().contains_key(name) || library::is_member(name)
    }

    /// What a name below it is.
    pub(super) fn below(&self, name: &Name) -> Answer {
        if self.is_open() {
            return Answer::Unknown(BEHIND);
        }
        if &**name == "self" || self.has(name) {
            let name = Some(name.clone()).filter(|name| &**name != "self").or(self.name.clone());
            return Answer::Found(Found::Listed(Self { list: self.list, name }));
        }
        let place = Some(Found::Listed(self.clone()));
        Answer::Missing(Gap { of_type: self.of_type().is_some(), place, ..Gap::default() })
    }

    /// What a name is that comes with all the names below it.
    pub(super) fn in_glob(&self, name: &Name) -> Answer {
        match library::in_prelude(name) {
            true => Answer::Missing(Gap::default()),
            false => self.below(name),
        }
    }

    /// All names of the crate.
    pub(super) fn all(&self) -> Vec<String> {
        self.list.names().keys().map(|name| (*name).to_owned()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_counts_for_the_versions_that_are_alike_and_not_newer() {
        let is_there = |package, wanted| find(package, &[], Some(wanted)).is_some();
        assert!(is_there("serde_json", "1") && is_there("serde_json", "^1.0.50"));
        assert!(!is_there("serde_json", "2") && !is_there("serde_json", "1.9999"));
        assert!(!is_there("serde_json", "*") && !is_there("serde_json", ">=0.9, <2"));
        assert!(!is_there("no-such-package", "1"));
        let locked = ["1.0.1".to_owned()];
        assert!(find("serde_json", &locked, Some("2")).is_some());
        assert!(find("serde_json", &["1.0.1".to_owned(), "0.9.0".to_owned()], None).is_none());
    }
}
