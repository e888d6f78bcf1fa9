//! Text edits applied in order to one file. Pure.

use gatewright_model::TextEdit;

use crate::EngineError;

/// Applies `edits` one after the other; each must name its place without doubt.
pub fn apply_edits(path: &str, text: &str, edits: &[TextEdit]) -> Result<String, EngineError> {
    let mut text = text.to_owned();
    for (index, edit) in edits.iter().enumerate() {
        text = apply_edit(path, &text, edit, index + 1)?;
    }
    Ok(text)
}

fn apply_edit(
    path: &str,
    text: &str,
    edit: &TextEdit,
    number: usize,
) -> Result<String, EngineError> {
    if edit.old.is_empty() {
        return insert_into_empty(path, text, edit, number);
    }
    let (old, new) = match text.matches(edit.old.as_str()).count() {
        0 => with_line_endings_of(text, edit)
            .ok_or_else(|| not_found(path, text, &edit.old, number))?,
        _ => (edit.old.clone(), edit.new_in(text.as_bytes())),
    };
    match text.matches(old.as_str()).count() {
        1 => Ok(text.replacen(&old, &new, 1)),
        _ if edit.replace_all => Ok(text.replace(&old, &new)),
        count => Err(EngineError::EditAmbiguous { path: path.to_owned(), number, count }),
    }
}

/// An empty `old` names a place only in an empty file.
fn insert_into_empty(
    path: &str,
    text: &str,
    edit: &TextEdit,
    number: usize,
) -> Result<String, EngineError> {
    if text.is_empty() {
        return Ok(edit.new.clone());
    }
    let nearest = ", because it is empty and the file is not".to_owned();
    Err(EngineError::EditNotFound { path: path.to_owned(), number, nearest })
}

/// Agents send `\n` for files that have `\r\n`: the file's own ending wins.
fn with_line_endings_of(text: &str, edit: &TextEdit) -> Option<(String, String)> {
    if !text.contains("\r\n") || edit.old.contains('\r') {
        return None;
    }
    let old = edit.old.replace('\n', "\r\n");
    let new = edit.new.replace("\r\n", "\n").replace('\n', "\r\n");
    text.contains(&old).then_some((old, new))
}

fn not_found(path: &str, text: &str, old: &str, number: usize) -> EngineError {
    let first = old.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    let close =
        text.lines().position(|line| !first.is_empty() && line.trim() == first).map(|index| {
            format!("; its first line stands at line {}, what follows differs", index + 1)
        });
    let nearest = spelt_out(text, old).or(close).unwrap_or_default();
    EngineError::EditNotFound { path: path.to_owned(), number, nearest }
}

/// What to say where the text stands there with line breaks for what `old` spells out.
fn spelt_out(text: &str, old: &str) -> Option<String> {
    let broken = old.replace("\\r\\n", "\n").replace("\\n", "\n");
    let text = text.replace("\r\n", "\n");
    let at = (broken != old).then(|| text.find(&broken)).flatten()?;
    let line = 1 + text[..at].matches('\n').count();
    Some(format!("; at line {line} it stands with real line breaks where this spells \\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit(old: &str, new: &str) -> TextEdit {
        TextEdit { old: old.to_owned(), new: new.to_owned(), replace_all: false }
    }

    fn apply(text: &str, edits: &[TextEdit]) -> Result<String, String> {
        apply_edits("a.txt", text, edits).map_err(|error| error.to_string())
    }

    #[test]
    fn edits_apply_in_order() {
        let edits = [edit("one", "two"), edit("two", "three")];
        assert_eq!(apply("one\n", &edits).unwrap(), "three\n");
    }

    #[test]
    fn line_breaks_that_are_spelt_out_are_told() {
        for text in ["a\nb\nc\n", "a\r\nb\r\nc\r\n"] {
            let error = apply(text, &[edit("b\\nc", "d")]).unwrap_err();
            assert!(error.contains("real line breaks"), "{error}");
            let error = apply(text, &[edit("b\\nd", "d")]).unwrap_err();
            assert!(!error.contains("real line breaks"), "{error}");
        }
    }

    #[test]
    fn an_ambiguous_place_is_never_guessed() {
        let error = apply("x x", &[edit("x", "y")]).unwrap_err();
        assert!(error.contains("occurs 2 times"), "{error}");
    }

    #[test]
    fn replace_all_takes_every_occurrence() {
        let all = TextEdit { replace_all: true, ..edit("x", "y") };
        assert_eq!(apply("x x", &[all]).unwrap(), "y y");
    }

    #[test]
    fn line_feeds_stand_for_the_files_own_endings() {
        let edits = [edit("a\nb", "c\nd")];
        assert_eq!(apply("a\r\nb\r\n", &edits).unwrap(), "c\r\nd\r\n");
        let more = [edit("a", "a\nc")];
        assert_eq!(apply("a\r\nb\r\n", &more).unwrap(), "a\r\nc\r\nb\r\n");
        assert_eq!(apply("a\r\nb\n", &more).unwrap(), "a\nc\r\nb\n");
    }

    #[test]
    fn a_near_miss_says_where_it_nearly_fits() {
        let error = apply("fn a() {\n  1\n}\n", &[edit("fn a() {\n  2", "x")]).unwrap_err();
        assert!(error.contains("line 1"), "{error}");
    }
}
