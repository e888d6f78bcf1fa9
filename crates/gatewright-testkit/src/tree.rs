//! Everything below a directory, as one value: names, kinds, modes, bytes.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// What stands at one path of a [`Tree`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The permission bits.
    pub mode: u32,
    /// What it is.
    pub kind: EntryKind,
}

/// The kinds of entries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EntryKind {
    /// A directory.
    Directory,
    /// A regular file with its bytes.
    File(Vec<u8>),
    /// A symbolic link with its target.
    Link(String),
    /// Anything else.
    Special,
}

/// Everything below a directory, by path. Equal trees are equal to the byte.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Tree {
    /// The entries; a name that is not UTF-8 is written with escapes.
    pub entries: BTreeMap<String, Entry>,
}

impl Tree {
    /// Reads everything below `root`, links not followed.
    pub fn read(root: &Path) -> Self {
        let mut tree = Self::default();
        tree.read_into(root, "");
        tree
    }

    /// The same tree with the modes that git keeps: 0755 and 0644.
    pub fn with_git_modes(mut self) -> Self {
        for entry in self.entries.values_mut() {
            entry.mode = match entry.kind {
                EntryKind::File(_) if entry.mode & 0o100 == 0 => 0o644,
                EntryKind::Link(_) => 0o777,
                _ => 0o755,
            };
        }
        self
    }

    /// The same tree without directories that hold no file, which git cannot keep.
    pub fn without_empty_directories(mut self) -> Self {
        let leaves: Vec<String> = self
            .entries
            .iter()
            .filter(|(_, entry)| entry.kind != EntryKind::Directory)
            .map(|(path, _)| path.clone())
            .collect();
        self.entries.retain(|path, entry| {
            entry.kind != EntryKind::Directory
                || leaves.iter().any(|leaf| {
                    leaf.strip_prefix(path.as_str()).is_some_and(|rest| rest.starts_with('/'))
                })
        });
        self
    }

    fn read_into(&mut self, directory: &Path, prefix: &str) {
        let entries = fs::read_dir(directory)
            .unwrap_or_else(|error| panic!("cannot list {}: {error}", directory.display()));
        for entry in entries {
            let path = entry.expect("a directory entry can be read").path();
            let name = path.file_name().unwrap_or_default();
            let name = match name.to_str() {
                Some(name) => name.to_owned(),
                None => name.as_encoded_bytes().escape_ascii().to_string(),
            };
            let name = if prefix.is_empty() { name } else { format!("{prefix}/{name}") };
            let entry = read_entry(&path);
            if entry.kind == EntryKind::Directory {
                self.read_into(&path, &name);
            }
            self.entries.insert(name, entry);
        }
    }
}

fn read_entry(path: &Path) -> Entry {
    let metadata = fs::symlink_metadata(path)
        .unwrap_or_else(|error| panic!("cannot stat {}: {error}", path.display()));
    let kind = if metadata.is_dir() {
        EntryKind::Directory
    } else if metadata.is_symlink() {
        let target = fs::read_link(path).expect("a link can be read");
        EntryKind::Link(target.to_string_lossy().into_owned())
    } else if metadata.is_file() {
        let read = fs::read(path);
        EntryKind::File(read.unwrap_or_else(|error| panic!("{}: {error}", path.display())))
    } else {
        EntryKind::Special
    };
    Entry { mode: metadata.permissions().mode() & 0o7777, kind }
}

/// One line for each entry; the lines of a text file follow it, indented.
impl fmt::Display for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (path, entry) in &self.entries {
            let mode = entry.mode;
            match &entry.kind {
                EntryKind::Directory => writeln!(f, "{mode:04o} {path}/")?,
                EntryKind::Link(target) => writeln!(f, "{mode:04o} {path} -> {target}")?,
                EntryKind::Special => writeln!(f, "{mode:04o} {path} (special)")?,
                EntryKind::File(bytes) => {
                    writeln!(f, "{mode:04o} {path} ({} bytes)", bytes.len())?;
                    write_content(f, bytes)?;
                }
            }
        }
        Ok(())
    }
}

fn write_content(f: &mut fmt::Formatter<'_>, bytes: &[u8]) -> fmt::Result {
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        match std::str::from_utf8(line) {
            // A carriage return, a missing newline and the like must be seen.
            Ok(text) => writeln!(f, "    {}", text.escape_debug())?,
            Err(_) => writeln!(f, "    {}", line.escape_ascii())?,
        }
    }
    Ok(())
}

impl fmt::Debug for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
