//! Key material that lost its markers, or the opening one.
//!
//! Two signs are left: the start of the encoding, which names the container, and
//! the closing marker behind the material. For the second every line that could
//! be material is looked at from its end, whatever stands before it.

use std::ops::Range;

use super::private_key::{
    Block, LEAST_MATERIAL, closing_marker, holds_placeholder, trailing, undecorated, walk,
};
use super::text::{ends_apart, is_base64_byte, run_end, run_start};
use crate::egress::engine::Found;
use crate::egress::kind::Kind;

/// The shortest run of base64 that makes a line of key material, and the longest.
pub const LINE: Range<usize> = 60..81;
/// How far from its first line the closing marker may stand.
const REACH: usize = 48 * 1024;
/// The longest line that may hold key material, what stands before it included.
const LONGEST_LINE: usize = 320;
/// The shortest run in a line of a block whose end is known.
const SHORT_LINE: usize = 16;

/// Beginnings of encoded private keys, and how far from the start they stand.
///
/// What precedes them is the length of the key.
const STARTS: [(&str, usize); 37] = [
    ("b3BlbnNzaC1rZXktdjE", 0),
    ("IBAAKC", 6),
    ("IBAAKBgQ", 6),
    ("IBADANBgkqhkiG9w0BAQEFAASC", 6),
    ("IBADCCASwGByqGSM44", 6),
    ("IBADCCAiwGByqGSM44", 6),
    ("AgEAMBMGByqGSM49", 4),
    ("AgEAMBAGByqGSM49", 4),
    ("CAQAwEwYHKoZIzj0CAQ", 3),
    ("CAQAwEAYHKoZIzj0CAQ", 3),
    ("MHcCAQEEI", 0),
    ("MIGkAgEBBD", 0),
    ("MIHcAgEBBE", 0),
    ("MC4CAQAwBQYDK2V", 0),
    ("MFECAQEwBQYDK2V", 0),
    ("MHICAQEwBQYDK2V", 0),
    ("MEcCAQAwBQYDK2V", 0),
    ("BgkqhkiG9w0BBQ0w", 8),
    ("BgkqhkiG9w0BBQMw", 8),
    ("BgoqhkiG9w0BDAED", 8),
    ("BgoqhkiG9w0BDAEG", 8),
    ("lQHYB", 0),
    ("lQIGB", 0),
    ("lQOYB", 0),
    ("lQO+B", 0),
    ("lQPGB", 0),
    ("lQVYB", 0),
    ("lQWGB", 0),
    ("lQcYB", 0),
    ("lQdGB", 0),
    ("lFgEX", 0),
    ("lFgEY", 0),
    ("lFgEZ", 0),
    ("lIYEX", 0),
    ("lIYEY", 0),
    ("lIYEZ", 0),
    ("xcLYB", 0),
];

/// The literals from which [`look_at_bare`] starts.
pub fn starts() -> impl Iterator<Item = &'static str> {
    STARTS.iter().map(|(literal, _)| *literal)
}

/// Looks at key material by the start of its encoding, a part of which stands at `start..end`.
pub fn look_at_bare(text: &[u8], start: usize, end: usize, found: &mut Vec<Found>) {
    if let Block::Key { range, .. } = bare_block(text, start, end) {
        found.push(Found::new(range, Kind::PrivateKey, "private-key-material"));
    }
}

/// Key material without markers, of whose start a part stands at `start..end`.
pub fn bare_block(text: &[u8], start: usize, end: usize) -> Block {
    let known = STARTS.iter().find(|(literal, _)| text[start..end] == *literal.as_bytes());
    let begin = known.and_then(|(_, offset)| start.checked_sub(*offset));
    let Some(begin) = begin else { return Block::NoKey };
    let is_key = match start - begin {
        0 => true,
        _ => text[begin] == b'M' && text[begin..start].iter().all(|byte| is_base64_byte(*byte)),
    };
    let is_inside = begin > 0 && is_base64_byte(text[begin - 1]) && !ends_apart(text, begin);
    let stop = run_end(text, begin, |byte| is_base64_byte(byte) || byte == b'=');
    if !is_key || is_inside || stop - begin < LINE.start || has_marker_before(text, begin) {
        return Block::NoKey;
    }
    walk(text, begin, begin)
}

/// True when a marker says that what follows is public.
fn has_marker_before(text: &[u8], start: usize) -> bool {
    let near = &text[start.saturating_sub(120)..start];
    [b"CERTIFICATE".as_slice(), b"PUBLIC KEY", b"Public-Lines"]
        .iter()
        .any(|label| memchr::memmem::find(near, label).is_some())
}

/// Looks at a header that only encrypted keys have, which starts at `start`.
pub fn look_at_header(text: &[u8], start: usize, found: &mut Vec<Found>) {
    if let Block::Key { range, .. } = header_block(text, start) {
        found.push(Found::new(range, Kind::PrivateKey, "private-key-material"));
    }
}

/// The block whose first header starts at `start`.
pub fn header_block(text: &[u8], start: usize) -> Block {
    walk(text, start, start)
}

/// Lines of material one behind the other, and what ends them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lines {
    /// Where the first line lies that is none of them, or the text ends.
    pub end: usize,
    /// Where the closing marker of a private key ends, if one follows.
    pub marker: Option<usize>,
    /// True when the text ends before one can tell.
    pub open: bool,
}

impl Lines {
    /// True when the line at `at` lies near enough to what ends the lines.
    pub fn may_reach(&self, at: usize) -> bool {
        match self.marker {
            Some(marker) => marker - at <= REACH,
            None => self.open && self.end - at <= REACH,
        }
    }
}

/// The lines of material from the line of `at` on.
pub fn lines_from(text: &[u8], at: usize) -> Lines {
    let mut start = at;
    loop {
        let Line { range, ending } = line_at(text, start);
        let line = &text[range.clone()];
        if let Some(close) = closing_marker(line) {
            let is_told = holds_placeholder(&line[..close.start]);
            let is_key = !is_told && is_private(&line[close.clone()]);
            let marker = is_key.then_some(start + close.end);
            // The label may still be cut off.
            let open = marker.is_none() && !is_told && ending == LineEnding::Open;
            return Lines { end: if open { text.len() } else { start }, marker, open };
        }
        match ending {
            LineEnding::Open => return Lines { end: text.len(), marker: None, open: true },
            LineEnding::Far => return Lines { end: start, marker: None, open: false },
            LineEnding::Break if material(line).is_none() => {
                return behind_short_line(text, start, range.end);
            }
            LineEnding::Break => start = range.end + 1,
        }
    }
}

/// The last line of a key may be short; the marker must follow it.
fn behind_short_line(text: &[u8], start: usize, line_end: usize) -> Lines {
    let none = Lines { end: start, marker: None, open: false };
    if holds_placeholder(&text[start..line_end]) {
        return none;
    }
    let next = line_at(text, line_end + 1);
    let line = &text[next.range.clone()];
    match closing_marker(line) {
        Some(close) if holds_placeholder(&line[..close.start]) => none,
        Some(close) if is_private(&line[close.clone()]) => {
            Lines { marker: Some(next.range.start + close.end), ..none }
        }
        _ if next.ending == LineEnding::Open => Lines { end: text.len(), open: true, ..none },
        _ => none,
    }
}

/// A line, or as much of it as a line of a key may have.
struct Line {
    range: Range<usize>,
    ending: LineEnding,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum LineEnding {
    /// At a line break.
    Break,
    /// Where the text ends.
    Open,
    /// Further away than a line of a key may end.
    Far,
}

fn line_at(text: &[u8], start: usize) -> Line {
    let limit = (start + LONGEST_LINE).min(text.len());
    match memchr::memchr(b'\n', &text[start..limit]) {
        Some(newline) => Line { range: start..start + newline, ending: LineEnding::Break },
        None if limit == text.len() => Line { range: start..limit, ending: LineEnding::Open },
        None => Line { range: start..limit, ending: LineEnding::Far },
    }
}

fn is_private(marker: &[u8]) -> bool {
    memchr::memmem::find(marker, b"PRIVATE KEY").is_some()
}

/// Where the material of a line starts, if it ends with material.
fn material(line: &[u8]) -> Option<usize> {
    let core = &line[..line.len() - trailing(line)];
    let run = run_start(core, core.len(), |byte| is_base64_byte(byte) || byte == b'=');
    let run = run + (core.len() - run).saturating_sub(undecorated(&core[run..]).len());
    // Before something on it was hidden the line was longer, and no key.
    (core.len() - run >= SHORT_LINE && !holds_placeholder(&line[..run])).then_some(run)
}

/// The material before the closing marker whose `PRIVATE KEY` stands at `label`.
pub fn before_end_marker(text: &[u8], label: usize) -> Option<Range<usize>> {
    let floor = label.saturating_sub(48);
    let word = floor + memchr::memmem::rfind(&text[floor..label], b"END ")?;
    let dashes_end = run_start(text, word, |byte| byte == b' ');
    let dashes = run_start(text, dashes_end, |byte| byte == b'-');
    let is_named = |byte: &u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b' ';
    let is_label = text[word..label].iter().all(is_named);
    if dashes_end - dashes < 2 || !is_label {
        return None;
    }
    let start = material_on_line(text, dashes).or_else(|| material_above(text, dashes))?;
    let label_end = run_end(text, label, |byte| byte.is_ascii_uppercase() || byte == b' ');
    Some(start..run_end(text, label_end, |byte| byte == b'-'))
}

/// Where the runs begin that stand before the marker on its own line.
fn material_on_line(text: &[u8], marker: usize) -> Option<usize> {
    let mut start = marker;
    let mut count = 0;
    loop {
        let seam = seam_start(text, start);
        let run = run_start(text, seam, |byte| is_base64_byte(byte) || byte == b'=');
        let run = run + usize::from(run < seam && text[..run].ends_with(b"\\"));
        if run == seam || (seam - run < SHORT_LINE && count > 0) || marker - run > REACH {
            break;
        }
        count += seam - run;
        start = run;
    }
    (count >= LEAST_MATERIAL).then_some(start)
}

/// Where the escapes, blanks and quotes begin that end at `end`.
fn seam_start(text: &[u8], end: usize) -> usize {
    const LONGEST: usize = 8;
    let mut at = end;
    while end - at < LONGEST {
        at -= match text[..at] {
            [.., b'\\', b'n' | b'r'] => 2,
            [.., b' ' | b'\\' | b'"' | b'\''] => 1,
            _ => break,
        };
    }
    at
}

/// Where the lines of material begin that end above the line of `marker`.
fn material_above(text: &[u8], marker: usize) -> Option<usize> {
    let before = |end: usize| {
        let floor = end.saturating_sub(LONGEST_LINE);
        match memchr::memrchr(b'\n', &text[floor..end]) {
            Some(newline) => Some(floor + newline + 1),
            None => (floor == 0).then_some(0),
        }
    };
    let mut start = None;
    let mut line = before(marker)?;
    // What was hidden here may have been longer, and the lines above further away.
    if holds_placeholder(&text[line..marker]) {
        return None;
    }
    let mut is_last = true;
    while line > 0 && marker - line <= REACH {
        let end = line - 1;
        let Some(from) = before(end) else { break };
        match material(&text[from..end]) {
            Some(run) => start = Some(from + run),
            None if is_last && !holds_placeholder(&text[from..end]) => {}
            None => break,
        }
        is_last = false;
        line = from;
    }
    start
}
