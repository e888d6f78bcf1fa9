//! Hostile and huge workspaces: an answer in bounded work, and never a wrong one.

use std::fmt::Write as _;

use std::sync::Arc;

use gatewright_languages::references::{
    ChangedFile, Dependencies, Ecosystem, Entry, Index, NoDependencies, SourceTree, reference_facts,
};

use crate::tree::{Tree, missing};

/// Folders in folders without end, as links make them.
struct Endless;

impl SourceTree for Endless {
    fn read(&self, _: &str) -> Option<Arc<[u8]>> {
        None
    }

    fn list(&self, _: &str) -> Vec<Entry> {
        ["a", "b"].map(|name| Entry { name: name.to_owned(), is_dir: true, stamp: None }).into()
    }

    fn exists(&self, _: &str) -> bool {
        false
    }
}

#[test]
fn folders_without_end_are_given_up_and_nothing_is_accused() {
    let text = "class A\n  def f\n    g(1)\n  end\nend\n";
    let change =
        ChangedFile { path: "a.rb".to_owned(), before: None, after: Some(text.as_bytes().into()) };
    let facts = reference_facts(&[change], &Endless, &NoDependencies, &Index::new()).remove(0);
    assert!(facts.missing.is_empty(), "{:?}", facts.missing);
}

/// Very many files in a few folders, and how many of them were read.
struct Many {
    folders: u64,
    read: std::cell::Cell<u64>,
}

/// How many files each folder has.
const IN_FOLDER: u64 = 1_000;

impl SourceTree for Many {
    fn read(&self, _: &str) -> Option<Arc<[u8]>> {
        self.read.set(self.read.get() + 1);
        Some(Arc::from(&b"x = 1\n"[..]))
    }

    fn list(&self, directory: &str) -> Vec<Entry> {
        let (name, count, is_dir) =
            if directory.is_empty() { ("d", self.folders, true) } else { ("f", IN_FOLDER, false) };
        let entry = |number: u64| {
            let end = if is_dir { "" } else { ".py" };
            Entry { name: format!("{name}{number}{end}"), is_dir, stamp: Some(1) }
        };
        (0..count).map(entry).collect()
    }

    fn exists(&self, _: &str) -> bool {
        true
    }
}

#[test]
fn a_workspace_of_many_files_is_looked_through_once() {
    let folders = gatewright_testkit::cases(5).min(50);
    let many = Many { folders, read: std::cell::Cell::new(0) };
    let index = Index::new();
    for _ in 0..3 {
        let text = "class A:\n    def f(self):\n        return self.zebra_of()\n";
        let after = Some(text.as_bytes().into());
        let change = ChangedFile { path: "d0/new.py".to_owned(), before: None, after };
        let facts = reference_facts(&[change], &many, &NoDependencies, &index).remove(0);
        assert_eq!(facts.missing.len(), 1);
    }
    let most = folders * IN_FOLDER + 100;
    assert!(many.read.get() <= most, "{} of {most} files were read", many.read.get());
}

/// How many lines the large files have; `GATEWRIGHT_CASES` makes them larger.
fn lines() -> u64 {
    gatewright_testkit::cases(20_000)
}

#[test]
fn imports_that_go_in_a_circle_end() {
    let tree = Tree::new(
        "--- a.py\nfrom b import *\nfrom b import one\n--- b.py\nfrom c import *\n\
         --- c.py\nfrom a import *\none = 1\n\
         --- x.h\n#include \"y.h\"\n--- y.h\n#include \"x.h\"\nint y(void);\n\
         --- m.ts\nexport * from './n';\n--- n.ts\nexport * from './m';\nexport const n = 1;\n",
    );
    let python = tree.write("main.py", "from a import one, two\n");
    assert!(!missing(&python).contains(&"1 import one".to_owned()));
    let c = tree.write("main.c", "#include \"x.h\"\nint f(void) { return y() + zebra_of(); }\n");
    assert_eq!(missing(&c), ["2 call zebra_of"]);
    let script = tree.write("main.ts", "import { n, o } from './m';\nn; o;\n");
    assert!(!missing(&script).contains(&"1 import n".to_owned()));
}

#[test]
fn half_written_code_is_answered_in_every_language() {
    let tree = Tree::new("--- a.py\nx = 1\n");
    let texts = [
        ("a1.py", "def f(:\n  self.\nimport\nfrom . import\nclass ("),
        ("a.ts", "import { from './x\nclass { this. new\nexport *"),
        ("a.go", "package\nimport (\nfunc (x *) f( {\n x.\n"),
        ("a.c", "#include\n#if\nint f( { a-> b. ; #endif\n#else"),
        ("a.cpp", "template < class { std:: this-> : :: ~ operator"),
        ("a.rb", "class\n def self.\n do |\n Foo:: \nrequire '"),
        ("A.java", "import java.;\nclass A extends { this. new ("),
        ("a.rs", "use ::{; impl for { self. fn ( -> ::<"),
        ("A.cs", "using ; namespace { class : { this. new ("),
    ];
    for (path, text) in texts {
        for end in 0..=text.len() {
            let _ = tree.write(path, &text[..end]);
        }
    }
}

#[test]
fn code_that_nests_without_end_is_not_checked_and_never_a_pass() {
    let chain = ".trim()".repeat(20_000);
    let texts = [
        ("a.rs", format!("fn f(x: String) {{\n    x{chain};\n}}\n")),
        ("a.ts", format!("export function f(x: string) {{\n  x{chain};\n}}\n")),
        ("a.rb", format!("def f(x)\n  x{chain}\nend\n")),
        ("A.cs", format!("class A {{ void F(string x) {{ x{chain}; }} }}\n")),
        ("a.cpp", format!("void f(S x) {{ x{chain}; }}\n")),
    ];
    let tree = Tree::new("--- real.h\nint real(int);\n");
    for (path, text) in texts {
        let found = tree.write(path, &text);
        assert!(found.missing.is_empty() && !found.complete, "{path}: {:?}", found.missing);
    }
}

#[test]
fn a_huge_generated_file_is_answered() {
    let tree = Tree::new("--- real.h\nint real(int);\n");
    let mut text = String::from("#include \"real.h\"\nint table(void) {\n");
    for line in 0..lines() {
        let _ = writeln!(text, "  real({line});");
    }
    text.push_str("  unreal(1);\n  return 0;\n}\n");
    let found = tree.write("table.c", &text);
    assert_eq!(found.missing.len(), 1);
    assert_eq!(found.missing[0].name, "unreal");
}

#[test]
fn a_huge_python_file_is_answered() {
    let tree = Tree::new("--- real.py\ndef real(x):\n    pass\n");
    let mut text = String::from("from real import real\n");
    for line in 0..lines() {
        let _ = writeln!(text, "x{line} = real({line})");
    }
    text.push_str("unreal(1)\n");
    let found = tree.write("table.py", &text);
    let names: Vec<&str> = found.missing.iter().map(|missing| missing.name.as_str()).collect();
    assert_eq!(names, ["unreal"]);
}

#[test]
fn what_one_check_cannot_look_through_is_said_and_the_next_check_goes_on() {
    let many = Many { folders: 61, read: std::cell::Cell::new(0) };
    let index = Index::new();
    let check = || {
        let before = many.read.get();
        let text = "class A:\n    def f(self):\n        return self.zebra_of()\n";
        let after = Some(text.as_bytes().into());
        let change = ChangedFile { path: "d0/new.py".to_owned(), before: None, after };
        let facts = reference_facts(&[change], &many, &NoDependencies, &index).remove(0);
        (facts.complete, facts.missing.len(), many.read.get() - before)
    };
    let (is_complete, missing, read) = check();
    assert_eq!((is_complete, missing), (false, 0), "not checked, and never a pass");
    assert!(read <= 60_100, "{read} files were read");
    let (is_complete, missing, read) = check();
    assert_eq!((is_complete, missing), (true, 1), "the rest was looked through");
    assert!(read <= 1_100, "{read} files were read again");
}

#[test]
fn a_workspace_with_too_many_files_to_search_is_never_accused() {
    let mut text = String::new();
    for number in 0..150_100 {
        let _ = writeln!(text, "--- d{}/f{number}.txt", number % 10);
    }
    text.push_str("--- lib.rb\nclass A\nend\n--- a.h\nint a(void);\n");
    let tree = Tree::new(&text);
    let c = tree.write("main.c", "#include \"a.h\"\nint f(void) { return a() + zebra_of(1); }\n");
    assert!(c.missing.is_empty() && !c.complete, "{:?}", c.missing);
    let ruby = tree.write("main.rb", "class B < A\n  def f\n    zebra_of(1)\n  end\nend\n");
    assert!(ruby.missing.is_empty() && !ruby.complete, "{:?}", ruby.missing);
    let python = tree.write("main.py", "x = 1\nprint(x)\n");
    assert!(python.complete, "what asks for no search is checked");
}

/// A workspace with one file that is too large to be read.
struct Unread {
    tree: Tree,
    large: &'static str,
}

impl SourceTree for Unread {
    fn read(&self, path: &str) -> Option<Arc<[u8]>> {
        if path == self.large { None } else { SourceTree::read(&self.tree, path) }
    }

    fn read_large(&self, path: &str) -> Option<Arc<[u8]>> {
        SourceTree::read(&self.tree, path)
    }

    fn list(&self, directory: &str) -> Vec<Entry> {
        SourceTree::list(&self.tree, directory)
    }

    fn exists(&self, path: &str) -> bool {
        self.tree.exists(path)
    }
}

#[test]
fn what_a_file_that_is_too_large_may_define_is_not_called_missing() {
    let cases = [
        ("gen.py", "a.py", "from gen import f1\nimport gen\nf1(1)\ngen.f2(2)\n"),
        ("gen.ts", "a.ts", "import { f1 } from './gen';\nexport const x = f1(1);\n"),
        ("gen/gen.go", "a.go", "package a\n\nimport \"big/gen\"\n\nvar x = gen.F1(1)\n"),
        ("gen.go", "a.go", "package a\n\nvar x = f1(1)\n"),
        (
            "src/gen.rs",
            "src/lib.rs",
            "mod gen;\nuse gen::f1;\npub fn x() -> u32 {\n    f1(1) + gen::f2(2)\n}\n",
        ),
        ("Gen.java", "A.java", "package a;\nclass A {\n  int x = Gen.f1(1);\n  Gen.Part y;\n}\n"),
        ("Gen.kt", "A.kt", "package a\n\nfun x(y: Part): Int {\n    return f1(1) + Gen.f2(2)\n}\n"),
        ("gen.h", "a.c", "#include \"gen.h\"\nint x(void) {\n  return f1(1);\n}\n"),
        ("gen.hpp", "a.cpp", "#include \"gen.hpp\"\nint x() {\n  return f1(1);\n}\n"),
        (
            "Gen.cs",
            "A.cs",
            "namespace A { class A {\n  int x() { return Gen.F1(1); }\n  Part y;\n} }\n",
        ),
        (
            "gen.rb",
            "a.rb",
            "require_relative 'gen'\nclass A\n  def x\n    Gen.f1(1)\n    f2(3)\n  end\nend\n",
        ),
    ];
    let project = "--- go.mod\nmodule big\n--- Cargo.toml\n[package]\nname = \"a\"\n--- package.json\n{}\n\
                   --- pom.xml\n<project/>\n--- a.csproj\n<Project/>\n--- Gemfile\n\n";
    for (large, path, text) in cases {
        let tree = Tree::new(project).with(large, text.as_bytes());
        let unread = Unread { tree, large };
        for before in [None, Some("\n")] {
            let change = ChangedFile {
                path: path.to_owned(),
                before: before.map(|text: &str| text.as_bytes().into()),
                after: Some(text.as_bytes().into()),
            };
            let facts = reference_facts(&[change], &unread, &NoDependencies, &Index::new());
            assert!(facts[0].missing.is_empty(), "{path}: {:?}", facts[0].missing);
        }
    }
}

/// Packages that are taken away and put back while they are read.
struct Restless {
    tree: Tree,
    asked: std::cell::Cell<u64>,
    seed: u64,
}

impl Restless {
    /// Whether the packages are there at this question.
    fn is_there(&self) -> bool {
        let asked = self.asked.get() + 1;
        self.asked.set(asked);
        (asked.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ self.seed).count_ones().is_multiple_of(2)
    }
}

impl Dependencies for Restless {
    fn roots(&self, _: Ecosystem) -> Vec<String> {
        vec!["/packages".to_owned()]
    }

    fn read(&self, path: &str) -> Option<Arc<[u8]>> {
        if self.is_there() { Dependencies::read(&self.tree, path) } else { None }
    }

    fn list(&self, directory: &str) -> Vec<Entry> {
        if self.is_there() { Dependencies::list(&self.tree, directory) } else { Vec::new() }
    }
}

#[test]
fn packages_that_change_meanwhile_are_answered_and_the_next_answer_is_right() {
    let tree = || {
        Tree::new(
            "--- requirements.txt\nvendor\n--- /packages/vendor/__init__.py\nfrom .deep import real\n\
             --- /packages/vendor/deep.py\ndef real(): pass\n",
        )
    };
    let text = "from vendor import real\nfrom vendor.deep import real as other\nreal()\nother()\n";
    let index = Index::new();
    for seed in 0..gatewright_testkit::cases(200) {
        let restless = Restless { tree: tree(), asked: std::cell::Cell::new(0), seed };
        let after = Some(text.as_bytes().into());
        let change = ChangedFile { path: "a.py".to_owned(), before: None, after };
        let _ = reference_facts(std::slice::from_ref(&change), &tree(), &restless, &index);
        let asked = restless.asked.get();
        assert!(asked < 10_000, "seed {seed}: {asked} questions");
        let still = reference_facts(&[change], &tree(), &tree(), &index).remove(0);
        assert!(still.missing.is_empty(), "seed {seed}: {:?}", still.missing);
    }
}

#[cfg(unix)]
#[test]
fn links_that_go_in_a_circle_on_a_disk_are_given_up_or_answered() {
    let scratch = gatewright_testkit::Scratch::new();
    scratch.write("a/c/part.py", "part = 1\n");
    scratch.write("b/side.py", "side = 1\n");
    scratch.write("a/real.py", "def real(): pass\n");
    for (link, to) in [("a/up", ".."), ("b/up", ".."), ("a/c/self", "."), ("b/other", "../a")] {
        scratch.link(to, link);
    }
    let root = scratch.root();
    let tree = gatewright_languages::references::disk::DiskTree::new(root);
    let text =
        "from a.real import real\nfrom a.up.b.up.a.real import real as other\nreal()\nother()\n";
    let after = Some(text.as_bytes().into());
    let change = ChangedFile { path: "main.py".to_owned(), before: None, after };
    let facts = reference_facts(&[change], &tree, &NoDependencies, &Index::new()).remove(0);
    assert!(facts.missing.is_empty(), "{:?}", facts.missing);
    let text = "from a.real import real, unreal_zebra\n";
    let after = Some(text.as_bytes().into());
    let change = ChangedFile { path: "main.py".to_owned(), before: None, after };
    let facts = reference_facts(&[change], &tree, &NoDependencies, &Index::new()).remove(0);
    assert!(facts.missing.len() == 1 || !facts.complete, "never a pass: {facts:?}");
}
