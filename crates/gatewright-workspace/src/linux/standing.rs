//! What stands under a name, by its descriptor.

use gatewright_model::{Digest, FileMode, TargetKind};
use rustix::fd::OwnedFd;
use rustix::fs::{self, FileType, Mode, OFlags, Stat};
use rustix::io::Errno;

use super::attributes;
use super::directories::Found;
use super::facts::MAX_HASHED;
use super::kernel::{self, Fingerprint, Identity};
use super::root::Root;
use crate::error::AttributeFailure;
use crate::record::Attributes;

/// What stands at a place, opened `O_PATH`.
#[derive(Debug)]
pub(super) struct Standing {
    pub(super) file: OwnedFd,
    pub(super) stat: Stat,
}

impl Standing {
    /// What kind of thing it is; a link counts as special.
    pub(super) fn kind(&self) -> TargetKind {
        match kernel::file_type(&self.stat) {
            FileType::RegularFile => TargetKind::Regular,
            FileType::Directory => TargetKind::Directory,
            _ => TargetKind::Special,
        }
    }

    /// The permission bits.
    pub(super) fn mode(&self) -> FileMode {
        FileMode::from_bits(self.stat.st_mode)
    }

    /// The size in bytes.
    pub(super) fn size(&self) -> u64 {
        u64::try_from(self.stat.st_size).unwrap_or_default()
    }

    /// How many names it has.
    pub(super) fn link_count(&self) -> u64 {
        self.stat.st_nlink
    }

    /// What it is, whatever its name.
    pub(super) fn identity(&self) -> Identity {
        kernel::identity(&self.stat)
    }

    /// How to know it again.
    pub(super) fn fingerprint(&self) -> Fingerprint {
        Fingerprint::of(&self.stat)
    }

    /// The bytes of a regular file, unless it is too large to compare.
    pub(super) fn read(&mut self, root: &Root) -> Result<Vec<u8>, Errno> {
        read_regular(root, &self.file, self.size())
    }

    /// Owner and attributes of a regular file.
    pub(super) fn attributes(&self, root: &Root) -> Result<Option<Attributes>, AttributeFailure> {
        let readable = root.proc_fd.reopen(&self.file).map_err(|errno| AttributeFailure {
            what: "attributes".to_owned(),
            source: errno.into(),
        })?;
        attributes::read(&readable, &self.stat).map(Some)
    }
}

/// Reads the regular file behind an `O_PATH` descriptor, unless it is too large to compare.
pub(super) fn read_regular(root: &Root, file: &OwnedFd, size: u64) -> Result<Vec<u8>, Errno> {
    let readable = root.proc_fd.reopen(file)?;
    let bytes = kernel::read_to_end(&readable, size, MAX_HASHED)?;
    if bytes.len() as u64 > MAX_HASHED { Err(Errno::FBIG) } else { Ok(bytes) }
}

/// Looks at a name itself and hashes the file there, following nothing.
pub(super) fn look(root: &Root, directory: &OwnedFd, name: &str) -> Result<Found, Errno> {
    let flags = OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let file = match fs::openat(directory, name, flags, Mode::empty()) {
        Ok(file) => file,
        Err(Errno::NOENT) => return Ok(Found::Nothing),
        Err(errno) => return Err(errno),
    };
    let stat = fs::fstat(&file)?;
    let mut standing = Standing { file, stat };
    if standing.kind() != TargetKind::Regular {
        return Ok(Found::Other);
    }
    Ok(Found::File {
        digest: Digest::of(&standing.read(root)?),
        mode: standing.mode().bits(),
        fingerprint: standing.fingerprint(),
    })
}
