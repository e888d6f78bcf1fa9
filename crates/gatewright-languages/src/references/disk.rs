//! Installed packages on the real disk: the one file of this module that does IO.
//!
//! It only reads, by absolute path, and decides nothing.
#![expect(clippy::disallowed_methods, reason = "the one reader of installed packages")]

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{Dependencies, Ecosystem, Entry, SourceTree};

/// Files above this size are not read: they are data, not interfaces.
const LARGEST: u64 = 4 << 20;

/// Installed packages under known folders.
#[derive(Debug, Clone, Default)]
pub struct DiskDependencies {
    roots: Vec<(Ecosystem, PathBuf)>,
}

impl DiskDependencies {
    /// Packages in exactly these folders.
    pub fn new(roots: Vec<(Ecosystem, PathBuf)>) -> Self {
        Self { roots }
    }

    /// Packages in the environments that lie inside a workspace, and in `extra` folders.
    ///
    /// An `extra` folder of Python may be an environment or a `site-packages` folder.
    pub fn find(workspace: &Path, extra: &[(Ecosystem, PathBuf)]) -> Self {
        let mut roots = Vec::new();
        for name in [".venv", "venv", "env", ".env"] {
            python_roots(&workspace.join(name), &mut roots);
        }
        for (ecosystem, folder) in extra {
            if *ecosystem == Ecosystem::Python {
                python_roots(folder, &mut roots);
            }
            roots.push((*ecosystem, folder.clone()));
        }
        roots.retain(|(_, folder)| folder.is_dir());
        Self { roots }
    }
}

fn python_roots(environment: &Path, roots: &mut Vec<(Ecosystem, PathBuf)>) {
    roots.push((Ecosystem::Python, environment.join("Lib/site-packages")));
    for library in ["lib", "lib64"] {
        let Ok(entries) = std::fs::read_dir(environment.join(library)) else { continue };
        for entry in entries.flatten() {
            roots.push((Ecosystem::Python, entry.path().join("site-packages")));
            roots.push((Ecosystem::Python, entry.path().join("dist-packages")));
        }
    }
}

impl Dependencies for DiskDependencies {
    fn roots(&self, ecosystem: Ecosystem) -> Vec<String> {
        let of_it = self.roots.iter().filter(|(kind, _)| *kind == ecosystem);
        of_it.filter_map(|(_, path)| path.to_str().map(str::to_owned)).collect()
    }

    fn read(&self, path: &str) -> Option<Arc<[u8]>> {
        read(Path::new(path))
    }

    fn list(&self, directory: &str) -> Vec<Entry> {
        list(Path::new(directory))
    }
}

/// A plain folder as a workspace, for measurements and tests.
#[derive(Debug, Clone)]
pub struct DiskTree {
    root: PathBuf,
}

impl DiskTree {
    /// The workspace at `root`.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
    }
}

impl SourceTree for DiskTree {
    fn read(&self, path: &str) -> Option<Arc<[u8]>> {
        read(&self.root.join(path))
    }

    fn list(&self, directory: &str) -> Vec<Entry> {
        list(&self.root.join(directory))
    }

    fn exists(&self, path: &str) -> bool {
        self.root.join(path).exists()
    }
}

fn read(path: &Path) -> Option<Arc<[u8]>> {
    let size = std::fs::metadata(path).ok()?;
    if !size.is_file() || size.len() > LARGEST {
        return None;
    }
    std::fs::read(path).ok().map(Arc::from)
}

fn list(folder: &Path) -> Vec<Entry> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    entries.flatten().filter_map(|entry| entry_of(&entry)).collect()
}

fn entry_of(entry: &std::fs::DirEntry) -> Option<Entry> {
    let kind = entry.file_type().ok()?;
    let is_dir = if kind.is_symlink() { entry.path().is_dir() } else { kind.is_dir() };
    Some(Entry { name: entry.file_name().into_string().ok()?, is_dir })
}
