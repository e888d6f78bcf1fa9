//! `bench references`: the check of one write on real projects, beside type checkers.
//!
//! Ours runs as the example `reference_speed`. Beside it, in the same run, ctags
//! makes its tags of the same files, and with `--peers` ty, pyrefly and pyright
//! check the same tree. A peer answers for the whole tree, ours for one write:
//! both are shown as what they are.

use std::path::{Path, PathBuf};
use std::time::Instant;

use serde_json::Value;

use crate::failure::Failure;
use crate::setup::{self, Setup, Tool};
use crate::{eval, process, tree};

/// Projects: one of middle size and one of more than a million lines.
const PROJECTS: [&str; 2] = ["django==5.2.19", "salt==3008.5"];
const TY: &str = "0.0.100";
const PYREFLY: &str = "1.4.0";
const PYRIGHT: &str = "1.1.414";

/// Runs all on each project; with the peers when asked.
pub fn run(with_peers: bool) -> Result<(), Failure> {
    let mut setup = Setup::locate()?;
    let mut build = process::cargo(&setup);
    build.args(["build", "--release", "--quiet", "--package", "gatewright-languages"]);
    process::run(build.args(["--example", "reference_speed"]))?;
    for project in PROJECTS {
        let folder = eval::python_project(project, &setup)?;
        println!("\n==> {project}");
        ours(&folder, &[])?;
        ours(&folder, &["index"])?;
        ctags(&folder);
        if with_peers {
            let bin = peers(&mut setup)?;
            peer(&bin, "ty", TY, &["check", "--exit-zero"], &folder);
            peer(&bin, "pyrefly", PYREFLY, &["check"], &folder);
            peer(&bin, "pyright", PYRIGHT, &[], &folder);
        }
    }
    Ok(())
}

fn ours(folder: &Path, more: &[&str]) -> Result<(), Failure> {
    let mut command = process::nice(tree::target().join("release/examples/reference_speed"));
    let before = process_seconds();
    let line = process::capture(command.arg("py").arg(folder).args(more))?;
    let seconds = process_seconds() - before;
    let figures: Value = serde_json::from_str(line.trim())
        .map_err(|error| Failure::unexpected(format!("no figures: {error}")))?;
    println!("ours: {figures}");
    println!("ours: {seconds:.1} s of a processor for all of that");
    Ok(())
}

fn ctags(folder: &Path) {
    let mut command = process::nice("ctags");
    command.args(["-R", "--languages=Python", "-f", "/dev/null"]).arg(folder);
    match timed(&mut command) {
        Some((wall, seconds)) => println!("ctags: {wall:.2} s, {seconds:.2} s of a processor"),
        None => println!("ctags: not here"),
    }
}

fn peer(bin: &Path, name: &str, version: &str, arguments: &[&str], folder: &Path) {
    let mut command = process::nice(bin.join(name));
    command.args(arguments).arg(folder);
    match timed(&mut command) {
        Some((wall, seconds)) => {
            println!("{name} {version}, whole tree: {wall:.1} s, {seconds:.1} s of a processor");
        }
        None => println!("{name} {version}: did not run"),
    }
}

/// The time and the processor time of a program that may end with findings.
fn timed(command: &mut std::process::Command) -> Option<(f64, f64)> {
    let (start, before) = (Instant::now(), process_seconds());
    process::collect(command).ok()?;
    Some((start.elapsed().as_secs_f64(), process_seconds() - before))
}

/// The processor seconds of all children that ended.
fn process_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit_once(')').map_or("", |(_, rest)| rest).split_whitespace();
    let ticks: u64 = fields.skip(13).take(2).filter_map(|field| field.parse::<u64>().ok()).sum();
    // The kernel counts a hundred ticks to the second for programs.
    ticks as f64 / 100.0
}

/// The peers in an environment of their own; returns where their programs are.
fn peers(setup: &mut Setup) -> Result<PathBuf, Failure> {
    let directory = setup.directory("reference-peers", &format!("{TY}-{PYREFLY}-{PYRIGHT}"));
    let bin = directory.join("bin");
    let mark = bin.join("pyright");
    let tool = Tool {
        name: format!("ty {TY}, pyrefly {PYREFLY} and pyright {PYRIGHT} (pip)"),
        check: Box::new(move |_| mark.is_file()),
        install: Box::new(move |setup| {
            setup::clear(&directory)?;
            let mut make = process::nice("python3");
            make.args(["-m", "venv"]).arg(&directory).env("PATH", setup.path());
            process::run(&mut make)?;
            let mut pip = process::nice(directory.join("bin/pip"));
            pip.args(["install", "--quiet", "--disable-pip-version-check"]);
            pip.args([format!("ty=={TY}"), format!("pyrefly=={PYREFLY}")]);
            process::run(pip.arg(format!("pyright=={PYRIGHT}")))
        }),
        paths: Vec::new(),
    };
    setup.ensure(&tool)?;
    Ok(bin)
}
