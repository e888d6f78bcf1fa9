//! Writes the new files beside their targets, under names that nobody knows.
//!
//! A file is complete and synced before it takes the name that is exchanged
//! with the target, so whatever is found under that name is whole. Where the
//! file system has files without names, the new ones are such until the journal
//! knows of them: one sync serves both, and a power failure leaves nothing.

use gatewright_guards::Approved;
use rustix::fd::OwnedFd;
use rustix::fs::{self, Mode, OFlags};
use rustix::io::Errno;

use super::kernel::{self, Fingerprint};
use super::plan::Plan;
use super::{Core, attributes};
use crate::WriteError;
use crate::error::disk;
use crate::record::{RecordFile, RecordState};

/// How many new files are held open between writing and syncing.
///
/// Syncing many at once lets the file system join their work; holding all of a
/// large change set open would run out of descriptors.
const BATCH: usize = 128;

/// Writes new files that have no name yet, as many as are held open at once.
///
/// Nothing in the workspace changes. The rest is written under names, later.
pub(super) fn write_nameless(
    plan: &Plan,
    approved: &Approved,
) -> Result<Vec<Option<OwnedFd>>, WriteError> {
    let mut nameless: Vec<_> = approved.files().iter().map(|_| None).collect();
    for (index, approved) in approved.files().iter().enumerate().take(BATCH) {
        let file = &plan.record.files[index];
        let (Some(after), Some(state), false) = (&file.after, &approved.after, file.is_noop())
        else {
            continue;
        };
        let Some(directory) = plan.directories.get(file.directory().as_ref()) else { continue };
        let path = file.resolved.as_str();
        let Some(part) = kernel::create_nameless(directory, 0o600)
            .map_err(disk("make a temporary file beside", path))?
        else {
            return Ok(nameless);
        };
        fill(file, after, &state.content, &part)?;
        nameless[index] = Some(part);
    }
    Ok(nameless)
}

/// Writes every new file beside its target.
pub(super) fn write_new_files(
    core: &Core,
    plan: &mut Plan,
    approved: &Approved,
    nameless: &mut [Option<OwnedFd>],
) -> Result<(), WriteError> {
    let mut written = Vec::new();
    for (index, approved) in approved.files().iter().enumerate() {
        let file = &plan.record.files[index];
        let (Some(after), Some(state), false) = (&file.after, &approved.after, file.is_noop())
        else {
            continue;
        };
        if let Some(part) = nameless[index].take() {
            plan.staged[index] = give_name(core, plan, file, &part)?;
        }
        if plan.staged[index].is_some() {
            continue;
        }
        let part = write_part(plan, file, after, &state.content)?;
        written.push((index, part));
        if written.len() == BATCH {
            complete(core, plan, std::mem::take(&mut written))?;
        }
    }
    complete(core, plan, written)
}

fn write_part(
    plan: &Plan,
    file: &RecordFile,
    after: &RecordState,
    content: &[u8],
) -> Result<OwnedFd, WriteError> {
    let path = file.resolved.as_str();
    let directory = plan.directory_of(file)?;
    let part = kernel::create_new(directory, &file.part, 0o600)
        .map_err(disk("make a temporary file beside", path))?;
    fill(file, after, content, &part)?;
    Ok(part)
}

fn fill(
    file: &RecordFile,
    after: &RecordState,
    content: &[u8],
    part: &OwnedFd,
) -> Result<(), WriteError> {
    kernel::write_all(part, content).map_err(disk("write", file.resolved.as_str()))?;
    let source = file.before.as_ref().unwrap_or(after);
    let same_bytes = source.digest == after.digest;
    attributes::give(source.attributes.as_ref(), part, after.mode, same_bytes)
        .map_err(|failure| failure.at(file.resolved.as_str()))
}

/// Gives a file that was synced without a name the one that goes in place; `None` where the
/// file system lets it have none after all.
fn give_name(
    core: &Core,
    plan: &Plan,
    file: &RecordFile,
    part: &OwnedFd,
) -> Result<Option<Fingerprint>, WriteError> {
    let name = if file.before.is_some() { &file.side } else { &file.part };
    let failed = || disk("stage", file.resolved.as_str());
    match core.root.proc_fd.name(part, plan.directory_of(file)?, name) {
        Ok(()) => Ok(Some(Fingerprint::of(&fs::fstat(part).map_err(failed())?))),
        Err(Errno::OPNOTSUPP | Errno::PERM | Errno::XDEV | Errno::NOENT | Errno::INVAL) => Ok(None),
        Err(errno) => Err(failed()(errno)),
    }
}

/// Syncs what was written and gives files that replace others their exchange name.
fn complete(
    core: &Core,
    plan: &mut Plan,
    written: Vec<(usize, OwnedFd)>,
) -> Result<(), WriteError> {
    let parts: Vec<&OwnedFd> = written.iter().map(|(_, part)| part).collect();
    core.state.sync_all(&parts).map_err(disk("sync", "the new files"))?;
    for (index, part) in &written {
        let file = &plan.record.files[*index];
        let failed = || disk("stage", file.resolved.as_str());
        let staged = Fingerprint::of(&fs::fstat(part).map_err(failed())?);
        if file.before.is_some() {
            kernel::rename_new(plan.directory_of(file)?, &file.part, &file.side)
                .map_err(failed())?;
        }
        plan.staged[*index] = Some(staged);
    }
    Ok(())
}

/// The files that went out of place, held so that removing their names frees nothing yet.
pub(super) fn old_files(plan: &Plan) -> Vec<OwnedFd> {
    let open = |file: &RecordFile| {
        let directory = plan.directory_of(file).ok()?;
        let flags = OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        fs::openat(directory, file.side.as_str(), flags, Mode::empty()).ok()
    };
    let replaced = plan.record.files.iter().filter(|file| file.before.is_some());
    replaced.filter(|file| !file.is_noop()).take(BATCH).filter_map(open).collect()
}
