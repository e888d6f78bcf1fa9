//! The table of steps that a run closes with.

use std::fmt;
use std::time::{Duration, Instant};

use crate::failure::Failure;

/// How a step ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// It holds.
    Passed,
    /// It does not, and why in a line.
    Failed(String),
    /// It was left out on purpose, and why.
    NotRun(String),
}

/// One line of the table.
#[derive(Debug, Clone)]
pub struct Step {
    /// Its name.
    pub name: &'static str,
    /// How it ended.
    pub outcome: Outcome,
    /// How long it took.
    pub took: Duration,
}

/// All steps so far.
#[derive(Debug, Default)]
pub struct Report {
    /// In the order in which they ran.
    pub steps: Vec<Step>,
}

impl Report {
    /// Runs a step, says so, and keeps how it ended.
    pub fn step(&mut self, name: &'static str, work: impl FnOnce() -> Result<(), Failure>) {
        println!("\n==> {name}");
        let start = Instant::now();
        let outcome = match work() {
            Ok(()) => Outcome::Passed,
            Err(failure) => {
                let text = failure.with_causes();
                println!("{name}: {text}");
                Outcome::Failed(text)
            }
        };
        self.steps.push(Step { name, outcome, took: start.elapsed() });
    }

    /// Keeps that a step was left out.
    pub fn leave_out(&mut self, name: &'static str, reason: &str) {
        println!("\n==> {name}: not run, {reason}");
        let outcome = Outcome::NotRun(reason.to_owned());
        self.steps.push(Step { name, outcome, took: Duration::ZERO });
    }

    /// The names of the steps that failed.
    pub fn failed(&self) -> Vec<&'static str> {
        let failed = self.steps.iter().filter(|step| matches!(step.outcome, Outcome::Failed(_)));
        failed.map(|step| step.name).collect()
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:<12} {:<8} {:>8}", "step", "result", "seconds")?;
        for step in &self.steps {
            let (result, remark) = match &step.outcome {
                Outcome::Passed => ("ok", ""),
                Outcome::Failed(reason) => ("FAILED", reason.as_str()),
                Outcome::NotRun(reason) => ("not run", reason.as_str()),
            };
            let seconds = step.took.as_secs_f64();
            let line = format!("{:<12} {result:<8} {seconds:>8.1}  {remark}", step.name);
            writeln!(f, "{}", line.trim_end())?;
        }
        Ok(())
    }
}
