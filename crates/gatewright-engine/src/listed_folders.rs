//! What the folders hold that questions list again and again, while the kernel tells of changes.
//!
//! A question about a file lists the folders of every module that it names. Of
//! a folder that is listed a second time what it holds is kept, until something
//! happens in it. Whoever uses this makes sure that everything is told that
//! happens in the folder and to those around it.

use std::collections::HashMap;
use std::sync::Arc;

use gatewright_languages::references::Entry;

/// How many names are kept at most.
const MOST_NAMES: usize = 20_000;

/// The folders of one look at the workspace.
#[derive(Debug, Default)]
pub(crate) struct ListedFolders {
    /// The number of the look.
    number: u64,
    /// How often something was told.
    told: u64,
    /// Whether something was missed since the look.
    is_lost: bool,
    names: usize,
    /// What they hold; `None` where that was asked for once.
    folders: HashMap<String, Option<Arc<[Entry]>>>,
}

/// When a folder began to be listed: what is told after that may not be in the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Since {
    number: u64,
    told: u64,
}

impl ListedFolders {
    /// What a folder holds, where that is known; else since when it may be listed.
    pub fn find(&mut self, number: u64, folder: &str) -> Result<Arc<[Entry]>, Since> {
        if number > self.number {
            *self = Self { number, ..Self::default() };
        }
        match self.folders.get(folder) {
            Some(Some(entries)) if number == self.number => Ok(Arc::clone(entries)),
            _ => Err(Since { number, told: self.told }),
        }
    }

    /// Keeps what a folder held, if it is listed a second time and nothing was told meanwhile.
    pub fn keep(&mut self, since: Since, folder: &str, entries: &[Entry]) {
        let is_now = since == Since { number: self.number, told: self.told };
        if !is_now || self.is_lost || self.names + entries.len() > MOST_NAMES {
            return;
        }
        match self.folders.get_mut(folder) {
            None => drop(self.folders.insert(folder.to_owned(), None)),
            Some(known) => {
                self.names += entries.len();
                *known = Some(entries.into());
            }
        }
    }

    /// Something happened to these files.
    pub fn forget<'a>(&mut self, paths: impl Iterator<Item = &'a str>) {
        for path in paths {
            self.told += 1;
            let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
            let known = self.folders.get_mut(folder).and_then(Option::take);
            self.names -= known.map_or(0, |entries| entries.len());
        }
    }

    /// Anything may have happened: nothing is known before the next look.
    pub fn lose(&mut self) {
        *self = Self { number: self.number, is_lost: true, ..Self::default() };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries(names: &[&str]) -> Vec<Entry> {
        let entry = |name: &&str| Entry { name: (*name).to_owned(), is_dir: false, stamp: None };
        names.iter().map(entry).collect()
    }

    /// Lists a folder as a question does; says whether it was known.
    fn list(folders: &mut ListedFolders, number: u64, folder: &str) -> bool {
        match folders.find(number, folder) {
            Ok(known) => {
                assert_eq!(*known, *entries(&["a.py"]));
                true
            }
            Err(since) => {
                folders.keep(since, folder, &entries(&["a.py"]));
                false
            }
        }
    }

    #[test]
    fn a_folder_that_is_listed_twice_is_known_until_something_happens_in_it() {
        let mut folders = ListedFolders::default();
        assert_eq!(
            [1, 1, 1, 1].map(|look| list(&mut folders, look, "")),
            [false, false, true, true]
        );
        assert_eq!([1, 1, 1].map(|look| list(&mut folders, look, "shop")), [false, false, true]);
        folders.forget(["shop/desk.py"].into_iter());
        assert!(list(&mut folders, 1, ""));
        assert_eq!([1, 1].map(|look| list(&mut folders, look, "shop")), [false, true]);
        folders.forget(["x.py"].into_iter());
        assert!(!list(&mut folders, 1, ""));
        assert_eq!(folders.names, 2);
    }

    #[test]
    fn another_look_starts_anew_and_an_older_one_knows_nothing() {
        let mut folders = ListedFolders::default();
        let _ = [3, 3].map(|look| list(&mut folders, look, ""));
        assert!(list(&mut folders, 3, ""));
        assert!(!list(&mut folders, 2, ""));
        assert!(list(&mut folders, 3, ""));
        assert!(!list(&mut folders, 4, ""));
        assert!(!list(&mut folders, 3, ""));
    }

    #[test]
    fn what_is_listed_while_something_happens_is_not_kept() {
        let mut folders = ListedFolders::default();
        assert!(!list(&mut folders, 1, ""));
        let since = folders.find(1, "").unwrap_err();
        folders.forget(["b.py"].into_iter());
        folders.keep(since, "", &entries(&["a.py"]));
        assert!(!list(&mut folders, 1, ""));
        folders.lose();
        assert_eq!([1, 1, 1].map(|look| list(&mut folders, look, "")), [false, false, false]);
        assert_eq!([2, 2, 2].map(|look| list(&mut folders, look, "")), [false, false, true]);
    }

    #[test]
    fn no_more_than_so_many_names_are_kept() {
        let mut folders = ListedFolders::default();
        let many = entries(&["a.py"; MOST_NAMES]);
        for _ in 0..2 {
            let since = folders.find(1, "shop").unwrap_err();
            folders.keep(since, "shop", &many);
        }
        assert!(folders.find(1, "shop").is_ok());
        assert_eq!([1, 1, 1].map(|look| list(&mut folders, look, "")), [false, false, false]);
    }
}
