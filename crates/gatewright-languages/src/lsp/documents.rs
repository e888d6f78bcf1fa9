//! The documents that a server was shown, each with the version of its text.
//!
//! A document stays open once it was shown: some servers forget half of a
//! project when a document is closed and opened again.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Value, json};

use super::position::{Places, PositionEncoding, Range};

/// How a server wants to learn of changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SyncKind {
    /// The whole text each time.
    Full,
    /// The range that changed. Some servers that offer both read nothing else.
    #[default]
    Ranged,
}

/// One document as the server knows it.
#[derive(Debug, Clone)]
pub struct Document {
    /// Counts up with each change.
    pub version: i64,
    /// The text that was sent last.
    pub text: Arc<str>,
}

/// News for the server about one document.
#[derive(Debug, Clone, PartialEq)]
pub struct DocumentNews {
    /// The method.
    pub method: &'static str,
    /// Its parameters.
    pub params: Value,
}

/// The open documents, by path below the root.
#[derive(Debug, Default)]
pub struct Documents {
    open: BTreeMap<String, Document>,
}

/// How a document is shown.
#[derive(Debug, Clone, Copy)]
pub struct Showing<'a> {
    /// Its address.
    pub uri: &'a str,
    /// The protocol's name of its language.
    pub language_id: &'a str,
    /// The agreed unit of columns.
    pub encoding: PositionEncoding,
    /// How changes are sent.
    pub sync: SyncKind,
}

impl Documents {
    /// The document at a path, if it was shown.
    pub fn get(&self, path: &str) -> Option<&Document> {
        self.open.get(path)
    }

    /// The paths that were shown.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.open.keys().map(String::as_str)
    }

    /// Brings a document to `text`; says nothing when the server has it already.
    pub fn show(&mut self, path: &str, text: &Arc<str>, how: Showing<'_>) -> Option<DocumentNews> {
        let Some(document) = self.open.get_mut(path) else {
            let document = Document { version: 1, text: Arc::clone(text) };
            self.open.insert(path.to_owned(), document);
            return Some(DocumentNews {
                method: "textDocument/didOpen",
                params: json!({ "textDocument": {
                    "uri": how.uri, "languageId": how.language_id, "version": 1, "text": &**text,
                } }),
            });
        };
        if document.text == *text {
            return None;
        }
        let change = match how.sync {
            SyncKind::Full => json!({ "text": &**text }),
            SyncKind::Ranged => ranged(&document.text, text, how.encoding),
        };
        document.version += 1;
        document.text = Arc::clone(text);
        Some(DocumentNews {
            method: "textDocument/didChange",
            params: json!({
                "textDocument": { "uri": how.uri, "version": document.version },
                "contentChanges": [change],
            }),
        })
    }

    /// Forgets a document, because the file is gone.
    pub fn close(&mut self, path: &str, uri: &str) -> Option<DocumentNews> {
        self.open.remove(path)?;
        Some(DocumentNews {
            method: "textDocument/didClose",
            params: json!({ "textDocument": { "uri": uri } }),
        })
    }
}

/// The one range in which two texts differ.
fn ranged(before: &str, after: &str, encoding: PositionEncoding) -> Value {
    let (start, before_end, after_end) = difference(before, after);
    let places = Places::new(before, encoding);
    let range = Range { start: places.position(start), end: places.position(before_end) };
    json!({ "range": range.to_json(), "text": &after[start..after_end] })
}

/// Where two texts start to differ, and where each stops to, between characters and line ends.
fn difference(before: &str, after: &str) -> (usize, usize, usize) {
    let (old, new) = (before.as_bytes(), after.as_bytes());
    let mut start = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    while start > 0
        && (!before.is_char_boundary(start)
            || !after.is_char_boundary(start)
            || old[start - 1] == b'\r')
    {
        start -= 1;
    }
    let room = old.len().min(new.len()) - start;
    let same = old.iter().rev().zip(new.iter().rev()).take(room).take_while(|(a, b)| a == b);
    let mut tail = same.count();
    let is_bad = |text: &str, tail: usize| {
        let at = text.len() - tail;
        !text.is_char_boundary(at) || (at > 0 && text.as_bytes()[at - 1] == b'\r')
    };
    while tail > 0 && (is_bad(before, tail) || is_bad(after, tail)) {
        tail -= 1;
    }
    (start, before.len() - tail, after.len() - tail)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lsp::edits::{TextEdit, apply};
    use proptest::prelude::*;

    fn how(sync: SyncKind) -> Showing<'static> {
        let encoding = PositionEncoding::Utf16;
        Showing { uri: "file:///w/a.rb", language_id: "ruby", encoding, sync }
    }

    #[test]
    fn versions_count_up_and_nothing_is_sent_twice() {
        let mut documents = Documents::default();
        let (one, two): (Arc<str>, Arc<str>) = ("a\n".into(), "b\n".into());
        let sent: Vec<Option<&str>> = [&one, &one, &two]
            .map(|text| documents.show("a.rb", text, how(SyncKind::Full)).map(|news| news.method))
            .to_vec();
        assert_eq!(sent, [Some("textDocument/didOpen"), None, Some("textDocument/didChange")]);
        assert_eq!(documents.get("a.rb").map(|document| document.version), Some(2));
    }

    #[test]
    fn a_change_has_a_range_where_the_server_takes_ranges() {
        let mut documents = Documents::default();
        documents.show("a.rb", &"x = 1\n".into(), how(SyncKind::Ranged));
        let news = documents.show("a.rb", &"x = 12\n".into(), how(SyncKind::Ranged)).expect("news");
        let change = &news.params["contentChanges"][0];
        assert_eq!(change["range"]["start"]["character"], 5);
        assert_eq!(change["text"], "2");
    }

    proptest! {
        #[test]
        fn the_range_carries_the_whole_difference(
            before in "[ab\u{e9}\u{1D11E}\n]{0,12}(\r\n[xy]{0,3}){0,3}",
            after in "[ab\u{e9}\u{1D11E}\n]{0,12}(\r\n[xy]{0,3}){0,3}",
        ) {
            for encoding in [PositionEncoding::Utf8, PositionEncoding::Utf16] {
                let change = ranged(&before, &after, encoding);
                let range = Range::of(&change["range"]).expect("a range");
                let new_text = change["text"].as_str().expect("a text").to_owned();
                let edit = TextEdit { range, new_text };
                prop_assert_eq!(apply(&before, &[edit], encoding).expect("it applies"), &after[..]);
            }
        }
    }
}
