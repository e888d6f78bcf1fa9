//! What `oxc_resolver` sees of the disk: the files of a session that were shown to it, at `/`.
//!
//! It never touches the disk. What it is asked and was not shown is noted as wanted and told to be
//! absent; [`super::resolver`] shows it and asks again.

use std::collections::{BTreeSet, HashMap};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use oxc_resolver::{FileMetadata, FileSystem, ResolveError};

use crate::references::session::Listing;

/// The folders and texts that were shown, and what was asked beyond them.
#[derive(Default)]
pub(super) struct Shown {
    folders: HashMap<PathBuf, Arc<Listing>>,
    texts: HashMap<PathBuf, Option<String>>,
    wanted: Wanted,
}

/// What was asked and not shown yet.
#[derive(Default)]
pub(super) struct Wanted {
    pub(super) folders: BTreeSet<PathBuf>,
    pub(super) texts: BTreeSet<PathBuf>,
}

impl Wanted {
    pub(super) fn is_empty(&self) -> bool {
        self.folders.is_empty() && self.texts.is_empty()
    }
}

/// The files that were shown; every clone sees the same ones.
#[derive(Clone, Default)]
pub(super) struct View(Arc<Mutex<Shown>>);

impl View {
    fn shown(&self) -> MutexGuard<'_, Shown> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Shows what is in a folder.
    pub(super) fn show_folder(&self, folder: PathBuf, listing: Arc<Listing>) {
        self.shown().folders.insert(folder, listing);
    }

    /// Shows the text of a file, `None` where it cannot be read.
    pub(super) fn show_text(&self, file: PathBuf, text: Option<String>) {
        self.shown().texts.insert(file, text);
    }

    /// What was asked since the last time and was not shown.
    pub(super) fn take_wanted(&self) -> Wanted {
        std::mem::take(&mut self.shown().wanted)
    }

    fn kind(&self, path: &Path) -> io::Result<FileMetadata> {
        let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else {
            return Ok(FileMetadata::new(false, true, false));
        };
        let name = name.to_str().ok_or_else(absent)?;
        let mut shown = self.shown();
        let Some(listing) = shown.folders.get(folder) else {
            shown.wanted.folders.insert(folder.to_owned());
            return Err(absent());
        };
        match (listing.files.contains(name), listing.folders.contains(name)) {
            (true, _) => Ok(FileMetadata::new(true, false, false)),
            (_, true) => Ok(FileMetadata::new(false, true, false)),
            _ => Err(absent()),
        }
    }
}

fn absent() -> io::Error {
    io::ErrorKind::NotFound.into()
}

impl FileSystem for View {
    fn new() -> Self {
        Self::default()
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.read_to_string(path).map(String::into_bytes)
    }

    fn read_to_string(&self, path: &Path) -> io::Result<String> {
        if !self.kind(path)?.is_file() {
            return Err(absent());
        }
        let mut shown = self.shown();
        match shown.texts.get(path) {
            Some(text) => text.clone().ok_or_else(absent),
            None => {
                shown.wanted.texts.insert(path.to_owned());
                Err(absent())
            }
        }
    }

    fn metadata(&self, path: &Path) -> io::Result<FileMetadata> {
        self.kind(path)
    }

    /// Links are followed by whoever lists a folder; none is seen here.
    fn symlink_metadata(&self, path: &Path) -> io::Result<FileMetadata> {
        self.kind(path)
    }

    fn read_link(&self, path: &Path) -> Result<PathBuf, ResolveError> {
        Err(ResolveError::NotFound(path.to_string_lossy().into_owned()))
    }

    fn canonicalize(&self, path: &Path) -> io::Result<PathBuf> {
        Ok(path.to_owned())
    }
}
