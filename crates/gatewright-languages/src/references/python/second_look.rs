//! The last look before a warning: does any file of the workspace give that name after all?
//!
//! Mixins use members of classes that they are mixed into, tests and plugins
//! set attributes from outside. A search of the text finds that, and costs
//! nothing while there is nothing to warn of.

use crate::references::session::{Place, Session};
use crate::references::words;

/// Whether a file other than `path` sets `name` as an attribute, or spells it in a string.
pub(super) fn sets_attribute(session: &Session<'_>, name: &str, path: &str) -> bool {
    any_use(session, ("python sets", name), path, is_attribute_set)
}

/// Whether a file other than `path` defines `name` as a member of anything.
pub(super) fn defines_member(session: &Session<'_>, name: &str, path: &str) -> bool {
    let defines = |text: &[u8], start: usize, end: usize| {
        is_attribute_set(text, start, end) || is_definition(text, start, end)
    };
    any_use(session, ("python defines", name), path, defines) || own_subclass(session, name, path)
}

/// Whether a class further down the same file defines it.
fn own_subclass(session: &Session<'_>, name: &str, path: &str) -> bool {
    let Some(text) = session.read(&Place::workspace(path)) else { return false };
    words::occurrences(&text, name).any(|start| is_definition(&text, start, start + name.len()))
}

fn any_use(
    session: &Session<'_>,
    asked: (&'static str, &str),
    path: &str,
    is_use: impl Fn(&[u8], usize, usize) -> bool,
) -> bool {
    let name = asked.1;
    session.any_other(asked, path, is_python, |_, text, _| {
        words::occurrences(text, name).any(|start| is_use(text, start, start + name.len()))
    })
}

fn is_python(path: &str) -> bool {
    [".py", ".pyi", ".pyx"].iter().any(|extension| path.ends_with(extension))
}

fn is_attribute_set(text: &[u8], start: usize, end: usize) -> bool {
    match start.checked_sub(1).and_then(|index| text.get(index)) {
        Some(b'.') => is_assigned(&text[end..]) || is_added_to(&text[end..]),
        Some(b'"' | b'\'') => matches!(text.get(end), Some(b'"' | b'\'')),
        _ => false,
    }
}

fn is_definition(text: &[u8], start: usize, end: usize) -> bool {
    let before = text[..start].rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
    let before = before.trim_ascii();
    match before {
        b"def" | b"async def" | b"class" => true,
        b"" => is_assigned(&text[end..]) || text[end..].trim_ascii_start().starts_with(b":"),
        _ => before.ends_with(b"self.") && is_assigned(&text[end..]),
    }
}

fn is_assigned(after: &[u8]) -> bool {
    let after = after.trim_ascii_start();
    match after {
        [b'=', next, ..] => *next != b'=',
        [b':', ..] | [b',', ..] => true,
        _ => false,
    }
}

fn is_added_to(after: &[u8]) -> bool {
    matches!(after.trim_ascii_start(), [b'+' | b'-' | b'|' | b'*', b'=', ..])
}
