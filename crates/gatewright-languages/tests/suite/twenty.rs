//! The failures that symbol editing is known for elsewhere, one test each.
//!
//! What needs a workspace, a server or a process is tested where those are: the
//! tests of the language servers and of the command line.

use gatewright_languages::syntax::edit::{
    EditRefusal, Position, SymbolAction, SymbolEdit, plan_edit,
};
use gatewright_languages::syntax::{LanguageId, structure_facts};
use gatewright_model::{Intent, Structural, StructureFacts, TextEdit};

fn edited(
    language: LanguageId,
    before: &str,
    symbol: &str,
    action: SymbolAction,
) -> Result<String, EditRefusal> {
    let (symbol, overload) = (symbol.to_owned(), None);
    let edit = SymbolEdit { symbol, overload, expect: None, action };
    let plan = plan_edit(language, before.as_bytes(), &edit)?;
    Ok(String::from_utf8(plan.after).unwrap())
}

fn replace(body: &str) -> SymbolAction {
    SymbolAction::Replace { body: body.to_owned() }
}

fn insert(position: Position, body: &str) -> SymbolAction {
    SymbolAction::Insert { position, body: body.to_owned() }
}

fn judged(name: &str, before: &str, edits: &[(&str, &str)]) -> StructureFacts {
    let mut after = before.to_owned();
    for (old, new) in edits {
        after = after.replacen(old, new, 1);
    }
    let edit = |(old, new): &(&str, &str)| TextEdit {
        old: (*old).to_owned(),
        new: (*new).to_owned(),
        replace_all: false,
    };
    let intent = Intent::Edit(edits.iter().map(edit).collect());
    structure_facts(name, Some(before.as_bytes()), Some(after.as_bytes()), &intent)
}

const CLASS: &str = "class C:\n    def a(self):\n        x = 1\n        return x\n\n    def b(self):\n        y = 2\n        return y\n";

#[test]
fn failure_1_edits_of_the_last_method_of_a_class_take_its_last_statement_along() {
    let python = LanguageId::Python;
    let after = edited(python, CLASS, "C/b", insert(Position::After, "def c(self):\n    pass"));
    assert_eq!(after.unwrap(), format!("{CLASS}\n    def c(self):\n        pass\n"));
    let after = edited(python, CLASS, "C/b", replace("def b(self):\n    return 3")).unwrap();
    assert!(after.ends_with("\n    def b(self):\n        return 3\n"), "{after}");
    let after = edited(python, CLASS, "C/b", SymbolAction::Remove).unwrap();
    assert_eq!(after, "class C:\n    def a(self):\n        x = 1\n        return x\n");
}

#[test]
fn failure_2_a_second_remove_sees_what_the_first_one_left() {
    let before = "fn a() {\n    1\n}\n\nfn b() {\n    2\n}\n\nfn c() {\n    3\n}\n";
    let once = edited(LanguageId::Rust, before, "a", SymbolAction::Remove).unwrap();
    let twice = edited(LanguageId::Rust, &once, "b", SymbolAction::Remove).unwrap();
    assert_eq!(twice, "fn c() {\n    3\n}\n");
}

#[test]
fn failure_3_a_symbol_is_found_behind_a_long_insertion() {
    let long: String = (0..600).map(|line| format!("    let x{line} = {line};\n")).collect();
    let new = format!("fn long() {{\n{long}}}");
    let before = "fn a() {}\n\nfn z() {\n    1\n}\n";
    let grown = edited(LanguageId::Rust, before, "a", insert(Position::After, &new)).unwrap();
    let after = edited(LanguageId::Rust, &grown, "z", replace("fn z() {\n    2\n}")).unwrap();
    assert!(after.ends_with("\n\nfn z() {\n    2\n}\n"));
    assert_eq!(after.len(), grown.len());
}

#[test]
fn failure_4_text_before_a_module_stays_out_of_the_function_above() {
    let before = "fn a() {\n    mod_tests();\n}\n\nmod tests {\n    fn t() {}\n}\n";
    let after =
        edited(LanguageId::Rust, before, "tests", insert(Position::Before, "fn b() {}")).unwrap();
    assert_eq!(after, before.replace("mod tests {", "fn b() {}\n\nmod tests {"));
}

#[test]
fn failure_5_a_nested_method_leaves_its_sibling_alone() {
    let before = "impl A {\n    fn a(&self) -> u8 {\n        1\n    }\n\n    fn b(&self) {}\n}\n";
    let after = edited(LanguageId::Rust, before, "A/a", replace("fn a(&self) -> u8 {\n    2\n}"));
    assert_eq!(after.unwrap(), before.replace('1', "2"));
}

#[test]
fn failure_6_a_module_leaves_the_function_above_alone() {
    let before = "fn a() {\n    1\n}\n\n#[cfg(test)]\nmod tests {\n    fn t() {}\n}\n";
    let after = edited(LanguageId::Rust, before, "tests", replace("mod tests {\n    fn u() {}\n}"));
    assert_eq!(after.unwrap(), before.replace("fn t()", "fn u()"));
}

#[test]
fn failure_7_what_stands_above_is_kept_brought_or_dropped_as_asked() {
    let before = "/// Doc.\n#[async_trait]\nimpl A for B {\n    fn a() {}\n}\n";
    let rust = LanguageId::Rust;
    let body = "impl A for B {\n    fn b() {}\n}";
    let kept = edited(rust, before, "impl A for B", replace(body)).unwrap();
    assert_eq!(kept, format!("/// Doc.\n#[async_trait]\n{body}\n"));
    let own = format!("/// New.\n#[cold]\n{body}");
    assert_eq!(edited(rust, before, "B", replace(&own)).unwrap(), format!("{own}\n"));
    let whole = SymbolAction::ReplaceWhole { body: body.to_owned() };
    assert_eq!(edited(rust, before, "B", whole).unwrap(), format!("{body}\n"));
}

#[test]
fn failure_8_a_body_alone_keeps_the_signature() {
    let before = "export async function load(id: string): Promise<Row> {\n  return get(id);\n}\n";
    let after = edited(LanguageId::TypeScript, before, "load", replace("return find(id);"));
    assert_eq!(after.unwrap(), before.replace("get(id)", "find(id)"));
}

#[test]
fn failure_9_a_documented_function_of_kotlin_keeps_its_comment_closed() {
    let before = "/**\n * Adds.\n * @param a one\n */\nfun add(a: Int): Int {\n    return a\n}\n";
    let body = "fun add(a: Int): Int {\n    return a + 1\n}";
    let after = edited(LanguageId::Kotlin, before, "add", replace(body)).unwrap();
    assert_eq!(after, before.replace("return a", "return a + 1"));
}

#[test]
fn failure_10_text_after_a_constant_lands_behind_all_of_it() {
    let before = "TABLE = {\n    \"a\": 1,\n    \"b\": 2,\n}\n\n\ndef f():\n    return TABLE\n";
    let action = insert(Position::After, "def g():\n    return 1");
    let after = edited(LanguageId::Python, before, "TABLE", action).unwrap();
    assert!(after.starts_with("TABLE = {\n    \"a\": 1,\n    \"b\": 2,\n}\n\n"), "{after}");
    assert!(after.contains("}\n\n\ndef g():\n    return 1\n"), "{after}");
}

#[test]
fn failure_11_a_body_at_the_margin_is_indented_where_it_goes() {
    let after = edited(LanguageId::Python, CLASS, "C/a", replace("def a(self):\n    return 0"));
    assert!(
        after.unwrap().starts_with("class C:\n    def a(self):\n        return 0\n\n    def b")
    );
}

#[test]
fn failure_12_a_new_function_is_not_spliced_into_another_one() {
    let before = "fn a() {\n    one();\n    two();\n}\n\nfn b() {\n    three();\n}\n";
    let new = "    one();\n}\n\nfn c() {\n    four();\n";
    let facts = judged("a.rs", before, &[("    one();\n", new), ("three", "drei")]);
    assert!(matches!(facts.problems[0].found, Structural::Splice { .. }), "{:?}", facts.problems);
}

#[test]
fn failure_13_escaped_line_ends_are_seen_through() {
    let before = "def a():\n    return 1\n";
    let intent = Intent::Edit(vec![TextEdit {
        old: "def a():\\n    return 1".to_owned(),
        new: "def b():\\n    return 2".to_owned(),
        replace_all: false,
    }]);
    let after = "def b():\n    return 2\n";
    let facts = structure_facts("a.py", Some(before.as_bytes()), Some(after.as_bytes()), &intent);
    assert_eq!(facts.problems.len(), 1);
    assert_eq!(facts.calls.len(), 1);
}

#[test]
fn failure_14_every_action_but_rename_works_without_a_language_server() {
    let before = "func A() int {\n\treturn 1\n}\n";
    let go = LanguageId::Go;
    assert!(edited(go, before, "A", replace("func A() int {\n\treturn 2\n}")).is_ok());
    assert!(edited(go, before, "A", insert(Position::After, "func B() {}")).is_ok());
    assert!(edited(go, before, "A", SymbolAction::Remove).is_ok());
}

#[test]
fn failure_19_text_behind_the_last_symbol_is_not_fused_to_a_line() {
    let before = "def a():\n    return 1";
    let action = insert(Position::After, "def b():\n    return 2");
    let after = edited(LanguageId::Python, before, "a", action).unwrap();
    assert_eq!(after, "def a():\n    return 1\n\n\ndef b():\n    return 2");
}

#[test]
fn a_nested_function_of_tsx_is_replaced_and_not_doubled() {
    let before = "export function App() {\n  function onClick() {\n    go(1);\n  }\n  return <b onClick={onClick} />;\n}\n";
    let body = "function onClick() {\n  go(2);\n}";
    let after = edited(LanguageId::Tsx, before, "App/onClick", replace(body)).unwrap();
    assert_eq!(after, before.replace("go(1)", "go(2)"));
}

#[test]
fn a_macro_with_comments_inside_goes_as_a_whole() {
    let (one, two) = ("int a(void) {\n  return 1;\n}\n", "int b(void) {\n  return 2;\n}\n");
    let text =
        "#define M(x)  \\\n  f(x);  \\\n  /* then */  \\\n  g(x);  \\\n  /* last */  \\\n  h(x);\n";
    let before = format!("{one}\n{text}\n{two}");
    for language in [LanguageId::C, LanguageId::Cpp] {
        let without = edited(language, &before, "M", SymbolAction::Remove).unwrap();
        assert_eq!(without, format!("{one}\n{two}"));
        let back = edited(language, &without, "a", insert(Position::After, text)).unwrap();
        assert_eq!(back, before);
        let after = edited(language, &before, "M", replace("#define M(x) k(x)")).unwrap();
        assert_eq!(after, format!("{one}\n#define M(x) k(x)\n\n{two}"));
    }
}
