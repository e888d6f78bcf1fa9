//! Paths as hosts write them, turned into paths of the workspace by their spelling alone.
//!
//! Only an absolute path under the root becomes relative. Every other path is
//! passed on as it is, so that the write guard sees it and refuses it.

use std::path::Path;

use gatewright_model::RequestedPath;

/// Where an agent stands in the workspace.
#[derive(Debug, Clone)]
pub struct Place {
    /// The root, as the kernel names it and as the user did.
    roots: Vec<String>,
    /// What stands before a relative path: a directory with a slash at its end, or nothing.
    before: String,
}

impl Place {
    /// The place of an agent that works in `cwd`; every one of `roots` names the workspace.
    pub fn new(roots: &[&Path], cwd: Option<&str>) -> Self {
        let spell = |root: &&Path| root.to_string_lossy().trim_end_matches('/').to_owned();
        let place = Self { roots: roots.iter().map(spell).collect(), before: String::new() };
        match cwd {
            Some(cwd) if cwd.starts_with('/') => place.entering(cwd),
            _ => place,
        }
    }

    /// The place after `cd directory`.
    pub fn entering(&self, directory: &str) -> Self {
        let path = self.requested(directory);
        let parts = path.as_str().split('/').filter(|part| !matches!(*part, "" | "."));
        let mut before = parts.fold(String::new(), |before, part| before + part + "/");
        if path.as_str().starts_with('/') {
            before.insert(0, '/');
        }
        Self { roots: self.roots.clone(), before }
    }

    /// Whether relative paths start at the root.
    pub fn is_at_root(&self) -> bool {
        self.before.is_empty()
    }

    /// Whether relative paths start outside of the workspace, by their spelling.
    pub fn is_outside(&self) -> bool {
        self.before.starts_with('/') || self.before.split('/').any(|part| part == "..")
    }

    /// The folder that relative paths start at; `None` for the root.
    pub fn folder(&self) -> Option<RequestedPath> {
        let folder = self.before.trim_end_matches('/');
        (!self.before.is_empty()).then(|| RequestedPath::new(folder))
    }

    /// The path as the engine takes it.
    pub fn requested(&self, path: &str) -> RequestedPath {
        if !path.starts_with('/') {
            let path = path.strip_prefix("./").unwrap_or(path);
            let joined = format!("{}{path}", self.before);
            return RequestedPath::new(joined);
        }
        match self.roots.iter().find_map(|root| below(root, path)) {
            Some("") => RequestedPath::new("."),
            Some(below) => RequestedPath::new(below),
            None => RequestedPath::new(path),
        }
    }
}

fn below<'a>(root: &str, path: &'a str) -> Option<&'a str> {
    let rest = path.strip_prefix(root)?;
    if rest.is_empty() {
        return Some("");
    }
    rest.strip_prefix('/').map(|rest| rest.trim_start_matches('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_paths_under_the_root_become_relative() {
        let roots = [Path::new("/ws/a"), Path::new("/alias")];
        let place = Place::new(&roots, Some("/ws/a/sub"));
        let table = [
            ("/ws/a/x.txt", "x.txt"),
            ("/ws/a//x.txt", "x.txt"),
            ("/alias/x.txt", "x.txt"),
            ("/ws/ab/x.txt", "/ws/ab/x.txt"),
            ("/ws/a/../b", "../b"),
            ("x.txt", "sub/x.txt"),
            ("./x.txt", "sub/x.txt"),
            ("../x.txt", "sub/../x.txt"),
        ];
        for (given, expected) in table {
            assert_eq!(place.requested(given).as_str(), expected, "{given}");
        }
    }

    #[test]
    fn what_is_relative_to_a_directory_outside_stays_outside() {
        let place = Place::new(&[Path::new("/ws/a")], Some("/elsewhere"));
        assert_eq!(place.requested("x").as_str(), "/elsewhere/x");
        assert_eq!(place.entering("/ws/a/b/./c").requested("d").as_str(), "b/c/d");
        assert_eq!(place.entering("/ws/a/b").entering("..").requested("d").as_str(), "b/../d");
    }
}
