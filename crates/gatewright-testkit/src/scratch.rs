//! A workspace to break things in, with a home and a state directory of its own.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::Tree;

/// A temporary workspace. Everything vanishes when the value is dropped.
///
/// ```
/// use gatewright_testkit::Scratch;
/// let scratch = Scratch::new();
/// scratch.write("src/lib.rs", "fn f() {}\n");
/// let before = scratch.tree();
/// assert_eq!(scratch.read("src/lib.rs"), b"fn f() {}\n");
/// scratch.write("src/lib.rs", "fn g() {}\n");
/// assert_ne!(scratch.tree(), before);
/// ```
#[derive(Debug)]
pub struct Scratch {
    base: TempDir,
}

impl Scratch {
    /// An empty workspace.
    pub fn new() -> Self {
        let base = tempfile::Builder::new().prefix("gatewright-test-").tempdir();
        let scratch = Self { base: base.expect("a temporary directory can be made") };
        for directory in ["workspace", "home", "state", "config", "cache", "outside"] {
            fs::create_dir(scratch.base().join(directory)).expect("a directory can be made");
        }
        scratch
    }

    /// The directory that holds all the others.
    pub fn base(&self) -> &Path {
        self.base.path()
    }

    /// The workspace root.
    pub fn root(&self) -> PathBuf {
        self.base().join("workspace")
    }

    /// What `HOME` is for programs run here.
    pub fn home(&self) -> PathBuf {
        self.base().join("home")
    }

    /// What `XDG_STATE_HOME` is for programs run here.
    pub fn state(&self) -> PathBuf {
        self.base().join("state")
    }

    /// What `XDG_CONFIG_HOME` is for programs run here.
    pub fn config(&self) -> PathBuf {
        self.base().join("config")
    }

    /// What `XDG_CACHE_HOME` is for programs run here.
    pub fn cache(&self) -> PathBuf {
        self.base().join("cache")
    }

    /// A directory beside the workspace, where nothing may ever be written.
    pub fn outside(&self) -> PathBuf {
        self.base().join("outside")
    }

    /// The OS path of something in the workspace.
    pub fn path(&self, relative: impl AsRef<Path>) -> PathBuf {
        self.root().join(relative)
    }

    /// Writes a file of the workspace, with the directories above it.
    pub fn write(&self, relative: impl AsRef<Path>, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(relative);
        fs::create_dir_all(path.parent().expect("a file has a parent")).unwrap_or_else(|error| {
            panic!("cannot make the parent of {}: {error}", path.display())
        });
        fs::write(&path, content)
            .unwrap_or_else(|error| panic!("cannot write {}: {error}", path.display()));
        path
    }

    /// The bytes of a file of the workspace.
    pub fn read(&self, relative: impl AsRef<Path>) -> Vec<u8> {
        let path = self.path(relative);
        fs::read(&path).unwrap_or_else(|error| panic!("cannot read {}: {error}", path.display()))
    }

    /// The text of a file of the workspace.
    pub fn read_text(&self, relative: impl AsRef<Path>) -> String {
        String::from_utf8(self.read(relative)).expect("the file is UTF-8")
    }

    /// Whether there is anything at that path, a dangling link included.
    pub fn has(&self, relative: impl AsRef<Path>) -> bool {
        fs::symlink_metadata(self.path(relative)).is_ok()
    }

    /// Sets the permission bits of something in the workspace.
    pub fn chmod(&self, relative: impl AsRef<Path>, mode: u32) {
        let permissions = fs::Permissions::from_mode(mode);
        fs::set_permissions(self.path(relative), permissions).expect("the mode can be set");
    }

    /// Makes a symbolic link in the workspace; `target` is taken as it is.
    pub fn link(&self, target: impl AsRef<Path>, relative: impl AsRef<Path>) {
        let path = self.path(relative);
        fs::create_dir_all(path.parent().expect("a link has a parent"))
            .expect("a directory can be made");
        std::os::unix::fs::symlink(target, path).expect("a link can be made");
    }

    /// Everything in the workspace.
    pub fn tree(&self) -> Tree {
        Tree::read(&self.root())
    }

    /// Everything outside of the workspace that a stray write could reach.
    pub fn outside_tree(&self) -> Tree {
        Tree::read(&self.outside())
    }
}

impl Default for Scratch {
    fn default() -> Self {
        Self::new()
    }
}
