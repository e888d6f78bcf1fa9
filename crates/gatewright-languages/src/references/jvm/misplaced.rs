//! Imports of a class of the workspace from a package in which it is not.
//!
//! That other files name a class mostly says that it is there, made by a tool maybe. Not so
//! where a file of the workspace is named after it, that file lies in another package, and
//! nothing else takes the class from where the import looks for it.

use super::is_generated;
use super::project::{Project, is_source};
use crate::references::replaced::{bare, odd_part};
use crate::references::session::Place;
use crate::references::words;

/// How many files that are named after a class are opened.
const HOMES: usize = 8;

impl Project<'_> {
    /// Where a class really lies that is imported by a whole name under which there is none.
    pub(super) fn misplaced(&self, path: &str) -> Option<String> {
        let (package, name) = path.rsplit_once('.')?;
        if is_generated(path) || self.session.is_lost(name) || self.package(package).is_empty() {
            return None;
        }
        let home = self.home_of(name)?;
        let is_taken = self.is_known_word(path) || self.is_used_inside(package, name);
        (!is_taken).then(|| format!("{home}.{name}"))
    }

    /// The package of the workspace that has a class, and is called like a package that is not
    /// there but for one part which no build file names.
    pub(super) fn home_beside(&self, package: &str, name: &str) -> Option<String> {
        if package.split('.').count() < 3 {
            return None;
        }
        let is_beside = |home: &String| {
            odd_part(package, home).is_some_and(|(part, own)| {
                bare(part) != bare(own) && self.is_built_with(&[part]) != Some(true)
            })
        };
        self.homes_of(name).into_iter().find(is_beside)
    }

    /// The package of the file that is named after a class.
    fn home_of(&self, name: &str) -> Option<String> {
        self.homes_of(name).into_iter().next()
    }

    /// The packages of the files that are named after a class.
    fn homes_of(&self, name: &str) -> Vec<String> {
        let ends = [format!("/{name}.java"), format!("/{name}.kt")];
        let Some(files) = self.session.all_files() else { return Vec::new() };
        let of_name = files.iter().filter(|path| ends.iter().any(|end| path.ends_with(&**end)));
        let package = |path: &String| {
            let text = self.session.text(path)?;
            let line = text.lines().find_map(|line| line.trim().strip_prefix("package "))?;
            Some(line.trim_end_matches(';').trim().to_owned())
        };
        of_name.take(HOMES).filter_map(package).collect()
    }

    /// Whether a file of the package itself uses a class without saying where it lies.
    fn is_used_inside(&self, package: &str, name: &str) -> bool {
        let (plain, end) = (format!(".{name};"), format!(".{name}\n"));
        let is_user = |place: &Place| {
            let text = self.session.read(place).unwrap_or_default();
            let is_imported = [&plain, &end]
                .iter()
                .any(|import| memchr::memmem::find(&text, import.as_bytes()).is_some());
            words::contains(&text, name) && !is_imported
        };
        self.package(package).iter().any(|folder| {
            let folder = Place::workspace(&**folder);
            let listing = self.session.list(&folder);
            let mut files = listing.files.iter().filter(|file| is_source(file));
            files.any(|file| is_user(&folder.join(file)))
        })
    }
}
