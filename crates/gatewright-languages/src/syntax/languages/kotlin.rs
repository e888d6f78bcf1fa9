//! Kotlin.

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
    semicolons: true,
    indented: false,
    single_definitions: false,
    relax: Some(break_before_braces),
    respell: Some(mark_functional_interfaces),
    wider: None,
    grammar: || tree_sitter_kotlin_ng::LANGUAGE.into(),
    query: include_str!("../../../queries/kotlin.scm"),
};

/// Gives `fun interface` the spelling of an annotated interface, length kept.
///
/// The grammar does not know functional interfaces and reads some of them as
/// calls, depending on what follows.
fn mark_functional_interfaces(source: &[u8]) -> Option<Vec<u8>> {
    let mut respelt: Option<Vec<u8>> = None;
    for offset in memchr::memmem::find_iter(source, b"fun interface ") {
        let is_word = offset == 0 || source[offset - 1].is_ascii_whitespace();
        if is_word {
            let text = respelt.get_or_insert_with(|| source.to_vec());
            text[offset..offset + 3].copy_from_slice(b"@fu");
        }
    }
    respelt
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
