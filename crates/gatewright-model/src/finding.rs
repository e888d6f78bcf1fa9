//! What guards say: findings, and the verdict that the strictest of them makes.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The four guards.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Guard {
    /// Is this text edit really a structural edit?
    Structure,
    /// May these bytes go to this path?
    Write,
    /// Does everything that this code refers to exist?
    Hallucination,
    /// Does what goes out contain what must not?
    Egress,
}

impl Guard {
    /// All four, in the order of receipts.
    pub const ALL: [Guard; 4] =
        [Guard::Structure, Guard::Write, Guard::Hallucination, Guard::Egress];

    /// The name in receipts.
    pub fn as_str(self) -> &'static str {
        match self {
            Guard::Structure => "structure",
            Guard::Write => "write",
            Guard::Hallucination => "hallucination",
            Guard::Egress => "egress",
        }
    }
}

impl fmt::Display for Guard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// How much one finding weighs, from lightest to heaviest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Worth knowing; changes nothing.
    Note,
    /// A person should look; never blocks by itself.
    Warn,
    /// A person must confirm these exact bytes at this resolved path.
    Confirm,
    /// Refused.
    Refuse,
}

/// The answer to a whole change set: its strictest finding.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Nothing to say, or notes only.
    #[default]
    Pass,
    /// Something that a person should look at.
    Warn,
    /// A person must confirm.
    Confirm,
    /// Refused.
    Refuse,
}

impl Verdict {
    /// The verdict that these findings make. More findings never make it laxer.
    pub fn of<'a>(findings: impl IntoIterator<Item = &'a Finding>) -> Verdict {
        findings.into_iter().map(|finding| finding.severity.into()).max().unwrap_or_default()
    }

    /// The name on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Verdict::Pass => "pass",
            Verdict::Warn => "warn",
            Verdict::Confirm => "confirm",
            Verdict::Refuse => "refuse",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl From<Severity> for Verdict {
    fn from(severity: Severity) -> Self {
        match severity {
            Severity::Note => Verdict::Pass,
            Severity::Warn => Verdict::Warn,
            Severity::Confirm => Verdict::Confirm,
            Severity::Refuse => Verdict::Refuse,
        }
    }
}

/// What one guard says of one place.
///
/// It reads by itself: what, why, where, and what to do next.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// The stable code of the rule (`W101-git-internals`).
    pub code: String,
    /// The guard that speaks.
    pub guard: Guard,
    /// How much it weighs.
    pub severity: Severity,
    /// The path that it speaks of, as it was asked for.
    pub path: String,
    /// The line number, one-based, of the result.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// The column number, one-based, in characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
    /// What was found and why it matters, in one or two sentences.
    pub message: String,
    /// What to do next.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

impl Finding {
    /// A finding about a whole file.
    pub fn new(
        guard: Guard,
        severity: Severity,
        code: impl Into<String>,
        path: impl Into<String>,
        message: impl Into<String>,
    ) -> Self {
        Self {
            code: code.into(),
            guard,
            severity,
            path: path.into(),
            line: None,
            column: None,
            message: message.into(),
            hint: None,
        }
    }

    /// The same finding at a line.
    #[must_use]
    pub fn at_line(mut self, line_number: u32) -> Self {
        self.line = Some(line_number);
        self
    }

    /// The same finding at a line and column.
    #[must_use]
    pub fn at(mut self, line_number: u32, column_number: u32) -> Self {
        self.line = Some(line_number);
        self.column = Some(column_number);
        self
    }

    /// The same finding with what to do next.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}
