//! Homes of people on another machine, with slashes as Unix and Git write them.

use super::path::{follows_flag, is_path_byte, is_person};
use super::text::{ends_apart, run_end, run_start, starts_at};

/// Where a machine that others reach keeps the files of people.
const SHARES: [&str; 8] =
    ["/users/", "/Users/", "/home/", "/homes/", "/Home/", "/profiles/", "/people/", "/personal/"];

/// Where the name of a machine begins before the home directory at `slash`: `//nas/users/ann/x`.
///
/// A site has such a path too, but a name with a dot, and people only by their number.
pub fn share_before(text: &[u8], slash: usize) -> Option<usize> {
    const LONGEST: usize = 64;
    let is_host = |byte: u8| byte.is_ascii_alphanumeric() || b".-_@:".contains(&byte);
    let floor = slash.saturating_sub(LONGEST);
    let host = floor + run_start(&text[floor..slash], slash - floor, is_host);
    let start = host.checked_sub(2).filter(|start| starts_at(text, *start, b"//"))?;
    let is_share = |home: &&&str| starts_at(text, slash, home.as_bytes());
    let home = SHARES.iter().find(is_share)?;
    let rest = &text[slash + home.len()..];
    let person = &rest[..run_end(rest, 0, |byte| is_path_byte(byte) && byte != b'/')];
    let is_near = is_machine(&text[host..slash]) && is_person(person);
    if is_person(person) && is_remote(&text[..start]) {
        return Some(slash);
    }
    (is_near && lets_share_begin(text, start)).then_some(start)
}

/// True when `before` ends with a scheme whose addresses lead to files of people and to no pages.
fn is_remote(before: &[u8]) -> bool {
    const SCHEMES: [&[u8]; 7] = [b"scp:", b"ssh:", b"sftp:", b"rsync:", b"smb:", b"nfs:", b"afp:"];
    SCHEMES.iter().any(|scheme| before.ends_with(scheme))
}

/// True for the name of a machine near by, or its number.
fn is_machine(host: &[u8]) -> bool {
    const NEAR: [&[u8]; 5] = [b".local", b".lan", b".internal", b".corp", b".intranet"];
    let is_number = host.iter().all(|byte| byte.is_ascii_digit() || *byte == b'.');
    host.len() >= 2
        && (!host.contains(&b'.') || is_number || NEAR.iter().any(|end| host.ends_with(end)))
}

/// True when the two slashes at `start` are the first of something.
fn lets_share_begin(text: &[u8], start: usize) -> bool {
    let before = start.checked_sub(1).map(|index| text[index]);
    ends_apart(text, start)
        || follows_flag(text, start)
        || before.is_none_or(|byte| byte.is_ascii_whitespace() || b"\"'`=([<>,;|".contains(&byte))
}
