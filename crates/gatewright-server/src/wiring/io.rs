//! The one file of the wiring that touches the disk and starts processes.
#![expect(
    clippy::disallowed_methods,
    reason = "writes the user's own configuration files at a person's wish, and probes this binary"
)]

use std::fs::Permissions;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use super::WiringError;

/// The permission bits of a file that runs.
const EXECUTABLE: u32 = 0o755;
const PLAIN: u32 = 0o644;

fn failed(path: &Path) -> impl Fn(std::io::Error) -> WiringError + '_ {
    |source| WiringError::Io { path: path.display().to_string(), source }
}

/// The bytes of a file; nothing where there is none.
pub fn read(path: &Path) -> Result<Option<Vec<u8>>, WiringError> {
    match std::fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(failed(path)(error)),
    }
}

/// Whether this is a directory.
pub fn is_directory(path: &Path) -> bool {
    path.is_dir()
}

/// Whether this is a file that may be run.
pub fn is_executable(path: &Path) -> bool {
    std::fs::metadata(path)
        .is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}

/// Whether two names lead to the same file.
pub fn is_same_file(one: &Path, other: &Path) -> bool {
    match (std::fs::canonicalize(one), std::fs::canonicalize(other)) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}

/// Replaces a file in one step. Links are followed, the mode is kept, the rest is made.
pub fn write(path: &Path, bytes: &[u8], executable: bool) -> Result<(), WiringError> {
    let target = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let folder = target.parent().unwrap_or(Path::new("/"));
    std::fs::create_dir_all(folder).map_err(failed(folder))?;
    let mode = match std::fs::metadata(&target) {
        Ok(meta) => meta.permissions().mode() & 0o7777,
        Err(_) if executable => EXECUTABLE,
        Err(_) => PLAIN,
    };
    write_with_mode(&target, bytes, mode)
}

/// Replaces a file that only this user may read.
pub fn write_private(path: &Path, bytes: &[u8]) -> Result<(), WiringError> {
    let folder = path.parent().unwrap_or(Path::new("/"));
    std::fs::create_dir_all(folder).map_err(failed(folder))?;
    write_with_mode(path, bytes, 0o600)
}

fn write_with_mode(target: &Path, bytes: &[u8], mode: u32) -> Result<(), WiringError> {
    let failed = failed(target);
    let folder = target.parent().unwrap_or(Path::new("/"));
    let mut file =
        tempfile::Builder::new().prefix(".gatewright-").tempfile_in(folder).map_err(&failed)?;
    file.write_all(bytes).map_err(&failed)?;
    file.as_file().set_permissions(Permissions::from_mode(mode)).map_err(&failed)?;
    file.as_file().sync_all().map_err(&failed)?;
    file.persist(target).map_err(|error| failed(error.error))?;
    Ok(())
}

/// Removes a file, and the directories above it that are then empty, up to `stop`.
pub fn remove(path: &Path, stop: &Path) -> Result<(), WiringError> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            return Err(failed(path)(error));
        }
        _ => {}
    }
    for folder in path.ancestors().skip(1) {
        if folder == stop || !folder.starts_with(stop) || std::fs::remove_dir(folder).is_err() {
            break;
        }
    }
    Ok(())
}

/// Starts a process with pipes on its input and output.
pub fn spawn(program: &Path, arguments: &[String], folder: &Path) -> std::io::Result<Child> {
    Command::new(program)
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
}

/// Starts the server behind a proxy; its standard error is ours.
pub fn spawn_server(program: &str, arguments: &[String]) -> std::io::Result<Child> {
    Command::new(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit())
        .spawn()
}

/// The first of these files that exists, else the first.
pub fn first_existing(paths: Vec<PathBuf>) -> PathBuf {
    let found = paths.iter().find(|path| path.exists()).cloned();
    found.or_else(|| paths.into_iter().next()).unwrap_or_default()
}
