//! The files of a project as they were when a question was asked.
//!
//! Everything that comes of the question is judged on exactly these texts, and
//! the change that is made of it names their digests.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::catalogue::language_id;
use super::client::Shown;
use crate::syntax::LanguageId;

/// One file.
#[derive(Debug, Clone)]
pub struct ProjectFile {
    /// Its language.
    pub language: LanguageId,
    /// Its text, without a byte-order mark.
    pub text: Arc<str>,
}

/// The files of a project that a server of one language family knows.
#[derive(Debug, Clone, Default)]
pub struct Project {
    /// By path below the root.
    pub files: BTreeMap<String, ProjectFile>,
}

impl Project {
    /// The files that hold a word, whole.
    pub fn naming<'a>(&'a self, word: &'a str) -> impl Iterator<Item = (&'a str, &'a ProjectFile)> {
        let holds = move |file: &ProjectFile| occurrences(&file.text, word).next().is_some();
        self.files
            .iter()
            .filter(move |(_, file)| holds(file))
            .map(|(path, file)| (path.as_str(), file))
    }

    /// A file as it is shown to a server.
    pub fn shown(&self, path: &str) -> Option<Shown> {
        let file = self.files.get(path)?;
        Some(Shown {
            path: path.to_owned(),
            language_id: language_id(file.language),
            text: Arc::clone(&file.text),
        })
    }
}

/// Whether a character is part of a name in any of the languages.
pub fn is_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_' || character == '$'
}

/// Where a word stands alone in a text, as byte offsets.
pub fn occurrences<'a>(text: &'a str, word: &'a str) -> impl Iterator<Item = usize> + 'a {
    memchr::memmem::find_iter(text.as_bytes(), word.as_bytes()).filter(move |at| {
        let before = text.get(..*at).and_then(|part| part.chars().next_back());
        let after = text.get(at + word.len()..).and_then(|part| part.chars().next());
        !word.is_empty() && !before.is_some_and(is_word) && !after.is_some_and(is_word)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_inside_another_does_not_count() {
        let text = "total total_sum éttotal total. $total totalé (total)";
        assert_eq!(occurrences(text, "total").collect::<Vec<_>>(), [0, 25, 48]);
    }
}
