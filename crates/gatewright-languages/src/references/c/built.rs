//! Headers that a build makes, told by their names and by what git ignores.

use crate::references::session::{Place, Session};

/// How the files end that are mostly included; others are made for one project, by its build.
const USUAL: [&str; 24] = [
    "h", "hh", "hpp", "hxx", "h++", "H", "inc", "inl", "ipp", "ixx", "tcc", "tpp", "txx", "c",
    "cc", "cpp", "cxx", "C", "def", "m", "cu", "cuh", "ino", "xpm",
];

/// Whether a file that is included and not there is one that a build makes.
pub(super) fn is_built(session: &Session<'_>, from: &Place, name: &str) -> bool {
    name == "config.h" || is_odd(name) || is_ignored(session, from, name)
}

/// Whether a name ends like no header.
fn is_odd(name: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(_, end)| !USUAL.contains(&end))
}

/// Whether git ignores files of that name, in a folder around the file that includes one.
fn is_ignored(session: &Session<'_>, from: &Place, name: &str) -> bool {
    let folders = std::iter::successors(from.parent(), Place::parent);
    let mut ignored = folders.filter_map(|folder| session.text(&folder.join(".gitignore").path));
    ignored.any(|text| {
        let patterns = text.lines().map(str::trim).filter(|line| !line.starts_with(['#', '!']));
        patterns.filter_map(|pattern| pattern.rsplit('/').next()).any(|pattern| {
            let end = pattern.strip_prefix('*').filter(|end| !end.contains('*'));
            pattern == name || end.is_some_and(|end| !end.is_empty() && name.ends_with(end))
        })
    })
}
