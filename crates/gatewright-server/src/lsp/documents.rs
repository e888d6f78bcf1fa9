//! The files that are open in the editor.

use std::collections::BTreeMap;

use lsp_types::Uri;

use super::told::Told;

/// A file that is open.
#[derive(Debug)]
pub struct Document {
    /// Its address, as the editor spells it.
    pub uri: Uri,
    /// Its path below the root; `None` for a file outside.
    pub path: Option<String>,
    /// Its text as the editor holds it.
    pub text: String,
    /// The editor's own number of that text.
    pub version: i32,
    /// What was last said of it.
    pub told: Vec<Told>,
    /// Whether the text changed since.
    pub is_new: bool,
}

/// The open files, by address.
#[derive(Debug, Default)]
pub struct Documents {
    open: BTreeMap<String, Document>,
}

impl Documents {
    /// Opens a file, or takes over its new text.
    pub fn put(&mut self, uri: Uri, path: Option<String>, text: String, version: i32) {
        let told = self.open.remove(uri.as_str()).map(|old| old.told).unwrap_or_default();
        let key = uri.as_str().to_owned();
        self.open.insert(key, Document { uri, path, text, version, told, is_new: true });
    }

    /// Forgets a file.
    pub fn remove(&mut self, uri: &Uri) {
        self.open.remove(uri.as_str());
    }

    /// One of them.
    pub fn get(&self, uri: &Uri) -> Option<&Document> {
        self.open.get(uri.as_str())
    }

    /// All of them.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut Document> {
        self.open.values_mut()
    }

    /// Whether a text waits to be looked at.
    pub fn has_new(&self) -> bool {
        self.open.values().any(|document| document.is_new)
    }

    /// Looks at every text anew, as what they refer to may have changed.
    pub fn renew(&mut self) {
        for document in self.open.values_mut() {
            document.is_new = true;
        }
    }
}
