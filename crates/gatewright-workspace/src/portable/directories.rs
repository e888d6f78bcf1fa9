//! The directories that a transaction works in, each held by one handle.
//!
//! A live transaction works on the handles it was judged on, wherever they are
//! moved meanwhile. Recovery opens them by their resolved path, following no
//! link.

use std::collections::BTreeMap;
use std::io::{self, ErrorKind};

use cap_std::fs::Dir;
use gatewright_model::{Digest, RepoPath};

use super::facts;
use super::names::{self, Fingerprint, Identity};
use super::root::{HeldDirectory, Root};

/// How often a name is looked at again when it changes under the look.
const LOOK_TRIES: u32 = 200;

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
    /// A regular file.
    File {
        /// Its bytes.
        digest: Digest,
        /// Its permission bits.
        mode: u32,
        /// How to know it again.
        fingerprint: Fingerprint,
    },
    /// A link, a directory or anything else.
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

    /// Which file it is, for a regular file.
    pub(super) fn identity(self) -> Option<Identity> {
        match self {
            Found::File { fingerprint, .. } => Some(fingerprint.identity),
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
    ) -> io::Result<()> {
        let key = key(path);
        if !self.held.contains_key(key) {
            let handle = directory.handle.try_clone()?;
            let held = HeldDirectory { handle, identity: directory.identity };
            self.held.insert(key.to_owned(), held);
        }
        Ok(())
    }

    /// The held directory of this path.
    pub(super) fn get(&self, path: Option<&RepoPath>) -> Option<&Dir> {
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

    /// Lets go of a directory, without which some systems do not remove it.
    pub(super) fn release(&mut self, path: &RepoPath) {
        self.held.remove(path.as_str());
    }

    /// Opens a directory by its resolved path; `None` where it is gone.
    pub(super) fn open(
        &mut self,
        root: &Root,
        path: Option<&RepoPath>,
    ) -> io::Result<Option<&Dir>> {
        if !self.held.contains_key(key(path)) {
            match root.open_directory(path) {
                Ok(handle) => self.insert(path, handle)?,
                Err(error) if is_gone(root, path, &error) => return Ok(None),
                Err(error) => return Err(error),
            }
        }
        Ok(self.get(path))
    }

    /// Makes `path` in its held parent and holds it; adds it to `made` if it was not there.
    pub(super) fn make(&mut self, path: &RepoPath, made: &mut Vec<RepoPath>) -> io::Result<()> {
        let parent = path.parent();
        let above = self.get(parent.as_ref()).ok_or(ErrorKind::NotFound)?;
        match above.create_dir(path.file_name()) {
            // At once: from here on it must be taken back, whatever fails next.
            Ok(()) => made.push(path.clone()),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
        let handle = names::open_directory(above, path.file_name())?;
        self.insert(Some(path), handle)
    }

    fn insert(&mut self, path: Option<&RepoPath>, handle: Dir) -> io::Result<()> {
        let identity = names::identity(&handle.dir_metadata()?);
        self.held.insert(key(path).to_owned(), HeldDirectory { handle, identity });
        Ok(())
    }
}

fn key(path: Option<&RepoPath>) -> &str {
    path.map_or("", RepoPath::as_str)
}

/// Whether a directory could not be opened because something else stands on its way.
fn is_gone(root: &Root, path: Option<&RepoPath>, error: &io::Error) -> bool {
    if names::is_missing(error) {
        return true;
    }
    let Some(path) = path else { return false };
    let Ok(mut handle) = root.handle().try_clone() else { return false };
    for name in path.components() {
        match names::look_at(&handle, name) {
            Ok(Some(metadata)) if metadata.is_dir() => {}
            Ok(_) => return true,
            Err(_) => return false,
        }
        let Ok(below) = names::open_directory(&handle, name) else { return false };
        handle = below;
    }
    false
}

/// Looks at a name itself and hashes the file there, following nothing.
pub(super) fn look(directory: &Dir, name: &str) -> io::Result<Found> {
    let mut last = io::Error::other("it keeps changing while it is looked at");
    for _ in 0..LOOK_TRIES {
        let Some(seen) = names::look_at(directory, name)? else { return Ok(Found::Nothing) };
        if !seen.is_file() {
            return Ok(Found::Other);
        }
        let (mut file, metadata) = match names::open_file(directory, name, &seen) {
            Ok(Some(open)) => open,
            Ok(None) => {
                std::thread::yield_now();
                continue;
            }
            // Something else may have stood there just for that moment.
            Err(error) => {
                last = error;
                continue;
            }
        };
        let bytes = facts::read_regular(&mut file)?;
        return Ok(Found::File {
            digest: Digest::of(&bytes),
            mode: names::mode(&metadata),
            fingerprint: Fingerprint::of(&metadata),
        });
    }
    Err(last)
}
