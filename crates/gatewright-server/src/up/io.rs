//! The few private files of a running `up`, and the sample project of the demo.
#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "the one place of this module that touches files; none of them is in a workspace"
)]

use std::ffi::OsString;
use std::fs::{DirBuilder, File, OpenOptions, Permissions, TryLockError};
use std::io::{self, Write};
use std::os::fd::AsRawFd;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use gatewright_engine::Layout;

/// A lock that is held as long as this value lives.
#[derive(Debug)]
pub struct Lock {
    _file: File,
}

/// Takes a lock without waiting; `None` when another process has it.
pub fn try_lock(path: &Path) -> io::Result<Option<Lock>> {
    let file = private_file(path, false)?;
    match file.try_lock() {
        Ok(()) => Ok(Some(Lock { _file: file })),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// Writes a file that only this user reads.
pub fn write_private(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = private_file(path, true)?;
    file.set_permissions(Permissions::from_mode(0o600))?;
    file.write_all(bytes)
}

/// The bytes of a file, if it is there.
pub fn read(path: &Path) -> Option<Vec<u8>> {
    std::fs::read(path).ok()
}

/// Removes a file, if it is there.
pub fn remove(path: &Path) {
    // What cannot be removed now is replaced by the next start.
    let _ = std::fs::remove_file(path);
}

/// Makes a socket accessible to this user only.
pub fn make_private(path: &Path) -> io::Result<()> {
    std::fs::set_permissions(path, Permissions::from_mode(0o600))
}

/// A directory that is open, so that a name in it has a short path.
///
/// The address of a socket is limited to about a hundred bytes, and state
/// directories can be deeper than that.
pub struct OpenDirectory {
    file: File,
}

impl OpenDirectory {
    /// Opens a directory.
    pub fn open(path: &Path) -> io::Result<Self> {
        Ok(Self { file: File::open(path)? })
    }

    /// The path of a name in it.
    pub fn path(&self, name: &str) -> PathBuf {
        PathBuf::from(format!("/proc/self/fd/{}/{name}", self.file.as_raw_fd()))
    }
}

/// How a file that steers the engine looks now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileMark {
    name: OsString,
    modified: Option<SystemTime>,
    length: u64,
}

/// The marks of the configuration and of the `.env` files at the top of the workspace.
pub fn marks_of_settings(layout: &Layout) -> Vec<FileMark> {
    let mut paths = vec![layout.user_config.clone(), layout.workspace_config.clone()];
    for entry in std::fs::read_dir(&layout.root).into_iter().flatten().flatten() {
        if entry.file_name().as_encoded_bytes().starts_with(b".env") {
            paths.push(entry.path());
        }
    }
    paths.sort();
    let mark = |path: PathBuf| {
        let metadata = std::fs::metadata(&path).ok();
        FileMark {
            name: path.into_os_string(),
            modified: metadata.as_ref().and_then(|metadata| metadata.modified().ok()),
            length: metadata.map_or(0, |metadata| metadata.len()),
        }
    };
    paths.into_iter().map(mark).collect()
}

/// Writes the files of the demo's sample project below a fresh folder.
pub fn write_project(root: &Path, files: &[(&str, &str)]) -> io::Result<()> {
    for (name, text) in files {
        let path = root.join(name);
        if let Some(parent) = path.parent() {
            DirBuilder::new().recursive(true).mode(0o755).create(parent)?;
        }
        std::fs::write(path, text)?;
    }
    Ok(())
}

fn private_file(path: &Path, truncate: bool) -> io::Result<File> {
    OpenOptions::new().write(true).create(true).truncate(truncate).mode(0o600).open(path)
}
