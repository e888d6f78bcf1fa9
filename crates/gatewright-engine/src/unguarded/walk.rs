//! Every file under a directory, through the confined workspace, ignore files honoured.
//!
//! Links are not followed and `.git` is not entered. Ignore files are read like
//! any other file; the walk never touches the disk by itself.

use gatewright_model::{RequestedPath, TargetKind};
use gatewright_workspace::{DirEntry, Stamp, Survey, Workspace};
use ignore::gitignore::{Gitignore, GitignoreBuilder};

/// The most files that one walk visits.
const MAX_FILES: usize = 100_000;
/// The most of an ignore file that is read.
const IGNORE_LIMIT: u64 = 256 * 1024;
/// What runs code or widens trust inside of a repository's own directory.
const GIT_PLACES: &[&str] = &[".git/hooks", ".git/info"];
const IGNORE_FILES: [&str; 2] = [".gitignore", ".ignore"];
const GIT_FILES: &[&str] = &["config", "config.worktree"];

/// The files of a walk.
#[derive(Debug, Default)]
pub struct Walked {
    /// In order of their paths.
    pub files: Vec<WalkedFile>,
    /// Whether the walk stopped at its bound.
    pub is_cut: bool,
}

/// One file of a walk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WalkedFile {
    /// From the root.
    pub path: String,
    /// In bytes.
    pub size: u64,
    /// What tells whether it is still the same.
    pub stamp: Stamp,
}

/// The files under `start`, which is `""` for the root, whose names are wanted.
///
/// Of a file that is not wanted nothing is asked, which makes most of the time of a walk.
pub fn files_under(workspace: &Workspace, start: &str, is_wanted: &dyn Fn(&str) -> bool) -> Walked {
    files_entering(workspace, start, is_wanted, &mut |_| {})
}

/// The same, saying of each directory that it is about to be looked into.
pub fn files_entering(
    workspace: &Workspace,
    start: &str,
    is_wanted: &dyn Fn(&str) -> bool,
    enter: &mut dyn FnMut(&str),
) -> Walked {
    let rules = if start.is_empty() { Vec::new() } else { rules_above(workspace, start) };
    let mut walk = Walk { workspace, is_wanted, enter, rules, walked: Walked::default() };
    walk.visit(start);
    walk.walked
}

/// One file as a walk would find it that looks into its directory.
pub fn file_at(workspace: &Workspace, path: &str) -> Option<WalkedFile> {
    let file = glance(workspace, path)?;
    let is_left = is_ignored(&rules_above(workspace, path), path, false);
    (!is_left).then_some(file)
}

/// One file as it is now, whether or not ignore files leave it out.
pub fn glance(workspace: &Workspace, path: &str) -> Option<WalkedFile> {
    let (directory, name) = path.rsplit_once('/').unwrap_or((".", path));
    let survey = workspace.survey(&RequestedPath::new(directory), &|other| other == name).ok()?;
    let file = survey.files.into_iter().find(|file| file.name == name)?;
    Some(WalkedFile { path: path.to_owned(), size: file.size, stamp: file.stamp })
}

/// Whether a file says which others are left out.
pub fn is_ignore_file(name: &str) -> bool {
    IGNORE_FILES.contains(&name)
}

/// The rules of the directories above a path.
fn rules_above(workspace: &Workspace, path: &str) -> Vec<Gitignore> {
    let above = path.match_indices('/').map(|(index, _)| &path[..index]);
    let directories = std::iter::once("").chain(above);
    directories.flat_map(|directory| ignore_rules(workspace, directory)).collect()
}

/// Whether git leaves this path out, by itself or by a directory above it.
pub fn is_left_out(workspace: &Workspace, path: &str) -> bool {
    let mut rules = ignore_rules(workspace, "");
    for (at, _) in path.match_indices('/') {
        if is_ignored(&rules, &path[..at], true) {
            return true;
        }
        rules.extend(ignore_rules(workspace, &path[..at]));
    }
    is_ignored(&rules, path, false) || is_ignored(&rules, path, true)
}

/// The files of the whole tree, and those of git's own that run code.
pub fn watched_files(workspace: &Workspace) -> Walked {
    let mut walked = files_under(workspace, "", &|_| true);
    let mut add = |directory: &str, wanted: &dyn Fn(&str) -> bool| {
        let entries = workspace.read_dir(&RequestedPath::new(directory)).unwrap_or_default();
        let files = entries.into_iter().filter(|entry| entry.kind == TargetKind::Regular);
        walked.files.extend(files.filter(|entry| wanted(&entry.name)).map(|entry| WalkedFile {
            path: format!("{directory}/{}", entry.name),
            size: entry.size,
            stamp: entry.stamp,
        }));
    };
    add(".git", &|name| GIT_FILES.contains(&name));
    for place in GIT_PLACES {
        add(place, &|name| !name.ends_with(".sample"));
    }
    walked
}

struct Walk<'a> {
    workspace: &'a Workspace,
    is_wanted: &'a dyn Fn(&str) -> bool,
    enter: &'a mut dyn FnMut(&str),
    rules: Vec<Gitignore>,
    walked: Walked,
}

impl Walk<'_> {
    fn visit(&mut self, directory: &str) {
        (self.enter)(directory);
        let shown = if directory.is_empty() { "." } else { directory };
        let is_asked = |name: &str| is_ignore_file(name) || (self.is_wanted)(name);
        let surveyed = self.workspace.survey(&RequestedPath::new(shown), &is_asked);
        let Ok(Survey { directories, files }) = surveyed else { return };
        let depth = self.rules.len();
        self.rules.extend(rules_in(self.workspace, directory, &files));
        let mut files = files.into_iter().peekable();
        for name in directories {
            while let Some(file) = files.next_if(|file| file.name < name) {
                self.take(directory, file);
            }
            let path = join(directory, &name);
            if name != ".git" && !is_ignored(&self.rules, &path, true) && self.has_room() {
                self.visit(&path);
            }
        }
        files.for_each(|file| self.take(directory, file));
        self.rules.truncate(depth);
    }

    fn take(&mut self, directory: &str, file: DirEntry) {
        let path = join(directory, &file.name);
        let is_left = file.name == ".git" || is_ignored(&self.rules, &path, false);
        if !is_left && (self.is_wanted)(&file.name) && self.has_room() {
            self.walked.files.push(WalkedFile { path, size: file.size, stamp: file.stamp });
        }
    }

    fn has_room(&mut self) -> bool {
        let has_room = self.walked.files.len() < MAX_FILES;
        self.walked.is_cut |= !has_room;
        has_room
    }
}

/// The nearest rule that says anything decides.
fn is_ignored(rules: &[Gitignore], path: &str, is_directory: bool) -> bool {
    for matcher in rules.iter().rev() {
        let found = matcher.matched(path, is_directory);
        if !found.is_none() {
            return found.is_ignore();
        }
    }
    false
}

/// The rules of a directory.
fn ignore_rules(workspace: &Workspace, directory: &str) -> Vec<Gitignore> {
    let shown = if directory.is_empty() { "." } else { directory };
    let surveyed = workspace.survey(&RequestedPath::new(shown), &is_ignore_file);
    rules_in(workspace, directory, &surveyed.map(|survey| survey.files).unwrap_or_default())
}

/// The rules that the ignore files among these say. One that is a link is none, as git has it.
fn rules_in(workspace: &Workspace, directory: &str, files: &[DirEntry]) -> Vec<Gitignore> {
    let mut all = Vec::new();
    let is_there = |name: &str| files.iter().any(|file| file.name == name);
    for name in IGNORE_FILES.into_iter().filter(|name| is_there(name)) {
        let path = RequestedPath::new(join(directory, name));
        let Ok(Some(state)) = workspace.read(&path, IGNORE_LIMIT) else { continue };
        let mut builder = GitignoreBuilder::new(directory);
        for line in String::from_utf8_lossy(&state.content).lines() {
            // A line that is no pattern is left out, as git does.
            let _ = builder.add_line(None, line);
        }
        all.extend(builder.build());
    }
    all
}

fn join(directory: &str, name: &str) -> String {
    if directory.is_empty() { name.to_owned() } else { format!("{directory}/{name}") }
}
