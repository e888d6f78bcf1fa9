//! Writes one generation of a small tree, or recovers: what the crash tests kill.
//!
//! `apply_once apply BASE GENERATION` or `apply_once recover BASE`, where `BASE`
//! holds `root`, `state` and `markers`. A marker file stands for the receipt.
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

#[cfg(target_os = "linux")]
use gatewright_workspace::Workspace;

#[cfg(target_os = "linux")]
#[path = "../tests/workspace/generations.rs"]
mod generations;

#[cfg(target_os = "linux")]
fn main() -> std::process::ExitCode {
    let arguments: Vec<String> = std::env::args().collect();
    let base = std::path::PathBuf::from(&arguments[2]);
    match arguments[1].as_str() {
        "apply" => generations::apply(&base, arguments[3].parse().unwrap()).into(),
        _ => generations::recover(&base, gatewright_workspace::Durability::Full).into(),
    }
}

#[cfg(not(target_os = "linux"))]
fn main() {}
