//! Symbol edits: the style of the place, one-line containers, lists, bodies beside their head.

use gatewright_languages::syntax::LanguageId::{self, *};
use gatewright_languages::syntax::edit::Position::{self, *};
use gatewright_languages::syntax::edit::SymbolAction;

use super::symbol_edits::{check, insert, replace};

type Insertion = (LanguageId, &'static str, Position, &'static str, &'static str);

fn check_insertions(symbol: &str, cases: &[Insertion]) {
    for (language, base, position, body, expected) in cases {
        check(*language, base, symbol, insert(*position, body), expected);
    }
}

#[test]
fn a_call_is_a_body_and_no_declaration() {
    for (language, base) in [
        (CSharp, "class A\n{\n    void M()\n    {\n        x();\n    }\n}\n"),
        (TypeScript, "class A {\n  M(): void {\n    x();\n  }\n}\n"),
        (Cpp, "struct A {\n  void M() {\n    x();\n  }\n};\n"),
        (Java, "class A {\n    void M() {\n        x();\n    }\n}\n"),
    ] {
        check(language, base, "A/M", replace("go();"), &base.replace("x();", "go();"));
    }
}

#[test]
fn members_of_a_list_are_parted_by_commas() {
    check_insertions(
        "E",
        &[
            (Rust, "enum E { A, B }\n", Last, "C", "enum E { A, B, C }\n"),
            (Rust, "enum E { A, B }\n", First, "C,", "enum E { C, A, B }\n"),
            (Rust, "struct E { a: u32 }\n", Last, "b: u32,", "struct E { a: u32, b: u32 }\n"),
            (
                TypeScript,
                "enum E {\n  A,\n  B // b\n}\n",
                Last,
                "C",
                "enum E {\n  A,\n  B, // b\n  C\n}\n",
            ),
            (TypeScript, "enum E {\n  A,\n  B,\n}\n", Last, "C", "enum E {\n  A,\n  B,\n  C,\n}\n"),
            (
                Java,
                "enum E {\n    A(1);\n\n    int n;\n}\n",
                Last,
                "B(2)",
                "enum E {\n    A(1),\n    B(2);\n\n    int n;\n}\n",
            ),
            (
                Java,
                "enum E {\n    A\n}\n",
                Last,
                "int f() {\n    return 1;\n}",
                "enum E {\n    A;\n\n    int f() {\n        return 1;\n    }\n}\n",
            ),
            (
                Kotlin,
                "@S\nenum class E {\n    A\n}\n",
                Last,
                "B",
                "@S\nenum class E {\n    A,\n    B\n}\n",
            ),
            (C, "enum E { A, B };\n", Last, "C", "enum E { A, B, C };\n"),
            (
                CSharp,
                "enum E\n{\n    A,\n    B\n}\n",
                First,
                "Z",
                "enum E\n{\n    Z,\n    A,\n    B\n}\n",
            ),
        ],
    );
}

#[test]
fn comments_above_the_first_member_of_a_list_stay_with_it() {
    let base = "enum E {\n    /// a\n    A,\n}\n";
    let after = "enum E {\n    /// z\n    Z,\n    /// a\n    A,\n}\n";
    check(Rust, base, "E", insert(First, "/// z\nZ"), after);
}

#[test]
fn what_stands_on_the_line_of_its_braces_gets_a_line_of_its_own() {
    check_insertions(
        "E",
        &[
            (
                Java,
                "interface E { void f(); }\n",
                Last,
                "void g();",
                "interface E {\n    void f();\n    void g();\n}\n",
            ),
            (
                Cpp,
                "struct E { int a; };\n",
                Last,
                "int b;",
                "struct E {\n    int a;\n    int b;\n};\n",
            ),
            (
                Go,
                "package a\n\ntype E interface{}\n",
                Last,
                "C()",
                "package a\n\ntype E interface{\n\tC()\n}\n",
            ),
            (
                Go,
                "package a\n\ntype E struct {\n\ta int\n}\n",
                First,
                "b int",
                "package a\n\ntype E struct {\n\tb int\n\ta int\n}\n",
            ),
            (
                Kotlin,
                "data class E(val a: Int)\n",
                Last,
                "fun f() = 1",
                "data class E(val a: Int) {\n    fun f() = 1\n}\n",
            ),
            (
                Python,
                "class E: pass\n",
                Last,
                "def m(self):\n    return 1",
                "class E:\n    def m(self):\n        return 1\n",
            ),
            (Python, "class E: x = 1\n", Last, "y = 2", "class E:\n    x = 1\n    y = 2\n"),
            (
                Ruby,
                "class E; end\n",
                Last,
                "def m\n  1\nend",
                "class E\n  def m\n    1\n  end\nend\n",
            ),
        ],
    );
}

#[test]
fn braces_of_one_line_close_up_when_they_are_empty() {
    check(Java, "interface E { void f(); }\n", "E/f", SymbolAction::Remove, "interface E {}\n");
    check(Rust, "mod a { fn x() {} }\n", "a/x", SymbolAction::Remove, "mod a {}\n");
    let group = "package a\n\ntype (\n\tX int\n\n\tY int\n)\n";
    check(Go, group, "X", SymbolAction::Remove, "package a\n\ntype (\n\tY int\n)\n");
    check(Go, group, "Y", SymbolAction::Remove, "package a\n\ntype (\n\tX int\n)\n");
}

#[test]
fn a_body_beside_its_head_stays_there() {
    let python = "class A:\n    def a(self): return 1\n";
    check(Python, python, "A/a", replace("return 2"), &python.replace('1', "2"));
    let below = "class A:\n    def a(self):\n        x = 2\n        return x\n";
    check(Python, python, "A/a", replace("x = 2\nreturn x"), below);
    check(Ruby, "def x; 1; end\n", "x", replace("2"), "def x; 2; end\n");
    check(Ruby, "def x; 1; end\n", "x", replace("y\n2"), "def x;\n  y\n  2\nend\n");
    check(Kotlin, "fun a() = 1\n", "a", replace("2"), "fun a() = 2\n");
    let property = "class A\n{\n    int Y => 1;\n}\n";
    check(CSharp, property, "A/Y", replace("2"), &property.replace('1', "2"));
}

#[test]
fn indentation_is_spelt_as_the_file_spells_it() {
    let go = "package a\n\nfunc F() {\n\tif a {\n\t\tb()\n\t}\n}\n";
    let body = "func F() {\n    if c {\n        d(`\n    raw`)\n    }\n}";
    let after = "package a\n\nfunc F() {\n\tif c {\n\t\td(`\n    raw`)\n\t}\n}\n";
    check(Go, go, "F", replace(body), after);
    let python = "class A:\n  def a(self):\n    return 1\n";
    let after = "class A:\n  def a(self):\n    if b:\n      return 2\n";
    check(Python, python, "A/a", replace("def a(self):\n\tif b:\n\t\treturn 2"), after);
    let tabs = "declare function a(): {\n\tb: string;\n};\n";
    let body = "declare function a(): {\n\tb: number;\n};";
    check(TypeScript, tabs, "a", replace(body), &format!("{body}\n"));
}

#[test]
fn a_definition_that_is_indented_otherwise_than_its_file_stays_so() {
    let tabs = "\t1,\n".repeat(20);
    let own = "int f(int x) {\n  if (x) {\n    return 1;\n  }\n  return 2;\n}";
    let base = format!("int t[] = {{\n{tabs}}};\n\n{own}\n");
    check(C, &base, "f", replace(own), &base);
    check(C, &base, "f", SymbolAction::ReplaceWhole { body: own.to_owned() }, &base);
    let other = own.replace("return 2", "return 3");
    check(C, &base, "f", replace(&other), &base.replace(own, &other));
}

#[test]
fn declarations_of_one_line_stand_as_close_as_their_neighbours() {
    let java = "class A {\n    int x;\n\n    void f() {\n    }\n}\n";
    let after = java.replace("x;\n", "x;\n    int y;\n");
    check(Java, java, "A/x", insert(After, "int y;"), &after);
    let rust = "trait T {\n    fn a(&self);\n    fn b(&self) {\n        x();\n    }\n}\n";
    let after = rust.replace("a(&self);\n", "a(&self);\n    fn c(&self);\n");
    check(Rust, rust, "T/a", insert(After, "fn c(&self);"), &after);
    let apart = "interface L {\n    void a();\n\n    void b();\n}\n";
    let after = apart.replace("b();\n", "b();\n\n    void c();\n");
    check(Java, apart, "L", insert(Last, "void c();"), &after);
}

#[test]
fn the_end_of_a_file_is_behind_the_group_that_ends_it() {
    let base = "package a\n\nconst (\n\tA = 1\n\tB = 2\n)\n";
    check(Go, base, "", insert(Last, "func F() {}"), &format!("{base}\nfunc F() {{}}\n"));
}

#[test]
fn a_block_of_ruby_keeps_its_marks_and_its_parameters() {
    let base = "DOUBLE = lambda do |x|\n  x * 2\nend\n\nputs 1\n";
    let expected = base.replace("x * 2", "x.to_s");
    for body in ["x.to_s", "do |x|\n  x.to_s\nend", "lambda do |x|\n  x.to_s\nend"] {
        check(Ruby, base, "DOUBLE", replace(body), &expected);
    }
    let base = "HALF = lambda { |x| x / 2 }\n";
    check(Ruby, base, "HALF", replace("x.to_s"), "HALF = lambda { |x|\n  x.to_s\n}\n");
    check(Ruby, base, "HALF", replace("{ |y| y }"), "HALF = lambda { |y| y }\n");
    let base = "def table\n  { a: 1 }\nend\n";
    check(Ruby, base, "table", replace("none"), "def table\n  none\nend\n");
}

#[test]
fn an_empty_method_of_ruby_under_another_name_is_a_definition() {
    let base = "class A\n  def value\n    42\n  end\nend\n";
    let body = "def other\n  # was here\nend";
    let expected = "class A\n  def other\n    # was here\n  end\nend\n";
    check(Ruby, base, "A/value", replace(body), expected);
}

#[test]
fn what_stands_there_says_how_deep_it_is() {
    // The only member of anything stands two levels below what it is in.
    let script = "function a() {\n  const b = 1;\n  run(\n      function c() {\n        return b;\n      });\n  return b;\n}\n\nfunction d() {\n  return 2;\n}\n";
    check(JavaScript, script, "d", replace("return 3;"), &script.replacen("n 2;", "n 3;", 1));
    let own = "const b = 1;\nreturn b + 1;";
    let short =
        "function a() {\n  const b = 1;\n  return b + 1;\n}\n\nfunction d() {\n  return 2;\n}\n";
    check(JavaScript, script, "a", replace(own), short);
    let kotlin =
        "class A {\n    fun f() {\n        g()\n    }\n}\n\nenum class B {\n  ONE,\n  TWO,\n}\n";
    let more = kotlin.replacen("  TWO,\n", "  TWO,\n  THREE,\n", 1);
    check(Kotlin, kotlin, "B", insert(Position::Last, "THREE"), &more);
    let cpp = "class A {\n public:\n  int x;\n};\n\nint f() {\n  return 1;\n}\n";
    check(Cpp, cpp, "f", replace("return 2;"), &cpp.replacen('1', "2", 1));
}

#[test]
fn a_directive_that_begins_a_body_stays_at_the_margin() {
    let base = "int f(void)\n{\n#if A\n  g();\n#endif\n  return 1;\n}\n";
    let body = "#if A\n  g();\n#endif\n  return 2;";
    check(C, base, "f", replace(body), &base.replacen('1', "2", 1));
    let tabs = "int f(void)\n{\n#if A\n\tg();\n#else\n        return 3;\n#endif\n\treturn 1;\n}\n";
    let body = "#if A\n\tg();\n#else\n        return 3;\n#endif\n\treturn 2;";
    check(C, tabs, "f", replace(body), &tabs.replacen('1', "2", 1));
    let flat = "#if A\ng();\n#endif\nreturn 2;";
    check(C, base, "f", replace(flat), &base.replacen('1', "2", 1));
}
