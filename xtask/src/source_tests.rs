//! What the little lexer must see through.

use super::*;

fn code(source: &str) -> String {
    Masked::of(source).code
}

#[test]
fn masks_keep_length_and_lines() {
    let source = "fn f() { /* a\n/* b */ ü */ \"x\\\"}\n\" } // é {\n";
    let masked = Masked::of(source);
    assert_eq!(masked.code.len(), source.len());
    assert_eq!(masked.comments.len(), source.len());
    assert_eq!(masked.code.lines().count(), source.lines().count());
    assert_eq!(masked.code.matches(['{', '}']).count(), 2);
    assert!(masked.comments.contains("ü") && masked.comments.contains("// é {"));
}

#[test]
fn strings_are_no_code() {
    for literal in [
        r#""a { b""#,
        r##"r#"quote " { "#"##,
        r#"br"{""#,
        r#"c"{""#,
        r#"b"\"{""#,
        r"'{'",
        r"b'{'",
        r"'\''",
        r"'\u{7b}'",
        "'é'",
    ] {
        let source = format!("let x = {literal};y");
        let masked = code(&source);
        assert!(masked.starts_with("let x = ") && masked.ends_with(";y"), "{literal}: {masked}");
        assert!(!masked.contains(['{', '"', '\'', '\\']), "{literal}: {masked}");
    }
}

#[test]
fn lifetimes_and_raw_names_are_code() {
    let source = "fn f<'a>(x: &'a str, r#type: &'static u8) -> Foo<'_> {}";
    assert_eq!(code(source), source);
}

#[test]
fn a_word_before_a_quote_is_no_prefix() {
    assert!(code("number\"{\"").starts_with("number"));
}

#[test]
fn functions_are_measured_from_head_to_brace() {
    let source = "\
/// Doc.
#[inline]
pub fn one<F: Fn(u8) -> u8>(&self, a: (u8, u8), b: HashMap<u8, u8>, f: F) -> [u8; 2]
where
    F: Copy,
{
    [1, 2]
}
trait T { fn no_body(&self); fn two(self: Box<Self>) {} }
type P = fn(u8) -> u8;
";
    let found = functions(&code(source));
    let expected = [("one", 3, 6, 3), ("two", 9, 1, 0)];
    let measured: Vec<_> =
        found.iter().map(|f| (f.name.as_str(), f.line, f.lines, f.parameters)).collect();
    assert_eq!(measured, expected);
}

#[test]
fn trailing_commas_and_patterns_count_right() {
    let source = "fn f(\n    mut self_: u8,\n    Point { x, y }: Point,\n    g: impl Fn(u8, u8) -> u8,\n) {}";
    assert_eq!(functions(&code(source))[0].parameters, 3);
    assert_eq!(functions("fn f() {}")[0].parameters, 0);
    assert_eq!(functions("fn f(&mut self, a: u8) {}")[0].parameters, 1);
}

#[test]
fn production_code_has_no_tests() {
    let source = "\
fn kept() {}
#[cfg(test)]
mod tests {
    #[test]
    fn gone() { assert!(true); }
}
#[cfg(test)]
#[path = \"other_tests.rs\"]
mod other;
fn kept_too() {}
";
    let production = Masked::of(source).production_code();
    assert!(production.contains("kept()") && production.contains("kept_too"));
    assert!(!production.contains("gone") && !production.contains("other"));
    assert_eq!(production.lines().count(), source.lines().count());
}

#[test]
fn nested_functions_are_both_found() {
    let found = functions("fn outer() {\n    fn inner() {\n    }\n}");
    let names: Vec<_> = found.iter().map(|f| (f.name.as_str(), f.lines)).collect();
    assert_eq!(names, [("outer", 4), ("inner", 2)]);
}
