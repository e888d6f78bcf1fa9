//! What source code says: grammars, outlines, tokens, and the facts that guards judge.
//!
//! [`syntax`] is pure: bytes in, values out. Each language is one declaration in
//! `syntax/languages/`, one query in `queries/` and one page in `tests/pages/`.
//! Nothing here decides whether a change may pass; that is for the guards.

pub mod lsp;
pub mod references;
pub mod syntax;
