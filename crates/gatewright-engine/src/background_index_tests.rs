//! The index that nobody asked for yet, on a real workspace.
#![allow(clippy::disallowed_methods, clippy::unwrap_used, reason = "tests make files")]

use std::fs;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use gatewright_model::{FileChange, FileMode, FileState, Intent, RequestedPath};

use crate::io::PrivateFile;
use crate::{Clock, Engine, EngineOptions, UserDirs};

/// An hour after the files were made, so that their stamps tell versions apart.
struct Later;

impl Clock for Later {
    fn now(&self) -> SystemTime {
        SystemTime::now() + Duration::from_secs(3600)
    }
}

struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    fn new() -> Self {
        let place = Self { folder: tempfile::tempdir().unwrap() };
        for number in 0..100 {
            place.put(&format!("shop/f{number}.py"), &format!("class Seen{number}: pass\n"));
        }
        place.put("made/out.py", "class Ignored: pass\n");
        place.put(".gitignore", "/made\n");
        place
    }

    fn put(&self, path: &str, text: &str) {
        let path = self.folder.path().join("root").join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// The engine of a process that starts now.
    fn engine(&self) -> Arc<Engine> {
        let folder = self.folder.path();
        let dirs = UserDirs { config: folder.join("config"), state: folder.join("s") };
        let options = EngineOptions::new(folder.join("root"), dirs, "tester".to_owned());
        Arc::new(Engine::open(EngineOptions { clock: Box::new(Later), ..options }).unwrap())
    }
}

/// How many names of a new file are missing.
fn missing(engine: &Engine) -> usize {
    let text = "class Desk:\n    def sell(self):\n        return self.zebra_of(1)\n";
    let change = FileChange {
        requested: RequestedPath::new("shop/desk.py"),
        before: None,
        after: Some(FileState::new(text.as_bytes(), FileMode::REGULAR)),
        renamed_from: None,
        intent: Intent::Create,
    };
    let facts = engine.references.facts(&[change], &engine.workspace, Later.now());
    facts.iter().map(|facts| facts.missing.len()).sum()
}

fn holds(bytes: &[u8], name: &str) -> bool {
    bytes.windows(name.len()).any(|window| window == name.as_bytes())
}

#[test]
fn what_it_takes_is_all_that_a_later_process_asks_for() {
    let place = Place::new();
    let engine = place.engine();
    engine.index_in_background().finish();
    let kept = fs::read(&engine.layout.references).unwrap();
    assert_eq!(missing(&engine), 1);
    assert_eq!(missing(&place.engine()), 1);
    assert_eq!(fs::read(&engine.layout.references).unwrap(), kept, "nothing was taken anew");
}

#[test]
fn of_files_that_git_ignores_the_words_are_taken_and_nothing_is_parsed() {
    let place = Place::new();
    let engine = place.engine();
    engine.index_in_background().finish();
    let kept = fs::read(&engine.layout.references).unwrap();
    assert!(holds(&kept, "Seen99") && !holds(&kept, "Ignored"));
    assert!(holds(&kept, "made/out.py"));
}

#[test]
fn another_process_waits_and_goes_on_from_what_the_first_one_kept() {
    let place = Place::new();
    let (first, second) = (place.engine(), place.engine());
    assert_eq!(missing(&second), 1, "no question waits");
    let lock = PrivateFile::try_locked(&first.layout.references_lock).unwrap().unwrap();
    let waiting = second.index_in_background();
    fs::remove_file(&first.layout.references).unwrap();
    std::thread::sleep(super::PAUSE * 2);
    assert!(!first.layout.references.exists(), "one at a time");
    first.index_references(&|_| ()).unwrap();
    let kept = fs::read(&first.layout.references).unwrap();
    drop(lock);
    waiting.finish();
    assert_eq!(fs::read(&first.layout.references).unwrap(), kept, "nothing was taken twice");
}

#[test]
fn it_rests_while_questions_come() {
    let place = Place::new();
    let engine = place.engine();
    let index = engine.index_in_background();
    for _ in 0..40 {
        let _ = engine.read_file(&RequestedPath::new("shop/f1.py"), "run").unwrap();
        assert!(!engine.layout.references.exists(), "somebody asks");
        std::thread::sleep(super::PAUSE / 4);
    }
    index.finish();
    assert!(engine.layout.references.exists());
}

#[test]
fn it_ends_with_the_value_that_began_it() {
    let place = Place::new();
    let engine = place.engine();
    let lock = PrivateFile::try_locked(&engine.layout.references_lock).unwrap();
    drop(engine.index_in_background());
    assert_eq!(Arc::strong_count(&engine), 1, "the thread is gone");
    drop(lock);
    assert!(!engine.layout.references.exists());
}
