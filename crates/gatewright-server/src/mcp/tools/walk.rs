//! Every file under a directory, through the confined workspace, ignore files honoured.
//!
//! Links are not followed and `.git` is not entered. Ignore files are read like
//! any other file; the walk never touches the disk by itself.

use gatewright_engine::Engine;
use gatewright_model::{RequestedPath, TargetKind};
use ignore::gitignore::{Gitignore, GitignoreBuilder};

/// The most files that one walk visits.
const MAX_FILES: usize = 100_000;
/// The most of an ignore file that is read.
const IGNORE_LIMIT: u64 = 256 * 1024;

/// The files of a walk.
pub struct Walked {
    /// Paths from the root, in order.
    pub files: Vec<String>,
    /// Whether the walk stopped at its bound.
    pub is_cut: bool,
}

/// The files under `start`, which is `""` for the root.
pub fn files_under(engine: &Engine, start: &str) -> Walked {
    let mut walked = Walked { files: Vec::new(), is_cut: false };
    let mut rules = Vec::new();
    if !start.is_empty() {
        let above = start.match_indices('/').map(|(index, _)| &start[..index]);
        for directory in std::iter::once("").chain(above) {
            rules.extend(ignore_rules(engine, directory));
        }
    }
    visit(engine, start, &mut rules, &mut walked);
    walked
}

fn visit(engine: &Engine, directory: &str, rules: &mut Vec<Gitignore>, walked: &mut Walked) {
    let shown = if directory.is_empty() { "." } else { directory };
    let Ok(entries) = engine.workspace().read_dir(&RequestedPath::new(shown)) else { return };
    let depth = rules.len();
    if entries.iter().any(|entry| matches!(entry.name.as_str(), ".gitignore" | ".ignore")) {
        rules.extend(ignore_rules(engine, directory));
    }
    for entry in entries {
        let path = join(directory, &entry.name);
        let is_directory = entry.kind == TargetKind::Directory;
        if entry.is_link || entry.name == ".git" || is_ignored(rules, &path, is_directory) {
            continue;
        }
        if walked.files.len() >= MAX_FILES {
            walked.is_cut = true;
            break;
        }
        match entry.kind {
            TargetKind::Directory => visit(engine, &path, rules, walked),
            TargetKind::Regular => walked.files.push(path),
            _ => {}
        }
    }
    rules.truncate(depth);
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

fn ignore_rules(engine: &Engine, directory: &str) -> Vec<Gitignore> {
    let mut all = Vec::new();
    for name in [".gitignore", ".ignore"] {
        let path = RequestedPath::new(join(directory, name));
        let Ok(Some(state)) = engine.workspace().read(&path, IGNORE_LIMIT) else { continue };
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
