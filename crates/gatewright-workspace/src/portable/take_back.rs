//! Takes one file back, from its record and from what stands on disk.
//!
//! It may run again after a crash of its own. It never destroys what is not the
//! transaction's: a file that somebody changed since is a conflict, left as it
//! is, and bytes that are kept nowhere else are saved before a name goes. There is
//! no exchange in one step, so more states are told apart than on Linux.

use std::io::{self, ErrorKind, Write};

use cap_std::fs::Dir;

use super::directories::{Directories, Found};
use super::standing::{look, read_regular};
use super::{Core, attributes, names, saved};
use crate::record::{RecordFile, RecordState};

const CHANGED_MEANWHILE: &str = "it changed while the change was taken back";

/// Takes one file back; a text is a conflict.
pub(super) fn take_back(
    core: &Core,
    file: &RecordFile,
    directories: &mut Directories,
) -> io::Result<Option<String>> {
    let parent = file.directory();
    let Some(directory) = directories.open(&core.root, parent.as_ref())? else {
        let is_gone = file.before.is_some();
        return Ok(is_gone.then(|| "its directory is gone".to_owned()));
    };
    // What a restore that was cut short left.
    names::remove_if_there(directory, &restored_name(file))?;
    let detail = match (&file.before, &file.after) {
        (None, Some(after)) => take_back_create(core, file, after, directory),
        (Some(before), Some(after)) => take_back_replace(core, file, (before, after), directory),
        (Some(before), None) => take_back_remove(core, file, before, directory),
        (None, None) => Ok(None),
    }?;
    // Last, because as long as it is there it was never put in place.
    names::remove_if_there(directory, &file.part)?;
    Ok(detail)
}

/// The new file goes, if it is still the one that was made.
fn take_back_create(
    core: &Core,
    file: &RecordFile,
    after: &RecordState,
    directory: &Dir,
) -> io::Result<Option<String>> {
    let name = file.resolved.file_name();
    // A rollback that was itself cut short leaves a file under the side name.
    match look(&core.root, directory, &file.side)? {
        Found::Nothing => {}
        aside if after.is(aside.state()) => names::remove_if_there(directory, &file.side)?,
        _ => return hand_back(core, file, directory, CHANGED_MEANWHILE),
    }
    let here = look(&core.root, directory, name)?;
    let part = names::look_at(directory, &file.part)?;
    let part = part.map(|metadata| names::identity(&metadata));
    match here {
        Found::Nothing => return Ok(None),
        // Not yet in place, unless it is both: then it was given its name just before.
        here if part.is_some() && part != here.identity() => return Ok(None),
        here if !after.is(here.state()) => {
            return Ok(Some("it was created by the change and changed since".to_owned()));
        }
        _ => {}
    }
    match directory.rename(name, directory, &file.side) {
        Ok(()) => {}
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    }
    if after.is(look(&core.root, directory, &file.side)?.state()) {
        names::remove_if_there(directory, &file.side)?;
        return Ok(None);
    }
    hand_back(core, file, directory, CHANGED_MEANWHILE)
}

/// The old file takes its name again, if the new one is still in place.
fn take_back_replace(
    core: &Core,
    file: &RecordFile,
    (before, after): (&RecordState, &RecordState),
    directory: &Dir,
) -> io::Result<Option<String>> {
    let name = file.resolved.file_name();
    let here = look(&core.root, directory, name)?;
    let aside = look(&core.root, directory, &file.side)?;
    let is_in_place = names::look_at(directory, &file.part)?.is_none();
    if aside == Found::Nothing {
        // Never begun, or put in place where files have one name only, or
        // committed to a ledger that has since lost it.
        return match is_in_place && after.is(here.state()) {
            true => restore(core, file, before, directory),
            false => Ok(None),
        };
    }
    if aside.identity().is_some() && aside.identity() == here.identity() {
        names::remove_if_there(directory, &file.side)?;
        return Ok(None);
    }
    if is_in_place && after.is(here.state()) {
        names::rename_over(directory, &file.side, name)?;
        return Ok(None);
    }
    keep_aside(core, file, directory, aside)?;
    Ok(is_in_place.then(|| "it was replaced by the change and changed since".to_owned()))
}

/// The file that was put aside takes its name again.
fn take_back_remove(
    core: &Core,
    file: &RecordFile,
    before: &RecordState,
    directory: &Dir,
) -> io::Result<Option<String>> {
    let name = file.resolved.file_name();
    let aside = names::look_at(directory, &file.side)?;
    let here = names::look_at(directory, name)?;
    match (aside, here) {
        (None, None) => restore(core, file, before, directory),
        (None, Some(_)) => Ok(None),
        (Some(aside), Some(here)) if names::identity(&aside) == names::identity(&here) => {
            names::remove_if_there(directory, &file.side).map(|()| None)
        }
        (Some(_), _) => {
            hand_back(core, file, directory, "it was removed by the change and made anew since")
        }
    }
}

/// Gives the file under the side name its own name back, unless that is taken.
fn hand_back(
    core: &Core,
    file: &RecordFile,
    directory: &Dir,
    otherwise: &str,
) -> io::Result<Option<String>> {
    match names::rename_new(directory, &file.side, file.resolved.file_name()) {
        Ok(()) => Ok(None),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            let aside = look(&core.root, directory, &file.side)?;
            keep_aside(core, file, directory, aside)?;
            Ok(Some(otherwise.to_owned()))
        }
        Err(error) => Err(error),
    }
}

/// Removes the side name; bytes that are kept nowhere else are saved first.
fn keep_aside(core: &Core, file: &RecordFile, directory: &Dir, aside: Found) -> io::Result<()> {
    if let Found::File { digest, .. } = aside
        && !file.digests().any(|kept| kept == digest)
        && let Some(seen) = names::look_at(directory, &file.side)?
        && let Some((mut open, _)) = names::open_file(directory, &file.side, &seen)?
    {
        let bytes = read_regular(&mut open)?;
        let saved = saved::save(&core.state, gatewright_model::Digest::of(&bytes), &bytes)?;
        core.state.sync_all(&[&saved.file])?;
    }
    names::remove_if_there(directory, &file.side)
}

/// The name under which saved bytes are written anew.
fn restored_name(file: &RecordFile) -> String {
    format!("{}.back", file.side)
}

/// Writes the saved bytes anew, where the old file itself is gone.
fn restore(
    core: &Core,
    file: &RecordFile,
    before: &RecordState,
    directory: &Dir,
) -> io::Result<Option<String>> {
    let Some(bytes) = saved::load(&core.state, before, file.after.as_ref())? else {
        return Ok(Some("the bytes before the change are no longer kept".to_owned()));
    };
    let back = restored_name(file);
    let mut new = names::create_new(directory, &back)?;
    new.write_all(&bytes)?;
    attributes::give(before.attributes.as_ref(), &new, before.mode, true)
        .map_err(|failure| failure.source)?;
    core.state.sync(&new)?;
    drop(new);
    put_restored(core, file, directory, &back)
}

fn put_restored(
    core: &Core,
    file: &RecordFile,
    directory: &Dir,
    back: &str,
) -> io::Result<Option<String>> {
    let name = file.resolved.file_name();
    let Some(after) = &file.after else {
        return match names::rename_new(directory, back, name) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                names::remove_if_there(directory, back)?;
                Ok(Some("it was removed by the change and made anew since".to_owned()))
            }
            answer => answer.map(|()| None),
        };
    };
    if after.is(look(&core.root, directory, name)?.state()) {
        return names::rename_over(directory, back, name).map(|()| None);
    }
    names::remove_if_there(directory, back)?;
    Ok(Some(CHANGED_MEANWHILE.to_owned()))
}
