//! The steps that put a new file in place, and the checks of what they replaced.
//!
//! There is no portable way to exchange two files, so the old file gets a
//! second name before the new one takes its place. Whoever writes into the old
//! file meanwhile is noticed by what lies under that name, and handed back. A
//! file that is *renamed* into place between the last look and the rename is
//! overwritten: that window is what this system has less than Linux.

use std::io::ErrorKind;

use cap_std::fs::Dir;

use super::Core;
use super::directories::Found;
use super::names::{self, Fingerprint};
use super::plan::Plan;
use super::standing::look;
use super::swap::stale;
use crate::WriteError;
use crate::error::disk;
use crate::record::RecordFile;

/// The name under which the new file waits.
pub(super) fn staged_name(file: &RecordFile) -> &str {
    &file.part
}

/// Puts a file in place of its `base`.
pub(super) fn exchange(
    core: &Core,
    plan: &Plan,
    file: &RecordFile,
    base: Option<Fingerprint>,
) -> Result<Found, WriteError> {
    let directory = plan.directory_of(file)?;
    let name = file.resolved.file_name();
    let path = file.resolved.as_str();
    let moved = match (&file.before, &file.after) {
        (None, _) => names::rename_new(directory, &file.part, name),
        (Some(_), Some(_)) => {
            put_aside(core, directory, file, base)?;
            names::rename_over(directory, &file.part, name)
        }
        (Some(_), None) => directory.rename(name, directory, &file.side),
    };
    match moved {
        Ok(()) => {}
        Err(error) if error.kind() == ErrorKind::AlreadyExists && file.before.is_none() => {
            let found = look(&core.root, directory, name).map_err(disk("look at", path))?;
            return Err(stale(file, found));
        }
        Err(error) if error.kind() == ErrorKind::NotFound && file.before.is_some() => {
            return Err(stale(file, Found::Nothing));
        }
        Err(error) => return Err(disk("put in place", path)(error)),
    }
    let Some(before) = &file.before else { return Ok(Found::Nothing) };
    let found = look(&core.root, directory, &file.side).map_err(disk("check", path))?;
    // A file system without second names had nothing to put aside.
    let is_checked = file.after.is_none() || found != Found::Nothing;
    if !is_checked || before.is(found.state()) { Ok(found) } else { Err(stale(file, found)) }
}

/// Gives the old file its second name, and checks for the last time that it is the base.
fn put_aside(
    core: &Core,
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
                let found = look(&core.root, directory, name).map_err(disk("look at", path))?;
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
        let found = look(&core.root, directory, name).map_err(disk("look at", path))?;
        return Err(stale(file, found));
    }
    Ok(())
}
