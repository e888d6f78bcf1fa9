//! Placeholders that come back: an agent edits a file that it saw redacted.
//!
//! Each `[REDACTED:kind]` in an edit stands for the hidden bytes at that place.
//! What cannot be matched without doubt is an error, so that a secret is never
//! lost and never overwritten with its placeholder.

use std::borrow::Cow;

use gatewright_guards::egress::{RedactedFile, Redactor};
use gatewright_model::TextEdit;

use crate::EngineError;

const MARK: &str = "[REDACTED:";

/// The edits with the true bytes behind their placeholders.
pub fn restore_edits<'a>(
    redactor: &Redactor,
    path: &str,
    bytes: &[u8],
    edits: &'a [TextEdit],
) -> Result<Cow<'a, [TextEdit]>, EngineError> {
    let has_mark = |edit: &TextEdit| edit.old.contains(MARK) || edit.new.contains(MARK);
    let Ok(text) = std::str::from_utf8(bytes) else { return Ok(Cow::Borrowed(edits)) };
    if !edits.iter().any(has_mark) {
        return Ok(Cow::Borrowed(edits));
    }
    let file = RedactedFile::new(redactor, text);
    if file.view() == text {
        return Ok(Cow::Borrowed(edits));
    }
    let restored = edits.iter().map(|edit| {
        if !has_mark(edit) {
            return Ok(edit.clone());
        }
        let restored = file
            .restore(&edit.old, &edit.new)
            .map_err(|error| unmatched(path, &error.to_string()))?;
        let TextEdit { replace_all, .. } = *edit;
        Ok(TextEdit { old: restored.old_string, new: restored.new_string, replace_all })
    });
    restored.collect::<Result<Vec<_>, EngineError>>().map(Cow::Owned)
}

/// The content with the true bytes behind its placeholders.
pub fn restore_whole<'a>(
    redactor: &Redactor,
    path: &str,
    shown: &[u8],
    content: &'a [u8],
) -> Result<Cow<'a, [u8]>, EngineError> {
    let (Ok(base), Ok(new)) = (std::str::from_utf8(shown), std::str::from_utf8(content)) else {
        return Ok(Cow::Borrowed(content));
    };
    if !new.contains(MARK) {
        return Ok(Cow::Borrowed(content));
    }
    let file = RedactedFile::new(redactor, base);
    if file.view() == base {
        // Nothing is hidden in the base, so the marks are plain text of the agent's own.
        return Ok(Cow::Borrowed(content));
    }
    let restored = file.restore_whole(new).map_err(|error| unmatched(path, &error.to_string()))?;
    Ok(Cow::Owned(restored.into_bytes()))
}

fn unmatched(path: &str, message: &str) -> EngineError {
    EngineError::Placeholder { path: path.to_owned(), message: message.to_owned() }
}
