//! `cargo xtask soak`: the long versions of the tests that look for rare events.
//!
//! The same tests as in the default run, in release, with `GATEWRIGHT_CASES`
//! large. The seed is printed by each test; `GATEWRIGHT_SEED` repeats it.

use crate::failure::Failure;
use crate::setup::Setup;
use crate::test_output::Tally;
use crate::{page, process};

/// A crate, its test program (all of them for `""`), the part of its tests' names
/// that is meant, and how many cases.
const RUNS: [(&str, &str, &str, u64); 10] = [
    ("gatewright-workspace", "workspace", "races", 10_000_000),
    ("gatewright-workspace", "workspace", "crash", 10_000),
    ("gatewright-workspace", "workspace", "sweep", 1_000_000),
    ("gatewright-workspace", "portable", "races", 100_000),
    ("gatewright-workspace", "portable", "sweep", 1_000_000),
    ("gatewright-guards", "", "no_alias", 1_000_000),
    ("gatewright-guards", "", "no_near_miss", 1_000_000),
    ("gatewright-ledger", "", "flipped_bit", 1_000),
    ("gatewright-ledger", "", "killed_processes", 10_000),
    ("gatewright-languages", "lsp", "no_accident", 100_000),
];

/// Runs every long test whose name holds `filter`. `GATEWRIGHT_CASES` overrides the counts.
pub fn run(filter: Option<&str>) -> Result<(), Failure> {
    if filter == Some("page") {
        return page::soak();
    }
    let setup = Setup::locate()?;
    let wanted =
        RUNS.iter().filter(|(_, _, name, _)| filter.is_none_or(|part| name.contains(part)));
    let mut failed = Vec::new();
    for (package, program, name, count) in wanted {
        let count = std::env::var("GATEWRIGHT_CASES").unwrap_or_else(|_| count.to_string());
        println!("\n==> soak {package} {name}: {count} cases");
        let mut command = process::cargo(&setup);
        command.args(["test", "--release", "--package", package]);
        if !program.is_empty() {
            command.args(["--test", program]);
        }
        command.args([name, "--", "--nocapture"]);
        command.env("GATEWRIGHT_CASES", count);
        let (lines, succeeded) = process::stream(&mut command)?;
        let tally = Tally::of(lines.iter().map(String::as_str));
        if !succeeded || tally.passed == 0 || !tally.skipped.is_empty() {
            failed.push(format!("{package} {name}"));
        }
    }
    if failed.is_empty() {
        return Ok(());
    }
    let message = format!("failed, skipped or without a test of that name: {}", failed.join(", "));
    Err(Failure::unexpected(message))
}
