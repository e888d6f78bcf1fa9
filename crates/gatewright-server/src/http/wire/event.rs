//! What the event stream says.

use schemars::JsonSchema;
use serde::Serialize;

/// Something happened, here or in another process.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Event {
    /// `staged`, `decided`, `closed`, `applied`, `refused`, `rejected`, `rolled-back`,
    /// `unguarded`, `notice`, or `reset` when events were missed.
    pub kind: String,
    /// The staged change that it is about.
    pub change_id: Option<String>,
    /// The receipt that it is about, by its place.
    pub seq: Option<u64>,
    /// Who did it.
    pub agent: Option<String>,
    /// A sentence for people.
    pub text: String,
    /// When, RFC 3339, where it is known.
    pub timestamp: Option<String>,
}
