//! What a server wants to change, read strictly, and the text that comes of it.
//!
//! Servers send the same change in many shapes: one edit for each use, one
//! merged edit, a whole file. Nothing here looks at the shape; the result is
//! judged elsewhere, token by token.

use std::collections::BTreeMap;

use serde_json::Value;

use super::position::{Places, PositionEncoding, Range, has_lone_return};

/// The changes that a server answers with.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WorkspaceEdit {
    /// The text edits of each address.
    pub files: BTreeMap<String, FileEdits>,
    /// Files that get another address, in order.
    pub renames: Vec<(String, String)>,
}

/// The text edits of one file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FileEdits {
    /// The version of the document that they were made for, where the server says so.
    pub version: Option<i64>,
    /// The edits.
    pub edits: Vec<TextEdit>,
}

/// One replacement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextEdit {
    /// What is replaced.
    pub range: Range,
    /// By what.
    pub new_text: String,
}

/// Why an answer is no usable change.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EditError {
    /// The answer has no form of the protocol.
    #[error("the server's answer cannot be read: {0}")]
    Form(&'static str),
    /// The answer makes or removes files.
    #[error("the server's answer would {0} files, which a rename does not")]
    Operation(String),
    /// A place that is not in the text.
    #[error("the server names a place that is not in the text")]
    Place,
    /// Two edits touch the same bytes.
    #[error("the server's edits overlap")]
    Overlap,
    /// Lines are counted in two ways.
    #[error("the file has carriage returns that end no line, so line numbers are ambiguous")]
    LoneReturn,
}

impl WorkspaceEdit {
    /// Reads an answer. `null` is no change at all.
    pub fn of(value: &Value) -> Result<Self, EditError> {
        let mut edit = WorkspaceEdit::default();
        if value.is_null() {
            return Ok(edit);
        }
        if let Some(changes) = value.get("documentChanges").filter(|value| !value.is_null()) {
            let changes = changes.as_array().ok_or(EditError::Form("documentChanges"))?;
            for change in changes {
                edit.take(change)?;
            }
            return Ok(edit);
        }
        match value.get("changes").filter(|value| !value.is_null()) {
            None => Ok(edit),
            Some(changes) => {
                for (uri, edits) in changes.as_object().ok_or(EditError::Form("changes"))? {
                    edit.add(uri, None, edits)?;
                }
                Ok(edit)
            }
        }
    }

    fn take(&mut self, change: &Value) -> Result<(), EditError> {
        let text = |key: &str| change.get(key).and_then(Value::as_str);
        match text("kind") {
            Some("rename") => {
                let names = text("oldUri").zip(text("newUri")).ok_or(EditError::Form("rename"))?;
                self.renames.push((names.0.to_owned(), names.1.to_owned()));
                Ok(())
            }
            Some(other) => Err(EditError::Operation(other.to_owned())),
            None => {
                let document = change.get("textDocument").ok_or(EditError::Form("textDocument"))?;
                let uri = document.get("uri").and_then(Value::as_str);
                let uri = uri.ok_or(EditError::Form("uri"))?;
                let version = document.get("version").and_then(Value::as_i64);
                self.add(uri, version, change.get("edits").unwrap_or(&Value::Null))
            }
        }
    }

    fn add(&mut self, uri: &str, version: Option<i64>, edits: &Value) -> Result<(), EditError> {
        let file = self.files.entry(uri.to_owned()).or_default();
        file.version = version.or(file.version);
        for edit in edits.as_array().ok_or(EditError::Form("edits"))? {
            let range = edit.get("range").and_then(Range::of).ok_or(EditError::Form("range"))?;
            let new_text = edit.get("newText").and_then(Value::as_str);
            let new_text = new_text.ok_or(EditError::Form("newText"))?.to_owned();
            file.edits.push(TextEdit { range, new_text });
        }
        Ok(())
    }
}

/// The text after the edits.
pub fn apply(
    text: &str,
    edits: &[TextEdit],
    encoding: PositionEncoding,
) -> Result<String, EditError> {
    if has_lone_return(text) {
        return Err(EditError::LoneReturn);
    }
    let places = Places::new(text, encoding);
    let mut spans = Vec::with_capacity(edits.len());
    for edit in edits {
        let span = places.span(edit.range).ok_or(EditError::Place)?;
        spans.push((span, edit.new_text.as_str()));
    }
    spans.sort_by_key(|(span, _)| (span.start, span.end));
    let mut after = String::with_capacity(text.len());
    let mut at = 0;
    for (span, new_text) in spans {
        if span.start < at {
            return Err(EditError::Overlap);
        }
        after.push_str(&text[at..span.start]);
        after.push_str(new_text);
        at = span.end;
    }
    after.push_str(&text[at..]);
    Ok(after)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn edit(line: usize, from: usize, to: usize, text: &str) -> Value {
        json!({
            "range": {
                "start": { "line": line, "character": from },
                "end": { "line": line, "character": to },
            },
            "newText": text,
        })
    }

    fn edits_of(values: Vec<Value>) -> Vec<TextEdit> {
        let edit = WorkspaceEdit::of(&json!({ "changes": { "u": values } })).expect("an edit");
        edit.files["u"].edits.clone()
    }

    #[test]
    fn both_forms_are_read() {
        let plain = WorkspaceEdit::of(&json!({ "changes": { "u": [edit(0, 0, 1, "x")] } }));
        let listed = WorkspaceEdit::of(&json!({ "documentChanges": [
            { "textDocument": { "uri": "u", "version": null }, "edits": [edit(0, 0, 1, "x")] },
        ] }));
        assert_eq!(plain, listed);
    }

    #[test]
    fn a_file_rename_after_the_edits_is_kept() {
        let edit = WorkspaceEdit::of(&json!({ "documentChanges": [
            { "textDocument": { "uri": "u", "version": 7 }, "edits": [edit(0, 0, 1, "x")] },
            { "kind": "rename", "oldUri": "u", "newUri": "v" },
        ] }))
        .expect("an edit");
        assert_eq!(edit.files["u"].version, Some(7));
        assert_eq!(edit.renames, [("u".to_owned(), "v".to_owned())]);
    }

    #[test]
    fn making_files_is_no_rename() {
        let edit =
            WorkspaceEdit::of(&json!({ "documentChanges": [{ "kind": "create", "uri": "u" }] }));
        assert_eq!(edit, Err(EditError::Operation("create".to_owned())));
    }

    #[test]
    fn edits_apply_in_any_order_and_behind_wide_characters() {
        let edits = edits_of(vec![edit(0, 5, 6, "Z"), edit(0, 0, 1, "A")]);
        let after = apply("a é𝄞z", &edits, PositionEncoding::Utf16);
        assert_eq!(after.as_deref(), Ok("A é𝄞Z"));
    }

    #[test]
    fn overlapping_edits_are_refused() {
        let edits = edits_of(vec![edit(0, 0, 3, "x"), edit(0, 2, 4, "y")]);
        assert_eq!(apply("abcdef", &edits, PositionEncoding::Utf8), Err(EditError::Overlap));
    }

    #[test]
    fn a_lone_carriage_return_is_refused() {
        let edits = edits_of(vec![edit(0, 0, 1, "x")]);
        assert_eq!(apply("a\rb\n", &edits, PositionEncoding::Utf8), Err(EditError::LoneReturn));
    }
}
