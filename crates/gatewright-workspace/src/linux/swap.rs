//! Puts the new files in place, each in one step, and checks what came out.
//!
//! The guards are asked once more just before. An exchange then hands out the
//! very file that was replaced: if it is not the base, somebody was faster, and
//! the rollback that follows hands it back. So no check can lose a race.

use gatewright_guards::{Approved, ApprovedFile};
use gatewright_model::RepoPath;
use rustix::io::Errno;

use super::Core;
use super::directories::{Found, look};
use super::facts::{Fingerprint, Known};
use super::kernel;
use super::plan::{self, Plan};
use super::record::RecordFile;
use super::stage::{directory_of, disk};
use crate::WriteError;

/// Puts every file in place; `displaced` receives what came out, file by file.
pub(super) fn swap_all(
    core: &Core,
    plan: &Plan,
    approved: &Approved,
    displaced: &mut Vec<Found>,
) -> Result<(), WriteError> {
    for (index, file) in plan.record.files.iter().enumerate() {
        let target = &approved.files()[index];
        if file.is_noop() {
            displaced.push(Found::Nothing);
            continue;
        }
        decide_again(core, plan, approved, (file, target, plan.known[index]))?;
        check_staged(plan, file, plan.staged[index])?;
        displaced.push(swap(core, plan, file)?);
    }
    Ok(())
}

/// Asks the guards again, and checks that the held directory is the one they saw.
fn decide_again(
    core: &Core,
    plan: &Plan,
    approved: &Approved,
    (file, target, known): (&RecordFile, &ApprovedFile, Option<Known>),
) -> Result<(), WriteError> {
    let survey = plan::inspect(core, approved, target, known)?;
    let expected = file.before.as_ref().map(|before| (before.digest, before.mode));
    plan::check_base(target, &survey, expected)?;
    if plan.directories.identity(file.directory().as_ref()) != Some(survey.target.directory) {
        return Err(WriteError::Moved { path: file.resolved.to_string() });
    }
    Ok(())
}

/// The file that goes in place must be the one that was written, not one that
/// somebody put under its temporary name.
fn check_staged(
    plan: &Plan,
    file: &RecordFile,
    staged: Option<Fingerprint>,
) -> Result<(), WriteError> {
    let Some(staged) = staged else { return Ok(()) };
    let name = if file.before.is_some() { &file.side } else { &file.part };
    let path = file.resolved.as_str();
    let found = kernel::stat_name(directory_of(plan, file)?, name).map_err(disk("check", path))?;
    match found.map(|stat| Fingerprint::of(&stat)) {
        Some(found) if staged.is_same_but_renamed(&found) => Ok(()),
        _ => Err(WriteError::Tampered { path: path.to_owned() }),
    }
}

fn swap(core: &Core, plan: &Plan, file: &RecordFile) -> Result<Found, WriteError> {
    let directory = directory_of(plan, file)?;
    let name = file.resolved.file_name();
    let path = file.resolved.as_str();
    let moved = match (&file.before, &file.after) {
        (None, _) => kernel::rename_new(directory, &file.part, name),
        (Some(_), Some(_)) => kernel::exchange(directory, &file.side, name),
        (Some(_), None) => kernel::rename_new(directory, name, &file.side),
    };
    match moved {
        Ok(()) => {}
        Err(Errno::EXIST) if file.before.is_none() => {
            let found = look(&core.root, directory, name).map_err(disk("look at", path))?;
            return Err(stale(file, found));
        }
        Err(Errno::NOENT) if file.before.is_some() => return Err(stale(file, Found::Nothing)),
        Err(errno) => return Err(disk("put in place", path)(errno)),
    }
    let Some(before) = &file.before else { return Ok(Found::Nothing) };
    let found = look(&core.root, directory, &file.side).map_err(disk("check", path))?;
    if before.is(found.state()) { Ok(found) } else { Err(stale(file, found)) }
}

fn stale(file: &RecordFile, found: Found) -> WriteError {
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

/// Somebody who had the old file open may have written to it after the exchange.
fn check_displaced(core: &Core, plan: &Plan, displaced: &[Found]) -> Result<(), WriteError> {
    for (file, found) in plan.record.files.iter().zip(displaced) {
        let Found::File { fingerprint, .. } = found else { continue };
        let directory = directory_of(plan, file)?;
        let path = file.resolved.as_str();
        let now = kernel::stat_name(directory, &file.side).map_err(disk("check", path))?;
        if now.map(|stat| Fingerprint::of(&stat)) != Some(*fingerprint) {
            let now = look(&core.root, directory, &file.side).map_err(disk("check", path))?;
            return Err(stale(file, now));
        }
    }
    Ok(())
}

/// A directory that was moved away took the new file with it.
fn check_directories(core: &Core, plan: &Plan) -> Result<(), WriteError> {
    for (path, directory) in plan.directories.iter() {
        let is_in_place = match core.root.relative_path(directory) {
            Ok(now) => now.as_ref().map_or("", RepoPath::as_str) == path,
            Err(_) => false,
        };
        if !is_in_place {
            return Err(WriteError::Moved { path: path.to_owned() });
        }
    }
    Ok(())
}
