//! `Redacted`: the only thing that a transport sends.
//!
//! It has no public constructor. A [`Redactor`](super::Redactor) or a
//! [`Stream`](super::Stream) makes one, so that whatever holds a `Redacted` has
//! passed the egress guard.

use std::fmt;

use super::kind::Counts;

/// A value that passed the egress guard, with what was hidden in it.
///
/// ```
/// use gatewright_guards::egress::Redactor;
/// let sent = Redactor::default().seal("nothing to hide");
/// assert_eq!(sent.as_str(), "nothing to hide");
/// assert!(sent.counts().is_empty());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use]
pub struct Redacted<T = String> {
    value: T,
    counts: Counts,
}

impl<T> Redacted<T> {
    pub(super) fn new(value: T, counts: Counts) -> Self {
        Redacted { value, counts }
    }

    /// How many values of each kind were hidden.
    pub fn counts(&self) -> &Counts {
        &self.counts
    }

    /// The value, to look at.
    pub fn get(&self) -> &T {
        &self.value
    }

    /// The value, to send.
    pub fn into_inner(self) -> T {
        self.value
    }
}

impl Redacted<String> {
    /// The text, to look at.
    pub fn as_str(&self) -> &str {
        &self.value
    }
}

impl Redacted<Vec<u8>> {
    /// The bytes, to look at.
    pub fn as_bytes(&self) -> &[u8] {
        &self.value
    }
}

impl Redacted<serde_json::Value> {
    /// The JSON text of the value. Serialising adds nothing that was not there.
    pub fn to_text(&self) -> Redacted<String> {
        Redacted { value: self.value.to_string(), counts: self.counts.clone() }
    }
}

impl<T: fmt::Display> fmt::Display for Redacted<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value.fmt(f)
    }
}
