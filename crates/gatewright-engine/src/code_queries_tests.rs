//! Symbols of a project over a real tree that others change meanwhile.
#![allow(clippy::disallowed_methods, clippy::unwrap_used, reason = "tests make files")]

use std::fs;
use std::path::PathBuf;

use crate::{Engine, EngineOptions, SymbolQuery, UserDirs};

struct Place {
    folder: tempfile::TempDir,
    engine: Engine,
}

impl Place {
    fn new(files: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("root")).unwrap();
        let dirs =
            UserDirs { config: folder.path().join("config"), state: folder.path().join("s") };
        let options = EngineOptions::new(folder.path().join("root"), dirs, "tester".to_owned());
        let place = Self { engine: Engine::open(options).unwrap(), folder };
        files.iter().for_each(|(path, text)| place.put(path, text));
        place
    }

    fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join("root").join(path)
    }

    fn put(&self, path: &str, text: &str) {
        fs::create_dir_all(self.path(path).parent().unwrap()).unwrap();
        fs::write(self.path(path), text).unwrap();
    }

    /// Where a name is found, as `file:line`.
    fn found(&self, name: &str, under: &str) -> Vec<String> {
        let (name, under) = (name.to_owned(), under.to_owned());
        let query = SymbolQuery { name, under, offset: 0, limit: 100 };
        let (found, _) = self.engine.find_symbols(&query, "run").unwrap();
        found.iter().map(|one| format!("{}:{}", one.file, one.row.first_line)).collect()
    }
}

#[test]
fn a_name_is_found_where_it_stands_now() {
    for stays in [false, true] {
        let place =
            Place::new(&[("shop/desk.py", "def widget():\n    pass\n"), ("b.py", "x = 1\n")]);
        if stays {
            place.engine.set_long_lived();
        }
        is_found_where_it_stands(&place);
    }
}

fn is_found_where_it_stands(place: &Place) {
    assert_eq!(place.found("widget", ""), ["shop/desk.py:1"]);
    // The same length, a moment later: neither size nor a coarse clock tells the two apart.
    place.put("shop/desk.py", "\ndef widget(): pass\n   ");
    assert_eq!(place.found("widget", ""), ["shop/desk.py:2"]);
    place.put("b.py", "class Widgets: pass\n");
    assert_eq!(place.found("widget", ""), ["b.py:1", "shop/desk.py:2"]);
    fs::remove_file(place.path("shop/desk.py")).unwrap();
    assert_eq!(place.found("widget", ""), ["b.py:1"]);
    place.put("shop/new/desk.rs", "fn widget() {}\n");
    assert_eq!(place.found("widget", ""), ["b.py:1", "shop/new/desk.rs:1"]);
    fs::rename(place.path("shop/new"), place.path("shop/newer")).unwrap();
    assert_eq!(place.found("widget", ""), ["b.py:1", "shop/newer/desk.rs:1"]);
    fs::rename(place.path("b.py"), place.path("shop/c.py")).unwrap();
    assert_eq!(place.found("widget", ""), ["shop/c.py:1", "shop/newer/desk.rs:1"]);
    place.put("shop/.gitignore", "/newer\n");
    assert_eq!(place.found("widget", ""), ["shop/c.py:1"]);
    assert_eq!(place.found("widget", "shop"), ["shop/c.py:1"]);
    place.put("shop/.gitignore", "c.py\n");
    assert_eq!(place.found("widget", ""), ["shop/newer/desk.rs:1"]);
    fs::remove_file(place.path("shop/.gitignore")).unwrap();
    assert_eq!(place.found("widget", ""), ["shop/c.py:1", "shop/newer/desk.rs:1"]);
    fs::write(place.path("shop/c.py"), "x = 1\n").unwrap();
    fs::write(place.path("shop/d.py"), "x = 1\n").unwrap();
    assert_eq!(place.found("widget", ""), ["shop/newer/desk.rs:1"]);
    fs::write(place.path("shop/d.py"), "widget = 1\n").unwrap();
    assert_eq!(place.found("widget", ""), ["shop/d.py:1", "shop/newer/desk.rs:1"]);
    fs::remove_dir_all(place.path("shop")).unwrap();
    assert!(place.found("widget", "").is_empty());
}

#[test]
fn a_file_written_by_another_name_is_not_shown_as_it_was() {
    let place = Place::new(&[("desk.py", "def widget():\n    pass\n"), ("b.py", "x = 1\n")]);
    place.engine.set_long_lived();
    let other = place.folder.path().join("other.py");
    fs::hard_link(place.path("desk.py"), &other).unwrap();
    assert_eq!(place.found("widget", ""), ["desk.py:1"]);
    fs::write(&other, "\n\ndef widget():\n    pass\n").unwrap();
    assert_eq!(place.found("widget", ""), ["desk.py:3"]);
}

#[test]
fn only_sources_that_are_not_ignored_are_looked_at() {
    let place = Place::new(&[
        ("a/desk.py", "def widget(): pass\n"),
        ("a.py", "def widget(): pass\n"),
        ("notes.md", "def widget(): pass\n"),
        ("a/.gitignore", "made.py\n/out\n"),
        ("a/made.py", "def widget(): pass\n"),
        ("a/out/made.go", "func widget() {}\n"),
        (".ignore", "*.gen.ts\n"),
        ("b/x.gen.ts", "function widget() {}\n"),
    ]);
    std::os::unix::fs::symlink("a", place.path("link")).unwrap();
    assert_eq!(place.found("widget", ""), ["a.py:1", "a/desk.py:1"]);
    assert_eq!(place.found("widget", "a"), ["a/desk.py:1"]);
    assert!(place.found("widget", "b").is_empty());
    // A directory that is asked for by its own name is looked into.
    assert_eq!(place.found("widget", "a/out"), ["a/out/made.go:1"]);
    let everything = place.engine.files_under("").files;
    let paths: Vec<&str> = everything.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(paths, [".ignore", "a/.gitignore", "a/desk.py", "a.py", "notes.md"]);
}
