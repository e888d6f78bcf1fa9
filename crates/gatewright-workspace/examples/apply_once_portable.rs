//! The same as `apply_once`, with the workspace of the other systems.
//!
//! `apply_once_portable apply BASE GENERATION` or `apply_once_portable recover
//! BASE`, where `BASE` holds `root`, `state` and `markers`. A marker file stands for the receipt.
//! It exits with 0 when the change stands, 1 when it was taken back, 3 when it
//! waits for recovery.
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test program, run and killed by the crash tests"
)]

#[cfg(unix)]
use gatewright_workspace::portable::Workspace;

#[cfg(unix)]
#[path = "../tests/workspace/generations.rs"]
mod generations;

#[cfg(unix)]
fn main() -> std::process::ExitCode {
    let arguments: Vec<String> = std::env::args().collect();
    let base = std::path::PathBuf::from(&arguments[2]);
    match arguments[1].as_str() {
        "apply" => generations::apply(&base, arguments[3].parse().unwrap()).into(),
        _ => generations::recover(&base, gatewright_workspace::Durability::Full).into(),
    }
}

#[cfg(not(unix))]
fn main() {}
