//! Paths as they are asked for, and paths that cannot escape.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The path exactly as the request spelled it: untrusted text.
///
/// It is judged, shown escaped and recorded; it is never opened as it stands.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RequestedPath(String);

impl RequestedPath {
    /// Takes the text as it is.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for RequestedPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<&str> for RequestedPath {
    fn from(text: &str) -> Self {
        Self::new(text)
    }
}

/// A relative, normalised path below the workspace root, `/` between components.
///
/// No component is empty, `.` or `..`, and none holds a NUL. Only
/// `gatewright-workspace` turns it into something that the kernel opens.
///
/// ```
/// use gatewright_model::{PathProblem, RepoPath};
/// assert_eq!(RepoPath::parse("./src//lib.rs").unwrap().as_str(), "src/lib.rs");
/// assert_eq!(RepoPath::parse("a/../b"), Err(PathProblem::ParentComponent));
/// assert_eq!(RepoPath::parse("/etc/passwd"), Err(PathProblem::Absolute));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct RepoPath(String);

/// Why a text is not a [`RepoPath`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
pub enum PathProblem {
    /// Nothing is left after normalising.
    #[error("the path is empty")]
    Empty,
    /// It starts with `/`.
    #[error("the path is absolute")]
    Absolute,
    /// A component is `..`.
    #[error("the path has a \"..\" component")]
    ParentComponent,
    /// It holds a NUL byte.
    #[error("the path holds a NUL byte")]
    Nul,
    /// It ends with `/`, so it names a directory.
    #[error("the path ends with \"/\", so it names a directory")]
    Directory,
    /// It is longer than the kernel takes.
    #[error("the path is longer than 4095 bytes, or a component longer than 255")]
    TooLong,
}

impl RepoPath {
    /// Normalises `.` components and repeated slashes away and checks the rest.
    pub fn parse(text: &str) -> Result<Self, PathProblem> {
        if text.contains('\0') {
            return Err(PathProblem::Nul);
        }
        if text.starts_with('/') {
            return Err(PathProblem::Absolute);
        }
        let parts: Vec<&str> = text.split('/').filter(|part| !matches!(*part, "" | ".")).collect();
        if parts.contains(&"..") {
            return Err(PathProblem::ParentComponent);
        }
        if parts.is_empty() {
            return Err(PathProblem::Empty);
        }
        if text.ends_with('/') || text.ends_with("/.") {
            return Err(PathProblem::Directory);
        }
        if text.len() > 4095 || parts.iter().any(|part| part.len() > 255) {
            return Err(PathProblem::TooLong);
        }
        Ok(Self(parts.join("/")))
    }

    /// The text, `/` between components.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The components in order; never empty.
    pub fn components(&self) -> impl DoubleEndedIterator<Item = &str> {
        self.0.split('/')
    }

    /// The last component.
    pub fn file_name(&self) -> &str {
        self.0.rsplit('/').next().unwrap_or(&self.0)
    }

    /// The part before the last component; `None` at the top of the workspace.
    pub fn parent(&self) -> Option<RepoPath> {
        self.0.rsplit_once('/').map(|(parent, _)| RepoPath(parent.to_owned()))
    }

    /// This path with one more component, which must be a plain name.
    pub fn join(&self, name: &str) -> Result<RepoPath, PathProblem> {
        RepoPath::parse(&format!("{}/{name}", self.0))
    }

    /// Whether this is `ancestor` or lies below it.
    pub fn is_within(&self, ancestor: &RepoPath) -> bool {
        self.0
            .strip_prefix(ancestor.as_str())
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }
}

impl fmt::Display for RepoPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl TryFrom<String> for RepoPath {
    type Error = PathProblem;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        Self::parse(&text)
    }
}

impl From<RepoPath> for String {
    fn from(path: RepoPath) -> Self {
        path.0
    }
}
