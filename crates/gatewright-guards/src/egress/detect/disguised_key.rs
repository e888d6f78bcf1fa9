//! Private keys whose markers or lines are disguised: escapes, invisible characters, colours.
//!
//! A view of the text shows them as they read, but only of lines that belong together; here
//! is said which lines do.

use super::private_key::{Block, holds_placeholder, marker_start, walk};
use super::text::{line_around, run_start};
use crate::egress::engine::Found;
use crate::egress::kind::Kind;
use crate::egress::shadow::{View, plain};

/// The longest line that may hold a disguised marker: each character may be an escape.
const LONGEST_MARKER: usize = 640;

/// The block in whose first line a part of the opening marker stands at `at`, and which opens
/// there as it reads and not as it stands.
pub fn disguised_block(text: &[u8], at: usize) -> Block {
    const LABEL: &[u8] = b"PRIVATE KEY";
    let line = line_around(text, at);
    let bytes = &text[line.clone()];
    if line.len() > LONGEST_MARKER || !is_disguised(bytes) {
        return Block::NoKey;
    }
    // What opens a block as it stands is looked at without this.
    let opens = |label: usize| marker_start(text, line.start + label).is_some();
    if memchr::memmem::find_iter(bytes, LABEL).any(opens) {
        return Block::NoKey;
    }
    let Some(read) = plain(&View::of(bytes)) else { return Block::NoKey };
    match marker(read.bytes()) {
        Some(dashes) => walk(text, line.start + read.source(&(dashes..dashes + 1)).start, line.end),
        None => Block::NoKey,
    }
}

/// Where the opening marker of a private key begins in a line.
fn marker(line: &[u8]) -> Option<usize> {
    let begin = memchr::memmem::find(line, b"-BEGIN ")?;
    let is_label =
        |byte: &&u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || **byte == b' ';
    let label = line[begin + 1..].iter().take_while(is_label).count();
    let label = line[begin + 1..begin + 1 + label].trim_ascii_end();
    let dashes = run_start(line, begin + 1, |byte| byte == b'-');
    let is_private = label.ends_with(b"PRIVATE KEY") || label.ends_with(b"PRIVATE KEY BLOCK");
    (is_private && begin + 1 - dashes >= 2).then_some(dashes)
}

/// Looks at the block of whose disguised marker a part stands at `at`.
pub fn look_at_disguised(text: &[u8], at: usize, found: &mut Vec<Found>) {
    if let Block::Key { range, .. } = disguised_block(text, at) {
        found.push(Found::new(range, Kind::PrivateKey, "private-key-block"));
    }
}

/// True for a line that is short enough for one of a key and shows a sign of escapes.
pub fn is_disguised(line: &[u8]) -> bool {
    const LONGEST: usize = 4 * 1024;
    let is_sign = |byte: &u8| matches!(byte, b'&' | b'%' | b'\\' | 0x1b | 0x80..);
    line.len() <= LONGEST && !holds_placeholder(line) && line.iter().any(is_sign)
}
