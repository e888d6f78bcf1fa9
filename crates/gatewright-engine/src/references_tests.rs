//! The cache between two processes, on a real workspace.
#![allow(clippy::disallowed_methods, clippy::unwrap_used, reason = "tests make files")]

use std::fs;
use std::time::{Duration, SystemTime};

use gatewright_model::{FileChange, FileMode, FileState, Intent, RequestedPath};
use gatewright_workspace::{Workspace, WorkspaceOptions};

use super::References;

/// A class that builds on that of `TEXT` and has what is asked there.
const HEIR: &str = "class Chair(Desk):\n    def zebra_of(self, x): pass\n";
const TEXT: &str = "class Desk:\n    def sell(self):\n        return self.zebra_of(1)\n";

struct Place {
    folder: tempfile::TempDir,
    workspace: Workspace,
}

impl Place {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("root");
        fs::create_dir_all(root.join("shop")).unwrap();
        for number in 0..100 {
            fs::write(root.join(format!("shop/f{number}.py")), format!("x{number} = 1\n")).unwrap();
        }
        let options = WorkspaceOptions::new(&root, folder.path().join("state"));
        Self { workspace: Workspace::open(options).unwrap(), folder }
    }

    fn cache(&self) -> std::path::PathBuf {
        self.folder.path().join("references.cache")
    }

    /// How many names a process that starts now finds missing, with the clock at `time`.
    fn missing(&self, time: SystemTime) -> usize {
        self.missing_by(&References::new(Vec::new(), self.cache()), time)
    }

    fn missing_by(&self, references: &References, time: SystemTime) -> usize {
        self.missing_of(references, TEXT, time)
    }

    fn missing_of(&self, references: &References, text: &str, time: SystemTime) -> usize {
        let change = FileChange {
            requested: RequestedPath::new("shop/desk.py"),
            before: None,
            after: Some(FileState::new(text.as_bytes(), FileMode::REGULAR)),
            renamed_from: None,
            intent: Intent::Create,
        };
        let facts = references.facts(&[change], &self.workspace, time);
        facts.iter().map(|facts| facts.missing.len()).sum()
    }
}

#[test]
fn what_was_taken_of_files_is_kept_and_no_answer_gets_old() {
    let place = Place::new();
    let later = SystemTime::now() + Duration::from_secs(3600);
    assert_eq!(place.missing(later), 1);
    let kept = fs::read(place.cache()).unwrap();
    assert_eq!(place.missing(later), 1);
    assert_eq!(fs::read(place.cache()).unwrap(), kept, "nothing was taken anew");
    let changed = place.folder.path().join("root/shop/f7.py");
    fs::write(&changed, HEIR).unwrap();
    assert_eq!(place.missing(later), 0, "a file that changed is read again");
    fs::write(place.cache(), b"no cache at all").unwrap();
    assert_eq!(place.missing(later), 0);
    assert_ne!(fs::read(place.cache()).unwrap(), b"no cache at all", "it is made anew");
}

#[test]
fn a_file_that_changed_just_now_is_read_by_every_process() {
    let place = Place::new();
    let now = SystemTime::now();
    assert_eq!(place.missing(now), 1);
    let first = fs::read(place.cache()).unwrap();
    assert_eq!(place.missing(now + Duration::from_millis(1)), 1);
    assert_ne!(fs::read(place.cache()).unwrap(), first, "all of it was taken again");
}

#[test]
fn what_is_read_in_advance_answers_no_question() {
    let place = Place::new();
    let references = References::new(Vec::new(), place.cache());
    let now = SystemTime::now();
    let content = TEXT.as_bytes().into();
    references.look_ahead("shop/desk.py", &content, &place.workspace, now);
    let changed = place.folder.path().join("root/shop/f7.py");
    fs::write(&changed, HEIR).unwrap();
    assert_eq!(place.missing_by(&references, now), 0, "the first question looks by itself");
    fs::remove_file(&changed).unwrap();
    references.look_ahead("shop/desk.py", &content, &place.workspace, now);
    let later = now + Duration::from_secs(60);
    assert_eq!(place.missing_by(&references, later), 1, "and so does a later one");
}

fn write_chair(place: &Place, name: &str) -> std::path::PathBuf {
    let path = place.folder.path().join("root/shop").join(name);
    fs::write(&path, HEIR).unwrap();
    path
}

#[test]
fn what_others_write_is_known_at_once_and_without_another_look() {
    let place = Place::new();
    let references = References::new(Vec::new(), place.cache());
    references.watch();
    let now = SystemTime::now();
    assert_eq!(place.missing_by(&references, now), 1);
    let number = references.look.lock().unwrap().number;
    for (seconds, name) in [(0, "f7.py"), (1, "new.py"), (60, "f7.py"), (120, "other.py")] {
        let time = now + Duration::from_secs(seconds);
        let written = write_chair(&place, name);
        assert_eq!(place.missing_by(&references, time), 0, "{name} has it");
        fs::remove_file(&written).unwrap();
        assert_eq!(place.missing_by(&references, time), 1, "{name} is gone");
    }
    assert_eq!(references.look.lock().unwrap().number, number, "one look was enough");
}

#[test]
fn a_folder_is_listed_again_when_something_happens_in_it_and_not_before() {
    let place = Place::new();
    let references = References::new(Vec::new(), place.cache());
    references.watch();
    let text = "import shop.new\nimport shop.f7\n";
    let missing = || place.missing_of(&references, text, SystemTime::now());
    let is_known = |folder| {
        let number = references.look.lock().unwrap().number;
        references.folders().find(number, folder).is_ok()
    };
    assert_eq!([missing(), missing(), missing()], [1, 1, 1]);
    assert!(is_known("shop") && is_known(""));
    let new = place.folder.path().join("root/shop/new.py");
    fs::write(&new, "x = 1\n").unwrap();
    assert_eq!([missing(), missing(), missing()], [0, 0, 0], "it is there at once");
    assert!(is_known("shop"));
    fs::remove_file(&new).unwrap();
    assert_eq!(missing(), 1, "and gone at once");
    fs::rename(place.folder.path().join("root/shop"), place.folder.path().join("out")).unwrap();
    assert!(missing() > 1, "the folder itself is gone");
}

#[test]
fn a_folder_that_comes_or_goes_is_looked_at_as_a_whole() {
    let place = Place::new();
    let references = References::new(Vec::new(), place.cache());
    references.watch();
    let now = SystemTime::now();
    let missing = |second| place.missing_by(&references, now + Duration::from_secs(second));
    assert_eq!(missing(0), 1);
    let (outside, inside) = (place.folder.path().join("out"), place.folder.path().join("root/in"));
    fs::create_dir_all(outside.join("deep")).unwrap();
    fs::rename(write_chair(&place, "x.py"), outside.join("deep/x.py")).unwrap();
    assert_eq!(missing(0), 1, "it lies outside");
    fs::rename(&outside, &inside).unwrap();
    assert_eq!(missing(0), 0, "it came with its folder");
    fs::write(inside.join("deep/x.py"), "x = 1\n").unwrap();
    assert_eq!(missing(0), 1, "the new folder is watched too");
    fs::rename(write_chair(&place, "x.py"), inside.join("deep/x.py")).unwrap();
    assert_eq!(missing(0), 0);
    fs::rename(&inside, &outside).unwrap();
    assert_eq!(missing(1), 1, "it went with its folder");
}

#[test]
fn an_environment_that_comes_meanwhile_is_found() {
    let place = Place::new();
    let references = References::new(Vec::new(), place.cache());
    references.watch();
    let missing = |second| {
        let text = "import zebrapack\nzebrapack.zebra()\n";
        place.missing_of(&references, text, SystemTime::now() + Duration::from_secs(second))
    };
    assert_eq!(missing(0), 1);
    let packages = place.folder.path().join("root/.venv/lib/python3.12/site-packages");
    fs::create_dir_all(packages.join("zebrapack")).unwrap();
    fs::write(packages.join("zebrapack/__init__.py"), "def zebra(): pass\n").unwrap();
    fs::write(place.folder.path().join("root/.venv/pyvenv.cfg"), "version = 3.12\n").unwrap();
    assert_eq!(missing(1), 0, "it is installed now");
    fs::write(packages.join("zebrapack/__init__.py"), "def horse(): pass\n").unwrap();
    assert_eq!(missing(2), 1, "it lost a name");
}

#[test]
fn more_changes_than_are_told_one_by_one_are_seen_all_the_same() {
    let place = Place::new();
    let references = References::new(Vec::new(), place.cache());
    references.watch();
    let now = SystemTime::now();
    assert_eq!(place.missing_by(&references, now), 1);
    for number in 0..2_000 {
        fs::write(place.folder.path().join(format!("root/shop/g{number}.py")), "x = 1\n").unwrap();
    }
    write_chair(&place, "g1999.py");
    assert_eq!(place.missing_by(&references, now), 0);
}

#[test]
fn two_processes_that_write_the_cache_at_once_leave_one_that_is_whole() {
    let place = Place::new();
    let later = SystemTime::now() + Duration::from_secs(3600);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..10 {
                    let _ = fs::remove_file(place.cache());
                    assert_eq!(place.missing(later), 1);
                }
            });
        }
    });
    assert_eq!(place.missing(later), 1);
    let kept = fs::read(place.cache()).unwrap();
    assert_eq!(place.missing(later), 1);
    assert_eq!(fs::read(place.cache()).unwrap(), kept, "it was good");
}
