//! The few steps that everything here is made of: one name in one held directory.
//!
//! `cap-std` refuses whatever would lead out of the directory. Nothing in this
//! file knows what a workspace is.

use std::io::{self, ErrorKind, Read};

use cap_fs_ext::{DirExt, FollowSymlinks, MetadataExt, OpenOptionsFollowExt, OpenOptionsSyncExt};
use cap_std::fs::{Dir, File, Metadata, OpenOptions};

use crate::Stamp;

/// The system's answer when something fails.
pub(super) type Fault = io::Error;

/// A directory that is held open.
pub(super) type Directory = Dir;

/// Volume and file number: what a handle *is*, whatever its name.
pub(super) type Identity = (u64, u64);

/// Some systems do not remove a directory that is held.
pub(super) const CAN_REMOVE_HELD: bool = false;

/// Identity, size and times of a file: when they are equal, so are the bytes,
/// unless somebody sets the clock back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Fingerprint {
    pub(super) identity: Identity,
    size: u64,
    modified: i64,
    changed: i64,
}

impl Fingerprint {
    /// Of a file that was just looked at.
    pub(super) fn of(metadata: &Metadata) -> Self {
        let stamp = stamp(metadata);
        Self {
            identity: identity(metadata),
            size: metadata.len(),
            modified: stamp.modified,
            changed: stamp.changed,
        }
    }

    /// Whether the same file has the same bytes; a new name changes neither.
    pub(super) fn is_same_but_renamed(&self, other: &Fingerprint) -> bool {
        let renamed = Fingerprint { changed: other.changed, ..*self };
        renamed == *other
    }
}

/// An error as it is.
pub(super) fn fault(error: io::Error) -> Fault {
    error
}

/// That there is nothing under a name.
pub(super) fn not_there() -> Fault {
    ErrorKind::NotFound.into()
}

/// Whether the system forbids it.
pub(super) fn is_denied(fault: &Fault) -> bool {
    fault.kind() == ErrorKind::PermissionDenied
}

/// Volume and file number.
pub(super) fn identity(metadata: &Metadata) -> Identity {
    (metadata.dev(), metadata.ino())
}

/// How many names the file has.
pub(super) fn link_count(metadata: &Metadata) -> u64 {
    metadata.nlink()
}

/// The permission bits.
#[cfg(unix)]
pub(super) fn mode(metadata: &Metadata) -> u32 {
    cap_std::fs::MetadataExt::mode(metadata) & 0o7777
}

/// There are no permission bits; every file counts as an ordinary one.
#[cfg(not(unix))]
pub(super) fn mode(_metadata: &Metadata) -> u32 {
    gatewright_model::FileMode::REGULAR.bits()
}

/// Gives an open file its permission bits.
#[cfg(unix)]
pub(super) fn set_mode(file: &File, mode: u32) -> io::Result<()> {
    use cap_std::fs::PermissionsExt;
    file.set_permissions(cap_std::fs::Permissions::from_mode(mode))
}

/// There are none to give.
#[cfg(not(unix))]
pub(super) fn set_mode(_file: &File, _mode: u32) -> io::Result<()> {
    Ok(())
}

/// What the file system says that changes whenever the file does.
#[cfg(unix)]
pub(super) fn stamp(metadata: &Metadata) -> Stamp {
    use cap_std::fs::MetadataExt as Unix;
    let nanoseconds =
        |seconds: i64, rest: i64| seconds.saturating_mul(1_000_000_000).saturating_add(rest);
    Stamp {
        inode: identity(metadata).1,
        modified: nanoseconds(Unix::mtime(metadata), Unix::mtime_nsec(metadata)),
        changed: nanoseconds(Unix::ctime(metadata), Unix::ctime_nsec(metadata)),
        mode: mode(metadata),
    }
}

/// What the file system says; there is no time of the last change besides that of the bytes.
#[cfg(not(unix))]
pub(super) fn stamp(metadata: &Metadata) -> Stamp {
    let modified = metadata.modified().ok().map(|time| time.into_std());
    let since = modified.and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
    let modified = since.and_then(|since| i64::try_from(since.as_nanos()).ok()).unwrap_or(0);
    Stamp { inode: identity(metadata).1, modified, changed: modified, mode: mode(metadata) }
}

/// Looks at a name itself, a link not followed; `None` where there is nothing.
pub(super) fn look_at(directory: &Dir, name: &str) -> io::Result<Option<Metadata>> {
    match directory.symlink_metadata(name) {
        Ok(metadata) => Ok(Some(metadata)),
        Err(error) if is_missing(&error) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Whether the error says that there is nothing under the name.
pub(super) fn is_missing(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}

/// Makes a directory; says whether it was not there.
pub(super) fn make_directory(parent: &Dir, name: &str) -> io::Result<bool> {
    match parent.create_dir(name) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(false),
        Err(error) => Err(error),
    }
}

/// Another handle of the same directory.
pub(super) fn hold_again(directory: &Dir) -> io::Result<Dir> {
    directory.try_clone()
}

/// Volume and file number of an open directory.
pub(super) fn identity_of(directory: &Dir) -> io::Result<Identity> {
    Ok(identity(&directory.dir_metadata()?))
}

/// Opens a directory by one name, a link not followed.
pub(super) fn open_directory(directory: &Dir, name: &str) -> io::Result<Dir> {
    directory.open_dir_nofollow(name)
}

/// Opens the regular file that was seen under a name, for reading, a link not followed.
///
/// `None` where something else stands there now. A pipe put in its place
/// meanwhile does not make this wait.
pub(super) fn open_file(
    directory: &Dir,
    name: &str,
    seen: &Metadata,
) -> io::Result<Option<(File, Metadata)>> {
    let mut options = OpenOptions::new();
    options.read(true).follow(FollowSymlinks::No).nonblock(true);
    let is_seen = |metadata: &Metadata| identity(metadata) == identity(seen) && metadata.is_file();
    let file = match directory.open_with(name, &options) {
        Ok(file) => file,
        Err(error) => {
            let is_still_there = look_at(directory, name)?.is_some_and(|now| is_seen(&now));
            return if is_still_there { Err(error) } else { Ok(None) };
        }
    };
    let metadata = file.metadata()?;
    Ok(is_seen(&metadata).then_some((file, metadata)))
}

/// Reads an open file to its end, at most `limit` bytes and one more.
pub(super) fn read_to_end(file: &mut File, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Makes a file that was not there, for writing, readable by its owner alone.
pub(super) fn create_new(directory: &Dir, name: &str) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true).follow(FollowSymlinks::No);
    #[cfg(unix)]
    cap_std::fs::OpenOptionsExt::mode(&mut options, 0o600);
    directory.open_with(name, &options)
}

/// Gives the file `old` the name `new`, if that name is free.
///
/// A second name cannot be given over an existing one, so nothing that
/// appeared is overwritten. A file system without second names has no such
/// step: there the name is looked at and then taken.
pub(super) fn rename_new(directory: &Dir, old: &str, new: &str) -> io::Result<()> {
    match directory.hard_link(old, directory, new) {
        Ok(()) => directory.remove_file(old),
        Err(error) if matches!(error.kind(), ErrorKind::AlreadyExists | ErrorKind::NotFound) => {
            Err(error)
        }
        Err(_) if look_at(directory, new)?.is_some() => Err(ErrorKind::AlreadyExists.into()),
        Err(_) => directory.rename(old, directory, new),
    }
}

/// Puts our own file `own` in place of whatever has the name `new`.
///
/// Where both names already mean one file, a rename does nothing at all; so our
/// name is removed in any case.
pub(super) fn rename_over(directory: &Dir, own: &str, new: &str) -> io::Result<()> {
    directory.rename(own, directory, new)?;
    remove_if_there(directory, own)
}

/// Removes a name that may be missing.
pub(super) fn remove_if_there(directory: &Dir, name: &str) -> io::Result<()> {
    match directory.remove_file(name) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        // A read-only file system says so before it looks for the name.
        Err(_) if look_at(directory, name)?.is_none() => Ok(()),
        Err(error) => Err(error),
    }
}

/// Removes a directory if it is empty.
pub(super) fn remove_if_empty(parent: &Dir, name: &str) -> io::Result<()> {
    match parent.remove_dir(name) {
        Ok(()) => Ok(()),
        Err(error)
            if matches!(
                error.kind(),
                ErrorKind::NotFound
                    | ErrorKind::DirectoryNotEmpty
                    | ErrorKind::NotADirectory
                    | ErrorKind::AlreadyExists
            ) =>
        {
            Ok(())
        }
        Err(_) if look_at(parent, name)?.is_none() => Ok(()),
        Err(error) => Err(error),
    }
}

/// Syncs the entries of a directory.
///
/// One that its owner made unreadable cannot be opened for that; its entries
/// are then synced whenever the system does so.
#[cfg(unix)]
pub(super) fn sync_directory(directory: &Dir) -> io::Result<()> {
    match directory.open(".") {
        Ok(readable) => readable.sync_all(),
        Err(error) if error.kind() == ErrorKind::PermissionDenied => Ok(()),
        Err(error) => Err(error),
    }
}

/// The system offers no way to sync the entries of a directory.
#[cfg(not(unix))]
pub(super) fn sync_directory(_directory: &Dir) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
#[path = "names_tests.rs"]
mod tests;
