//! Instructions for each byte, as callgrind counts them, beside those that were recorded.
//!
//! A busy machine changes every time and no count, so a regression is seen here first. The
//! source is that of a few crates of one version; where one of them is another now, the counts
//! are printed and not compared. What was recorded stands in `egress_instructions.txt`, which
//! is written by hand from what this prints.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::egress::{copy_to, example_path, list, registry};
use crate::failure::Failure;
use crate::process;
use crate::setup;

/// The crates whose source is looked at.
const CRATES: [&str; 7] = [
    "aho-corasick-1.1.5",
    "axum-0.8.9",
    "hyper-1.12.0",
    "jiff-0.2.39",
    "regex-syntax-0.8.11",
    "serde_json-1.0.154",
    "tree-sitter-0.27.1",
];

/// What is counted, and what the example is told for it.
const COUNTS: [(&str, &[&str]); 4] = [
    ("source", &["1"]),
    ("source-half-the-rules", &["2"]),
    ("source-twice-the-rules", &["0"]),
    ("frames", &["1", "frames"]),
];

const RECORDED: &str = include_str!("egress_instructions.txt");

/// Counts and prints each beside what was recorded.
pub fn run(home: &Path) -> Result<(), Failure> {
    let source = home.join("counted");
    let is_whole = gather(&source)?;
    for (name, told) in COUNTS {
        let Some(count) = count(&source, told) else {
            println!("instructions per byte: valgrind is not here");
            break;
        };
        match recorded(name).filter(|_| is_whole) {
            Some(known) => {
                let change = (count / known - 1.0) * 100.0;
                println!(
                    "instructions per byte, {name}: {count:.2}, recorded {known:.2} ({change:+.1} %)"
                );
            }
            None => println!("instructions per byte, {name}: {count:.2}, nothing to compare with"),
        }
    }
    setup::clear(&source)
}

/// What was recorded under `name`.
fn recorded(name: &str) -> Option<f64> {
    let lines = RECORDED.lines().filter_map(|line| line.split_once(' '));
    lines.filter(|(known, _)| *known == name).find_map(|(_, count)| count.trim().parse().ok())
}

/// Copies the source of the crates. True when all of them are there.
fn gather(source: &Path) -> Result<bool, Failure> {
    setup::clear(source)?;
    fs::create_dir_all(source).map_err(Failure::io("make", source))?;
    let mut homes = Vec::new();
    let registry = registry()?;
    for entry in fs::read_dir(&registry).map_err(Failure::io("list", &registry))?.flatten() {
        homes.extend(
            CRATES.map(|name| entry.path().join(name)).into_iter().filter(|one| one.is_dir()),
        );
    }
    // By name, wherever it comes from.
    homes.sort_by_key(|path| path.file_name().map(ToOwned::to_owned));
    homes.dedup_by_key(|path| path.file_name().map(ToOwned::to_owned));
    let mut files: Vec<PathBuf> = Vec::new();
    for home in &homes {
        let first = files.len();
        list(home, &mut files);
        files[first..].sort();
    }
    for (index, file) in files.iter().enumerate() {
        copy_to(source, index, file)?;
    }
    Ok(homes.len() == CRATES.len())
}

/// Instructions for each byte once every rule is compiled: the difference of one look and of two.
fn count(source: &Path, told: &[&str]) -> Option<f64> {
    let counted = |times: &str| -> Option<(f64, f64)> {
        let mut command = process::nice("valgrind");
        command.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]);
        command.arg(example_path("egress_speed")).arg(source);
        let (lines, _) = process::collect(command.args(["64", times]).args(told)).ok()?;
        let collected = lines.iter().find_map(|line| line.split_once("Collected :"))?.1.trim();
        let report = lines.iter().find_map(|line| serde_json::from_str::<Value>(line).ok())?;
        Some((collected.parse().ok()?, report["bytes"].as_f64()?))
    };
    let (once, bytes) = counted("1")?;
    let (twice, _) = counted("2")?;
    (bytes > 0.0).then(|| (twice - once) / bytes)
}
