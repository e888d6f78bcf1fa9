//! The one pipeline: propose, gather facts, judge, ask, apply, record.
//!
//! Every door is an adapter over [`Engine`], so a guard cannot be present in
//! one door and missing in another. Start reading at [`Engine::propose`] in
//! `pipeline.rs`; what a person does to a staged change is in `review.rs`, and
//! taking back is in `undo.rs`.
//!
//! Nothing here prints, speaks a protocol or reads the environment: directories,
//! the clock and the user's name come in through [`EngineOptions`].

mod allow;
mod background_index;
mod clock;
mod code_project;
mod code_queries;
mod code_steps;
pub mod config;
mod dangling;
mod edit_text;
mod engine;
mod error;
mod expand;
mod hand_over;
mod host_writes;
mod indexing;
pub mod intake;
mod io;
mod judging;
mod layout;
mod listed_folders;
mod look_ahead;
mod missing;
mod outcome;
mod pipeline;
mod placeholders;
mod put_back;
mod reading;
mod receipt_step;
mod recording;
mod redaction;
mod reference_index;
mod reference_witness;
mod references;
mod reground;
mod rename;
mod request;
mod review;
mod second_witness;
mod source_list;
mod spelling;
mod stage;
mod symbol_index;
mod symbols;
mod undo;
mod unguarded;

pub use background_index::BackgroundIndex;
pub use clock::{Clock, SystemClock};
pub use code_queries::{CodeAnswer, FoundSymbol, ReferenceRow, SymbolQuery};
pub use code_steps::CodeStep;
pub use engine::{Engine, EngineOptions};
pub use error::{EngineError, ErrorKind};
pub use gatewright_guards as guards;
pub use gatewright_languages as languages;
pub use gatewright_ledger as ledger;
pub use gatewright_workspace::{Durability, LandlockStatus, ReadError, Stamp};
pub use hand_over::HandedOver;
pub use host_writes::HostWrite;
pub use indexing::Progress;
pub use layout::{Layout, UserDirs};
pub use outcome::{Checked, Disposition, Outcome};
pub use reading::FileView;
pub use redaction::{EgressGuard, names_a_secret};
pub use reground::{Regrounded, RegroundedFile};
pub use request::{Base, ChmodMode, Operation, Request};
pub use review::{Conflict, Part, StagedView};
pub use stage::{Choice, StagedChange, StagedFile, Tally, Unit, UnitDecision, UnitId};
pub use symbols::{CodeAction, CodeEdit, CodeOutcome, SymbolRow};
pub use undo::UndoPreview;
pub use unguarded::{Walked, WalkedFile, Witness};

/// The largest file that is read as a base. The write guard's own limit is far lower.
pub(crate) const READ_LIMIT: u64 = 64 * 1024 * 1024;
