//! Symbol edits: heads alone, one of several names, the ends of a file, and names said otherwise.

use gatewright_languages::syntax::edit::{EditRefusal, Position, SymbolAction, plan_edit};
use gatewright_languages::syntax::{LanguageId as L, Parsed};

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

#[test]
fn a_fence_around_the_text_is_left_out_and_told() {
    let script = "function a(x) {\n  return x;\n}\n\nfunction b() {\n  return 1;\n}\n";
    let go = "package a\n\nfunc A() int {\n\treturn 1\n}\n";
    let python = "class A:\n    def f(self):\n        return 1\n";
    let after = script.replacen("return x", "return x + 1", 1);
    for fenced in [
        "```js\nfunction a(x) {\n  return x + 1;\n}\n```",
        "\n```\nfunction a(x) {\n  return x + 1;\n}\n```\n\n",
        "```javascript\n  return x + 1;\n```",
    ] {
        check(L::JavaScript, script, "a", replace(fenced), &after);
    }
    check(L::Go, go, "A", replace("```go\n\treturn 2\n```"), &go.replacen('1', "2", 1));
    let beside = insert(Position::After, "```go\nfunc B() {\n}\n```");
    check(L::Go, go, "A", beside, &format!("{go}\nfunc B() {{\n}}\n"));
    let whole = "```python\ndef f(self):\n    return 2\n```\n";
    let action = SymbolAction::ReplaceWhole { body: whole.to_owned() };
    let asked = super::symbol_edits::edit("A/f", None, action);
    let plan = plan_edit(L::Python, python.as_bytes(), &asked).unwrap();
    assert_eq!(plan.after, python.replacen('1', "2", 1).as_bytes());
    assert!(plan.notes.iter().any(|note| note.contains("fence")), "{:?}", plan.notes);
}

#[test]
fn an_end_of_a_line_that_the_tree_hides_is_missed() {
    let go = "package a\n\nfunc A() int {\n\treturn 1\n}\n";
    let parsed = Parsed::new(L::Go, format!("{go}\n``x\n").as_bytes()).unwrap();
    assert_eq!(parsed.error_signature().total(), 1);
    assert_eq!(parsed.first_error(), Some(0));
    let beside = insert(Position::After, "```go\nfunc B() {\n}\n``` ``");
    let refusal = refused(L::Go, go, "A", beside);
    assert!(matches!(refusal, EditRefusal::NewErrors { .. }), "{refusal}");
}

#[test]
fn a_constructor_does_not_take_the_place_of_its_class() {
    let class = "class A {\n    A() {\n        f();\n    }\n\n    void g() {\n    }\n}";
    for (language, base) in [
        (L::Java, format!("{class}\n")),
        (L::CSharp, format!("namespace N {{\n{class}\n}}\n")),
        (L::Cpp, format!("namespace n {{\n{class};\n}}\n")),
    ] {
        let refusal = refused(language, &base, "A", replace("A() {\n    h();\n}"));
        let is_meant = matches!(
            refusal,
            EditRefusal::NotADefinition { .. }
                | EditRefusal::NewErrors { .. }
                | EditRefusal::Ambiguous { .. }
        );
        assert!(is_meant, "{language:?}: {refusal}");
    }
    let python = "class A:\n    b = 1\n";
    check(L::Python, python, "A", replace("def A():\n    return 1"), "def A():\n    return 1\n");
}

#[test]
fn a_path_without_its_end_does_not_name_what_it_leads_into() {
    let java = "class A {\n    A() {\n    }\n}\n";
    for name in ["A/<init>", "A.<init>", "A/", "A.", "A#"] {
        let refusal = refused(L::Java, java, name, SymbolAction::Remove);
        assert!(matches!(refusal, EditRefusal::NotFound { .. }), "{name}: {refusal}");
    }
    let ruby = "module M\n  class A\n    def <(o)\n      1\n    end\n  end\nend\n";
    check(L::Ruby, ruby, "A/<", SymbolAction::Remove, "module M\n  class A\n  end\nend\n");
    let layer = "struct Layer<M>(M);\n\nimpl<M> Layer<M> {\n    fn new() {}\n}\n";
    for name in ["Layer::new", "Layer<M>/new", "Layer.new"] {
        let after = "struct Layer<M>(M);\n\nimpl<M> Layer<M> {\n}\n";
        check(L::Rust, layer, name, SymbolAction::Remove, after);
    }
    let rust = "struct A;\n\nfn b<T>() {}\n";
    check(L::Rust, rust, "b::<u8>", SymbolAction::Remove, "struct A;\n");
}

#[test]
fn a_symbol_may_be_named_by_its_head_as_it_is_written() {
    let go = "package a\n\nfunc (s *Store) Get(k string) int {\n\treturn 1\n}\n";
    for name in ["func (s *Store) Get", "(s *Store) Get", "Get(k string) int", "Get(k string)"] {
        check(L::Go, go, name, replace("return 2"), &go.replacen('1', "2", 1));
    }
    let java = "class A {\n    int f(int a) {\n        return 1;\n    }\n\n    int f(String a) {\n        return 2;\n    }\n}\n";
    check(L::Java, java, "f(String a)", replace("return 3;"), &java.replacen('2', "3", 1));
    for name in ["int f", "f(String)", "long f(String a)", "t f(int a)"] {
        let refusal = refused(L::Java, java, name, replace("return 3;"));
        let is_open =
            matches!(refusal, EditRefusal::NotFound { .. } | EditRefusal::Ambiguous { .. });
        assert!(is_open, "{name}: {refusal}");
    }
    let script = "export default function App() {\n  return 1;\n}\n";
    let after = script.replacen('1', "2", 1);
    check(L::TypeScript, script, "function App()", replace("return 2;"), &after);
}
