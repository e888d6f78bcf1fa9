//! Confined reading: the same resolution as writing, for files and directories.

use std::io;

use cap_std::fs::Dir;
use gatewright_model::{FileState, RepoPath, RequestedPath, TargetKind};

use super::root::Place;
use super::standing::kind;
use super::{Core, names};
use crate::{DirEntry, ReadError, Survey};

/// Reads a file of at most `limit` bytes; `None` where there is none.
pub(super) fn read(
    core: &Core,
    requested: &RequestedPath,
    limit: u64,
) -> Result<Option<FileState>, ReadError> {
    let place = locate(core, requested)?;
    let path = || requested.as_str().to_owned();
    let Some(mut standing) = place.file else { return Ok(None) };
    let Some(mut file) = standing.file.take() else {
        return Err(ReadError::NotAFile { path: path() });
    };
    let size = standing.size();
    if size > limit {
        return Err(ReadError::TooLarge { path: path(), size, limit });
    }
    let bytes = names::read_to_end(&mut file, limit)
        .map_err(|source| ReadError::Disk { path: path(), source })?;
    if bytes.len() as u64 > limit {
        return Err(ReadError::TooLarge { path: path(), size: bytes.len() as u64, limit });
    }
    Ok(Some(FileState::new(bytes, standing.mode())))
}

/// Lists a directory, sorted by name. `.` and the empty path are the root.
pub(super) fn read_dir(core: &Core, requested: &RequestedPath) -> Result<Vec<DirEntry>, ReadError> {
    let failed =
        |source: io::Error| ReadError::Disk { path: requested.as_str().to_owned(), source };
    let directory = open_listing(core, requested)?;
    let mut entries = Vec::new();
    for entry in directory.entries().map_err(failed)? {
        let name = entry.map_err(failed)?.file_name();
        entries.extend(describe(&directory, &name.to_string_lossy()));
    }
    entries.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(entries)
}

/// Lists the directories of a directory, and the regular files whose names are wanted.
pub(super) fn survey(
    core: &Core,
    requested: &RequestedPath,
    is_wanted: &dyn Fn(&str) -> bool,
) -> Result<Survey, ReadError> {
    let mut survey = Survey::default();
    for entry in read_dir(core, requested)? {
        survey.add(Some(entry), is_wanted);
    }
    Ok(survey)
}

fn open_listing(core: &Core, requested: &RequestedPath) -> Result<Dir, ReadError> {
    let text = requested.as_str().trim_end_matches('/');
    let is_root = !requested.as_str().starts_with('/') && matches!(text, "" | ".");
    let path = || requested.as_str().to_owned();
    let opened = if is_root {
        core.root.handle().try_clone()
    } else {
        let place = locate(core, &RequestedPath::new(text))?;
        match (place.file, place.directories.last()) {
            (Some(standing), Some(parent)) if standing.metadata.is_dir() => {
                names::open_directory(&parent.handle, place.resolved.file_name())
            }
            _ => return Err(ReadError::NotADirectory { path: path() }),
        }
    };
    opened.map_err(|source| ReadError::Disk { path: path(), source })
}

/// `None` for a name that vanished meanwhile.
fn describe(directory: &Dir, name: &str) -> Option<DirEntry> {
    let metadata = names::look_at(directory, name).ok()??;
    let kind = kind(&metadata);
    Some(DirEntry {
        name: name.to_owned(),
        kind,
        size: if kind == TargetKind::Regular { metadata.len() } else { 0 },
        is_link: metadata.is_symlink(),
        stamp: names::stamp(&metadata),
    })
}

fn locate(core: &Core, requested: &RequestedPath) -> Result<Place, ReadError> {
    let path = RepoPath::parse(requested.as_str())
        .map_err(|problem| ReadError::text(requested.as_str(), problem))?;
    core.root
        .locate(&path)
        .map_err(|failure| ReadError::Path { path: requested.as_str().to_owned(), failure })
}
