//! Symbol edits: what belongs to a symbol below its last line, and what may stand beside it.

use gatewright_languages::syntax::LanguageId;
use gatewright_languages::syntax::edit::{EditRefusal, Position, SymbolAction};

use super::symbol_edits::{check, insert, refused, replace};

#[test]
fn a_text_below_its_mark_belongs_to_the_definition_with_the_mark() {
    let base = "module A\n  SQL = <<~SQL\n    def a\n  SQL\n\n  TWO = f(<<~ONE, <<~TWO)\n    1\n  ONE\n    2\n  TWO\n\n  def b = <<~B\n    b\n  B\nend\n";
    let ruby = LanguageId::Ruby;
    let without = |text: &str| base.replacen(text, "", 1);
    let sql = "  SQL = <<~SQL\n    def a\n  SQL\n\n";
    check(ruby, base, "A/SQL", SymbolAction::Remove, &without(sql));
    let two = "  TWO = f(<<~ONE, <<~TWO)\n    1\n  ONE\n    2\n  TWO\n\n";
    check(ruby, base, "A/TWO", SymbolAction::Remove, &without(two));
    check(ruby, base, "A/b", SymbolAction::Remove, &without("\n  def b = <<~B\n    b\n  B\n"));
    let after = base.replacen("  SQL\n\n", "  SQL\n\n  NEXT = 1\n\n", 1);
    check(ruby, base, "A/SQL", insert(Position::After, "NEXT = 1"), &after);
    check(ruby, base, "A/SQL", replace("SQL = 1"), &base.replacen(sql, "  SQL = 1\n\n", 1));
}

#[test]
fn a_setter_stands_beside_its_getter_and_no_second_getter_does() {
    let base = "class A {\n  get n() {\n    return 1;\n  }\n}\n";
    let after = base.replacen("  }\n}", "  }\n\n  set n(v) {\n    f(v);\n  }\n}", 1);
    let setter = insert(Position::After, "set n(v) {\n  f(v);\n}");
    check(LanguageId::JavaScript, base, "A/n", setter, &after);
    let getter = insert(Position::After, "get n() {\n  return 2;\n}");
    let refusal = refused(LanguageId::JavaScript, base, "A/n", getter);
    assert!(matches!(refusal, EditRefusal::NameTaken { .. }), "{refusal}");
}

#[test]
fn an_import_goes_among_the_imports_of_the_file() {
    let first = |body: &str| insert(Position::First, body);
    let python = "\"\"\"Doc.\"\"\"\nimport os  # a\n\n\ndef a():\n    pass\n";
    let after = python.replacen("# a\n", "# a\nimport sys\n", 1);
    check(LanguageId::Python, python, "", first("import sys"), &after);
    let go = "package a\n\nimport \"fmt\"\n\n// A does.\nfunc A() {}\n";
    let after = go.replacen("\"fmt\"\n", "\"fmt\"\nimport \"os\"\n", 1);
    check(LanguageId::Go, go, "", first("import \"os\""), &after);
    let bare = "def a():\n    pass\n";
    check(LanguageId::Python, bare, "", first("import sys"), &format!("import sys\n\n\n{bare}"));
}

#[test]
fn a_module_in_another_file_takes_no_members_and_a_record_without_a_body_does() {
    let last = |body: &str| insert(Position::Last, body);
    let rust = "mod peek;\npub use self::peek::Peek;\n";
    let refusal = refused(LanguageId::Rust, rust, "peek", last("fn a() {}"));
    assert!(matches!(refusal, EditRefusal::NoContainer { .. }), "{refusal}");
    let record = "public record Pair(int A, int B);\n";
    let after = "public record Pair(int A, int B) {\n    int Sum() => A + B;\n}\n";
    check(LanguageId::CSharp, record, "Pair", last("int Sum() => A + B;"), after);
}

#[test]
fn a_member_beside_one_in_a_container_of_one_line_gets_lines_of_its_own() {
    let base = "export class A { f() { return 1; } }\n";
    let after = "export class A {\n  f() { return 1; }\n\n  g() {\n    return 2;\n  }\n}\n";
    let method = insert(Position::After, "g() {\n  return 2;\n}");
    check(LanguageId::TypeScript, base, "A/f", method, after);
    let go = "package a\n\ntype (\n\tA int\n\tB int\n)\n";
    let beside = insert(Position::After, "type C struct {\n\ty int\n}");
    check(LanguageId::Go, go, "B", beside, &format!("{go}\ntype C struct {{\n\ty int\n}}\n"));
}
