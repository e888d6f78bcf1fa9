//! `bench egress`: the egress guard on real source, beside peers on the same files.
//!
//! The source is what cargo keeps of the dependencies. Ours runs as the example
//! `egress_speed`, which measures inside one process; a peer is a whole program,
//! measured by the processor time that the system counts for it, so a busy
//! machine does not spoil the ratio. Hostile strings have a program of their
//! own, which is run at the end.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use super::egress_instructions;
use super::egress_peers::{PEERS, Peer};
use crate::failure::Failure;
use crate::setup::{self, Setup};
use crate::{process, tree};

/// Suffixes of files that count as source, as in the example.
const SOURCE: [&str; 8] = ["rs", "py", "js", "c", "h", "md", "toml", "json"];

/// Runs ours and the peers on so many megabytes, or less for a slow peer, and prints the ratios.
pub fn run(megabytes: usize) -> Result<(), Failure> {
    let home = tree::target().join("bench/egress");
    let corpus = home.join("source");
    let bytes = gather(&corpus, megabytes << 20)?;
    build_examples()?;
    println!("{} MB of source in the target directory", bytes / 1_000_000);
    let ours = measure_ours(&corpus, megabytes)?;
    println!("{ours:#}");
    let mut rows = Vec::new();
    for peer in &PEERS {
        println!("{} …", peer.name);
        rows.push(beside(peer, &home.join(peer.name), megabytes)?);
    }
    let titles = ["MB", "MB/s of core", "ours", "ratio", "without start"];
    let [size, theirs, our, ratio, net] = titles;
    println!("\n{:<28}{size:>8}{theirs:>14}{our:>14}{ratio:>10}{net:>15}", "program");
    rows.iter().for_each(|row| println!("{row}"));
    let figure = |name: &str| ours[name].as_f64().unwrap_or_default();
    let (speed, limit) = (figure("source_mb_s"), figure("memchr_mb_s"));
    let ratio = speed / limit.max(1e-9);
    let whole = bytes / 1_000_000;
    println!("{:<28}{whole:>8}{limit:>14.0}{speed:>14.0}{ratio:>10.2}", "memchr, the limit");
    egress_instructions::run(&home)?;
    let hostile = (megabytes / 20).clamp(1, 10);
    process::run(example("egress_hostile").arg(hostile.to_string()))
}

/// One row: a peer and ours on as many files as the peer can look at in reasonable time.
fn beside(peer: &Peer, sample: &Path, most: usize) -> Result<String, Failure> {
    let megabytes = peer.megabytes.min(most);
    let bytes = gather(sample, megabytes << 20)?;
    let beside = sample.with_extension("planted");
    let row = match peer.cost(sample, &beside) {
        Ok(cost) => {
            let speed = |seconds: f64| bytes as f64 / 1e6 / seconds.max(0.01);
            let (theirs, net) = (speed(cost.whole), speed(cost.whole - cost.start));
            let ours = measure_ours(sample, megabytes)?["source_mb_s"].as_f64().unwrap_or_default();
            let title = format!("{} {}", peer.name, peer.version);
            let (megabytes, ratio, net) = (bytes / 1_000_000, ours / theirs, ours / net);
            format!("{title:<28}{megabytes:>8}{theirs:>14.2}{ours:>14.0}{ratio:>10.1}{net:>15.1}")
        }
        Err(failure) => format!("{:<28}not here: {}", peer.name, failure.with_causes()),
    };
    setup::clear(&beside)?;
    setup::clear(sample)?;
    Ok(row)
}

/// Copies source from cargo's cache until there is enough of it.
fn gather(corpus: &Path, limit: usize) -> Result<usize, Failure> {
    setup::clear(corpus)?;
    fs::create_dir_all(corpus).map_err(Failure::io("make", corpus))?;
    let mut files = Vec::new();
    list(&registry()?, &mut files);
    files.sort();
    let mut bytes = 0;
    for (index, file) in files.iter().enumerate() {
        if bytes >= limit {
            break;
        }
        bytes += copy_to(corpus, index, file)?;
    }
    Ok(bytes)
}

/// Where cargo keeps the source of dependencies.
pub fn registry() -> Result<PathBuf, Failure> {
    std::env::var_os("CARGO_HOME")
        .map(PathBuf::from)
        .or_else(|| std::env::home_dir().map(|home| home.join(".cargo")))
        .map(|home| home.join("registry/src"))
        .ok_or_else(|| Failure::unexpected("cargo's home is not known"))
}

/// Copies `file` under a number and returns how long it is.
pub fn copy_to(corpus: &Path, number: usize, file: &Path) -> Result<usize, Failure> {
    let suffix = file.extension().unwrap_or_default().to_string_lossy();
    let copy = corpus.join(format!("{number}.{suffix}"));
    Ok(fs::copy(file, &copy).map_err(Failure::io("copy", file))? as usize)
}

/// Adds the source files below `directory`.
pub fn list(directory: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(directory) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            list(&path, files);
        } else if path.extension().is_some_and(|suffix| SOURCE.iter().any(|one| suffix == *one)) {
            files.push(path);
        }
    }
}

fn build_examples() -> Result<(), Failure> {
    let mut build = process::cargo(&Setup::locate()?);
    build.args(["build", "--release", "--quiet", "--package", "gatewright-guards", "--examples"]);
    process::run(&mut build)
}

fn measure_ours(corpus: &Path, megabytes: usize) -> Result<Value, Failure> {
    let line = process::capture(example("egress_speed").arg(corpus).arg(megabytes.to_string()))?;
    serde_json::from_str(line.trim())
        .map_err(|error| Failure::unexpected(format!("egress_speed printed no JSON: {error}")))
}

fn example(name: &str) -> Command {
    process::nice(example_path(name))
}

/// Where an example is once it is built.
pub fn example_path(name: &str) -> PathBuf {
    tree::target().join("release/examples").join(name)
}
