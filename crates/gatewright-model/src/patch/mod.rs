//! Patches as agents send them: unified diffs and the `*** Begin Patch` form.
//!
//! Both are parsed into [`PatchOperation`]s, which name untrusted paths as text
//! and say nothing about the disk. [`apply_hunks`] then turns the bytes of a
//! base into the bytes of the result. What does not fit exactly is refused with
//! the place; nothing is guessed.

mod apply;
mod begin;
mod error;
mod header;
mod locate;
mod name;
mod scan;
mod unified;

use crate::HunkLine;

pub use apply::{
    HunkMismatch, MismatchReason, PlacedHunk, apply_hunks, placed_hunks, replaced_lines,
};
pub use begin::parse_begin_patch;
pub use error::{PatchError, PatchProblem};
pub use unified::parse_unified;

/// A patch of this many bytes or more is refused.
pub const PATCH_SIZE_LIMIT: usize = 10_000_000;

/// The form of a patch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PatchForm {
    /// A unified diff, with or without git's extended headers.
    Unified,
    /// `*** Begin Patch` to `*** End Patch`.
    BeginPatch,
}

/// One thing that a patch asks for, with paths as the patch spells them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PatchOperation {
    /// A new file.
    Create {
        /// Where.
        path: String,
        /// Its bytes.
        content: Vec<u8>,
        /// Whether it is to be executable.
        executable: bool,
    },
    /// The file goes.
    Delete {
        /// Which.
        path: String,
        /// What the patch says it held, as hunks that leave nothing; empty
        /// where the patch does not say.
        hunks: Vec<PatchHunk>,
    },
    /// The file changes.
    Update {
        /// The file whose bytes the hunks apply to; with `copy_from`, the copy.
        path: String,
        /// Its new path.
        rename_to: Option<String>,
        /// The file that `path` starts as a copy of; the hunks apply to its bytes.
        copy_from: Option<String>,
        /// The changes, in order; none for a pure rename, copy or mode change.
        hunks: Vec<PatchHunk>,
        /// Whether it is to become executable, or to cease to be.
        executable: Option<bool>,
    },
}

impl PatchOperation {
    /// The path that the operation starts from.
    pub fn path(&self) -> &str {
        match self {
            PatchOperation::Create { path, .. }
            | PatchOperation::Delete { path, .. }
            | PatchOperation::Update { path, .. } => path,
        }
    }
}

/// One hunk of a patch, not yet placed in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PatchHunk {
    /// Where it belongs.
    pub place: HunkPlace,
    /// Its lines; see [`HunkPlace`] for their endings.
    pub lines: Vec<HunkLine>,
}

/// How a patch says where a hunk belongs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HunkPlace {
    /// By line number; the lines carry their endings and match byte for byte.
    Line {
        /// One-based, as in the header of the hunk.
        before_start: u32,
    },
    /// By its lines alone; they carry no endings, and those of the file hold.
    Context {
        /// Lines somewhere above the hunk, outermost first.
        headings: Vec<String>,
        /// Whether the hunk ends where the file ends.
        at_end: bool,
    },
}

/// Which form the text has, by its first telling line; `None` where it has none.
///
/// ```
/// use gatewright_model::patch::{PatchForm, detect};
/// assert_eq!(detect(b"*** Begin Patch\n*** End Patch"), Some(PatchForm::BeginPatch));
/// assert_eq!(detect(b"--- a/x\n+++ b/x\n@@ -1 +1 @@\n-1\n+2\n"), Some(PatchForm::Unified));
/// assert_eq!(detect(b"let x = 1;\n"), None);
/// ```
pub fn detect(text: &[u8]) -> Option<PatchForm> {
    let mut cursor = scan::Cursor::new(text);
    while let Some(line) = cursor.peek() {
        if line.trim_ascii() == begin::BEGIN.as_bytes() {
            return Some(PatchForm::BeginPatch);
        }
        if unified::starts_file(cursor) {
            return Some(PatchForm::Unified);
        }
        cursor.advance();
    }
    None
}
