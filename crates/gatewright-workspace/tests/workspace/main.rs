//! The workspace from outside: real trees, real links, real races, real crashes.
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests build real trees and start real processes"
)]
#![cfg(target_os = "linux")]

mod attacks;
mod attributes;
mod changes;
mod crash;
mod environment;
mod fixture;
mod generations;
mod properties;
mod races;
mod recovery;
mod snapshots;
mod sweep;
mod undo;
