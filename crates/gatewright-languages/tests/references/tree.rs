//! A workspace and its packages, written as text: `--- path` starts a file.

use std::collections::BTreeMap;
use std::sync::Arc;

use gatewright_languages::references::{
    ChangedFile, Dependencies, Ecosystem, Entry, Index, SourceTree, reference_facts,
};
use gatewright_model::ReferenceFacts;

/// Files by path; those below `/packages` are installed.
#[derive(Debug, Default)]
pub struct Tree {
    files: BTreeMap<String, Arc<[u8]>>,
}

impl Tree {
    pub fn new(text: &str) -> Self {
        let mut files = BTreeMap::new();
        for part in text.split("--- ").skip(1) {
            let (path, body) = part.split_once('\n').unwrap_or((part, ""));
            files.insert(path.trim().to_owned(), Arc::from(body.as_bytes()));
        }
        Self { files }
    }

    /// The same with a file of these bytes.
    pub fn with(mut self, path: &str, bytes: &[u8]) -> Self {
        self.files.insert(path.to_owned(), Arc::from(bytes));
        self
    }

    /// The facts of writing a new file.
    pub fn write(&self, path: &str, text: &str) -> ReferenceFacts {
        self.change(&[(path, None, Some(text))]).remove(0)
    }

    /// The facts of changing files.
    pub fn change(&self, changes: &[(&str, Option<&str>, Option<&str>)]) -> Vec<ReferenceFacts> {
        let bytes = |text: Option<&str>| text.map(|text| Arc::from(text.as_bytes()));
        let changes: Vec<ChangedFile> = changes
            .iter()
            .map(|(path, before, after)| ChangedFile {
                path: (*path).to_owned(),
                before: bytes(*before),
                after: bytes(*after),
            })
            .collect();
        reference_facts(&changes, self, self, &Index::new())
    }

    fn below(&self, folder: &str) -> Vec<Entry> {
        let mut entries: BTreeMap<String, bool> = BTreeMap::new();
        for path in self.files.keys() {
            let rest = match folder {
                "" => Some(path.as_str()),
                _ => path.strip_prefix(folder).and_then(|rest| rest.strip_prefix('/')),
            };
            let Some(rest) = rest.filter(|rest| !rest.is_empty() && !rest.starts_with('/')) else {
                continue;
            };
            let (name, is_dir) =
                rest.split_once('/').map_or((rest, false), |(name, _)| (name, true));
            entries.insert(name.to_owned(), is_dir);
        }
        entries.into_iter().map(|(name, is_dir)| Entry { name, is_dir, stamp: None }).collect()
    }
}

impl SourceTree for Tree {
    fn read(&self, path: &str) -> Option<Arc<[u8]>> {
        self.files.get(path).cloned()
    }

    fn list(&self, directory: &str) -> Vec<Entry> {
        self.below(directory)
    }

    fn exists(&self, path: &str) -> bool {
        self.files.contains_key(path)
    }
}

impl Dependencies for Tree {
    fn roots(&self, _: Ecosystem) -> Vec<String> {
        vec!["/packages".to_owned()]
    }

    fn read(&self, path: &str) -> Option<Arc<[u8]>> {
        self.files.get(path).cloned()
    }

    fn list(&self, directory: &str) -> Vec<Entry> {
        self.below(directory)
    }
}

/// What is missing, as `line kind name`.
pub fn missing(facts: &ReferenceFacts) -> Vec<String> {
    assert!(facts.complete, "the file was not checked whole");
    facts
        .missing
        .iter()
        .map(|found| format!("{} {} {}", found.line, found.kind, found.name))
        .collect()
}
