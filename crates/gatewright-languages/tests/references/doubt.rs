//! Names that something which is not installed may give, weighed by the file as it was.

use crate::tree::{Tree, missing};

/// A workspace in each language whose classes build on what is not installed.
const CASES: [(&str, &str, &str, &str); 26] = [
    (
        "--- requirements.txt\nvendor\n--- other.py\nclass Other:\n    def f(self): self.render()\n",
        "desk.py",
        "from vendor import Base\n\nclass Desk(Base):\n    def sell(self):\n        self.render()\n",
        "        self.zebra_of()\n",
    ),
    (
        "--- build.gradle\nvendor\n--- a/Other.java\npackage a;\nimport org.vendor.Base;\n\
         class Other extends Base { void f() { render(); } }\n",
        "a/Desk.java",
        "package a;\nimport org.vendor.Base;\nclass Desk extends Base {\n  void sell() {\n    \
         render();\n",
        "    zebraOf();\n",
    ),
    (
        "--- build.gradle.kts\nvendor\n--- a/Other.kt\npackage a\nimport org.vendor.Base\n\
         class Other : Base() { fun f() { render() } }\n",
        "a/Desk.kt",
        "package a\nimport org.vendor.Base\nclass Desk : Base() {\n  fun sell() {\n    render()\n",
        "    zebraOf()\n",
    ),
    (
        "--- Cargo.toml\n[package]\nname = \"a\"\nedition = \"2021\"\n[dependencies]\nvendor = \"1\"\n\
         --- src/lib.rs\nmod desk;\nmod other;\n\
         --- src/other.rs\nfn f(x: &vendor::X) { x.render(); }\n",
        "src/desk.rs",
        "pub struct Desk;\nimpl vendor::Base for Desk {}\nimpl Desk {\n  fn sell(&self) {\n    \
         self.render();\n",
        "    self.zebra_of();\n",
    ),
    (
        "--- a.csproj\n<Project><PackageReference Include=\"Vendor\" /></Project>\n\
         --- Other.cs\nusing Vendor;\nclass Other : Base { void F() { Render(); } }\n",
        "Desk.cs",
        "using Vendor;\nclass Desk : Base {\n  void Sell() {\n    Render();\n",
        "    ZebraOf();\n",
    ),
    (
        "--- package.json\n{\"dependencies\": {\"vendor\": \"1\"}}\n\
         --- other.ts\nexport function f(x: any) { x.render(); }\n",
        "desk.ts",
        "import { Base } from 'vendor';\nexport class Desk extends Base {\n  sell() {\n    \
         this.render();\n",
        "    this.zebraOf();\n",
    ),
    (
        "--- Cargo.toml\n[package]\nname = \"a\"\nedition = \"2021\"\n[dependencies]\nvendor = \"1\"\n\
         --- src/lib.rs\nmod desk;\nmod other;\n--- src/other.rs\nfn f() { vendor::render(); }\n",
        "src/desk.rs",
        "use vendor::*;\npub struct Desk;\nimpl Desk {\n  fn sell(&self) {\n    render();\n",
        "    zebra_of();\n",
    ),
    (
        "--- a.csproj\n<Project></Project>\n--- Other.cs\nclass Other { void F() { Render(); } }\n",
        "Desk.cs",
        "class Desk {\n  void Sell() {\n",
        "#if UNIX\n    ZebraOf();\n#endif\n",
    ),
    (
        "--- build.gradle.kts\nvendor\n--- a/Other.kt\npackage a\nimport org.vendor.Base\n\
         fun Base.f() { render() }\n",
        "a/Desk.kt",
        "package a\nimport org.vendor.Base\nobject Desk {\n  fun Base.sell() {\n    render()\n",
        "    zebraOf()\n",
    ),
    (
        "--- build.gradle.kts\nvendor\n--- a/Other.kt\npackage a\nimport org.vendor.Base\n\
         fun f(base: Base) { base.render() }\n",
        "a/Desk.kt",
        "package a\nimport org.vendor.Base\nfun sell(base: Base) {\n  with(base) {\n    render()\n",
        "    zebraOf()\n",
    ),
    (
        "--- go.mod\nmodule a.b/c\nrequire vendor.io/x v1.0.0\n--- o/other.go\npackage o\n\
         import . \"vendor.io/x\"\nfunc f() { Render() }\n",
        "d/desk.go",
        "package d\nimport . \"vendor.io/x\"\nfunc sell() {\n  {\n    Render()\n",
        "    ZebraOf()\n",
    ),
    (
        "--- go.mod\nmodule a.b/c\nrequire vendor.io/x v1.0.0\n--- o/other.go\npackage o\n\
         import \"vendor.io/x\"\nfunc f(b x.Base) { b.Render() }\n",
        "d/desk.go",
        "package d\nimport \"vendor.io/x\"\ntype Desk struct{ x.Base }\n\
         func (d *Desk) sell() {\n  {\n    d.Render()\n",
        "    d.ZebraOf()\n",
    ),
    (
        "--- Gemfile\ngem 'vendor'\n--- other.rb\nclass Other < Vendor::Base\n  def f\n    \
         render(1)\n  end\nend\n",
        "desk.rb",
        "class Desk < Vendor.plugin(2)\n  def sell\n    render(1)\n",
        "    zebra_of(1)\n",
    ),
    (
        "--- Cargo.toml\n[package]\nname = \"a\"\nedition = \"2021\"\n[dependencies]\nvendor = \"1\"\n\
         --- src/lib.rs\npub use vendor::*;\nmod desk;\n",
        "src/desk.rs",
        "mod inner {\n  fn sell() {\n    let _ = 1;\n",
        "    crate::zebra_of();\n",
    ),
    (
        "--- Cargo.toml\n[package]\nname = \"a\"\nedition = \"2021\"\n[dependencies]\nvendor = \"1\"\n\
         --- src/lib.rs\nmod desk;\nmod other;\n--- src/other.rs\npub fn render() {}\n",
        "src/desk.rs",
        "#[vendor::export]\nmod inner {\n  fn sell() {\n    crate::other::render();\n",
        "    zebra_of();\n",
    ),
    (
        "--- a.csproj\n<Project><PackageReference Include=\"Vendor\" /></Project>\n\
         --- Other.cs\nusing Vendor;\nclass Other { Table F() { return new Table(); } }\n",
        "Desk.cs",
        "using Vendor;\nclass Desk {\n  void Sell() {\n    new Table();\n",
        "    new ZebraOf();\n",
    ),
    (
        "--- Gemfile\ngem 'vendor'\n--- other.rb\nclass Other < Vendor::Base\n  def f\n    \
         Other.render(1)\n  end\nend\n",
        "desk.rb",
        "class Desk < Vendor::Base\n  def sell\n    Desk.render(1)\n",
        "    Desk.zebra_of(1)\n",
    ),
    (
        "--- package.json\n{\"dependencies\": {\"vendor\": \"1\"}}\n\
         --- other.ts\nexport function f(x: any) { x.render(); }\n",
        "desk.ts",
        "import { Base } from 'vendor';\nexport class Desk extends Base {\n  own() {}\n  sell() \
         {\n    const desk = new Desk();\n    desk.render();\n",
        "    desk.zebraOf();\n",
    ),
    (
        "--- build.gradle\nvendor\n--- a/Other.java\npackage a;\nimport org.vendor.Table;\n\
         class Other { void f(Table table) { table.render(); } }\n",
        "a/Desk.java",
        "package a;\nimport org.vendor.Table;\nclass Desk {\n  void sell(Table table) {\n    \
         table.render();\n",
        "    table.zebraOf();\n",
    ),
    (
        "--- build.gradle.kts\nvendor\n--- a/Other.kt\npackage a\nimport org.vendor.Table\n\
         fun f(table: Table) { table.render() }\n",
        "a/Desk.kt",
        "package a\nimport org.vendor.Table\nclass Desk {\n  fun sell(table: Table) {\n    \
         table.render()\n",
        "    table.zebraOf()\n",
    ),
    (
        "--- a.csproj\n<Project><PackageReference Include=\"Vendor\" /></Project>\n\
         --- Other.cs\nusing Vendor;\nclass Other { void F(Table t) { t.Render(); } }\n",
        "Desk.cs",
        "using Vendor;\nclass Desk {\n  void Sell(Table table) {\n    table.Render();\n",
        "    table.ZebraOf();\n",
    ),
    (
        "--- Other.cs\nusing Vendor;\nnamespace Others { class Other {} }\n",
        "Desk.cs",
        "using Vendor;\n",
        "using ZebraOf.Client;\nnamespace Shop { class Desk {\n",
    ),
    (
        "--- Other.cs\nusing System.IO;\nnamespace Others { class Other {} }\n",
        "Desk.cs",
        "using System.IO;\n",
        "using System.IO.ZebraOf;\nnamespace Shop { class Desk {\n",
    ),
    (
        "--- build.gradle.kts\nvendor\n--- a/Other.kt\npackage a\nimport org.vendor.Table\n\
         fun f() = Table(size = 1)\n",
        "a/Desk.kt",
        "package a\nimport org.vendor.Table\nclass Desk {\n  fun sell() {\n    Table(size = 1)\n",
        "    Table(zebraOf = 1)\n",
    ),
    (
        "--- build.gradle.kts\nvendor\n--- a/Other.kt\npackage a\nimport org.vendor.Table\n\
         fun Table.f() { listen { render() } }\n",
        "a/Desk.kt",
        "package a\nimport org.vendor.Table\nfun sell(table: Table) {\n  table.listen {\n    \
         render()\n",
        "    zebraOf()\n",
    ),
    (
        "--- a.csproj\n<Project><PackageReference Include=\"Vendor\" /></Project>\n\
         --- Other.cs\nusing Vendor;\nclass Other : Base { void F() { Render(); } }\n",
        "Desk.cs",
        "using System;\nusing Vendor;\nclass Desk : Base {\n  void Sell() {\n    \
         Console.WriteLine();\n",
        "    Console.ZebraOf();\n",
    ),
];

/// Files of languages of which the names of well-known packages are listed.
const LISTED: [&str; 3] = [".py", ".ts", ".js"];

/// Whether a name of Kotlin stands alone, and only a class or a receiver around may lend it.
fn is_lent(head: &str, added: &str) -> bool {
    head.starts_with("package a\nimport org.vendor.Base\n") && added == "    zebraOf()\n"
}

/// What closes the blocks of a case.
fn end(path: &str) -> &'static str {
    match path.rsplit('.').next() {
        Some("py") => "",
        Some("rb") => "  end\nend\n",
        _ => "  }\n}\n",
    }
}

#[test]
fn the_first_name_that_nothing_spells_is_called_missing() {
    for (project, path, head, added) in CASES {
        let tree = Tree::new(project);
        let text = |middle: &str| format!("{head}{middle}{}", end(path));
        let change = |old: Option<&str>, new: &str| {
            missing(&tree.change(&[(path, old, Some(new))])[0]).len()
        };
        assert_eq!(change(Some(&text("")), &text(added)), 1, "{path}: the first");
        // Without a past a file has no witness but the lists of packages.
        let is_listed = LISTED.iter().any(|end| path.ends_with(end)) || is_lent(head, added);
        assert_eq!(change(None, &text(added)), usize::from(is_listed), "{path}: a new file");
        assert_eq!(change(Some(&text(added)), &text(added)), 0, "{path}: it was there");
        let second = added.replace("ebra", "ebu");
        let both = format!("{added}{second}");
        assert_eq!(change(Some(&text("")), &text(&both)), 0, "{path}: two of them");
        let old = text(&second);
        assert_eq!(change(Some(&old), &text(&both)), 0, "{path}: the file had one");
    }
}

#[test]
fn in_a_new_file_two_names_that_nothing_spells_are_left_alone() {
    for (project, path, head, added) in CASES {
        let tree = Tree::new(project);
        let both = format!("{head}{added}{}{}", added.replace("ebra", "ebu"), end(path));
        let found = missing(&tree.write(path, &both));
        assert_eq!(found, Vec::<String>::new(), "{path}");
    }
}

#[test]
fn a_file_that_moves_keeps_its_names() {
    for (project, path, head, added) in CASES.into_iter().filter(|case| case.1.ends_with(".py")) {
        let text = format!("{head}{added}{}", end(path));
        let tree = Tree::new(project).with("old_desk.py", text.as_bytes());
        let moved = [("old_desk.py", Some(text.as_str()), None), (path, None, Some(text.as_str()))];
        assert_eq!(missing(&tree.change(&moved)[1]), Vec::<String>::new(), "{path}");
    }
}

#[test]
fn in_a_new_file_a_name_of_a_well_known_package_is_left_alone() {
    let tree = Tree::new("--- requirements.txt\nvendor\n");
    let text = |name: &str| {
        format!("from vendor import Base\nclass Desk(Base):\n    def f(self): self.{name}()\n")
    };
    assert_eq!(missing(&tree.write("desk.py", &text("raise_for_status"))), Vec::<String>::new());
    assert_eq!(missing(&tree.write("desk.py", &text("raise_for_statuses"))).len(), 1);
}

#[test]
fn a_name_that_another_file_of_the_change_spells_is_left_alone() {
    for (project, path, head, added) in CASES {
        let tree = Tree::new(project);
        let (old, new) = (format!("{head}{}", end(path)), format!("{head}{added}{}", end(path)));
        let other = format!("a/made.{}", path.rsplit('.').next().unwrap());
        let changes =
            [(path, Some(old.as_str()), Some(new.as_str())), (other.as_str(), None, Some(added))];
        assert_eq!(missing(&tree.change(&changes)[0]), Vec::<String>::new(), "{path}");
    }
}

#[test]
fn a_package_is_weighed_apart_from_what_it_brings() {
    let tree = Tree::new("--- Other.cs\nusing Vendor;\nnamespace Others { class Other {} }\n");
    let text = |using: &str, made: &str| {
        format!("using Vendor;\n{using}namespace Shop {{ class Desk {{ {made} }} }}\n")
    };
    let (old, new) = (text("", ""), text("using ZebraOf.Client;\n", "Stripes stripes;"));
    let found = missing(&tree.change(&[("Desk.cs", Some(&old), Some(&new))])[0]);
    assert!(found.contains(&"2 package ZebraOf".to_owned()), "{found:?}");
}

#[test]
fn one_old_name_in_many_that_nothing_spells_is_no_witness() {
    let head = "package a\nimport org.vendor.Base\n";
    let names = |count: usize| (0..count).map(|at| format!("  r{at}()\n")).collect::<String>();
    let text = |count: usize, more: &str| {
        format!(
            "{head}class Desk : Base() {{ fun f() {{\n{}  lonely()\n{more}}} }}\n",
            names(count)
        )
    };
    for (count, warnings) in [(40, 1), (10, 0)] {
        let other = format!("{head}class Other : Base() {{ fun f() {{\n{}}} }}\n", names(count));
        let tree = Tree::new(&format!("--- build.gradle.kts\nvendor\n--- a/Other.kt\n{other}"));
        let (old, new) = (text(count, ""), text(count, "  zebraOf()\n"));
        let found = missing(&tree.change(&[("a/Desk.kt", Some(&old), Some(&new))])[0]);
        assert_eq!(found.len(), warnings, "{count}: {found:?}");
    }
}
