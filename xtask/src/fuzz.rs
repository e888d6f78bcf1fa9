//! `cargo xtask fuzz-smoke`: every fuzz target for a few seconds; `fuzz TARGET`: one for long.
//!
//! The targets are libFuzzer programs of a workspace of their own. The coverage
//! flags are in its `.cargo/config.toml`, so cargo is run inside `fuzz/`.
//! Corpora and findings stay in the target directory.

use std::fs;
use std::path::{Path, PathBuf};

use toml::{Table, Value};

use crate::failure::Failure;
use crate::setup::Setup;
use crate::{process, seed, tree};

/// Seconds for each target in `cargo xtask test`.
pub const DEFAULT_SECONDS: u64 = 5;

/// How much of a failing target's output is shown.
const LAST_LINES: usize = 40;

/// Runs every target of `fuzz/` for that many seconds each, from the seed of the run.
pub fn run(seconds: u64) -> Result<(), Failure> {
    let targets = read_targets(&tree::root().join("fuzz/Cargo.toml"))?;
    if targets.is_empty() {
        return Err(Failure::unexpected("fuzz/Cargo.toml declares no target"));
    }
    // libFuzzer takes 32 bits, and zero for a fresh one.
    run_all(&targets, seconds, (seed::of_run()? as u32).max(1))
}

/// Runs one target of `fuzz/` for that many seconds, from a fresh seed, on the corpus that earlier runs left.
pub fn run_one(target: &str, seconds: u64) -> Result<(), Failure> {
    let targets = read_targets(&tree::root().join("fuzz/Cargo.toml"))?;
    if !targets.iter().any(|known| known == target) {
        let known = targets.join(", ");
        return Err(Failure::usage(format!("no fuzz target {target:?}; there are {known}")));
    }
    run_all(&[target.to_owned()], seconds, 0)
}

fn run_all(targets: &[String], seconds: u64, seed: u32) -> Result<(), Failure> {
    let home = tree::target().join("fuzz");
    build(&home)?;
    let mut failed = Vec::new();
    for target in targets {
        match run_target(target, &home, (seconds, seed)) {
            Ok(runs) => println!("fuzz {target}: {runs} runs in {seconds} s"),
            Err(failure) => {
                println!("fuzz {target}: {}", failure.with_causes());
                failed.push(target.as_str());
            }
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

/// The number of runs; none at all is a failure, and so is anything that was found.
fn run_target(target: &str, home: &Path, (seconds, seed): (u64, u32)) -> Result<u64, Failure> {
    let directory = |kind: &str| -> Result<PathBuf, Failure> {
        let path = home.join(kind).join(target);
        fs::create_dir_all(&path).map_err(Failure::io("make", &path))?;
        Ok(path)
    };
    let program = home.join(platform()).join("release").join(target);
    let mut command = process::nice(program);
    command
        .args([format!("-max_total_time={seconds}"), format!("-seed={seed}")])
        .args(["-timeout=10", "-rss_limit_mb=2048", "-max_len=4096", "-print_final_stats=1"])
        .arg(format!("-artifact_prefix={}/", directory("artifacts")?.display()))
        .arg(directory("corpus")?);
    let seeds = tree::root().join("fuzz/seeds").join(target);
    if seeds.is_dir() {
        command.arg(seeds);
    }
    let (lines, succeeded) = process::collect(&mut command)?;
    let runs = lines
        .iter()
        .find_map(|line| line.strip_prefix("stat::number_of_executed_units:")?.trim().parse().ok());
    match runs {
        Some(runs) if succeeded && runs > 0 => Ok(runs),
        _ => {
            let shown = lines.len().saturating_sub(LAST_LINES);
            println!("{}", lines[shown..].join("\n"));
            Err(Failure::unexpected("found something, or did not run; its last lines are above"))
        }
    }
}
