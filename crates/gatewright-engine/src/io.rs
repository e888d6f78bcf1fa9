//! The few files of its own that the engine reads and makes, all outside the agent's reach.
#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "the one place of this crate that touches files"
)]

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{ErrorKind, Write};
use std::os::unix::fs::{FileExt, OpenOptionsExt};
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

/// The bytes of a file that can be done without.
pub fn read_bytes(path: &Path) -> Option<Vec<u8>> {
    std::fs::read(path).ok()
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
    let beside = path.with_extension("tmp");
    let written = || {
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(true).mode(0o600);
        options.open(&beside)?.write_all(bytes)?;
        std::fs::rename(&beside, path)
    };
    written().map_err(|error| failed(path, "write", error))
}

fn failed(path: &Path, doing: &str, source: std::io::Error) -> EngineError {
    EngineError::Io { doing: format!("cannot {doing} {}", path.display()), source }
}
