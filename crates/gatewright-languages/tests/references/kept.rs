//! What one process took of the files, another one need not take again.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use gatewright_languages::references::{
    ChangedFile, Entry, Index, NoDependencies, SourceTree, Survey, reference_facts,
};

/// Files in one folder, with their stamps, and which of them were read.
struct Counting {
    files: BTreeMap<String, (u128, Arc<[u8]>)>,
    read: RefCell<Vec<String>>,
}

impl Counting {
    /// Very many files of a language that do not spell the name that is asked for.
    fn new(extension: &str) -> Self {
        let file = |number: u32| {
            let text = format!("other_{number} = {number}\n");
            (format!("f{number}.{extension}"), (u128::from(number) + 1, text.into_bytes().into()))
        };
        Self { files: (0..200).map(file).collect(), read: RefCell::default() }
    }

    fn put(&mut self, path: &str, stamp: u128, text: &str) {
        self.files.insert(path.to_owned(), (stamp, text.as_bytes().into()));
    }

    /// What is missing in a new file, and the files that were read for it.
    fn check(&self, index: &Index, path: &str, text: &str) -> (Vec<String>, Vec<String>) {
        self.read.borrow_mut().clear();
        let after = Some(Arc::from(text.as_bytes()));
        let change = ChangedFile { path: path.to_owned(), before: None, after };
        let facts = reference_facts(&[change], self, &NoDependencies, index).remove(0);
        (facts.missing.into_iter().map(|found| found.name).collect(), self.read.take())
    }
}

impl SourceTree for Counting {
    fn read(&self, path: &str) -> Option<Arc<[u8]>> {
        let (_, text) = self.files.get(path)?;
        self.read.borrow_mut().push(path.to_owned());
        Some(Arc::clone(text))
    }

    fn list(&self, directory: &str) -> Vec<Entry> {
        let entry = |(name, (stamp, _)): (&String, &(u128, Arc<[u8]>))| Entry {
            name: name.clone(),
            is_dir: false,
            stamp: Some(*stamp),
        };
        if directory.is_empty() { self.files.iter().map(entry).collect() } else { Vec::new() }
    }

    fn exists(&self, path: &str) -> bool {
        self.files.contains_key(path)
    }
}

/// A new file in each language whose resolver looks through the workspace, and what is missing.
const CASES: [(&str, &str, &str); 5] = [
    ("py", "class Desk:\n    def f(self):\n        return self.zebra_of(1)\n", "zebra_of"),
    ("rb", "class Desk\n  def sell\n    zebra_of(1)\n  end\nend\n", "zebra_of"),
    ("c", "int f(void)\n{\n    return zebra_of(1);\n}\n", "zebra_of"),
    ("kt", "package a\n\nfun f(): Int = zebraOf(1)\n", "zebraOf"),
    ("cs", "namespace A { class Desk { ZebraOf it; } }\n", "ZebraOf"),
];

#[test]
fn a_second_process_reads_no_file_that_did_not_change() {
    for (extension, text, name) in CASES {
        let tree = Counting::new(extension);
        let path = format!("new.{extension}");
        let first = Index::new();
        let (missing, read) = tree.check(&first, &path, text);
        assert_eq!(missing, [name], "{extension}");
        assert!(read.len() >= 200, "{extension}: the first one reads all, it read {}", read.len());
        let bytes = first.to_keep().unwrap();
        let second = Index::starting_from(move || Some(bytes));
        let (missing, read) = tree.check(&second, &path, text);
        assert_eq!(missing, [name], "{extension}");
        assert!(read.is_empty(), "{extension}: {read:?}");
        assert!(second.to_keep().is_none(), "{extension}: nothing came anew");
    }
}

#[test]
fn a_file_that_changed_between_two_processes_is_read_again() {
    for (extension, text, name) in CASES {
        let mut tree = Counting::new(extension);
        let path = format!("new.{extension}");
        let first = Index::new();
        tree.check(&first, &path, text);
        let bytes = first.to_keep().unwrap();
        let changed = format!("f7.{extension}");
        tree.put(&changed, 1_000, &definition(extension, name));
        let second = Index::starting_from(move || Some(bytes));
        let (missing, read) = tree.check(&second, &path, text);
        assert!(missing.is_empty(), "{extension}: {missing:?}");
        assert!(read.iter().all(|path| *path == changed), "{extension}: {read:?}");
    }
}

#[test]
fn what_is_taken_ahead_is_not_read_again_and_changes_no_answer() {
    for (extension, text, name) in CASES {
        let tree = Counting::new(extension);
        let path = format!("new.{extension}");
        let index = Index::new();
        let survey = Survey::of(&tree, &index).unwrap();
        assert_eq!(survey.count(), 200, "{extension}");
        (0..=survey.count()).for_each(|number| survey.take(number, &tree, &index));
        assert_eq!(tree.read.take().len(), 200, "{extension}: each file is read once");
        (0..survey.count()).for_each(|number| survey.take(number, &tree, &index));
        assert!(tree.read.take().is_empty(), "{extension}: nothing is taken twice");
        let (missing, read) = tree.check(&index, &path, text);
        assert_eq!(missing, [name], "{extension}");
        assert!(read.is_empty(), "{extension}: {read:?}");
    }
}

#[test]
fn a_python_file_that_is_imported_is_not_read_by_a_second_process() {
    let mut tree = Counting::new("py");
    tree.put("zoo.py", 7, "def zebra(): pass\n");
    let uses = "import zoo\nfrom f1 import other_1\nzoo.zebra()\nzoo.horse()\n";
    let first = Index::new();
    let survey = Survey::of(&tree, &first).unwrap();
    (0..survey.count()).for_each(|number| survey.take(number, &tree, &first));
    let bytes = first.to_keep().unwrap();
    let second = Index::starting_from(move || Some(bytes));
    let (missing, read) = tree.check(&second, "new.py", uses);
    assert_eq!(missing, ["horse"]);
    assert!(!read.iter().any(|path| path.ends_with(".py")), "{read:?}");
    tree.put("zoo.py", 8, "def horse(): pass\n");
    let (missing, _) = tree.check(&second, "new.py", uses);
    assert_eq!(missing, ["zebra"], "another stamp, another file");
}

#[test]
fn bytes_that_are_not_whole_change_no_answer() {
    let tree = Counting::new("py");
    let (_, text, name) = CASES[0];
    let first = Index::new();
    tree.check(&first, "new.py", text);
    let bytes = first.to_keep().unwrap();
    for damaged in [Vec::new(), bytes[..bytes.len() / 2].to_vec(), [&bytes[..], b"x"].concat()] {
        let second = Index::starting_from(move || Some(damaged));
        let (missing, read) = tree.check(&second, "new.py", text);
        assert_eq!(missing, [name]);
        assert!(read.len() >= 200);
    }
    let (missing, _) = tree.check(&Index::starting_from(|| None), "new.py", text);
    assert_eq!(missing, [name]);
}

/// A file that gives the name to the new one.
fn definition(extension: &str, name: &str) -> String {
    match extension {
        "py" => format!("class Chair(Desk):\n    def {name}(self, x):\n        return x\n"),
        "rb" => format!("class Desk\n  def {name}(x)\n  end\nend\n"),
        "c" => format!("int {name}(int x) {{ return x; }}\n"),
        "kt" => format!("package a\n\nfun {name}(x: Int): Int = x\n"),
        _ => format!("namespace A {{ class {name} {{ }} }}\n"),
    }
}

/// A file, what it defines, and a new file that uses that.
const DEFINED: [(&str, &str, &str, &str); 4] = [
    ("zoo.kt", "package a\n\nfun zebraOf(n: Int): Int = n\n", "new.kt", CASES[3].1),
    ("zoo.cs", "namespace A { class ZebraOf { } }\n", "new.cs", CASES[4].1),
    ("zoo.rb", "def zebra_of(n)\n  n\nend\n", "new.rb", CASES[1].1),
    ("zoo.py", "class Desk:\n    pass\n", "new.py", "import zoo\nzoo.Desk()\n"),
];

#[test]
fn a_removal_that_was_only_proposed_takes_nothing_away() {
    for (path, text, new, uses) in DEFINED {
        let extension = path.rsplit('.').next().unwrap();
        let mut tree = Counting::new(extension);
        tree.put(path, 7, text);
        let index = Index::new();
        let before = Some(Arc::from(text.as_bytes()));
        let removal = ChangedFile { path: path.to_owned(), before, after: None };
        let use_of_it = ChangedFile {
            path: new.to_owned(),
            before: None,
            after: Some(Arc::from(uses.as_bytes())),
        };
        let facts = reference_facts(&[removal, use_of_it], &tree, &NoDependencies, &index);
        assert!(!facts[1].missing.is_empty(), "{path}: it is missing with the removal");
        let (missing, _) = tree.check(&index, new, uses);
        assert!(missing.is_empty(), "{path}: {missing:?}");
    }
}
