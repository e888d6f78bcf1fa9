//! The folders of headers that `compile_commands.json` names.
//!
//! It speaks of absolute paths. Where the workspace lies among them is told by
//! the files that it compiles. A folder outside of the workspace counts only
//! when its path says that it holds headers.

use std::sync::Arc;

use serde_json::Value;

use super::headers::joined;
use crate::references::record::{Keep, Reader, Writer};
use crate::references::session::{Area, Place, Session};

/// The name that build tools agree on.
const NAME: &str = "compile_commands.json";
/// How many folders are looked into.
const MOST_FOLDERS: usize = 200;
/// How many compiled files may say where the workspace lies.
const ASKED: usize = 32;
/// What stands before a folder of headers.
const FLAGS: [&str; 6] = ["-I", "-isystem", "-iquote", "-idirafter", "/I", "-external:I"];

/// What such a file says, its folders and compiled files as absolute paths.
#[derive(Debug, Default)]
struct Commands {
    folders: Vec<String>,
    files: Vec<String>,
}

/// The folders, in the order in which they are named.
pub(super) fn folders(session: &Session<'_>) -> Arc<Vec<Place>> {
    session.of_files("c commands", || Some(find(session))).unwrap_or_default()
}

fn find(session: &Session<'_>) -> Vec<Place> {
    let Some(all) = session.disk_files() else { return Vec::new() };
    let is_it = |path: &&String| path.rsplit('/').next() == Some(NAME);
    let Some(path) = all.iter().filter(is_it).min_by_key(|path| path.len()) else {
        return Vec::new();
    };
    let Some(commands) = session.kept(path, Commands::of) else { return Vec::new() };
    let Some(root) = root_of(&commands.files, &all) else { return Vec::new() };
    commands.folders.iter().filter_map(|folder| place_of(folder, &root)).collect()
}

/// The absolute path of the workspace, by compiled files that it has.
fn root_of(files: &[String], all: &[String]) -> Option<String> {
    files.iter().find_map(|file| {
        let starts = file.match_indices('/').map(|(at, _)| at);
        let mut roots = starts.filter(|at| all.iter().any(|path| *path == file[at + 1..]));
        roots.next().map(|at| file[..at].to_owned())
    })
}

fn place_of(folder: &str, root: &str) -> Option<Place> {
    if folder == root {
        return Some(Place::workspace(""));
    }
    if let Some(below) = folder.strip_prefix(root).and_then(|rest| rest.strip_prefix('/')) {
        return Some(Place::workspace(below));
    }
    let is_of_headers = folder.split('/').any(|part| matches!(part, "include" | "inc" | "Headers"));
    is_of_headers.then(|| Place::installed(folder))
}

impl Commands {
    fn of(bytes: &[u8]) -> Self {
        let entries: Vec<Value> = serde_json::from_slice(bytes).unwrap_or_default();
        let mut commands = Self::default();
        for entry in &entries {
            commands.entry(entry);
        }
        commands
    }

    fn entry(&mut self, entry: &Value) {
        let text = |key: &str| entry.get(key).and_then(Value::as_str);
        let Some(directory) = text("directory") else { return };
        if let Some(file) = text("file").and_then(|file| absolute(directory, file))
            && self.files.len() < ASKED
        {
            self.files.push(file);
        }
        let arguments: Vec<&str> = match entry.get("arguments").and_then(Value::as_array) {
            Some(list) => list.iter().filter_map(Value::as_str).collect(),
            None => text("command").unwrap_or_default().split_whitespace().collect(),
        };
        for folder in named(&arguments).filter_map(|folder| absolute(directory, folder)) {
            if self.folders.len() < MOST_FOLDERS && !self.folders.contains(&folder) {
                self.folders.push(folder);
            }
        }
    }
}

/// The folders that arguments name, `-Ifolder` or `-I folder`.
fn named<'a>(arguments: &'a [&'a str]) -> impl Iterator<Item = &'a str> {
    arguments.iter().enumerate().filter_map(|(at, argument)| {
        let argument = argument.trim_matches(['"', '\'']);
        let rest = FLAGS.iter().find_map(|flag| argument.strip_prefix(flag))?;
        let folder = if rest.is_empty() { arguments.get(at + 1).copied()? } else { rest };
        Some(folder.trim_matches(['"', '\'']))
    })
}

/// A path from a folder, without its dots; `None` when it leads above everything.
fn absolute(directory: &str, path: &str) -> Option<String> {
    let start = if path.starts_with('/') { "" } else { directory };
    let joined = joined(&Place { area: Area::Installed, path: start.to_owned() }, path)?;
    let path = joined.path.trim_end_matches('/');
    Some(if path.starts_with('/') { path.to_owned() } else { format!("/{path}") })
}

impl Keep for Commands {
    const TAG: u8 = 6;

    fn write(&self, to: &mut Writer) {
        to.texts(self.folders.iter());
        to.texts(self.files.iter());
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        Some(Self { folders: from.names()?, files: from.names()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_read_in_both_forms_of_a_command() {
        let text = r#"[
            {"directory": "/srv/p/build", "file": "../src/a.c",
             "command": "cc -I../gen -isystem /opt/x/include -I\"/srv/p/api\" -c ../src/a.c"},
            {"directory": "/srv/p", "file": "/srv/p/src/b.c",
             "arguments": ["cc", "-I", "gen", "-Iapi", "-DX=1"]}
        ]"#;
        let commands = Commands::of(text.as_bytes());
        assert_eq!(commands.folders, ["/srv/p/gen", "/opt/x/include", "/srv/p/api"]);
        assert_eq!(commands.files, ["/srv/p/src/a.c", "/srv/p/src/b.c"]);
        assert!(Commands::of(b"{ no list").folders.is_empty());
        let all = ["src/b.c".to_owned()];
        let root = root_of(&commands.files, &all).unwrap();
        assert_eq!(place_of("/srv/p/api", &root), Some(Place::workspace("api")));
        assert_eq!(place_of("/opt/x/include", &root), Some(Place::installed("/opt/x/include")));
        assert_eq!(place_of("/srv/secrets", &root), None);
    }
}
