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
    bodies: &["class_body", "enum_class_body", "function_body", "block"],
    blocks: &["function_body", "lambda_literal", "anonymous_initializer"],
    opaque: &[],
    line_comment: "//",
    semicolons: true,
    indented: false,
    single_definitions: false,
    grammar: || tree_sitter_kotlin_ng::LANGUAGE.into(),
    query: include_str!("../../../queries/kotlin.scm"),
};
