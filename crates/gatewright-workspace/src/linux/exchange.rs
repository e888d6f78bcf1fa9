//! One step that puts a new file in place and hands out the very file that was replaced.
//!
//! If that is not the base, somebody was faster, and the rollback that follows
//! hands it back. So no check can lose a race.

use rustix::io::Errno;

use super::Core;
use super::directories::Found;
use super::kernel::{self, Fingerprint};
use super::plan::Plan;
use super::standing::look;
use super::swap::stale;
use crate::WriteError;
use crate::error::disk;
use crate::record::RecordFile;

/// The name under which the new file waits.
pub(super) fn staged_name(file: &RecordFile) -> &str {
    if file.before.is_some() { &file.side } else { &file.part }
}

/// Puts a file in place; what comes out is checked, so that the base need not be asked before.
pub(super) fn exchange(
    core: &Core,
    plan: &Plan,
    file: &RecordFile,
    _base: Option<Fingerprint>,
) -> Result<Found, WriteError> {
    let directory = plan.directory_of(file)?;
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
