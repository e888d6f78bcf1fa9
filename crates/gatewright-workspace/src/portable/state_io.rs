//! The files of the state directory: lock, journal, snapshots and saved bytes.
//!
//! They lie outside the workspace and out of the agent's reach, so they are
//! plain files, and the ban on files and the clock is lifted here.
#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "the state directory consists of plain files, and waiting for its lock needs a clock"
)]

use std::fs::{self, DirBuilder, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::{Durability, LockError, OpenError, random};

/// The largest state file that is read back.
const MAX_STATE_FILE: u64 = 512 * 1024 * 1024;

/// The level of compression: speed matters more than size.
const COMPRESSION: i32 = 1;

/// A folder of the state directory.
pub(super) type Directory = Path;

/// The state directory.
#[derive(Debug)]
pub(super) struct StateDir {
    pub(super) top: PathBuf,
    pub(super) objects: PathBuf,
    pub(super) journal: PathBuf,
    pub(super) snapshots: PathBuf,
    pub(super) conflicts: PathBuf,
    lock: File,
    durability: Durability,
}

/// An open file of the state directory.
#[derive(Debug)]
pub(super) struct StateFile(File);

/// The lock, held until this is dropped.
#[derive(Debug)]
pub(super) struct LockGuard {
    lock: File,
}

impl Drop for LockGuard {
    fn drop(&mut self) {
        // Closing the handle would not do: the state directory keeps another.
        let _ = self.lock.unlock();
    }
}

impl StateDir {
    /// Opens the directory, making what is missing of it.
    pub(super) fn open(path: &Path, durability: Durability) -> Result<StateDir, OpenError> {
        let failed = |source: io::Error| OpenError::State { path: path.to_owned(), source };
        make_private(path).map_err(failed)?;
        let top = fs::canonicalize(path).map_err(failed)?;
        let below = |name: &str| {
            let directory = top.join(name);
            make_private(&directory).map(|()| directory).map_err(failed)
        };
        let (objects, journal) = (below("objects")?, below("journal")?);
        let (snapshots, conflicts) = (below("snapshots")?, below("conflicts")?);
        let mut options = private(OpenOptions::new().read(true).write(true).create(true));
        let lock = options.truncate(false).open(top.join("lock")).map_err(failed)?;
        Ok(StateDir { top, objects, journal, snapshots, conflicts, lock, durability })
    }

    /// Compresses bytes, fast rather than small.
    pub(super) fn compress(&self, bytes: &[u8]) -> io::Result<Vec<u8>> {
        zstd::bulk::compress(bytes, COMPRESSION)
    }

    /// Whether steps are synced.
    pub(super) fn is_durable(&self) -> bool {
        self.durability == Durability::Full
    }

    /// Takes the lock, waiting at most `timeout`.
    pub(super) fn lock(&self, timeout: Duration) -> Result<LockGuard, LockError> {
        let start = Instant::now();
        let mut pause = Duration::from_micros(200);
        loop {
            match self.lock.try_lock() {
                Ok(()) => break,
                Err(TryLockError::WouldBlock) if start.elapsed() < timeout => {
                    std::thread::sleep(pause);
                    pause = (pause * 2).min(Duration::from_millis(20));
                }
                Err(TryLockError::WouldBlock) => {
                    let waited_ms = u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX);
                    return Err(LockError::Busy { holder: self.lock_holder(), waited_ms });
                }
                Err(TryLockError::Error(source)) => return Err(LockError::Disk { source }),
            }
        }
        let lock = match self.lock.try_clone() {
            Ok(lock) => lock,
            Err(source) => {
                let _ = self.lock.unlock();
                return Err(LockError::Disk { source });
            }
        };
        // Only for the message of whoever waits: a failure changes nothing. A
        // file of its own, since a locked one cannot be read on every system.
        let _ = fs::write(self.top.join("holder"), std::process::id().to_string());
        Ok(LockGuard { lock })
    }

    fn lock_holder(&self) -> Option<u32> {
        fs::read_to_string(self.top.join("holder")).ok()?.trim().parse().ok()
    }

    /// Syncs files and the names of a state directory, or nothing when durability is off.
    pub(super) fn sync_all(&self, files: &[&StateFile]) -> io::Result<()> {
        if !self.is_durable() {
            return Ok(());
        }
        files.iter().try_for_each(|file| file.0.sync_all())?;
        [&self.objects, &self.journal, &self.snapshots].into_iter().try_for_each(|d| sync_names(d))
    }

    /// Syncs a file of the workspace, or nothing when durability is off.
    pub(super) fn sync(&self, file: &cap_std::fs::File) -> io::Result<()> {
        if self.is_durable() { file.sync_all() } else { Ok(()) }
    }
}

fn make_private(path: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.recursive(true).create(path)
}

fn private(options: &mut OpenOptions) -> OpenOptions {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    options.clone()
}

#[cfg(unix)]
fn sync_names(directory: &Path) -> io::Result<()> {
    File::open(directory)?.sync_all()
}

#[cfg(not(unix))]
fn sync_names(_directory: &Path) -> io::Result<()> {
    Ok(())
}

/// Writes a new file under its final name; what is cut short must be recognised by its reader.
pub(super) fn write_new(directory: &Path, name: &str, bytes: &[u8]) -> io::Result<StateFile> {
    let path = directory.join(name);
    let mut file = private(OpenOptions::new().write(true).create_new(true)).open(&path)?;
    file.write_all(bytes).inspect_err(|_| {
        let _ = fs::remove_file(&path);
    })?;
    Ok(StateFile(file))
}

/// Puts a file in place of whatever has its name, in one step; not synced.
pub(super) fn replace(directory: &Path, name: &str, bytes: &[u8]) -> io::Result<StateFile> {
    let temporary = format!("{}.tmp", random::hex(8)?);
    let file = write_new(directory, &temporary, bytes)?;
    let temporary = directory.join(temporary);
    fs::rename(&temporary, directory.join(name)).inspect_err(|_| {
        let _ = fs::remove_file(&temporary);
    })?;
    Ok(file)
}

/// Puts a small file in place of whatever has its name.
pub(super) fn overwrite(directory: &Path, name: &str, bytes: &[u8]) -> io::Result<()> {
    replace(directory, name, bytes).map(drop)
}

/// Reads a file; `None` where there is none.
pub(super) fn read(directory: &Path, name: &str) -> io::Result<Option<Vec<u8>>> {
    match File::open(directory.join(name)) {
        Ok(file) => read_open(&StateFile(file)).map(Some),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Reads an open file to its end.
pub(super) fn read_open(file: &StateFile) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    (&file.0).take(MAX_STATE_FILE).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Opens a file so that it can be read and synced; `None` where there is none.
pub(super) fn open(directory: &Path, name: &str) -> io::Result<Option<StateFile>> {
    match OpenOptions::new().read(true).write(true).open(directory.join(name)) {
        Ok(file) => Ok(Some(StateFile(file))),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Moves a file from one state directory to another.
pub(super) fn move_to(from: &Path, old: &str, to: &Path, new: &str) -> io::Result<()> {
    fs::rename(from.join(old), to.join(new))
}

/// Removes a file that may be missing.
pub(super) fn remove(directory: &Path, name: &str) -> io::Result<()> {
    match fs::remove_file(directory.join(name)) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// The names in a state directory, sorted.
pub(super) fn names(directory: &Path) -> io::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(directory)? {
        names.extend(entry?.file_name().into_string());
    }
    names.sort();
    Ok(names)
}

/// The size of a file; zero where there is none.
pub(super) fn size(directory: &Path, name: &str) -> u64 {
    fs::symlink_metadata(directory.join(name)).map_or(0, |metadata| metadata.len())
}

/// The file mode creation mask of this process, by what a new file gets.
///
/// Setting it is the only direct way to learn it, and that would be seen by
/// other threads.
#[cfg(unix)]
pub(super) fn umask(state: &StateDir) -> u32 {
    use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
    let usual = 0o022;
    let Ok(random) = random::hex(8) else { return usual };
    let path = state.top.join(format!("{random}.tmp"));
    let made = OpenOptions::new().write(true).create_new(true).mode(0o777).open(&path);
    let mode = made.and_then(|file| file.metadata()).map(|metadata| metadata.permissions().mode());
    let _ = fs::remove_file(&path);
    mode.map_or(usual, |mode| 0o777 & !mode)
}

/// There is none; every file counts as an ordinary one.
#[cfg(not(unix))]
pub(super) fn umask(_state: &StateDir) -> u32 {
    0o022
}
