//! The gate and the symbol edits on real code, as somebody else would try them.
//!
//! `GATEWRIGHT_CORPUS` names a folder of projects; without it the sources are
//! the pages of these tests and this crate itself. `GATEWRIGHT_CASES` is the
//! number of edits for each language, `GATEWRIGHT_LANGUAGE` one language alone.
//! `cargo xtask eval symbols` fetches a corpus and runs all of it.

mod arbitrary;
pub mod calls;
mod corpus;
mod identity;
mod judge;
mod legitimate;
mod structural;
