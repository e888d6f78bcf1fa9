//! What a script leaves in files, for its later commands to read.

use std::collections::BTreeMap;

use super::tree::Tree;

/// The longest text that is kept.
const MOST_BYTES: usize = 1024 * 1024;

/// The files that a script changed, with their texts where these are known.
#[derive(Debug, Default)]
pub struct Written {
    texts: BTreeMap<String, Option<String>>,
}

impl Written {
    /// Notes what a file holds from now on: a text, or what cannot be known.
    pub fn note(&mut self, tree: &dyn Tree, path: &str, content: Option<&str>, appends: bool) {
        let path = plain(path);
        let before = match (self.texts.remove(path), appends) {
            (_, false) => Some(String::new()),
            (Some(known), true) => known,
            (None, true) => tree.text(path).or(Some(String::new())),
        };
        let text = before.zip(content).map(|(before, content)| before + content);
        self.texts.insert(path.to_owned(), text.filter(|text| text.len() <= MOST_BYTES));
    }

    /// The text of a file that was changed, where it is known; `None` where it was not changed.
    pub fn text(&self, path: &str) -> Option<Option<String>> {
        self.texts.get(plain(path)).cloned()
    }
}

fn plain(path: &str) -> &str {
    path.strip_prefix("./").unwrap_or(path)
}
