//! Which places are Gatewright's own, by identity and by name.
//!
//! Identity sees through links, hard links and other spellings. The name covers
//! what does not exist yet; its case is ignored, as some volumes do.

use std::path::{Path, PathBuf};

use super::ambient;
use super::names::Identity;
use super::root::{Place, Root};
use super::standing::Standing;

/// The paths that no change may touch, whatever the policy.
#[derive(Debug)]
pub(super) struct OwnPaths {
    paths: Vec<PathBuf>,
}

impl OwnPaths {
    /// Takes absolute paths; the existing part of each is made canonical.
    pub(super) fn new(paths: &[PathBuf]) -> Self {
        Self { paths: paths.iter().map(|path| ambient::canonical(path)).collect() }
    }

    /// Whether the place is, or lies in, one of them.
    pub(super) fn holds(&self, root: &Root, place: &Place) -> bool {
        let mut absolute = root.path().to_owned();
        absolute.extend(place.resolved.components());
        let absolute = folded(&absolute);
        if self.paths.iter().any(|own| absolute.starts_with(folded(own))) {
            return true;
        }
        let own: Vec<Identity> =
            self.paths.iter().filter_map(|path| ambient::identity_of(path)).collect();
        let file = place.file.as_ref().map(Standing::identity);
        let directories = place.directories.iter().map(|directory| directory.identity);
        directories.chain(file).any(|identity| own.contains(&identity))
    }
}

fn folded(path: &Path) -> PathBuf {
    PathBuf::from(path.to_string_lossy().to_lowercase())
}

/// Whether a path, existing or not, lies at or beneath the root.
pub(super) fn lies_within(path: &Path, root: &Root) -> bool {
    let canonical = ambient::canonical(path);
    canonical.ancestors().any(|ancestor| ambient::identity_of(ancestor) == Some(root.identity))
}
