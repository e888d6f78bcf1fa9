//! Symbol edits: identity over every symbol of the pages, and the ways in which they go wrong.

use gatewright_languages::syntax::edit::{
    EditRefusal, Position, SymbolAction, SymbolEdit, plan_edit, symbol_digest,
};
use gatewright_languages::syntax::{LanguageId, Parsed, Symbol, detect};
use gatewright_model::Digest;

pub(super) fn edit(symbol: &str, overload: Option<u32>, action: SymbolAction) -> SymbolEdit {
    SymbolEdit { symbol: symbol.to_owned(), overload, expect: None, action }
}

pub(super) fn replace(body: &str) -> SymbolAction {
    SymbolAction::Replace { body: body.to_owned() }
}

pub(super) fn insert(position: Position, body: &str) -> SymbolAction {
    SymbolAction::Insert { position, body: body.to_owned() }
}

#[track_caller]
pub(super) fn check(
    language: LanguageId,
    before: &str,
    symbol: &str,
    action: SymbolAction,
    after: &str,
) {
    let plan = plan_edit(language, before.as_bytes(), &edit(symbol, None, action)).unwrap();
    assert_eq!(String::from_utf8(plan.after).unwrap(), after);
}

#[track_caller]
pub(super) fn refused(
    language: LanguageId,
    before: &str,
    symbol: &str,
    action: SymbolAction,
) -> EditRefusal {
    plan_edit(language, before.as_bytes(), &edit(symbol, None, action)).unwrap_err()
}

fn pages() -> Vec<(LanguageId, String, String)> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pages");
    let entries = std::fs::read_dir(folder).unwrap();
    entries
        .map(|entry| {
            let text = std::fs::read_to_string(entry.unwrap().path()).unwrap();
            let (head, _) = text.split_once("=== outline\n").unwrap();
            let (title, source) = head.split_once('\n').unwrap();
            let name = title.trim_start_matches("=== ").to_owned();
            (detect(&name, b"").unwrap(), name, source.to_owned())
        })
        .collect()
}

/// The ways in which a caller may hand a symbol its own text.
fn own_texts(parsed: &Parsed, symbol: &Symbol) -> Vec<String> {
    let source = parsed.source();
    let line = parsed.lines().start(parsed.lines().line(symbol.full.start));
    let is_first = source[line..symbol.full.start].iter().all(u8::is_ascii_whitespace);
    let mut texts = vec![parsed.text(symbol.full), parsed.text(symbol.code)];
    if is_first {
        texts.push(String::from_utf8_lossy(&source[line..symbol.full.end]).into_owned());
    }
    texts
}

fn identity(language: LanguageId, name: &str, source: &[u8]) -> (usize, Vec<String>) {
    let parsed = Parsed::new(language, source).unwrap();
    let mut wrong = Vec::new();
    for symbol in parsed.outline() {
        for body in own_texts(&parsed, symbol) {
            let request = edit(&symbol.path, Some(symbol.overload), replace(&body));
            match plan_edit(language, source, &request) {
                Ok(plan) if plan.after == source => {}
                Ok(_) => wrong.push(format!("{name}: {}: bytes changed", symbol.path)),
                Err(refusal) => wrong.push(format!("{name}: {}: {refusal}", symbol.path)),
            }
        }
    }
    (parsed.outline().len(), wrong)
}

#[test]
fn a_symbol_replaced_by_its_own_text_changes_no_byte() {
    let mut wrong = Vec::new();
    for (language, name, source) in pages() {
        // One page in two has the other line ends; a corpus has both everywhere.
        let is_crlf = name.len() % 2 == 0;
        let source = if is_crlf { source.replace('\n', "\r\n") } else { source };
        wrong.extend(identity(language, &name, source.as_bytes()).1);
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn a_body_is_replaced_under_the_head_that_is_there() {
    check(
        LanguageId::Rust,
        "/// Doc.\n#[inline]\nfn a(x: u8) -> u8 {\n    x\n}\n",
        "a",
        replace("let y = x;\ny + 1"),
        "/// Doc.\n#[inline]\nfn a(x: u8) -> u8 {\n    let y = x;\n    y + 1\n}\n",
    );
    check(
        LanguageId::Python,
        "class C:\n    def a(self):\n        return 1\n\n    def b(self):\n        return 2\n",
        "C/a",
        replace("x = 1\nreturn x"),
        "class C:\n    def a(self):\n        x = 1\n        return x\n\n    def b(self):\n        return 2\n",
    );
    check(
        LanguageId::Ruby,
        "class C\n  def a\n    1\n  end\nend\n",
        "C/a",
        replace("x = 1\nx"),
        "class C\n  def a\n    x = 1\n    x\n  end\nend\n",
    );
}

#[test]
fn a_definition_keeps_comment_and_annotations_unless_it_brings_its_own() {
    let before = "/// Old.\n#[inline]\nfn a() {}\n";
    check(
        LanguageId::Rust,
        before,
        "a",
        replace("fn a() { x }"),
        "/// Old.\n#[inline]\nfn a() { x }\n",
    );
    check(
        LanguageId::Rust,
        before,
        "a",
        replace("/// New.\nfn a() { x }"),
        "/// New.\n#[inline]\nfn a() { x }\n",
    );
    check(
        LanguageId::Rust,
        before,
        "a",
        replace("#[cold]\nfn a() { x }"),
        "/// Old.\n#[cold]\nfn a() { x }\n",
    );
    check(
        LanguageId::Java,
        "class A {\n    @Override\n    public int a() { return 1; }\n}\n",
        "A/a",
        replace("public int a() { return 2; }"),
        "class A {\n    @Override\n    public int a() { return 2; }\n}\n",
    );
}

#[test]
fn a_nested_method_takes_its_place_and_its_siblings_stay() {
    check(
        LanguageId::Rust,
        "impl A {\n    fn a() {\n        1\n    }\n\n    fn b() {}\n}\n",
        "impl A/a",
        replace("fn a() {\n    2\n}"),
        "impl A {\n    fn a() {\n        2\n    }\n\n    fn b() {}\n}\n",
    );
}

#[test]
fn multi_line_strings_are_not_shifted() {
    check(
        LanguageId::Python,
        "class C:\n    def a(self):\n        return 1\n",
        "C/a",
        replace("def a(self):\n    text = \"\"\"\none\n  two\n\"\"\"\n    return text"),
        "class C:\n    def a(self):\n        text = \"\"\"\none\n  two\n\"\"\"\n        return text\n",
    );
}

#[test]
fn directives_at_the_margin_are_not_shifted() {
    let before = "struct A {\n  int m() {\n    return 0;\n  }\n};\n";
    let body = "int m() {\n#if X\n  go();\n#endif\n#define K(x) \\\n  x\n  return K(1);\n}";
    let after = "struct A {\n  int m() {\n#if X\n    go();\n#endif\n#define K(x) \\\n  x\n    return K(1);\n  }\n};\n";
    check(LanguageId::Cpp, before, "A/m", replace(body), after);
}

#[test]
fn insert_after_the_last_method_lands_behind_its_last_statement() {
    check(
        LanguageId::Python,
        "class C:\n    def a(self):\n        x = 1\n        return x\n        # done\n\n\ndef f():\n    pass\n",
        "C/a",
        insert(Position::After, "def b(self):\n    return 2"),
        "class C:\n    def a(self):\n        x = 1\n        return x\n        # done\n\n    def b(self):\n        return 2\n\n\ndef f():\n    pass\n",
    );
}

#[test]
fn insert_before_a_module_stays_out_of_the_function_above() {
    check(
        LanguageId::Rust,
        "fn a() {\n    tests();\n}\n\n#[cfg(test)]\nmod tests {\n    fn t() {}\n}\n",
        "tests",
        insert(Position::Before, "fn b() {}"),
        "fn a() {\n    tests();\n}\n\nfn b() {}\n\n#[cfg(test)]\nmod tests {\n    fn t() {}\n}\n",
    );
}

#[test]
fn members_are_inserted_first_and_last_and_into_empty_containers() {
    check(
        LanguageId::TypeScript,
        "class A {\n  a() {}\n}\n",
        "A",
        insert(Position::Last, "b() {\n  return 1;\n}"),
        "class A {\n  a() {}\n\n  b() {\n    return 1;\n  }\n}\n",
    );
    check(
        LanguageId::Java,
        "class A {}\n",
        "A",
        insert(Position::First, "int a() { return 1; }"),
        "class A {\n    int a() { return 1; }\n}\n",
    );
    check(
        LanguageId::Ruby,
        "class A\nend\n",
        "A",
        insert(Position::Last, "def a\n  1\nend"),
        "class A\n  def a\n    1\n  end\nend\n",
    );
    let refusal =
        refused(LanguageId::Rust, "fn a() {}\n", "a", insert(Position::Last, "fn b() {}"));
    assert!(matches!(refusal, EditRefusal::NoContainer { .. }));
}

#[test]
fn remove_takes_what_the_symbol_owns_and_leaves_one_gap() {
    check(
        LanguageId::Rust,
        "fn a() {}\n\n/// Doc.\n#[inline]\nfn b() {}\n\nfn c() {}\n",
        "b",
        SymbolAction::Remove,
        "fn a() {}\n\nfn c() {}\n",
    );
    check(
        LanguageId::Python,
        "class C:\n    def a(self):\n        return 1\n\n\ndef f():\n    pass\n",
        "C/a",
        SymbolAction::Remove,
        "class C:\n    pass\n\n\ndef f():\n    pass\n",
    );
    check(
        LanguageId::Go,
        "package a\n\n// A is.\ntype A struct {\n\tX int\n}\n",
        "A",
        SymbolAction::Remove,
        "package a\n",
    );
}

#[test]
fn a_member_of_a_list_goes_with_its_comma() {
    let (remove, script) = (|| SymbolAction::Remove, LanguageId::JavaScript);
    let (first, second) = ("  a: function () {\n    return 1;\n  }", "  b() {\n    return 2;\n  }");
    let text = format!("const f = {{\n{first},\n{second},\n}};\n");
    check(script, &text, "f/a", remove(), &format!("const f = {{\n{second},\n}};\n"));
    check(script, &text, "f/b", remove(), &format!("const f = {{\n{first},\n}};\n"));
    check(script, "const g = { a() {}, b() {} };\n", "g/a", remove(), "const g = { b() {} };\n");
}

#[test]
fn one_of_several_variables_goes_and_the_declaration_stays() {
    let remove = || SymbolAction::Remove;
    for language in [LanguageId::JavaScript, LanguageId::TypeScript] {
        let check = |before: &str, symbol: &str, after: &str| {
            check(language, before, symbol, remove(), after);
        };
        let two = "const a = 1, b = 2;\nf();\n";
        check(two, "a", "const b = 2;\nf();\n");
        check(two, "b", "const a = 1;\nf();\n");
        let three = "var a = 1, b = () => { g(); }, c = 3\n";
        check(three, "a", "var b = () => { g(); }, c = 3\n");
        check(three, "b", "var a = 1, c = 3\n");
        check(three, "c", "var a = 1, b = () => { g(); }\n");
        let lines = "var a = 1, // one\n    b = 2,\n    // three\n    c = 3;\n";
        check(lines, "a", "var b = 2,\n    // three\n    c = 3;\n");
        check(lines, "b", "var a = 1, // one\n    // three\n    c = 3;\n");
        check(lines, "c", "var a = 1, // one\n    b = 2;\n");
        check("export let a = 1, b = 2; // c\n", "b", "export let a = 1; // c\n");
        // The remark is not this one's, so nothing can be cut out in one piece.
        refused(language, "let a = 1, // one\n    b = 2;\n", "b", remove());
    }
}

#[test]
fn text_beside_a_member_of_a_list_gets_its_comma() {
    let script = LanguageId::JavaScript;
    let (one, two, new) = ("  a() {\n    b();\n  }", "  c() {\n    d();\n  }", "e() {\n  f();\n}");
    let placed = "  e() {\n    f();\n  }";
    let lines = |text: &str| -> Vec<String> {
        text.lines().filter(|line| !line.is_empty()).map(str::to_owned).collect()
    };
    let result = |symbol: &str, position: Position, last: &str| {
        let text = format!("const o = {{\n{one},\n{two}{last}\n}};\n");
        let plan = plan_edit(script, text.as_bytes(), &edit(symbol, None, insert(position, new)));
        lines(&String::from_utf8(plan.unwrap().after).unwrap())
    };
    for last in ["", ","] {
        let first = format!("const o = {{\n{placed},\n{one},\n{two}{last}\n}};\n");
        let middle = format!("const o = {{\n{one},\n{placed},\n{two}{last}\n}};\n");
        let end = format!("const o = {{\n{one},\n{two},\n{placed}{last}\n}};\n");
        assert_eq!(result("o/a", Position::Before, last), lines(&first));
        assert_eq!(result("o/a", Position::After, last), lines(&middle));
        assert_eq!(result("o/c", Position::After, last), lines(&end));
    }
}

#[test]
fn names_resolve_or_offer_the_choice() {
    let source = "struct W;\nimpl W {\n    fn a() {}\n}\nimpl Drop for W {\n    fn drop(&mut self) {}\n}\nmod x {\n    fn same() {}\n}\nmod y {\n    fn same() {}\n}\n";
    let parsed = Parsed::new(LanguageId::Rust, source.as_bytes()).unwrap();
    let find = |query: &str| {
        gatewright_languages::syntax::edit::resolve(&parsed, query, None)
            .map(|symbol| symbol.path.clone())
    };
    assert_eq!(find("impl W/a").unwrap(), "impl W/a");
    assert_eq!(find("W/a").unwrap(), "impl W/a");
    assert_eq!(find("W::a").unwrap(), "impl W/a");
    assert_eq!(find("W.drop").unwrap(), "impl Drop for W/drop");
    assert_eq!(find("y/same").unwrap(), "y/same");
    match find("same") {
        Err(EditRefusal::Ambiguous { candidates, .. }) => assert_eq!(candidates.len(), 2),
        other => panic!("{other:?}"),
    }
    match find("dorp") {
        Err(EditRefusal::NotFound { suggestions, .. }) => {
            assert_eq!(suggestions[0].path, "impl Drop for W/drop");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn names_are_understood_as_languages_write_them() {
    let ruby = "class A\n  def b\n  end\n  def c=(d)\n  end\nend\n";
    let go = "package a\n\ntype A struct{}\n\nfunc (a *A) B() {}\n\ntype C interface {\n\tB()\n}\n";
    let c = "struct a {\n    int x;\n};\nint e(void)\n{\n    return 1;\n}\n";
    let java = "class A {\n  int b() { return 1; }\n  int b(int c) { return c; }\n}\n";
    let rust = "struct A;\nimpl A {\n    async fn b() {}\n}\nstruct W;\n";
    let path = |language, source: &str, query: &str| {
        let parsed = Parsed::new(language, source.as_bytes()).unwrap();
        let found = gatewright_languages::syntax::edit::resolve(&parsed, query, None);
        found.map(|symbol| symbol.path.clone())
    };
    let known = [
        (LanguageId::Ruby, ruby, "A#b", "A/b"),
        (LanguageId::Ruby, ruby, "A#c=", "A/c="),
        (LanguageId::Ruby, ruby, "def b", "A/b"),
        (LanguageId::Go, go, "(*A).B", "A/B"),
        (LanguageId::Go, go, "*A.B", "A/B"),
        (LanguageId::Go, go, "(A).B", "A/B"),
        (LanguageId::C, c, "struct a", "a"),
        (LanguageId::C, c, "e()", "e"),
        (LanguageId::Rust, rust, "fn b", "impl A/b"),
    ];
    for (language, source, query, wanted) in known {
        assert_eq!(path(language, source, query).unwrap(), wanted, "{query}");
    }
    // Never a guess: other parameters or another kind of thing may be meant.
    for (language, source, query) in [
        (LanguageId::C, c, "enum a"),
        (LanguageId::C, c, "e(int)"),
        (LanguageId::Rust, rust, "impl W"),
        (LanguageId::Java, java, "A.b(int)"),
    ] {
        let refusal = path(language, source, query).unwrap_err();
        assert!(matches!(refusal, EditRefusal::NotFound { .. }), "{query}: {refusal}");
    }
    match path(LanguageId::Java, java, "A.b(int)") {
        Err(EditRefusal::NotFound { suggestions, .. }) => {
            assert!(suggestions[..2].iter().all(|one| one.path == "A/b"), "{suggestions:?}");
        }
        other => panic!("{other:?}"),
    }
    assert!(matches!(path(LanguageId::Java, java, "A#b"), Err(EditRefusal::Ambiguous { .. })));
}

#[test]
fn a_file_with_broken_places_is_edited_everywhere_else() {
    let before = "type S = {| +n: number |};\n\nfunction a(x) {\n  return x;\n}\n\nclass C {\n  s: S = 1;\n  m(): ?string {\n    return 2;\n  }\n}\n\nfunction z() {\n  return <B>{1}</B>;\n}\n";
    let js = LanguageId::JavaScript;
    let body = "function a(x) {\n  return x + 1;\n}";
    check(js, before, "a", replace(body), &before.replace("return x;", "return x + 1;"));
    check(js, before, "z", SymbolAction::Remove, before.split("\nfunction z").next().unwrap());
    let refusal = refused(js, before, "gone", SymbolAction::Remove);
    assert!(refusal.to_string().contains("line 1 does not parse"), "{refusal}");
    let broken = "function a(x) {\n  return (x;\n}";
    assert!(matches!(refused(js, before, "a", replace(broken)), EditRefusal::NewErrors { .. }));
}

#[test]
fn what_the_caller_saw_must_still_stand() {
    let source = "def a():\n    return 1\n";
    let parsed = Parsed::new(LanguageId::Python, source.as_bytes()).unwrap();
    let seen = symbol_digest(&parsed, &parsed.outline()[0]);
    let mut request = edit("a", None, replace("def a():\n    return 2"));
    request.expect = Some(seen);
    assert!(plan_edit(LanguageId::Python, source.as_bytes(), &request).is_ok());
    request.expect = Some(Digest::of(b"def a():\n    return 0"));
    let refusal = plan_edit(LanguageId::Python, source.as_bytes(), &request).unwrap_err();
    match refusal {
        EditRefusal::Stale { current, .. } => assert!(current.contains("return 1")),
        other => panic!("{other:?}"),
    }
}

#[test]
fn broken_and_foreign_text_is_refused() {
    let source = "fn a() {\n    1\n}\n\nfn b() {}\n";
    let broken = refused(LanguageId::Rust, source, "a", replace("fn a() {\n    1\n"));
    assert!(
        matches!(broken, EditRefusal::NewErrors { .. } | EditRefusal::OthersChange { .. }),
        "{broken:?}"
    );
    let taken = refused(LanguageId::Rust, source, "a", replace("fn b() {\n    1\n}"));
    assert!(matches!(taken, EditRefusal::NameTaken { .. }), "{taken:?}");
    let empty = refused(LanguageId::Rust, source, "a", replace("  \n"));
    assert_eq!(empty, EditRefusal::EmptyBody);
}

/// The grammar of Ruby takes an `end` that nothing opened for a name.
#[test]
fn an_end_that_ends_nothing_is_an_error() {
    let source = "class Till\n  def first\n    1\n  end\n\n  def last\n    2\n  end\nend\n";
    let torn = "def first\n    1\n  end\n  end";
    let refusal = refused(LanguageId::Ruby, source, "Till/first", replace(torn));
    assert!(
        matches!(refusal, EditRefusal::NewErrors { .. } | EditRefusal::OthersChange { .. }),
        "{refusal:?}"
    );
    let opened =
        refused(LanguageId::Ruby, source, "Till/last", replace("def last\n    2\nend\nend"));
    assert!(matches!(opened, EditRefusal::NewErrors { .. }), "{opened:?}");
    let sound = Parsed::new(LanguageId::Ruby, b"r = 1..2\nr.end\nend_of = r\n").unwrap();
    assert_eq!(sound.first_error(), None);
    let stray = Parsed::new(LanguageId::Ruby, b"def a\nend\nend\n").unwrap();
    assert_eq!((stray.error_signature().total(), stray.first_error()), (1, Some(10)));
}

#[test]
fn line_ends_marks_and_encodings_stay() {
    let before = "\u{feff}class A {\r\n    int a() { return 1; }\r\n}\r\n";
    check(
        LanguageId::Java,
        before,
        "A/a",
        replace("int a() {\n    return 2;\n}"),
        "\u{feff}class A {\r\n    int a() {\r\n        return 2;\r\n    }\r\n}\r\n",
    );
}
