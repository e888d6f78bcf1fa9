//! The directories that a transaction works in, each held by one descriptor.
//!
//! A live transaction works on the descriptors it was judged on, wherever they
//! are moved meanwhile. Recovery opens them by their resolved path, following
//! no link.

use std::collections::BTreeMap;

use gatewright_model::{Digest, RepoPath};
use rustix::fd::OwnedFd;
use rustix::fs::{self, AtFlags, FileType, Mode, OFlags};
use rustix::io::{Errno, fcntl_dupfd_cloexec};

use super::facts::{self, Fingerprint};
use super::kernel::{self, Identity};
use super::root::{HeldDirectory, Root};

/// Held directories by resolved path; the empty path is the root.
#[derive(Debug, Default)]
pub(super) struct Directories {
    held: BTreeMap<String, HeldDirectory>,
}

/// What stands under a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Found {
    /// Nothing.
    Nothing,
    /// A regular file.
    File {
        /// Its bytes.
        digest: Digest,
        /// Its permission bits.
        mode: u32,
        /// How to know it again.
        fingerprint: Fingerprint,
    },
    /// A link, a directory or anything else.
    Other,
}

impl Found {
    /// Digest and mode, for a regular file.
    pub(super) fn state(self) -> Option<(Digest, u32)> {
        match self {
            Found::File { digest, mode, .. } => Some((digest, mode)),
            Found::Nothing | Found::Other => None,
        }
    }
}

impl Directories {
    /// Keeps a descriptor of `directory` under its resolved path.
    pub(super) fn hold(
        &mut self,
        path: Option<&RepoPath>,
        directory: &HeldDirectory,
    ) -> Result<(), Errno> {
        let key = key(path);
        if !self.held.contains_key(key) {
            let descriptor = fcntl_dupfd_cloexec(&directory.descriptor, 0)?;
            let held = HeldDirectory { descriptor, identity: directory.identity };
            self.held.insert(key.to_owned(), held);
        }
        Ok(())
    }

    /// The held directory of this path.
    pub(super) fn get(&self, path: Option<&RepoPath>) -> Option<&OwnedFd> {
        self.held.get(key(path)).map(|held| &held.descriptor)
    }

    /// Device and inode of the held directory of this path.
    pub(super) fn identity(&self, path: Option<&RepoPath>) -> Option<Identity> {
        self.held.get(key(path)).map(|held| held.identity)
    }

    /// Every path with its descriptor.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, &OwnedFd)> {
        self.held.iter().map(|(path, held)| (path.as_str(), &held.descriptor))
    }

    /// Opens a directory by its resolved path; `None` where it is gone.
    pub(super) fn open(
        &mut self,
        root: &Root,
        path: Option<&RepoPath>,
    ) -> Result<Option<&OwnedFd>, Errno> {
        if !self.held.contains_key(key(path)) {
            let descriptor = match root.open_directory(path.map(RepoPath::as_str)) {
                Ok(descriptor) => descriptor,
                Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP) => return Ok(None),
                Err(errno) => return Err(errno),
            };
            self.insert(path, descriptor)?;
        }
        Ok(self.get(path))
    }

    /// Makes `path` in its held parent; says whether this call made it.
    pub(super) fn make(&mut self, path: &RepoPath) -> Result<bool, Errno> {
        let parent = path.parent();
        let above = self.get(parent.as_ref()).ok_or(Errno::NOENT)?;
        let made = match fs::mkdirat(above, path.file_name(), Mode::from_raw_mode(0o777)) {
            Ok(()) => true,
            Err(Errno::EXIST) => false,
            Err(errno) => return Err(errno),
        };
        let flags = OFlags::PATH | OFlags::DIRECTORY;
        let opened = kernel::open_without_links(above, path.file_name(), flags).inspect_err(|_| {
            if made {
                // Nobody is told of it, so nobody else would take it back.
                let _ = remove_if_empty(above, path.file_name());
            }
        });
        self.insert(Some(path), opened?)?;
        Ok(made)
    }

    fn insert(&mut self, path: Option<&RepoPath>, descriptor: OwnedFd) -> Result<(), Errno> {
        let identity = kernel::identity(&fs::fstat(&descriptor)?);
        self.held.insert(key(path).to_owned(), HeldDirectory { descriptor, identity });
        Ok(())
    }
}

fn key(path: Option<&RepoPath>) -> &str {
    path.map_or("", RepoPath::as_str)
}

/// Looks at a name itself, following nothing.
pub(super) fn look(root: &Root, directory: &OwnedFd, name: &str) -> Result<Found, Errno> {
    let flags = OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let file = match fs::openat(directory, name, flags, Mode::empty()) {
        Ok(file) => file,
        Err(Errno::NOENT) => return Ok(Found::Nothing),
        Err(errno) => return Err(errno),
    };
    let stat = fs::fstat(&file)?;
    if kernel::file_type(&stat) != FileType::RegularFile {
        return Ok(Found::Other);
    }
    let bytes = facts::read_regular(root, &file, u64::try_from(stat.st_size).unwrap_or_default())?;
    Ok(Found::File {
        digest: Digest::of(&bytes),
        mode: stat.st_mode & 0o7777,
        fingerprint: Fingerprint::of(&stat),
    })
}

/// Removes a directory if it is empty; says whether it is gone.
pub(super) fn remove_if_empty(parent: &OwnedFd, name: &str) -> Result<bool, Errno> {
    match fs::unlinkat(parent, name, AtFlags::REMOVEDIR) {
        Ok(()) | Err(Errno::NOENT) => Ok(true),
        Err(Errno::NOTEMPTY | Errno::EXIST | Errno::NOTDIR) => Ok(false),
        Err(Errno::ROFS) if kernel::stat_name(parent, name)?.is_none() => Ok(true),
        Err(errno) => Err(errno),
    }
}
