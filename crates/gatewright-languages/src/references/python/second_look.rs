//! The last look before a warning: does any file of the workspace give that name after all?
//!
//! Mixins use members of classes that they are mixed into, tests and plugins
//! set attributes from outside. A search of the text finds that, and costs
//! nothing while there is nothing to warn of.

use crate::references::session::Session;
use crate::references::words;

/// Whether a file other than `path` sets `name` as an attribute, or spells it in a string and sets
/// attributes by strings.
pub(super) fn sets_attribute(session: &Session<'_>, name: &str, path: &str) -> bool {
    let asked = ("python sets", name);
    session.any_other(asked, path, is_python, |_, text, _| puts(text, name))
}

/// Whether a file other than `path` puts `name` into a module whose name ends like that: as an
/// attribute of it, or by a string in a file that sets attributes by strings.
///
/// Whoever does so names the module; an empty name is that of any.
pub(super) fn sets_in_module(
    session: &Session<'_>,
    name: &str,
    (path, module): (&str, &str),
) -> bool {
    let both = format!("{name} {module}");
    session.any_other(("python sets in module", &both), path, is_python, |_, text, _| {
        (module.is_empty() || words::contains(text, module)) && puts(text, name)
    })
}

fn puts(text: &[u8], name: &str) -> bool {
    let mut uses = words::occurrences(text, name);
    uses.any(|start| match start.checked_sub(1).and_then(|index| text.get(index)) {
        Some(b'"' | b'\'') => {
            is_attribute_set(text, start, start + name.len()) && sets_by_string(text)
        }
        _ => is_attribute_set(text, start, start + name.len()),
    })
}

/// Whether a file sets names that it spells in strings.
fn sets_by_string(text: &[u8]) -> bool {
    const SETTING: [&[u8]; 9] = [
        b"setattr(",
        b"__dict__",
        b"globals()",
        b"vars(",
        b"sys.modules",
        b"patch",
        b"tuple(",
        b"type(",
        b"**",
    ];
    SETTING.iter().any(|call| memchr::memmem::find(text, call).is_some())
}

/// Whether a file other than `path` defines `name` as a member of anything.
pub(super) fn defines_member(session: &Session<'_>, name: &str, path: &str) -> bool {
    let defines = |text: &[u8], start: usize, end: usize| {
        is_attribute_set(text, start, end) || is_definition(text, start, end)
    };
    any_use(session, ("python defines", name), path, defines)
}

/// Whether a class of a file other than `path` builds on one of that name.
pub(super) fn is_built_on(session: &Session<'_>, class: &str, path: &str) -> bool {
    let asked = ("python builds on", class);
    session.any_other(asked, path, is_python, |_, text, _| {
        words::occurrences(text, class).any(|start| is_in_head(text, start))
    })
}

/// Whether a place lies between the parentheses behind the name of a class.
fn is_in_head(text: &[u8], at: usize) -> bool {
    const LONGEST_HEAD: usize = 500;
    let before = &text[at.saturating_sub(LONGEST_HEAD)..at];
    let Some(class) = memchr::memmem::rfind(before, b"class ") else { return false };
    let head = &before[class..];
    memchr::memchr(b'(', head).is_some() && memchr::memmem::find(head, b"):").is_none()
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
