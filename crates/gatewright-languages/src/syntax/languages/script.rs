//! What JavaScript, TypeScript and TypeScript with JSX have in common.

use crate::syntax::language::{Language, LanguageId};
use crate::syntax::symbol::SymbolKind;

/// JavaScript without its grammar's own names, which each of the three takes over.
pub(super) const SCRIPT: Language = Language {
    id: LanguageId::JavaScript,
    name: "JavaScript",
    file_names: &[],
    extensions: &[],
    interpreters: &[],
    keywords: &["async function", "interface", "function", "class", "enum"],
    comments: &["comment", "html_comment"],
    strings: &["string", "template_string", "regex", "jsx_text"],
    interpolations: &["template_substitution"],
    wrappers: &[
        "export_statement",
        "ambient_declaration",
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
    closers: &[],
    relax: None,
    respell: None,
    wider: None,
    grammar: || tree_sitter_javascript::LANGUAGE.into(),
    query: concat!(
        include_str!("../../../queries/javascript.scm"),
        include_str!("../../../queries/script.scm"),
    ),
};
