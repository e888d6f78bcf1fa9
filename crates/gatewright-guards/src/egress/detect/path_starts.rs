//! Whether a path begins at a slash, by what stands before it.

use super::path::{follows_flag, is_doubled, is_import};
use super::text::{ends_apart, run_end};

/// True when the byte before a slash lets an absolute path begin.
pub fn starts_a_path(text: &[u8], slash: usize) -> bool {
    let first = text.get(slash + 1);
    if !first.is_some_and(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_')) {
        return false;
    }
    let Some(before) = slash.checked_sub(1).map(|index| text[index]) else { return true };
    if ends_apart(text, slash) {
        return true;
    }
    if before.is_ascii_alphanumeric() {
        return follows_flag(text, slash);
    }
    // An address of a file has three slashes before an absolute path: `sqlite:////home/…`.
    if before == b'/' && (is_doubled(text, slash) || text[..slash].ends_with(b":///")) {
        return true;
    }
    if before == b'@' && is_import(text, slash - 1) {
        return false;
    }
    if before == b'<' {
        return is_in_brackets(text, slash);
    }
    if before == b'*' {
        return is_bold(text, slash);
    }
    !matches!(
        before,
        b'/' | b'.'
            | b'_'
            | b'-'
            | b'~'
            | b'%'
            | b'\\'
            | b'}'
            | b')'
            | b'$'
            | b'^'
            | b'?'
            | b']'
            | 0x80..
    )
}

/// `</home/ann/x>`: a path between brackets, where the name of an element has no slash in it.
pub fn is_in_brackets(text: &[u8], slash: usize) -> bool {
    const NAME: usize = 16;
    let near = &text[slash + 1..(slash + 1 + NAME).min(text.len())];
    let end = run_end(near, 0, |byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'));
    near.get(end) == Some(&b'/')
}

/// `**/home/ann/x**`: a path between the signs of bold letters, and no pattern of paths.
fn is_bold(text: &[u8], slash: usize) -> bool {
    const LONGEST: usize = 256;
    let opens = text[..slash].strip_suffix(b"**");
    let near = &text[slash..(slash + LONGEST).min(text.len())];
    let near = &near[..memchr::memchr(b'\n', near).unwrap_or(near.len())];
    opens.is_some_and(|before| before.last().is_none_or(u8::is_ascii_whitespace))
        && memchr::memmem::find(near, b"**")
            .is_some_and(|close| near[close - 1] != b'/' && !near[close + 2..].starts_with(b"/"))
}
