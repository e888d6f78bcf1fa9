//! The tests of the crate, in one binary.
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "tests read their pages and settings"
)]

mod suite {
    pub mod pages;
}
