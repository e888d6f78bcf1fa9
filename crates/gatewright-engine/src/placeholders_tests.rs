//! Placeholders that come back, through every way in which an agent can change a file.

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

#[test]
fn a_placeholder_over_a_file_that_is_no_text_is_refused() {
    let redactor = Redactor::default();
    let whole = |content: &[u8]| {
        restore_whole(&redactor, "a.py", b"caf\xe9 = 1\n", content).map(Cow::into_owned).ok()
    };
    assert_eq!(whole(b"KEY = \"[REDACTED:api-key]\"\n"), None);
    assert_eq!(whole(b"cafe = 1\n"), Some(b"cafe = 1\n".to_vec()));
}
