//! Workspaces without a `go.mod`: their own path, by what their files import of each other.

use std::collections::HashMap;
use std::sync::Arc;

use super::super::session::{Place, Session};

/// How many files are asked for what they import.
const ASKED: usize = 300;
/// How much of a file is looked through: imports come first.
const HEAD: usize = 8 << 10;
/// Where tools from before modules list what a workspace needs.
const MANIFESTS: [&str; 7] = [
    "Gopkg.lock",
    "Gopkg.toml",
    "glide.lock",
    "glide.yaml",
    "Godeps/Godeps.json",
    "vendor/vendor.json",
    "Godeps",
];

/// The path under which the files of a workspace import each other.
pub(super) fn own_path(session: &Session<'_>) -> Option<Arc<String>> {
    let found = session.of_files("own path of go", || {
        let mut votes: HashMap<String, usize> = HashMap::new();
        let files = session.disk_files()?;
        let asked = files.iter().filter(|path| path.ends_with(".go") && !path.contains("vendor/"));
        for bytes in asked.take(ASKED).filter_map(|path| session.read_base(path)) {
            let text = String::from_utf8_lossy(&bytes[..bytes.len().min(HEAD)]);
            for own in imports(&text).filter_map(|path| around_folder(session, path)) {
                *votes.entry(own.to_owned()).or_default() += 1;
            }
        }
        let most = votes.into_iter().filter(|(_, count)| *count > 1);
        Some(most.max_by_key(|(path, count)| (*count, path.len())).map(|(path, _)| path))
    })?;
    found.as_ref().clone().map(Arc::new)
}

/// The paths of other hosts in quotes.
fn imports(text: &str) -> impl Iterator<Item = &str> {
    let quoted = text.split('"').skip(1).step_by(2);
    quoted.filter(|path| {
        path.split_once('/').is_some_and(|(host, _)| host.contains('.'))
            && path.chars().all(|c| c.is_ascii_graphic())
    })
}

/// What stands before the part of a path that is a folder of the workspace.
fn around_folder<'p>(session: &Session<'_>, path: &'p str) -> Option<&'p str> {
    let slashes = path.match_indices('/').map(|(at, _)| at);
    slashes.map(|at| (&path[..at], &path[at + 1..])).find_map(|(before, rest)| {
        let listing = session.list(&Place::workspace(rest));
        listing.files.iter().any(|name| name.ends_with(".go")).then_some(before)
    })
}

/// Whether the workspace lists a package; `None` where it has no list.
pub(super) fn is_listed(session: &Session<'_>, path: &str) -> Option<bool> {
    let parts: Vec<&str> = path.split('/').take(3).collect();
    let wanted = parts.join("/");
    let mut lists = MANIFESTS.iter().filter_map(|name| session.text(name)).peekable();
    lists.peek()?;
    Some(lists.any(|text| text.contains(&wanted)))
}
