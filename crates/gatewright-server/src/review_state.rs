//! What a person has said of a staged change so far, for the doors that wait for it.

use gatewright_engine::{Choice, Engine, EngineError, StagedChange, StagedFile, Tally, Unit};
use gatewright_model::unified_hunk;

/// A staged change, its state in the store, and what was decided.
pub struct ReviewState {
    /// The change.
    pub change: StagedChange,
    /// `open`, `applied`, `rejected` or `superseded`.
    pub state: String,
}

/// One unit of one file, with what was decided.
pub struct UnitState {
    /// Names the unit.
    pub id: String,
    /// `accepted`, `rejected` or `undecided`.
    pub decision: &'static str,
    /// The person's words.
    pub comment: Option<String>,
    /// The hunk as a diff, or what the unit does.
    pub text: String,
}

impl ReviewState {
    /// The change `id` as it stands now; nothing is judged anew.
    pub fn of(engine: &Engine, id: &str) -> Result<Self, EngineError> {
        let missing = || EngineError::NoSuchChange { id: id.to_owned() };
        let item = engine.ledger().stage_get(id)?.ok_or_else(missing)?;
        let change = serde_json::from_slice(&item.blob)
            .map_err(|error| EngineError::Bug { message: error.to_string() })?;
        Ok(Self { change, state: item.state })
    }

    /// Whether nobody has settled it yet.
    pub fn is_open(&self) -> bool {
        self.state == "open"
    }

    /// How many units are accepted, rejected and undecided.
    pub fn tally(&self) -> Tally {
        self.change.tally()
    }

    /// What the person turned down, in words for the agent.
    pub fn rejections(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for file in &self.change.files {
            for unit in units_of(file).into_iter().filter(|unit| unit.decision != "accepted") {
                let said = unit.comment.map(|comment| format!(": {comment}")).unwrap_or_default();
                lines.push(format!("{} {} {}{said}", unit.decision, file.requested, unit.id));
            }
        }
        lines
    }
}

/// The units of a file with what was decided on each.
pub fn units_of(file: &StagedFile) -> Vec<UnitState> {
    let state = |unit: Unit| {
        let decision = file.decisions.get(unit.id());
        UnitState {
            id: unit.id().0.clone(),
            decision: match decision.map(|decision| decision.choice) {
                Some(Choice::Accept) => "accepted",
                Some(Choice::Reject) => "rejected",
                None => "undecided",
            },
            comment: decision.and_then(|decision| decision.comment.clone()),
            text: match unit {
                Unit::Hunk { hunk, .. } => unified_hunk(&hunk),
                Unit::Whole { label, .. } => label,
            },
        }
    };
    file.units().into_iter().map(state).collect()
}
