//! Finds the other names of a file with several.
//!
//! The kernel counts the names of a file and does not say where they are. A
//! bounded walk looks for them; names that it does not find count as outside.

use rustix::fd::OwnedFd;
use rustix::fs::{Dir, FileType, OFlags};

use super::kernel::{self, Identity};
use super::root::Root;

/// How many directory entries are looked at before giving up.
const MAX_ENTRIES: u64 = 200_000;

/// Counts the names of `wanted` beneath the root, stopping at `enough`.
pub(super) fn count_names(root: &Root, wanted: Identity, enough: u64) -> u64 {
    let mut found = 0;
    let mut seen = 0;
    let mut pending: Vec<OwnedFd> = open_listing(root.handle(), ".").into_iter().collect();
    while let Some(directory) = pending.pop() {
        let Ok(entries) = Dir::read_from(&directory) else { continue };
        for entry in entries.flatten() {
            let Ok(name) = entry.file_name().to_str() else { continue };
            if name == "." || name == ".." {
                continue;
            }
            seen += 1;
            if found >= enough || seen > MAX_ENTRIES {
                return found;
            }
            match entry.file_type() {
                FileType::Directory => pending.extend(open_listing(&directory, name)),
                // Some file systems do not say the kind in the listing.
                FileType::Unknown => {
                    pending.extend(open_listing(&directory, name));
                    found += u64::from(is_same(&directory, name, wanted));
                }
                _ if entry.ino() != wanted.1 => {}
                _ => found += u64::from(is_same(&directory, name, wanted)),
            }
        }
    }
    found
}

fn open_listing(directory: &OwnedFd, name: &str) -> Option<OwnedFd> {
    kernel::open_without_links(directory, name, OFlags::RDONLY | OFlags::DIRECTORY).ok()
}

fn is_same(directory: &OwnedFd, name: &str, wanted: Identity) -> bool {
    matches!(kernel::look_at(directory, name), Ok(Some(stat)) if kernel::identity(&stat) == wanted)
}
