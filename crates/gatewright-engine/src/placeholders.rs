//! Placeholders that come back: an agent edits a file that it saw redacted.
//!
//! Each `[REDACTED:kind]` in an edit stands for the hidden bytes at that place.
//! What cannot be matched without doubt is an error, so that a secret is never
//! lost and never overwritten with its placeholder.

use std::borrow::Cow;

use gatewright_guards::egress::{RedactedFile, Redactor, Visible};
use gatewright_model::TextEdit;

use crate::EngineError;
use crate::spelling::text_of;

const MARK: &str = "[REDACTED:";

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

/// The content with the true bytes behind its placeholders.
pub fn restore_whole<'a>(
    redactor: &Redactor,
    path: &str,
    shown: &[u8],
    content: &'a [u8],
) -> Result<Cow<'a, [u8]>, EngineError> {
    let (Ok((base, _)), Ok((new, encoding))) = (text_of(path, shown), text_of(path, content))
    else {
        return Ok(Cow::Borrowed(content));
    };
    if !new.contains(MARK) {
        return Ok(Cow::Borrowed(content));
    }
    let file = RedactedFile::new(redactor, &base);
    if file.view() == base {
        // Nothing is hidden in the base, so the marks are plain text of the agent's own.
        return Ok(Cow::Borrowed(content));
    }
    let restored = file.restore_whole(&new).map_err(|error| unmatched(path, &error.to_string()))?;
    Ok(Cow::Owned(encoding.encode(restored.as_bytes())))
}

fn unmatched(path: &str, message: &str) -> EngineError {
    EngineError::Placeholder { path: path.to_owned(), message: message.to_owned() }
}

#[cfg(test)]
mod tests {
    use gatewright_languages::syntax::Encoding;

    use super::*;

    const FILE: &str = "API_TOKEN = \"q7Zxabcfoo9LbT4sKd8RfW3nYc\"\nname = \"foo\"\nfoo = 3\n";

    fn edited(file: &str, old: &str, new: &str, replace_all: bool) -> Result<String, EngineError> {
        let edit = TextEdit { old: old.to_owned(), new: new.to_owned(), replace_all };
        let edits = [edit];
        let edits = restore_edits(&Redactor::default(), "a.py", file, &edits)?;
        crate::edit_text::apply_edits("a.py", file, &edits)
    }

    #[test]
    fn replacing_every_occurrence_leaves_hidden_values_as_they_are() {
        let after = edited(FILE, "foo", "bar", true).ok();
        let expected = FILE.replace("\"foo\"", "\"bar\"").replace("foo = 3", "bar = 3");
        assert_eq!(after, Some(expected));
    }

    #[test]
    fn a_part_of_a_hidden_value_is_as_little_found_as_another_text() {
        let message = |old: &str| edited(FILE, old, "x", false).err().map(|one| one.to_string());
        assert!(message("q7Zxa").is_some());
        assert_eq!(message("q7Zxa"), message("q7Zxb"));
    }

    #[test]
    fn a_whole_write_keeps_the_secret_of_a_file_in_utf_16() {
        let spelt = |text: &str| Encoding::Utf16Le.encode(text.as_bytes());
        let view = "API_TOKEN = \"[REDACTED:api-key]\"\nname = \"bar\"\n";
        let redactor = Redactor::default();
        let shown = RedactedFile::new(&redactor, FILE).view().to_owned();
        assert!(shown.starts_with(view.lines().next().unwrap_or_default()), "{shown}");
        let true_text = "API_TOKEN = \"q7Zxabcfoo9LbT4sKd8RfW3nYc\"\nname = \"bar\"\n";
        let written = |content: &[u8]| {
            restore_whole(&redactor, "a.py", &spelt(FILE), content).map(Cow::into_owned).ok()
        };
        assert_eq!(written(view.as_bytes()), Some(true_text.as_bytes().to_vec()));
        assert_eq!(written(&spelt(view)), Some(spelt(true_text)));
    }

    #[test]
    fn placeholders_come_back_over_lines_that_end_with_a_return() {
        let file = "A_PASSWORD=Zebra7!x\r\nb = 2\r\n";
        let (old, new) =
            ("A_PASSWORD=[REDACTED:password]\nb = 2", "A_PASSWORD=[REDACTED:password]\nb = 3");
        assert_eq!(edited(file, old, new, false).ok(), Some(file.replace('2', "3")));
    }
}
