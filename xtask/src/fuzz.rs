//! `cargo xtask fuzz-smoke`: every fuzz target for a few seconds.
//!
//! The targets are libFuzzer programs. The stable compiler can instrument for
//! coverage by plain code-generation flags; only the sanitizers need another.
//! Corpora and findings stay in the target directory.

use std::fs;
use std::path::{Path, PathBuf};

use toml::{Table, Value};

use crate::failure::Failure;
use crate::setup::Setup;
use crate::{process, tree};

/// Seconds for each target in `cargo xtask test`.
pub const DEFAULT_SECONDS: u64 = 5;

/// Coverage counters and comparisons for libFuzzer; `fuzzing` as cargo-fuzz sets it.
const FLAGS: [&str; 7] = [
    "--cfg=fuzzing",
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
    "-Ccodegen-units=1",
];

/// Runs every target of `fuzz/` for that many seconds each.
pub fn run(seconds: u64) -> Result<(), Failure> {
    let manifest = tree::root().join("fuzz/Cargo.toml");
    let targets = read_targets(&manifest)?;
    if targets.is_empty() {
        return Err(Failure::unexpected("fuzz/Cargo.toml declares no target"));
    }
    let home = tree::target().join("fuzz");
    build(&manifest, &home)?;
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

fn build(manifest: &Path, home: &Path) -> Result<(), Failure> {
    let mut command = process::cargo(&Setup::locate()?);
    command
        .args(["build", "--release", "--quiet", "--target", &platform(), "--manifest-path"])
        .arg(manifest)
        .env("CARGO_TARGET_DIR", home)
        .env("CARGO_ENCODED_RUSTFLAGS", FLAGS.join("\u{1f}"));
    process::run(&mut command)
}

/// Named, so that build scripts and macros are built without the flags.
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
        .args(["-timeout=10", "-rss_limit_mb=2048", "-verbosity=0", "-print_final_stats=0"])
        .arg(format!("-artifact_prefix={}/", directory("artifacts")?.display()))
        .arg(directory("corpus")?);
    let seeds = tree::root().join("fuzz/seeds").join(target);
    if seeds.is_dir() {
        command.arg(seeds);
    }
    process::run(&mut command)
}
