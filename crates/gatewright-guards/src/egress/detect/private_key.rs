//! Private keys in every container and every shape that a tool may show them in.
//!
//! A block is hidden whole, from its opening marker to its end. Where the end is
//! missing, everything that still looks like key material is hidden. Lines may
//! carry line numbers, diff marks, quotes, escapes or log prefixes. A marker
//! without material (a check in code, a template) is no key.

use std::ops::Range;
use std::sync::LazyLock;

use memchr::memmem::Finder;

use super::disguised_key::is_disguised;
use super::key_lines::before_end_marker;
use super::key_surroundings::{line_prefix, line_suffix, prefix_length};
pub use super::putty_key::{look_at_ppk, ppk_block};
use super::text::{is_base64_byte, run_end, run_start, starts_at};
use crate::egress::catalogue::is_wordy;
use crate::egress::engine::Found;
use crate::egress::kind::Kind;
use crate::egress::shadow;

/// How much base64 makes a key; below it a block is a template.
pub const LEAST_MATERIAL: usize = 24;
/// How far a block is followed before it is hidden in parts.
pub const BLOCK_REACH: usize = 200 * 1024;
/// How long the first line of material is that reads like words.
const SHORTEST_FIRST: usize = 48;
/// How many lines in a row may carry no material before a block counts as cut off.
const GAP: usize = 3;
/// The same before the first material, where headers stand.
const OPENING_GAP: usize = 8;

/// What is known of a block that starts in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Block {
    /// It is a key, and these bytes are it. `open` when the text may hold more of it.
    Key { range: Range<usize>, open: bool },
    /// The text ends before one can tell.
    Undecided,
    /// It is no key.
    NoKey,
}

/// Looks at the block whose `PRIVATE KEY` stands at `start..end`.
pub fn look_at_pem(text: &[u8], start: usize, end: usize, found: &mut Vec<Found>) {
    if let Some(range) = before_end_marker(text, start) {
        found.push(Found::new(range, Kind::PrivateKey, "private-key-material"));
    }
    if let Block::Key { range, .. } = pem_block(text, start, end) {
        let kind = if is_service_account(text, range.start) {
            Kind::ServiceAccount
        } else {
            Kind::PrivateKey
        };
        let rule =
            if kind == Kind::PrivateKey { "private-key-block" } else { "service-account-key" };
        found.push(Found::new(range, kind, rule));
    }
}

/// The block whose label has `PRIVATE KEY` at `start..end`.
pub fn pem_block(text: &[u8], start: usize, end: usize) -> Block {
    let Some(begin) = marker_start(text, start) else { return Block::NoKey };
    let rest = [b" BLOCK".as_slice(), b"+BLOCK", b" V1", b"+V1"]
        .into_iter()
        .find(|rest| starts_at(text, end, rest));
    let label_end = end + rest.map_or(0, <[u8]>::len);
    let dashes_start = run_end(text, label_end, |byte| byte == b' ');
    let body = run_end(text, dashes_start, |byte| byte == b'-');
    if body == dashes_start {
        return if body == text.len() { Block::Undecided } else { Block::NoKey };
    }
    walk(text, begin, body)
}

/// Where the dashes before `BEGIN … PRIVATE KEY` start.
pub fn marker_start(text: &[u8], label: usize) -> Option<usize> {
    let floor = label.saturating_sub(48);
    let begin = floor + memchr::memmem::rfind(&text[floor..label], b"BEGIN")?;
    let is_label = |byte: &u8| {
        byte.is_ascii_uppercase() || byte.is_ascii_digit() || matches!(byte, b' ' | b'_' | b'+')
    };
    if !text[begin..label].iter().all(is_label) {
        return None;
    }
    let dashes_end = run_start(text, begin, |byte| byte == b' ');
    let dashes = run_start(text, dashes_end, |byte| byte == b'-');
    (dashes_end - dashes >= 2).then_some(dashes)
}

/// Follows a block line by line from `body` on.
pub fn walk(text: &[u8], begin: usize, body: usize) -> Block {
    let mut at = body;
    let mut end = body;
    let mut material = 0;
    let mut gap = 0;
    let text = &text[..text.len().min(begin + BLOCK_REACH)];
    let prefix = line_prefix(text, begin);
    let suffix = line_suffix(text, begin, body);
    let mut is_behind_note = false;
    let side = ["│", "┃", "║", "|"].into_iter().find(|side| suffix.trim_ascii() == side.as_bytes());
    loop {
        let (line_end, ends_at_block) = line_end(text, at);
        let line = &text[at..line_end];
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let line = line.strip_suffix(suffix).unwrap_or(line);
        let line = side.and_then(|side| within_box(line, side)).unwrap_or(line);
        if let Some(close) = closing_marker(line) {
            material += base64_count(&line[..close.start]);
            return match material >= LEAST_MATERIAL {
                true => Block::Key { range: begin..at + close.end, open: false },
                false => Block::NoKey,
            };
        }
        let skipped = if at == body { 0 } else { prefix_length(line, prefix) };
        if is_behind_note && is_short(&line[skipped..]) {
            match behind_short(text, line_end) {
                Some(true) => {}
                Some(false) => return conclude(begin..end, material, false),
                None => return conclude(begin..end, material, true),
            }
        }
        is_behind_note = material >= LEAST_MATERIAL && is_note(&line[skipped..]);
        let is_told = material < LEAST_MATERIAL && holds_placeholder(line);
        match weigh(&line[skipped..], material > 0) {
            // Before something on it was hidden the line was longer, and no key.
            _ if is_told => gap = usize::MAX,
            Weight::Material { count, end: last } => {
                material += count;
                end = at + skipped + last;
                gap = 0;
            }
            Weight::Neutral => gap += 1,
            Weight::Foreign if is_behind_note => gap += 1,
            Weight::Foreign => gap = usize::MAX,
        }
        if ends_at_block {
            return conclude(begin..end, material, false);
        }
        if line_end == text.len() {
            return conclude(begin..end, material, gap != usize::MAX);
        }
        if gap > if material == 0 { OPENING_GAP } else { GAP } {
            return conclude(begin..end, material, false);
        }
        at = line_end + 1;
    }
}

/// Where a block ends that began long before `from`, and whether more text may hold more of it.
pub fn continued(text: &[u8], from: usize, is_final: bool) -> (usize, bool) {
    let mut at = from;
    loop {
        let newline = memchr::memchr(b'\n', &text[at..]).map(|newline| at + newline);
        if newline.is_none() && !is_final {
            return (at, true);
        }
        let line = &text[at..newline.unwrap_or(text.len())];
        if let Some(close) = closing_marker(line) {
            return (at + close.end, false);
        }
        if matches!(weigh(line, true), Weight::Foreign) {
            return (at, false);
        }
        let Some(newline) = newline else { return (text.len(), false) };
        at = newline + 1;
    }
}

/// The end of the line at `at`, or the start of another block on it.
fn line_end(text: &[u8], at: usize) -> (usize, bool) {
    const NEAR: usize = 1024;
    static BEGIN: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(b"-BEGIN "));
    // Most lines are short, and a line full of markers is followed no further than the next.
    for limit in [(at + NEAR).min(text.len()), text.len()] {
        let newline = memchr::memchr(b'\n', &text[at..limit]).map(|newline| at + newline);
        let end = newline.unwrap_or(limit);
        if let Some(offset) = BEGIN.find(&text[at..end]) {
            return (at + offset, true);
        }
        if newline.is_some() || limit == text.len() {
            return (end, false);
        }
    }
    (text.len(), false)
}

/// True for a line that says that others were left out: `[... 12 lines omitted ...]`.
fn is_note(line: &[u8]) -> bool {
    const LONGEST: usize = 80;
    const WORDS: [&[u8]; 9] = [
        b"omitted",
        b"truncated",
        b"more",
        b"lines",
        b"snip",
        b"skipped",
        b"hidden",
        b"rest",
        b"cut",
    ];
    // A note may be a comment of the language around it.
    let sign = run_end(line, 0, |byte| matches!(byte, b' ' | b'\t' | b'#' | b'/' | b'*' | b';'));
    let line = line[sign..].trim_ascii();
    let has_dots = line.starts_with(b"...") || line.starts_with("…".as_bytes());
    let is_aside = matches!(line.first(), Some(b'[' | b'(' | b'<')) || line.starts_with(b"--- ");
    // Behind it a diff goes on somewhere below.
    let is_hunk = line.starts_with(b"@@ ") && line.ends_with(b" @@");
    is_hunk
        || line.len() <= LONGEST
            && (has_dots || is_aside)
            && !holds_placeholder(line)
            && WORDS.iter().any(|word| memchr::memmem::find(line, word).is_some())
}

/// True for the rest of a line of a key, which may be a word of something else.
fn is_short(line: &[u8]) -> bool {
    let core = undecorated(line);
    core.len() < 16 && !core.is_empty() && core.iter().all(|byte| is_base64_byte(*byte))
}

/// Whether a key goes on behind the short line that ends at `end`; `None` where the text ends
/// before one can tell.
fn behind_short(text: &[u8], end: usize) -> Option<bool> {
    let rest = text.get(end + 1..)?;
    let line = &rest[..memchr::memchr(b'\n', rest)?];
    Some(closing_marker(line).is_some() || matches!(weigh(line, false), Weight::Material { .. }))
}

/// A line without the right side of the box in which it stands, which may be further away
/// than that of the marker.
fn within_box<'a>(line: &'a [u8], side: &str) -> Option<&'a [u8]> {
    let inner = line.trim_ascii_end().strip_suffix(side.as_bytes())?;
    inner.ends_with(b" ").then(|| inner.trim_ascii_end())
}

fn conclude(range: Range<usize>, material: usize, open: bool) -> Block {
    match (material >= LEAST_MATERIAL, open) {
        (true, open) => Block::Key { range, open },
        (false, true) => Block::Undecided,
        (false, false) => Block::NoKey,
    }
}

/// The marker that ends a block, within a line.
pub fn closing_marker(line: &[u8]) -> Option<Range<usize>> {
    static END: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(b"END"));
    for end_word in END.find_iter(line) {
        let dashes_end = run_start(line, end_word, |byte| byte == b' ');
        let start = run_start(line, dashes_end, |byte| byte == b'-');
        if dashes_end - start >= 2 {
            let label = run_end(line, end_word, |byte| {
                byte.is_ascii_uppercase() || byte.is_ascii_digit() || matches!(byte, b' ' | b'+')
            });
            return Some(start..run_end(line, label, |byte| byte == b'-'));
        }
    }
    None
}

enum Weight {
    /// Key material, so many characters of it, up to this end in the line.
    Material { count: usize, end: usize },
    /// Neither: blank, a header of the block, an ellipsis.
    Neutral,
    /// Something else, so the block is over.
    Foreign,
}

/// Weighs one line of a block; `inside` when material came before it.
///
/// A line that is nothing of a key as it stands may be one as a person reads it.
fn weigh(line: &[u8], inside: bool) -> Weight {
    let weight = weigh_as_it_stands(line, inside);
    if !matches!(weight, Weight::Foreign) || !is_disguised(line) {
        return weight;
    }
    let Some(read) = shadow::plain(&shadow::View::of(line)) else { return weight };
    match weigh_as_it_stands(read.bytes(), inside) {
        Weight::Material { count, .. } => {
            Weight::Material { count, end: line.len() - trailing(line) }
        }
        other => other,
    }
}

fn weigh_as_it_stands(line: &[u8], inside: bool) -> Weight {
    let line = without_joint(line);
    let mut count = 0;
    let mut end = 0;
    let mut longest = 0;
    for run in base64_runs(line) {
        // A sentence may end with a marker, and code with long names follow it.
        let is_name = !inside && run.len() < SHORTEST_FIRST && is_wordy(&line[run.clone()]);
        if run.len() >= 16 && !is_name {
            count += run.len();
            end = run.end;
        }
        longest = longest.max(if is_name { 0 } else { run.len() });
    }
    if longest >= 16 && (count * 2 >= line.len() || is_escaped(line)) {
        // The sum of a PGP key stands on a line of its own behind the last.
        let last = end + escaped_rest(&line[end..]);
        return Weight::Material { count, end: last + escaped_rest(&line[last..]) };
    }
    let core = undecorated(line);
    let is_short_tail = inside
        && !core.is_empty()
        // `--More--`
        && !core.ends_with(b"--")
        && core.iter().all(|byte| is_base64_byte(*byte) || *byte == b'=');
    if is_short_tail {
        return Weight::Material { count: core.len(), end: line.len() - trailing(line) };
    }
    if core.is_empty()
        || is_block_header(core)
        || core.iter().all(|byte| matches!(byte, b'.' | b'[' | b']' | 0x80..))
    {
        return Weight::Neutral;
    }
    Weight::Foreign
}

/// A line without what joins its string to the next: `" & vbLf & _`, `' . PHP_EOL .`.
fn without_joint(line: &[u8]) -> &[u8] {
    const LONGEST: usize = 48;
    let near = line.len().saturating_sub(LONGEST);
    let is_quote = |byte: &u8| matches!(byte, b'"' | b'\'');
    let Some(quote) = line[near..].iter().rposition(is_quote).map(|offset| near + offset) else {
        return line;
    };
    let joint = line[quote + 1..].trim_ascii();
    let is_joint = matches!(joint.first(), Some(b'&' | b'+' | b'.' | b'<'))
        && matches!(joint.last(), Some(b'&' | b'+' | b'.' | b'<' | b'_'))
        && base64_runs(joint).all(|run| run.len() < LEAST_MATERIAL);
    if is_joint { &line[..=quote] } else { line }
}

/// True when something was hidden on `line` before.
pub fn holds_placeholder(line: &[u8]) -> bool {
    static PLACEHOLDER: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(b"[REDACTED:"));
    PLACEHOLDER.find(line).is_some()
}

/// How long the last line of a key is that is written in one, with the escape before it.
///
/// It may be short; a quote ends the string in which it stands.
fn escaped_rest(rest: &[u8]) -> usize {
    let escapes = run_end(rest, 0, |byte| byte == b'\\');
    let start = escapes + usize::from(rest.get(escapes) == Some(&b'n'));
    let end = run_end(rest, start, |byte| is_base64_byte(byte) || byte == b'=');
    let behind = &rest[run_end(rest, end, |byte| byte == b'\\')..];
    let is_ended = matches!(behind, [b'"' | b'\'', ..] | [b'n', b'=', ..]);
    if escapes > 0 && start > escapes && end > start && is_ended { end } else { 0 }
}

fn is_escaped(line: &[u8]) -> bool {
    memchr::memchr_iter(b'\\', line).any(|at| matches!(line.get(at + 1), Some(b'n' | b'r')))
}

/// The runs of base64 in a line; an escaped line break ends one.
pub fn base64_runs(line: &[u8]) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut at = 0;
    std::iter::from_fn(move || {
        while at < line.len() && !is_base64_byte(line[at]) {
            // The letter of an escape is no material, nor is what was hidden before.
            at += match line[at] {
                b'\\' if matches!(line.get(at + 1), Some(b'n' | b'r' | b't')) => 2,
                b'[' => placeholder_length(&line[at..]).max(1),
                _ => 1,
            };
        }
        let start = at;
        while at < line.len() && (is_base64_byte(line[at]) || line[at] == b'=') {
            at += 1;
        }
        (at > start).then_some(start..at)
    })
}

/// The length of the placeholder at the start of `text`, if one stands there.
fn placeholder_length(text: &[u8]) -> usize {
    if !text.starts_with(b"[REDACTED:") {
        return 0;
    }
    memchr::memchr(b']', &text[..text.len().min(40)]).map_or(0, |end| end + 1)
}

fn base64_count(line: &[u8]) -> usize {
    base64_runs(line).map(|run| run.len()).filter(|length| *length >= 16).sum()
}

/// A line without numbers, marks, quotes and escapes at its ends.
pub fn undecorated(line: &[u8]) -> &[u8] {
    let mut core = &line[..line.len() - trailing(line)];
    loop {
        let digits = core.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let numbered =
            digits > 0 && matches!(core.get(digits), Some(b'\t' | b':' | b'|' | b' ' | 0xE2));
        match core.first() {
            Some(
                b' ' | b'\t' | b'+' | b'-' | b'>' | b'|' | b'"' | b'\'' | b'`' | b'#' | b'*' | b':'
                | b'.',
            ) => core = &core[1..],
            Some(0xE2) if core.len() >= 3 => core = &core[3..],
            Some(0x1b) if colour_length(core) > 0 => core = &core[colour_length(core)..],
            Some(_) if numbered => core = &core[digits..],
            _ => return core,
        }
    }
}

/// The length of the colour with which `text` begins, zero when none stands there.
fn colour_length(text: &[u8]) -> usize {
    if !text.starts_with(b"\x1b[") {
        return 0;
    }
    let end = run_end(text, 2, |byte| byte.is_ascii_digit() || byte == b';');
    if matches!(text.get(end), Some(b'm' | b'K')) { end + 1 } else { 0 }
}

/// Where the colour starts with which `text` ends.
fn colour_start(text: &[u8]) -> Option<usize> {
    let last = text.len().checked_sub(1)?;
    let digits = run_start(text, last, |byte| byte.is_ascii_digit() || byte == b';');
    text[..digits].ends_with(b"\x1b[").then(|| digits - 2)
}

/// How many bytes at the end of a line are decoration.
pub fn trailing(line: &[u8]) -> usize {
    let mut end = line.len();
    while end > 0 {
        let is_escape = end >= 2 && line[end - 2] == b'\\' && matches!(line[end - 1], b'n' | b'r');
        match line[end - 1] {
            _ if is_escape => end -= 2,
            b'm' | b'K' if colour_start(&line[..end]).is_some() => {
                end = colour_start(&line[..end]).unwrap_or(end);
            }
            b' ' | b'\t' | b'\r' | b'"' | b'\'' | b'`' | b',' | b';' | b'.' | b'\\' | b')'
            | b'&' => end -= 1,
            b'+' if end >= 2 && matches!(line[end - 2], b' ' | b'"' | b'\'') => end -= 1,
            _ => break,
        }
    }
    line.len() - end
}

fn is_block_header(core: &[u8]) -> bool {
    const NAMES: [&[u8]; 8] = [
        b"Proc-Type:",
        b"DEK-Info:",
        b"Version:",
        b"Comment:",
        b"Subject:",
        b"Hash:",
        b"Charset:",
        b"Key Attributes",
    ];
    NAMES.iter().any(|name| core.starts_with(name))
}

/// True when the key at `at` is the `private_key` of a Google service account.
fn is_service_account(text: &[u8], at: usize) -> bool {
    let near = &text[at.saturating_sub(48)..at];
    if memchr::memmem::find(near, b"private_key").is_none()
        && memchr::memmem::find(near, b"privateKey").is_none()
    {
        return false;
    }
    let around = &text[at.saturating_sub(2500)..(at + 6000).min(text.len())];
    [b"service_account".as_slice(), b"gserviceaccount", b"private_key_id", b"client_x509_cert_url"]
        .iter()
        .any(|sign| memchr::memmem::find(around, sign).is_some())
}
