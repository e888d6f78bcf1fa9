//! Does what a change refers to exist? Facts for the hallucination guard.
//!
//! [`reference_facts`] resolves the references of each changed file against the
//! change set itself, the file's scopes, the workspace, the installed packages
//! and the standard library, in that order, looking modules up by path and
//! never indexing a whole project. There are three answers: exists, missing,
//! cannot tell. *Missing* is said only of a **closed** container, one where
//! everything that could add a name is known; what is open is counted by
//! reason. Only what a change adds is reported.
//!
//! Files come in through [`SourceTree`] and [`Dependencies`]; [`disk`] is the
//! one place that touches a real disk.

mod archive;
mod base;
mod broken;
mod c;
mod change;
mod collector;
mod csharp;
mod definition;
pub mod disk;
mod doubt;
mod files;
mod go;
mod index;
mod jvm;
mod kept;
mod last_asked;
mod neighbours;
mod pieces;
mod places;
mod python;
mod record;
mod replaced;
mod ruby;
mod rust;
mod script;
mod session;
mod suggest;
mod survey;
mod word_scan;
mod words;

use std::sync::Arc;

pub use change::{ChangedFile, reference_facts};
pub use index::Index;
pub use suggest::nearest as nearest_names;
pub use survey::Survey;

/// One name in a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The name, without the folder.
    pub name: String,
    /// Whether it is a folder.
    pub is_dir: bool,
    /// Another one when the file may have changed; `None` where that cannot be told.
    pub stamp: Option<u128>,
}

/// The files of the workspace, by paths relative to its root (`""` is the root).
pub trait SourceTree {
    /// The bytes of a file; `None` when there is none.
    fn read(&self, path: &str) -> Option<Arc<[u8]>>;
    /// The bytes of a file that may be too large to be parsed, only to look for words.
    fn read_large(&self, path: &str) -> Option<Arc<[u8]>> {
        self.read(path)
    }
    /// What a folder holds; nothing when there is none.
    fn list(&self, directory: &str) -> Vec<Entry>;
    /// Whether a file or folder is there.
    fn exists(&self, path: &str) -> bool;
    /// A number that stays the same while no file is known to have come, gone or changed;
    /// `None` where every check has to look for itself.
    fn generation(&self) -> Option<u64> {
        None
    }
    /// Files that were written, made or removed since that number was new, in order.
    fn touched(&self) -> &[String] {
        &[]
    }
    /// A number that is another one whenever a file was touched since the last question.
    fn touches(&self) -> u64 {
        0
    }
}

/// Where packages come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Ecosystem {
    /// `site-packages` folders.
    Python,
    /// `node_modules` folders.
    Node,
    /// Folders of unpacked crates.
    Rust,
    /// Module caches and `GOROOT/src`.
    Go,
    /// Include folders.
    C,
    /// Maven and Gradle caches, and the JDK.
    Jvm,
    /// Package caches and reference assemblies of .NET.
    DotNet,
    /// Folders of installed gems, and Ruby's own library.
    Ruby,
}

/// The packages that are installed, by absolute paths.
pub trait Dependencies {
    /// The folders in which packages of an ecosystem lie.
    fn roots(&self, ecosystem: Ecosystem) -> Vec<String>;
    /// The bytes of a file; `None` when there is none.
    fn read(&self, path: &str) -> Option<Arc<[u8]>>;
    /// What a folder holds; nothing when there is none.
    fn list(&self, directory: &str) -> Vec<Entry>;
    /// A part of a file, which may be too large to be read whole; `None` when it ends before.
    fn read_part(&self, path: &str, from: u64, length: u64) -> Option<Vec<u8>> {
        let bytes = self.read(path)?;
        let (from, length) = (usize::try_from(from).ok()?, usize::try_from(length).ok()?);
        Some(bytes.get(from..from.checked_add(length)?)?.to_vec())
    }
    /// The length of a file, and a number that is another one when it may have changed.
    fn measure(&self, path: &str) -> Option<(u64, u128)> {
        let length = u64::try_from(self.read(path)?.len()).ok()?;
        Some((length, u128::from(length)))
    }
}

/// No packages at all.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoDependencies;

impl Dependencies for NoDependencies {
    fn roots(&self, _: Ecosystem) -> Vec<String> {
        Vec::new()
    }

    fn read(&self, _: &str) -> Option<Arc<[u8]>> {
        None
    }

    fn list(&self, _: &str) -> Vec<Entry> {
        Vec::new()
    }
}
