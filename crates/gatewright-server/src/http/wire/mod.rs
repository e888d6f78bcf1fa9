//! What crosses the wire between the page and the server, and nothing else.
//!
//! `web/src/wire.ts` is made from these types; a test fails when it drifts.

mod change;
mod event;
mod packed;
mod receipt;
mod request;
mod settings;

pub use change::{
    Change, ChangeList, ChangeSummary, Conflict, Decided, DecidedFile, Decision, FileDetail,
    FileSummary, Finding, Guards, Hunk, Line, LineList, Missing, Outcome, PlainLine, Tally, Unit,
};
pub use event::Event;
pub use receipt::{
    Chart, ChartRow, FileRecord, HunkRecord, OutcomeCounts, Proof, ReceiptDetail, ReceiptList,
    ReceiptSummary, UndoPreview, VerifyResult,
};
pub use request::{
    Apply, ChoiceWord, CommentOn, Decide, EditHunk, Empty, Exchange, PartOf, Reject, SetAllowed,
    SetMode, TryRules,
};
pub use settings::{AllowList, Failure, FailureDetail, Mode, RuleList, RuleRow, State, Tried};
