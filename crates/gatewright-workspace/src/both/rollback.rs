//! Takes a transaction back, from its record and from what stands on disk.
//!
//! The same code serves a live failure and the recovery after a crash, and may
//! run again after a crash of its own. How one file is taken back is the
//! system's: see `take_back`.

use gatewright_model::RepoPath;

use super::Core;
use super::directories::Directories;
use super::files::{self, Fault};
use super::take_back::take_back;
use crate::RecoveryConflict;
use crate::record::Record;

/// Takes every file back, last first, then removes the directories that were made.
pub(super) fn roll_back(
    core: &Core,
    record: &Record,
    directories: &mut Directories,
    made: &[RepoPath],
) -> Result<Vec<RecoveryConflict>, (RepoPath, Fault)> {
    let mut conflicts = Vec::new();
    for file in record.files.iter().rev().filter(|file| !file.is_noop()) {
        let detail =
            take_back(core, file, directories).map_err(|fault| (file.resolved.clone(), fault))?;
        conflicts.extend(detail.map(|detail| RecoveryConflict {
            transaction: record.transaction.clone(),
            path: file.resolved.clone(),
            detail,
        }));
    }
    remove_directories(core, directories, made.iter().rev())?;
    sync(core, directories);
    Ok(conflicts)
}

/// Removes those of `paths` that are empty, in the order given.
pub(super) fn remove_directories<'a>(
    core: &Core,
    directories: &mut Directories,
    paths: impl Iterator<Item = &'a RepoPath>,
) -> Result<(), (RepoPath, Fault)> {
    for path in paths {
        if !files::CAN_REMOVE_HELD {
            directories.release(path);
        }
        let failed = |fault| (path.clone(), fault);
        let parent = path.parent();
        let parent = directories.open(&core.root, parent.as_ref()).map_err(failed)?;
        if let Some(parent) = parent {
            files::remove_if_empty(parent, path.file_name()).map_err(failed)?;
        }
    }
    Ok(())
}

fn sync(core: &Core, directories: &Directories) {
    if core.state.is_durable() {
        for (_, held) in directories.iter() {
            // A directory that is gone, or a disk that fails, changes nothing here:
            // the names are already right for everybody who looks.
            let _ = files::sync_directory(&held.handle);
        }
    }
}
