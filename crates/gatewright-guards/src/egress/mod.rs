//! The egress guard: nothing that must not leave, leaves.
//!
//! A [`Redactor`] hides secrets and outside paths in text, a [`Stream`] does the
//! same across chunk boundaries, and [`Redacted`] is the proof that a transport
//! asks for. Rules are data ([`Catalogue`]); what a pattern cannot say is
//! hand-written under `detect`. Text is cut into units, a line or several lines
//! that belong together, whose borders depend on the text alone; each unit is
//! redacted for itself, which is why any split of a stream gives the same output.
//!
//! Nothing here reads a file or the environment: the values of `.env` files and
//! the like are handed in through [`RedactionContext`].

mod anchors;
mod carried;
pub mod catalogue;
mod closing;
mod detect;
mod engine;
mod exact;
mod frames;
mod json;
mod json_strings;
mod kind;
mod passes;
mod pieces;
mod promise;
mod quick;
mod reach;
mod redacted;
mod redactor;
mod restore;
mod seen;
mod shadow;
mod sparks;
mod standing;
mod stream;
mod tail;
mod units;
mod visible;
mod written;

pub use catalogue::{Catalogue, Extension, ExtensionError, Failure, Rule, RuleError};
pub use frames::{Frames, Framing};
pub use kind::{Counts, Kind};
pub use redacted::Redacted;
pub use redactor::{RedactedText, Redaction, RedactionContext, Redactor, SecretValue};
pub use restore::{RedactedFile, RestoreError, Restored};
pub use stream::Stream;
pub use visible::Visible;
pub use written::judge;
