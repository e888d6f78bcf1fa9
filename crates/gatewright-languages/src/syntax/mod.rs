//! Pure parsing: which language a file is in, what it defines, and what a change does to that.
//!
//! Start at [`detect()`] and [`Parsed`]; [`structure_facts`] answers the structural gate.

mod beside;
mod budget;
mod carried;
mod conditional;
mod detect;
pub mod edit;
mod errors;
mod kinds;
mod language;
mod languages;
mod lines;
mod outline;
mod ownership;
mod parsed;
mod query;
mod recent;
mod same_tree;
mod second_name;
mod structure;
mod symbol;
mod tokens;
mod twins;

pub use detect::detect;
pub use errors::{ErrorSignature, new_errors};
pub use gatewright_model::{Encoding, EncodingError, decode};
pub use language::{Language, LanguageId};
pub use lines::LineIndex;
pub use parsed::{ParseError, Parsed};
pub(crate) use same_tree::{Splice, differ_only_in};
pub use structure::structure_facts;
pub use symbol::{Keyword, Symbol, SymbolKind};
pub use tokens::{Token, TokenClass};
