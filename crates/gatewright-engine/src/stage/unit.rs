//! The parts of a file change that a person decides on one by one.
//!
//! Where text changes, a unit is a hunk. What has no hunks (a removal, a new
//! name, a mode, an empty file) is one unit of its own.

use std::collections::BTreeMap;

use gatewright_model::{FileChange, FileState, Hunk, diff_hunks, select_lines};
use serde::{Deserialize, Serialize};

use super::{Choice, UnitDecision};

/// Names a unit within its file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct UnitId(pub String);

/// A part of a file change.
#[derive(Debug, Clone, PartialEq)]
pub enum Unit {
    /// Lines that change.
    Hunk {
        /// Names the unit; the hunk's own id.
        id: UnitId,
        /// The hunk.
        hunk: Hunk,
    },
    /// Something that is taken or left whole.
    Whole {
        /// Names the unit.
        id: UnitId,
        /// What it does, for people.
        label: String,
    },
}

const REMOVE: &str = "remove";
const RENAME: &str = "rename";
const MODE: &str = "mode";
const CREATE_EMPTY: &str = "create";

impl Unit {
    /// The id.
    pub fn id(&self) -> &UnitId {
        match self {
            Unit::Hunk { id, .. } | Unit::Whole { id, .. } => id,
        }
    }
}

/// The units of a file change, in the order of the file.
pub fn units_of(change: &FileChange) -> Vec<Unit> {
    let whole = |id: &str, label: String| Unit::Whole { id: UnitId(id.to_owned()), label };
    let mut units = Vec::new();
    let Some(after) = &change.after else {
        return vec![whole(REMOVE, format!("remove {}", change.requested))];
    };
    if let Some(from) = &change.renamed_from {
        units.push(whole(RENAME, format!("rename {from} to {}", change.requested)));
    }
    if let Some(before) = change.before.as_ref().filter(|before| before.mode != after.mode) {
        let (old, new) = (before.mode.bits(), after.mode.bits());
        units.push(whole(MODE, format!("change mode {old:o} to {new:o}")));
    }
    let hunks = hunks_of(change);
    if hunks.is_empty() && change.before.is_none() && change.renamed_from.is_none() {
        units.push(whole(CREATE_EMPTY, format!("create the empty file {}", change.requested)));
    }
    units.extend(hunks.into_iter().map(|hunk| Unit::Hunk { id: id_of(&hunk), hunk }));
    units
}

/// The change that the units make for which `takes` says yes; `None` for no change.
pub fn narrow(
    change: &FileChange,
    decisions: &BTreeMap<UnitId, UnitDecision>,
    takes: &dyn Fn(Option<Choice>) -> bool,
) -> Option<FileChange> {
    let decision = |id: &UnitId| decisions.get(id);
    let taken = |id: &str| takes(decision(&UnitId(id.to_owned())).map(|decision| decision.choice));
    let Some(after) = &change.after else {
        return taken(REMOVE).then(|| change.clone());
    };
    if change.renamed_from.is_some() {
        return taken(RENAME).then(|| change.clone());
    }
    let hunks = hunks_of(change);
    if hunks.is_empty() && change.before.is_none() {
        return taken(CREATE_EMPTY).then(|| change.clone());
    }
    let base: &[u8] = change.before.as_ref().map_or(&[], |state| &state.content);
    let takes_line = |id: &gatewright_model::HunkId, index: usize| {
        let decision = decision(&UnitId(id.as_str().to_owned()));
        takes(decision.map(|decision| decision.choice))
            && decision
                .and_then(|decision| decision.lines.as_ref())
                .is_none_or(|lines| lines.contains(&index))
    };
    let content = select_lines(base, &hunks, &takes_line);
    let mode = match &change.before {
        Some(before) if before.mode != after.mode && !taken(MODE) => before.mode,
        _ => after.mode,
    };
    let result = FileState::new(content, mode);
    let unchanged = match &change.before {
        Some(before) => *before == result,
        None => result.content.is_empty(),
    };
    (!unchanged).then(|| FileChange { after: Some(result), ..change.clone() })
}

fn hunks_of(change: &FileChange) -> Vec<Hunk> {
    let content = |state: &Option<FileState>| {
        state.as_ref().map(|state| state.content.clone()).unwrap_or_default()
    };
    // The new half of a rename carries no base of its own; it is reviewed whole.
    if change.renamed_from.is_some() {
        return Vec::new();
    }
    diff_hunks(&content(&change.before), &content(&change.after))
}

fn id_of(hunk: &Hunk) -> UnitId {
    UnitId(hunk.id.as_str().to_owned())
}
