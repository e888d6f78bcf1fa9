//! The root descriptor, and the way from a requested path to a place beneath it.
//!
//! The kernel resolves; what it resolved to is read back from the descriptor.
//! Text is compared only with what the kernel itself said.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use gatewright_model::{RepoPath, ResolutionFailure};
use rustix::fd::{AsFd, OwnedFd};
use rustix::fs::{self, FileType, Mode, OFlags};
use rustix::io::{Errno, fcntl_dupfd_cloexec};

use super::kernel::{self, Identity, ProcFd};
use super::standing::Standing;
use crate::OpenError;

/// How often a place is looked at again when it changes under the look.
const LOOK_TRIES: u32 = 200;

/// The directory that everything stays beneath.
#[derive(Debug)]
pub(super) struct Root {
    handle: OwnedFd,
    path: PathBuf,
    pub(super) identity: Identity,
    pub(super) proc_fd: ProcFd,
}

/// A directory on the way, held open.
#[derive(Debug)]
pub(super) struct HeldDirectory {
    pub(super) handle: OwnedFd,
    pub(super) identity: Identity,
}

/// Where a path leads, with descriptors of everything on the way that exists.
#[derive(Debug)]
pub(super) struct Place {
    /// The path after every link was followed.
    pub(super) resolved: RepoPath,
    /// From the root down to the nearest existing directory; never empty.
    pub(super) directories: Vec<HeldDirectory>,
    /// The directories between that one and the name that do not exist.
    pub(super) missing: Vec<String>,
    /// What stands there.
    pub(super) file: Option<Standing>,
}

/// Why one look at a path gave no place.
enum Miss {
    /// It changed during the look: look again.
    Changed,
    /// It is so.
    Failed(ResolutionFailure),
}

impl From<ResolutionFailure> for Miss {
    fn from(failure: ResolutionFailure) -> Self {
        Miss::Failed(failure)
    }
}

impl Root {
    /// Opens the root and checks that the kernel can confine.
    pub(super) fn open(path: &Path) -> Result<Root, OpenError> {
        let failed = |errno: Errno| OpenError::Root { path: path.to_owned(), source: errno.into() };
        let proc_fd = ProcFd::open()
            .ok_or_else(|| OpenError::Unsupported { reason: "/proc is not mounted".to_owned() })?;
        let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let descriptor = fs::openat(fs::CWD, path, flags, Mode::empty()).map_err(failed)?;
        let stat = fs::fstat(&descriptor).map_err(failed)?;
        let canonical = proc_fd.path_of(&descriptor).map_err(failed)?;
        let path = PathBuf::from(OsStr::from_bytes(&canonical));
        Ok(Root { handle: descriptor, path, identity: kernel::identity(&stat), proc_fd })
    }

    /// The canonical path at the time of opening, for display.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The descriptor of the root.
    pub(super) fn handle(&self) -> &OwnedFd {
        &self.handle
    }

    /// Finds where `path` leads.
    pub(super) fn locate(&self, path: &RepoPath) -> Result<Place, ResolutionFailure> {
        for _ in 0..LOOK_TRIES {
            match self.look(path) {
                Ok(place) => return Ok(place),
                Err(Miss::Failed(failure)) => return Err(failure),
                Err(Miss::Changed) => std::thread::yield_now(),
            }
        }
        Err(other("it keeps changing while it is looked at"))
    }

    /// Opens a directory of the workspace by its resolved path, no link followed.
    ///
    /// `None` stands for the root itself.
    pub(super) fn open_directory(&self, path: Option<&str>) -> Result<OwnedFd, Errno> {
        match path {
            None => fcntl_dupfd_cloexec(&self.handle, 0),
            Some(path) => {
                kernel::open_without_links(&self.handle, path, OFlags::PATH | OFlags::DIRECTORY)
            }
        }
    }

    /// The same; `None` where it is gone, or something else stands on its way.
    pub(super) fn open_if_there(&self, path: Option<&RepoPath>) -> Result<Option<OwnedFd>, Errno> {
        match self.open_directory(path.map(RepoPath::as_str)) {
            Ok(descriptor) => Ok(Some(descriptor)),
            Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP) => Ok(None),
            Err(errno) => Err(errno),
        }
    }

    /// Whether a held directory still has this path; the empty one is the root's.
    pub(super) fn is_in_place(&self, path: &str, directory: &HeldDirectory) -> bool {
        let now = self.relative_path(&directory.handle);
        now.is_ok_and(|now| now.as_ref().map_or("", RepoPath::as_str) == path)
    }

    /// The path of a descriptor relative to the root; `Ok(None)` for the root itself.
    pub(super) fn relative_path(
        &self,
        file: impl AsFd,
    ) -> Result<Option<RepoPath>, ResolutionFailure> {
        self.check_root_in_place()?;
        let absolute = self.proc_fd.path_of(file).map_err(|errno| other(&errno.to_string()))?;
        let below = Path::new(OsStr::from_bytes(&absolute))
            .strip_prefix(&self.path)
            .map_err(|_| ResolutionFailure::Escapes)?;
        if below.as_os_str().is_empty() {
            return Ok(None);
        }
        let text = below.to_str().ok_or(ResolutionFailure::NotUtf8)?;
        RepoPath::parse(text).map(Some).map_err(ResolutionFailure::Text)
    }

    /// Fails when the root was deleted or moved since it was opened.
    pub(super) fn check_root_in_place(&self) -> Result<(), ResolutionFailure> {
        let stat = fs::fstat(&self.handle).map_err(|errno| other(&errno.to_string()))?;
        if stat.st_nlink == 0 {
            return Err(other("the workspace root was deleted"));
        }
        let now = self.proc_fd.path_of(&self.handle).map_err(|errno| other(&errno.to_string()))?;
        if now != self.path.as_os_str().as_bytes() {
            return Err(other("the workspace root was moved"));
        }
        Ok(())
    }

    fn look(&self, path: &RepoPath) -> Result<Place, Miss> {
        match kernel::open_beneath(&self.handle, path.as_str(), OFlags::PATH) {
            Ok(file) => self.place_of_existing(path, file),
            Err(Errno::NOENT) => self.place_of_absent(path),
            Err(errno) => Err(self.failure(path.as_str(), errno).into()),
        }
    }

    fn place_of_existing(&self, path: &RepoPath, file: OwnedFd) -> Result<Place, Miss> {
        let stat = fs::fstat(&file).map_err(|errno| other(&errno.to_string()))?;
        let resolved = self
            .relative_path(&file)?
            .ok_or_else(|| other("it leads to the workspace root itself"))?;
        let directories = self.hold_directories(resolved.parent().as_ref())?;
        let parent = directories.last().ok_or(Miss::Changed)?;
        let named = kernel::look_at(&parent.handle, resolved.file_name())
            .map_err(|errno| self.failure(resolved.as_str(), errno))?;
        if named.map(|named| kernel::identity(&named)) != Some(kernel::identity(&stat)) {
            return Err(Miss::Changed);
        }
        if resolved != *path && !self.still_leads_to(path, kernel::identity(&stat)) {
            return Err(Miss::Changed);
        }
        let file = Some(Standing { file, stat });
        Ok(Place { resolved, directories, missing: Vec::new(), file })
    }

    /// Tells a link from a file that was given another name while it was looked at.
    fn still_leads_to(&self, path: &RepoPath, identity: kernel::Identity) -> bool {
        let again = kernel::open_beneath(&self.handle, path.as_str(), OFlags::PATH);
        let stat = again.and_then(|again| fs::fstat(&again));
        stat.is_ok_and(|stat| kernel::identity(&stat) == identity)
    }

    /// Climbs from the end until a directory exists; a link on the way dangles.
    fn place_of_absent(&self, path: &RepoPath) -> Result<Place, Miss> {
        let mut missing = vec![path.file_name().to_owned()];
        let mut above = path.parent();
        self.refuse_dangling(path)?;
        while let Some(directory) = above {
            match self.open_as_directory(&directory) {
                Ok(descriptor) => return self.absent_beneath(&descriptor, missing),
                Err(Errno::NOENT) => self.refuse_dangling(&directory)?,
                Err(errno) => return Err(self.failure(directory.as_str(), errno).into()),
            }
            missing.push(directory.file_name().to_owned());
            above = directory.parent();
        }
        self.absent_beneath(&self.handle, missing)
    }

    fn open_as_directory(&self, path: &RepoPath) -> Result<OwnedFd, Errno> {
        let flags = OFlags::PATH | OFlags::DIRECTORY;
        kernel::open_beneath(&self.handle, path.as_str(), flags)
    }

    fn refuse_dangling(&self, path: &RepoPath) -> Result<(), Miss> {
        let flags = OFlags::PATH | OFlags::NOFOLLOW;
        match kernel::open_beneath(&self.handle, path.as_str(), flags) {
            Err(Errno::NOENT) => Ok(()),
            Err(errno) => Err(self.failure(path.as_str(), errno).into()),
            Ok(found) => {
                let stat = fs::fstat(&found).map_err(|errno| other(&errno.to_string()))?;
                if kernel::file_type(&stat) == FileType::Symlink {
                    return Err(ResolutionFailure::BadLink.into());
                }
                Err(Miss::Changed)
            }
        }
    }

    /// `missing` is in reverse: the name first, then the directories above it.
    fn absent_beneath(
        &self,
        directory: impl AsFd,
        mut missing: Vec<String>,
    ) -> Result<Place, Miss> {
        let stat = fs::fstat(&directory).map_err(|errno| other(&errno.to_string()))?;
        let above = self.relative_path(&directory)?;
        let directories = self.hold_directories(above.as_ref())?;
        if directories.last().map(|last| last.identity) != Some(kernel::identity(&stat)) {
            return Err(Miss::Changed);
        }
        missing.reverse();
        let tail = missing.join("/");
        let text = above.map_or(tail.clone(), |above| format!("{above}/{tail}"));
        let resolved = RepoPath::parse(&text).map_err(ResolutionFailure::Text)?;
        missing.pop();
        Ok(Place { resolved, directories, missing, file: None })
    }

    /// Opens every directory from the root down to `path`, one beneath the other.
    fn hold_directories(&self, path: Option<&RepoPath>) -> Result<Vec<HeldDirectory>, Miss> {
        let root = self.open_directory(None).map_err(|errno| other(&errno.to_string()))?;
        let mut held = vec![HeldDirectory { handle: root, identity: self.identity }];
        for name in path.iter().flat_map(|path| path.components()) {
            let above = held.last().ok_or(Miss::Changed)?;
            let flags = OFlags::PATH | OFlags::DIRECTORY;
            let descriptor = match kernel::open_without_links(&above.handle, name, flags) {
                Ok(descriptor) => descriptor,
                Err(Errno::NOENT | Errno::LOOP | Errno::NOTDIR) => return Err(Miss::Changed),
                Err(errno) => return Err(self.failure(name, errno).into()),
            };
            let stat = fs::fstat(&descriptor).map_err(|errno| other(&errno.to_string()))?;
            held.push(HeldDirectory { handle: descriptor, identity: kernel::identity(&stat) });
        }
        Ok(held)
    }

    /// What the kernel's answer means for a path that was resolved from the root.
    fn failure(&self, path: &str, errno: Errno) -> ResolutionFailure {
        match errno {
            Errno::XDEV if kernel::escapes(&self.handle, path) => ResolutionFailure::Escapes,
            Errno::XDEV => ResolutionFailure::CrossesMount,
            Errno::LOOP => ResolutionFailure::BadLink,
            Errno::NOTDIR => ResolutionFailure::NotADirectory,
            Errno::ACCESS => ResolutionFailure::Denied,
            Errno::NOSYS | Errno::PERM | Errno::INVAL | Errno::TOOBIG => {
                ResolutionFailure::Unsupported
            }
            Errno::NAMETOOLONG => ResolutionFailure::Text(gatewright_model::PathProblem::TooLong),
            errno => other(&errno.to_string()),
        }
    }
}

impl Place {
    /// The nearest existing directory.
    pub(super) fn nearest(&self) -> Option<&HeldDirectory> {
        self.directories.last()
    }

    /// Whether a link was followed on the way from `path`.
    pub(super) fn is_through_link(&self, path: &RepoPath) -> bool {
        self.resolved != *path
    }
}

fn other(message: &str) -> ResolutionFailure {
    ResolutionFailure::Other { message: message.to_owned() }
}
