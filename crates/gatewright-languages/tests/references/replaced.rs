//! Imports from packages that are not installed, in the place of others that are still used.

use crate::tree::{Tree, missing};

/// A workspace, a file, and what a change writes in place of what.
const CASES: [(&str, &str, &str, &str, &str); 6] = [
    (
        "--- build.gradle.kts\nvendor\n--- a/Other.kt\npackage a\nimport org.vendor.Base\n",
        "a/Desk.kt",
        "package a\nimport org.vendor.Table\nfun sell(table: Table): Table = table\n",
        "import org.vendor.Table",
        "import org.vendor.Tabel",
    ),
    (
        "--- build.gradle.kts\nvendor\n--- a/Other.kt\npackage a\nimport org.vendor.Base\n",
        "a/Desk.kt",
        "package a\nimport org.vendor.render\nfun sell() { render() }\n",
        "import org.vendor.render",
        "import org.vendor.rendr",
    ),
    (
        "--- build.gradle\nvendor\n--- a/Other.java\npackage a;\nimport org.vendor.Base;\n",
        "a/Desk.java",
        "package a;\nimport org.vendor.Table;\nclass Desk { Table table; }\n",
        "import org.vendor.Table",
        "import org.vendor.Tabel",
    ),
    (
        "--- Cargo.toml\n[package]\nname = \"a\"\nedition = \"2021\"\n[dependencies]\nvendor = \"1\"\n\
         --- src/lib.rs\nmod desk;\n",
        "src/desk.rs",
        "use vendor::{Chair, Table};\npub fn sell(table: Table) -> Chair { table.into() }\n",
        "{Chair, Table}",
        "{Chair, Tabel}",
    ),
    (
        "--- requirements.txt\nvendor\n",
        "desk.py",
        "from vendor import Chair, Table\n\n\ndef sell():\n    return Table(Chair)\n",
        "Chair, Table\n",
        "Chair, Tabel\n",
    ),
    (
        "--- package.json\n{\"dependencies\": {\"vendor\": \"1\"}}\n",
        "desk.ts",
        "import { Chair, Table } from 'vendor';\nexport const x = new Table(Chair);\n",
        "Chair, Table }",
        "Chair, Tabel }",
    ),
];

/// The imports that are missing after a change.
fn imports(project: &str, path: &str, old: &str, new: &str) -> Vec<String> {
    let tree = Tree::new(project);
    let found = missing(&tree.change(&[(path, Some(old), Some(new))])[0]);
    found.into_iter().filter(|found| found.contains(" import ")).collect()
}

#[test]
fn an_import_in_the_place_of_one_that_is_still_used_is_called_missing() {
    for (project, path, old, from, to) in CASES {
        let wrong = to.trim_end_matches(['}', '\n', ' ']).rsplit([' ', '.']).next().unwrap();
        let wrong = wrong.trim_end_matches('}');
        let found = imports(project, path, old, &old.replace(from, to));
        assert_eq!(found.len(), 1, "{path}: {found:?}");
        assert!(found[0].ends_with(wrong), "{path}: {found:?}");
    }
}

#[test]
fn an_import_that_is_used_or_takes_no_place_is_left_alone() {
    for (project, path, old, from, to) in CASES {
        let (right, wrong) = match from.contains("render") {
            true => ("render", "rendr"),
            false => ("Table", "Tabel"),
        };
        let renamed = old.replace(right, wrong);
        assert_eq!(imports(project, path, old, &renamed), [""; 0], "{path}: used throughout");
        let dropped = old.lines().next().unwrap_or_default();
        let last = old.lines().last().unwrap_or_default();
        let unused = old.replace(last, "").replace(from, to);
        assert_eq!(
            imports(project, path, old, &unused),
            [""; 0],
            "{path}: no use stayed {dropped}"
        );
        let tree = Tree::new(project);
        let new = missing(&tree.write(path, &old.replace(from, to)));
        assert!(!new.iter().any(|found| found.contains(" import ")), "{path}: a new file: {new:?}");
    }
}

#[test]
fn a_name_that_the_change_defines_itself_is_not_still_used() {
    let (project, path, old, from, to) = CASES[4];
    let new = old.replace(from, to).replace("def sell", "class Table:\n    pass\n\n\ndef sell");
    assert_eq!(imports(project, path, old, &new), [""; 0]);
}

#[test]
fn a_package_that_one_part_tells_from_the_one_before_is_called_missing() {
    let project = "--- build.gradle\nvendor\n--- a/Other.java\npackage a;\n\
                   import org.vendor.view.Chair;\nclass Other { Chair chair; }\n";
    for (path, end) in [("a/Desk.java", ";"), ("a/Desk.kt", "")] {
        let text = |package: &str| {
            format!(
                "package a{end}\nimport org.vendor.{package}.Table{end}\n\
                 class Desk {{ Table table{end} }}\n"
            )
        };
        let tree = Tree::new(project);
        let change = |from: &str, to: &str| {
            let (old, new) = (text(from), text(to));
            missing(&tree.change(&[(path, Some(old.as_str()), Some(new.as_str()))])[0])
        };
        assert_eq!(change("view", "views"), ["2 module org.vendor.views"], "{path}");
        assert_eq!(change("view", "view3"), [""; 0], "{path}: another version");
        assert_eq!(change("view", "views.wood"), [""; 0], "{path}: not one part");
        assert_eq!(change("other", "view"), [""; 0], "{path}: others take it from there");
    }
}

#[test]
fn a_package_almost_called_like_the_one_others_take_the_name_from_is_called_missing() {
    let project = "--- build.gradle\nvendor\n--- a/Other.java\npackage a;\n\
                   import org.vendor.bridge.Table;\nclass Other { Table table; }\n\
                   --- a/Third.java\npackage a;\nimport org.vendor.layouts.Chair;\n\
                   class Third { Chair chair; }\n";
    for (path, end) in [("a/Desk.java", ";"), ("a/Desk.kt", "")] {
        let text =
            |import: &str| format!("package a{end}\nimport {import}{end}\nclass Desk\n{{}}\n");
        let tree = Tree::new(project);
        let old = format!("package a{end}\nclass Desk\n{{}}\n");
        for before in [None, Some(old.as_str())] {
            let write = |import: &str| {
                let new = text(import);
                missing(&tree.change(&[(path, before, Some(new.as_str()))])[0])
            };
            let wrong = write("org.vendor.bridges.Table");
            assert_eq!(wrong, ["2 module org.vendor.bridges"], "{path}");
            let left_alone = [
                ("org.vendor.bridge2.Table", "another version"),
                ("org.vendor.shelves.Table", "not alike"),
                ("org.vendor.layouts.Table", "others import from there"),
                ("org.vendor.bridges.Lamp", "a name that nobody imports"),
            ];
            for (import, why) in left_alone {
                assert_eq!(write(import), [""; 0], "{path}: {why}");
            }
        }
        let kept = text("org.vendor.bridges.Table");
        let moved = format!("{kept}\n\n");
        let found = missing(&tree.change(&[(path, Some(kept.as_str()), Some(moved.as_str()))])[0]);
        assert_eq!(found, [""; 0], "{path}: it was there");
    }
}
