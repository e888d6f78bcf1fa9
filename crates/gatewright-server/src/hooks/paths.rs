//! Paths as hosts write them, turned into paths of the workspace by their spelling alone.
//!
//! Only an absolute path under the root becomes relative. Every other path is
//! passed on as it is, so that the write guard sees it and refuses it. Hosts
//! take some spellings for more than a name: `file:` addresses, a tilde.

use std::path::Path;

use gatewright_model::RequestedPath;

/// Where an agent stands in the workspace.
#[derive(Debug, Clone)]
pub struct Place {
    /// The root, as the kernel names it and as the user did.
    roots: Vec<String>,
    /// What stands before a relative path: a directory with a slash at its end, or nothing.
    before: String,
    /// The user's home.
    home: Option<String>,
}

impl Place {
    /// The place of an agent that works in `cwd`; every one of `roots` names the workspace.
    pub fn new(roots: &[&Path], home: Option<&Path>, cwd: Option<&str>) -> Self {
        let spell = |root: &&Path| root.to_string_lossy().trim_end_matches('/').to_owned();
        let (roots, home) = (roots.iter().map(spell).collect(), home.as_ref().map(spell));
        let place = Self { roots, before: String::new(), home };
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
        Self { before, ..self.clone() }
    }

    /// The user's home.
    pub fn home(&self) -> Option<&str> {
        self.home.as_deref()
    }

    /// The path that a tool's input names, as its host takes it.
    pub fn named(&self, path: &str) -> Result<RequestedPath, String> {
        let bare = path.trim_start();
        if let Some(address) = bare.strip_prefix("file:") {
            let local = address.strip_prefix("//localhost").unwrap_or(address);
            let local = local.trim_start_matches('/');
            return Ok(self.requested(&format!("/{}", decoded(local))));
        }
        if let Some((scheme, _)) = bare.split_once("://") {
            let is_scheme = scheme.len() > 1
                && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c));
            if is_scheme {
                return Err(format!("it names a {scheme} address and no file of this workspace"));
            }
        }
        match below_home(bare) {
            Some(rest) if rest.starts_with('~') => Ok(RequestedPath::new(format!("/{rest}"))),
            Some(rest) => {
                let home = self.home.as_deref().unwrap_or("/~");
                Ok(self.requested(&format!("{home}{rest}")))
            }
            // Hosts may trim what stands before an absolute path.
            None if bare.starts_with('/') => Ok(self.requested(bare)),
            None => Ok(self.requested(path)),
        }
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

/// What stands behind a spelling of somebody's home.
fn below_home(path: &str) -> Option<&str> {
    const SPELLINGS: &[&str] = &["~", "$HOME", "${HOME}", "%USERPROFILE%", "%HOME%", "$env:HOME"];
    let is_end = |rest: &&str| rest.is_empty() || rest.starts_with(['/', '\\']);
    let own = SPELLINGS.iter().find_map(|home| path.strip_prefix(home).filter(is_end));
    // Somebody else's home is outside all the same.
    own.or_else(|| {
        let (name, _) = path.strip_prefix('~')?.split_once('/')?;
        let is_name = name.chars().all(|c| c.is_ascii_alphanumeric() || "_-".contains(c));
        is_name.then_some(path)
    })
}

/// The text of an address without its percent signs.
fn decoded(address: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = address.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let code = after.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
        let code = code.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        match code.filter(|_| *first == b'%') {
            Some(code) => {
                bytes.push(code);
                rest = &after[2..];
            }
            None => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
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
        let place = Place::new(&roots, None, Some("/ws/a/sub"));
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
        let place = Place::new(&[Path::new("/ws/a")], None, Some("/elsewhere"));
        assert_eq!(place.requested("x").as_str(), "/elsewhere/x");
        assert_eq!(place.entering("/ws/a/b/./c").requested("d").as_str(), "b/c/d");
        assert_eq!(place.entering("/ws/a/b").entering("..").requested("d").as_str(), "b/../d");
    }

    #[test]
    fn spellings_that_hosts_take_for_more_than_a_name_are_known() {
        let place = Place::new(&[Path::new("/h/u/ws")], Some(Path::new("/h/u")), None);
        let table = [
            ("file:///h/u/ws/a%20b.txt", "a b.txt"),
            ("file:///etc/passwd", "/etc/passwd"),
            ("file://localhost/etc/passwd", "/etc/passwd"),
            ("file:/etc/passwd", "/etc/passwd"),
            ("~/ws/x", "x"),
            ("~/.bashrc", "/h/u/.bashrc"),
            ("$HOME/.bashrc", "/h/u/.bashrc"),
            ("${HOME}/ws/x", "x"),
            ("~root/.bashrc", "/~root/.bashrc"),
            (" /etc/passwd", "/etc/passwd"),
            ("~$draft.docx", "~$draft.docx"),
            ("a/~/b", "a/~/b"),
        ];
        for (given, expected) in table {
            assert_eq!(place.named(given).unwrap().as_str(), expected, "{given}");
        }
        for given in ["vscode-remote://ssh/x", "https://example.org/x", "untitled://x"] {
            assert!(place.named(given).is_err(), "{given}");
        }
    }
}
