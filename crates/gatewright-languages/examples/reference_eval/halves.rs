//! Definitions that come with the same change: half of a project is written at once.
//!
//! The files that are written are hidden from the workspace before. What is then called
//! missing, and was not when every file stood there, is a definition of the change that was
//! not seen.

use std::collections::HashSet;
use std::sync::Arc;

use gatewright_languages::references::disk::DiskTree;
use gatewright_languages::references::{ChangedFile, Entry, Index, SourceTree, reference_facts};

use crate::Bench;

/// How many files are written at once.
const WRITTEN: usize = 120;

/// A workspace in which some files are not there yet.
pub(crate) struct Hiding<'a> {
    pub(crate) tree: &'a DiskTree,
    pub(crate) hidden: HashSet<&'a str>,
}

impl SourceTree for Hiding<'_> {
    fn read(&self, path: &str) -> Option<Arc<[u8]>> {
        if self.hidden.contains(path) { None } else { self.tree.read(path) }
    }

    fn list(&self, directory: &str) -> Vec<Entry> {
        let below = |name: &str| match directory {
            "" => name.to_owned(),
            _ => format!("{directory}/{name}"),
        };
        let mut entries = self.tree.list(directory);
        entries.retain(|entry| !self.hidden.contains(below(&entry.name).as_str()));
        entries
    }

    fn exists(&self, path: &str) -> bool {
        !self.hidden.contains(path) && self.tree.exists(path)
    }
}

impl Bench<'_> {
    /// Writes every second file at once; the names that only then are missing, and all references.
    pub(crate) fn halves(&self, files: &[String]) -> (u64, u64) {
        let (mut wrong, mut checked) = (0, 0);
        for half in 0..2 {
            let written: Vec<&String> = files.iter().skip(half).step_by(2).take(WRITTEN).collect();
            let tree = Hiding {
                tree: &self.tree,
                hidden: written.iter().map(|path| path.as_str()).collect(),
            };
            let change = |path: &&String| {
                let after = self.tree.read(path);
                ChangedFile { path: (*path).clone(), before: None, after }
            };
            let changes: Vec<ChangedFile> = written.iter().map(change).collect();
            let facts = reference_facts(&changes, &tree, &self.dependencies, &Index::new());
            for (change, facts) in changes.iter().zip(facts) {
                checked += facts.checked;
                let alone = self.facts(&change.path, None, change.after.as_deref().unwrap_or(&[]));
                let known: HashSet<&str> =
                    alone.missing.iter().map(|it| it.name.as_str()).collect();
                for missing in facts.missing.iter().filter(|it| !known.contains(it.name.as_str())) {
                    wrong += 1;
                    let (line, kind, name) = (missing.line, &missing.kind, &missing.name);
                    println!("UNSEEN {}:{line} {kind} {name}", change.path);
                }
            }
        }
        (wrong, checked)
    }
}
