//! Values that are known to be secret, matched exactly wherever they appear.

use aho_corasick::{AhoCorasick, MatchKind};

use super::catalogue::{entropy, is_wordy};
use super::detect::value::is_placeholder;
use super::engine::Found;
use super::kind::Kind;
use super::redactor::SecretValue;

/// Shorter values occur by chance.
const SHORTEST: usize = 8;

/// The known values, ready to be searched for.
#[derive(Debug, Default)]
pub struct ExactValues {
    searcher: Option<AhoCorasick>,
    kinds: Vec<Kind>,
}

impl ExactValues {
    /// The values worth hiding: neither short nor common.
    pub fn of(values: &[SecretValue]) -> ExactValues {
        let mut lines: Vec<(&str, Kind)> = values
            .iter()
            .flat_map(|value| value.value.lines().map(move |line| (line.trim(), value.kind)))
            .filter(|(line, _)| is_distinctive(line.as_bytes()))
            .collect();
        lines.sort_by(|left, right| left.0.cmp(right.0));
        lines.dedup_by(|left, right| left.0 == right.0);
        let searcher = AhoCorasick::builder()
            .match_kind(MatchKind::LeftmostLongest)
            .build(lines.iter().map(|(line, _)| line))
            .ok()
            .filter(|_| !lines.is_empty());
        ExactValues { searcher, kinds: lines.iter().map(|(_, kind)| *kind).collect() }
    }

    /// Calls `found` with the place of each known value.
    pub fn scan(&self, text: &[u8], mut found: impl FnMut(usize, usize)) {
        if let Some(searcher) = &self.searcher {
            for one in searcher.find_iter(text) {
                found(one.start(), one.end());
            }
        }
    }

    /// Adds each known value in `text`.
    pub fn look(&self, text: &[u8], found: &mut Vec<Found>) {
        if let Some(searcher) = &self.searcher {
            for one in searcher.find_iter(text) {
                let kind = self.kinds[one.pattern().as_usize()];
                found.push(Found::new(one.range(), kind, "known-value"));
            }
        }
    }
}

/// True for a value that stands for nothing else: not a flag, a host, a number or a word.
fn is_distinctive(value: &[u8]) -> bool {
    let is_plain =
        value.iter().all(|byte| byte.is_ascii_lowercase() || matches!(byte, b'-' | b'_' | b'.'));
    let is_number = value
        .iter()
        .all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b':' | b'-' | b'/' | b','));
    let is_place = value.starts_with(b"/")
        || value.starts_with(b"http://")
        || value.starts_with(b"https://")
        || value.starts_with(b"C:\\");
    let is_word = is_plain && value.len() < 16 && is_wordy(value);
    let is_common = is_number || is_place || is_placeholder(value) || is_word;
    value.len() >= SHORTEST && !is_common && entropy(value) >= 2.0
}
