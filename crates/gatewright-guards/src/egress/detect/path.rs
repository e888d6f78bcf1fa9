//! Absolute paths outside the workspace, when they say something about a person or a machine.
//!
//! Home directories of every system are hidden wherever they stand. When the
//! workspace is known, so is every other path that is clearly one of a file
//! system and not under it. Paths that every system has stay, and so do routes,
//! imports and the paths of URLs.

use std::ops::Range;
use std::sync::LazyLock;

use super::path_shares::share_before;
use super::path_starts::starts_a_path;
use super::path_windows::is_inside_windows_workspace;
use super::path_words::{HOME_FOLDERS, HOMES, SECTIONS, STORAGE, SYSTEM, is_own_installation};
use super::text::{Words, ends_apart, is_digits, line_around, run_end, run_start, starts_at};
use crate::egress::engine::Found;
use crate::egress::kind::Kind;
use crate::egress::redactor::RedactionContext;

/// Looks at a path that starts with the slash at `slash`.
pub fn look_at_unix(text: &[u8], slash: usize, context: &RedactionContext, found: &mut Vec<Found>) {
    if !starts_a_path(text, slash) {
        return;
    }
    let range = slash..path_end(text, slash);
    if is_outside(text, &range, context) && !is_web_route(text, slash) {
        push(range, found);
    }
}

/// Looks at a home directory that starts with the slash at `slash`, also on another machine.
pub fn look_at_home(text: &[u8], slash: usize, context: &RedactionContext, found: &mut Vec<Found>) {
    match share_before(text, slash) {
        Some(start) => push(start..path_end(text, slash), found),
        None => look_at_unix(text, slash, context, found),
    }
}

/// False when the path at `slash` is none, or one that stays, by its first component alone.
pub fn may_be_outside(text: &[u8], slash: usize, context: &RedactionContext) -> bool {
    if !starts_a_path(text, slash) {
        return false;
    }
    if !context.user_names.is_empty() || !context.home_dirs.is_empty() {
        return true;
    }
    let rest = &text[slash..(slash + 64).min(text.len())];
    let rest = &rest[..memchr::memchr(b'\n', rest).unwrap_or(rest.len())];
    is_home(rest)
        || has_detour(rest)
        || (context.workspace_root.is_some() && is_storage(rest, context))
}

/// True when the path at `slash`, whose slashes are all escaped, may be one that does not stay.
pub fn may_be_escaped(text: &[u8], slash: usize, context: &RedactionContext) -> bool {
    const NEAR: usize = 64;
    let near = &text[slash..(slash + NEAR).min(text.len())];
    let is_named = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_');
    if !near.get(1).is_some_and(is_named) {
        return false;
    }
    let near = &near[..memchr::memchr(b'\n', near).unwrap_or(near.len())];
    let path: Vec<u8> = near.iter().copied().filter(|byte| *byte != b'\\').collect();
    is_home(&path) || context.workspace_root.is_some() && is_storage(&path, context)
}

/// True when a path has components that lead nowhere, or back.
fn has_detour(path: &[u8]) -> bool {
    let is_detour = |part: &[u8]| matches!(part, [b'/', b'/', _] | [b'/', b'.', b'/' | b'.']);
    path.windows(3).any(is_detour)
}

/// The path without detours, by its text alone.
fn straight(path: &[u8]) -> Vec<u8> {
    let mut parts: Vec<&[u8]> = Vec::new();
    for part in path.split(|byte| *byte == b'/') {
        match part {
            b"" | b"." => {}
            b".." => drop(parts.pop()),
            _ => parts.push(part),
        }
    }
    parts.iter().flat_map(|part| [b"/", *part].concat()).collect()
}

/// True when a flag that takes a path at once ends at `at`, as in `-I/usr/include`.
pub(super) fn follows_flag(text: &[u8], at: usize) -> bool {
    const FLAGS: [&[u8]; 7] = [b"I", b"L", b"F", b"B", b"isystem", b"o", b"C"];
    let flag = run_start(text, at, |byte| byte.is_ascii_alphabetic());
    flag > 0 && text[flag - 1] == b'-' && FLAGS.contains(&&text[flag..at])
}

/// True when the slash at `at` is the second of two with which a path begins, not of a comment.
pub(super) fn is_doubled(text: &[u8], at: usize) -> bool {
    let before = at.checked_sub(2).map(|index| text[index]);
    let is_apart = before.is_none_or(|byte| {
        byte.is_ascii_whitespace() || matches!(byte, b'"' | b'\'' | b'`' | b'=' | b'(' | b'[')
    });
    (is_apart || ends_apart(text, at - 1)) && is_home(&text[at..(at + 64).min(text.len())])
}

pub(super) fn is_path_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(
            byte,
            b'/' | b'.' | b'_' | b'-' | b'+' | b'@' | b'%' | b'~' | b'=' | b'#' | 0x80..
        )
}

/// The end of the path from `start`, with escaped blanks and names of two words inside.
fn path_end(text: &[u8], start: usize) -> usize {
    let mut end = start;
    loop {
        end = run_end(text, end, is_path_byte);
        if starts_at(text, end, b"\\ ") {
            end += 2;
        } else if text.get(end) == Some(&b' ') && continues_after_blank(text, start, end, b'/')
            || is_apostrophe(text, start, end)
        {
            end += 1;
        } else {
            break;
        }
    }
    end = end_of_name(text, start, end).unwrap_or(end);
    while end > start + 1 && matches!(text[end - 1], b'.' | b'=' | b'#' | b'@') {
        end -= 1;
    }
    end
}

/// `"/home/ann/tax 2025.pdf"`: the end of a name with blanks, up to the quote that closes it.
pub(super) fn end_of_name(text: &[u8], start: usize, blank: usize) -> Option<usize> {
    const NAME: usize = 80;
    const ENDING: usize = 5;
    let close = match text.get(start.checked_sub(1)?)? {
        b'>' => b'<',
        quote @ (b'"' | b'\'' | b'`') => *quote,
        _ => return None,
    };
    let near = &text[blank..(blank + NAME).min(text.len())];
    let name = &near[..memchr::memchr(close, near)?];
    let dot = memchr::memrchr(b'.', name)?;
    let is_inner = |byte: &u8| byte.is_ascii_alphanumeric() || b" ._-()&,".contains(byte);
    let is_ending = (1..=ENDING).contains(&name[dot + 1..].len())
        && name[dot + 1..].iter().all(u8::is_ascii_alphanumeric);
    // Behind a name that ends, or a comma, another one may stand.
    let words = name[1.min(name.len())..].split(|byte| *byte == b' ').count();
    let is_one = memchr::memchr(b'.', name) == Some(dot) && words <= 4 && !name.contains(&b',');
    (name.first() == Some(&b' ') && is_ending && is_one && name.iter().all(is_inner))
        .then_some(blank + name.len())
}

/// `/home/o'brien/x`: an apostrophe between two letters, in a path that no such sign begins.
fn is_apostrophe(text: &[u8], start: usize, at: usize) -> bool {
    let is_letter = |index: usize| text.get(index).is_some_and(u8::is_ascii_alphabetic);
    let is_quoted = start > 0 && text[start - 1] == b'\'';
    let next = run_end(text, at + 1, |byte| byte.is_ascii_alphanumeric());
    text.get(at) == Some(&b'\'')
        && !is_quoted
        && is_letter(at - 1)
        && is_letter(at + 1)
        && text.get(next) == Some(&b'/')
}

/// `/Users/Jane Doe/x`: a blank belongs to a path when a capital and a separator follow.
pub(super) fn continues_after_blank(
    text: &[u8],
    start: usize,
    blank: usize,
    separator: u8,
) -> bool {
    let quoted = start > 0 && matches!(text[start - 1], b'"' | b'\'' | b'`');
    let next = run_end(text, blank + 1, |byte| {
        byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-')
    });
    let is_name = text.get(blank + 1).is_some_and(u8::is_ascii_uppercase);
    next > blank + 1
        && next - blank < 32
        && text.get(next) == Some(&separator)
        && (is_name || quoted)
        && text
            .get(next + 1)
            .is_some_and(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'\\' | b'_'))
}

fn is_outside(text: &[u8], range: &Range<usize>, context: &RedactionContext) -> bool {
    let path = &text[range.clone()];
    if !has_detour(path) {
        return is_straight_outside(path, context);
    }
    // Behind a step back the rest may begin anywhere.
    let mut steps = path.windows(4).enumerate().filter(|(_, part)| *part == b"/../");
    is_straight_outside(&straight(path), context)
        || steps.any(|(step, _)| is_home(&path[step + 3..]))
}

fn is_straight_outside(path: &[u8], context: &RedactionContext) -> bool {
    if is_inside_workspace(path, context) {
        return false;
    }
    if context.home_dirs.iter().any(|home| is_under(path, home.as_bytes()))
        || names_a_user(path, context)
    {
        return true;
    }
    is_home(path) || (context.workspace_root.is_some() && is_storage(path, context))
}

fn is_inside_workspace(path: &[u8], context: &RedactionContext) -> bool {
    let Some(root) = &context.workspace_root else { return false };
    let root = root.trim_end_matches('/').as_bytes();
    is_under(path, root) && memchr::memmem::find(path, b"/../").is_none() && !path.ends_with(b"/..")
}

pub(super) fn is_under(path: &[u8], root: &[u8]) -> bool {
    root.len() > 1 && path.starts_with(root) && matches!(path.get(root.len()), None | Some(b'/'))
}

fn names_a_user(path: &[u8], context: &RedactionContext) -> bool {
    path.split(|byte| *byte == b'/').any(|component| {
        context
            .user_names
            .iter()
            .any(|name| name.len() >= 3 && name != "root" && component == name.as_bytes())
    })
}

fn is_home(path: &[u8]) -> bool {
    if path.starts_with(b"/root/")
        || path.starts_with(b"/var/root/")
        || path.starts_with(b"/private/var/root/")
        || path.starts_with(b"/private/var/folders/")
        || path.starts_with(b"/var/folders/")
        || path
            .strip_prefix(b"/run/user/")
            .is_some_and(|rest| rest.first().is_some_and(u8::is_ascii_digit))
    {
        return true;
    }
    // What is mounted from another machine, by its name.
    let mounted = path.strip_prefix(b"/net/").and_then(|rest| {
        let end = memchr::memchr(b'/', rest).filter(|end| *end > 0)?;
        rest[end..].starts_with(b"/home/").then(|| &rest[end..])
    });
    // The same files, as a process sees them.
    let process = path.strip_prefix(b"/proc/").and_then(|rest| {
        let end = memchr::memchr(b'/', rest)?;
        rest[end..].strip_prefix(b"/root").filter(|rest| rest.starts_with(b"/"))
    });
    if let Some(rest) = process.or(mounted) {
        return is_home(rest);
    }
    HOMES.iter().any(|home| {
        path.starts_with(home.as_bytes())
            && path[home.len()..].split(|byte| *byte == b'/').next().is_some_and(is_person)
    })
}

/// A login name, not an identifier of a route.
pub(super) fn is_person(component: &[u8]) -> bool {
    !component.is_empty()
        && component.iter().any(|byte| byte.is_ascii_alphabetic() || *byte >= 0x80)
        && !matches!(
            component,
            b"Shared"
                | b"cdrom"
                | b"floppy"
                | b"Public"
                | b"Default"
                | b"linuxbrew"
                | b"Macintosh HD"
                | b"."
                | b"crontabs"
                | b"atjobs"
        )
}

fn is_storage(path: &[u8], context: &RedactionContext) -> bool {
    let mut components =
        path.split(|byte| *byte == b'/').skip(1).filter(|component| !component.is_empty());
    let (Some(first), Some(_)) = (components.next(), components.next()) else { return false };
    let is = |list: &[&str]| list.iter().any(|name| name.as_bytes() == first);
    if first == b"opt" {
        return is_own_installation(path);
    }
    if is(&SYSTEM) {
        return false;
    }
    let root = context.workspace_root.as_deref().unwrap_or_default().as_bytes();
    let sibling = root.split(|byte| *byte == b'/').nth(1) == Some(first);
    sibling || is(&STORAGE) || STORAGE.iter().any(|name| is_another(first, name.as_bytes()))
}

/// `workspace-old`, `disk2`: a name of storage with a number or a word behind it.
fn is_another(component: &[u8], name: &[u8]) -> bool {
    const SHORTEST: usize = 3;
    name.len() >= SHORTEST
        && component.strip_prefix(name).is_some_and(|rest| match rest {
            [b'-' | b'_', ..] => true,
            digits => is_digits(digits),
        })
}

/// A path behind an HTTP method or in a link attribute belongs to a site.
fn is_web_route(text: &[u8], slash: usize) -> bool {
    const SIGNS: [&[u8]; 12] = [
        b"GET ",
        b"POST ",
        b"PUT ",
        b"DELETE ",
        b"PATCH ",
        b"HEAD ",
        b"href=\"",
        b"href='",
        b"action=\"",
        b"to=\"",
        b"route(\"",
        b"route('",
    ];
    const ROUTE: &[u8] = b"<Route path=\"";
    SIGNS.iter().chain([&ROUTE]).any(|sign| text[..slash].ends_with(sign))
        && !is_tree_of_person(&text[slash..path_end(text, slash)])
}

/// `/home/ann/site/index.html`, `/Users/ann/.config/x`: what a page of a site is not called.
fn is_tree_of_person(path: &[u8]) -> bool {
    // No site has these above its pages.
    const ROOTS: [&[u8]; 5] =
        [b"/cygdrive/", b"/c/Users/", b"/export/home/", b"/var/home/", b"/Volumes/"];
    if ROOTS.iter().any(|root| path.starts_with(root)) {
        return true;
    }
    let tree = path.strip_prefix(b"/home/").or_else(|| path.strip_prefix(b"/Users/"));
    let mut parts = tree.unwrap_or_default().split(|byte| *byte == b'/');
    let is_in = |list: &[&str], part: &[u8]| list.iter().any(|name| name.as_bytes() == part);
    let is_section = parts.next().is_none_or(|first| !is_person(first) || is_in(&SECTIONS, first));
    let folders: Vec<&[u8]> = parts.collect();
    let Some((last, folders)) = folders.split_last() else { return false };
    let is_own = |part: &&[u8]| part.starts_with(b".") || is_in(&HOME_FOLDERS, part);
    let dot = memchr::memrchr(b'.', last).unwrap_or_default();
    let is_file = dot > 0 && (1..5).contains(&(last.len() - dot - 1));
    !is_section && (folders.iter().any(is_own) || is_file && !folders.is_empty())
}

/// Looks at `~/…` or `~name/…`, whose tilde stands at `tilde`.
pub fn look_at_tilde(text: &[u8], tilde: usize, found: &mut Vec<Found>) {
    let before = tilde.checked_sub(1).map(|index| text[index]);
    let begins = ends_apart(text, tilde)
        || follows_flag(text, tilde)
        || before.is_none_or(|byte| {
            byte.is_ascii_whitespace()
                || matches!(
                    byte,
                    b'"' | b'\''
                        | b'`'
                        | b'='
                        | b'('
                        | b':'
                        | b','
                        | b';'
                        | b'['
                        | b'>'
                        | b'|'
                        | b'<'
                )
        });
    let name_end = run_end(text, tilde + 1, |byte| {
        byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | 0x80..)
    });
    let follows = text
        .get(name_end + 1)
        .is_some_and(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | 0x80..));
    let is_letter = |byte: &u8| byte.is_ascii_alphabetic() || *byte >= 0x80;
    let is_name = text[tilde + 1..name_end].first().is_none_or(is_letter);
    if begins && follows && is_name && text.get(name_end) == Some(&b'/') && !is_import(text, tilde)
    {
        push(tilde..path_end(text, tilde), found);
    }
}

/// True when the line up to `at` shows that a module is named there.
pub(super) fn is_import(text: &[u8], at: usize) -> bool {
    static SIGNS: LazyLock<Words> = LazyLock::new(|| {
        Words::new(&["import", "from ", "require", "@use", "url(", "alias", "\"@", "paths"])
    });
    const NEAR: usize = 40;
    if !matches!(text[..at].last(), Some(b'"' | b'\'' | b'`' | b'(')) {
        return false;
    }
    let line = line_around(text, at).start.max(at.saturating_sub(NEAR));
    SIGNS.stand_in(&text[line..at])
}

/// Looks at a `file:` URL, whose `file:` starts at `start` and `//` ends at `end`.
pub fn look_at_file_url(
    text: &[u8],
    start: usize,
    end: usize,
    context: &RedactionContext,
    found: &mut Vec<Found>,
) {
    let path = if starts_at(text, end, b"localhost/") { end + 9 } else { end };
    if text.get(path) != Some(&b'/') {
        return look_at_share(text, start, end, found);
    }
    let range = path..run_end(text, path, |byte| is_path_byte(byte) || byte == b':');
    let first = text[path + 1..range.end].split(|byte| *byte == b'/').next().unwrap_or_default();
    let is_drive = first.len() == 2 && first[1] == b':';
    let inside = is_inside_workspace(&text[range.clone()], context)
        || is_inside_windows_workspace(&text[path + 1..range.end], context);
    let system = SYSTEM.iter().any(|name| name.as_bytes() == first)
        && !is_home(&text[range.clone()])
        && !names_a_user(&text[range.clone()], context);
    if first.is_empty() || inside || (system && !is_drive) {
        return;
    }
    // Behind the colon of a drive the path goes on; behind another one stands a line.
    let end = path_end(text, if is_drive { path + 1 + first.len() } else { path });
    push(start..end, found);
}

/// Looks at a link that opens an editor, whose scheme ends at `end`: `vscode://file/home/…`.
pub fn look_at_editor_link(
    text: &[u8],
    end: usize,
    context: &RedactionContext,
    found: &mut Vec<Found>,
) {
    let is_place =
        |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'+' | b'%');
    let slash = run_end(text, end, is_place);
    let range = slash..path_end(text, slash);
    if text.get(slash) == Some(&b'/') && is_outside(text, &range, context) {
        push(range, found);
    }
}

/// Looks at a `file:` URL that names a machine, from `host` on, and a share of it.
fn look_at_share(text: &[u8], start: usize, host: usize, found: &mut Vec<Found>) {
    let is_host = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-');
    let share = run_end(text, host, is_host);
    let end = path_end(text, share);
    let parts = text[share..end].split(|byte| *byte == b'/').filter(|part| !part.is_empty());
    if share - host >= 2 && text.get(share) == Some(&b'/') && parts.count() >= 2 {
        push(start..end, found);
    }
}

pub(super) fn push(range: Range<usize>, found: &mut Vec<Found>) {
    found.push(Found::new(range, Kind::Path, "outside-path"));
}
