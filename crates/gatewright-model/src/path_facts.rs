//! What the disk says about a requested path. Gathered by the workspace, judged by guards.

use crate::{Digest, FileMode, PathProblem, RepoPath, RequestedPath};

/// Everything that is known about one requested path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PathFacts {
    /// The path as it was asked for.
    pub requested: RequestedPath,
    /// Where it leads.
    pub resolution: Resolution,
}

/// Where a requested path leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Resolution {
    /// To a place beneath the workspace root.
    Inside(Target),
    /// Nowhere that may be written.
    Failed(ResolutionFailure),
}

/// A place beneath the root, as the kernel resolved it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// The path after every link was followed: what is shown and recorded.
    pub resolved: RepoPath,
    /// What stands there now.
    pub kind: TargetKind,
    /// The names that the file there has, when it is a file.
    pub links: LinkFacts,
    /// The digest of the file there; `None` where there is none or it is not a regular file.
    pub digest: Option<Digest>,
    /// Its permission bits.
    pub mode: Option<FileMode>,
    /// Whether a symbolic link was followed on the way.
    pub through_link: bool,
    /// The device and inode of the nearest existing directory on the way.
    pub directory: (u64, u64),
    /// Whether this is, or lies in, Gatewright's own configuration, state or binary.
    pub is_own_file: bool,
    /// Whether a directory on the way holds `HEAD`, `objects` and `refs`, so
    /// that git takes it for a repository whatever its name.
    pub in_bare_repository: bool,
}

/// What stands at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TargetKind {
    /// Nothing; the directories above may be missing too.
    Absent,
    /// A regular file.
    Regular,
    /// A directory.
    Directory,
    /// A device, socket, pipe or anything else.
    Special,
}

/// The names of the file at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LinkFacts {
    /// One name, or no file.
    Single,
    /// Several names, all of them found inside the workspace.
    AllInside {
        /// How many.
        count: u64,
    },
    /// Several names, of which some are outside or could not be found.
    SomeOutside {
        /// How many names the kernel counts.
        count: u64,
        /// How many of them were found inside.
        found: u64,
    },
}

/// Why a path leads nowhere that may be written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ResolutionFailure {
    /// The text itself is no workspace path.
    #[error("{0}")]
    Text(PathProblem),
    /// A link, `..` or absolute target leads out of the workspace.
    #[error("the path leads out of the workspace")]
    Escapes,
    /// A link loops, dangles or is a magic link of the kernel's.
    #[error("a link on the path is dangling, circular or magic")]
    BadLink,
    /// The path crosses into another mounted file system.
    #[error("the path crosses a mount point")]
    CrossesMount,
    /// A component that must be a directory is something else.
    #[error("a component of the path is not a directory")]
    NotADirectory,
    /// The kernel refused for lack of permission.
    #[error("permission denied on the way to the path")]
    Denied,
    /// The kernel cannot resolve beneath a descriptor (`openat2` is missing).
    #[error("this system cannot resolve paths beneath a directory descriptor")]
    Unsupported,
    /// The resolved name is not UTF-8, so it could not be recorded.
    #[error("the resolved path is not valid UTF-8")]
    NotUtf8,
    /// Anything else that the kernel said.
    #[error("the path could not be resolved: {message}")]
    Other {
        /// The kernel's words.
        message: String,
    },
}
