//! Python.

use crate::syntax::language::{Language, LanguageId};

pub(in crate::syntax) static LANGUAGE: Language = Language {
    id: LanguageId::Python,
    name: "Python",
    file_names: &["SConstruct", "SConscript", "wscript"],
    extensions: &["py", "pyi", "pyw"],
    interpreters: &["python", "pypy"],
    keywords: &["async def", "class", "def"],
    comments: &["comment"],
    strings: &["string"],
    interpolations: &["interpolation"],
    wrappers: &["decorated_definition", "expression_statement"],
    attributes: &[],
    annotations: &["decorator"],
    bodies: &[],
    blocks: &["function_definition", "class_definition", "lambda"],
    opaque: &[],
    line_comment: "#",
    long_marks: &[("\"\"\"", "\"\"\""), ("'''", "'''")],
    long_quotes: &[],
    semicolons: false,
    indented: true,
    single_definitions: true,
    open_types: &[],
    closers: &[],
    relax: None,
    respell: None,
    wider: None,
    grammar: || tree_sitter_python::LANGUAGE.into(),
    query: include_str!("../../../queries/python.scm"),
};
