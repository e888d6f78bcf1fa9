//! The root handle, and the way from a requested path to a place beneath it.
//!
//! The way is walked one name at a time, each in the directory that is already
//! held and never through a link: a link is read, and its target walked in the
//! same manner. So whatever is swapped meanwhile, no step leaves the root.

use std::io::{self, ErrorKind};
use std::path::{Component, Path, PathBuf};

use cap_std::ambient_authority;
use cap_std::fs::{Dir, Metadata};
use gatewright_model::{PathProblem, RepoPath, ResolutionFailure};

use super::names::{self, Identity};
use super::standing::Standing;
use super::{ambient, spelling};
use crate::OpenError;

/// How often a place is looked at again when it changes under the look.
const LOOK_TRIES: u32 = 200;

/// How many links are followed for one path.
const MAX_LINKS: u32 = 40;

/// The directory that everything stays beneath.
#[derive(Debug)]
pub(super) struct Root {
    handle: Dir,
    path: PathBuf,
    pub(super) identity: Identity,
}

/// A directory on the way, held open.
#[derive(Debug)]
pub(super) struct HeldDirectory {
    pub(super) handle: Dir,
    pub(super) identity: Identity,
}

/// Where a path leads, with handles of everything on the way that exists.
#[derive(Debug)]
pub(super) struct Place {
    /// The path after every link was followed, spelled as the file system has it.
    pub(super) resolved: RepoPath,
    /// From the root down to the nearest existing directory; never empty.
    pub(super) directories: Vec<HeldDirectory>,
    /// The directories between that one and the name that do not exist.
    pub(super) missing: Vec<String>,
    /// What stands there.
    pub(super) file: Option<Standing>,
    /// Whether a link was followed on the way.
    through_link: bool,
}

/// Why one look at a path gave no place.
enum Miss {
    /// It changed during the look: look again.
    Changed,
    /// It is so.
    Failed(ResolutionFailure),
}

impl From<ResolutionFailure> for Miss {
    fn from(failure: ResolutionFailure) -> Self {
        Miss::Failed(failure)
    }
}

impl From<io::Error> for Miss {
    fn from(error: io::Error) -> Self {
        match names::is_missing(&error) {
            true => Miss::Changed,
            false => Miss::Failed(failure(&error)),
        }
    }
}

impl Root {
    /// Opens the root.
    pub(super) fn open(path: &Path) -> Result<Root, OpenError> {
        let failed = |source: io::Error| OpenError::Root { path: path.to_owned(), source };
        let canonical = ambient::canonical_existing(path).map_err(failed)?;
        let handle = Dir::open_ambient_dir(&canonical, ambient_authority()).map_err(failed)?;
        let metadata = handle.dir_metadata().map_err(failed)?;
        Ok(Root { handle, path: canonical, identity: names::identity(&metadata) })
    }

    /// The canonical path at the time of opening, for display.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The handle.
    pub(super) fn handle(&self) -> &Dir {
        &self.handle
    }

    /// Finds where `path` leads.
    pub(super) fn locate(&self, path: &RepoPath) -> Result<Place, ResolutionFailure> {
        self.check_in_place()?;
        for _ in 0..LOOK_TRIES {
            match self.look(path) {
                Ok(place) => return Ok(place),
                Err(Miss::Failed(failure)) => return Err(failure),
                Err(Miss::Changed) => std::thread::yield_now(),
            }
        }
        Err(other("it keeps changing while it is looked at"))
    }

    /// Opens a directory of the workspace by its resolved path, no link followed.
    ///
    /// `None` stands for the root itself.
    pub(super) fn open_directory(&self, path: Option<&RepoPath>) -> io::Result<Dir> {
        let mut handle = self.handle.try_clone()?;
        for name in path.iter().flat_map(|path| path.components()) {
            handle = names::open_directory(&handle, name)?;
        }
        Ok(handle)
    }

    /// The same; `None` where it is gone, or something else stands on its way.
    pub(super) fn open_if_there(&self, path: Option<&RepoPath>) -> io::Result<Option<Dir>> {
        match self.open_directory(path) {
            Ok(handle) => Ok(Some(handle)),
            Err(error) if names::is_missing(&error) || self.is_gone(path) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Whether a directory could not be opened because something else stands on its way.
    fn is_gone(&self, path: Option<&RepoPath>) -> bool {
        let Some(path) = path else { return false };
        let Ok(mut handle) = self.handle.try_clone() else { return false };
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

    /// Whether a held directory still has this path; the empty one is the root's.
    pub(super) fn is_in_place(&self, path: &str, directory: &HeldDirectory) -> bool {
        let parsed = if path.is_empty() { None } else { RepoPath::parse(path).ok() };
        let now = || self.open_directory(parsed.as_ref()).and_then(|now| names::identity_of(&now));
        self.check_in_place().is_ok() && now().is_ok_and(|now| now == directory.identity)
    }

    /// Fails when the root was deleted or moved since it was opened.
    pub(super) fn check_in_place(&self) -> Result<(), ResolutionFailure> {
        match ambient::identity_of(&self.path) {
            Some(identity) if identity == self.identity => Ok(()),
            _ => Err(other("the workspace root was moved or deleted")),
        }
    }

    fn look(&self, path: &RepoPath) -> Result<Place, Miss> {
        let mut walk = Walk::start(self)?;
        let mut steps: Vec<Step> = path.components().rev().map(Step::asked).collect();
        while let Some(step) = steps.pop() {
            let Some(name) = step.name else {
                walk.up()?;
                continue;
            };
            if !spelling::is_plain(&name) {
                return Err(other("this system reads something else out of that name").into());
            }
            let Some(metadata) = names::look_at(walk.here()?, &name)? else {
                return match step.from_link {
                    true => Err(ResolutionFailure::BadLink.into()),
                    false => walk.absent(name, steps),
                };
            };
            if metadata.is_symlink() {
                steps.extend(walk.follow(&name)?);
            } else if steps.is_empty() {
                return walk.existing(&name, metadata);
            } else if metadata.is_dir() {
                walk.down(&name, &metadata)?;
            } else {
                return Err(ResolutionFailure::NotADirectory.into());
            }
        }
        walk.ended_in_directory()
    }
}

/// One name still to be walked; without a name it is the way up.
struct Step {
    name: Option<String>,
    from_link: bool,
}

impl Step {
    fn asked(name: &str) -> Step {
        Step { name: Some(name.to_owned()), from_link: false }
    }
}

/// The directories that were walked so far, each with its name.
struct Walk {
    volume: u64,
    directories: Vec<HeldDirectory>,
    names: Vec<String>,
    links: u32,
}

impl Walk {
    fn start(root: &Root) -> Result<Walk, Miss> {
        let handle = root.handle.try_clone()?;
        let held = HeldDirectory { handle, identity: root.identity };
        Ok(Walk { volume: root.identity.0, directories: vec![held], names: Vec::new(), links: 0 })
    }

    fn here(&self) -> Result<&Dir, Miss> {
        self.directories.last().map(|held| &held.handle).ok_or(Miss::Changed)
    }

    /// Leaves the last directory, which a link may ask for but never at the root.
    fn up(&mut self) -> Result<(), Miss> {
        if self.names.pop().is_none() {
            return Err(ResolutionFailure::Escapes.into());
        }
        self.directories.pop();
        Ok(())
    }

    fn down(&mut self, name: &str, seen: &Metadata) -> Result<(), Miss> {
        let handle = match names::open_directory(self.here()?, name) {
            Ok(handle) => handle,
            // A link or a file in its place is not what was seen.
            Err(error) => match names::look_at(self.here()?, name)? {
                Some(now) if now.is_dir() => return Err(failure(&error).into()),
                _ => return Err(Miss::Changed),
            },
        };
        let identity = names::identity(&handle.dir_metadata()?);
        if identity != names::identity(seen) {
            return Err(Miss::Changed);
        }
        self.check_volume(seen)?;
        self.names.push(spelling::on_disk(self.here()?, name, identity)?);
        self.directories.push(HeldDirectory { handle, identity });
        Ok(())
    }

    /// Reads a link; its steps come in reverse, for the end of a stack.
    fn follow(&mut self, name: &str) -> Result<Vec<Step>, Miss> {
        self.links += 1;
        if self.links > MAX_LINKS {
            return Err(ResolutionFailure::BadLink.into());
        }
        let target = match self.here()?.read_link_contents(name) {
            Ok(target) => target,
            Err(error) if error.kind() == ErrorKind::InvalidInput => return Err(Miss::Changed),
            Err(error) => return Err(error.into()),
        };
        let mut steps = Vec::new();
        for component in target.components().rev() {
            let name = match component {
                Component::Prefix(_) | Component::RootDir => {
                    return Err(ResolutionFailure::Escapes.into());
                }
                Component::CurDir => continue,
                Component::ParentDir => None,
                Component::Normal(name) => {
                    let name = name.to_str().ok_or(ResolutionFailure::NotUtf8)?;
                    Some(name.to_owned())
                }
            };
            steps.push(Step { name, from_link: true });
        }
        Ok(steps)
    }

    fn check_volume(&self, metadata: &Metadata) -> Result<(), Miss> {
        match names::identity(metadata).0 == self.volume {
            true => Ok(()),
            false => Err(ResolutionFailure::CrossesMount.into()),
        }
    }

    fn existing(self, name: &str, seen: Metadata) -> Result<Place, Miss> {
        self.check_volume(&seen)?;
        let identity = names::identity(&seen);
        let name = spelling::on_disk(self.here()?, name, identity)?;
        let standing = match seen.is_file() {
            false => Standing { metadata: seen, file: None },
            true => {
                let opened = names::open_file(self.here()?, &name, &seen)?;
                let (file, metadata) = opened.ok_or(Miss::Changed)?;
                Standing { metadata, file: Some(file) }
            }
        };
        self.place(vec![name], Some(standing))
    }

    fn absent(self, name: String, mut rest: Vec<Step>) -> Result<Place, Miss> {
        rest.reverse();
        let mut tail = vec![name];
        tail.extend(rest.into_iter().filter_map(|step| step.name));
        if !tail.iter().all(|name| spelling::is_plain(name)) {
            return Err(other("this system reads something else out of that name").into());
        }
        self.place(tail, None)
    }

    /// The last thing walked was a directory, by a link that ends in `..` or `.`.
    fn ended_in_directory(mut self) -> Result<Place, Miss> {
        let Some(name) = self.names.pop() else {
            return Err(other("it leads to the workspace root itself").into());
        };
        let held = self.directories.pop().ok_or(Miss::Changed)?;
        let metadata = held.handle.dir_metadata()?;
        self.place(vec![name], Some(Standing { metadata, file: None }))
    }

    fn place(self, mut tail: Vec<String>, file: Option<Standing>) -> Result<Place, Miss> {
        let mut names = self.names;
        names.extend(tail.iter().cloned());
        let resolved = RepoPath::parse(&names.join("/")).map_err(ResolutionFailure::Text)?;
        tail.pop();
        Ok(Place {
            resolved,
            directories: self.directories,
            missing: tail,
            file,
            through_link: self.links > 0,
        })
    }
}

impl Place {
    /// The nearest existing directory.
    pub(super) fn nearest(&self) -> Option<&HeldDirectory> {
        self.directories.last()
    }

    /// Whether a link was followed on the way; another spelling of `_path` is none.
    pub(super) fn is_through_link(&self, _path: &RepoPath) -> bool {
        self.through_link
    }
}

/// What an error means for a path that was walked from the root.
fn failure(error: &io::Error) -> ResolutionFailure {
    match error.kind() {
        // The system's own refusals have a number; those of `cap-std` have none.
        ErrorKind::PermissionDenied if error.raw_os_error().is_none() => ResolutionFailure::Escapes,
        ErrorKind::PermissionDenied => ResolutionFailure::Denied,
        ErrorKind::NotADirectory => ResolutionFailure::NotADirectory,
        ErrorKind::InvalidFilename => ResolutionFailure::Text(PathProblem::TooLong),
        _ => other(&error.to_string()),
    }
}

fn other(message: &str) -> ResolutionFailure {
    ResolutionFailure::Other { message: message.to_owned() }
}
