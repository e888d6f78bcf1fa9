//! Confined reading: the same resolution as writing, for files and directories.

use gatewright_model::{FileState, RepoPath, RequestedPath, ResolutionFailure, TargetKind};
use rustix::fd::OwnedFd;
use rustix::fs::{self, Dir, FileType, OFlags};
use rustix::io::Errno;

use super::Core;
use super::kernel;
use super::root::Place;
use super::standing::Standing;
use crate::{DirEntry, ReadError, Survey};

/// Reads a file of at most `limit` bytes; `None` where there is none.
pub(super) fn read(
    core: &Core,
    requested: &RequestedPath,
    limit: u64,
) -> Result<Option<FileState>, ReadError> {
    let found = match open_plain_file(core, requested) {
        Ok(found) => found,
        Err(_) => locate(core, requested)?.file,
    };
    let path = || requested.as_str().to_owned();
    let Some(standing) = found else { return Ok(None) };
    if standing.kind() != TargetKind::Regular {
        return Err(ReadError::NotAFile { path: path() });
    }
    let size = standing.size();
    if size > limit {
        return Err(ReadError::TooLarge { path: path(), size, limit });
    }
    let failed = |errno: Errno| ReadError::Disk { path: path(), source: errno.into() };
    let readable = core.root.proc_fd.reopen(&standing.file).map_err(failed)?;
    let bytes = kernel::read_to_end(&readable, size, limit).map_err(failed)?;
    if bytes.len() as u64 > limit {
        return Err(ReadError::TooLarge { path: path(), size: bytes.len() as u64, limit });
    }
    Ok(Some(FileState::new(bytes, standing.mode())))
}

/// Lists a directory, sorted by name. `.` and the empty path are the root.
pub(super) fn read_dir(core: &Core, requested: &RequestedPath) -> Result<Vec<DirEntry>, ReadError> {
    let mut directory = open_entries(core, requested)?;
    let mut entries = Vec::new();
    for (name, _) in names(&mut directory, requested)? {
        entries.extend(describe(&directory, name));
    }
    entries.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(entries)
}

/// Lists the directories of a directory, and the regular files whose names are wanted.
///
/// A file that is not wanted costs no question to the kernel, nor does a directory.
pub(super) fn survey(
    core: &Core,
    requested: &RequestedPath,
    is_wanted: &dyn Fn(&str) -> bool,
) -> Result<Survey, ReadError> {
    let mut directory = open_entries(core, requested)?;
    let mut survey = Survey::default();
    for (name, kind) in names(&mut directory, requested)? {
        match kind {
            FileType::Directory => survey.directories.push(name),
            // Not every file system says in the directory what its entries are.
            FileType::Unknown => survey.add(describe(&directory, name), is_wanted),
            FileType::RegularFile if is_wanted(&name) => {
                survey.add(describe(&directory, name), is_wanted);
            }
            _ => {}
        }
    }
    Ok(survey.sorted())
}

/// The names in a directory, and what it says that they are.
fn names(
    directory: &mut Dir,
    requested: &RequestedPath,
) -> Result<Vec<(String, FileType)>, ReadError> {
    let mut names = Vec::new();
    while let Some(entry) = directory.read() {
        let entry = entry.map_err(|errno| disk(requested, errno))?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if name != "." && name != ".." {
            names.push((name, entry.file_type()));
        }
    }
    Ok(names)
}

fn open_entries(core: &Core, requested: &RequestedPath) -> Result<Dir, ReadError> {
    Dir::new(open_listing(core, requested)?).map_err(|errno| disk(requested, errno))
}

fn disk(requested: &RequestedPath, errno: Errno) -> ReadError {
    ReadError::Disk { path: requested.as_str().to_owned(), source: errno.into() }
}

fn open_listing(core: &Core, requested: &RequestedPath) -> Result<OwnedFd, ReadError> {
    let text = requested.as_str().trim_end_matches('/');
    let is_root = !requested.as_str().starts_with('/') && matches!(text, "" | ".");
    let path = || requested.as_str().to_owned();
    let flags = OFlags::RDONLY | OFlags::DIRECTORY;
    let opened = if is_root {
        kernel::open_without_links(core.root.handle(), ".", flags)
    } else {
        if let Some(plain) = open_plain(core, text) {
            return Ok(plain);
        }
        let place = locate(core, &RequestedPath::new(text))?;
        match place.file {
            Some(standing) if standing.kind() == TargetKind::Directory => {
                kernel::open_without_links(core.root.handle(), place.resolved.as_str(), flags)
            }
            _ => return Err(ReadError::NotADirectory { path: path() }),
        }
    };
    opened.map_err(|errno| ReadError::Disk { path: path(), source: errno.into() })
}

/// A directory that no link leads to, by one question to the kernel; a walk asks for thousands.
fn open_plain(core: &Core, text: &str) -> Option<OwnedFd> {
    let path = RepoPath::parse(text).ok()?;
    let flags = OFlags::RDONLY | OFlags::DIRECTORY;
    kernel::open_without_links(core.root.handle(), path.as_str(), flags).ok()
}

/// What stands at a path that no link is a part of, by few questions to the kernel; a look at many
/// files asks for thousands. On a failure the way has to be followed step by step.
fn open_plain_file(core: &Core, requested: &RequestedPath) -> Result<Option<Standing>, Errno> {
    let path = RepoPath::parse(requested.as_str()).map_err(|_| Errno::INVAL)?;
    core.root.check_root_in_place().map_err(|_| Errno::STALE)?;
    match kernel::open_without_links(core.root.handle(), path.as_str(), OFlags::PATH) {
        Ok(file) => fs::fstat(&file).map(|stat| Some(Standing { file, stat })),
        // A link, dangling or not, would have been another error.
        Err(Errno::NOENT) => Ok(None),
        Err(errno) => Err(errno),
    }
}

/// `None` for a name that vanished meanwhile.
fn describe(directory: &Dir, name: String) -> Option<DirEntry> {
    let stat = kernel::look_at(directory.fd().ok()?, &name).ok()??;
    let kind = match kernel::file_type(&stat) {
        FileType::RegularFile => TargetKind::Regular,
        FileType::Directory => TargetKind::Directory,
        _ => TargetKind::Special,
    };
    let is_link = kernel::file_type(&stat) == FileType::Symlink;
    let size = match kind {
        TargetKind::Regular => u64::try_from(stat.st_size).unwrap_or_default(),
        _ => 0,
    };
    Some(DirEntry { name, kind, size, is_link, stamp: kernel::stamp(&stat) })
}

fn locate(core: &Core, requested: &RequestedPath) -> Result<Place, ReadError> {
    let path = RepoPath::parse(requested.as_str())
        .map_err(|problem| ReadError::text(requested.as_str(), problem))?;
    core.root.locate(&path).map_err(|failure: ResolutionFailure| ReadError::Path {
        path: requested.as_str().to_owned(),
        failure,
    })
}
