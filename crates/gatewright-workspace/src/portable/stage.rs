//! Writes the new files beside their targets, under names that nobody knows.

use std::io::Write;

use cap_std::fs::File;
use gatewright_guards::Approved;

use super::names::{self, Fingerprint};
use super::plan::Plan;
use super::{Core, attributes};
use crate::WriteError;
use crate::error::disk;
use crate::record::{RecordFile, RecordState};

/// How many new files are held open between writing and syncing.
const BATCH: usize = 128;

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
    let directory = plan.directory_of(file)?;
    let mut part = names::create_new(directory, &file.part)
        .map_err(disk("make a temporary file beside", path))?;
    part.write_all(content).map_err(disk("write", path))?;
    let source = file.before.as_ref().unwrap_or(after);
    let same_bytes = source.digest == after.digest;
    attributes::give(source.attributes.as_ref(), &part, after.mode, same_bytes)
        .map_err(|failure| failure.at(path))?;
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
