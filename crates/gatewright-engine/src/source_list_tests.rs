//! The list that is kept against a walk, after whatever may happen to a tree.
#![allow(clippy::disallowed_methods, clippy::unwrap_used, reason = "tests make files")]

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use gatewright_testkit::{Random, cases, seed};
use gatewright_workspace::{Workspace, WorkspaceOptions};

use super::{GOOD_FOR, SourceList, Sources, is_source};
use crate::unguarded::files_under;

const FOLDERS: [&str; 6] = ["", "a", "a/b", "a/b/c", "d", "d.py"];
const NAMES: [&str; 8] =
    ["x.py", "y.py", "z.rs", "made.go", "notes.md", "app.ts", ".gitignore", ".ignore"];
const RULES: [&str; 7] = ["*.py\n", "b\n", "/a\n!x.py\n", "made.*\n", "x.py/\n", "!*.py\n", "\n"];

fn any<'a>(random: &mut Random, texts: &[&'a str]) -> &'a str {
    texts[random.below(texts.len())]
}

struct Place {
    folder: tempfile::TempDir,
    workspace: Workspace,
    list: SourceList,
}

impl Place {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("root")).unwrap();
        let options =
            WorkspaceOptions::new(folder.path().join("root"), folder.path().join("state"));
        let list = SourceList::default();
        list.keep();
        Self { workspace: Workspace::open(options).unwrap(), folder, list }
    }

    fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join("root").join(path)
    }

    fn kept(&self, under: &str, now: SystemTime) -> Sources {
        self.list.under(&self.workspace, under, now)
    }

    fn walked(&self, under: &str) -> Sources {
        Sources::walked(files_under(&self.workspace, under, &is_source))
    }

    /// Something happens, or fails to.
    fn happen(&self, random: &mut Random) {
        let folder = any(random, &FOLDERS[1..]);
        let place =
            |random: &mut Random| self.path(any(random, &FOLDERS)).join(any(random, &NAMES));
        let (file, other) = (place(random), place(random));
        let text = match file.extension() {
            None => any(random, &RULES).to_owned(),
            Some(_) => "x".repeat(random.below(5)),
        };
        let _ = match random.below(16) {
            0 => fs::create_dir_all(self.path(folder)),
            1 => fs::remove_dir_all(self.path(folder)),
            2 => fs::rename(self.path(folder), self.path(any(random, &FOLDERS))),
            3 => fs::rename(&file, self.folder.path().join("outside.py")),
            4 => fs::rename(self.folder.path().join("outside.py"), &file),
            5 => fs::remove_file(&file),
            6 => std::os::unix::fs::symlink("x.py", &file),
            7..10 => fs::rename(&file, &other),
            _ => fs::write(&file, text),
        };
    }
}

#[test]
fn the_list_is_what_a_walk_finds_whatever_happened() {
    let mut random = Random::new(seed());
    for _ in 0..cases(20) {
        let place = Place::new();
        FOLDERS.iter().for_each(|folder| fs::create_dir_all(place.path(folder)).unwrap());
        let (mut told, now) = (0, SystemTime::now());
        for _ in 0..60 {
            (0..random.below(4)).for_each(|_| place.happen(&mut random));
            let under = any(&mut random, &["", "", "a", "a/b", "d"]);
            let kept = place.kept(under, now);
            assert_eq!(kept.files(), place.walked(under).files(), "under {under:?}");
            told += u32::from(kept.is_told);
        }
        assert!(told > 20, "the list was kept at all: {told}");
    }
}

#[test]
fn what_is_not_told_is_found_after_a_while() {
    let place = Place::new();
    let now = SystemTime::now();
    fs::write(place.path("x.py"), "one").unwrap();
    fs::hard_link(place.path("x.py"), place.folder.path().join("other.py")).unwrap();
    let before = place.kept("", now).files().to_vec();
    fs::write(place.folder.path().join("other.py"), "another one").unwrap();
    let later = now + GOOD_FOR + Duration::from_secs(1);
    assert_ne!(place.kept("", later).files(), before);
    assert_eq!(place.kept("", later).files(), place.walked("").files());
}

#[test]
fn without_notice_every_question_walks() {
    let place = Place { list: SourceList::default(), ..Place::new() };
    fs::write(place.path("x.py"), "one").unwrap();
    assert!(!place.kept("", SystemTime::now()).is_told);
    assert_eq!(place.kept("", SystemTime::now()).files().len(), 1);
}
