//! What can go wrong outside of judgement, and what to do about it.
//!
//! A refusal by a guard is not an error: it is an outcome with a receipt. These
//! are the cases in which there is nothing to judge, or in which the outside
//! world failed. Every front end maps [`ErrorKind`] to its own codes.

use gatewright_guards::NotApproved;
use gatewright_ledger::{KeyError, LedgerError};
use gatewright_model::patch::PatchError;
use gatewright_model::{Digest, EncodingError, ResolutionFailure};
use gatewright_workspace::{OpenError, ReadError, RecoverError, UndoError};

use crate::config::ConfigError;

/// The few classes that front ends tell apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ErrorKind {
    /// Refused by policy: the mode, a missing confirmation, an approval for something else.
    Refused,
    /// The file changed under the agent or the reviewer.
    Stale,
    /// The request makes no sense as it stands.
    BadRequest,
    /// A configuration file is broken.
    Configuration,
    /// The disk, the database, the key or the system.
    Environment,
    /// A broken invariant of ours.
    Internal,
}

/// Why an operation of the engine did not come to an outcome.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// A configuration file is broken.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The workspace could not be opened.
    #[error("cannot guard this folder: {0}")]
    Open(#[from] OpenError),
    /// The signing key could not be used.
    #[error("cannot use the signing key: {0}")]
    Key(#[from] KeyError),
    /// The ledger could not be used.
    #[error("cannot use the ledger: {0}")]
    Ledger(#[from] LedgerError),
    /// A file of ours could not be read or made.
    #[error("{doing}: {source}")]
    Io {
        /// What was being done.
        doing: String,
        /// The system's words.
        source: std::io::Error,
    },
    /// Recovery after a crash failed.
    #[error("cannot recover what a crash left: {0}")]
    Recover(#[from] RecoverError),
    /// A file of the workspace could not be read.
    #[error("cannot read {path:?}: {source}")]
    Read {
        /// The path.
        path: String,
        /// Why.
        source: ReadError,
    },
    /// The path leads nowhere.
    #[error("cannot use {path:?}: {failure}")]
    Path {
        /// The path.
        path: String,
        /// Why.
        failure: ResolutionFailure,
    },
    /// There is no such file.
    #[error("{path:?} does not exist")]
    Missing {
        /// The path.
        path: String,
        /// Paths that may have been meant, the nearest first.
        nearest: Vec<String>,
    },
    /// There is a file already.
    #[error("{path:?} exists already, and a creation never overwrites")]
    Exists {
        /// The path.
        path: String,
    },
    /// The file is not what the change was made against.
    #[error("{path:?} changed since it was read: made against {expected}, found {found}")]
    Stale {
        /// The path.
        path: String,
        /// The digest that the change names.
        expected: String,
        /// The digest that is there.
        found: String,
    },
    /// The text to replace is not there.
    #[error("edit {number} of {path:?}: the text to replace was not found{nearest}")]
    EditNotFound {
        /// The path.
        path: String,
        /// Which edit, from 1.
        number: usize,
        /// Where something close stands, as a continuation of the sentence.
        nearest: String,
    },
    /// The text to replace is there more than once.
    #[error("edit {number} of {path:?}: the text to replace occurs {count} times")]
    EditAmbiguous {
        /// The path.
        path: String,
        /// Which edit, from 1.
        number: usize,
        /// How often.
        count: usize,
    },
    /// The file is not text that can be edited.
    #[error("{path:?} cannot be taken as text: {source}")]
    NotText {
        /// The path.
        path: String,
        /// Why.
        source: EncodingError,
    },
    /// The request asks for nothing.
    #[error("the request changes nothing")]
    Empty,
    /// A patch could not be read.
    #[error("cannot read the patch: {0}")]
    Patch(#[from] PatchError),
    /// A hunk does not fit the file.
    #[error("{path:?}: {message}")]
    HunkMismatch {
        /// The path.
        path: String,
        /// Which hunk, where, and what stands there instead.
        message: String,
    },
    /// The JSON form could not be read.
    #[error("cannot read the request: {message}")]
    Json {
        /// The place and the reason.
        message: String,
    },
    /// No staged change has this id.
    #[error("no staged change {id:?}")]
    NoSuchChange {
        /// The id.
        id: String,
    },
    /// The staged change is no longer open.
    #[error("the staged change {id:?} is already {state}")]
    Closed {
        /// The id.
        id: String,
        /// Its state.
        state: String,
    },
    /// Someone else changed the staged change in between.
    #[error("the staged change {id:?} was changed by someone else in between")]
    StageConflict {
        /// The id.
        id: String,
    },
    /// No hunk or file of that name in the staged change.
    #[error("{what} is not in the staged change {id:?}")]
    NoSuchPart {
        /// The staged change.
        id: String,
        /// What was named.
        what: String,
    },
    /// Nothing of the staged change was accepted.
    #[error("nothing of {id:?} is accepted, so there is nothing to apply")]
    NothingAccepted {
        /// The id.
        id: String,
    },
    /// No receipt has this id.
    #[error("no receipt {id:?}")]
    NoSuchReceipt {
        /// The id.
        id: String,
    },
    /// The receipt wrote nothing, so there is nothing to undo.
    #[error("receipt {id:?} applied nothing, so there is nothing to undo")]
    NotApplied {
        /// The id.
        id: String,
    },
    /// No receipt wrote anything that could be undone.
    #[error("nothing was applied here yet, so there is nothing to undo")]
    NothingApplied,
    /// Undo cannot be planned.
    #[error("cannot undo: {0}")]
    Undo(#[from] UndoError),
    /// The files were changed since, so undo would overwrite someone's work.
    #[error("cannot undo: {} changed since", paths.join(", "))]
    UndoConflict {
        /// The paths.
        paths: Vec<String>,
    },
    /// The approval did not go through.
    #[error("{0}")]
    NotApproved(#[from] NotApproved),
    /// Writing failed; nothing was written.
    #[error("nothing was written: {message}")]
    Apply {
        /// Why.
        message: String,
    },
    /// The file is in no language with symbols.
    #[error("{path:?} is in no language with symbol tools")]
    NoSymbols {
        /// The path.
        path: String,
    },
    /// The file could not be parsed.
    #[error("cannot parse {path:?}: {message}")]
    Parse {
        /// The path.
        path: String,
        /// Why.
        message: String,
    },
    /// The place of an insertion has no such name.
    #[error("no such position: {text:?} (before, after, first or last)")]
    Position {
        /// What was asked for.
        text: String,
    },
    /// A rename needs a language server.
    #[error("renaming a {language} symbol needs a language server, and none was found")]
    RenameNeedsServer {
        /// The language.
        language: String,
        /// The server to install.
        server: &'static str,
        /// How to install it.
        install: &'static str,
    },
    /// The language server came to grief.
    #[error("{message}")]
    ServerFailed {
        /// Which, and how.
        message: String,
    },
    /// The rename cannot be made.
    #[error("{path:?}: {symbol:?} is not renamed: {message}")]
    NotRenamed {
        /// The path.
        path: String,
        /// What was to be renamed.
        symbol: String,
        /// Why not.
        message: String,
    },
    /// The parse and the language server name different things.
    #[error("{path:?}: {server} does not take that place for {symbol:?}: {message}")]
    WitnessDisagrees {
        /// The path.
        path: String,
        /// The symbol that was asked for.
        symbol: String,
        /// The language server.
        server: &'static str,
        /// What it says.
        message: String,
    },
    /// The symbol edit cannot be made.
    #[error("{path:?}: {message}{}", candidate_lines(candidates))]
    Symbol {
        /// The path.
        path: String,
        /// Why.
        message: String,
        /// What may have been meant.
        candidates: Vec<String>,
    },
    /// A placeholder of the egress guard stands for nothing here.
    #[error("{path:?}: {message}")]
    Placeholder {
        /// The path.
        path: String,
        /// Which, and why.
        message: String,
    },
    /// A guard refused the place when it was about to be written.
    #[error("refused at the last moment: {message}")]
    RefusedLate {
        /// The path and the reason.
        message: String,
    },
    /// Only a person may do this.
    #[error("{what} is for a person, and this call comes from {agent}")]
    PersonOnly {
        /// What was asked for.
        what: String,
        /// The agent that was recognised.
        agent: String,
    },
    /// A broken invariant of ours.
    #[error("bug: {message}")]
    Bug {
        /// Which.
        message: String,
    },
}

impl EngineError {
    /// The class of the error.
    pub fn kind(&self) -> ErrorKind {
        use EngineError as E;
        match self {
            E::Config(_) => ErrorKind::Configuration,
            E::Open(_) | E::Key(_) | E::Ledger(_) | E::Io { .. } | E::Recover(_) => {
                ErrorKind::Environment
            }
            E::Read { .. } | E::Apply { .. } => ErrorKind::Environment,
            E::Stale { .. } | E::Exists { .. } | E::StageConflict { .. } => ErrorKind::Stale,
            E::UndoConflict { .. } => ErrorKind::Stale,
            E::NotApproved(_) | E::PersonOnly { .. } | E::RefusedLate { .. } => ErrorKind::Refused,
            E::Bug { .. } => ErrorKind::Internal,
            _ => ErrorKind::BadRequest,
        }
    }

    /// The stable code.
    pub fn code(&self) -> &'static str {
        use EngineError as E;
        match self {
            E::Config(_) => "configuration",
            E::Open(_) => "workspace",
            E::Key(_) => "signing-key",
            E::Ledger(_) => "ledger",
            E::Io { .. } => "io",
            E::Recover(_) => "recovery",
            E::Read { .. } => "read",
            E::Path { .. } => "path",
            E::Missing { .. } => "missing-file",
            E::Exists { .. } => "file-exists",
            E::Stale { .. } => "stale-base",
            E::EditNotFound { .. } => "edit-not-found",
            E::EditAmbiguous { .. } => "edit-ambiguous",
            E::NotText { .. } => "not-text",
            E::Empty => "empty-request",
            E::Patch(_) => "patch",
            E::HunkMismatch { .. } => "hunk-mismatch",
            E::Json { .. } => "json",
            E::NoSuchChange { .. } => "no-such-change",
            E::Closed { .. } => "change-closed",
            E::StageConflict { .. } => "stage-conflict",
            E::NoSuchPart { .. } => "no-such-part",
            E::NothingAccepted { .. } => "nothing-accepted",
            E::NoSuchReceipt { .. } => "no-such-receipt",
            E::NotApplied { .. } | E::NothingApplied => "nothing-to-undo",
            E::Undo(_) => "undo",
            E::UndoConflict { .. } => "undo-conflict",
            E::NotApproved(_) => "not-approved",
            E::Apply { .. } => "apply",
            E::NoSymbols { .. } => "no-symbols",
            E::Parse { .. } => "parse",
            E::Position { .. } => "position",
            E::RenameNeedsServer { .. } => "rename-needs-server",
            E::ServerFailed { .. } => "server-failed",
            E::NotRenamed { .. } => "not-renamed",
            E::WitnessDisagrees { .. } => "witness-disagrees",
            E::Symbol { .. } => "symbol",
            E::Placeholder { .. } => "placeholder",
            E::RefusedLate { .. } => "refused-late",
            E::PersonOnly { .. } => "person-only",
            E::Bug { .. } => "internal",
        }
    }

    /// What to do next, where there is something to do.
    pub fn hint(&self) -> Option<String> {
        use EngineError as E;
        let hint = match self {
            E::Stale { .. } => "read the file again and make the change against what is there now",
            E::Exists { .. } => "use write to replace it, or choose another name",
            E::EditNotFound { .. } => {
                "read the file again and copy the text exactly, white space included"
            }
            E::EditAmbiguous { .. } => {
                "give more of the lines around it, or say that every occurrence is meant"
            }
            E::NotText { .. } => "convert it, or write the whole file anew",
            E::NoSuchChange { .. } | E::Closed { .. } => "`gatewright changes` lists what is open",
            E::StageConflict { .. } => "look at it again and decide anew",
            E::NothingAccepted { .. } => "accept hunks with `gatewright review`, or reject it",
            E::NoSuchReceipt { .. } | E::NotApplied { .. } | E::NothingApplied => {
                "`gatewright receipts list` shows every receipt"
            }
            E::Empty => "name at least one file and what is to become of it",
            E::UndoConflict { .. } => {
                "`gatewright rollback --show` shows the three versions; put the files right by hand"
            }
            E::Missing { nearest, .. } => return Some(meant_paths(nearest)),
            E::Read { .. } => "check the path and what kind of thing stands there",
            E::HunkMismatch { .. } => "make the patch anew against the file as it is now",
            E::NotApproved(NotApproved::NotConfirmed) => {
                "look at what asks and confirm it: `gatewright apply --confirm`"
            }
            E::NotApproved(NotApproved::NeedsReview) => "`gatewright review` shows it",
            E::NotApproved(NotApproved::SuggestOnly) => {
                "`gatewright mode --suggest-only false` lifts it; what was proposed under it has to be \
                 proposed again"
            }
            E::PersonOnly { .. } => "run it yourself in a terminal of your own",
            E::Open(OpenError::StateInsideWorkspace { .. }) => {
                "guard a folder further down, or let XDG_STATE_HOME point elsewhere"
            }
            E::NoSymbols { .. } => "use edit_file for it",
            E::RenameNeedsServer { server, install, .. } => {
                return Some(format!(
                    "install {server} ({install}), or replace the symbol and its uses one by one"
                ));
            }
            E::NotRenamed { .. } => {
                "choose another name, or replace the symbol and its uses one by one"
            }
            E::WitnessDisagrees { .. } => {
                "nothing was written; read the file again, or mend what does not parse first"
            }
            E::Symbol { .. } => "`symbols` lists the symbols of the file with their digests",
            E::Placeholder { .. } => {
                "keep each placeholder where it stands; edit the text around it"
            }
            E::Config(_) => "mend the file; nothing starts unguarded",
            _ => return None,
        };
        Some(hint.to_owned())
    }

    /// A failure of the ledger, with a lost race for a staged change told apart.
    pub fn from_ledger(error: LedgerError) -> Self {
        match error {
            LedgerError::StageConflict { id, .. } => EngineError::StageConflict { id },
            other => EngineError::Ledger(other),
        }
    }

    /// A stale base, with "no file" spelled out.
    pub fn stale(path: &str, expected: Option<Digest>, found: Option<Digest>) -> Self {
        let name = |digest: Option<Digest>| {
            digest.map_or_else(|| "no file".to_owned(), |digest| digest.to_string())
        };
        EngineError::Stale { path: path.to_owned(), expected: name(expected), found: name(found) }
    }
}

/// The paths that may have been meant, as a question.
fn meant_paths(nearest: &[String]) -> String {
    if nearest.is_empty() {
        return "check the path, or create the file".to_owned();
    }
    let nearest: Vec<String> = nearest.iter().map(|path| format!("{path:?}")).collect();
    format!("did you mean {}?", nearest.join(" or "))
}

fn candidate_lines(candidates: &[String]) -> String {
    candidates.iter().map(|candidate| format!("\n  {candidate}")).collect()
}
