//! Headers that a build makes, told by their names and by what git ignores.

use crate::references::session::{Place, Session};

/// How the files end that are mostly included; others are made for one project, by its build.
const USUAL: [&str; 24] = [
    "h", "hh", "hpp", "hxx", "h++", "H", "inc", "inl", "ipp", "ixx", "tcc", "tpp", "txx", "c",
    "cc", "cpp", "cxx", "C", "def", "m", "cu", "cuh", "ino", "xpm",
];

/// Whether a file that is included and not there is one that a build makes.
pub(super) fn is_built(session: &Session<'_>, from: &Place, path: &str) -> bool {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    name == "config.h" || is_odd(name) || is_ignored(session, from, folder, name)
}

/// Whether a name ends like no header.
fn is_odd(name: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(_, end)| !USUAL.contains(&end))
}

/// Whether git ignores files of that name, in a folder around the file that includes one.
fn is_ignored(session: &Session<'_>, from: &Place, folder: &str, name: &str) -> bool {
    let folders = std::iter::successors(from.parent(), Place::parent);
    let mut ignored = folders.filter_map(|folder| session.text(&folder.join(".gitignore").path));
    ignored.any(|text| {
        let patterns = text.lines().map(str::trim).filter(|line| !line.starts_with(['#', '!']));
        let mut patterns = patterns.map(|it| it.rsplit_once('/').unwrap_or(("", it)));
        patterns.any(|(inside, pattern)| {
            let end = pattern.strip_prefix('*').filter(|end| !end.contains('*'));
            let is_name =
                pattern == name || end.is_some_and(|end| !end.is_empty() && name.ends_with(end));
            is_name && may_lie_in(folder, inside)
        })
    })
}

/// Whether a header that is included from a folder may lie where a pattern looks for it.
fn may_lie_in(folder: &str, inside: &str) -> bool {
    let inside = inside.trim_start_matches('/');
    let folder = folder.trim_start_matches("../").trim_start_matches("./");
    let ends = |rest: &str| rest.is_empty() || rest.ends_with('/');
    if let Some((fixed, _)) = inside.split_once('*') {
        let last = fixed.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
        return folder.is_empty() || last.is_empty() || folder.split('/').any(|part| part == last);
    }
    folder.is_empty()
        || inside.is_empty()
        || inside.strip_suffix(folder).is_some_and(ends)
        || folder.strip_suffix(inside).is_some_and(ends)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_of_one_folder_says_nothing_of_others() {
        assert!(may_lie_in("", "src/forms") && may_lie_in("forms", "/src/forms"));
        assert!(may_lie_in("gui/forms", "forms") && may_lie_in("common", ""));
        assert!(may_lie_in("any", "**") && may_lie_in("gui/forms/main", "src/gui/forms/**"));
        assert!(!may_lie_in("common", "src/gui/forms/**"));
        assert!(!may_lie_in("common", "src/forms") && !may_lie_in("quick", "/src"));
    }
}
