//! `cargo xtask fuzz-smoke`: every fuzz target for a few seconds.
//!
//! The targets are libFuzzer programs of a workspace of their own. The coverage
//! flags are in its `.cargo/config.toml`, so cargo is run inside `fuzz/`.
//! Corpora and findings stay in the target directory.

use std::fs;
use std::path::{Path, PathBuf};

use toml::{Table, Value};

use crate::failure::Failure;
use crate::setup::Setup;
use crate::{process, tree};

/// Seconds for each target in `cargo xtask test`.
pub const DEFAULT_SECONDS: u64 = 5;

/// Runs every target of `fuzz/` for that many seconds each.
pub fn run(seconds: u64) -> Result<(), Failure> {
    let manifest = tree::root().join("fuzz/Cargo.toml");
    let targets = read_targets(&manifest)?;
    if targets.is_empty() {
        return Err(Failure::unexpected("fuzz/Cargo.toml declares no target"));
    }
    let home = tree::target().join("fuzz");
    build(&home)?;
    let mut failed = Vec::new();
    for target in &targets {
        println!("fuzz {target}: {seconds} s");
        if let Err(failure) = run_target(target, &home, seconds) {
            println!("fuzz {target}: {}", failure.with_causes());
            failed.push(target.as_str());
        }
    }
    match failed.as_slice() {
        [] => Ok(()),
        names => Err(Failure::unexpected(format!("a law is broken: {}", names.join(", ")))),
    }
}

fn read_targets(manifest: &Path) -> Result<Vec<String>, Failure> {
    let text = fs::read_to_string(manifest).map_err(Failure::io("read", manifest))?;
    let table: Table =
        text.parse().map_err(|error| Failure::unexpected(format!("fuzz/Cargo.toml: {error}")))?;
    let bins = table.get("bin").and_then(Value::as_array).cloned().unwrap_or_default();
    Ok(bins.iter().filter_map(|bin| Some(bin.get("name")?.as_str()?.to_owned())).collect())
}

fn build(home: &Path) -> Result<(), Failure> {
    let mut command = process::cargo(&Setup::locate()?);
    command
        .args(["build", "--release", "--bins", "--quiet"])
        .current_dir(tree::root().join("fuzz"))
        .env("CARGO_TARGET_DIR", home);
    process::run(&mut command)
}

/// Cargo names the directory so when a platform is given, as the fuzz workspace does.
fn platform() -> String {
    format!("{}-unknown-linux-gnu", std::env::consts::ARCH)
}

fn run_target(target: &str, home: &Path, seconds: u64) -> Result<(), Failure> {
    let directory = |kind: &str| -> Result<PathBuf, Failure> {
        let path = home.join(kind).join(target);
        fs::create_dir_all(&path).map_err(Failure::io("make", &path))?;
        Ok(path)
    };
    let program = home.join(platform()).join("release").join(target);
    let mut command = process::nice(program);
    command
        .arg(format!("-max_total_time={seconds}"))
        .args(["-timeout=10", "-rss_limit_mb=2048", "-max_len=4096", "-verbosity=0"])
        .arg(format!("-artifact_prefix={}/", directory("artifacts")?.display()))
        .arg(directory("corpus")?);
    let seeds = tree::root().join("fuzz/seeds").join(target);
    if seeds.is_dir() {
        command.arg(seeds);
    }
    process::run(&mut command)
}
