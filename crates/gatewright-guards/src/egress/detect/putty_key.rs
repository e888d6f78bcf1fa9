//! Key files of PuTTY, which have no markers: their first line names them, and their last one
//! closes them.

use super::private_key::{Block, base64_runs, holds_placeholder, undecorated, walk};
use super::text::{is_base64_byte, run_end};
use crate::egress::engine::Found;
use crate::egress::kind::Kind;

/// Looks at a PuTTY key whose first words stand at `start`.
pub fn look_at_ppk(text: &[u8], start: usize, found: &mut Vec<Found>) {
    if let Block::Key { range, .. } = ppk_block(text, start) {
        found.push(Found::new(range, Kind::PrivateKey, "putty-private-key"));
    }
}

/// The PuTTY key file that starts at `start`.
pub fn ppk_block(text: &[u8], start: usize) -> Block {
    const REACH: usize = 16 * 1024;
    let rest = &text[start..(start + REACH).min(text.len())];
    let next = memchr::memmem::find(&rest[1..], b"PuTTY-User-Key-File-");
    let rest = next.map_or(rest, |next| &rest[..next + 1]);
    let Some(private) = memchr::memmem::find(rest, b"Private-Lines:") else {
        return match next.is_none() && rest.len() < REACH && looks_like_ppk(rest) {
            true => Block::Undecided,
            false => Block::NoKey,
        };
    };
    // What comes later must not make a key of what was none.
    let above = memchr::memrchr(b'\n', &rest[..private]).unwrap_or_default();
    if !looks_like_ppk(&rest[..above]) {
        return Block::NoKey;
    }
    let after = start + private + 14;
    let behind = &text[after..(after + REACH).min(text.len())];
    let mac = memchr::memmem::find(behind, b"Private-MAC:")
        .or_else(|| memchr::memmem::find(behind, b"Private-Hash:"));
    if let Some(mac) = mac {
        let value = run_end(text, after + mac + 12, |byte| matches!(byte, b' ' | b':'));
        let end = run_end(text, value, |byte| byte.is_ascii_hexdigit());
        return Block::Key { range: start..end, open: false };
    }
    walk(text, start, run_end(text, after, |byte| byte == b' ' || byte.is_ascii_digit()))
}

/// How much base64 makes a line of a PuTTY key, whatever stands before it.
const PPK_LINE: usize = 16;

fn looks_like_ppk(rest: &[u8]) -> bool {
    rest.split(|byte| *byte == b'\n').all(|line| {
        let core = undecorated(line);
        let is_part = core.is_empty()
            || core.contains(&b':')
            || core.iter().all(|byte| is_base64_byte(*byte) || *byte == b'=')
            || base64_runs(line).any(|run| run.len() >= PPK_LINE);
        // What was hidden on it alone was no part of a key.
        is_part && !holds_placeholder(line)
    })
}
