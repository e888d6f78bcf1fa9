//! Fixtures and scratch workspaces for tests. Development only; no product crate uses it.
//!
//! - [`Scratch`]: a workspace, a home and a state directory that vanish with the value.
//! - [`Tree`]: everything below a directory, as a value to compare and as text to read.
//! - [`check_cases`]: fixture directories, each a case, without a line of Rust per case.
//! - [`Binary`]: the real program in a cleared environment, its output ready for a snapshot.
//! - [`skip!`](crate::skip!): says that a test could not run; `cargo xtask test` fails on it.
//! - [`seed`], [`cases`], [`Random`]: random tests that can be repeated and made longer.
//!
//! Everything here panics when the machine fails it: a test has nobody to report to.

#![expect(
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::panic,
    reason = "test support builds real trees, starts real programs and fails by panicking"
)]

mod binary;
mod fixtures;
mod random;
mod scratch;
mod skip;
mod tree;

pub use binary::{Binary, Run, has_program};
pub use fixtures::{Case, check_cases};
pub use random::{Random, cases, seed};
pub use scratch::Scratch;
pub use skip::report_skipped;
pub use tree::{Entry, EntryKind, Tree};
