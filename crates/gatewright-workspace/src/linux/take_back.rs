//! Takes one file back, from its record and from what stands on disk.
//!
//! It may run again after a crash of its own. It never destroys what is not the
//! transaction's: a file that somebody changed since is a conflict, left as it
//! is, and bytes that are kept nowhere else are saved before a name goes.

use rustix::fd::OwnedFd;
use rustix::fs::{Mode, OFlags, openat};
use rustix::io::Errno;

use super::directories::{Directories, Found};
use super::kernel::{self, fault};
use super::standing::{look, read_regular};
use super::{Core, attributes, saved};
use crate::record::{RecordFile, RecordState};

/// Takes one file back; a text is a conflict.
pub(super) fn take_back(
    core: &Core,
    file: &RecordFile,
    directories: &mut Directories,
) -> Result<Option<String>, Errno> {
    let parent = file.directory();
    let Some(directory) = directories.open(&core.root, parent.as_ref())? else {
        let is_gone = file.before.is_some();
        return Ok(is_gone.then(|| "its directory is gone".to_owned()));
    };
    let was_in_place = kernel::look_at(directory, &file.part)?.is_none();
    kernel::remove_if_there(directory, &file.part)?;
    match (&file.before, &file.after) {
        (None, Some(after)) if was_in_place => take_back_create(core, file, after, directory),
        (Some(before), Some(after)) => take_back_replace(core, file, (before, after), directory),
        (Some(before), None) => take_back_remove(core, file, before, directory),
        _ => Ok(None),
    }
}

/// The new file goes, if it is still the one that was made.
fn take_back_create(
    core: &Core,
    file: &RecordFile,
    after: &RecordState,
    directory: &OwnedFd,
) -> Result<Option<String>, Errno> {
    let name = file.resolved.file_name();
    // A rollback that was itself cut short leaves the file under its side name.
    kernel::remove_if_there(directory, &file.side)?;
    match look(&core.root, directory, name)? {
        Found::Nothing => return Ok(None),
        found if !after.is(found.state()) => {
            return Ok(Some("it was created by the change and changed since".to_owned()));
        }
        _ => {}
    }
    match kernel::rename_new(directory, name, &file.side) {
        Ok(()) => {}
        Err(Errno::NOENT) => return Ok(None),
        Err(errno) => return Err(errno),
    }
    if after.is(look(&core.root, directory, &file.side)?.state()) {
        kernel::remove_if_there(directory, &file.side)?;
        return Ok(None);
    }
    hand_back(core, file, directory, "it changed while the change was taken back")
}

/// The exchange is made again, if the new file is still in place.
fn take_back_replace(
    core: &Core,
    file: &RecordFile,
    (before, after): (&RecordState, &RecordState),
    directory: &OwnedFd,
) -> Result<Option<String>, Errno> {
    let name = file.resolved.file_name();
    let here = look(&core.root, directory, name)?;
    let aside = look(&core.root, directory, &file.side)?;
    if aside == Found::Nothing {
        // Without the old file beside it, this was never exchanged, or was
        // committed to a ledger that has since lost it.
        return match after.is(here.state()) {
            true => restore(core, file, before, directory),
            false => Ok(None),
        };
    }
    if !after.is(here.state()) {
        let was_exchanged = !after.is(aside.state());
        keep_aside(core, file, directory, aside, before)?;
        return Ok(was_exchanged.then(|| "it was replaced by the change and changed since".into()));
    }
    if !after.is(aside.state()) {
        kernel::exchange(directory, name, &file.side)?;
        if !after.is(look(&core.root, directory, &file.side)?.state()) {
            // Somebody replaced the new file in between: theirs goes back in place.
            kernel::exchange(directory, name, &file.side)?;
            let aside = look(&core.root, directory, &file.side)?;
            keep_aside(core, file, directory, aside, before)?;
            return Ok(Some("it changed while the change was taken back".to_owned()));
        }
    }
    kernel::remove_if_there(directory, &file.side)?;
    Ok(None)
}

/// The file that was put aside takes its name again.
fn take_back_remove(
    core: &Core,
    file: &RecordFile,
    before: &RecordState,
    directory: &OwnedFd,
) -> Result<Option<String>, Errno> {
    let name = file.resolved.file_name();
    if kernel::look_at(directory, &file.side)?.is_none() {
        return match kernel::look_at(directory, name)? {
            Some(_) => Ok(None),
            None => restore(core, file, before, directory),
        };
    }
    hand_back(core, file, directory, "it was removed by the change and made anew since")
}

/// Gives the file under the side name its own name back, unless that is taken.
fn hand_back(
    core: &Core,
    file: &RecordFile,
    directory: &OwnedFd,
    otherwise: &str,
) -> Result<Option<String>, Errno> {
    match kernel::rename_new(directory, &file.side, file.resolved.file_name()) {
        Ok(()) | Err(Errno::NOENT) => Ok(None),
        Err(Errno::EXIST) => {
            let aside = look(&core.root, directory, &file.side)?;
            let kept = file.before.as_ref().or(file.after.as_ref());
            if let Some(kept) = kept {
                keep_aside(core, file, directory, aside, kept)?;
            }
            Ok(Some(otherwise.to_owned()))
        }
        Err(errno) => Err(errno),
    }
}

/// Removes the side name; bytes that are kept nowhere else are saved first.
fn keep_aside(
    core: &Core,
    file: &RecordFile,
    directory: &OwnedFd,
    aside: Found,
    kept: &RecordState,
) -> Result<(), Errno> {
    let is_kept = |digest| digest == kept.digest || file.digests().any(|other| other == digest);
    if let Found::File { digest, .. } = aside
        && !is_kept(digest)
        && let Some(bytes) = read_name(core, directory, &file.side)?
    {
        let saved = saved::save(&core.state, digest, &bytes)?;
        core.state.sync(&saved.file)?;
    }
    kernel::remove_if_there(directory, &file.side)
}

fn read_name(core: &Core, directory: &OwnedFd, name: &str) -> Result<Option<Vec<u8>>, Errno> {
    let flags = OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    match openat(directory, name, flags, Mode::empty()) {
        Ok(file) => read_regular(&core.root, &file, 0).map(Some),
        Err(Errno::NOENT) => Ok(None),
        Err(errno) => Err(errno),
    }
}

/// Writes the saved bytes anew, where the old file itself is gone.
fn restore(
    core: &Core,
    file: &RecordFile,
    before: &RecordState,
    directory: &OwnedFd,
) -> Result<Option<String>, Errno> {
    let Some(bytes) = saved::load(&core.state, before, file.after.as_ref())? else {
        return Ok(Some("the bytes before the change are no longer kept".to_owned()));
    };
    let part = kernel::create_new(directory, &file.part, 0o600)?;
    kernel::write_all(&part, &bytes)?;
    attributes::give(before.attributes.as_ref(), &part, before.mode, true)
        .map_err(|failure| fault(failure.source))?;
    core.state.sync(&part)?;
    put_restored(core, file, directory)
}

fn put_restored(
    core: &Core,
    file: &RecordFile,
    directory: &OwnedFd,
) -> Result<Option<String>, Errno> {
    let name = file.resolved.file_name();
    let Some(after) = &file.after else {
        return match kernel::rename_new(directory, &file.part, name) {
            Err(Errno::EXIST) => {
                kernel::remove_if_there(directory, &file.part)?;
                Ok(Some("it was removed by the change and made anew since".to_owned()))
            }
            answer => answer.map(|()| None),
        };
    };
    kernel::rename_new(directory, &file.part, &file.side)?;
    kernel::exchange(directory, &file.side, name)?;
    if after.is(look(&core.root, directory, &file.side)?.state()) {
        kernel::remove_if_there(directory, &file.side)?;
        return Ok(None);
    }
    kernel::exchange(directory, &file.side, name)?;
    kernel::remove_if_there(directory, &file.side)?;
    Ok(Some("it changed while the change was taken back".to_owned()))
}
