//! The stage: proposals that wait for a person, as they are kept across restarts.
//!
//! A staged change is a value; this module knows how it is stored, what its
//! reviewable units are and what an accepted subset of them writes. It reads
//! and writes nothing itself.

mod stored;
mod unit;

use std::collections::BTreeMap;

use gatewright_model::{
    Agent, ChangeSet, FileChange, FileState, Finding, Intent, RepoPath, RequestedPath,
};
use serde::{Deserialize, Serialize};
pub use stored::StoredState;
pub use unit::{Unit, UnitId, units_of};

/// The states of a staged change in the store.
pub const OPEN: &str = "open";
/// Applied, wholly or in part.
pub const APPLIED: &str = "applied";
/// Turned down by a person.
pub const REJECTED: &str = "rejected";
/// Taken over by a later proposal of the same run.
pub const SUPERSEDED: &str = "superseded";

/// A proposal that waits for a person.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StagedChange {
    /// Identifies it.
    pub id: String,
    /// The run that proposed it.
    pub run_id: String,
    /// Who proposed it.
    pub agent: Agent,
    /// When, RFC 3339 in UTC.
    pub created: String,
    /// The receipt of the staging.
    pub receipt_id: String,
    /// Its files.
    pub files: Vec<StagedFile>,
    /// What the guards said when it was staged.
    pub findings: Vec<Finding>,
    /// Whether it was proposed under suggest-only, so that it can never be applied.
    pub suggest_only: bool,
}

/// One file of a staged change.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StagedFile {
    /// The path as it was asked for.
    pub requested: RequestedPath,
    /// Where it led when it was staged.
    pub resolved: RepoPath,
    /// The base.
    pub before: Option<StoredState>,
    /// The proposal.
    pub after: Option<StoredState>,
    /// The old name, for the new half of a rename.
    pub renamed_from: Option<RequestedPath>,
    /// The symbol, when this was a symbol edit.
    pub symbol: Option<String>,
    /// What was decided so far, by unit.
    pub decisions: BTreeMap<UnitId, UnitDecision>,
}

/// What a person said of one unit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnitDecision {
    /// Accepted or rejected.
    pub choice: Choice,
    /// With an acceptance: only these lines of the hunk, by index. `None` is all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lines: Option<Vec<usize>>,
    /// Words for the agent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
}

/// Accepted or rejected; undecided is the absence of a decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Choice {
    /// To be written.
    Accept,
    /// Not to be written, and the agent is told.
    Reject,
}

impl StagedFile {
    /// The file change as it was proposed.
    pub fn to_change(&self) -> FileChange {
        let state = |stored: &Option<StoredState>| stored.as_ref().map(FileState::from);
        FileChange {
            requested: self.requested.clone(),
            before: state(&self.before),
            after: state(&self.after),
            renamed_from: self.renamed_from.clone(),
            intent: self.intent(),
        }
    }

    /// The reviewable parts.
    pub fn units(&self) -> Vec<Unit> {
        units_of(&self.to_change())
    }

    /// How many units are accepted, rejected and undecided.
    pub fn tally(&self) -> Tally {
        self.tally_of(&self.units())
    }

    /// The same, for units that are at hand.
    pub fn tally_of(&self, units: &[Unit]) -> Tally {
        let mut tally = Tally::default();
        for unit in units {
            match self.decisions.get(unit.id()).map(|decision| decision.choice) {
                Some(Choice::Accept) => tally.accepted += 1,
                Some(Choice::Reject) => tally.rejected += 1,
                None => tally.undecided += 1,
            }
        }
        tally
    }

    /// The change that the accepted units make; `None` when they make none.
    pub fn accepted_change(&self) -> Option<FileChange> {
        self.narrowed(|choice| choice == Some(Choice::Accept))
    }

    /// What is left to review once the accepted units are on disk.
    pub fn remainder(&self) -> Option<StagedFile> {
        let open = self.narrowed(|choice| choice != Some(Choice::Reject))?;
        let before = match self.accepted_change() {
            Some(change) => change.after,
            None => open.before.clone(),
        };
        let rest = FileChange { before, ..open };
        if rest.is_noop() || rest.before == rest.after {
            return None;
        }
        Some(StagedFile {
            before: rest.before.as_ref().map(StoredState::from),
            after: rest.after.as_ref().map(StoredState::from),
            renamed_from: None,
            decisions: BTreeMap::new(),
            ..self.clone()
        })
    }

    fn narrowed(&self, takes: impl Fn(Option<Choice>) -> bool) -> Option<FileChange> {
        unit::narrow(&self.to_change(), &self.decisions, &takes)
    }

    fn intent(&self) -> Intent {
        match (&self.symbol, &self.before, &self.after) {
            (Some(symbol), _, _) => Intent::Symbol(symbol.clone()),
            (None, None, _) if self.renamed_from.is_none() => Intent::Create,
            (None, Some(_), None) => Intent::Delete,
            // What a person reviewed hunk by hunk was gated when it was proposed.
            _ => Intent::Patch,
        }
    }
}

impl StagedChange {
    /// The change set that the accepted units make.
    pub fn accepted(&self) -> ChangeSet {
        ChangeSet::new(self.files.iter().filter_map(StagedFile::accepted_change).collect())
    }

    /// The whole proposal.
    pub fn proposed(&self) -> ChangeSet {
        ChangeSet::new(self.files.iter().map(StagedFile::to_change).collect())
    }

    /// How many units are accepted, rejected and undecided.
    pub fn tally(&self) -> Tally {
        self.files.iter().fold(Tally::default(), |sum, file| sum.plus(file.tally()))
    }
}

/// Counts of decisions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Tally {
    /// Units to be written.
    pub accepted: usize,
    /// Units turned down.
    pub rejected: usize,
    /// Units that nobody has decided on.
    pub undecided: usize,
}

impl Tally {
    fn plus(self, other: Tally) -> Tally {
        Tally {
            accepted: self.accepted + other.accepted,
            rejected: self.rejected + other.rejected,
            undecided: self.undecided + other.undecided,
        }
    }
}

/// No decision yet.
pub fn no_decisions() -> BTreeMap<UnitId, UnitDecision> {
    BTreeMap::new()
}
