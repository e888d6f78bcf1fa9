//! What tools put around the lines of a key: before each of them, and behind.
//!
//! The line of the opening marker shows both; nothing else is known of the tool.

use std::ops::Range;

use super::private_key::{LEAST_MATERIAL, base64_runs, holds_placeholder};
use super::text::run_end;

/// What stands before the marker on its line: a time, a file name, a number, a mark.
pub fn line_prefix(text: &[u8], begin: usize) -> &[u8] {
    const LONGEST: usize = 120;
    let floor = begin.saturating_sub(LONGEST);
    match memchr::memrchr(b'\n', &text[floor..begin]) {
        Some(newline) => &text[floor + newline + 1..begin],
        None if floor == 0 => &text[..begin],
        None => &[],
    }
}

/// What stands behind the marker on its line and behind each other line: `<br>`, `" >> key.pem`.
pub fn line_suffix(text: &[u8], begin: usize, body: usize) -> &[u8] {
    const LONGEST: usize = 64;
    let near = &text[body..(body + LONGEST).min(text.len())];
    let end = memchr::memchr(b'\n', near).filter(|_| begin < body);
    let suffix = near[..end.unwrap_or_default()].trim_ascii_end();
    let is_plain = base64_runs(suffix).all(|run| run.len() < LEAST_MATERIAL);
    if is_plain && !holds_placeholder(suffix) { suffix } else { &[] }
}

/// How much of `line` is the same as `prefix` but for its numbers.
pub fn prefix_length(line: &[u8], prefix: &[u8]) -> usize {
    let length = same_length(line, prefix);
    // What opens the element in which the first line stands is before none of the others.
    let inner = memchr::memrchr2(b'>', b'[', prefix).map(|open| &prefix[open + 1..]);
    match inner.filter(|_| length == 0 && prefix.first() == Some(&b'<')) {
        Some(inner) => same_length(line, inner),
        None => length,
    }
}

/// How much of `line` is the same as all of `prefix`.
fn same_length(line: &[u8], prefix: &[u8]) -> usize {
    let is_count = |byte: u8| byte.is_ascii_digit() || byte == b' ';
    let (mut at, mut place) = match (commit_length(line), commit_length(prefix)) {
        (0, _) | (_, 0) => (0, 0),
        commits => commits,
    };
    while place < prefix.len() {
        if is_count(prefix[place]) {
            place = run_end(prefix, place, is_count);
            at = run_end(line, at, is_count);
            continue;
        }
        // A search writes a colon behind the number of a line that it found, and a dash behind
        // those of the lines around.
        let is_mark = matches!((prefix[place], line.get(at)), (b':', Some(b'-')));
        if line.get(at) != Some(&prefix[place]) && !is_mark {
            // An editor takes blanks off the end of a line.
            let is_cut = at == line.len() && prefix[place..].trim_ascii().is_empty();
            return if is_cut { at } else { 0 };
        }
        at += 1;
        place += 1;
    }
    at
}

/// The length of the commit with which a line of blame begins.
fn commit_length(line: &[u8]) -> usize {
    const LENGTHS: Range<usize> = 7..42;
    let start = usize::from(line.first() == Some(&b'^'));
    let end = run_end(line, start, |byte| byte.is_ascii_hexdigit());
    let is_commit = LENGTHS.contains(&(end - start)) && line[end..].starts_with(b" ");
    if is_commit { end } else { 0 }
}
