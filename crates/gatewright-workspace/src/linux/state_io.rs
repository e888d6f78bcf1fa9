//! The files of the state directory: lock, journal, snapshots and saved bytes.
//!
//! They lie outside the workspace and out of the agent's reach, so they are
//! plain files. The ban on the clock is lifted here, for the lock's timeout.
#![expect(
    clippy::disallowed_methods,
    reason = "the state directory is made here, and waiting for its lock needs a clock"
)]

use std::os::unix::fs::DirBuilderExt;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use gatewright_model::Digest;
use rustix::fd::OwnedFd;
use rustix::fs::{self, AtFlags, Dir, FlockOperation, Mode, OFlags};
use rustix::io::{Errno, retry_on_intr};

use super::kernel;
use crate::{Durability, LockError, OpenError, random};

/// The largest state file that is read back.
const MAX_STATE_FILE: u64 = 512 * 1024 * 1024;

/// The level of compression: speed matters more than size.
const COMPRESSION: i32 = 1;

/// How many compressed bytes are kept at hand.
const MOST_AT_HAND: usize = 1024 * 1024;

/// A folder of the state directory.
pub(super) type Directory = OwnedFd;

/// An open file of the state directory.
pub(super) type StateFile = OwnedFd;

/// The open state directory.
#[derive(Debug)]
pub(super) struct StateDir {
    pub(super) top: OwnedFd,
    pub(super) objects: OwnedFd,
    pub(super) journal: OwnedFd,
    pub(super) snapshots: OwnedFd,
    pub(super) conflicts: OwnedFd,
    lock: OwnedFd,
    durability: Durability,
    packer: Mutex<Option<Packer>>,
}

/// Both are kept, because making one costs more than a small file does.
struct Packer {
    compressor: zstd::bulk::Compressor<'static>,
    decompressor: zstd::bulk::Decompressor<'static>,
    last: Option<(Digest, Vec<u8>)>,
}

impl std::fmt::Debug for Packer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Packer")
    }
}

/// The lock, held until this is dropped.
#[derive(Debug)]
pub(super) struct LockGuard {
    lock: OwnedFd,
}

impl Drop for LockGuard {
    fn drop(&mut self) {
        // Closing the last descriptor would not do: the state directory keeps one.
        let _ = fs::flock(&self.lock, FlockOperation::Unlock);
    }
}

impl StateDir {
    /// Opens the directory, making what is missing of it.
    pub(super) fn open(path: &Path, durability: Durability) -> Result<StateDir, OpenError> {
        let failed =
            |errno: Errno| OpenError::State { path: path.to_owned(), source: errno.into() };
        std::fs::DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(path)
            .map_err(|source| OpenError::State { path: path.to_owned(), source })?;
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let top = fs::openat(fs::CWD, path, flags, Mode::empty()).map_err(failed)?;
        let flags = OFlags::RDWR | OFlags::CREATE | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let lock = fs::openat(&top, "lock", flags, Mode::from_raw_mode(0o600)).map_err(failed)?;
        Ok(StateDir {
            objects: subdirectory(&top, "objects").map_err(failed)?,
            journal: subdirectory(&top, "journal").map_err(failed)?,
            snapshots: subdirectory(&top, "snapshots").map_err(failed)?,
            conflicts: subdirectory(&top, "conflicts").map_err(failed)?,
            top,
            lock,
            durability,
            packer: Mutex::new(None),
        })
    }

    /// Compresses the bytes of a digest, fast rather than small.
    ///
    /// What was compressed last is at hand: the new bytes of one edit are mostly the old
    /// ones of the next.
    pub(super) fn compress(&self, digest: Digest, bytes: &[u8]) -> std::io::Result<Vec<u8>> {
        self.with_packer(|packer| {
            if let Some((last, packed)) = &packer.last
                && *last == digest
            {
                return Ok(packed.clone());
            }
            let packed = packer.compressor.compress(bytes)?;
            packer.last = (packed.len() <= MOST_AT_HAND).then(|| (digest, packed.clone()));
            Ok(packed)
        })
    }

    /// Compresses bytes that are those of no file.
    pub(super) fn compress_part(&self, bytes: &[u8]) -> std::io::Result<Vec<u8>> {
        self.with_packer(|packer| packer.compressor.compress(bytes))
    }

    /// Decompresses to at most `limit` bytes.
    pub(super) fn decompress(&self, packed: &[u8], limit: usize) -> std::io::Result<Vec<u8>> {
        self.with_packer(|packer| packer.decompressor.decompress(packed, limit))
    }

    fn with_packer<R>(
        &self,
        work: impl FnOnce(&mut Packer) -> std::io::Result<R>,
    ) -> std::io::Result<R> {
        let mut kept = self.packer.lock().unwrap_or_else(PoisonError::into_inner);
        let packer = match kept.take() {
            Some(packer) => packer,
            None => Packer {
                compressor: zstd::bulk::Compressor::new(COMPRESSION)?,
                decompressor: zstd::bulk::Decompressor::new()?,
                last: None,
            },
        };
        work(kept.insert(packer))
    }

    /// Whether steps are synced.
    pub(super) fn is_durable(&self) -> bool {
        self.durability == Durability::Full
    }

    /// Takes the lock, waiting at most `timeout`.
    pub(super) fn lock(&self, timeout: Duration) -> Result<LockGuard, LockError> {
        let failed = |errno: Errno| LockError::Disk { source: errno.into() };
        let start = Instant::now();
        let mut pause = Duration::from_micros(200);
        loop {
            match fs::flock(&self.lock, FlockOperation::NonBlockingLockExclusive) {
                Ok(()) => break,
                Err(Errno::WOULDBLOCK | Errno::INTR) if start.elapsed() < timeout => {
                    std::thread::sleep(pause);
                    pause = (pause * 2).min(Duration::from_millis(20));
                }
                Err(Errno::WOULDBLOCK | Errno::INTR) => {
                    let waited_ms = u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX);
                    return Err(LockError::Busy { holder: self.lock_holder(), waited_ms });
                }
                Err(errno) => return Err(failed(errno)),
            }
        }
        let lock = rustix::io::fcntl_dupfd_cloexec(&self.lock, 0).map_err(failed)?;
        let guard = LockGuard { lock };
        let text = format!("{:<20}\n", std::process::id());
        // Only for the message of whoever waits: a failure changes nothing.
        let _ = rustix::io::pwrite(&guard.lock, text.as_bytes(), 0);
        Ok(guard)
    }

    fn lock_holder(&self) -> Option<u32> {
        let mut text = [0; 21];
        let count = rustix::io::pread(&self.lock, &mut text, 0).ok()?;
        std::str::from_utf8(&text[..count]).ok()?.trim().parse().ok()
    }

    /// Syncs files, letting the disk work on all of them at once.
    ///
    /// The advice starts the writing of each without waiting, and the last one is waited for
    /// beside the others: a disk that is asked twice at once is flushed once. One after the
    /// other without advice takes about twice as long.
    pub(super) fn sync_all(&self, files: &[&OwnedFd]) -> Result<(), Errno> {
        let Some((last, others)) = files.split_last().filter(|_| self.is_durable()) else {
            return Ok(());
        };
        for file in files.iter().skip(1) {
            let _ = fs::fadvise(file, 0, None, fs::Advice::DontNeed);
        }
        std::thread::scope(|scope| {
            let sync = || self.sync(last);
            let thread = std::thread::Builder::new().name("gatewright-sync".to_owned());
            let beside =
                if others.is_empty() { None } else { thread.spawn_scoped(scope, sync).ok() };
            let synced = others.iter().try_for_each(|file| self.sync(file));
            // A thread that could not be had, or that did not come back, has synced nothing.
            let last = beside.and_then(|beside| beside.join().ok()).unwrap_or_else(sync);
            synced.and(last)
        })
    }

    /// Syncs a file, or does nothing when durability is off.
    pub(super) fn sync(&self, file: &OwnedFd) -> Result<(), Errno> {
        if self.is_durable() { retry_on_intr(|| fs::fsync(file)) } else { Ok(()) }
    }
}

fn subdirectory(top: &OwnedFd, name: &str) -> Result<OwnedFd, Errno> {
    match fs::mkdirat(top, name, Mode::from_raw_mode(0o700)) {
        Ok(()) | Err(Errno::EXIST) => {}
        Err(errno) => return Err(errno),
    }
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    fs::openat(top, name, flags, Mode::empty())
}

/// Writes a new file under its final name; what is cut short must be recognised by its reader.
pub(super) fn write_new(directory: &OwnedFd, name: &str, bytes: &[u8]) -> Result<OwnedFd, Errno> {
    let file = kernel::create_new(directory, name, 0o600)?;
    kernel::write_all(&file, bytes).inspect_err(|_| {
        let _ = fs::unlinkat(directory, name, AtFlags::empty());
    })?;
    Ok(file)
}

/// Puts a file in place of whatever has its name, in one step; not synced.
pub(super) fn replace(directory: &OwnedFd, name: &str, bytes: &[u8]) -> Result<OwnedFd, Errno> {
    let temporary = format!("{}.tmp", random::hex(8).map_err(|_| Errno::IO)?);
    let file = write_new(directory, &temporary, bytes)?;
    fs::renameat(directory, temporary.as_str(), directory, name).inspect_err(|_| {
        let _ = fs::unlinkat(directory, temporary.as_str(), AtFlags::empty());
    })?;
    Ok(file)
}

/// Writes over a small file where it stands; what is cut short must be recognised by its reader.
pub(super) fn overwrite(directory: &OwnedFd, name: &str, bytes: &[u8]) -> Result<(), Errno> {
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let mode = Mode::from_raw_mode(0o600);
    let file = retry_on_intr(|| fs::openat(directory, name, flags, mode))?;
    kernel::write_all(&file, bytes)?;
    fs::ftruncate(&file, bytes.len() as u64)
}

/// Reads a file; `None` where there is none.
pub(super) fn read(directory: &OwnedFd, name: &str) -> Result<Option<Vec<u8>>, Errno> {
    match open(directory, name)? {
        None => Ok(None),
        Some(file) => read_open(&file).map(Some),
    }
}

/// Reads an open file to its end.
pub(super) fn read_open(file: &OwnedFd) -> Result<Vec<u8>, Errno> {
    let size = u64::try_from(fs::fstat(file)?.st_size).unwrap_or_default();
    kernel::read_to_end(file, size, MAX_STATE_FILE)
}

/// Opens a file for reading; `None` where there is none.
pub(super) fn open(directory: &OwnedFd, name: &str) -> Result<Option<OwnedFd>, Errno> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    match retry_on_intr(|| fs::openat(directory, name, flags, Mode::empty())) {
        Ok(file) => Ok(Some(file)),
        Err(Errno::NOENT) => Ok(None),
        Err(errno) => Err(errno),
    }
}

/// Moves a file from one state directory to another.
pub(super) fn move_to(from: &OwnedFd, old: &str, to: &OwnedFd, new: &str) -> Result<(), Errno> {
    fs::renameat(from, old, to, new)
}

/// Removes a file that may be missing.
pub(super) fn remove(directory: &OwnedFd, name: &str) -> Result<(), Errno> {
    kernel::remove_if_there(directory, name)
}

/// The names in a state directory, sorted.
pub(super) fn names(directory: &OwnedFd) -> Result<Vec<String>, Errno> {
    let mut names = Vec::new();
    for entry in Dir::read_from(directory)? {
        if let Ok(name) = entry?.file_name().to_str()
            && !matches!(name, "." | "..")
        {
            names.push(name.to_owned());
        }
    }
    names.sort();
    Ok(names)
}

/// The size of a file; zero where there is none.
pub(super) fn size(directory: &OwnedFd, name: &str) -> u64 {
    match kernel::look_at(directory, name) {
        Ok(Some(stat)) => u64::try_from(stat.st_size).unwrap_or_default(),
        _ => 0,
    }
}

/// Which start of the machine this is.
pub(super) fn boot() -> Option<String> {
    let text = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?;
    Some(text.trim().to_owned()).filter(|text| !text.is_empty())
}

/// The file mode creation mask of this process.
///
/// Setting it is the only other way to learn it, and that would be seen by
/// other threads.
pub(super) fn umask() -> u32 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let digits = status.lines().find_map(|line| line.strip_prefix("Umask:"));
    digits.and_then(|digits| u32::from_str_radix(digits.trim(), 8).ok()).unwrap_or(0o022)
}
