//! What a door asks for, before it is set against the files on disk.

use gatewright_model::{Agent, Autonomy, Digest, RequestedPath, TextEdit};

/// One request through any door.
#[derive(Debug, Clone)]
pub struct Request {
    /// Who asks.
    pub agent: Agent,
    /// The run or session that asks; staged changes are grouped by it.
    pub run_id: String,
    /// A stricter autonomy for this run; a laxer one has no effect.
    pub autonomy: Option<Autonomy>,
    /// What is asked for, in order.
    pub operations: Vec<Operation>,
}

/// What a change was made against.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Base {
    /// Not stated: whatever is there now.
    #[default]
    Current,
    /// No file.
    Absent,
    /// A file with this digest.
    Digest(Digest),
}

/// One thing to do to one path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Operation {
    /// Make a new file; refused where one exists.
    Create {
        /// The path.
        path: RequestedPath,
        /// Its bytes.
        content: Vec<u8>,
        /// Whether it is to be executable.
        executable: bool,
    },
    /// Give a file this content, whether or not it exists.
    Write {
        /// The path.
        path: RequestedPath,
        /// Its bytes.
        content: Vec<u8>,
        /// What it was made against.
        base: Base,
    },
    /// Replace text in a file.
    Edit {
        /// The path.
        path: RequestedPath,
        /// The replacements, in order.
        edits: Vec<TextEdit>,
        /// What they were made against.
        base: Base,
    },
    /// Apply the hunks of a patch to a file, perhaps under a new name or mode.
    Patch {
        /// The path.
        path: RequestedPath,
        /// The name that it takes.
        rename_to: Option<RequestedPath>,
        /// Whether the old name stays, as in a copy.
        keep_source: bool,
        /// The hunks.
        hunks: Vec<gatewright_model::patch::PatchHunk>,
        /// Whether it is to be executable, where the patch says so.
        executable: Option<bool>,
    },
    /// A symbol edit that was planned on the parse: the whole new content.
    Symbol {
        /// The path.
        path: RequestedPath,
        /// The name path of the symbol.
        symbol: String,
        /// The new content of the whole file.
        content: Vec<u8>,
        /// The digest of the content that it was planned on.
        base: Digest,
    },
    /// Remove a file.
    Delete {
        /// The path.
        path: RequestedPath,
        /// What was there.
        base: Base,
    },
    /// Give a file another name.
    Rename {
        /// The old path.
        from: RequestedPath,
        /// The new path.
        to: RequestedPath,
        /// What was there.
        base: Base,
    },
    /// Change the permission bits.
    Chmod {
        /// The path.
        path: RequestedPath,
        /// The new bits.
        mode: ChmodMode,
    },
}

/// How a chmod names its bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChmodMode {
    /// Only whether it is executable.
    Executable(bool),
    /// All of them.
    Bits(u32),
}
