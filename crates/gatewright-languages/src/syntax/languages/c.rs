//! C and C++. A `.h` file is read with the C++ grammar, which takes C headers as well.

use crate::syntax::language::{Language, LanguageId};

pub(in crate::syntax) static C: Language = Language {
    id: LanguageId::C,
    name: "C",
    file_names: &[],
    extensions: &["c"],
    interpreters: &["tcc"],
    keywords: &["struct", "class", "enum"],
    comments: &["comment"],
    strings: &["string_literal", "char_literal", "system_lib_string"],
    interpolations: &[],
    wrappers: &["declaration", "field_declaration", "type_definition"],
    attributes: &["attribute_declaration"],
    bodies: &[],
    blocks: &["compound_statement"],
    opaque: &["preproc_arg"],
    line_comment: "//",
    semicolons: true,
    indented: false,
    single_definitions: true,
    relax: None,
    grammar: || tree_sitter_c::LANGUAGE.into(),
    query: include_str!("../../../queries/c.scm"),
};

pub(in crate::syntax) static CPP: Language = Language {
    id: LanguageId::Cpp,
    name: "C++",
    file_names: &[],
    extensions: &[
        "cpp", "cc", "cxx", "c++", "hpp", "hh", "hxx", "h++", "h", "ipp", "inl", "tpp", "txx",
        "cppm", "ixx", "cu", "cuh", "ino",
    ],
    interpreters: &[],
    keywords: &["struct", "class", "enum"],
    comments: &["comment"],
    strings: &["string_literal", "raw_string_literal", "char_literal", "system_lib_string"],
    interpolations: &[],
    wrappers: &["template_declaration", "declaration", "field_declaration", "type_definition"],
    attributes: &["attribute_declaration"],
    bodies: &[],
    blocks: &["compound_statement"],
    opaque: &["preproc_arg"],
    line_comment: "//",
    semicolons: true,
    indented: false,
    single_definitions: false,
    relax: None,
    grammar: || tree_sitter_cpp::LANGUAGE.into(),
    query: include_str!("../../../queries/cpp.scm"),
};
