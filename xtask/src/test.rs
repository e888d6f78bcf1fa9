//! `cargo xtask test`: sets up what the tests need, then runs every gate and every test.
//!
//! It ends with a table of the steps and one line `N passed, N failed, N skipped`.
//! A gate that fails counts as one failed; a test that could not run counts as
//! skipped, and a skipped test fails the run.

use std::process::Command;

use crate::failure::Failure;
use crate::report::Report;
use crate::setup::{self, Setup};
use crate::test_output::Tally;
use crate::{arrows, book, codegen, deny, fuzz, page, process, seed, tidy};

/// How much to run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// All of it.
    Everything,
    /// Without the steps that take minutes on a machine that is new to the tree.
    Fast,
}

/// Runs the steps; fails when one of them fails or a test was skipped.
pub fn run(extent: Extent) -> Result<(), Failure> {
    let mut report = Report::default();
    let mut tally = Tally::default();
    let mut setup = Setup::locate()?;
    report.step("setup", || setup::run().map(|ready| setup = ready));
    report.step("fmt", || process::run(process::cargo(&setup).args(["fmt", "--all", "--check"])));
    report.step("clippy", || process::run(&mut clippy(&setup)));
    report.step("tidy", tidy::run);
    report.step("arrows", arrows::run);
    report.step("codegen", codegen::check);
    slow(&mut report, extent, "deny", || deny::run(&setup));
    report.step("test", || run_tests(&setup, &mut tally));
    slow(&mut report, extent, "conformance", || conformance(&setup));
    slow(&mut report, extent, "page", || page::rebuild(&setup));
    slow(&mut report, extent, "browser", || page::flows(&setup, None));
    slow(&mut report, extent, "book", || book::run(&setup));
    slow(&mut report, extent, "fuzz-smoke", || fuzz::run(fuzz::DEFAULT_SECONDS));
    close(&report, &tally)
}

fn slow(
    report: &mut Report,
    extent: Extent,
    name: &'static str,
    work: impl FnOnce() -> Result<(), Failure>,
) {
    match extent {
        Extent::Everything => report.step(name, work),
        Extent::Fast => report.leave_out(name, "left out by --fast"),
    }
}

fn clippy(setup: &Setup) -> Command {
    let mut command = process::cargo(setup);
    command.args(["clippy", "--quiet", "--workspace", "--all-targets", "--", "-D", "warnings"]);
    command
}

/// Doc tests are part of `cargo test` and counted with the rest.
fn run_tests(setup: &Setup, tally: &mut Tally) -> Result<(), Failure> {
    let mut command = process::cargo(setup);
    command.args(["test", "--workspace", "--no-fail-fast"]);
    seed::set(&mut command, seed::of_run()?);
    let (lines, succeeded) = process::stream(&mut command)?;
    *tally = Tally::of(lines.iter().map(String::as_str));
    if !succeeded && tally.failed == 0 {
        return Err(Failure::unexpected("a test program could not be built or was killed"));
    }
    match (tally.failed, tally.passed, tally.skipped.len()) {
        (0, 0, _) => Err(Failure::unexpected("no test ran at all")),
        (0, _, 0) => Ok(()),
        (0, _, count) => Err(Failure::Found { check: "tests that could not run", count }),
        (count, ..) => Err(Failure::Found { check: "failing tests", count }),
    }
}

/// The official suite of MCP, against a server with the tools that it calls.
fn conformance(setup: &Setup) -> Result<(), Failure> {
    let mut command = process::cargo(setup);
    command.args(["test", "--package", "gatewright-server", "--features", "conformance"]);
    command.args(["--test", "conformance"]);
    let (lines, succeeded) = process::stream(&mut command)?;
    let tally = Tally::of(lines.iter().map(String::as_str));
    let passed = succeeded && tally.passed > 0 && tally.skipped.is_empty();
    let count = tally.failed + tally.skipped.len();
    if passed { Ok(()) } else { Err(Failure::Found { check: "conformance", count }) }
}

fn close(report: &Report, tally: &Tally) -> Result<(), Failure> {
    println!("\n{report}");
    for reason in &tally.skipped {
        println!("skipped: {reason}");
    }
    let failed = report.failed();
    if !failed.is_empty() {
        println!("failed steps: {}", failed.join(", "));
    }
    println!("{}", closing_line(&failed, tally));
    if failed.is_empty() { Ok(()) } else { Err(Failure::Reported) }
}

/// The test step is not counted beside its own failing or skipped tests.
fn closing_line(failed_steps: &[&str], tally: &Tally) -> String {
    let explained = tally.failed > 0 || !tally.skipped.is_empty();
    let gates = failed_steps.iter().filter(|name| !(**name == "test" && explained)).count();
    let failed = tally.failed + gates;
    format!("{} passed, {failed} failed, {} skipped", tally.passed, tally.skipped.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_gate_is_counted_once() {
        let tally = Tally { passed: 5, failed: 0, skipped: vec![] };
        assert_eq!(closing_line(&[], &tally), "5 passed, 0 failed, 0 skipped");
        assert_eq!(closing_line(&["clippy"], &tally), "5 passed, 1 failed, 0 skipped");
        assert_eq!(closing_line(&["test"], &tally), "5 passed, 1 failed, 0 skipped");
    }

    #[test]
    fn failing_and_skipped_tests_are_not_counted_twice() {
        let failing = Tally { passed: 5, failed: 2, skipped: vec![] };
        assert_eq!(closing_line(&["test"], &failing), "5 passed, 2 failed, 0 skipped");
        let skipping = Tally { passed: 5, failed: 0, skipped: vec!["no rg".to_owned()] };
        assert_eq!(closing_line(&["test"], &skipping), "5 passed, 0 failed, 1 skipped");
    }
}
