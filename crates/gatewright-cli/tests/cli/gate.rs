//! A scratch workspace with the binary at hand.

use gatewright_testkit::{Binary, Run, Scratch};
use serde_json::Value;

pub struct Gate {
    pub scratch: Scratch,
}

impl Gate {
    pub fn new() -> Self {
        Self { scratch: Scratch::new() }
    }

    pub fn autonomous() -> Self {
        let gate = Self::new();
        gate.ok(&["mode", "autonomous"]);
        gate
    }

    fn binary() -> Binary {
        Binary::new(env!("CARGO_BIN_EXE_gatewright"))
    }

    pub fn run(&self, args: &[&str]) -> Run {
        Self::binary().run(&self.scratch, args.iter().copied())
    }

    pub fn run_with(&self, args: &[&str], stdin: impl Into<Vec<u8>>) -> Run {
        Self::binary().stdin(stdin).run(&self.scratch, args.iter().copied())
    }

    pub fn run_in(&self, args: &[&str], variable: (&str, &str)) -> Run {
        Self::binary().env(variable.0, variable.1).run(&self.scratch, args.iter().copied())
    }

    pub fn command(&self) -> std::process::Command {
        Self::binary().command(&self.scratch)
    }

    pub fn ok(&self, args: &[&str]) -> Run {
        let run = self.run(args);
        assert_eq!(run.code, Some(0), "{args:?}: {run}");
        run
    }

    /// Runs with `--json` and parses the first line of the answer.
    pub fn json(&self, args: &[&str], stdin: &str) -> (Value, Option<i32>) {
        let mut all = vec!["--json"];
        all.extend(args);
        let run = self.run_with(&all, stdin);
        let line = run.stdout.lines().next().unwrap_or_default();
        let value = serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {run}"));
        (value, run.code)
    }

    pub fn write(&self, path: &str, content: &str) -> Run {
        self.run_with(&["write", path], content)
    }

    /// The id of the only open staged change.
    pub fn staged(&self) -> String {
        let (value, _) = self.json(&["changes"], "");
        let changes = value["changes"].as_array().unwrap();
        assert_eq!(changes.len(), 1, "{value}");
        changes[0]["id"].as_str().unwrap().to_owned()
    }
}

pub fn lines(count: usize) -> String {
    (1..=count).map(|number| format!("line {number}\n")).collect()
}
