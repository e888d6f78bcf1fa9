//! The cache between two processes, on a real workspace.
#![allow(clippy::disallowed_methods, clippy::unwrap_used, reason = "tests make files")]

use std::fs;
use std::time::{Duration, SystemTime};

use gatewright_model::{FileChange, FileMode, FileState, Intent, RequestedPath};
use gatewright_workspace::{Workspace, WorkspaceOptions};

use super::References;

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
        let change = FileChange {
            requested: RequestedPath::new("shop/desk.py"),
            before: None,
            after: Some(FileState::new(TEXT.as_bytes(), FileMode::REGULAR)),
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
    fs::write(&changed, "class Chair:\n    def zebra_of(self, x): pass\n").unwrap();
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
    fs::write(&changed, "class Chair:\n    def zebra_of(self, x): pass\n").unwrap();
    assert_eq!(place.missing_by(&references, now), 0, "the first question looks by itself");
    fs::remove_file(&changed).unwrap();
    references.look_ahead("shop/desk.py", &content, &place.workspace, now);
    let later = now + Duration::from_secs(60);
    assert_eq!(place.missing_by(&references, later), 1, "and so does a later one");
}
