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

/// What a disk writes whole.
const SECTOR: usize = 512;

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

/// Replaces the text of `path` in one step: readers see the old text or the new one.
///
/// It is not forced to the disk: the database is, and a copy that is behind or
/// empty after a power cut is told apart from a false one. It is filled up with
/// line feeds to one length, so that such a cut cannot mix two lengths.
pub(crate) fn replace(path: &Path, text: &str) -> io::Result<()> {
    let filled = text.len().next_multiple_of(SECTOR);
    let text = format!("{text}{}", "\n".repeat(filled - text.len()));
    match replace_by_exchange(path, &text) {
        Ok(true) => Ok(()),
        Ok(false) | Err(_) => replace_by_rename(path, &text),
    }
}

/// Writes into a spare file that is kept, and exchanges the two.
///
/// Making a file and freeing the old one costs ten times as much on common
/// filesystems. `false` where another process has the spare, or the system
/// cannot exchange.
#[cfg(target_os = "linux")]
fn replace_by_exchange(path: &Path, text: &str) -> io::Result<bool> {
    use std::os::unix::fs::{MetadataExt, OpenOptionsExt};

    use rustix::fs::{CWD, OFlags, RenameFlags, renameat_with};

    let spare = beside(path, "spare");
    let flags = OFlags::NOFOLLOW.bits().cast_signed();
    let mut options = OpenOptions::new();
    let options = options.write(true).create(true).truncate(false).mode(0o600);
    let mut file = options.custom_flags(flags).open(&spare)?;
    if file.try_lock().is_err() {
        return Ok(false);
    }
    // It may have become the copy itself between opening and locking.
    let (opened, named) = (file.metadata()?, fs::symlink_metadata(&spare)?);
    let is_spare = (opened.dev(), opened.ino()) == (named.dev(), named.ino());
    if !is_spare || !fs::symlink_metadata(path)?.is_file() {
        return Ok(false);
    }
    file.write_all(text.as_bytes())?;
    file.set_len(text.len() as u64)?;
    Ok(renameat_with(CWD, &spare, CWD, path, RenameFlags::EXCHANGE).is_ok())
}

#[cfg(not(target_os = "linux"))]
fn replace_by_exchange(_path: &Path, _text: &str) -> io::Result<bool> {
    Ok(false)
}

fn replace_by_rename(path: &Path, text: &str) -> io::Result<()> {
    let temporary = temporary_beside(path)?;
    let renamed = write_new(&temporary, text).and_then(|_| fs::rename(&temporary, path));
    if renamed.is_err() {
        // The first error is the one to report.
        let _ = fs::remove_file(&temporary);
    }
    renamed
}

/// The text of `path` without what fills it up; `None` when there is none or it is empty.
pub(crate) fn read_text(path: &Path) -> io::Result<Option<String>> {
    let file = match File::open(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        opened => opened?,
    };
    let mut bytes = Vec::new();
    file.take(MAX_TEXT).read_to_end(&mut bytes)?;
    let text = String::from_utf8_lossy(&bytes);
    Ok((!bytes.is_empty()).then(|| format!("{}\n", text.trim_end_matches('\n'))))
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
    Ok(beside(path, &format!("{}.tmp", hex::encode(random))))
}

fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{ending}"));
    path.with_file_name(name)
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
