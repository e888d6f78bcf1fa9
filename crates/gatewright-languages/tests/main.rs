//! The tests of the crate, in one binary.
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::unwrap_used,
    clippy::panic,
    reason = "tests read their pages and may fail loudly"
)]

mod suite {
    pub mod gate;
    pub mod pages;
    pub mod put_back;
    pub mod real;
    pub mod robust;
    pub mod symbol_edits;
    pub mod symbol_parts;
    pub mod symbol_places;
    pub mod symbol_style;
    pub mod twenty;
}
