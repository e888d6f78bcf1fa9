//! Java.

use crate::syntax::language::{Language, LanguageId};

pub(in crate::syntax) static LANGUAGE: Language = Language {
    id: LanguageId::Java,
    name: "Java",
    file_names: &[],
    extensions: &["java"],
    interpreters: &["java"],
    keywords: &["interface", "class", "enum"],
    comments: &["line_comment", "block_comment"],
    strings: &["string_literal", "character_literal"],
    interpolations: &["string_interpolation"],
    wrappers: &[],
    attributes: &[],
    annotations: &["marker_annotation", "annotation"],
    bodies: &[],
    blocks: &["block", "constructor_body"],
    opaque: &[],
    line_comment: "//",
    long_marks: &[("/*", "*/"), ("\"\"\"", "\"\"\"")],
    long_quotes: &[],
    semicolons: true,
    indented: false,
    single_definitions: false,
    open_types: &[],
    closers: &[],
    relax: None,
    respell: None,
    wider: None,
    grammar: || tree_sitter_java::LANGUAGE.into(),
    query: include_str!("../../../queries/java.scm"),
};
