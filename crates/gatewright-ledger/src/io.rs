//! The files of the ledger beside the database: the key and the second copy
//! of the checkpoint. The only file of this crate that touches the disk itself.

#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "the key, the checkpoint copy and the empty database are made here and nowhere else"
)]

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use crate::error::KeyError;

/// No key and no checkpoint is longer.
const MAX_TEXT: u64 = 64 * 1024;

/// Reads a file that only its owner may read; refuses any other.
pub(crate) fn read_private(path: &Path) -> Result<String, KeyError> {
    let failed = |source: io::Error| match source.kind() {
        ErrorKind::NotFound => KeyError::Missing { path: path.to_owned() },
        _ => KeyError::Io { path: path.to_owned(), source },
    };
    let is_link = fs::symlink_metadata(path).map_err(failed)?.is_symlink();
    if is_link {
        return Err(KeyError::NotAFile { path: path.to_owned() });
    }
    let file = open_without_links(path).map_err(failed)?;
    check_private(path, &file)?;
    let mut text = String::new();
    match file.take(MAX_TEXT).read_to_string(&mut text) {
        Err(error) if error.kind() == ErrorKind::InvalidData => {
            Err(KeyError::Malformed { path: path.to_owned() })
        }
        Err(error) => Err(failed(error)),
        Ok(_) => Ok(text),
    }
}

/// Creates `path` with mode 0600 and this text, whole or not at all.
///
/// A file that is there already is left alone, which is not an error.
pub(crate) fn create_private(path: &Path, text: &str) -> Result<(), KeyError> {
    let failed = |source| KeyError::Io { path: path.to_owned(), source };
    let temporary = temporary_beside(path).map_err(failed)?;
    let written = write_new(&temporary, text).and_then(|file| file.sync_all()).and_then(|()| {
        match fs::hard_link(&temporary, path) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
            linked => linked,
        }
    });
    let removed = fs::remove_file(&temporary);
    written.and(removed).and_then(|()| sync_folder(path)).map_err(failed)
}

/// Replaces the text of `path` by a rename.
///
/// It is not forced to the disk: the database is, and a copy that is behind or
/// empty after a power cut is told apart from a false one.
pub(crate) fn replace(path: &Path, text: &str) -> io::Result<()> {
    let temporary = temporary_beside(path)?;
    let renamed = write_new(&temporary, text).and_then(|_| fs::rename(&temporary, path));
    if renamed.is_err() {
        // The first error is the one to report.
        let _ = fs::remove_file(&temporary);
    }
    renamed
}

/// The text of `path`; `None` when there is no such file or it is empty.
pub(crate) fn read_text(path: &Path) -> io::Result<Option<String>> {
    let file = match File::open(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        opened => opened?,
    };
    let mut bytes = Vec::new();
    file.take(MAX_TEXT).read_to_end(&mut bytes)?;
    Ok((!bytes.is_empty()).then(|| String::from_utf8_lossy(&bytes).into_owned()))
}

/// Creates an empty file with mode 0600 unless it exists.
pub(crate) fn create_empty(path: &Path) -> io::Result<()> {
    match write_new(path, "") {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
        created => created.map(|_| ()),
    }
}

/// Whether there is a file at `path` with something in it.
pub(crate) fn is_filled(path: &Path) -> io::Result<bool> {
    match fs::metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        found => found.map(|found| found.len() > 0),
    }
}

fn write_new(path: &Path, text: &str) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(path)?;
    file.write_all(text.as_bytes())?;
    Ok(file)
}

fn temporary_beside(path: &Path) -> io::Result<PathBuf> {
    let mut random = [0; 8];
    getrandom::fill(&mut random)?;
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.tmp", hex::encode(random)));
    Ok(path.with_file_name(name))
}

fn sync_folder(path: &Path) -> io::Result<()> {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => File::open(folder)?.sync_all(),
        _ => Ok(()),
    }
}

#[cfg(unix)]
fn open_without_links(path: &Path) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt;
    // Non-blocking, so that a pipe in the key's place cannot hold us.
    let flags = rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK;
    OpenOptions::new().read(true).custom_flags(flags.bits().cast_signed()).open(path)
}

#[cfg(not(unix))]
fn open_without_links(path: &Path) -> io::Result<File> {
    File::open(path)
}

/// Looks at the open file, not at the name, so that it cannot be swapped.
#[cfg(unix)]
fn check_private(path: &Path, file: &File) -> Result<(), KeyError> {
    use std::os::unix::fs::MetadataExt;
    let path = path.to_owned();
    let found = match file.metadata() {
        Ok(found) => found,
        Err(source) => return Err(KeyError::Io { path, source }),
    };
    let user = rustix::process::geteuid().as_raw();
    if !found.is_file() {
        return Err(KeyError::NotAFile { path });
    }
    if found.uid() != user {
        return Err(KeyError::OtherOwner { path, owner: found.uid(), user });
    }
    let mode = found.mode() & 0o777;
    if mode & 0o077 != 0 {
        return Err(KeyError::TooOpen { path, mode });
    }
    Ok(())
}

#[cfg(not(unix))]
fn check_private(_path: &Path, _file: &File) -> Result<(), KeyError> {
    Ok(())
}
