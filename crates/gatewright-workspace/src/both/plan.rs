//! The plan of a transaction: every file judged once more, every step named.
//!
//! Nothing is changed before [`Plan::make_directories`]. What comes out is the
//! journal record and the handles to work on.

use std::collections::{BTreeMap, BTreeSet};

use gatewright_guards::{Approved, ApprovedFile};
use gatewright_model::{Digest, FileState, RepoPath, TargetKind};

use super::Core;
use super::directories::Directories;
use super::facts::{self, Known, Survey};
use super::files::{Directory, Fingerprint};
use crate::error::disk;
use crate::record::{Attributes, Record, RecordFile, RecordState, VERSION, representable};
use crate::{SnapshotId, TransactionId, WriteError, random};

/// What the caller asks for besides the approved files.
#[derive(Debug, Default)]
pub(super) struct Extras {
    /// Directories to remove once the change stands, if they are empty.
    pub(super) removes: Vec<RepoPath>,
    /// What files that come back had besides bytes and mode.
    pub(super) attributes: BTreeMap<RepoPath, Attributes>,
}

/// A transaction before its first step.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) record: Record,
    pub(super) directories: Directories,
    /// For each file of the record, the base as it was hashed.
    pub(super) known: Vec<Option<Known>>,
    /// For each file of the record, the new file as it was written beside its target.
    pub(super) staged: Vec<Option<Fingerprint>>,
}

/// Judges every file on fresh facts and names every step.
pub(super) fn make(
    core: &Core,
    approved: &Approved,
    ids: (TransactionId, SnapshotId),
    extras: Extras,
) -> Result<Plan, WriteError> {
    let (transaction, snapshot) = ids;
    let mut plan = Plan {
        record: Record {
            version: VERSION,
            transaction,
            snapshot,
            files: Vec::new(),
            makes: Vec::new(),
            removes: extras.removes,
            boot: None,
        },
        directories: Directories::default(),
        known: Vec::new(),
        staged: vec![None; approved.files().len()],
    };
    let mut taken = BTreeSet::new();
    let mut makes = BTreeSet::new();
    for file in approved.files() {
        if !taken.insert(file.resolved.clone()) {
            return Err(WriteError::Duplicate { path: file.resolved.to_string() });
        }
        let survey = inspect(core, approved, file, None)?;
        let before = saved_before(core, file, &survey)?;
        plan.known.push(survey.known());
        plan.hold(file, &survey)?;
        if file.after.is_some() {
            makes.extend(missing_directories(&survey));
        }
        plan.record.files.push(record_file(file, before, &extras.attributes)?);
    }
    carry_attributes(&mut plan.record, approved);
    // A parent sorts before what lies in it.
    plan.record.makes = makes.into_iter().collect();
    Ok(plan)
}

/// Looks at a file and asks the guards; fails unless it is the approved base.
pub(super) fn inspect(
    core: &Core,
    approved: &Approved,
    file: &ApprovedFile,
    known: Option<Known>,
) -> Result<Survey, WriteError> {
    let survey = facts::survey(&core.root, &core.own, &file.requested, known);
    let facts = facts::facts_of(&file.requested, &survey);
    approved.recheck(file, &facts).map_err(|finding| WriteError::Refused(Box::new(finding)))?;
    let path = || file.resolved.to_string();
    let survey = survey.map_err(|_| WriteError::Moved { path: path() })?;
    let target = &survey.target;
    if target.resolved != file.resolved {
        return Err(WriteError::Moved { path: path() });
    }
    if matches!(target.kind, TargetKind::Directory | TargetKind::Special) {
        return Err(WriteError::NotAFile { path: path() });
    }
    Ok(survey)
}

/// Checks the base on what was just found and reads what else must be kept of it.
fn saved_before(
    core: &Core,
    file: &ApprovedFile,
    survey: &Survey,
) -> Result<Option<RecordState>, WriteError> {
    let before = file.before.as_ref();
    let expected = before.map(|state| (state.digest(), representable(state.mode).bits()));
    check_base(file, survey, expected)?;
    let (Some((digest, mode)), Some(standing)) = (expected, &survey.place.file) else {
        return Ok(None);
    };
    let attributes =
        standing.attributes(&core.root).map_err(|failure| failure.at(file.resolved.as_str()))?;
    Ok(Some(RecordState::new(digest, mode, attributes)))
}

/// Compares what stands there with the base; a difference is its own error.
pub(super) fn check_base(
    file: &ApprovedFile,
    survey: &Survey,
    expected: Option<(Digest, u32)>,
) -> Result<(), WriteError> {
    let target = &survey.target;
    let path = file.resolved.to_string();
    if target.digest != expected.map(|(digest, _)| digest) {
        let expected = expected.map(|(digest, _)| digest);
        return Err(WriteError::StaleBase { path, expected, found: target.digest });
    }
    match (expected, target.mode) {
        (Some((_, expected)), Some(found)) if expected != found.bits() => {
            Err(WriteError::StaleMode { path, expected, found: found.bits() })
        }
        _ => Ok(()),
    }
}

/// The resolved paths of the directories that must be made for this file.
fn missing_directories(survey: &Survey) -> Vec<RepoPath> {
    let mut paths = Vec::new();
    let mut above = survey.place.resolved.parent();
    for _ in &survey.place.missing {
        let Some(path) = above else { break };
        above = path.parent();
        paths.push(path);
    }
    paths
}

impl Plan {
    /// Keeps the nearest existing directory of a file.
    fn hold(&mut self, file: &ApprovedFile, survey: &Survey) -> Result<(), WriteError> {
        let mut path = file.resolved.parent();
        for _ in &survey.place.missing {
            path = path.and_then(|path| path.parent());
        }
        let Some(nearest) = survey.place.nearest() else {
            return Err(WriteError::Moved { path: file.resolved.to_string() });
        };
        let held = self.directories.hold(path.as_ref(), nearest);
        held.map_err(disk("hold the directory of", file.resolved.as_str()))
    }

    /// Makes the missing directories; `made` receives those that this transaction made.
    pub(super) fn make_directories(&mut self, made: &mut Vec<RepoPath>) -> Result<(), WriteError> {
        for path in &self.record.makes {
            let failed = disk("make the directory", path.as_str());
            self.directories.make(path, made).map_err(failed)?;
        }
        Ok(())
    }

    /// The held directory of a file.
    pub(super) fn directory_of(&self, file: &RecordFile) -> Result<&Directory, WriteError> {
        self.directories
            .get(file.directory().as_ref())
            .ok_or_else(|| WriteError::Moved { path: file.resolved.to_string() })
    }
}

fn record_file(
    file: &ApprovedFile,
    before: Option<RecordState>,
    restored: &BTreeMap<RepoPath, Attributes>,
) -> Result<RecordFile, WriteError> {
    let random =
        random::hex(16).map_err(disk("name a temporary file for", file.resolved.as_str()))?;
    let kept = before.as_ref().and_then(|before| before.attributes.clone());
    let attributes = kept.or_else(|| restored.get(&file.resolved).cloned());
    Ok(RecordFile {
        requested: file.requested.clone(),
        resolved: file.resolved.clone(),
        after: file.after.as_ref().map(|state| record_state(state, before.as_ref(), attributes)),
        before,
        part: format!(".gatewright-{random}.part"),
        side: format!(".gatewright-{random}"),
    })
}

/// A file under a new name keeps the owner and attributes that it had under the old one.
fn carry_attributes(record: &mut Record, approved: &Approved) {
    for (index, file) in approved.files().iter().enumerate() {
        let Some(from) = &file.renamed_from else { continue };
        let source = record.files.iter().find(|file| file.resolved == *from);
        let Some(before) = source.and_then(|source| source.before.clone()) else { continue };
        let target = &mut record.files[index];
        if let (None, Some(after)) = (&target.before, &mut target.after) {
            let same_bytes = before.digest == after.digest;
            after.attributes = before.attributes.map(|kept| kept.for_bytes(same_bytes));
        }
    }
}

fn record_state(
    state: &FileState,
    before: Option<&RecordState>,
    attributes: Option<Attributes>,
) -> RecordState {
    // The attributes of the old file are recorded once, with the old file.
    let attributes = if before.is_some() { None } else { attributes };
    RecordState { attributes, ..RecordState::bare(state) }
}
