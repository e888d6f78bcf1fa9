//! Finds the other names of a file with several.
//!
//! The system counts the names of a file and does not say where they are. A
//! bounded walk looks for them; names that it does not find count as outside.

use cap_std::fs::Dir;

use super::names::{self, Identity};
use super::root::Root;

/// How many directory entries are looked at before giving up.
const MAX_ENTRIES: u64 = 200_000;

/// Counts the names of `wanted` beneath the root, stopping at `enough`.
pub(super) fn count_names(root: &Root, wanted: Identity, enough: u64) -> u64 {
    let mut found = 0;
    let mut seen = 0;
    let mut pending: Vec<Dir> = root.handle().try_clone().into_iter().collect();
    while let Some(directory) = pending.pop() {
        let Ok(entries) = directory.entries() else { continue };
        for entry in entries.flatten() {
            let Ok(name) = entry.file_name().into_string() else { continue };
            seen += 1;
            if found >= enough || seen > MAX_ENTRIES {
                return found;
            }
            let Ok(Some(metadata)) = names::look_at(&directory, &name) else { continue };
            if metadata.is_dir() {
                pending.extend(names::open_directory(&directory, &name));
            } else {
                found += u64::from(names::identity(&metadata) == wanted);
            }
        }
    }
    found
}
