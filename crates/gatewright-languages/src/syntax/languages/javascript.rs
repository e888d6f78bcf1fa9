//! JavaScript.

use super::script::SCRIPT;
use crate::syntax::language::{Language, LanguageId};

pub(in crate::syntax) static LANGUAGE: Language = Language {
    file_names: &["Jakefile"],
    extensions: &["js", "jsx", "mjs", "cjs"],
    interpreters: &["node", "nodejs"],
    // Types of Flow.
    wider: Some(LanguageId::Tsx),
    ..SCRIPT
};
