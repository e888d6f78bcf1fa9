//! TypeScript, and TypeScript with JSX: two grammars, one query.

use super::script::SCRIPT;
use crate::syntax::language::{Language, LanguageId};
use crate::syntax::symbol::SymbolKind;

pub(in crate::syntax) static TYPESCRIPT: Language = Language {
    id: LanguageId::TypeScript,
    extensions: &["ts", "mts", "cts"],
    interpreters: &["ts-node", "tsx", "deno", "bun"],
    grammar: || tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(),
    ..COMMON
};

pub(in crate::syntax) static TSX: Language = Language {
    id: LanguageId::Tsx,
    extensions: &["tsx"],
    grammar: || tree_sitter_typescript::LANGUAGE_TSX.into(),
    ..COMMON
};

/// What the two have in common.
const COMMON: Language = Language {
    name: "TypeScript",
    open_types: &[SymbolKind::Interface, SymbolKind::Enum],
    closers: &[],
    query: concat!(
        include_str!("../../../queries/typescript.scm"),
        include_str!("../../../queries/script.scm"),
    ),
    ..SCRIPT
};
