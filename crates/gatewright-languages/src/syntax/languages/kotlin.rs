//! Kotlin.

use super::kotlin_annotations;
use crate::syntax::language::{Language, LanguageId};

pub(in crate::syntax) static LANGUAGE: Language = Language {
    id: LanguageId::Kotlin,
    name: "Kotlin",
    file_names: &[],
    extensions: &["kt", "kts"],
    interpreters: &["kotlin"],
    keywords: &["interface", "class", "enum", "fun"],
    comments: &["line_comment", "block_comment"],
    strings: &["string_literal", "multiline_string_literal", "character_literal"],
    interpolations: &["interpolation"],
    wrappers: &[],
    attributes: &[],
    annotations: &["annotation"],
    bodies: &["class_body", "enum_class_body", "function_body", "block"],
    blocks: &["function_body", "lambda_literal", "anonymous_initializer"],
    opaque: &[],
    line_comment: "//",
    long_marks: &[("/*", "*/"), ("\"\"\"", "\"\"\"")],
    long_quotes: &[],
    semicolons: true,
    indented: false,
    single_definitions: false,
    open_types: &[],
    closers: &[],
    relax: Some(break_before_braces),
    respell: Some(respell),
    wider: None,
    grammar: || tree_sitter_kotlin_ng::LANGUAGE.into(),
    query: include_str!("../../../queries/kotlin.scm"),
};

/// How far back the head of a class may begin, and how long its delegate may be.
const LONGEST_HEAD: usize = 4096;
const LONGEST_DELEGATE: usize = 512;

/// What the grammar reads as something else, spelt so that it does not; length kept.
fn respell(source: &[u8]) -> Option<Vec<u8>> {
    let mut respelt: Option<Vec<u8>> = None;
    mark_functional_interfaces(source, &mut respelt);
    hide_delegates(source, &mut respelt);
    end_single_entries(source, &mut respelt);
    let text = respelt.clone();
    kotlin_annotations::join(text.as_deref().unwrap_or(source), &mut respelt);
    respelt
}

/// Gives `fun interface` the spelling of an annotated interface.
///
/// The grammar does not know functional interfaces and reads some of them as
/// calls, depending on what follows.
fn mark_functional_interfaces(source: &[u8], respelt: &mut Option<Vec<u8>>) {
    for offset in memchr::memmem::find_iter(source, b"fun interface ") {
        let is_word = offset == 0 || source[offset - 1].is_ascii_whitespace();
        if is_word {
            let text = respelt.get_or_insert_with(|| source.to_vec());
            text[offset..offset + 3].copy_from_slice(b"@fu");
        }
    }
}

/// Blanks out the delegate right before the body of a class: `class A(b: B) : B by b {`.
///
/// The grammar takes the body for a lambda that is handed to `b`, so that the class has none.
fn hide_delegates(source: &[u8], respelt: &mut Option<Vec<u8>>) {
    for offset in memchr::memmem::find_iter(source, b" by ") {
        let Some(end) = delegate_before_a_body(source, offset + 4) else { continue };
        if is_in_class_head(&source[offset.saturating_sub(LONGEST_HEAD)..offset]) {
            let text = respelt.get_or_insert_with(|| source.to_vec());
            text[offset + 1..end].fill(b' ');
        }
    }
}

/// Puts a comma behind the only entry of an enum, in place of a blank or a semicolon.
///
/// Where an annotation stands before it, the grammar takes `enum class A { B }` for words between
/// two values and a lambda.
fn end_single_entries(source: &[u8], respelt: &mut Option<Vec<u8>>) {
    for offset in memchr::memmem::find_iter(source, b"enum class ") {
        let head = &source[offset + 11..source.len().min(offset + LONGEST_HEAD)];
        let name = head.iter().take_while(|byte| is_word(**byte) || **byte == b' ').count();
        if head.get(name) != Some(&b'{') {
            continue;
        }
        let Some(end) = kotlin_annotations::only_name(source, offset + 12 + name) else { continue };
        if source[end].is_ascii_whitespace() || source[end] == b';' {
            respelt.get_or_insert_with(|| source.to_vec())[end] = b',';
        }
    }
}

/// Where a name or a call ends that an opening brace follows on the same line.
fn delegate_before_a_body(source: &[u8], start: usize) -> Option<usize> {
    let mut depth = 0usize;
    let mut end = start;
    for (index, byte) in source.iter().enumerate().skip(start).take(LONGEST_DELEGATE) {
        match byte {
            b'(' => depth += 1,
            b')' => depth = depth.checked_sub(1)?,
            b'{' if depth == 0 => return (end > start).then_some(end),
            b' ' | b'\t' => continue,
            _ if depth > 0 => {}
            b'.' | b'_' => {}
            // A second word is no delegate.
            _ if !is_word(*byte) || (end > start && end < index) => return None,
            _ => {}
        }
        end = index + 1;
    }
    None
}

/// Whether the text ends inside the head of a class or an object: nothing but what may stand
/// there lies between its keyword and the end.
fn is_in_class_head(text: &[u8]) -> bool {
    let mut depth = 0usize;
    let mut at = text.len();
    while let Some(index) = at.checked_sub(1) {
        at = index;
        match text[index] {
            b')' => depth += 1,
            b'(' if depth == 0 => return false,
            b'(' => depth -= 1,
            _ if depth > 0 => {}
            b'{' | b'}' | b';' | b'=' => return false,
            byte if is_word(byte) => {
                let before = text[..index].iter().rev().take_while(|byte| is_word(**byte)).count();
                at = index - before;
                match &text[at..=index] {
                    b"class" | b"object" | b"interface" => return true,
                    b"val" | b"var" | b"fun" => return false,
                    _ => {}
                }
            }
            _ => {}
        }
    }
    false
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

/// Breaks the line before a closing brace, length kept: the grammar wants a line end there.
///
/// `class C { fun m() = 1 }` is sound Kotlin that it cannot parse otherwise.
fn break_before_braces(source: &[u8]) -> Vec<u8> {
    let mut relaxed = source.to_vec();
    for offset in memchr::memmem::find_iter(source, b" }") {
        relaxed[offset] = b'\n';
    }
    relaxed
}

#[cfg(test)]
mod tests {
    use super::respell;

    #[test]
    fn the_only_entry_of_an_enum_ends_with_a_comma() {
        for (text, other) in [
            ("@S enum class A { B }", "@S enum class A { B,}"),
            ("enum class A {\n    @N(\"b\") B // c\n}", "enum class A {\n    @N(\"b\") B,// c\n}"),
            ("enum class A { B; }", "enum class A { B, }"),
        ] {
            let respelt = respell(text.as_bytes()).map(|it| String::from_utf8(it).unwrap());
            assert_eq!(respelt.as_deref(), Some(other));
        }
        for text in ["enum class A { B, C }", "enum class A { B; fun f() = 1 }", "enum class A {}"]
        {
            assert_eq!(respell(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn the_delegate_of_a_class_is_hidden_and_that_of_a_property_is_not() {
        let hidden = |text: &str| respell(text.as_bytes()).map(|it| String::from_utf8(it).unwrap());
        let expect = |text: &str, other: &str| assert_eq!(hidden(text).as_deref(), Some(other));
        expect("class A(val b: B) : B by b {\n}\n", "class A(val b: B) : B      {\n}\n");
        expect("object A : B(), C by d.e(1, f) {", "object A : B(), C              {");
        expect("val x = object : A by a {", "val x = object : A      {");
        for text in [
            "val x by lazy {\n    1\n}\n",
            "class A {\n    val x: Int by lazy { 1 }\n}\n",
            "class A(b: B) : B by b\n\nval c = d {\n}\n",
            "// stands by me {",
        ] {
            assert_eq!(hidden(text), None, "{text}");
        }
    }
}
