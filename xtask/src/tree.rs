//! Where the tree is, and which files belong to it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::failure::Failure;
use crate::process;

/// The top of the tree.
pub fn root() -> PathBuf {
    let manifest = std::env::var_os("CARGO_MANIFEST_DIR")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    manifest.parent().map(Path::to_owned).unwrap_or(manifest)
}

/// Where cargo puts what it builds.
pub fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// One file of the tree that is text.
#[derive(Debug, Clone)]
pub struct TextFile {
    /// Its path from the top, `/` between components.
    pub path: String,
    /// Its text.
    pub text: String,
}

impl TextFile {
    /// Whether the name ends like this.
    pub fn has_extension(&self, extension: &str) -> bool {
        self.path.rsplit_once('.').is_some_and(|(_, found)| found == extension)
    }

    /// Whether it is test code or test data, by its place or name.
    pub fn is_test(&self) -> bool {
        self.is_fixture()
            || self.path.contains("/tests/")
            || self.path.starts_with("fuzz/")
            || self.path.ends_with("_tests.rs")
            || self.path.ends_with("/tests.rs")
    }

    /// Whether it is data that tests read, which may look like anything.
    pub fn is_fixture(&self) -> bool {
        ["/tests/cases/", "/tests/data/", "/fixtures/", "/test_data/", "/corpus/", "/seeds/"]
            .iter()
            .any(|part| self.path.contains(part))
    }
}

/// Every text file that git tracks or would add.
pub fn text_files() -> Result<Vec<TextFile>, Failure> {
    let mut command = Command::new("git");
    command.args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"]);
    let listing = process::capture(command.current_dir(root()))?;
    let mut files = Vec::new();
    for path in listing.split('\0').filter(|path| !path.is_empty()) {
        let full = root().join(path);
        // A tracked file may be deleted, and a link may lead anywhere.
        if !fs::symlink_metadata(&full).is_ok_and(|metadata| metadata.is_file()) {
            continue;
        }
        let bytes = fs::read(&full).map_err(Failure::io("read", &full))?;
        if let Ok(text) = String::from_utf8(bytes) {
            files.push(TextFile { path: path.to_owned(), text });
        }
    }
    files.sort_by(|one, other| one.path.cmp(&other.path));
    files.dedup_by(|one, other| one.path == other.path);
    Ok(files)
}
