//! What the modules export that come with Node, in any version of it.
//!
//! `tests/references/runtime_names.py` writes the table: one line for each module.

use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

use super::exports::WHOLE;
use super::facts::Import;
use super::{Checker, Member, OF_FUNCTIONS};

type Names = HashSet<&'static str>;

/// The names of a module of the runtime; `None` for all other modules, and for those to whose
/// exports anybody may add.
pub(super) fn names(source: &str) -> Option<&'static Names> {
    static TABLE: OnceLock<HashMap<&'static str, Names>> = OnceLock::new();
    let table = TABLE.get_or_init(|| {
        let lines = include_str!("runtime.txt").lines();
        let split = lines.map(|line| line.split_once(' ').unwrap_or((line, "")));
        split.map(|(module, names)| (module, names.split(' ').collect())).collect()
    });
    table.get(source.strip_prefix("node:").unwrap_or(source))
}

impl Checker<'_> {
    /// Whether a module of the runtime exports a name; `None` for all other modules.
    pub(super) fn of_runtime(&self, import: &Import) -> Option<Member> {
        let names = names(&import.source)?;
        let name = &*import.name;
        let is_whole = matches!(name, "*" | "default" | WHOLE);
        if is_whole || names.contains(name) || OF_FUNCTIONS.contains(&name) {
            return Some(Member::Exists);
        }
        // A version that is newer than the table, or a name that others put there.
        let is_told = self.file.stored.contains(name) || self.is_asked_of(&import.source, name);
        Some(if is_told { Member::Unknown("name that other files spell") } else { Member::Missing })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_knows_functions_classes_and_types() {
        let files = names("node:fs").unwrap();
        assert!(
            ["readFileSync", "Stats", "promises", "PathLike"].iter().all(|it| files.contains(it))
        );
        assert!(!files.contains("readFileAll"));
        assert!(names("path").unwrap().contains("join") && names("left-pad").is_none());
    }
}
