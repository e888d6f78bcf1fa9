//! What a hidden value is, and the placeholder that stands in its place.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

/// The kind of a hidden value.
///
/// ```
/// use gatewright_guards::egress::Kind;
/// assert_eq!(Kind::ApiKey.placeholder(), "[REDACTED:api-key]");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// A key or token that a service hands out.
    ApiKey,
    /// Private key material in any container.
    PrivateKey,
    /// The password inside a connection string or URL.
    ConnectionString,
    /// A password that stands beside its name.
    Password,
    /// A path outside the workspace.
    Path,
    /// The key of a service-account file.
    ServiceAccount,
}

impl Kind {
    /// Every kind, in the order of receipts.
    pub const ALL: [Kind; 6] = [
        Kind::ApiKey,
        Kind::PrivateKey,
        Kind::ConnectionString,
        Kind::Password,
        Kind::Path,
        Kind::ServiceAccount,
    ];

    /// The name in placeholders, receipts and rule files.
    pub fn as_str(self) -> &'static str {
        match self {
            Kind::ApiKey => "api-key",
            Kind::PrivateKey => "private-key",
            Kind::ConnectionString => "connection-string",
            Kind::Password => "password",
            Kind::Path => "path",
            Kind::ServiceAccount => "service-account",
        }
    }

    /// What stands in the text instead of the value.
    pub fn placeholder(self) -> &'static str {
        match self {
            Kind::ApiKey => "[REDACTED:api-key]",
            Kind::PrivateKey => "[REDACTED:private-key]",
            Kind::ConnectionString => "[REDACTED:connection-string]",
            Kind::Password => "[REDACTED:password]",
            Kind::Path => "[REDACTED:path]",
            Kind::ServiceAccount => "[REDACTED:service-account]",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// How many values of each kind were hidden.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Counts(BTreeMap<Kind, u64>);

impl Counts {
    /// Counts one more of `kind`.
    pub fn add(&mut self, kind: Kind) {
        *self.0.entry(kind).or_default() += 1;
    }

    /// Adds the counts of `other`.
    pub fn merge(&mut self, other: &Counts) {
        for (kind, count) in &other.0 {
            *self.0.entry(*kind).or_default() += count;
        }
    }

    /// How many of `kind`.
    pub fn of(&self, kind: Kind) -> u64 {
        self.0.get(&kind).copied().unwrap_or_default()
    }

    /// How many of all kinds.
    pub fn total(&self) -> u64 {
        self.0.values().sum()
    }

    /// True when nothing was hidden.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The kinds that occur, with their counts.
    pub fn iter(&self) -> impl Iterator<Item = (Kind, u64)> + '_ {
        self.0.iter().map(|(kind, count)| (*kind, *count))
    }

    /// The form that receipts hold: kind name to count.
    pub fn to_map(&self) -> BTreeMap<String, u64> {
        self.iter().map(|(kind, count)| (kind.to_string(), count)).collect()
    }
}
