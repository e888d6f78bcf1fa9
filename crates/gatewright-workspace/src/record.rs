//! The record of one transaction: first a journal entry, then, when it stands, a snapshot.
//!
//! It names every step before the first one is made, so that a crash at any
//! moment can be read back from it and from what stands on disk. A journal
//! entry ends with its own digest: one that does not is an entry whose writing
//! was cut short, and since nothing begins before it is written, nothing had.

use gatewright_model::{Digest, FileMode, FileState, RepoPath, RequestedPath};
use serde::{Deserialize, Serialize};

use crate::{Applied, AppliedFile, SnapshotId, TransactionId};

/// File capabilities, which the system drops on a write in place too.
pub(crate) const CAPABILITIES: &str = "security.capability";

/// The version of this format.
pub(crate) const VERSION: u32 = 1;

/// One transaction.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Record {
    pub(crate) version: u32,
    pub(crate) transaction: TransactionId,
    pub(crate) snapshot: SnapshotId,
    pub(crate) files: Vec<RecordFile>,
    /// Directories that the apply makes, the upper ones first.
    pub(crate) makes: Vec<RepoPath>,
    /// Directories that go once it stands, if they are empty, the lower ones first.
    pub(crate) removes: Vec<RepoPath>,
    /// The start of the machine in which the change was made, where the entries of its
    /// directories are synced only beside the commit: after another start, names that were
    /// lost with the power are put in place again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) boot: Option<String>,
}

/// One file of a transaction.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RecordFile {
    pub(crate) requested: RequestedPath,
    pub(crate) resolved: RepoPath,
    pub(crate) before: Option<RecordState>,
    pub(crate) after: Option<RecordState>,
    /// The name beside the target under which the new bytes are written.
    pub(crate) part: String,
    /// The name beside the target that is exchanged with it, or that it goes to.
    pub(crate) side: String,
}

/// A file at one moment, without its bytes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RecordState {
    pub(crate) digest: Digest,
    pub(crate) mode: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) attributes: Option<Attributes>,
    /// The compressed bytes, where they are few: what the record holds is as durable as it is.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "packed")]
    pub(crate) packed: Option<Vec<u8>>,
    /// The same where most of the bytes are those of the file's other state.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) spliced: Option<Spliced>,
}

/// Bytes that are another state's but for what stands between its head and its tail.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Spliced {
    /// How many bytes are those that the other one starts with.
    pub(crate) head: usize,
    /// How many are those that it ends with.
    pub(crate) tail: usize,
    /// What stands between them, compressed.
    #[serde(with = "middle")]
    pub(crate) middle: Vec<u8>,
}

/// Everything that a file carries besides its bytes and its mode.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Attributes {
    pub(crate) uid: u32,
    pub(crate) gid: u32,
    /// Name and value, the value in hex digits.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) xattrs: Vec<(String, String)>,
}

impl RecordState {
    /// A file without its bytes.
    pub(crate) fn new(digest: Digest, mode: u32, attributes: Option<Attributes>) -> Self {
        Self { digest, mode, attributes, packed: None, spliced: None }
    }

    /// The bytes of a file and what its mode can be on this system, without other attributes.
    pub(crate) fn bare(state: &FileState) -> Self {
        Self::new(state.digest(), representable(state.mode).bits(), None)
    }

    /// Whether the record holds the bytes.
    pub(crate) fn is_held(&self) -> bool {
        self.packed.is_some() || self.spliced.is_some()
    }

    /// Whether a file with this digest and mode is the one.
    pub(crate) fn is(&self, found: Option<(Digest, u32)>) -> bool {
        found == Some((self.digest, self.mode))
    }

    pub(crate) fn file_mode(&self) -> FileMode {
        FileMode::from_bits(self.mode)
    }
}

impl Spliced {
    /// The length of the head and of the tail that `bytes` share with `other`.
    pub(crate) fn shared(bytes: &[u8], other: &[u8]) -> (usize, usize) {
        let alike = |(one, other): &(&u8, &u8)| one == other;
        let head = bytes.iter().zip(other).take_while(alike).count();
        let behind = bytes[head..].iter().rev().zip(other[head..].iter().rev());
        (head, behind.take_while(alike).count())
    }

    /// The bytes, given those of the other state and the unpacked middle; `None` where the
    /// other one is too short to be the one that was meant.
    pub(crate) fn bytes(&self, other: &[u8], middle: &[u8]) -> Option<Vec<u8>> {
        let head = other.get(..self.head)?;
        let tail = other.get(other.len().checked_sub(self.tail)?..)?;
        Some([head, middle, tail].concat())
    }
}

impl RecordFile {
    /// Whether the bytes and the mode stay as they are.
    pub(crate) fn is_noop(&self) -> bool {
        match (&self.before, &self.after) {
            (None, None) => true,
            (Some(before), Some(after)) => after.is(Some((before.digest, before.mode))),
            _ => false,
        }
    }

    /// The directory that holds the file; `None` for the root.
    pub(crate) fn directory(&self) -> Option<RepoPath> {
        self.resolved.parent()
    }

    /// The digests that this file refers to.
    pub(crate) fn digests(&self) -> impl Iterator<Item = Digest> {
        self.before.iter().chain(&self.after).map(|state| state.digest)
    }
}

impl Attributes {
    /// Those that a file with the same or with other bytes may have.
    pub(crate) fn for_bytes(mut self, same_bytes: bool) -> Self {
        self.xattrs.retain(|(name, _)| same_bytes || name != CAPABILITIES);
        self
    }
}

/// What a file's mode can be on this system.
pub(crate) fn representable(mode: FileMode) -> FileMode {
    if cfg!(unix) { mode } else { FileMode::REGULAR }
}

impl Record {
    /// The name of this record's file in the journal: any transaction id gives a plain one.
    pub(crate) fn journal_name(&self) -> String {
        let digest = Digest::of(self.transaction.as_str().as_bytes());
        format!("{}.json", hex::encode(&digest.as_bytes()[..16]))
    }

    /// What its apply does, for whoever asked for it.
    pub(crate) fn applied(&self) -> Applied {
        let state = |state: &RecordState| (state.digest, state.file_mode());
        let files = self.files.iter().map(|file| AppliedFile {
            requested: file.requested.clone(),
            resolved: file.resolved.clone(),
            before: file.before.as_ref().map(state),
            after: file.after.as_ref().map(state),
        });
        Applied {
            transaction: self.transaction.clone(),
            snapshot: self.snapshot.clone(),
            files: files.collect(),
            evicted: Vec::new(),
            cleanup_failures: Vec::new(),
        }
    }

    /// Whether every new file can be written again from what the record itself holds.
    pub(crate) fn can_be_redone(&self) -> bool {
        let is_held = |file: &RecordFile| file.after.as_ref().is_none_or(RecordState::is_held);
        self.files.iter().all(|file| file.is_noop() || is_held(file))
    }

    /// The bytes of the journal entry.
    pub(crate) fn encode(&self) -> Result<Vec<u8>, serde_json::Error> {
        let mut bytes = serde_json::to_vec(self)?;
        let seal = Digest::of(&bytes);
        bytes.push(b'\n');
        bytes.extend_from_slice(seal.to_string().as_bytes());
        bytes.push(b'\n');
        Ok(bytes)
    }

    /// Reads an entry back; `None` when it is not whole.
    pub(crate) fn decode(bytes: &[u8]) -> Option<Record> {
        let text = bytes.strip_suffix(b"\n")?;
        let line_end = text.iter().rposition(|byte| *byte == b'\n')?;
        let seal: Digest = std::str::from_utf8(&text[line_end + 1..]).ok()?.parse().ok()?;
        let body = &text[..line_end];
        if Digest::of(body) != seal {
            return None;
        }
        let record: Record = serde_json::from_slice(body).ok()?;
        (record.version == VERSION).then_some(record)
    }
}

/// Bytes that are always there as base64 in the record.
mod middle {
    use base64::Engine as _;
    use base64::engine::general_purpose::STANDARD;
    use serde::{Deserialize as _, Deserializer, Serializer, de};

    pub(super) fn serialize<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&STANDARD.encode(bytes))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<u8>, D::Error> {
        STANDARD.decode(String::deserialize(deserializer)?).map_err(de::Error::custom)
    }
}

/// The same for bytes that may not be there.
mod packed {
    use base64::Engine as _;
    use base64::engine::general_purpose::STANDARD;
    use serde::{Deserialize as _, Deserializer, Serialize as _, Serializer, de};

    pub(super) fn serialize<S: Serializer>(
        bytes: &Option<Vec<u8>>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        bytes.as_ref().map(|bytes| STANDARD.encode(bytes)).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Vec<u8>>, D::Error> {
        let text = Option::<String>::deserialize(deserializer)?;
        text.map(|text| STANDARD.decode(text)).transpose().map_err(de::Error::custom)
    }
}

#[cfg(test)]
#[path = "record_tests.rs"]
mod tests;
