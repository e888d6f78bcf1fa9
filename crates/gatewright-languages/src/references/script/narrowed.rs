//! Whether a file asks what a name is, so that its declared type does not tell all of it.

use super::Checker;
use crate::references::words;

pub(super) fn last_word(text: &[u8]) -> &[u8] {
    let length = text.iter().rev().take_while(|byte| words::is_word(**byte)).count();
    &text[text.len() - length..]
}

pub(super) fn is_asking(function: &[u8]) -> bool {
    ["is", "has", "assert"].iter().any(|word| function.starts_with(word.as_bytes()))
}

/// Whether a name that ends there is asked about itself, and not a member of it or what a
/// parameter declares.
fn is_whole(text: &[u8], end: usize) -> bool {
    let after = text.get(end..).unwrap_or_default();
    !after.starts_with(b".") && !after.starts_with(b"?.") && !after.starts_with(b":")
}

/// Whether a text asks for a key of a name: `'key' in it`.
fn is_asked_for_a_key(text: &[u8], name: &str) -> bool {
    words::occurrences(text, name).any(|start| {
        let before = text[..start].trim_ascii_end().strip_suffix(b" in");
        let before = before.filter(|_| is_whole(text, start + name.len()));
        let last = before.map(<[u8]>::trim_ascii_end).and_then(<[u8]>::last);
        last.is_some_and(|last| matches!(last, b'\'' | b'"' | b'`'))
    })
}

/// Whether a text has a function of this name with what it does.
fn is_written_out(text: &[u8], function: &str) -> bool {
    words::occurrences(text, function).any(|start| {
        let head = text[..start].trim_ascii_end().strip_suffix(b"function");
        head.is_some_and(|head| !head.trim_ascii_end().ends_with(b"declare"))
    })
}

/// Whether a text has a function that says what its argument is: `(it): it is Till`.
fn has_predicate(text: &[u8]) -> bool {
    memchr::memmem::find_iter(text, b" is ").any(|at| {
        let word = last_word(&text[..at]);
        let before = text[..at - word.len()].trim_ascii_end();
        !word.is_empty() && (before.ends_with(b":") || before.ends_with(b"asserts"))
    })
}

impl Checker<'_> {
    pub(super) fn is_narrowed(&self, name: &str) -> bool {
        words::contains(self.text, &format!("{name} instanceof"))
            || self.is_asked(name)
            || is_asked_for_a_key(self.text, name)
            || words::contains(self.text, &format!("is{name}"))
    }

    /// Whether a function whose name asks about its argument gets a name: `isText(node)`. One that
    /// the file writes out, and that only gives yes or no, tells nothing.
    fn is_asked(&self, name: &str) -> bool {
        let is_harmless = |function: &[u8]| {
            let function = std::str::from_utf8(function).unwrap_or_default();
            is_written_out(self.text, function) && !has_predicate(self.text)
        };
        words::occurrences(self.text, name).any(|start| {
            let function = self.text[..start].strip_suffix(b"(").map(last_word);
            let function = function.filter(|_| is_whole(self.text, start + name.len()));
            function.is_some_and(|function| is_asking(function) && !is_harmless(function))
        })
    }

    /// Whether the file asks what a field is.
    pub(super) fn is_field_narrowed(&self, field: &str) -> bool {
        let of_this = format!("this.{field}");
        memchr::memmem::find_iter(self.text, &of_this).any(|at| {
            let after = self.text[at + of_this.len()..].trim_ascii_start();
            let before = self.text[..at].trim_ascii_end();
            let asks = before.strip_suffix(b"(").map(last_word).unwrap_or_default();
            after.starts_with(b"instanceof") || before.ends_with(b" in") || is_asking(asks)
        })
    }
}
