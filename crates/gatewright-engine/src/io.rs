//! The few files of its own that the engine reads and makes, all outside the agent's reach.
#![expect(clippy::disallowed_methods, reason = "the one place of this crate that touches files")]

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::EngineError;

/// The text of a file; `None` where there is none.
pub fn read_optional(path: &Path) -> Result<Option<String>, EngineError> {
    match std::fs::read(path) {
        Ok(bytes) => String::from_utf8(bytes)
            .map(Some)
            .map_err(|_| failed(path, "read", ErrorKind::InvalidData.into())),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(failed(path, "read", error)),
    }
}

/// Makes a private directory with everything above it.
pub fn make_private_directory(path: &Path) -> Result<(), EngineError> {
    use std::os::unix::fs::DirBuilderExt;
    std::fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(path)
        .map_err(|error| failed(path, "make the directory", error))
}

/// The canonical form of the workspace root that the user named.
pub fn canonical_root(path: &Path) -> Result<PathBuf, EngineError> {
    let root = std::fs::canonicalize(path).map_err(|error| failed(path, "open", error))?;
    if root.is_dir() {
        Ok(root)
    } else {
        Err(failed(path, "guard", ErrorKind::NotADirectory.into()))
    }
}

fn failed(path: &Path, doing: &str, source: std::io::Error) -> EngineError {
    EngineError::Io { doing: format!("cannot {doing} {}", path.display()), source }
}
