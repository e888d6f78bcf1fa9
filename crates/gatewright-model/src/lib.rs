//! The vocabulary of Gatewright.
//!
//! A [`ChangeSet`] is what a door proposes. *Facts* ([`PathFacts`] and its
//! siblings) are what is known about it. A [`Finding`] is what a guard says of
//! it; the strictest finding is the [`Verdict`]. A [`Receipt`] is what remains.
//!
//! This crate holds values and nothing else: no IO, no clock, no async, no
//! policy decision. Every other crate of the workspace may use it.

mod agent;
mod autonomy;
mod change;
mod diff;
mod digest;
mod encoding;
mod finding;
mod hunk;
pub mod patch;
mod path;
mod path_facts;
mod receipt;
mod reference_facts;
mod review;
mod span;
mod structure_facts;

pub use agent::{Agent, Door};
pub use autonomy::{Autonomy, Mode, ParseModeError};
pub use change::{ChangeSet, FileChange, FileMode, FileState, Intent, ReplacedLines, TextEdit};
pub use diff::diff_hunks;
pub use digest::{Digest, ParseDigestError};
pub use encoding::{Encoding, EncodingError, decode, decode_text, readable};
pub use finding::{Finding, Guard, Severity, Verdict};
pub use hunk::{
    FileSide, Hunk, HunkId, HunkLine, LineKind, UnknownHunk, hunk_after, replace_hunk,
    select_hunks, select_lines, split_hunk, unified_file, unified_hunk,
};
pub use path::{PathProblem, RepoPath, RequestedPath};
pub use path_facts::{LinkFacts, PathFacts, Resolution, ResolutionFailure, Target, TargetKind};
pub use receipt::{
    Action, DefinitionPlace, FileRecord, GuardOutcome, GuardOutcomes, HunkRecord, MissingReference,
    Receipt, ReceiptBody,
};
pub use reference_facts::ReferenceFacts;
pub use review::{Binding, HumanDecision};
pub use span::Span;
pub use structure_facts::{
    EditShape, LostDefinition, ReadyCall, Structural, StructureFacts, StructureProblem, SymbolCall,
};
