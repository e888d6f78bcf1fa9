//! What stands under a name, by its metadata and the file that is open.

use std::io::{self, ErrorKind};

use cap_std::fs::{Dir, File, Metadata};
use gatewright_model::{Digest, FileMode, TargetKind};

use super::attributes;
use super::directories::Found;
use super::facts::MAX_HASHED;
use super::names::{self, Fingerprint, Identity};
use super::root::Root;
use crate::error::AttributeFailure;
use crate::record::Attributes;

/// How often a name is looked at again when it changes under the look.
const LOOK_TRIES: u32 = 200;

/// What stands at a place; a regular file is open for reading.
#[derive(Debug)]
pub(super) struct Standing {
    pub(super) metadata: Metadata,
    pub(super) file: Option<File>,
}

impl Standing {
    /// What kind of thing it is; a link counts as special.
    pub(super) fn kind(&self) -> TargetKind {
        kind(&self.metadata)
    }

    /// The permission bits.
    pub(super) fn mode(&self) -> FileMode {
        FileMode::from_bits(names::mode(&self.metadata))
    }

    /// The size in bytes.
    pub(super) fn size(&self) -> u64 {
        self.metadata.len()
    }

    /// How many names it has.
    pub(super) fn link_count(&self) -> u64 {
        names::link_count(&self.metadata)
    }

    /// What it is, whatever its name.
    pub(super) fn identity(&self) -> Identity {
        names::identity(&self.metadata)
    }

    /// How to know it again.
    pub(super) fn fingerprint(&self) -> Fingerprint {
        Fingerprint::of(&self.metadata)
    }

    /// The bytes of a regular file, unless it is too large to compare.
    pub(super) fn read(&mut self, _root: &Root) -> io::Result<Vec<u8>> {
        let Some(file) = &mut self.file else { return Err(ErrorKind::PermissionDenied.into()) };
        read_regular(file)
    }

    /// Owner and attributes of a regular file; `None` where the system has none.
    pub(super) fn attributes(&self, _root: &Root) -> Result<Option<Attributes>, AttributeFailure> {
        match &self.file {
            None => Ok(None),
            Some(opened) => attributes::read(opened, &self.metadata),
        }
    }
}

/// What kind of thing metadata describes; a link counts as special.
pub(super) fn kind(metadata: &Metadata) -> TargetKind {
    if metadata.is_file() {
        TargetKind::Regular
    } else if metadata.is_dir() {
        TargetKind::Directory
    } else {
        TargetKind::Special
    }
}

/// Reads an open regular file, unless it is too large to compare.
pub(super) fn read_regular(file: &mut File) -> io::Result<Vec<u8>> {
    let bytes = names::read_to_end(file, MAX_HASHED)?;
    if bytes.len() as u64 > MAX_HASHED { Err(ErrorKind::FileTooLarge.into()) } else { Ok(bytes) }
}

/// Looks at a name itself and hashes the file there, following nothing.
///
/// Name and file are opened in two steps, so that a change between them is tried again.
pub(super) fn look(_root: &Root, directory: &Dir, name: &str) -> io::Result<Found> {
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
        let bytes = read_regular(&mut file)?;
        return Ok(Found::File {
            digest: Digest::of(&bytes),
            mode: names::mode(&metadata),
            fingerprint: Fingerprint::of(&metadata),
        });
    }
    Err(last)
}

impl Found {
    /// Which file it is, for a regular file.
    pub(super) fn identity(self) -> Option<Identity> {
        match self {
            Found::File { fingerprint, .. } => Some(fingerprint.identity),
            Found::Nothing | Found::Other => None,
        }
    }
}
