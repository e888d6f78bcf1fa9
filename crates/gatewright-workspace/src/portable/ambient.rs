//! The few looks at paths outside of the root handle: the root itself and Gatewright's own files.
//!
//! These paths come from the person who started the program, never from a request.
#![expect(clippy::disallowed_methods, reason = "the person's own paths are resolved by the system")]

use std::io;
use std::path::{Path, PathBuf};

use cap_std::ambient_authority;
use cap_std::fs::Dir;

use super::names::{self, Identity};

/// The canonical form of a path that exists.
pub(super) fn canonical_existing(path: &Path) -> io::Result<PathBuf> {
    std::fs::canonicalize(path)
}

/// The same for a path of which only the upper part may exist.
pub(super) fn canonical(path: &Path) -> PathBuf {
    for ancestor in path.ancestors() {
        let Ok(real) = std::fs::canonicalize(ancestor) else { continue };
        return match path.strip_prefix(ancestor) {
            Ok(rest) if rest.as_os_str().is_empty() => real,
            Ok(rest) => real.join(rest),
            Err(_) => path.to_owned(),
        };
    }
    path.to_owned()
}

/// What a canonical path stands for now.
pub(super) fn identity_of(path: &Path) -> Option<Identity> {
    let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else {
        let top = Dir::open_ambient_dir(path, ambient_authority()).ok()?;
        return top.dir_metadata().ok().map(|metadata| names::identity(&metadata));
    };
    let parent = Dir::open_ambient_dir(parent, ambient_authority()).ok()?;
    parent.symlink_metadata(name).ok().map(|metadata| names::identity(&metadata))
}
