//! C#.

use crate::syntax::language::{Language, LanguageId};

pub(in crate::syntax) static LANGUAGE: Language = Language {
    id: LanguageId::CSharp,
    name: "C#",
    file_names: &[],
    extensions: &["cs", "csx"],
    interpreters: &["dotnet-script"],
    keywords: &["interface", "struct", "class", "enum"],
    comments: &["comment"],
    strings: &[
        "string_literal",
        "verbatim_string_literal",
        "raw_string_literal",
        "interpolated_string_expression",
        "character_literal",
    ],
    interpolations: &["interpolation"],
    wrappers: &["global_statement"],
    attributes: &[],
    annotations: &["attribute_list"],
    bodies: &["arrow_expression_clause", "accessor_list"],
    blocks: &["block"],
    opaque: &[],
    line_comment: "//",
    long_marks: &[("/*", "*/"), ("\"\"\"", "\"\"\"")],
    long_quotes: &[],
    semicolons: true,
    indented: false,
    single_definitions: false,
    open_types: &[],
    relax: None,
    respell: None,
    wider: None,
    grammar: || tree_sitter_c_sharp::LANGUAGE.into(),
    query: include_str!("../../../queries/csharp.scm"),
};
