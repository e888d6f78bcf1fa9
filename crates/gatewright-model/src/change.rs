//! Change sets: what a door proposes, as whole files before and after.
//!
//! Every kind of change (create, write, edit, delete, rename, chmod) is a pair
//! of states. How it was asked for is kept beside it as an [`Intent`], because
//! the structural gate judges the request as well as its result.

use std::fmt;
use std::sync::{Arc, OnceLock};

use crate::{Digest, RequestedPath};

/// The permission bits of a regular file, `0o7777` at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileMode(u32);

impl FileMode {
    /// A file that everybody reads and its owner writes.
    pub const REGULAR: FileMode = FileMode(0o644);
    /// The same, executable.
    pub const EXECUTABLE: FileMode = FileMode(0o755);

    /// Keeps the permission bits of `bits` (set-user-id and the like included).
    pub fn from_bits(bits: u32) -> Self {
        Self(bits & 0o7777)
    }

    /// The bits.
    pub fn bits(self) -> u32 {
        self.0
    }

    /// Whether the owner may execute it.
    pub fn is_executable(self) -> bool {
        self.0 & 0o100 != 0
    }

    /// The same mode with every execute bit that has its read bit set, or none.
    pub fn with_executable(self, executable: bool) -> Self {
        let read_to_execute = (self.0 & 0o444) >> 2;
        Self(if executable { self.0 | read_to_execute } else { self.0 & !0o111 })
    }
}

/// A regular file at one moment.
#[derive(Clone)]
pub struct FileState {
    /// Its bytes.
    pub content: Arc<[u8]>,
    /// Its permission bits.
    pub mode: FileMode,
    /// The digest of bytes, made once for this state and its copies.
    hashed: Arc<OnceLock<Hashed>>,
}

/// Bytes and their digest. They are held, so that nothing else comes to stand in their place.
struct Hashed {
    content: Arc<[u8]>,
    digest: Digest,
}

impl FileState {
    /// A state with these bytes and bits.
    pub fn new(content: impl Into<Arc<[u8]>>, mode: FileMode) -> Self {
        Self { content: content.into(), mode, hashed: Arc::default() }
    }

    /// The digest of the bytes, which are hashed the first time that it is asked.
    pub fn digest(&self) -> Digest {
        let hashed = self.hashed.get_or_init(|| Hashed {
            content: Arc::clone(&self.content),
            digest: Digest::of(&self.content),
        });
        // Other bytes may have been put into this state, or into a copy of it.
        if Arc::ptr_eq(&hashed.content, &self.content) {
            hashed.digest
        } else {
            Digest::of(&self.content)
        }
    }
}

impl PartialEq for FileState {
    fn eq(&self, other: &Self) -> bool {
        self.content == other.content && self.mode == other.mode
    }
}

impl Eq for FileState {}

impl fmt::Debug for FileState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { content, mode, .. } = self;
        f.debug_struct("FileState").field("content", content).field("mode", mode).finish()
    }
}

/// One replacement of text by text, as an agent asks for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextEdit {
    /// The text to replace, after any unescaping that the door did.
    pub old: String,
    /// The text to put there.
    pub new: String,
    /// Whether every occurrence is meant.
    pub replace_all: bool,
}

impl TextEdit {
    /// The new text as it comes into `text`: where all lines of that end with `\r\n`, so do those
    /// that an agent sends with `\n`.
    pub fn new_in(&self, text: &[u8]) -> String {
        let is_plain = self.new.contains('\n') && !self.new.contains('\r');
        let mut ends = text.iter().enumerate().filter(|(_, byte)| **byte == b'\n').peekable();
        let has_crlf = ends.peek().is_some()
            && ends.all(|(at, _)| at.checked_sub(1).is_some_and(|before| text[before] == b'\r'));
        if is_plain && has_crlf { self.new.replace('\n', "\r\n") } else { self.new.clone() }
    }
}

/// Neighbouring lines of the base that a patch takes out, and what it puts there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReplacedLines {
    /// The index of the first of them, from 0.
    pub first: usize,
    /// How many they are; none where the patch only adds.
    pub count: usize,
    /// The lines that come, each with a line feed.
    pub new: String,
}

/// How a change was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Intent {
    /// A new file.
    Create,
    /// The whole content, given anew.
    Overwrite,
    /// Text edits, in the order in which they were applied.
    Edit(Vec<TextEdit>),
    /// Hunks of a unified diff or of a patch, known by their result alone.
    Patch,
    /// The same, with the lines that the patch takes out as it spells them, in their order.
    Hunks(Vec<ReplacedLines>),
    /// A symbol edit, already checked by the parse; the text is its name path.
    Symbol(String),
    /// The file goes.
    Delete,
    /// The file takes another name, perhaps with another content.
    Rename,
    /// Only the permission bits change.
    Chmod,
    /// An applied change is taken back.
    Undo,
}

/// What happens to one path.
///
/// `before` is the base that the change was made against: `None` where there
/// was no file. `after` is `None` where the file goes. A rename is two file
/// changes: the old path with `after: None` and the new one with
/// `renamed_from` set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileChange {
    /// The path as it was asked for.
    pub requested: RequestedPath,
    /// The base.
    pub before: Option<FileState>,
    /// The result.
    pub after: Option<FileState>,
    /// The path that this file had before, for the new half of a rename.
    pub renamed_from: Option<RequestedPath>,
    /// How it was asked for.
    pub intent: Intent,
}

impl FileChange {
    /// The digest of the base; `None` where there was no file.
    pub fn base_digest(&self) -> Option<Digest> {
        self.before.as_ref().map(FileState::digest)
    }

    /// The digest of the result; `None` where the file goes.
    pub fn result_digest(&self) -> Option<Digest> {
        self.after.as_ref().map(FileState::digest)
    }

    /// Whether nothing changes.
    pub fn is_noop(&self) -> bool {
        self.before == self.after && self.renamed_from.is_none()
    }
}

/// File changes that are applied together or not at all.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ChangeSet {
    /// The changes, at most one for each resolved path.
    pub changes: Vec<FileChange>,
}

impl ChangeSet {
    /// A set of these changes.
    pub fn new(changes: Vec<FileChange>) -> Self {
        Self { changes }
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_digest_is_made_once_for_a_state_and_its_copies() {
        let state = FileState::new(*b"one", FileMode::REGULAR);
        let copy = state.clone();
        assert_eq!(state.digest(), Digest::of(b"one"));
        assert!(copy.hashed.get().is_some());
        assert_eq!(copy.digest(), Digest::of(b"one"));
    }

    #[test]
    fn other_bytes_in_a_state_have_their_own_digest() {
        let mut state = FileState::new(*b"one", FileMode::REGULAR);
        let copy = state.clone();
        state.digest();
        state.content = Arc::from(*b"two");
        assert_eq!(state.digest(), Digest::of(b"two"));
        assert_eq!(copy.digest(), Digest::of(b"one"));
        // The bytes that were hashed are held, so that writing into them makes others.
        let mut copy = copy;
        drop(state);
        Arc::make_mut(&mut copy.content)[0] = b'O';
        assert_eq!(copy.digest(), Digest::of(b"One"));
    }

    #[test]
    fn states_are_equal_whether_or_not_they_were_hashed() {
        let (one, other) =
            (FileState::new(*b"a", FileMode::REGULAR), FileState::new(*b"a", FileMode::REGULAR));
        one.digest();
        assert_eq!(one, other);
        assert_eq!(format!("{one:?}"), format!("{other:?}"));
        assert_ne!(one, FileState::new(*b"a", FileMode::EXECUTABLE));
    }
}
