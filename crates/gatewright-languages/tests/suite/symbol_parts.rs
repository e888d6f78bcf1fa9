//! Symbol edits: heads alone, one of several names, the ends of a file, and names said otherwise.

use gatewright_languages::syntax::LanguageId as L;
use gatewright_languages::syntax::edit::{EditRefusal, Position, SymbolAction};

use super::symbol_edits::{check, insert, refused, replace};

fn last(body: &str) -> SymbolAction {
    insert(Position::Last, body)
}

#[test]
fn a_head_alone_leaves_the_body() {
    let python = "# About.\n@deco\ndef a(x):\n    \"\"\"Doc.\"\"\"\n    return x\n";
    let after = python.replacen("def a(x):", "def a(x, y):", 1);
    check(L::Python, python, "a", replace("def a(x, y):"), &after);
    let own = python.replacen("@deco\ndef a(x):", "@other\ndef a(x, y):", 1);
    check(L::Python, python, "a", replace("@other\ndef a(x, y):"), &own);
    let rust = "impl A {\n    fn a(&self) -> u8 {\n        1\n    }\n}\n";
    let after = rust.replacen("fn a(&self) -> u8", "pub fn a(&self, b: u8) -> u8", 1);
    check(L::Rust, rust, "A/a", replace("pub fn a(&self, b: u8) -> u8"), &after);
    check(L::Rust, rust, "A/a", replace("pub fn a(&self, b: u8) -> u8 {"), &after);
    let sharp = "class A\n{\n    int F()\n    {\n        return 1;\n    }\n}\n";
    check(L::CSharp, sharp, "A/F", replace("long F()"), &sharp.replacen("int F", "long F", 1));
    let ruby = "class A\n  def f\n    1\n  end\nend\n";
    check(L::Ruby, ruby, "A/f", replace("def f(x)"), &ruby.replacen("def f", "def f(x)", 1));
    let kotlin = "class A {\n    fun f(): Int = 1\n}\n";
    let after = kotlin.replacen("f(): Int", "f(x: Int): Int", 1);
    check(L::Kotlin, kotlin, "A/f", replace("fun f(x: Int): Int"), &after);
}

#[test]
fn a_head_that_is_meant_to_have_no_body_has_none() {
    let kotlin = "abstract class A {\n    fun f(): Int {\n        return 1\n    }\n}\n";
    let after = "abstract class A {\n    abstract fun f(): Int\n}\n";
    check(L::Kotlin, kotlin, "A/f", replace("abstract fun f(): Int"), after);
    let refusal = refused(L::Python, "def a():\n    pass\n", "a", replace("def a():\n# none\n"));
    assert!(matches!(refusal, EditRefusal::NewErrors { .. }), "{refusal}");
}

#[test]
fn one_of_several_names_goes_alone_or_not_at_all() {
    let java = "class A {\n    int p = 1, q = 2;\n}\n";
    let after = "class A {\n    int q = 2;\n}\n";
    check(L::Java, java, "A/p", SymbolAction::Remove, after);
    let go = "package a\n\nvar x, y = 1, 2\n";
    let refusal = refused(L::Go, go, "x", SymbolAction::Remove);
    assert!(matches!(refusal, EditRefusal::OthersChange { .. }), "{refusal}");
    let script = "const o = { a: 1, b() { return 2; } };\n";
    let after = "const o = { a: 1 };\n";
    check(L::JavaScript, script, "o/b", SymbolAction::Remove, after);
}

#[test]
fn an_object_takes_members() {
    let base = "const o = {\n  a: 1,\n  b: 2,\n};\n";
    let after = base.replacen("  b: 2,\n", "  b: 2,\n  c: 3,\n", 1);
    check(L::TypeScript, base, "o", last("c: 3"), &after);
    let line = "const o = { a: 1 };\n";
    check(L::JavaScript, line, "o", last("c: 3"), "const o = { a: 1, c: 3 };\n");
}

#[test]
fn a_file_keeps_how_it_starts_and_ends() {
    let base = "\u{feff}fn a() {}\nfn b() {}\n";
    check(L::Rust, base, "a", SymbolAction::Remove, "\u{feff}fn b() {}\n");
    let python = "class A:\n    pass\n\n\ndef f():\n    return 1";
    check(L::Python, python, "f", SymbolAction::Remove, "class A:\n    pass");
    let only = "class A:\n    def f(self):\n        return 1";
    check(L::Python, only, "A/f", SymbolAction::Remove, "class A:\n    pass");
    check(L::Go, "package a", "", last("func A() {}"), "package a\n\nfunc A() {}");
    let ruby = "class A\r\n  def f\r\n    1\r\n  end\r\nend\r\n";
    check(L::Ruby, ruby, "A/f", replace("2"), &ruby.replacen('1', "2", 1));
}

#[test]
fn a_body_of_one_line_stays_on_its_line() {
    let base = "fn a() -> u8 { 1 }\n";
    check(L::Rust, base, "a", replace("2"), "fn a() -> u8 { 2 }\n");
    check(L::Rust, base, "a", replace("f();\n2"), "fn a() -> u8 {\n    f();\n    2\n}\n");
}

#[test]
fn what_a_name_says_narrows_what_it_means() {
    let rust = "struct A<T>(T);\n\nimpl<T> A<T> {\n    fn a() {}\n}\n";
    let after = rust.replacen("fn a() {}\n", "fn a() {}\n\n    fn b() {}\n", 1);
    check(L::Rust, rust, "impl A", last("fn b() {}"), &after);
    let cpp = "namespace n {\nclass A {\n    A() {}\n};\n}\n";
    check(L::Cpp, cpp, "A", SymbolAction::Remove, "namespace n {\n}\n");
    let ruby = "class A\n  def self.f\n    1\n  end\nend\n";
    check(L::Ruby, ruby, "A.f", replace("2"), &ruby.replacen('1', "2", 1));
    let both = "class A\n  def self.f\n    1\n  end\n\n  def f\n    3\n  end\nend\n";
    check(L::Ruby, both, "A/f", replace("2"), &both.replacen('3', "2", 1));
}

#[test]
fn what_is_no_symbol_is_said_to_stand_in_one() {
    let base = "enum A {\n  One,\n}\n";
    let refusal = refused(L::TypeScript, base, "A/One", SymbolAction::Remove);
    assert!(refusal.to_string().contains("edited with edit_file"), "{refusal}");
}

#[test]
fn annotations_make_no_second_method_of_the_same_head() {
    let base = "class A {\n    @Override\n    public int f() {\n        return 1;\n    }\n}\n";
    let again = insert(Position::After, "public int f() {\n    return 2;\n}");
    let refusal = refused(L::Java, base, "A/f", again);
    assert!(matches!(refusal, EditRefusal::NameTaken { .. }), "{refusal}");
}

#[test]
fn a_method_that_ruby_makes_by_its_name_is_a_symbol() {
    let base = "class A\n  define_method(:f) do |x|\n    x\n  end\nend\n";
    check(L::Ruby, base, "A/f", SymbolAction::Remove, "class A\nend\n");
}
