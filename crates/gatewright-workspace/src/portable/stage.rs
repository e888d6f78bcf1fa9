//! Writes the new files beside their targets, under names that nobody knows.

use std::io::{self, Write};

use cap_std::fs::{Dir, File};
use gatewright_guards::Approved;
use gatewright_model::RepoPath;

use super::attributes::AttributeFailure;
use super::names::{self, Fingerprint};
use super::plan::Plan;
use super::{Core, attributes};
use crate::WriteError;
use crate::record::{RecordFile, RecordState};

/// How many new files are held open between writing and syncing.
const BATCH: usize = 128;

/// Makes the missing directories; says which of them this transaction made.
pub(super) fn make_directories(
    plan: &mut Plan,
    made: &mut Vec<RepoPath>,
) -> Result<(), WriteError> {
    for path in plan.record.makes.clone() {
        let failed = disk("make the directory", path.as_str());
        plan.directories.make(&path, made).map_err(failed)?;
    }
    Ok(())
}

/// Writes every new file beside its target.
pub(super) fn write_new_files(
    core: &Core,
    plan: &mut Plan,
    approved: &Approved,
) -> Result<(), WriteError> {
    let mut written = Vec::new();
    for (index, approved) in approved.files().iter().enumerate() {
        let file = &plan.record.files[index];
        let (Some(after), Some(state), false) = (&file.after, &approved.after, file.is_noop())
        else {
            continue;
        };
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
) -> Result<File, WriteError> {
    let path = file.resolved.as_str();
    let directory = directory_of(plan, file)?;
    let mut part = names::create_new(directory, &file.part)
        .map_err(disk("make a temporary file beside", path))?;
    part.write_all(content).map_err(disk("write", path))?;
    let source = file.before.as_ref().unwrap_or(after);
    let same_bytes = source.digest == after.digest;
    attributes::give(source.attributes.as_ref(), &part, after.mode, same_bytes).map_err(
        |AttributeFailure { what, source }| WriteError::Attributes {
            path: path.to_owned(),
            what,
            source,
        },
    )?;
    Ok(part)
}

/// Syncs what was written and remembers what it was.
fn complete(core: &Core, plan: &mut Plan, written: Vec<(usize, File)>) -> Result<(), WriteError> {
    for (_, part) in &written {
        core.state.sync(part).map_err(disk("sync", "the new files"))?;
    }
    for (index, part) in written {
        let failed = disk("stage", plan.record.files[index].resolved.as_str());
        let metadata = part.metadata().map_err(failed)?;
        plan.staged[index] = Some(Fingerprint::of(&metadata));
    }
    Ok(())
}

/// The held directory of a file.
pub(super) fn directory_of<'a>(plan: &'a Plan, file: &RecordFile) -> Result<&'a Dir, WriteError> {
    plan.directories
        .get(file.directory().as_ref())
        .ok_or_else(|| WriteError::Moved { path: file.resolved.to_string() })
}

/// An error of the system's, with what was being done.
pub(super) fn disk(
    action: &'static str,
    path: impl Into<String>,
) -> impl FnOnce(io::Error) -> WriteError {
    let path = path.into();
    move |source| WriteError::Disk { action, path, source }
}
