//! What a language is to us: a declaration of names, node kinds and keywords.

use super::languages;
use super::symbol::SymbolKind;

/// The languages with an outline.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
pub enum LanguageId {
    /// Rust.
    Rust,
    /// Python.
    Python,
    /// Go.
    Go,
    /// TypeScript.
    TypeScript,
    /// TypeScript with JSX.
    Tsx,
    /// JavaScript, JSX included.
    JavaScript,
    /// Java.
    Java,
    /// Kotlin.
    Kotlin,
    /// C.
    C,
    /// C++.
    Cpp,
    /// C#.
    CSharp,
    /// Ruby.
    Ruby,
}

/// Spells a text anew with as many bytes.
pub(crate) type Relax = fn(&[u8]) -> Vec<u8>;

/// Spells a text anew, length kept; `None` where it needs no other spelling.
pub(crate) type Respell = fn(&[u8]) -> Option<Vec<u8>>;

/// The declaration of one language.
///
/// Everything that differs between languages is here or in the query file, so
/// that no guard and no algorithm names a language.
#[derive(Debug)]
pub struct Language {
    /// Which one.
    pub id: LanguageId,
    /// The name that people use.
    pub name: &'static str,
    /// Whole file names (`Rakefile`).
    pub file_names: &'static [&'static str],
    /// Extensions without the dot, in lower case.
    pub extensions: &'static [&'static str],
    /// Interpreters of a `#!` line, without a version.
    pub interpreters: &'static [&'static str],
    /// The definition keywords of the design, longest first.
    pub keywords: &'static [&'static str],
    /// Node kinds of comments.
    pub comments: &'static [&'static str],
    /// Node kinds of strings; what lies below is text.
    pub strings: &'static [&'static str],
    /// Node kinds inside a string below which there is code again.
    pub interpolations: &'static [&'static str],
    /// Node kinds that belong to the one definition inside them (`export`, decorators).
    pub wrappers: &'static [&'static str],
    /// Node kinds before a definition, beside it, that belong to it.
    pub attributes: &'static [&'static str],
    /// Node kinds of attributes, decorators and annotations, wherever they stand.
    pub annotations: &'static [&'static str],
    /// Node kinds of bodies that the grammar gives no field name.
    pub bodies: &'static [&'static str],
    /// Node kinds of executable blocks: what is only meant for the top level is not seen inside.
    pub blocks: &'static [&'static str],
    /// Node kinds whose content the grammar leaves as loose tokens (macro arguments).
    pub opaque: &'static [&'static str],
    /// How a comment line starts.
    pub line_comment: &'static str,
    /// What opens and closes a comment or a string that may reach over lines. One with a line
    /// end before it stands at the start of a line.
    pub long_marks: &'static [(&'static str, &'static str)],
    /// How strings start that may reach over lines and whose mark may as well close one.
    pub long_quotes: &'static [&'static str],
    /// Whether a `;` after a definition belongs to it.
    pub semicolons: bool,
    /// Whether indentation ends a body, so that comment lines below may belong to it.
    pub indented: bool,
    /// Whether a second definition of a name in the same scope replaces the first or is an error.
    pub single_definitions: bool,
    /// Kinds of types that a second definition of a name adds to, and does not replace.
    pub open_types: &'static [SymbolKind],
    /// Words that go on with a block or end it, which the grammar takes for names at the top of a
    /// file, where none is open.
    pub closers: &'static [&'static str],
    /// The same text with as many bytes, spelt so that the grammar takes more of it; tried when
    /// there are errors.
    pub(crate) relax: Option<Relax>,
    /// Another spelling of the same length that the grammar is always given, where the text
    /// needs one.
    pub(crate) respell: Option<Respell>,
    /// The language whose grammar takes what this one's does not, where files are written so.
    pub(crate) wider: Option<LanguageId>,
    pub(crate) grammar: fn() -> tree_sitter::Language,
    pub(crate) query: &'static str,
}

impl LanguageId {
    /// All of them.
    pub const ALL: [LanguageId; 12] = [
        LanguageId::Rust,
        LanguageId::Python,
        LanguageId::Go,
        LanguageId::TypeScript,
        LanguageId::Tsx,
        LanguageId::JavaScript,
        LanguageId::Java,
        LanguageId::Kotlin,
        LanguageId::C,
        LanguageId::Cpp,
        LanguageId::CSharp,
        LanguageId::Ruby,
    ];

    /// Its declaration.
    pub fn language(self) -> &'static Language {
        match self {
            LanguageId::Rust => &languages::rust::LANGUAGE,
            LanguageId::Python => &languages::python::LANGUAGE,
            LanguageId::Go => &languages::go::LANGUAGE,
            LanguageId::TypeScript => &languages::typescript::TYPESCRIPT,
            LanguageId::Tsx => &languages::typescript::TSX,
            LanguageId::JavaScript => &languages::javascript::LANGUAGE,
            LanguageId::Java => &languages::java::LANGUAGE,
            LanguageId::Kotlin => &languages::kotlin::LANGUAGE,
            LanguageId::C => &languages::c::C,
            LanguageId::Cpp => &languages::c::CPP,
            LanguageId::CSharp => &languages::csharp::LANGUAGE,
            LanguageId::Ruby => &languages::ruby::LANGUAGE,
        }
    }

    /// The name that people use.
    pub fn name(self) -> &'static str {
        self.language().name
    }
}
