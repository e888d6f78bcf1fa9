//! Paths of Windows: drives and network shares, plain or with doubled backslashes.
//!
//! Every one is hidden but those under the workspace and those of the system.

use super::path::{continues_after_blank, end_of_name, follows_flag, is_under, push};
use super::text::{ends_apart, run_end};
use crate::egress::engine::Found;
use crate::egress::redactor::RedactionContext;

/// Looks at a drive path, `X:\…` or `X:/Users/…`, whose colon stands at `colon`.
pub fn look_at_drive(
    text: &[u8],
    colon: usize,
    context: &RedactionContext,
    found: &mut Vec<Found>,
) {
    let Some(drive) = colon.checked_sub(1).filter(|index| text[*index].is_ascii_alphabetic())
    else {
        return;
    };
    let joins = drive > 0 && (text[drive - 1].is_ascii_alphanumeric() || text[drive - 1] == b'_');
    if joins && !ends_apart(text, drive) && !follows_flag(text, drive) {
        return;
    }
    let first = run_end(text, colon + 1, |byte| matches!(byte, b'\\' | b'/'));
    let first_end = run_end(text, first, |byte| {
        byte.is_ascii_alphanumeric()
            || matches!(byte, b'_' | b'-' | b'.' | b' ' | b'(' | b')' | b'$' | b'~' | 0x80..)
    });
    let component = text[first..first_end].trim_ascii();
    let is_nobody = component.eq_ignore_ascii_case(b"users") && is_shared_user(&text[first_end..]);
    if component.len() < 2 || first - colon > 5 || is_windows_system(component) || is_nobody {
        return;
    }
    let forward = text[colon + 1] == b'/';
    let is_known = text[drive].is_ascii_uppercase() && context.workspace_root.is_some();
    if forward && !component.eq_ignore_ascii_case(b"users") && !is_known {
        return;
    }
    // Blanks belong to a name when a separator follows it.
    let is_folder =
        matches!(text.get(first_end), Some(b'\\' | b'/')) && text[first_end - 1] != b' ';
    let end = windows_end(text, if is_folder { first_end } else { first });
    let range = drive..end_of_name(text, drive, end).unwrap_or(end);
    if !is_inside_windows_workspace(&text[range.clone()], context)
        && has_two_parts(&text[first..range.end])
    {
        push(range, found);
    }
}

fn has_two_parts(rest: &[u8]) -> bool {
    rest.iter().any(|byte| matches!(byte, b'\\' | b'/')) || rest.contains(&b'.')
}

fn is_windows_system(component: &[u8]) -> bool {
    [b"windows".as_slice(), b"program files", b"program files (x86)", b"programdata", b"winnt"]
        .iter()
        .any(|name| component.to_ascii_lowercase().starts_with(name))
}

/// True when the folder of a user that `rest` begins with, behind its separators, is everybody's.
fn is_shared_user(rest: &[u8]) -> bool {
    const SHARED: [&[u8]; 3] = [b"Public", b"Default", b"All Users"];
    let is_separator = |byte: &u8| matches!(byte, b'\\' | b'/');
    let name = &rest[rest.iter().take_while(|byte| is_separator(byte)).count()..];
    SHARED.iter().any(|shared| {
        name.get(..shared.len()).is_some_and(|head| head.eq_ignore_ascii_case(shared))
            && !name.get(shared.len()).is_some_and(|byte| {
                byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-')
            })
    })
}

fn windows_end(text: &[u8], start: usize) -> usize {
    let is_part = |byte: u8| {
        byte.is_ascii_alphanumeric()
            || matches!(
                byte,
                b'\\'
                    | b'/'
                    | b'.'
                    | b'_'
                    | b'-'
                    | b'+'
                    | b'@'
                    | b'$'
                    | b'~'
                    | b'#'
                    | b'='
                    | b'%'
                    | b'!'
                    | 0x80..
            )
    };
    let mut end = start;
    loop {
        end = run_end(text, end, is_part);
        let blank = text.get(end) == Some(&b' ');
        if blank
            && (continues_after_blank(text, start, end, b'\\')
                || continues_after_blank(text, start, end, b'/'))
        {
            end += 1;
        } else {
            break;
        }
    }
    while end > start && matches!(text[end - 1], b'.' | b'\\' | b'=') {
        end -= 1;
    }
    end
}

pub(super) fn is_inside_windows_workspace(path: &[u8], context: &RedactionContext) -> bool {
    let Some(root) = &context.workspace_root else { return false };
    let fold = |bytes: &[u8]| -> Vec<u8> {
        let mut folded: Vec<u8> = bytes
            .iter()
            .map(|byte| if *byte == b'\\' { b'/' } else { byte.to_ascii_lowercase() })
            .collect();
        folded.dedup_by(|left, right| *left == b'/' && *right == b'/');
        folded
    };
    is_under(&fold(path), fold(root.trim_end_matches(['/', '\\']).as_bytes()).as_slice())
}

/// Looks at a network path, `\\server\share\…`, whose backslashes start at `start`.
pub fn look_at_network(text: &[u8], start: usize, found: &mut Vec<Found>) {
    let joins = start > 0 && (text[start - 1] == b'\\' || text[start - 1].is_ascii_alphanumeric());
    if joins && !ends_apart(text, start) && !follows_flag(text, start) {
        return;
    }
    let server = run_end(text, start, |byte| byte == b'\\');
    let slashes = server - start;
    let is_part = |byte: u8| {
        byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-' | b'$' | b'?' | 0x80..)
    };
    let server_end = run_end(text, server, is_part);
    let share = run_end(text, server_end, |byte| byte == b'\\');
    let share_end = run_end(text, share, |byte| is_part(byte) || byte == b':');
    if is_escape(&text[server..server_end]) || is_escape(&text[share..share_end]) {
        return;
    }
    let shaped = matches!((slashes, share - server_end), (2, 1) | (4, 2) | (8, 4));
    let named =
        (server_end - server >= 2 || text.get(server) == Some(&b'?')) && share_end - share >= 2;
    if shaped
        && named
        && !text[server..server_end].contains(&b'$') | text[server..server_end].starts_with(b"wsl")
    {
        push(start..windows_end(text, share), found);
    }
}

/// `xff` and `u00e9`: the rest of an escape, not the name of a machine.
fn is_escape(part: &[u8]) -> bool {
    let digits = match part.first() {
        Some(b'x') => 2,
        Some(b'u') => 4,
        Some(b'U') => 8,
        _ => return false,
    };
    part.len() > digits && part[1..=digits].iter().all(u8::is_ascii_hexdigit)
}
