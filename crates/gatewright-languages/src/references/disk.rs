//! Installed packages on the real disk: the one file of this module that does IO.
//!
//! It only reads, by absolute path, and decides nothing.
#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "the one reader of installed packages"
)]

mod roots;

use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{Dependencies, Ecosystem, Entry, SourceTree};

/// Files above this size are not read: they are data, not interfaces.
const LARGEST: u64 = 4 << 20;

/// Files above this size are not even looked through for words.
const LARGEST_WORDS: u64 = 64 << 20;

/// How much of a larger file is read at a time.
const LARGEST_PART: u64 = 32 << 20;

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

    /// Packages where each ecosystem keeps them on this machine, and in `extra` folders.
    ///
    /// An `extra` folder of Python may be an environment or a `site-packages` folder.
    pub fn find(workspace: &Path, extra: &[(Ecosystem, PathBuf)]) -> Self {
        let machine = Machine::current();
        let mut roots = roots::defaults(&machine, workspace);
        for (ecosystem, folder) in extra {
            if *ecosystem == Ecosystem::Python {
                let of_it = roots::python_environment(&machine, folder);
                roots.extend(of_it.into_iter().map(|folder| (Ecosystem::Python, folder)));
            }
            roots.push((*ecosystem, folder.clone()));
        }
        roots.retain(|(_, folder)| folder.is_dir());
        Self { roots }
    }
}

/// The environment and the folders of this machine, as the root finders ask for them.
struct Machine {
    home: Option<PathBuf>,
}

impl Machine {
    fn current() -> Self {
        Self { home: std::env::home_dir() }
    }

    /// The folder that an environment variable names.
    #[expect(clippy::unused_self, reason = "the environment belongs to the machine")]
    fn variable(&self, name: &str) -> Option<PathBuf> {
        std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from)
    }

    /// The folders that an environment variable lists.
    fn paths(&self, name: &str) -> Vec<PathBuf> {
        let value = self.variable(name);
        value.map(|value| std::env::split_paths(&value).collect()).unwrap_or_default()
    }

    /// A folder below the home folder.
    fn in_home(&self, below: &str) -> Vec<PathBuf> {
        self.home.iter().map(|home| home.join(below)).collect()
    }

    /// The folder that a variable names, else the one below the home folder.
    fn folder_of(&self, variable: &str, below_home: &str) -> Vec<PathBuf> {
        self.variable(variable).map_or_else(|| self.in_home(below_home), |folder| vec![folder])
    }

    /// The folders that a variable lists, else the one below the home folder.
    fn list_of(&self, variable: &str, below_home: &str) -> Vec<PathBuf> {
        let listed = self.paths(variable);
        if listed.is_empty() { self.in_home(below_home) } else { listed }
    }

    /// The folders in a folder, sorted; none when it is not there.
    #[expect(clippy::unused_self, reason = "the folders belong to the machine")]
    fn folders(&self, folder: &Path) -> Vec<PathBuf> {
        let mut found: Vec<PathBuf> = list(folder)
            .into_iter()
            .filter(|entry| entry.is_dir)
            .map(|entry| folder.join(entry.name))
            .collect();
        found.sort();
        found
    }
}

impl Dependencies for DiskDependencies {
    fn roots(&self, ecosystem: Ecosystem) -> Vec<String> {
        let of_it = self.roots.iter().filter(|(kind, _)| *kind == ecosystem);
        of_it.filter_map(|(_, path)| path.to_str().map(str::to_owned)).collect()
    }

    fn read(&self, path: &str) -> Option<Arc<[u8]>> {
        read(Path::new(path), LARGEST)
    }

    fn list(&self, directory: &str) -> Vec<Entry> {
        list(Path::new(directory))
    }

    fn read_part(&self, path: &str, from: u64, length: u64) -> Option<Vec<u8>> {
        let mut file = std::fs::File::open(path).ok()?;
        file.seek(SeekFrom::Start(from)).ok()?;
        let size = usize::try_from(length).ok().filter(|_| length <= LARGEST_PART)?;
        let mut bytes = Vec::new();
        file.take(length).read_to_end(&mut bytes).ok()?;
        (bytes.len() == size).then_some(bytes)
    }

    fn measure(&self, path: &str) -> Option<(u64, u128)> {
        let path = Path::new(path);
        let length = std::fs::metadata(path).ok().filter(std::fs::Metadata::is_file)?.len();
        Some((length, stamp(path)?))
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
        read(&self.root.join(path), LARGEST)
    }

    fn read_large(&self, path: &str) -> Option<Arc<[u8]>> {
        read(&self.root.join(path), LARGEST_WORDS)
    }

    fn list(&self, directory: &str) -> Vec<Entry> {
        let folder = self.root.join(directory);
        let mut entries = list(&folder);
        for entry in entries.iter_mut().filter(|entry| !entry.is_dir) {
            entry.stamp = stamp(&folder.join(&entry.name));
        }
        entries
    }

    fn exists(&self, path: &str) -> bool {
        self.root.join(path).exists()
    }
}

fn read(path: &Path, largest: u64) -> Option<Arc<[u8]>> {
    let size = std::fs::metadata(path).ok()?;
    if !size.is_file() || size.len() > largest {
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
    Some(Entry { name: entry.file_name().into_string().ok()?, is_dir, stamp: None })
}

/// What the file system says of a file without reading it.
fn stamp(path: &Path) -> Option<u128> {
    let metadata = std::fs::metadata(path).ok()?;
    let modified = metadata.modified().ok()?.duration_since(std::time::UNIX_EPOCH).ok()?;
    Some((modified.as_nanos() << 40) ^ u128::from(metadata.len()))
}
