//! The few files of its own that the engine reads and makes, all outside the agent's reach.
#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "the one place of this crate that touches files"
)]

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{ErrorKind, Read, Write};
use std::os::unix::fs::{FileExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;
use std::time::SystemTime;

use crate::EngineError;

/// How often a lock is tried, and the pause between.
const LOCK_TRIES: u32 = 300;
const LOCK_PAUSE: Duration = Duration::from_millis(10);

/// The text of a file; `None` where there is none.
pub fn read_optional(path: &Path) -> Result<Option<String>, EngineError> {
    match std::fs::read(path) {
        Ok(bytes) => String::from_utf8(bytes)
            .map(Some)
            .map_err(|_| failed(path, "read", ErrorKind::InvalidData.into())),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(failed(path, "read", error)),
    }
}

/// The bytes of a file that can be done without; `None` where there are more than `most`.
pub fn read_bytes(path: &Path, most: u64) -> Option<Vec<u8>> {
    let file = File::open(path).ok()?;
    let length = file.metadata().ok()?.len();
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(usize::try_from(length).ok().filter(|_| length <= most)?).ok()?;
    file.take(most).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

/// The names in a directory; none where it cannot be listed.
pub fn names_in(path: &Path) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(path) else { return Vec::new() };
    entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok()).collect()
}

/// When a file last changed and how long it is; `None` where there is none.
pub type Stamp = Option<(SystemTime, u64)>;

/// The stamp of a file: the cheap question before reading it.
pub fn stamp(path: &Path) -> Stamp {
    let metadata = std::fs::metadata(path).ok()?;
    Some((metadata.modified().ok()?, metadata.len()))
}

/// Makes a private directory with everything above it.
pub fn make_private_directory(path: &Path) -> Result<(), EngineError> {
    use std::os::unix::fs::DirBuilderExt;
    std::fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(path)
        .map_err(|error| failed(path, "make the directory", error))
}

/// The canonical form of the workspace root that the user named.
pub fn canonical_root(path: &Path) -> Result<PathBuf, EngineError> {
    let root = std::fs::canonicalize(path).map_err(|error| failed(path, "open", error))?;
    if root.is_dir() {
        Ok(root)
    } else {
        Err(failed(path, "guard", ErrorKind::NotADirectory.into()))
    }
}

/// A file of the state directory that only this user reads.
#[derive(Debug)]
pub struct PrivateFile {
    file: File,
    path: PathBuf,
}

impl PrivateFile {
    /// Opens it, or makes it.
    pub fn open(path: &Path) -> Result<Self, EngineError> {
        let mut options = OpenOptions::new();
        options.read(true).append(true).create(true).mode(0o600);
        let file = options.open(path).map_err(|error| failed(path, "open", error))?;
        Ok(Self { file, path: path.to_owned() })
    }

    /// Waits for the lock, which goes with this value, but not for long.
    ///
    /// A process that was stopped while it held the lock must not hold up a hook:
    /// some hosts take a hook that does not answer for consent.
    pub fn lock(&self) -> Result<(), EngineError> {
        for _ in 0..LOCK_TRIES {
            match self.file.try_lock() {
                Ok(()) => return Ok(()),
                Err(TryLockError::WouldBlock) => std::thread::sleep(LOCK_PAUSE),
                Err(TryLockError::Error(error)) => return Err(failed(&self.path, "lock", error)),
            }
        }
        Err(failed(&self.path, "lock", ErrorKind::TimedOut.into()))
    }

    /// Opens it with its lock, without waiting; `None` while another process has that.
    pub fn try_locked(path: &Path) -> Result<Option<Self>, EngineError> {
        let own = Self::open(path)?;
        match own.file.try_lock() {
            Ok(()) => Ok(Some(own)),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(failed(path, "lock", error)),
        }
    }

    /// Its length in bytes.
    pub fn length(&self) -> Result<u64, EngineError> {
        let metadata = self.file.metadata().map_err(|error| failed(&self.path, "read", error))?;
        Ok(metadata.len())
    }

    /// Exactly these bytes of it.
    pub fn read_at(&self, offset: u64, length: usize) -> Result<Vec<u8>, EngineError> {
        let mut bytes = vec![0; length];
        self.file
            .read_exact_at(&mut bytes, offset)
            .map_err(|error| failed(&self.path, "read", error))?;
        Ok(bytes)
    }

    /// Adds to its end; says where that was.
    pub fn append(&self, bytes: &[u8]) -> Result<u64, EngineError> {
        let end = self.length()?;
        (&self.file).write_all(bytes).map_err(|error| failed(&self.path, "write", error))?;
        Ok(end)
    }
}

/// Puts a private file with these bytes in the place of another, in one step.
pub fn replace_private(path: &Path, bytes: &[u8]) -> Result<(), EngineError> {
    let beside = lock_beside(path, LOCK_TRIES).map_err(|error| failed(path, "write", error))?;
    beside.become_of(path, bytes).map_err(|error| failed(path, "write", error))
}

/// The same for a file that can be done without: whoever finds another at it leaves it be.
pub fn try_replace_private(path: &Path, bytes: &[u8]) -> Result<(), EngineError> {
    let beside = lock_beside(path, 1).map_err(|error| failed(path, "write", error))?;
    beside.become_of(path, bytes).map_err(|error| failed(path, "write", error))
}

/// The file that is to become another one, which this process alone writes.
struct Beside {
    file: File,
    path: PathBuf,
}

/// Two processes that write beside the same file must not write into each other's bytes.
fn lock_beside(path: &Path, tries: u32) -> std::io::Result<Beside> {
    let beside = path.with_extension("tmp");
    for number in 0..tries {
        if number > 0 {
            std::thread::sleep(LOCK_PAUSE);
        }
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(false).mode(0o600);
        let file = options.open(&beside)?;
        match file.try_lock() {
            // Another process may have put it in its place between the two steps.
            Ok(()) if is_still(&file, &beside) => return Ok(Beside { file, path: beside }),
            Ok(()) | Err(TryLockError::WouldBlock) => {}
            Err(TryLockError::Error(error)) => return Err(error),
        }
    }
    Err(ErrorKind::WouldBlock.into())
}

/// Whether a path leads to this very file.
fn is_still(file: &File, path: &Path) -> bool {
    let of = |metadata: std::fs::Metadata| (metadata.dev(), metadata.ino());
    let (Ok(own), Ok(there)) = (file.metadata(), std::fs::symlink_metadata(path)) else {
        return false;
    };
    of(own) == of(there)
}

impl Beside {
    fn become_of(mut self, path: &Path, bytes: &[u8]) -> std::io::Result<()> {
        self.file.set_len(0)?;
        self.file.write_all(bytes)?;
        std::fs::rename(&self.path, path)
    }
}

fn failed(path: &Path, doing: &str, source: std::io::Error) -> EngineError {
    EngineError::Io { doing: format!("cannot {doing} {}", path.display()), source }
}
