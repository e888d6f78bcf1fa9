//! Fixture directories: `tests/cases/<area>/<NNN_what_it_shows>/`.
//!
//! | entry | meaning |
//! |---|---|
//! | `before/` | the workspace at the start; none is an empty one |
//! | `change` | what is proposed, in the form that the area's check reads |
//! | `policy.toml` | the configuration, when it is not the default |
//! | `expected.txt` | what the check must return; none is the empty text |
//! | `after/` | the workspace at the end; none is that nothing changed |
//!
//! A component `dot_git` in `before/` and `after/` stands for `.git`, which git
//! does not keep. Modes are compared as git keeps them; empty directories are
//! not compared. With `GATEWRIGHT_BLESS=1` expectations are rewritten instead
//! of compared, and the difference is reviewed like code.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use crate::{EntryKind, Scratch, Tree};

/// One fixture directory.
#[derive(Debug, Clone)]
pub struct Case {
    directory: PathBuf,
}

impl Case {
    /// The name of the directory.
    pub fn name(&self) -> String {
        self.directory.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// The bytes of `change`; empty when there is none.
    pub fn change(&self) -> Vec<u8> {
        fs::read(self.directory.join("change")).unwrap_or_default()
    }

    /// The text of `change`.
    pub fn change_text(&self) -> String {
        String::from_utf8(self.change()).expect("the change is UTF-8")
    }

    /// The text of `policy.toml`; `None` when the default is meant.
    pub fn policy(&self) -> Option<String> {
        self.file("policy.toml")
    }

    /// The text of any further file of the case that an area needs.
    pub fn file(&self, name: &str) -> Option<String> {
        fs::read_to_string(self.directory.join(name)).ok()
    }

    fn tree(&self, name: &str) -> Option<Tree> {
        let directory = self.directory.join(name);
        directory.is_dir().then(|| {
            let mut tree = comparable(Tree::read(&directory));
            tree.entries = tree
                .entries
                .into_iter()
                .map(|(path, entry)| (rename(&path, "dot_git", ".git"), entry))
                .collect();
            tree
        })
    }
}

/// Runs `check` on every case of an area and compares what it returns and leaves.
///
/// Every failing case is shown before the panic. An area without a case is a
/// failure, because it means a wrong path.
///
/// ```no_run
/// gatewright_testkit::check_cases("tests/cases/apply", |case, scratch| {
///     format!("{} bytes proposed for {}", case.change().len(), scratch.root().display())
/// });
/// ```
pub fn check_cases(area: impl AsRef<Path>, check: impl Fn(&Case, &Scratch) -> String) {
    let cases = find_cases(area.as_ref());
    let bless = std::env::var_os("GATEWRIGHT_BLESS").is_some_and(|value| value != "0");
    let mut failures = Vec::new();
    for case in &cases {
        let scratch = Scratch::new();
        let before = case.tree("before").unwrap_or_default();
        unpack(&before, &scratch.root());
        let text = check(case, &scratch);
        let after = comparable(scratch.tree());
        if bless {
            write_expectations(case, &before, &text, &after);
        } else if let Err(difference) = compare(case, &before, &text, &after) {
            failures.push(format!("case {}\n{difference}", case.name()));
        }
    }
    assert!(
        failures.is_empty(),
        "{} of {} cases failed (GATEWRIGHT_BLESS=1 rewrites what they expect)\n\n{}",
        failures.len(),
        cases.len(),
        failures.join("\n\n"),
    );
}

fn find_cases(area: &Path) -> Vec<Case> {
    let entries = fs::read_dir(area)
        .unwrap_or_else(|error| panic!("cannot list the cases in {}: {error}", area.display()));
    let mut directories: Vec<PathBuf> = entries
        .map(|entry| entry.expect("a directory entry can be read").path())
        .filter(|path| path.is_dir())
        .collect();
    directories.sort();
    assert!(!directories.is_empty(), "{} holds no case", area.display());
    directories.into_iter().map(|directory| Case { directory }).collect()
}

fn compare(case: &Case, before: &Tree, text: &str, after: &Tree) -> Result<(), String> {
    let expected_text = case.file("expected.txt").unwrap_or_default();
    if text.trim_end() != expected_text.trim_end() {
        return Err(format!("--- expected.txt\n{expected_text}\n--- got\n{text}"));
    }
    let expected_tree = case.tree("after").unwrap_or_else(|| before.clone());
    if *after != expected_tree {
        return Err(format!("--- expected tree\n{expected_tree}\n--- got\n{after}"));
    }
    Ok(())
}

fn write_expectations(case: &Case, before: &Tree, text: &str, after: &Tree) {
    let expected = case.directory.join("expected.txt");
    if text.is_empty() {
        fs::remove_file(expected).ok();
    } else {
        let text = format!("{}\n", text.trim_end());
        fs::write(expected, text).expect("the expectation can be written");
    }
    let directory = case.directory.join("after");
    fs::remove_dir_all(&directory).ok();
    if after != before {
        let mut tree = after.clone();
        tree.entries = tree
            .entries
            .into_iter()
            .map(|(path, entry)| (rename(&path, ".git", "dot_git"), entry))
            .collect();
        unpack(&tree, &directory);
    }
}

fn comparable(tree: Tree) -> Tree {
    tree.with_git_modes().without_empty_directories()
}

fn rename(path: &str, from: &str, to: &str) -> String {
    let components = path.split('/').map(|part| if part == from { to } else { part });
    components.collect::<Vec<_>>().join("/")
}

fn unpack(tree: &Tree, root: &Path) {
    fs::create_dir_all(root).expect("a directory can be made");
    for (path, entry) in &tree.entries {
        let path = root.join(path);
        match &entry.kind {
            EntryKind::Directory => fs::create_dir_all(&path).expect("a directory can be made"),
            EntryKind::Link(target) => symlink(target, &path).expect("a link can be made"),
            EntryKind::Special => panic!("a fixture holds a special file: {}", path.display()),
            EntryKind::File(bytes) => {
                fs::write(&path, bytes).expect("a fixture file can be written");
                let permissions = fs::Permissions::from_mode(entry.mode);
                fs::set_permissions(&path, permissions).expect("the mode can be set");
            }
        }
    }
}
