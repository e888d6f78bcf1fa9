//! Hunks: the pieces of a file change that a person accepts or rejects.
//!
//! A [`Hunk`] knows the lines that it removes and adds, three lines of context
//! and its place in the base. Hunks are made by [`crate::diff_hunks`]; this
//! module holds the values, and its parts select, split, edit and print them.
//! The lines of a file in UTF-16 are given as UTF-8, and what is made of them is
//! spelt as the file was. Lines end at `\n` and nowhere else, as in git: a lone `\r` is a byte of its
//! line, and `\r\n` is an ending that the line keeps.

mod select;
mod split;
mod unified;

use std::collections::{BTreeSet, HashMap};
use std::fmt;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::Encoding;

pub use select::{UnknownHunk, hunk_after, replace_hunk, select_hunks, select_lines};
pub use split::split_hunk;
pub use unified::{FileSide, unified_file, unified_hunk};

/// The name of a hunk within one file change, such as `h3f9a1c2b7d40`.
///
/// It is derived from the removed and added lines and from the occurrence
/// number among equal hunks, never from line numbers, so that it survives edits
/// elsewhere in the file. A part of a split hunk is named after its parent:
/// `h3f9a1c2b7d40.2`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct HunkId(String);

impl HunkId {
    /// Takes a name that came back from a person or from storage.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    fn part(&self, number: usize) -> HunkId {
        HunkId(format!("{}.{number}", self.0))
    }
}

impl fmt::Display for HunkId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What a line of a hunk does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LineKind {
    /// The line is in the base and stays.
    Context,
    /// The line is in the base and goes.
    Removed,
    /// The line is new.
    Added,
}

impl LineKind {
    /// The first column of the line in a unified diff.
    pub fn marker(self) -> char {
        match self {
            LineKind::Context => ' ',
            LineKind::Removed => '-',
            LineKind::Added => '+',
        }
    }

    /// Whether the base has the line.
    pub fn is_in_before(self) -> bool {
        self != LineKind::Added
    }

    /// Whether the result has the line.
    pub fn is_in_after(self) -> bool {
        self != LineKind::Removed
    }
}

/// One line of a hunk.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct HunkLine {
    /// What happens to the line.
    pub kind: LineKind,
    /// Its text with the line ending of the file; the last line of a file
    /// without a final newline has none.
    pub text: Vec<u8>,
}

impl HunkLine {
    /// A line of this kind.
    pub fn new(kind: LineKind, text: impl Into<Vec<u8>>) -> Self {
        Self { kind, text: text.into() }
    }

    /// Whether it changes the file.
    pub fn is_change(&self) -> bool {
        self.kind != LineKind::Context
    }
}

/// Neighbouring changes of one file with their context.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hunk {
    /// Its name.
    pub id: HunkId,
    /// The number of its first line in the base, one-based; where it holds no
    /// line of the base, the number of the line before it, as in git.
    pub before_start: u32,
    /// How many lines of the base it holds.
    pub before_count: u32,
    /// The same for the result.
    pub after_start: u32,
    /// How many lines of the result it holds.
    pub after_count: u32,
    /// The lines: in each change first what goes, then what comes.
    pub lines: Vec<HunkLine>,
    /// How the base spells its text, which the lines give as UTF-8.
    pub before_encoding: Encoding,
    /// The same for the result.
    pub after_encoding: Encoding,
}

impl Hunk {
    /// The index of its first line among the lines of the base.
    pub fn before_index(&self) -> usize {
        index_of_start(self.before_start, self.before_count)
    }

    /// The index of its first line among the lines of the result.
    pub fn after_index(&self) -> usize {
        index_of_start(self.after_start, self.after_count)
    }

    /// How many lines it removes.
    pub fn removed(&self) -> usize {
        self.count(LineKind::Removed)
    }

    /// How many lines it adds.
    pub fn added(&self) -> usize {
        self.count(LineKind::Added)
    }

    fn count(&self, kind: LineKind) -> usize {
        self.lines.iter().filter(|line| line.kind == kind).count()
    }
}

/// Names the hunks of one file in order.
#[derive(Default)]
pub(crate) struct HunkNames {
    occurrences: HashMap<[u8; 32], u64>,
    taken: BTreeSet<HunkId>,
}

impl HunkNames {
    /// The next free name for a hunk with these lines.
    pub(crate) fn name(&mut self, lines: &[HunkLine]) -> HunkId {
        let content = digest_of_changes(lines);
        let occurrence = self.occurrences.entry(content).or_default();
        loop {
            let digest = Sha256::new().chain_update(content).chain_update(occurrence.to_be_bytes());
            *occurrence += 1;
            let id = HunkId(format!("h{}", hex::encode(&digest.finalize()[..6])));
            if self.taken.insert(id.clone()) {
                return id;
            }
        }
    }
}

fn digest_of_changes(lines: &[HunkLine]) -> [u8; 32] {
    let mut hasher = Sha256::new();
    for line in lines.iter().filter(|line| line.is_change()) {
        hasher.update([line.kind.marker() as u8]);
        hasher.update((line.text.len() as u64).to_be_bytes());
        hasher.update(&line.text);
    }
    hasher.finalize().into()
}

/// A start number as it stands in a unified header.
pub(crate) fn start_of_index(index: usize, count: usize) -> u32 {
    let start = if count == 0 { index } else { index.saturating_add(1) };
    u32::try_from(start).unwrap_or(u32::MAX)
}

fn index_of_start(start: u32, count: u32) -> usize {
    if count == 0 { start as usize } else { (start as usize).saturating_sub(1) }
}
