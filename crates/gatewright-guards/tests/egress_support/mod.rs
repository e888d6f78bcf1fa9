//! What the tests of the redactor share: a text in which what must be hidden is marked.

use gatewright_guards::egress::{Kind, Redactor};

/// Asserts that only what stands between `«` and `»` is hidden.
pub fn only(redactor: &Redactor, marked: &str) {
    let text = marked.replace(['«', '»'], "");
    let redacted = redactor.redact(&text).text;
    let mut expected = String::new();
    let mut rest = marked;
    while let Some((before, behind)) = rest.split_once('«') {
        expected += before;
        let (_, after) = behind.split_once('»').unwrap_or((behind, ""));
        let from = expected.len();
        let kind = Kind::ALL.iter().find(|kind| {
            redacted.get(from..).is_some_and(|shown| shown.starts_with(kind.placeholder()))
        });
        expected += kind.map_or("nothing hidden here", |kind| kind.placeholder());
        rest = after;
    }
    assert_eq!(redacted, expected + rest, "in {text:?}");
}
