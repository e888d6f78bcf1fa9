//! Rust.

use crate::syntax::language::{Language, LanguageId};

pub(in crate::syntax) static LANGUAGE: Language = Language {
    id: LanguageId::Rust,
    name: "Rust",
    file_names: &[],
    extensions: &["rs"],
    interpreters: &["rust-script"],
    keywords: &["async fn", "struct", "trait", "impl", "enum", "fn"],
    comments: &["line_comment", "block_comment"],
    strings: &["string_literal", "raw_string_literal", "char_literal"],
    interpolations: &[],
    wrappers: &[],
    attributes: &["attribute_item"],
    annotations: &["attribute_item"],
    bodies: &["ordered_field_declaration_list", "macro_rule"],
    blocks: &["block"],
    opaque: &["token_tree"],
    line_comment: "//",
    long_marks: &[("/*", "*/")],
    long_quotes: &["\""],
    semicolons: true,
    indented: false,
    single_definitions: true,
    open_types: &[],
    closers: &[],
    relax: None,
    respell: Some(hide_safe),
    wider: None,
    grammar: || tree_sitter_rust::LANGUAGE.into(),
    query: include_str!("../../../queries/rust.scm"),
};

/// Hides the word `safe` before a function or a value, which the grammar does not know; only a
/// block of foreign items may have it there. Length kept.
fn hide_safe(source: &[u8]) -> Option<Vec<u8>> {
    const WORD: &[u8] = b"safe";
    let mut respelt: Option<Vec<u8>> = None;
    for at in memchr::memmem::find_iter(source, WORD) {
        let behind = &source[at + WORD.len()..];
        let next = behind.trim_ascii_start();
        let is_apart = next.len() < behind.len();
        let marks_an_item = [&b"fn"[..], b"static"].iter().any(|item| starts_with_word(next, item));
        let is_own_word = at == 0 || source[at - 1].is_ascii_whitespace();
        if is_apart && marks_an_item && is_own_word {
            let text = respelt.get_or_insert_with(|| source.to_vec());
            text[at..at + WORD.len()].fill(b' ');
        }
    }
    respelt
}

fn starts_with_word(text: &[u8], word: &[u8]) -> bool {
    let rest = text.strip_prefix(word);
    rest.is_some_and(|rest| rest.first().is_some_and(u8::is_ascii_whitespace))
}
