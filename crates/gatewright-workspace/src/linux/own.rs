//! Which places are Gatewright's own, by identity and by name.
//!
//! Identity (device and inode) sees through links, hard links and bind mounts.
//! The name covers what does not exist yet.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rustix::fs::{self, AtFlags, Mode, OFlags};

use super::kernel::{self, Identity, ProcFd};
use super::root::{Place, Root};
use super::standing::Standing;

/// The paths that no change may touch, whatever the policy.
#[derive(Debug)]
pub(super) struct OwnPaths {
    paths: Vec<PathBuf>,
}

impl OwnPaths {
    /// Takes absolute paths; the existing part of each is made canonical.
    pub(super) fn new(paths: &[PathBuf], proc_fd: &ProcFd) -> Self {
        Self { paths: paths.iter().map(|path| canonical(path, proc_fd)).collect() }
    }

    /// Whether the place is, or lies in, one of them.
    pub(super) fn holds(&self, root: &Root, place: &Place) -> bool {
        let absolute = root.path().join(place.resolved.as_str());
        if self.paths.iter().any(|own| absolute.starts_with(own)) {
            return true;
        }
        let own: Vec<Identity> = self.paths.iter().filter_map(|path| identity_of(path)).collect();
        let file = place.file.as_ref().map(Standing::identity);
        let directories = place.directories.iter().map(|directory| directory.identity);
        directories.chain(file).any(|identity| own.contains(&identity))
    }
}

fn identity_of(path: &Path) -> Option<Identity> {
    fs::statat(fs::CWD, path, AtFlags::empty()).ok().map(|stat| kernel::identity(&stat))
}

fn canonical(path: &Path, proc_fd: &ProcFd) -> PathBuf {
    let flags = OFlags::PATH | OFlags::CLOEXEC;
    for ancestor in path.ancestors() {
        let Ok(opened) = fs::openat(fs::CWD, ancestor, flags, Mode::empty()) else { continue };
        let Ok(real) = proc_fd.path_of(&opened) else { continue };
        let real = PathBuf::from(OsStr::from_bytes(&real));
        return match path.strip_prefix(ancestor) {
            Ok(rest) if rest.as_os_str().is_empty() => real,
            Ok(rest) => real.join(rest),
            Err(_) => path.to_owned(),
        };
    }
    path.to_owned()
}

/// Whether a path, existing or not, lies at or beneath the root.
pub(super) fn lies_within(path: &Path, root: &Root) -> bool {
    canonical(path, &root.proc_fd).starts_with(root.path())
}
