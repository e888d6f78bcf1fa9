//! The directories that a transaction works in, each held by one handle.
//!
//! A live transaction works on the handles it was judged on, wherever they are
//! moved meanwhile. Recovery opens them by their resolved path, following no
//! link.

use std::collections::BTreeMap;

use gatewright_model::{Digest, RepoPath};

use super::files::{self, Directory, Fault, Fingerprint, Identity};
use super::root::{HeldDirectory, Root};

/// Held directories by resolved path; the empty path is the root.
#[derive(Debug, Default)]
pub(super) struct Directories {
    held: BTreeMap<String, HeldDirectory>,
}

/// What stands under a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Found {
    /// Nothing.
    Nothing,
    /// A regular file with this content and mode.
    File {
        /// The digest of its bytes.
        digest: Digest,
        /// The mode bits.
        mode: u32,
        /// Identity, size and times.
        fingerprint: Fingerprint,
    },
    /// Something that is not a regular file.
    Other,
}

impl Found {
    /// Digest and mode, for a regular file.
    pub(super) fn state(self) -> Option<(Digest, u32)> {
        match self {
            Found::File { digest, mode, .. } => Some((digest, mode)),
            Found::Nothing | Found::Other => None,
        }
    }
}

impl Directories {
    /// Keeps a handle of `directory` under its resolved path.
    pub(super) fn hold(
        &mut self,
        path: Option<&RepoPath>,
        directory: &HeldDirectory,
    ) -> Result<(), Fault> {
        let key = key(path);
        if !self.held.contains_key(key) {
            let handle = files::hold_again(&directory.handle)?;
            let held = HeldDirectory { handle, identity: directory.identity };
            self.held.insert(key.to_owned(), held);
        }
        Ok(())
    }

    /// The held directory of this path.
    pub(super) fn get(&self, path: Option<&RepoPath>) -> Option<&Directory> {
        self.held.get(key(path)).map(|held| &held.handle)
    }

    /// What the held directory of this path is.
    pub(super) fn identity(&self, path: Option<&RepoPath>) -> Option<Identity> {
        self.held.get(key(path)).map(|held| held.identity)
    }

    /// Every path with its directory.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, &HeldDirectory)> {
        self.held.iter().map(|(path, held)| (path.as_str(), held))
    }

    /// Lets go of a directory.
    pub(super) fn release(&mut self, path: &RepoPath) {
        self.held.remove(path.as_str());
    }

    /// Opens a directory by its resolved path; `None` where it is gone.
    pub(super) fn open(
        &mut self,
        root: &Root,
        path: Option<&RepoPath>,
    ) -> Result<Option<&Directory>, Fault> {
        if !self.held.contains_key(key(path)) {
            let Some(handle) = root.open_if_there(path)? else { return Ok(None) };
            self.insert(path, handle)?;
        }
        Ok(self.get(path))
    }

    /// Makes `path` in its held parent and holds it; adds it to `made` if it was not there.
    pub(super) fn make(&mut self, path: &RepoPath, made: &mut Vec<RepoPath>) -> Result<(), Fault> {
        let parent = path.parent();
        let above = self.get(parent.as_ref()).ok_or_else(files::not_there)?;
        if files::make_directory(above, path.file_name())? {
            // At once: from here on it must be taken back, whatever fails next.
            made.push(path.clone());
        }
        let handle = files::open_directory(above, path.file_name())?;
        self.insert(Some(path), handle)
    }

    fn insert(&mut self, path: Option<&RepoPath>, handle: Directory) -> Result<(), Fault> {
        let identity = files::identity_of(&handle)?;
        self.held.insert(key(path).to_owned(), HeldDirectory { handle, identity });
        Ok(())
    }
}

fn key(path: Option<&RepoPath>) -> &str {
    path.map_or("", RepoPath::as_str)
}
