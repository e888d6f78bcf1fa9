//! JavaScript.

use crate::syntax::language::{Language, LanguageId};
use crate::syntax::symbol::SymbolKind;

pub(in crate::syntax) static LANGUAGE: Language = Language {
    id: LanguageId::JavaScript,
    name: "JavaScript",
    file_names: &["Jakefile"],
    extensions: &["js", "jsx", "mjs", "cjs"],
    interpreters: &["node", "nodejs"],
    keywords: &["async function", "interface", "function", "class", "enum"],
    comments: &["comment", "html_comment"],
    strings: &["string", "template_string", "regex", "jsx_text"],
    interpolations: &["template_substitution"],
    wrappers: &[
        "export_statement",
        "lexical_declaration",
        "variable_declaration",
        "expression_statement",
    ],
    attributes: &["decorator"],
    annotations: &["decorator"],
    bodies: &[],
    blocks: &["statement_block"],
    opaque: &[],
    line_comment: "//",
    long_marks: &[("/*", "*/"), ("`", "`")],
    long_quotes: &[],
    semicolons: true,
    indented: false,
    single_definitions: true,
    open_types: &[SymbolKind::Interface],
    relax: None,
    respell: None,
    // Types of Flow.
    wider: Some(LanguageId::Tsx),
    grammar: || tree_sitter_javascript::LANGUAGE.into(),
    query: include_str!("../../../queries/javascript.scm"),
};
