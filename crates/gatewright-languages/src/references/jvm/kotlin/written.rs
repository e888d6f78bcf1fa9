//! What the text around a name tells before it is called missing.
//!
//! It takes warnings back and never makes one.

use super::super::super::collector::Kind;
use super::super::super::words;

/// Why a name that is not found may be there all the same; `None` when nothing speaks for it.
pub(super) fn excuse(text: &[u8], name: &str, kind: Kind, offset: usize) -> Option<&'static str> {
    match kind {
        Kind::Name if is_declared_at(text, offset) => Some("syntax error"),
        Kind::Member if has_type(text, name) => Some("function with a receiver"),
        _ => None,
    }
}

/// Whether a place declares a name, which the grammar then took for a use.
fn is_declared_at(text: &[u8], offset: usize) -> bool {
    let before = text.get(..offset).unwrap_or_default().trim_ascii_end();
    ["val", "var", "fun"].iter().any(|word| {
        let rest = before.strip_suffix(word.as_bytes());
        rest.is_some_and(|rest| rest.last().is_none_or(u8::is_ascii_whitespace))
    })
}

/// Whether the file gives a value of that name a type, which may be a function that is called on
/// others: `fun open(doors: Hall.() -> Unit) = Hall().doors()`, also by an alias of the type.
fn has_type(text: &[u8], name: &str) -> bool {
    words::occurrences(text, name).any(|at| {
        let rest = text.get(at + name.len()..).unwrap_or_default().trim_ascii_start();
        rest.first() == Some(&b':') && rest.get(1) != Some(&b':')
    })
}
