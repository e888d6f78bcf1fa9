//! Which files change, as the kernel tells it, so that nobody looks at all of them again.
//!
//! Nothing runs by itself: what happened waits in the kernel until it is asked
//! for, and a change is there as soon as the call that made it has returned. What
//! is written through a shared mapping is told when the mapping goes; what is
//! written through another name of a file, in a folder that is not watched, is not
//! told. So callers still look for themselves now and then. On file systems that
//! another machine may change, and past a bound of folders, there is no watch at all.

use std::collections::{HashMap, HashSet};
use std::mem::MaybeUninit;

use gatewright_model::RepoPath;
use rustix::fd::{AsRawFd, OwnedFd};
use rustix::fs::inotify::{self, CreateFlags, ReadFlags, WatchFlags};
use rustix::fs::{self, OFlags};
use rustix::io::Errno;

use super::kernel;
use super::root::Root;
use crate::Happened;

/// How many folders are watched at most.
const MOST_FOLDERS: usize = 30_000;
/// How many changed files are told one by one.
const MOST_FILES: usize = 1_000;
/// How many bytes of what happened are taken at a time.
const BUFFER: usize = 32 * 1024;

/// File systems whose changes all pass this kernel: ext4, btrfs, xfs, tmpfs, overlayfs, f2fs, zfs.
const LOCAL: [u32; 7] =
    [0xef53, 0x9123_683e, 0x5846_5342, 0x0102_1994, 0x794c_7630, 0xf2f5_2010, 0x2fc1_2fc1];

/// A watch of folders.
#[derive(Debug)]
pub struct Watch {
    queue: OwnedFd,
    folders: HashMap<i32, String>,
    watched: HashSet<String>,
    /// Whether something was missed, or may be: then nothing more is told.
    is_lost: bool,
}

impl Watch {
    /// A watch of no folder yet; `None` where it could not be relied on.
    pub(super) fn new(root: &Root) -> Option<Self> {
        let kind = fs::fstatfs(root.handle()).ok()?.f_type;
        if !u32::try_from(kind).is_ok_and(|kind| LOCAL.contains(&kind)) {
            return None;
        }
        let queue = inotify::init(CreateFlags::NONBLOCK | CreateFlags::CLOEXEC).ok()?;
        let (folders, watched) = Default::default();
        Some(Self { queue, folders, watched, is_lost: false })
    }

    /// Watches what happens in a folder, not below it, from now on; `""` is the root.
    ///
    /// Nothing can be known of a folder that is not there, or that a link leads to, so that there
    /// is nothing to tell of it. `false` when the folder cannot be watched although it is there.
    pub(super) fn add(&mut self, root: &Root, folder: &str) -> bool {
        if self.is_lost || self.watched.contains(folder) {
            return true;
        }
        let Some(held) = open(root, folder) else { return true };
        let place = format!("/proc/self/fd/{}", held.as_raw_fd());
        let number = inotify::add_watch(&self.queue, place, wanted());
        // Of two names of one folder only one would be told.
        let is_new = |number| self.folders.insert(number, folder.to_owned()).is_none();
        let is_watched = number.is_ok_and(is_new) && self.folders.len() <= MOST_FOLDERS;
        self.watched.insert(folder.to_owned());
        self.is_lost = !is_watched;
        is_watched
    }

    /// Whether all that happens in a folder is told.
    pub fn is_watching(&self, folder: &str) -> bool {
        !self.is_lost && self.watched.contains(folder)
    }

    /// What happened in the watched folders since the last question.
    pub fn take(&mut self) -> Happened {
        let mut buffer = [MaybeUninit::uninit(); BUFFER];
        let mut reader = inotify::Reader::new(&self.queue, &mut buffer);
        let mut files = HashSet::new();
        while !self.is_lost {
            match reader.next() {
                Ok(event) => {
                    let name = event.file_name().and_then(|name| name.to_str().ok());
                    let folder = self.folders.get(&event.wd());
                    match (folder, name) {
                        (Some(folder), Some(name)) if is_of_a_file(event.events()) => {
                            files.insert(joined(folder, name));
                        }
                        _ => self.is_lost = true,
                    }
                    self.is_lost |= files.len() > MOST_FILES;
                }
                Err(Errno::INTR) => {}
                Err(Errno::WOULDBLOCK) => break,
                Err(_) => self.is_lost = true,
            }
        }
        if self.is_lost { Happened::Anything } else { Happened::To(files.into_iter().collect()) }
    }
}

fn open(root: &Root, folder: &str) -> Option<OwnedFd> {
    let path = if folder.is_empty() { None } else { Some(RepoPath::parse(folder).ok()?) };
    let path = path.as_ref().map_or(".", RepoPath::as_str);
    let flags = OFlags::PATH | OFlags::DIRECTORY;
    kernel::open_without_links(root.handle(), path, flags).ok()
}

fn wanted() -> WatchFlags {
    WatchFlags::CREATE
        | WatchFlags::DELETE
        | WatchFlags::MODIFY
        | WatchFlags::CLOSE_WRITE
        | WatchFlags::MOVED_FROM
        | WatchFlags::MOVED_TO
        | WatchFlags::MOVE_SELF
        | WatchFlags::DELETE_SELF
        | WatchFlags::ONLYDIR
}

/// Whether what happened concerns one file: a folder that comes or goes takes others with it.
fn is_of_a_file(events: ReadFlags) -> bool {
    let other = ReadFlags::ISDIR | ReadFlags::QUEUE_OVERFLOW | ReadFlags::UNMOUNT;
    !events.intersects(other | ReadFlags::IGNORED)
}

fn joined(folder: &str, name: &str) -> String {
    if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") }
}
