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

/// Whether a file other than `path` puts `name` into a module: as an attribute of it, or by a
/// string in a file that sets attributes by strings.
pub(super) fn sets_in_module(session: &Session<'_>, name: &str, path: &str) -> bool {
    let asked = ("python sets in module", name);
    session.any_other(asked, path, is_python, |_, text, _| {
        let mut uses = words::occurrences(text, name);
        uses.any(|start| match start.checked_sub(1).and_then(|index| text.get(index)) {
            Some(b'"' | b'\'') => {
                is_attribute_set(text, start, start + name.len()) && sets_by_string(text)
            }
            _ => is_attribute_set(text, start, start + name.len()),
        })
    })
}

/// Whether a file sets names that it spells in strings.
fn sets_by_string(text: &[u8]) -> bool {
    const SETTING: [&[u8]; 6] =
        [b"setattr(", b"__dict__", b"globals()", b"vars(", b"sys.modules", b"patch"];
    SETTING.iter().any(|call| memchr::memmem::find(text, call).is_some())
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
        Some(b'.') => {
            is_assigned(line_before(text, start), &text[end..]) || is_added_to(&text[end..])
        }
        Some(b'"' | b'\'') => matches!(text.get(end), Some(b'"' | b'\'')),
        _ => false,
    }
}

fn is_definition(text: &[u8], start: usize, end: usize) -> bool {
    let before = line_before(text, start);
    match before {
        b"def" | b"async def" | b"class" => true,
        _ => (before.is_empty() || before.ends_with(b"self.")) && is_assigned(before, &text[end..]),
    }
}

/// What stands before a place in its line.
fn line_before(text: &[u8], start: usize) -> &[u8] {
    text[..start].rsplit(|byte| *byte == b'\n').next().unwrap_or_default().trim_ascii()
}

/// Whether what stands around a name gives it a value, alone or with others.
fn is_assigned(before: &[u8], after: &[u8]) -> bool {
    let after = after.trim_ascii_start();
    match after {
        [b'=', next, ..] => *next != b'=',
        [b':', ..] => before.iter().all(|byte| is_of_path(*byte)) || ends_as(before),
        [b',', ..] => is_in_targets(before, after),
        _ => false,
    }
}

fn is_added_to(after: &[u8]) -> bool {
    matches!(after.trim_ascii_start(), [b'+' | b'-' | b'|' | b'*', b'=', ..])
}

/// Whether a name is one of several that a statement gives values.
fn is_in_targets(before: &[u8], after: &[u8]) -> bool {
    let line = after.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let is_target = |byte: &u8| is_of_path(*byte) || b", *()[]".contains(byte);
    match before.strip_prefix(b"for ") {
        Some(before) => before.iter().all(is_target),
        None => before.iter().all(is_target) && memchr::memchr(b'=', line).is_some(),
    }
}

/// Whether `with … as` stands before a name.
fn ends_as(before: &[u8]) -> bool {
    let path = before.iter().rev().take_while(|byte| is_of_path(**byte)).count();
    before[..before.len() - path].trim_ascii_end().ends_with(b" as")
}

fn is_of_path(byte: u8) -> bool {
    words::is_word(byte) || byte == b'.'
}
