//! Absolute paths outside the workspace, when they say something about a person or a machine.
//!
//! Home directories of every system are hidden wherever they stand. When the
//! workspace is known, so is every other path that is clearly one of a file
//! system and not under it. Paths that every system has stay, and so do routes,
//! imports and the paths of URLs.

use std::ops::Range;
use std::sync::LazyLock;

use super::path_windows::is_inside_windows_workspace;
use super::text::{Words, ends_apart, line_around, run_end, run_start, starts_at};
use crate::egress::engine::Found;
use crate::egress::kind::Kind;
use crate::egress::redactor::RedactionContext;

/// First components that every system has and that name nobody.
const SYSTEM: [&str; 30] = [
    "usr",
    "etc",
    "dev",
    "proc",
    "sys",
    "bin",
    "sbin",
    "lib",
    "lib32",
    "lib64",
    "libx32",
    "opt",
    "run",
    "boot",
    "var",
    "tmp",
    "nix",
    "snap",
    "System",
    "Library",
    "Applications",
    "app",
    "kaniko",
    "gnu",
    "lost+found",
    "cores",
    "selinux",
    "vmlinuz",
    "Developer",
    "github",
];

/// First components that hold people's files or mounted disks, and that no route begins with.
const STORAGE: [&str; 46] = [
    "srv",
    "data",
    "mnt",
    "media",
    "work",
    "workspace",
    "workspaces",
    "projects",
    "project",
    "repos",
    "code",
    "build",
    "builds",
    "scratch",
    "nfs",
    "net",
    "Volumes",
    "vol",
    "volume1",
    "export",
    "exports",
    "storage",
    "share",
    "shares",
    "shared",
    "backup",
    "backups",
    "homes",
    "u",
    "people",
    "afs",
    "gpfs",
    "lustre",
    "cluster",
    "efs",
    "raid",
    "tank",
    "sdcard",
    "home2",
    "disk",
    "disk1",
    "ssd",
    "mount",
    "cygdrive",
    "persist",
    "archive",
];

/// Beginnings after which a person's name follows.
const HOMES: [&str; 27] = [
    "/home/",
    "/Users/",
    "/var/home/",
    "/usr/home/",
    "/export/home/",
    "/mnt/c/Users/",
    "/mnt/d/Users/",
    "/cygdrive/c/Users/",
    "/c/Users/",
    "/d/Users/",
    "/nfs/home/",
    "/nfs/homes/",
    "/net/home/",
    "/homes/",
    "/home1/",
    "/home2/",
    "/data/home/",
    "/data/users/",
    "/srv/home/",
    "/srv/people/",
    "/media/",
    "/run/media/",
    "/Volumes/Users/",
    "/var/mail/",
    "/u/home/",
    "/System/Volumes/Data/Users/",
    "/mnt/home/",
];

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
    is_home(rest) || (context.workspace_root.is_some() && is_storage(rest, context))
}

/// True when the byte before a slash lets an absolute path begin.
fn starts_a_path(text: &[u8], slash: usize) -> bool {
    if !text
        .get(slash + 1)
        .is_some_and(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_'))
    {
        return false;
    }
    let Some(before) = slash.checked_sub(1).map(|index| text[index]) else { return true };
    if ends_apart(text, slash) {
        return true;
    }
    if before.is_ascii_alphanumeric() {
        let flag = run_start(text, slash, |byte| byte.is_ascii_alphabetic());
        let is_flag = flag > 0
            && text[flag - 1] == b'-'
            && matches!(&text[flag..slash], b"I" | b"L" | b"F" | b"B" | b"isystem" | b"o" | b"C");
        return is_flag;
    }
    !matches!(
        before,
        b'/' | b'.'
            | b'_'
            | b'-'
            | b'~'
            | b'<'
            | b'%'
            | b'\\'
            | b'*'
            | b'}'
            | b')'
            | b'$'
            | b'^'
            | b'?'
            | b']'
            | 0x80..
    )
}

fn is_path_byte(byte: u8) -> bool {
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
        } else if text.get(end) == Some(&b' ') && continues_after_blank(text, start, end, b'/') {
            end += 1;
        } else {
            break;
        }
    }
    while end > start + 1 && matches!(text[end - 1], b'.' | b'=' | b'#' | b'@') {
        end -= 1;
    }
    end
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
        || path.starts_with(b"/private/var/folders/")
        || path.starts_with(b"/var/folders/")
    {
        return true;
    }
    HOMES.iter().any(|home| {
        path.starts_with(home.as_bytes())
            && path[home.len()..].split(|byte| *byte == b'/').next().is_some_and(is_person)
    })
}

/// A login name, not an identifier of a route.
fn is_person(component: &[u8]) -> bool {
    !component.is_empty()
        && component.iter().any(|byte| byte.is_ascii_alphabetic() || *byte >= 0x80)
        && !matches!(component, b"Shared" | b"cdrom" | b"floppy" | b"Public" | b".")
}

fn is_storage(path: &[u8], context: &RedactionContext) -> bool {
    let mut components =
        path.split(|byte| *byte == b'/').skip(1).filter(|component| !component.is_empty());
    let (Some(first), Some(_)) = (components.next(), components.next()) else { return false };
    let is = |list: &[&str]| list.iter().any(|name| name.as_bytes() == first);
    if is(&SYSTEM) {
        return false;
    }
    let root = context.workspace_root.as_deref().unwrap_or_default().as_bytes();
    let sibling = root.split(|byte| *byte == b'/').nth(1) == Some(first);
    sibling || is(&STORAGE)
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
    SIGNS.iter().any(|sign| text[..slash].ends_with(sign))
}

/// Looks at `~/…` or `~name/…`, whose tilde stands at `tilde`.
pub fn look_at_tilde(text: &[u8], tilde: usize, found: &mut Vec<Found>) {
    let before = tilde.checked_sub(1).map(|index| text[index]);
    let begins = ends_apart(text, tilde)
        || before.is_none_or(|byte| {
            byte.is_ascii_whitespace()
                || matches!(
                    byte,
                    b'"' | b'\'' | b'`' | b'=' | b'(' | b':' | b',' | b'[' | b'>' | b'|'
                )
        });
    let name_end = run_end(text, tilde + 1, |byte| {
        byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
    });
    let follows = text
        .get(name_end + 1)
        .is_some_and(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_'));
    let is_name = text[tilde + 1..name_end].first().is_none_or(u8::is_ascii_alphabetic);
    if begins && follows && is_name && text.get(name_end) == Some(&b'/') && !is_import(text, tilde)
    {
        push(tilde..path_end(text, tilde), found);
    }
}

/// True when the line up to `at` shows that a module is named there.
fn is_import(text: &[u8], at: usize) -> bool {
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
        return;
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
    let end = path_end(text, path).max(if is_drive { range.end } else { 0 });
    push(start..end, found);
}

pub(super) fn push(range: Range<usize>, found: &mut Vec<Found>) {
    found.push(Found::new(range, Kind::Path, "outside-path"));
}
