//! What to say of a path at which nothing is: the nearest names that are there.
//!
//! Only names that a listing would show as well are looked at, and only once the
//! path has failed. Nothing is opened in the place of what was asked for.

use gatewright_languages::references::nearest_names;
use gatewright_model::{RequestedPath, Resolution, TargetKind};
use gatewright_workspace::{ReadError, Workspace};

use crate::unguarded::files_under;
use crate::{Engine, EngineError};

/// The most names that are suggested.
const MOST: usize = 4;

impl Engine {
    /// The error for a path at which nothing is.
    pub fn missing(&self, path: &str) -> EngineError {
        EngineError::Missing { path: path.to_owned(), nearest: nearest(&self.workspace, path) }
    }

    /// The error for a directory that could not be listed.
    pub fn not_listed(&self, path: &str, source: ReadError) -> EngineError {
        match kind_of(&self.workspace, path) {
            Some(TargetKind::Absent) => self.missing(path),
            _ => EngineError::Read { path: path.to_owned(), source },
        }
    }

    /// The error with the nearest names, where it lacks them.
    pub(crate) fn with_nearest(&self, error: EngineError) -> EngineError {
        match error {
            EngineError::Missing { path, nearest } if nearest.is_empty() => self.missing(&path),
            error => error,
        }
    }
}

fn kind_of(workspace: &Workspace, path: &str) -> Option<TargetKind> {
    match workspace.facts(&RequestedPath::new(path)).resolution {
        Resolution::Inside(target) => Some(target.kind),
        Resolution::Failed(_) => None,
    }
}

/// The same path with the first part that is wrong spelt as something near it, and files of its
/// name in other places.
fn nearest(workspace: &Workspace, path: &str) -> Vec<String> {
    let parts: Vec<&str> = path.split('/').filter(|part| !matches!(*part, "" | ".")).collect();
    let Some(name) = parts.last() else { return Vec::new() };
    let mut found = respelt(workspace, &parts);
    let walked = files_under(workspace, "", &|other| other.eq_ignore_ascii_case(name));
    let mut elsewhere: Vec<String> = walked.files.into_iter().map(|file| file.path).collect();
    elsewhere.retain(|other| !found.contains(other));
    elsewhere.sort();
    found.extend(elsewhere);
    found.truncate(MOST);
    found
}

fn respelt(workspace: &Workspace, parts: &[&str]) -> Vec<String> {
    let mut folder = String::new();
    for (index, part) in parts.iter().enumerate() {
        let place = if folder.is_empty() { "." } else { folder.as_str() };
        let Ok(entries) = workspace.read_dir(&RequestedPath::new(place)) else { break };
        let names = || entries.iter().map(|entry| entry.name.as_str());
        if names().any(|name| name == *part) {
            folder = joined(&folder, part);
            continue;
        }
        let rest = &parts[index + 1..];
        let mut found: Vec<String> = nearest_names(part, names())
            .iter()
            .map(|name| {
                let near = joined(&folder, name);
                let whole = rest.iter().fold(near.clone(), |path, part| joined(&path, part));
                let is_there =
                    kind_of(workspace, &whole).is_some_and(|it| it != TargetKind::Absent);
                if is_there { whole } else { near }
            })
            .collect();
        // What holds the rest of the path as well is meant more likely.
        found.sort_by_key(|path| std::cmp::Reverse(path.split('/').count()));
        return found;
    }
    Vec::new()
}

fn joined(folder: &str, name: &str) -> String {
    if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") }
}
