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
    relax: None,
    respell: None,
    wider: None,
    grammar: || tree_sitter_rust::LANGUAGE.into(),
    query: include_str!("../../../queries/rust.scm"),
};
