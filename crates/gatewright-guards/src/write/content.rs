//! What the bytes say: size, text or binary, mode, hidden characters, blocked patterns.
//!
//! Hidden characters count only where the change adds them: a line that stood
//! in the base as it is now is nobody's doing. Everything else is judged on
//! the whole result.

use std::borrow::Cow;
use std::collections::HashMap;

use gatewright_model::{FileChange, FileState, Finding, Intent, RepoPath};

use super::code_points::{Hidden, describe, hidden_in_line, is_ignorable, shown};
use super::floor;
use super::fold::fold_path;
use super::rules::WriteRules;
use super::scripts::{may_look_latin, mixed_script_word, with_code_points};

/// The most bytes that one file may have.
pub const MAX_FILE_BYTES: usize = 1_048_576;

/// How many lines a finding names.
const LINES_NAMED: usize = 6;

const SET_ID: u32 = 0o6000;
const STICKY_OR_WORLD_WRITABLE: u32 = 0o1002;

/// Judges the bytes and the mode of the result.
///
/// An undo puts back what stood there before the agent came, so its bytes are
/// not judged; its place is, like any other.
pub(super) fn judge_content(
    change: &FileChange,
    resolved: Option<&RepoPath>,
    rules: &WriteRules,
) -> Vec<Finding> {
    let Some(after) = &change.after else { return Vec::new() };
    if change.intent == Intent::Undo {
        return Vec::new();
    }
    let path = change.requested.as_str();
    let before = change.before.as_ref();
    let mut findings = judge_mode(path, before, after);
    if before.is_some_and(|before| before.content == after.content) {
        return findings;
    }
    if after.content.len() > MAX_FILE_BYTES {
        let what = format!("{} would have {} bytes", shown(path), after.content.len());
        findings.push(floor::finding(floor::TOO_LARGE, path, &what));
        return findings;
    }
    let Some(text) = decode(&after.content) else {
        let what = format!("{} would hold a NUL byte", shown(path));
        findings.push(floor::finding(floor::BINARY, path, &what));
        return findings;
    };
    let base = before.and_then(|before| decode(&before.content));
    findings.extend(judge_added_text(path, base.as_deref(), &text));
    let places = resolved.map(RepoPath::as_str).into_iter().chain([path]);
    findings.extend(places.filter_map(|place| judge_head_file(path, place, &text)).take(1));
    findings.extend(judge_patterns(path, &text, rules));
    findings
}

fn judge_mode(path: &str, before: Option<&FileState>, after: &FileState) -> Vec<Finding> {
    let mut findings = Vec::new();
    let bits = after.mode.bits();
    let added = bits & !before.map_or(0, |before| before.mode.bits());
    let is_unchanged = before == Some(after);
    if (bits & SET_ID != 0 && !is_unchanged) || added & STICKY_OR_WORLD_WRITABLE != 0 {
        let what = format!("{} would have mode {bits:o}", shown(path));
        findings.push(floor::finding(floor::MODE, path, &what));
    }
    if added & 0o111 != 0 {
        let what = format!("{} becomes executable", shown(path));
        findings.push(floor::finding(floor::EXECUTABLE, path, &what));
    }
    findings
}

/// The text of some bytes; `None` for binary ones.
///
/// UTF-16 with a byte-order mark is text when it decodes and holds no NUL.
/// Bytes that are not UTF-8 and hold no NUL are text in some older encoding.
pub(super) fn decode(bytes: &[u8]) -> Option<Cow<'_, str>> {
    let utf16 = match bytes {
        [0xff, 0xfe, rest @ ..] => decode_utf16(rest, u16::from_le_bytes),
        [0xfe, 0xff, rest @ ..] => decode_utf16(rest, u16::from_be_bytes),
        _ => None,
    };
    if let Some(text) = utf16 {
        return Some(Cow::Owned(text));
    }
    if bytes.contains(&0) {
        return None;
    }
    Some(str::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed))
}

fn decode_utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Option<String> {
    let (pairs, rest) = bytes.as_chunks::<2>();
    if !rest.is_empty() {
        return None;
    }
    let units = pairs.iter().map(|pair| unit(*pair));
    let text: String = char::decode_utf16(units).collect::<Result<_, _>>().ok()?;
    (!text.contains('\0')).then_some(text)
}

/// What one rule found in the added lines.
#[derive(Default)]
struct Hits {
    first: Option<(u32, u32, String)>,
    lines: Vec<u32>,
    count: usize,
}

fn judge_added_text(path: &str, base: Option<&str>, text: &str) -> Vec<Finding> {
    // Most text holds nothing that needs a second look.
    if text.is_ascii() || !text.chars().any(needs_a_look) {
        return Vec::new();
    }
    let mut known = base.map_or_else(HashMap::new, line_counts);
    let mut hits: Vec<(&'static str, Hits)> = Vec::new();
    for (index, line) in text.split('\n').enumerate() {
        if line.is_ascii() || !line.chars().any(needs_a_look) {
            continue;
        }
        if let Some(count) = known.get_mut(line).filter(|count| **count > 0) {
            *count -= 1;
            continue;
        }
        let line_number = u32::try_from(index + 1).unwrap_or(u32::MAX);
        collect_hits(line, line_number, &mut hits);
    }
    hits.into_iter().filter_map(|(code, hits)| hit_finding(path, code, hits)).collect()
}

/// Whether a character may be hidden, or may look like a Latin letter.
fn needs_a_look(character: char) -> bool {
    !character.is_ascii() && (may_look_latin(character) || is_ignorable(character))
}

/// How often each line that is not plain ASCII stands in the base.
fn line_counts(base: &str) -> HashMap<&str, usize> {
    let mut counts = HashMap::new();
    for line in base.split('\n').filter(|line| !line.is_ascii()) {
        *counts.entry(line).or_default() += 1;
    }
    counts
}

fn collect_hits(line: &str, line_number: u32, hits: &mut Vec<(&'static str, Hits)>) {
    let mut record = |code: &'static str, index: usize, what: &dyn Fn() -> String| {
        let position = hits.iter().position(|(known, _)| *known == code).unwrap_or_else(|| {
            hits.push((code, Hits::default()));
            hits.len() - 1
        });
        let entry = &mut hits[position].1;
        entry.count += 1;
        let column = u32::try_from(index + 1).unwrap_or(u32::MAX);
        entry.first.get_or_insert_with(|| (line_number, column, what()));
        if entry.lines.last() != Some(&line_number) {
            entry.lines.push(line_number);
        }
    };
    for hidden in hidden_in_line(line, line_number == 1) {
        let code = match hidden.hidden {
            Hidden::Bidi => floor::BIDI,
            Hidden::Tag => floor::TAG,
            Hidden::Selector => floor::SELECTOR,
            Hidden::Invisible => floor::INVISIBLE,
        };
        record(code, hidden.index, &|| describe(hidden.character));
    }
    if let Some((index, word)) = mixed_script_word(line) {
        record(floor::MIXED_SCRIPT, index, &|| format!("the word {}", with_code_points(&word)));
    }
}

fn hit_finding(path: &str, code: &str, hits: Hits) -> Option<Finding> {
    let (line_number, column_number, what) = hits.first?;
    let others: Vec<String> =
        hits.lines.iter().skip(1).take(LINES_NAMED).map(u32::to_string).collect();
    let more = match (hits.count - 1, others.is_empty()) {
        (0, _) => String::new(),
        (count, true) => format!(" and {count} more on this line"),
        (count, false) => format!(" and {count} more (lines {} …)", others.join(", ")),
    };
    let message = format!("line {line_number} of {} gains {what}{more}", shown(path));
    Some(floor::finding(code, path, &message).at(line_number, column_number))
}

/// A file `HEAD` that points at a ref is what makes a directory a repository.
fn judge_head_file(path: &str, place: &str, text: &str) -> Option<Finding> {
    let first = text.trim_start_matches('\u{feff}').lines().next().unwrap_or_default().trim();
    let is_digest = matches!(first.len(), 40 | 64) && first.bytes().all(|b| b.is_ascii_hexdigit());
    let points_at_ref =
        first.strip_prefix("ref:").is_some_and(|name| name.trim_start().starts_with("refs/"));
    if !points_at_ref && !is_digest {
        return None;
    }
    let is_head = fold_path(place).last().is_some_and(|name| name == "head");
    is_head.then(|| {
        floor::finding(
            floor::BARE,
            path,
            &format!("{} would be the HEAD of a repository", shown(place)),
        )
    })
}

fn judge_patterns(path: &str, text: &str, rules: &WriteRules) -> Vec<Finding> {
    let matched = rules.blocking_patterns(text);
    matched
        .map(|(pattern, start)| {
            let line_index = text[..start].bytes().filter(|byte| *byte == b'\n').count();
            let line_number = u32::try_from(line_index + 1).unwrap_or(u32::MAX);
            let what = format!("line {line_number} of {} matches {pattern:?}", shown(path));
            floor::finding(floor::BLOCKED_PATTERN, path, &what).at_line(line_number)
        })
        .collect()
}
