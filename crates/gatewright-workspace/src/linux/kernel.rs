//! The few system calls that everything here is made of, with their retries.
//!
//! Nothing in this file knows what a workspace is.

use std::io;

use rustix::fd::{AsFd, AsRawFd, OwnedFd};
use rustix::fs::{self, AtFlags, FileType, Mode, OFlags, RenameFlags, ResolveFlags, Stat};
use rustix::io::{Errno, fcntl_dupfd_cloexec, retry_on_intr};

use crate::Stamp;

/// How often a resolution is tried again when renames race with it.
///
/// The kernel says `EAGAIN` instead of guessing. Giving up early would refuse
/// honest writes in a busy tree; falling back to anything else would be unsafe.
const RACE_TRIES: u32 = 100_000;

/// The system's answer when something fails.
pub(super) type Fault = Errno;

/// A directory that is held open.
pub(super) type Directory = OwnedFd;

/// Device and inode: what a descriptor *is*, whatever its name.
pub(super) type Identity = (u64, u64);

/// Whether a directory can be removed while it is held, and synced afterwards.
pub(super) const CAN_REMOVE_HELD: bool = true;

/// Identity, size and times of a file: when they are equal, so are the bytes,
/// unless somebody sets the clock back. The exchange hashes again in any case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Fingerprint {
    identity: Identity,
    size: i64,
    modified: (i64, u64),
    changed: (i64, u64),
}

impl Fingerprint {
    /// Of a file that was just looked at.
    pub(super) fn of(stat: &Stat) -> Self {
        Self {
            identity: identity(stat),
            size: stat.st_size,
            modified: (stat.st_mtime, stat.st_mtime_nsec),
            changed: (stat.st_ctime, stat.st_ctime_nsec),
        }
    }

    /// Whether the same file has the same bytes; a new name changes neither.
    pub(super) fn is_same_but_renamed(&self, other: &Fingerprint) -> bool {
        let renamed = Fingerprint { changed: other.changed, ..*self };
        renamed == *other
    }
}

/// An error of the standard library's as one of the kernel's.
pub(super) fn fault(error: io::Error) -> Fault {
    Errno::from_io_error(&error).unwrap_or(Errno::IO)
}

/// That there is nothing under a name.
pub(super) fn not_there() -> Fault {
    Errno::NOENT
}

/// Whether the kernel forbids it.
pub(super) fn is_denied(fault: &Fault) -> bool {
    matches!(*fault, Errno::ACCESS | Errno::PERM)
}

/// Resolves `path` beneath `directory`, following links that stay inside.
pub(super) fn open_beneath(
    directory: impl AsFd,
    path: &str,
    flags: OFlags,
) -> Result<OwnedFd, Errno> {
    open_resolving(directory, path, flags, confinement())
}

/// Resolves `path` beneath `directory`, following no link at all.
pub(super) fn open_without_links(
    directory: impl AsFd,
    path: &str,
    flags: OFlags,
) -> Result<OwnedFd, Errno> {
    open_resolving(directory, path, flags, confinement() | ResolveFlags::NO_SYMLINKS)
}

/// Whether `path` leads out of `directory` even when mount points may be crossed.
pub(super) fn escapes(directory: impl AsFd, path: &str) -> bool {
    let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_MAGICLINKS;
    matches!(open_resolving(directory, path, OFlags::PATH, resolve), Err(Errno::XDEV))
}

fn confinement() -> ResolveFlags {
    ResolveFlags::BENEATH | ResolveFlags::NO_MAGICLINKS | ResolveFlags::NO_XDEV
}

fn open_resolving(
    directory: impl AsFd,
    path: &str,
    flags: OFlags,
    resolve: ResolveFlags,
) -> Result<OwnedFd, Errno> {
    for attempt in 0..RACE_TRIES {
        let flags = flags | OFlags::CLOEXEC;
        match fs::openat2(directory.as_fd(), path, flags, Mode::empty(), resolve) {
            Err(Errno::AGAIN | Errno::INTR) if attempt > 64 => std::thread::yield_now(),
            Err(Errno::AGAIN | Errno::INTR) => {}
            answer => return answer,
        }
    }
    Err(Errno::AGAIN)
}

/// Device and inode of a stat.
pub(super) fn identity(stat: &Stat) -> Identity {
    (stat.st_dev, stat.st_ino)
}

/// What a stat says that changes whenever the file does.
pub(super) fn stamp(stat: &Stat) -> Stamp {
    let nanoseconds =
        |seconds: i64, rest: u64| seconds.saturating_mul(1_000_000_000).saturating_add(rest as i64);
    Stamp {
        inode: stat.st_ino,
        modified: nanoseconds(stat.st_mtime, stat.st_mtime_nsec),
        changed: nanoseconds(stat.st_ctime, stat.st_ctime_nsec),
        mode: stat.st_mode & 0o7777,
    }
}

/// What kind of thing a stat describes.
pub(super) fn file_type(stat: &Stat) -> FileType {
    FileType::from_raw_mode(stat.st_mode)
}

/// The stat of a name itself, a link not followed; `None` where there is nothing.
pub(super) fn look_at(directory: impl AsFd, name: &str) -> Result<Option<Stat>, Errno> {
    match fs::statat(directory, name, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(stat) => Ok(Some(stat)),
        Err(Errno::NOENT | Errno::NOTDIR) => Ok(None),
        Err(errno) => Err(errno),
    }
}

/// Reads from a descriptor to its end, at most `limit` bytes and one more.
pub(super) fn read_to_end(file: impl AsFd, size_hint: u64, limit: u64) -> Result<Vec<u8>, Errno> {
    let most = usize::try_from(limit).unwrap_or(usize::MAX).saturating_add(1);
    let first = usize::try_from(size_hint).unwrap_or(usize::MAX).saturating_add(1).min(most);
    let mut bytes = vec![0; first];
    let mut filled = 0;
    loop {
        if filled == bytes.len() {
            if filled >= most {
                break;
            }
            bytes.resize((filled * 2).max(4096).min(most), 0);
        }
        match retry_on_intr(|| rustix::io::read(&file, &mut bytes[filled..]))? {
            0 => break,
            count => filled += count,
        }
    }
    bytes.truncate(filled);
    Ok(bytes)
}

/// Writes all of `bytes`.
pub(super) fn write_all(file: impl AsFd, mut bytes: &[u8]) -> Result<(), Errno> {
    while !bytes.is_empty() {
        match retry_on_intr(|| rustix::io::write(&file, bytes))? {
            0 => return Err(Errno::IO),
            count => bytes = &bytes[count..],
        }
    }
    Ok(())
}

/// Renames within one directory; fails with `EXIST` where the new name is taken.
pub(super) fn rename_new(directory: impl AsFd, old: &str, new: &str) -> Result<(), Errno> {
    let directory = directory.as_fd();
    fs::renameat_with(directory, old, directory, new, RenameFlags::NOREPLACE)
}

/// Exchanges two names of one directory in one step.
pub(super) fn exchange(directory: impl AsFd, one: &str, other: &str) -> Result<(), Errno> {
    let directory = directory.as_fd();
    fs::renameat_with(directory, one, directory, other, RenameFlags::EXCHANGE)
}

/// Removes a name that may be missing.
pub(super) fn remove_if_there(directory: impl AsFd, name: &str) -> Result<(), Errno> {
    match fs::unlinkat(&directory, name, AtFlags::empty()) {
        Ok(()) | Err(Errno::NOENT) => Ok(()),
        // A read-only file system says so before it looks for the name.
        Err(Errno::ROFS) if look_at(&directory, name)?.is_none() => Ok(()),
        Err(errno) => Err(errno),
    }
}

/// Removes a directory if it is empty.
pub(super) fn remove_if_empty(parent: impl AsFd, name: &str) -> Result<(), Errno> {
    match fs::unlinkat(&parent, name, AtFlags::REMOVEDIR) {
        Ok(()) | Err(Errno::NOENT | Errno::NOTEMPTY | Errno::EXIST | Errno::NOTDIR) => Ok(()),
        Err(Errno::ROFS) if look_at(&parent, name)?.is_none() => Ok(()),
        Err(errno) => Err(errno),
    }
}

/// Makes a directory; says whether it was not there.
pub(super) fn make_directory(parent: impl AsFd, name: &str) -> Result<bool, Errno> {
    match fs::mkdirat(parent, name, Mode::from_raw_mode(0o777)) {
        Ok(()) => Ok(true),
        Err(Errno::EXIST) => Ok(false),
        Err(errno) => Err(errno),
    }
}

/// Opens a directory by one name, a link not followed.
pub(super) fn open_directory(parent: impl AsFd, name: &str) -> Result<OwnedFd, Errno> {
    open_without_links(parent, name, OFlags::PATH | OFlags::DIRECTORY)
}

/// Another descriptor of the same directory.
pub(super) fn hold_again(directory: &OwnedFd) -> Result<OwnedFd, Errno> {
    fcntl_dupfd_cloexec(directory, 0)
}

/// Device and inode of an open directory.
pub(super) fn identity_of(directory: &OwnedFd) -> Result<Identity, Errno> {
    Ok(identity(&fs::fstat(directory)?))
}

/// Makes a file that was not there, for writing.
pub(super) fn create_new(directory: impl AsFd, name: &str, mode: u32) -> Result<OwnedFd, Errno> {
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    retry_on_intr(|| fs::openat(&directory, name, flags, Mode::from_raw_mode(mode)))
}

/// Makes a file that has no name, for writing; `None` where the file system knows none.
///
/// Whatever happens, the kernel removes it with its last descriptor.
pub(super) fn create_nameless(directory: impl AsFd, mode: u32) -> Result<Option<OwnedFd>, Errno> {
    let flags = OFlags::WRONLY | OFlags::TMPFILE | OFlags::CLOEXEC;
    match retry_on_intr(|| fs::openat(&directory, ".", flags, Mode::from_raw_mode(mode))) {
        Ok(file) => Ok(Some(file)),
        Err(Errno::OPNOTSUPP | Errno::INVAL | Errno::ISDIR | Errno::NOENT) => Ok(None),
        Err(errno) => Err(errno),
    }
}

/// Syncs the entries of a directory, which may be an `O_PATH` descriptor.
///
/// A directory that its owner made unreadable cannot be opened for that; its
/// entries are then synced whenever the system does so.
pub(super) fn sync_directory(directory: impl AsFd) -> Result<(), Errno> {
    match open_to_sync(directory)? {
        Some(readable) => retry_on_intr(|| fs::fsync(&readable)),
        None => Ok(()),
    }
}

/// Opens a directory so that its entries can be synced; `None` where its owner forbids it.
pub(super) fn open_to_sync(directory: impl AsFd) -> Result<Option<OwnedFd>, Errno> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    match fs::openat(directory, ".", flags, Mode::empty()) {
        Ok(readable) => Ok(Some(readable)),
        Err(Errno::ACCESS) => Ok(None),
        Err(errno) => Err(errno),
    }
}

/// `/proc/self/fd` of this process, checked to be what it claims to be.
#[derive(Debug)]
pub(super) struct ProcFd(OwnedFd);

impl ProcFd {
    /// Opens it; `None` where no real `/proc` is mounted.
    pub(super) fn open() -> Option<ProcFd> {
        let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let directory = fs::openat(fs::CWD, "/proc/self/fd", flags, Mode::empty()).ok()?;
        let is_proc = fs::fstatfs(&directory).ok()?.f_type == fs::PROC_SUPER_MAGIC;
        is_proc.then_some(ProcFd(directory))
    }

    /// The path that the kernel gives for a descriptor now.
    pub(super) fn path_of(&self, file: impl AsFd) -> Result<Vec<u8>, Errno> {
        let number = file.as_fd().as_raw_fd().to_string();
        let path = fs::readlinkat(&self.0, number, Vec::with_capacity(256))?;
        Ok(path.into_bytes())
    }

    /// Gives a file without a name one; fails with `EXIST` where that is taken.
    pub(super) fn name(&self, file: impl AsFd, at: impl AsFd, name: &str) -> Result<(), Errno> {
        let number = file.as_fd().as_raw_fd().to_string();
        fs::linkat(&self.0, number, at, name, AtFlags::SYMLINK_FOLLOW)
    }

    /// Opens for reading exactly what an `O_PATH` descriptor stands for.
    ///
    /// The caller has checked that it is a regular file, so this cannot block.
    pub(super) fn reopen(&self, file: impl AsFd) -> Result<OwnedFd, Errno> {
        let number = file.as_fd().as_raw_fd().to_string();
        let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        retry_on_intr(|| fs::openat(&self.0, number.as_str(), flags, Mode::empty()))
    }
}
