//! Tools that add text to a file and leave the rest of it.
//!
//! The name of a tool is its server's word, not the agent's, so it is believed; a field of the
//! call is believed only where the server's own list of tools declares it.

use gatewright_engine::{Engine, Operation};

use super::notebook::text_on_disk;

/// Where a tool puts its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Before all that is there.
    Start,
    /// Behind it.
    End,
}

impl Side {
    /// The side that a word names: the name of a tool, or the value of its `mode`.
    pub fn of(word: &str) -> Option<Self> {
        let word = word.to_ascii_lowercase();
        match () {
            () if word.contains("append") => Some(Self::End),
            () if word.contains("prepend") => Some(Self::Start),
            () => None,
        }
    }
}

/// The write of a whole file that comes to the same as adding its text at a side.
pub fn whole(engine: &Engine, side: Side, operation: Operation) -> Operation {
    let Operation::Write { path, content, base } = operation else { return operation };
    let before = text_on_disk(engine, &path).unwrap_or_default().into_bytes();
    let parted = |mut first: Vec<u8>, second: Vec<u8>| {
        if !first.is_empty() && !first.ends_with(b"\n") {
            first.push(b'\n');
        }
        first.extend(second);
        first
    };
    let content = match side {
        Side::End => parted(before, content),
        Side::Start => parted(content, before),
    };
    Operation::Write { path, content, base }
}
