//! What a shell would find on disk: patterns of file names, and texts that are read.

use super::word::{MOST_VALUES, Value};

/// The files around a command. Paths are spelt as the command spells them.
pub trait Tree {
    /// The user's home.
    fn home(&self) -> Option<String>;
    /// The root of the workspace.
    fn root(&self) -> String;
    /// The names in a directory.
    fn names(&self, directory: &str) -> Vec<String>;
    /// The text of a file.
    fn text(&self, path: &str) -> Option<String>;
}

/// A path below a directory; an absolute one stays.
pub fn join(directory: &str, path: &str) -> String {
    if directory.is_empty() || path.starts_with('/') {
        return path.to_owned();
    }
    format!("{}/{path}", directory.trim_end_matches('/'))
}

/// The files that a pattern stands for in a directory, as the pattern would spell them; `None`
/// where they are too many.
pub fn matches(tree: &dyn Tree, directory: &str, value: &Value) -> Option<Vec<String>> {
    let mut found = vec![if value.text.starts_with('/') { "/".to_owned() } else { String::new() }];
    for part in value.text.split('/').filter(|part| !part.is_empty()) {
        let is_pattern = part.contains(['*', '?', '[']);
        let mut next = Vec::new();
        for before in &found {
            let spelt = |name: &str| match before.as_str() {
                "" | "/" => format!("{before}{name}"),
                _ => format!("{before}/{name}"),
            };
            if !is_pattern {
                next.push(spelt(part));
                continue;
            }
            let here = join(directory, if before.is_empty() { "." } else { before });
            let names = tree.names(&here);
            next.extend(names.iter().filter(|name| fits(part, name)).map(|name| spelt(name)));
        }
        if next.len() > MOST_VALUES {
            return None;
        }
        found = next;
    }
    Some(found)
}

/// Whether a name fits a pattern. Names with a dot in front need one in the pattern.
fn fits(pattern: &str, name: &str) -> bool {
    if name.starts_with('.') && !pattern.starts_with(['.', '[']) {
        return false;
    }
    let glob = globset::GlobBuilder::new(pattern).literal_separator(true).build();
    glob.is_ok_and(|glob| glob.compile_matcher().is_match(name))
}
