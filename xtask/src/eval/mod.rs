//! `cargo xtask eval references`: the reference facts scored on real projects.
//!
//! The projects are fetched by name (and version, where the source of packages
//! keeps old ones) and kept in the target directory. Scores are printed, never
//! written: `docs/src/scores.md` says on what its rows were taken.

mod fetch;
pub mod symbols;

use crate::failure::Failure;
use crate::setup::Setup;
use crate::{process, tree};

pub use fetch::{Source, fetch};

/// One language's projects.
pub struct Set {
    language: &'static str,
    source: fetch::Source,
    projects: &'static [&'static str],
    /// Every how many files are taken.
    every: usize,
}

const SETS: &[Set] = &[
    Set {
        language: "python",
        source: fetch::Source::Pip,
        projects: &["flask==3.1.3", "click==8.5.1", "jinja2==3.1.6", "celery==5.7.0"],
        every: 4,
    },
    Set {
        language: "typescript",
        source: fetch::Source::Npm,
        projects: &[
            "rxjs@7.8.2",
            "zod@4.6.7",
            "redux@5.0.1",
            "immer@11.2.10",
            "langium@4.4.0",
            "react-native-paper@5.15.3",
        ],
        every: 4,
    },
    Set {
        language: "c",
        source: fetch::Source::Apt,
        projects: &["mosquitto", "nginx", "lua5.4", "libuv1"],
        every: 8,
    },
    Set {
        language: "cpp",
        source: fetch::Source::Apt,
        projects: &["re2", "aria2", "yaml-cpp", "cppcheck"],
        every: 12,
    },
    Set {
        language: "ruby",
        source: fetch::Source::Apt,
        projects: &["puma", "rubocop", "ruby-devise", "ruby-hashie", "redmine"],
        every: 8,
    },
    Set {
        language: "go",
        source: fetch::Source::Apt,
        projects: &["golang-github-spf13-cobra", "golang-github-gorilla-mux", "restic"],
        every: 6,
    },
    Set {
        language: "java",
        source: fetch::Source::Apt,
        projects: &["libcommons-lang3-java", "jsoup", "hikaricp"],
        every: 20,
    },
    Set {
        language: "rust",
        source: fetch::Source::Apt,
        projects: &["rust-fd-find", "rust-bat", "rust-ripgrep"],
        every: 6,
    },
    Set {
        language: "kotlin",
        source: fetch::Source::Apt,
        projects: &["kotlinx-coroutines", "kotlinx-atomicfu"],
        every: 12,
    },
    Set {
        language: "csharp",
        source: fetch::Source::Apt,
        projects: &["hyena", "keepass2", "dbus-sharp"],
        every: 10,
    },
];

/// Scores one language, or all of them.
pub fn run(language: Option<&str>) -> Result<(), Failure> {
    let wanted: Vec<&Set> =
        SETS.iter().filter(|set| language.is_none_or(|name| name == set.language)).collect();
    if wanted.is_empty() {
        let names: Vec<&str> = SETS.iter().map(|set| set.language).collect();
        return Err(Failure::usage(format!("no such language; there are: {}", names.join(", "))));
    }
    let setup = Setup::locate()?;
    build(&setup)?;
    for set in wanted {
        println!("\n==> {}: {}", set.language, set.projects.join(", "));
        score(set, &setup)?;
    }
    Ok(())
}

fn build(setup: &Setup) -> Result<(), Failure> {
    let mut build = process::cargo(setup);
    build.args(["build", "--release", "--quiet", "--package", "gatewright-languages"]);
    process::run(build.args(["--example", "reference_eval"]))
}

fn score(set: &Set, setup: &Setup) -> Result<(), Failure> {
    let mut command = process::nice(tree::target().join("release/examples/reference_eval"));
    command.arg(set.language);
    let mut found = 0;
    for project in set.projects {
        match fetch::fetch(set.source, project, setup) {
            Ok(folder) => {
                command.arg(folder);
                found += 1;
            }
            Err(failure) => println!("without {project}: {}", failure.with_causes()),
        }
    }
    if found == 0 {
        return Err(Failure::unexpected("none of the projects could be fetched"));
    }
    process::run(command.args(["--show", "10", "--every", &set.every.to_string()]))
}

/// A project of the packages of Python, fetched and unpacked.
pub fn python_project(name: &str, setup: &Setup) -> Result<std::path::PathBuf, Failure> {
    fetch(Source::Pip, name, setup)
}
