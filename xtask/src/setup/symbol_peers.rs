//! The programs beside which `bench symbols --peers` runs, pinned. No test needs them.
//!
//! One that is on the `PATH` in its pinned version is taken as it is: a build of
//! codescout takes a quarter of an hour of two cores.

use super::language_servers::{PipEntry, pip_tool, pyright};
use super::{Check, Setup, Tool, cargo_tool, npm};
use crate::process;

const SERENA: PipEntry = ("serena", "2.1.0", &["serena-agent==2.1.0"], &["serena"]);
const CODESCOUT: &str = "0.15.0";

/// The language server that both of them use. Without a Node it would fetch one at every start,
/// and that would be counted.
pub fn server(setup: &Setup) -> Vec<Tool> {
    npm::node().into_iter().chain([pyright(setup)]).collect()
}

/// Serena, from pip.
pub fn serena(setup: &Setup) -> Tool {
    here_or("serena", SERENA.1, pip_tool(setup, &SERENA))
}

/// codescout, from cargo.
pub fn codescout(setup: &Setup) -> Tool {
    here_or("codescout", CODESCOUT, cargo_tool::optimised(setup, "codescout", CODESCOUT))
}

/// The tool, unless the `PATH` has a program that says to be of that version.
fn here_or(program: &'static str, version: &'static str, tool: Tool) -> Tool {
    let installed = tool.check;
    let check: Check =
        Box::new(move |setup| installed(setup) || says_version(setup, program, version));
    Tool { check, ..tool }
}

fn says_version(setup: &Setup, program: &str, version: &str) -> bool {
    let mut ask = process::nice(program);
    ask.arg("--version").env("PATH", setup.path());
    process::collect(&mut ask).is_ok_and(|(lines, succeeded)| {
        let words = |line: &String| line.split_whitespace().any(|word| word == version);
        succeeded && lines.iter().any(words)
    })
}
