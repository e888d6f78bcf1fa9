//! What a removal took out is put back byte by byte, where the file is what the removal made.

use gatewright_languages::syntax::edit::{
    EditRefusal, Position, SymbolAction, SymbolEdit, plan_edit, put_back,
};
use gatewright_languages::syntax::{LanguageId, structure_facts};
use gatewright_model::{Intent, Structural};

fn edit(symbol: &str, action: SymbolAction) -> SymbolEdit {
    SymbolEdit { symbol: symbol.to_owned(), overload: None, expect: None, action }
}

#[track_caller]
fn removed(language: LanguageId, text: &str, symbol: &str) -> Vec<u8> {
    plan_edit(language, text.as_bytes(), &edit(symbol, SymbolAction::Remove)).unwrap().after
}

/// Removes the symbol and puts it back by its name, and with its text at each of the places.
#[track_caller]
fn there_and_back(
    language: LanguageId,
    text: &str,
    symbol: &str,
    body: &str,
    places: &[(&str, Position)],
) {
    let now = removed(language, text, symbol);
    assert_ne!(now, text.as_bytes());
    let by_name = edit(symbol, SymbolAction::PutBack);
    let plan = put_back(language, text.as_bytes(), &now, &by_name).unwrap();
    assert_eq!(String::from_utf8(plan.after).unwrap(), text);
    for (anchor, position) in places {
        let insert = SymbolAction::Insert { position: *position, body: body.to_owned() };
        let plan = put_back(language, text.as_bytes(), &now, &edit(anchor, insert)).unwrap();
        assert_eq!(String::from_utf8(plan.after).unwrap(), text, "{position:?} {anchor:?}");
    }
}

#[test]
fn blank_lines_of_no_style_come_back() {
    let text = "fn a() {}\nfn b() {}\n\n\n\n\nfn c() {}\n";
    let places = [("a", Position::After), ("c", Position::Before)];
    there_and_back(LanguageId::Rust, text, "b", "fn b() {}", &places);
}

#[test]
fn a_pass_goes_when_the_only_statement_comes_back() {
    let text = "class C:\n\n    def a(self):\n        return 1\nx = 1\n";
    let body = "def a(self):\n    return 1";
    let places = [("C", Position::First), ("C", Position::Last)];
    there_and_back(LanguageId::Python, text, "C/a", body, &places);
}

#[test]
fn text_that_the_parser_stumbles_on_comes_back() {
    let text = "function a() {}\nfunction b(x: number): string { return ''; }\nfunction c() {}\n";
    let body = "function b(x: number): string { return ''; }";
    let places = [("a", Position::After), ("c", Position::Before)];
    there_and_back(LanguageId::JavaScript, text, "b", body, &places);
}

#[test]
fn the_only_symbol_of_a_file_comes_back_into_the_file() {
    let text = "\u{feff}// Alone.\r\n\r\nint a(void) { return 1; }\r\n\r\n\r\n";
    let places = [("", Position::First), ("", Position::Last)];
    there_and_back(LanguageId::C, text, "a", "int a(void) { return 1; }", &places);
}

#[test]
fn a_second_definition_of_a_name_comes_back() {
    let text = "#ifdef A\nint f(void) { return 1; }\n#else\nint f(void) { return 2; }\n#endif\n";
    let remove = SymbolEdit { overload: Some(2), ..edit("f", SymbolAction::Remove) };
    let plan = plan_edit(LanguageId::C, text.as_bytes(), &remove).unwrap();
    let taken = plan.taken.unwrap();
    assert_eq!((taken.symbol.as_str(), taken.overload), ("f", Some(2)));
    let back = SymbolEdit { overload: Some(2), ..edit("f", SymbolAction::PutBack) };
    let plan = put_back(LanguageId::C, text.as_bytes(), &plan.after, &back).unwrap();
    assert_eq!(plan.after, text.as_bytes());
}

#[test]
fn nothing_is_put_back_elsewhere_changed_or_into_another_file() {
    let (language, text) = (LanguageId::Rust, "fn a() {}\n\n\n\nfn b() {}\n\nfn c() {}\n");
    let now = removed(language, text, "b");
    let insert = |anchor: &str, body: &str| {
        let action = SymbolAction::Insert { position: Position::After, body: body.to_owned() };
        edit(anchor, action)
    };
    let back = |now: &[u8], edit: &SymbolEdit| put_back(language, text.as_bytes(), now, edit);
    assert!(back(&now, &insert("c", "fn b() {}")).is_none(), "another place");
    assert!(back(&now, &insert("a", "fn b() { 1; }")).is_none(), "another text");
    assert!(back(&now, &edit("a", SymbolAction::PutBack)).is_none(), "it is there");
    let changed = [&now[..], b"// More.\n"].concat();
    assert!(back(&changed, &edit("b", SymbolAction::PutBack)).is_none(), "somebody wrote since");
    let refusal = plan_edit(language, &changed, &edit("b", SymbolAction::PutBack)).unwrap_err();
    assert_eq!(refusal, EditRefusal::NotTakenOut { symbol: "b".to_owned() });
}

#[test]
fn text_beside_a_member_of_a_group_that_cannot_hold_it_goes_beside_the_group() {
    let text = "package a\n\nconst (\n\tOne = 1\n\tTwo = 2\n)\n\nfunc F() {}\n";
    let insert = |position, body: &str| SymbolAction::Insert { position, body: body.to_owned() };
    let edited = |symbol: &str, action| {
        let plan = plan_edit(LanguageId::Go, text.as_bytes(), &edit(symbol, action)).unwrap();
        String::from_utf8(plan.after).unwrap()
    };
    let after = edited("Two", insert(Position::After, "func G() {}"));
    assert_eq!(after, text.replace(")\n\nfunc F", ")\n\nfunc G() {}\n\nfunc F"));
    let before = edited("One", insert(Position::Before, "func G() {}"));
    assert_eq!(before, text.replace("const (", "func G() {}\n\nconst ("));
    let member = edited("One", insert(Position::After, "Half = 0.5"));
    assert!(member.contains("\tOne = 1\n\tHalf = 0.5\n\tTwo = 2\n"), "{member}");
}

#[test]
fn a_definition_goes_with_the_condition_behind_it() {
    let text = "class A\n  def a\n  end\nend if defined?(B)\n\nX = 1 unless defined?(X)\n";
    assert_eq!(
        removed(LanguageId::Ruby, text, "X"),
        b"class A\n  def a\n  end\nend if defined?(B)\n"
    );
    assert_eq!(removed(LanguageId::Ruby, text, "A"), b"X = 1 unless defined?(X)\n");
}

#[test]
fn the_comment_of_the_next_symbol_does_not_join_another_one() {
    let text = "module A\n  # About all.\n\n  # One.\n  ONE = 1\n  # Two.\n  TWO = 2\nend\n";
    let after = "module A\n  # About all.\n\n  # Two.\n  TWO = 2\nend\n";
    assert_eq!(removed(LanguageId::Ruby, text, "A/ONE"), after.as_bytes());
}

#[test]
fn a_decorator_that_a_symbol_edit_takes_off_is_told() {
    let before = "@cache\n@log\ndef a():\n    return 1\n\n\n@log\ndef b():\n    return 1\n";
    let facts = |after: &str, symbol: &str| {
        let intent = Intent::Symbol(symbol.to_owned());
        structure_facts("a.py", Some(before.as_bytes()), Some(after.as_bytes()), &intent).problems
    };
    let lost = facts(&before.replace("@cache\n", ""), "a");
    assert_eq!((lost.len(), lost[0].line), (1, Some(1)));
    let annotations = vec!["@cache".to_owned()];
    assert_eq!(lost[0].found, Structural::AnnotationsLost { annotations });
    assert!(facts(&before.replace("return 1", "return 2"), "a").is_empty());
    assert!(facts("@log\ndef b():\n    return 1\n", "a").is_empty(), "what is gone lost nothing");
}

#[test]
fn bytes_that_are_no_text_are_not_edited() {
    let bytes = b"def a():\n    return '\xe9'\n\n\ndef b():\n    return 1\n";
    for symbol in ["a", "b"] {
        let refusal =
            plan_edit(LanguageId::Python, bytes, &edit(symbol, SymbolAction::Remove)).unwrap_err();
        assert!(matches!(refusal, EditRefusal::Encoding(_)), "{refusal}");
    }
}
