//! What well-known packages of npm export, for workspaces in which they are not installed.
//!
//! `tests/references/package_names.py` writes the table: every name of any version between those
//! that the line begins with. Of newer and of older ones nothing is said. Where a line begins with
//! the newest alone, all that were before it count, and scripts are held to it as well. Where `=`
//! follows them, the default export of the package, and what `require` brings, has all of the names
//! and no others; scripts are held to that as well.

use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

use serde_json::Value;

use super::aliases::manifest;
use super::exports::WHOLE;
use super::facts::Import;
use super::modules::{DECLARED, package_name};
use super::{Checker, Member, OF_FUNCTIONS};
use crate::references::session::Place;
use crate::references::words;

/// Where a manifest names what is needed.
const FIELDS: [&str; 4] =
    ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"];
/// How names begin that come and go, or that tests put there.
const LOOSE: [&str; 5] = ["unstable_", "experimental_", "__", "legacy_", "mock"];
/// What a file calls that puts more names into a package.
const ADDING: [&str; 2] = ["mixin", "promisifyAll"];

/// The names of a package, and the versions that were looked at.
pub(super) struct Known {
    /// `None` where all were.
    oldest: Option<u32>,
    newest: u32,
    /// Whether its default export is all that it exports.
    is_whole: bool,
    words: &'static str,
    names: OnceLock<HashSet<&'static str>>,
}

impl Known {
    /// Told apart when the package is asked for: few of the many ever are.
    fn names(&self) -> &HashSet<&'static str> {
        self.names.get_or_init(|| self.words.split(' ').collect())
    }
}

fn known(source: &str) -> Option<&'static Known> {
    static TABLE: OnceLock<HashMap<&'static str, Known>> = OnceLock::new();
    let table =
        TABLE.get_or_init(|| include_str!("packages.txt").lines().filter_map(read).collect());
    table.get(source)
}

fn read(line: &'static str) -> Option<(&'static str, Known)> {
    let (package, rest) = line.split_once(' ')?;
    let (told, words) = rest.split_once(' ')?;
    let versions = told.trim_end_matches('=');
    let (oldest, newest) = match versions.split_once('-') {
        Some((oldest, newest)) => (Some(oldest.parse().ok()?), newest),
        None => (None, versions),
    };
    let (is_whole, newest) = (versions != told, newest.parse().ok()?);
    Some((package, Known { oldest, newest, is_whole, words, names: OnceLock::new() }))
}

/// Whether the default export of a package is all that it exports.
pub(super) fn is_whole(source: &str) -> bool {
    known(source).is_some_and(|known| known.is_whole)
}

/// Whether only the names of a package are known, and not what it is as a whole.
pub(super) fn is_of_names(source: &str) -> bool {
    known(source).is_some_and(|known| known.oldest.is_some() && !known.is_whole)
}

/// The names of a package that is in the table.
pub(super) fn names(source: &str) -> impl Iterator<Item = &'static str> {
    known(source).into_iter().flat_map(|known| known.names().iter().copied())
}

impl Checker<'_> {
    /// Whether a well-known package exports a name that is declared and not installed; `None`
    /// where that is not known.
    pub(super) fn of_known(&self, from: &str, import: &Import, reason: &str) -> Option<Member> {
        let package = package_name(&import.source);
        let known = known(package).filter(|_| reason == DECLARED)?;
        // What a path below a package has, and what a script may take of it, is not told by all.
        let (is_path, is_dated) = (package != &*import.source, known.oldest.is_some());
        let is_of_types = is_dated && (is_path || !known.is_whole);
        if !is_dated && is_path || is_of_types && is_path && !self.is_typed() {
            return None;
        }
        let name = &*import.name;
        let is_of_function = known.is_whole && OF_FUNCTIONS.contains(&name);
        if matches!(name, "*" | "default" | WHOLE) || known.names().contains(name) || is_of_function
        {
            return Some(Member::Exists);
        }
        // Nobody puts names into what is held without a look at the versions (React).
        let is_open = is_dated && known.is_whole;
        if is_open && ADDING.iter().any(|word| words::contains(self.text, word)) {
            return None;
        }
        let is_loose = LOOSE.iter().any(|start| name.starts_with(start));
        let is_known = || {
            let wanted = self.wanted(from, package);
            wanted.is_some_and(|range| {
                is_up_to(&range, known.newest) && is_from(&range, known.oldest.unwrap_or(0))
            })
        };
        let is_put_there =
            || self.file.stored.contains(name) || is_open && self.is_extended(from, package);
        let is_told = !is_loose && is_known() && !is_put_there();
        (is_told && !self.is_elsewhere(name)).then_some(Member::Missing)
    }

    /// The versions of a package that the nearest manifest which names it wants.
    fn wanted(&self, from: &str, package: &str) -> Option<String> {
        self.manifests(from).find_map(|manifest| {
            let fields = FIELDS.iter().filter_map(|field| manifest.get(*field));
            let ranges = fields.filter_map(|field| field.get(package).and_then(Value::as_str));
            let ranges: Vec<&str> = ranges.collect();
            (!ranges.is_empty()).then(|| ranges.join(" || "))
        })
    }

    /// Whether a manifest names a package that is called like a part of another, and may put names
    /// into it (`moment-range`).
    fn is_extended(&self, from: &str, package: &str) -> bool {
        let start = format!("{package}-");
        let is_part = |name: &String| name.starts_with(&start) && known(name).is_none();
        self.manifests(from).any(|manifest| {
            let fields = FIELDS.iter().filter_map(|field| manifest.get(*field)?.as_object());
            fields.flat_map(|field| field.keys()).any(is_part)
        })
    }

    /// The manifests of the folders around a file, the nearest first.
    fn manifests(&self, from: &str) -> impl Iterator<Item = Value> {
        let folders = std::iter::successors(Place::workspace(from).parent(), Place::parent);
        folders.filter_map(|folder| manifest(self.session, &folder))
    }
}

/// Whether a range of versions is plain and names none that is newer.
fn is_up_to(range: &str, newest: u32) -> bool {
    let mut parts = range.split([' ', '|', ',']).filter(|part| !part.is_empty() && *part != "-");
    parts.all(|part| {
        let number = part.trim_start_matches(['^', '~', '>', '<', '=', 'v']);
        // `<20` allows all of 19.
        let is_below =
            part.starts_with('<') && !part.starts_with("<=") && is_first_of_its_major(number);
        let newest = if is_below { newest + 1 } else { newest };
        matches!(number, "*" | "x" | "") || version(number).is_some_and(|it| it <= newest)
    })
}

/// Whether a range of versions begins with none that is older.
fn is_from(range: &str, oldest: u32) -> bool {
    let mut parts = range.split([' ', '|', ',']).filter(|part| !part.is_empty() && *part != "-");
    parts.all(|part| {
        let number = part.trim_start_matches(['^', '~', '>', '<', '=', 'v']);
        let is_open = oldest > 0 && matches!(number, "*" | "x" | "");
        !is_open && (part.starts_with('<') || version(number).is_none_or(|it| it >= oldest))
    })
}

fn is_first_of_its_major(number: &str) -> bool {
    !number.starts_with("0") && number.split('.').skip(1).all(|part| part == "0")
}

/// The number that counts: the first one, or before the first version the second.
fn version(number: &str) -> Option<u32> {
    let mut numbers = number.split('.').map(|part| part.parse::<u32>().ok());
    match numbers.next()?? {
        0 => numbers.next().flatten(),
        major => Some(major),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_plain_and_not_newer() {
        for range in
            ["^18.2.0", "*", ">=16.8 <20", "17 || 18 || 19.x", "~19.0.1", ">= 16", "0.14.2"]
        {
            assert!(is_up_to(range, 19), "{range}");
        }
        for range in
            ["^20.0.0", "latest", "workspace:*", "18 || ^21", "canary", "npm:preact@10", "<20.1"]
        {
            assert!(!is_up_to(range, 19), "{range}");
        }
    }

    #[test]
    fn ranges_that_begin_before_the_table_are_not_told() {
        assert!(["^4.1.0", ">=3 <5", "5"].iter().all(|range| is_from(range, 3)));
        assert!(["^2.1.0", ">=2 <5", "*", "2 || 4"].iter().all(|range| !is_from(range, 3)));
    }

    #[test]
    fn the_table_knows_values_and_types() {
        let react = known("react").unwrap();
        let real = ["useState", "FC", "Children", "ReactNode", "Fragment", "use", "version"];
        assert!(real.iter().all(|name| react.names().contains(name)));
        assert!(!react.names().contains("useStates") && known("left-pad").is_none());
    }
}
