//! Puts the new files in place, each in one step, and checks that nobody was faster.
//!
//! The guards are asked once more just before each step. What the step is, and
//! what of a race it can see, is the system's: see `exchange`.

use gatewright_guards::{Approved, ApprovedFile};

use super::Core;
use super::directories::Found;
use super::exchange::{exchange, staged_name};
use super::facts::Known;
use super::files::{self, Fingerprint};
use super::plan::{self, Plan};
use super::standing::look;
use crate::WriteError;
use crate::error::disk;
use crate::record::RecordFile;

/// Puts every file in place; `displaced` receives what was there, file by file.
pub(super) fn swap_all(
    core: &Core,
    plan: &Plan,
    approved: &Approved,
    displaced: &mut Vec<Found>,
) -> Result<(), WriteError> {
    let pairs = plan.record.files.iter().zip(approved.files());
    for (index, (file, target)) in pairs.enumerate() {
        if file.is_noop() {
            displaced.push(Found::Nothing);
            continue;
        }
        let base = decide_again(core, plan, approved, (file, target, plan.known[index]))?;
        check_staged(plan, file, plan.staged[index])?;
        displaced.push(exchange(core, plan, file, base)?);
    }
    Ok(())
}

/// Asks the guards again, and checks that the held directory is the one they saw; says what
/// the base is.
fn decide_again(
    core: &Core,
    plan: &Plan,
    approved: &Approved,
    (file, target, known): (&RecordFile, &ApprovedFile, Option<Known>),
) -> Result<Option<Fingerprint>, WriteError> {
    let survey = plan::inspect(core, approved, target, known)?;
    let expected = file.before.as_ref().map(|before| (before.digest, before.mode));
    plan::check_base(target, &survey, expected)?;
    if plan.directories.identity(file.directory().as_ref()) != Some(survey.target.directory) {
        return Err(WriteError::Moved { path: file.resolved.to_string() });
    }
    Ok(survey.known().map(|known| known.fingerprint))
}

/// The file that goes in place must be the one that was written, not one that
/// somebody put under its temporary name.
fn check_staged(
    plan: &Plan,
    file: &RecordFile,
    staged: Option<Fingerprint>,
) -> Result<(), WriteError> {
    let Some(staged) = staged else { return Ok(()) };
    let path = file.resolved.as_str();
    let found = files::look_at(plan.directory_of(file)?, staged_name(file));
    match found.map_err(disk("check", path))?.map(|found| Fingerprint::of(&found)) {
        Some(found) if staged.is_same_but_renamed(&found) => Ok(()),
        _ => Err(WriteError::Tampered { path: path.to_owned() }),
    }
}

/// The base is not what was expected: what was found instead, as an error.
pub(super) fn stale(file: &RecordFile, found: Found) -> WriteError {
    let path = file.resolved.to_string();
    let found = found.state();
    match (&file.before, found) {
        (Some(before), Some((digest, mode))) if before.digest == digest => {
            WriteError::StaleMode { path, expected: before.mode, found: mode }
        }
        (before, found) => WriteError::StaleBase {
            path,
            expected: before.as_ref().map(|before| before.digest),
            found: found.map(|(digest, _)| digest),
        },
    }
}

/// Checks that nothing moved since the files were put in place.
pub(super) fn check(core: &Core, plan: &Plan, displaced: &[Found]) -> Result<(), WriteError> {
    check_displaced(core, plan, displaced)?;
    check_directories(core, plan)
}

/// Somebody who had the old file open may have written to it after the swap.
fn check_displaced(core: &Core, plan: &Plan, displaced: &[Found]) -> Result<(), WriteError> {
    for (file, found) in plan.record.files.iter().zip(displaced) {
        let Found::File { fingerprint, .. } = found else { continue };
        let directory = plan.directory_of(file)?;
        let path = file.resolved.as_str();
        let now = files::look_at(directory, &file.side).map_err(disk("check", path))?;
        if now.map(|now| Fingerprint::of(&now)) != Some(*fingerprint) {
            let now = look(&core.root, directory, &file.side).map_err(disk("check", path))?;
            return Err(stale(file, now));
        }
    }
    Ok(())
}

/// A directory that was moved away took the new file with it.
fn check_directories(core: &Core, plan: &Plan) -> Result<(), WriteError> {
    for (path, held) in plan.directories.iter() {
        if !core.root.is_in_place(path, held) {
            return Err(WriteError::Moved { path: path.to_owned() });
        }
    }
    Ok(())
}
