//! Go.

use crate::syntax::language::{Language, LanguageId};

pub(in crate::syntax) static LANGUAGE: Language = Language {
    id: LanguageId::Go,
    name: "Go",
    file_names: &[],
    extensions: &["go"],
    interpreters: &[],
    keywords: &["interface", "struct", "func"],
    comments: &["comment"],
    strings: &["interpreted_string_literal", "raw_string_literal", "rune_literal"],
    interpolations: &[],
    wrappers: &["type_declaration", "const_declaration", "var_declaration"],
    attributes: &[],
    annotations: &[],
    bodies: &[],
    blocks: &["block"],
    opaque: &[],
    line_comment: "//",
    long_marks: &[("/*", "*/"), ("`", "`")],
    long_quotes: &[],
    semicolons: false,
    indented: false,
    single_definitions: true,
    open_types: &[],
    closers: &[],
    relax: None,
    respell: None,
    wider: None,
    grammar: || tree_sitter_go::LANGUAGE.into(),
    query: include_str!("../../../queries/go.scm"),
};
