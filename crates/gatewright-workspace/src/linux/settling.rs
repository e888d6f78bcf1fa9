//! Syncs the entries of a change's directories, where it can be done while the change is committed.
//!
//! A commit whose names are then lost with the power is found by recovery, which has all
//! bytes in the journal's record: see `redo`.

use std::sync::{Arc, OnceLock};

use rustix::fd::OwnedFd;
use rustix::fs;
use rustix::io::{Errno, retry_on_intr};

use super::Core;
use super::directories::Directories;
use super::kernel;
use crate::WriteError;
use crate::error::disk;

/// Directories whose entries are to be synced.
#[derive(Debug)]
pub(super) struct Settling {
    directories: Vec<(String, OwnedFd)>,
    settled: Settled,
}

/// How the syncing ended; nothing before it has.
#[derive(Debug, Clone, Default)]
pub(super) struct Settled(Arc<OnceLock<Result<(), (String, Errno)>>>);

impl Settled {
    /// The directory that could not be synced.
    pub(super) fn failure(&self) -> Option<(String, Errno)> {
        self.0.get()?.clone().err()
    }
}

impl Settling {
    /// Opens the directories; none where nothing is synced.
    pub(super) fn open(
        core: &Core,
        held: &Directories,
        settled: &Settled,
    ) -> Result<Settling, WriteError> {
        let mut directories = Vec::new();
        for (path, directory) in held.iter().filter(|_| core.state.is_durable()) {
            let opened = kernel::open_to_sync(&directory.handle)
                .map_err(disk("open the directory", path))?;
            directories.extend(opened.map(|opened| (path.to_owned(), opened)));
        }
        Ok(Settling { directories, settled: settled.clone() })
    }

    /// Syncs them and says how that ended.
    pub(super) fn run(self) {
        let sync = |(path, directory): (String, OwnedFd)| {
            retry_on_intr(|| fs::fsync(&directory)).map_err(|errno| (path, errno))
        };
        let outcome = self.directories.into_iter().try_for_each(sync);
        // It was never set: there is one settling for each.
        let _ = self.settled.0.set(outcome);
    }
}
