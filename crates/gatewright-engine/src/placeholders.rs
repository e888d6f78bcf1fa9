//! Placeholders that come back: an agent edits a file that it saw redacted.
//!
//! Each `[REDACTED:kind]` in an edit stands for the hidden bytes at that place.
//! What cannot be matched without doubt is an error, so that a secret is never
//! lost and never overwritten with its placeholder.

use std::borrow::Cow;

use gatewright_guards::egress::{RedactedFile, Redactor, Visible};
use gatewright_model::patch::{HunkMismatch, HunkPlace, PatchHunk, placed_hunks};
use gatewright_model::{EncodingError, HunkLine, TextEdit};

use crate::EngineError;
use crate::spelling::text_of;

const MARK: &str = "[REDACTED:";

const NO_TEXT: &str =
    "the file as it is cannot be read as text, so nothing is known to stand behind a placeholder";

/// The edits with the true bytes behind their placeholders, and without what they hide.
pub fn restore_edits<'a>(
    redactor: &Redactor,
    path: &str,
    text: &str,
    edits: &'a [TextEdit],
) -> Result<Cow<'a, [TextEdit]>, EngineError> {
    let file = RedactedFile::new(redactor, text);
    if file.view() == text {
        return Ok(Cow::Borrowed(edits));
    }
    let mut restored = Vec::with_capacity(edits.len());
    for (index, edit) in edits.iter().enumerate() {
        let edit = in_line_endings_of(file.view(), edit);
        if edit.old.contains(MARK) || edit.new.contains(MARK) {
            let true_texts = file
                .restore(&edit.old, &edit.new)
                .map_err(|error| unmatched(path, &error.to_string()))?;
            let TextEdit { replace_all, .. } = *edit;
            let (old, new) = (true_texts.old_string, true_texts.new_string);
            restored.push(TextEdit { old, new, replace_all });
        } else {
            restored.extend(shown_edits(&file, path, &edit, index + 1)?);
        }
    }
    Ok(Cow::Owned(restored))
}

/// Agents send `\n` for files that have `\r\n`: what they were shown has the file's own ending.
fn in_line_endings_of<'a>(view: &str, edit: &'a TextEdit) -> Cow<'a, TextEdit> {
    let is_other = view.contains("\r\n")
        && edit.old.contains('\n')
        && !edit.old.contains('\r')
        && !view.contains(edit.old.as_str());
    if !is_other {
        return Cow::Borrowed(edit);
    }
    let with_returns = |text: &str| text.replace("\r\n", "\n").replace('\n', "\r\n");
    let TextEdit { replace_all, .. } = *edit;
    let (old, new) = (with_returns(&edit.old), with_returns(&edit.new));
    Cow::Owned(TextEdit { old, new, replace_all })
}

/// An edit without placeholders, at the places alone that the agent was shown.
fn shown_edits(
    file: &RedactedFile,
    path: &str,
    edit: &TextEdit,
    number: usize,
) -> Result<Vec<TextEdit>, EngineError> {
    let path = || path.to_owned();
    match file.visible(&edit.old, &edit.new, edit.replace_all) {
        Visible::AsItStands => Ok(vec![edit.clone()]),
        // In the words for what is nowhere: the difference would tell of the value.
        Visible::NotFound => {
            Err(EngineError::EditNotFound { path: path(), number, nearest: String::new() })
        }
        Visible::Ambiguous { count } => {
            Err(EngineError::EditAmbiguous { path: path(), number, count })
        }
        Visible::Instead(lines) => {
            let edits = lines.into_iter();
            Ok(edits.map(|(old, new)| TextEdit { old, new, replace_all: true }).collect())
        }
    }
}

/// The bytes of a file after a patch that was made on the redacted view of it; `None` for a
/// patch without placeholders, and where nothing is hidden.
pub fn restore_patch(
    redactor: &Redactor,
    path: &str,
    bytes: &[u8],
    hunks: &[PatchHunk],
) -> Result<Option<Vec<u8>>, EngineError> {
    if !hunks.iter().any(has_mark) {
        return Ok(None);
    }
    let (text, encoding) = text_of(path, bytes)?;
    let file = RedactedFile::new(redactor, &text);
    if file.view() == text {
        return Ok(None);
    }
    let mismatch = |mismatch: HunkMismatch| EngineError::HunkMismatch {
        path: path.to_owned(),
        message: mismatch.to_string(),
    };
    let (after, places) = placed_hunks(file.view().as_bytes(), hunks).map_err(mismatch)?;
    let mut patched = String::with_capacity(text.len());
    let mut from = 0;
    for place in places {
        let new = std::str::from_utf8(&after[place.after])
            .map_err(|error| not_text(path, error.valid_up_to()))?;
        let restored = file
            .restore_at(place.before, new)
            .map_err(|error| unmatched(path, &error.to_string()))?;
        patched.push_str(&text[from..restored.range.start]);
        patched.push_str(&restored.new_string);
        from = restored.range.end;
    }
    patched.push_str(&text[from..]);
    Ok(Some(encoding.encode(patched.as_bytes())))
}

/// The content with the true bytes behind its placeholders.
pub fn restore_whole<'a>(
    redactor: &Redactor,
    path: &str,
    shown: &[u8],
    content: &'a [u8],
) -> Result<Cow<'a, [u8]>, EngineError> {
    let Ok((new, encoding)) = text_of(path, content) else { return Ok(Cow::Borrowed(content)) };
    if !new.contains(MARK) {
        return Ok(Cow::Borrowed(content));
    }
    let Ok((base, _)) = text_of(path, shown) else { return Err(unmatched(path, NO_TEXT)) };
    let file = RedactedFile::new(redactor, &base);
    if file.view() == base {
        // Nothing is hidden in the base, so the marks are plain text of the agent's own.
        return Ok(Cow::Borrowed(content));
    }
    let restored = file.restore_whole(&new).map_err(|error| unmatched(path, &error.to_string()))?;
    Ok(Cow::Owned(encoding.encode(restored.as_bytes())))
}

fn has_mark(hunk: &PatchHunk) -> bool {
    let in_line =
        |line: &HunkLine| line.text.windows(MARK.len()).any(|window| window == MARK.as_bytes());
    let in_heading = match &hunk.place {
        HunkPlace::Context { headings, .. } => headings.iter().any(|line| line.contains(MARK)),
        HunkPlace::Line { .. } => false,
    };
    in_heading || hunk.lines.iter().any(in_line)
}

fn not_text(path: &str, offset: usize) -> EngineError {
    EngineError::NotText { path: path.to_owned(), source: EncodingError::Other { offset } }
}

fn unmatched(path: &str, message: &str) -> EngineError {
    EngineError::Placeholder { path: path.to_owned(), message: message.to_owned() }
}

#[cfg(test)]
#[path = "placeholders_tests.rs"]
mod tests;
