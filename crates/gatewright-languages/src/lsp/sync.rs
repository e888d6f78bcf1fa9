//! Bringing a server to the project as it is now, before anything is asked of it.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use super::client::{AskError, Client, Link, Shown};
use super::project::Project;
use super::session::FileEvent;

/// What a server has been told of the files on disk.
#[derive(Debug, Default)]
pub struct Told {
    known: Option<BTreeMap<String, u64>>,
}

impl Told {
    /// What happened since the last look. The first look tells nothing: the server reads by itself.
    pub fn changes(&mut self, project: &Project) -> Vec<(String, FileEvent)> {
        let now: BTreeMap<String, u64> =
            project.files.iter().map(|(path, file)| (path.clone(), hash(&file.text))).collect();
        let Some(before) = self.known.replace(now) else { return Vec::new() };
        let now = self.known.as_ref().unwrap_or(&before);
        let came = now.iter().filter_map(|(path, hash)| match before.get(path) {
            None => Some((path.clone(), FileEvent::Created)),
            Some(old) if old != hash => Some((path.clone(), FileEvent::Changed)),
            Some(_) => None,
        });
        let went = before.keys().filter(|path| !now.contains_key(*path));
        came.chain(went.map(|path| (path.clone(), FileEvent::Deleted))).collect()
    }
}

fn hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

/// Tells what changed on disk, renews every open document, and opens `also`.
pub fn sync<L: Link>(
    client: &mut Client<L>,
    told: &mut Told,
    project: &Project,
    also: &[&str],
) -> Result<(), AskError> {
    client.announce(&told.changes(project))?;
    let open: Vec<String> = client.session().documents().paths().map(str::to_owned).collect();
    let gone: Vec<(String, FileEvent)> = open
        .iter()
        .filter(|path| !project.files.contains_key(*path))
        .map(|path| (path.clone(), FileEvent::Deleted))
        .collect();
    client.announce(&gone)?;
    let renewed = open.iter().map(String::as_str).chain(also.iter().copied());
    let shown: Vec<Shown> = renewed.filter_map(|path| project.shown(path)).collect();
    client.show(&shown)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lsp::project::ProjectFile;
    use crate::syntax::LanguageId;

    fn project(files: &[(&str, &str)]) -> Project {
        let file = |(path, text): &(&str, &str)| {
            let file = ProjectFile { language: LanguageId::Python, text: (*text).into() };
            ((*path).to_owned(), file)
        };
        Project { files: files.iter().map(file).collect() }
    }

    #[test]
    fn what_came_changed_and_went_is_told_once() {
        let mut told = Told::default();
        assert_eq!(told.changes(&project(&[("a.py", "1"), ("b.py", "1")])), []);
        let changes = told.changes(&project(&[("a.py", "2"), ("c.py", "1")]));
        let expected = [
            ("a.py".to_owned(), FileEvent::Changed),
            ("c.py".to_owned(), FileEvent::Created),
            ("b.py".to_owned(), FileEvent::Deleted),
        ];
        assert_eq!(changes, expected);
        assert_eq!(told.changes(&project(&[("a.py", "2"), ("c.py", "1")])), []);
    }
}
