//! Diffs that the real git makes, parsed and applied here, against its own
//! `git apply`.

#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::panic,
    reason = "tests build real trees, and fail by panicking"
)]

mod random;

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use gatewright_model::patch::{PatchOperation, apply_hunks, parse_unified};
use random::{Random, edited, for_cases, git, joined, output, text};

/// Content and whether it is executable, by path.
type Tree = BTreeMap<String, (Vec<u8>, bool)>;

const NAMES: [&str; 11] = [
    "plain.txt",
    "a/b/deep.rs",
    "a/x",
    "b/x",
    "with space.txt",
    "dir with space/f",
    "quote\"d",
    "back\\slash",
    "tab\there",
    "ünï.txt",
    "new\nline",
];

fn random_content(random: &mut Random, allow_empty: bool) -> Vec<u8> {
    let count = random.below(40) + usize::from(!allow_empty);
    let lines = text(random, count);
    // A NUL or invalid text would make git call the file binary or not; the
    // generator has neither NUL nor anything that git takes for binary.
    joined(random, &lines)
}

fn random_tree(random: &mut Random) -> Tree {
    let mut tree = Tree::new();
    for name in NAMES {
        if random.one_in(2) {
            tree.insert(name.to_owned(), (random_content(random, true), random.one_in(4)));
        }
    }
    tree
}

fn random_change(random: &mut Random, tree: &Tree) -> Tree {
    let mut changed = tree.clone();
    for (name, (content, executable)) in tree {
        match random.below(7) {
            0 => drop(changed.remove(name)),
            1 => {
                let target = random.pick(&NAMES);
                let state = changed.remove(name).unwrap();
                changed.insert(target.to_owned(), state);
            }
            2 => drop(changed.insert(name.clone(), (content.clone(), !executable))),
            3 => {}
            _ => {
                let lines: Vec<Vec<u8>> =
                    content.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
                let lines = edited(random, &lines);
                let content = joined(random, &lines);
                changed.insert(name.clone(), (content, *executable));
            }
        }
    }
    let created = random.pick(&NAMES).to_owned();
    let content = random_content(random, true);
    changed.entry(created).or_insert((content, random.one_in(2)));
    changed
}

fn write_tree(root: &Path, tree: &Tree) {
    for entry in fs::read_dir(root).unwrap().map(Result::unwrap) {
        let path = entry.path();
        if entry.file_name() == ".git" {
            continue;
        }
        let _ = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
    }
    for (name, (content, executable)) in tree {
        let path = root.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, content).unwrap();
        let mode = if *executable { 0o755 } else { 0o644 };
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
    }
}

fn read_tree(root: &Path) -> Tree {
    let mut tree = Tree::new();
    let mut directories = vec![root.to_owned()];
    while let Some(directory) = directories.pop() {
        for entry in fs::read_dir(directory).unwrap().map(Result::unwrap) {
            let path = entry.path();
            if entry.file_name() == ".git" {
                continue;
            }
            if path.is_dir() {
                directories.push(path);
                continue;
            }
            let name = path.strip_prefix(root).unwrap().to_str().unwrap().to_owned();
            let mode = fs::metadata(&path).unwrap().permissions().mode();
            tree.insert(name, (fs::read(&path).unwrap(), mode & 0o100 != 0));
        }
    }
    tree
}

/// Applies to the old tree: every operation reads it and writes a new one.
fn apply(before: &Tree, operations: &[PatchOperation]) -> Tree {
    let mut after = before.clone();
    let taken = |path: &str| before.get(path).unwrap_or_else(|| panic!("no file {path:?}"));
    for operation in operations {
        match operation {
            PatchOperation::Create { .. } => {}
            PatchOperation::Delete { path, hunks } => {
                assert_eq!(apply_hunks(&taken(path).0, hunks), Ok(Vec::new()));
                after.remove(path);
            }
            PatchOperation::Update { path, rename_to: Some(_), .. } => drop(after.remove(path)),
            PatchOperation::Update { .. } => {}
        }
    }
    for operation in operations {
        let (target, state) = match operation {
            PatchOperation::Create { path, content, executable } => {
                (path, (content.clone(), *executable))
            }
            PatchOperation::Delete { .. } => continue,
            PatchOperation::Update { path, rename_to, copy_from, hunks, executable } => {
                let (content, mode) = taken(copy_from.as_ref().unwrap_or(path));
                let content = apply_hunks(content, hunks).unwrap();
                (rename_to.as_ref().unwrap_or(path), (content, executable.unwrap_or(*mode)))
            }
        };
        after.insert(target.clone(), state);
    }
    after
}

#[test]
fn diffs_of_git_give_the_tree_that_git_apply_gives() {
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path().join("root");
    fs::create_dir(&root).unwrap();
    output(git(&root).args(["init", "--quiet"]));
    for_cases(12, |random| {
        let before = random_tree(random);
        let after = random_change(random, &before);
        let mut trees = Vec::new();
        for tree in [&after, &before] {
            write_tree(&root, tree);
            output(git(&root).args(["add", "--all", "--force"]));
            let name = output(git(&root).arg("write-tree"));
            trees.push(String::from_utf8(name).unwrap().trim().to_owned());
        }
        let prefix = *random.pick(&[&"--src-prefix=a/", &"--no-prefix", &"--src-prefix=i/"]);
        let quote = *random.pick(&[&"core.quotePath=true", &"core.quotePath=false"]);
        let target = if prefix.ends_with("i/") { "--dst-prefix=w/" } else { "--full-index" };
        let mut command = git(&root);
        command.args(["-c", quote, "diff", "--text", "-M", "-C", "--find-copies-harder"]);
        let diff = output(command.args([prefix, target, &trees[1], &trees[0]]));
        if diff.is_empty() {
            return;
        }
        let operations = parse_unified(&diff).unwrap();
        assert_eq!(apply(&before, &operations), after, "{}", String::from_utf8_lossy(&diff));
        let patch = directory.path().join("patch");
        fs::write(&patch, &diff).unwrap();
        let strip = if prefix == "--no-prefix" { "-p0" } else { "-p1" };
        output(git(&root).args(["apply", "--whitespace=nowarn", strip]).arg(&patch));
        assert_eq!(read_tree(&root), after);
    });
}
