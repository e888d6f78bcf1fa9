//! How much may happen without a person.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// The autonomy mode, from strictest to laxest.
///
/// The order is meant: a run may take the smaller of its own mode and the
/// workspace's, never the larger.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// Write tools refuse; reading, searching and checking work.
    Manual,
    /// Every proposal is staged for a person.
    #[default]
    Hybrid,
    /// A proposal that every guard passes is applied at once.
    Autonomous,
}

/// The mode with its flag.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct Autonomy {
    /// The mode.
    pub mode: Mode,
    /// Proposals are judged, staged and recorded, and cannot be applied.
    pub suggest_only: bool,
}

impl Autonomy {
    /// The stricter of the two in every respect.
    ///
    /// ```
    /// use gatewright_model::{Autonomy, Mode};
    /// let workspace = Autonomy { mode: Mode::Hybrid, suggest_only: false };
    /// let run = Autonomy { mode: Mode::Autonomous, suggest_only: true };
    /// let both = workspace.stricter(run);
    /// assert_eq!(both, Autonomy { mode: Mode::Hybrid, suggest_only: true });
    /// ```
    pub fn stricter(self, other: Autonomy) -> Autonomy {
        Autonomy {
            mode: self.mode.min(other.mode),
            suggest_only: self.suggest_only || other.suggest_only,
        }
    }
}

impl Mode {
    /// The name in configuration and receipts.
    pub fn as_str(self) -> &'static str {
        match self {
            Mode::Manual => "manual",
            Mode::Hybrid => "hybrid",
            Mode::Autonomous => "autonomous",
        }
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The text named no mode.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no such mode: {text:?} (manual, hybrid or autonomous)")]
pub struct ParseModeError {
    text: String,
}

impl FromStr for Mode {
    type Err = ParseModeError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "manual" => Ok(Mode::Manual),
            "hybrid" => Ok(Mode::Hybrid),
            "autonomous" => Ok(Mode::Autonomous),
            _ => Err(ParseModeError { text: text.to_owned() }),
        }
    }
}
