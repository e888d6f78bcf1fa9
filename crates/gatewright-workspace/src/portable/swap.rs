//! Puts the new files in place, each in one step, and checks what they replaced.
//!
//! There is no portable way to exchange two files, so the old file gets a
//! second name before the new one takes its place. Whoever writes into the old
//! file meanwhile is noticed by what lies under that name, and handed back. A
//! file that is *renamed* into place between the last look and the rename is
//! overwritten: that window is what this system has less than Linux.

use std::io::ErrorKind;

use cap_std::fs::Dir;
use gatewright_guards::{Approved, ApprovedFile};
use gatewright_model::RepoPath;

use super::Core;
use super::directories::{Found, look};
use super::facts::Known;
use super::names::{self, Fingerprint};
use super::plan::{self, Plan};
use super::stage::{directory_of, disk};
use crate::WriteError;
use crate::record::RecordFile;

/// Puts every file in place; `displaced` receives what was there, file by file.
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
        let base = decide_again(core, plan, approved, (file, target, plan.known[index]))?;
        check_staged(plan, file, plan.staged[index])?;
        displaced.push(swap(plan, file, base)?);
    }
    Ok(())
}

/// Asks the guards again, and checks that the held directory is the one they saw.
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
    Ok(plan::known_of(&survey).map(|known| known.fingerprint))
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
    let found =
        names::look_at(directory_of(plan, file)?, &file.part).map_err(disk("check", path))?;
    match found.map(|metadata| Fingerprint::of(&metadata)) {
        Some(found) if staged.is_same_but_renamed(&found) => Ok(()),
        _ => Err(WriteError::Tampered { path: path.to_owned() }),
    }
}

fn swap(plan: &Plan, file: &RecordFile, base: Option<Fingerprint>) -> Result<Found, WriteError> {
    let directory = directory_of(plan, file)?;
    let name = file.resolved.file_name();
    let path = file.resolved.as_str();
    let moved = match (&file.before, &file.after) {
        (None, _) => names::rename_new(directory, &file.part, name),
        (Some(_), Some(_)) => {
            put_aside(directory, file, base)?;
            names::rename_over(directory, &file.part, name)
        }
        (Some(_), None) => directory.rename(name, directory, &file.side),
    };
    match moved {
        Ok(()) => {}
        Err(error) if error.kind() == ErrorKind::AlreadyExists && file.before.is_none() => {
            let found = look(directory, name).map_err(disk("look at", path))?;
            return Err(stale(file, found));
        }
        Err(error) if error.kind() == ErrorKind::NotFound && file.before.is_some() => {
            return Err(stale(file, Found::Nothing));
        }
        Err(error) => return Err(disk("put in place", path)(error)),
    }
    let Some(before) = &file.before else { return Ok(Found::Nothing) };
    let found = look(directory, &file.side).map_err(disk("check", path))?;
    // A file system without second names had nothing to put aside.
    let is_checked = file.after.is_none() || found != Found::Nothing;
    if !is_checked || before.is(found.state()) { Ok(found) } else { Err(stale(file, found)) }
}

/// Gives the old file its second name, and checks for the last time that it is the base.
fn put_aside(
    directory: &Dir,
    file: &RecordFile,
    base: Option<Fingerprint>,
) -> Result<(), WriteError> {
    let name = file.resolved.file_name();
    let path = file.resolved.as_str();
    match directory.hard_link(name, directory, &file.side) {
        Ok(()) => {
            let aside = names::look_at(directory, &file.side).map_err(disk("check", path))?;
            let aside = aside.map(|metadata| Fingerprint::of(&metadata));
            if !base.zip(aside).is_some_and(|(base, aside)| base.is_same_but_renamed(&aside)) {
                let found = look(directory, name).map_err(disk("look at", path))?;
                return Err(stale(file, found));
            }
        }
        Err(error) if error.kind() == ErrorKind::NotFound => {
            return Err(stale(file, Found::Nothing));
        }
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            return Err(WriteError::Tampered { path: path.to_owned() });
        }
        // No second names here: the saved bytes must do.
        Err(_) => {}
    }
    let now = names::look_at(directory, name).map_err(disk("check", path))?;
    if now.map(|metadata| names::identity(&metadata)) != base.map(|base| base.identity) {
        let found = look(directory, name).map_err(disk("look at", path))?;
        return Err(stale(file, found));
    }
    Ok(())
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

/// Syncs the touched directories, then checks that nothing moved meanwhile.
pub(super) fn settle(core: &Core, plan: &Plan, displaced: &[Found]) -> Result<(), WriteError> {
    if core.state.is_durable() {
        for (path, held) in plan.directories.iter() {
            names::sync_directory(&held.handle).map_err(disk("sync the directory", path))?;
        }
    }
    check_displaced(plan, displaced)?;
    check_directories(core, plan)
}

/// Somebody who had the old file open may have written to it after the swap.
fn check_displaced(plan: &Plan, displaced: &[Found]) -> Result<(), WriteError> {
    for (file, found) in plan.record.files.iter().zip(displaced) {
        let Found::File { fingerprint, .. } = found else { continue };
        let directory = directory_of(plan, file)?;
        let path = file.resolved.as_str();
        let now = names::look_at(directory, &file.side).map_err(disk("check", path))?;
        if now.map(|metadata| Fingerprint::of(&metadata)) != Some(*fingerprint) {
            let now = look(directory, &file.side).map_err(disk("check", path))?;
            return Err(stale(file, now));
        }
    }
    Ok(())
}

/// A directory that was moved away took the new file with it.
fn check_directories(core: &Core, plan: &Plan) -> Result<(), WriteError> {
    let moved = |path: &str| WriteError::Moved { path: path.to_owned() };
    for (path, held) in plan.directories.iter() {
        core.root.check_in_place().map_err(|_| moved(path))?;
        let parsed = if path.is_empty() { None } else { RepoPath::parse(path).ok() };
        let now = core.root.open_directory(parsed.as_ref()).and_then(|now| now.dir_metadata());
        match now {
            Ok(now) if names::identity(&now) == held.identity => {}
            _ => return Err(moved(path)),
        }
    }
    Ok(())
}
