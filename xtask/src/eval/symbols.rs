//! `cargo xtask eval symbols`: the structural gate and the symbol edits on real projects.
//!
//! The edits are made by the tests of `gatewright-languages`; here the projects
//! are fetched and the tests are run on them, optimised. Counts are printed.

use std::fs;
use std::path::Path;

use super::fetch::{self, Source};
use crate::failure::Failure;
use crate::setup::{self, Setup};
use crate::{process, tree};

/// Edits and symbols for each language.
const DEFAULT_COUNT: u64 = 2000;

/// One or two projects for each language.
const PROJECTS: &[(Source, &str)] = &[
    (Source::Pip, "Django==5.2.19"),
    (Source::Npm, "zod@4.6.7"),
    (Source::Npm, "express@5.3.0"),
    // Kotlin, Java, C++ and JavaScript.
    (Source::Npm, "react-native@0.76.0"),
    (Source::Npm, "com.cysharp.unitask@2.2.5"),
    (Source::Apt, "rust-ripgrep"),
    (Source::Crate, "tokio@1.54.1"),
    (Source::Crate, "regex-automata@0.4.14"),
    (Source::Crate, "rayon@1.12.0"),
    (Source::Apt, "restic"),
    (Source::Apt, "golang-github-spf13-cobra"),
    (Source::Apt, "libuv1"),
    (Source::Apt, "re2"),
    (Source::Apt, "puma"),
    (Source::Apt, "rails"),
    (Source::Apt, "rubocop"),
    (Source::Apt, "jsoup"),
];

/// Fetches the projects and runs the tests on them: `[count] [--lang name]`.
pub fn run(arguments: &[&str]) -> Result<(), Failure> {
    let (count, language) = match arguments {
        [] => (DEFAULT_COUNT, None),
        ["--lang", language] => (DEFAULT_COUNT, Some(*language)),
        [count] => (crate::parse_number(count)?, None),
        [count, "--lang", language] => (crate::parse_number(count)?, Some(*language)),
        _ => return Err(Failure::usage("eval symbols takes a count and --lang with a language")),
    };
    let setup = Setup::locate()?;
    let corpus = tree::target().join("eval/symbols");
    setup::clear(&corpus)?;
    fs::create_dir_all(&corpus).map_err(Failure::io("make", &corpus))?;
    let mut found = 0;
    for (source, project) in PROJECTS {
        match fetch::fetch(*source, project, &setup) {
            Ok(folder) => {
                link(&folder, &corpus.join(project.replace(['=', '@', '/'], "-")))?;
                found += 1;
            }
            Err(failure) => println!("without {project}: {}", failure.with_causes()),
        }
    }
    if found == 0 {
        return Err(Failure::unexpected("none of the projects could be fetched"));
    }
    let mut command = process::cargo(&setup);
    command.args(["test", "--release", "--package", "gatewright-languages", "--test", "main"]);
    command.args(["--", "suite::real", "--nocapture", "--test-threads", "1"]);
    command.env("GATEWRIGHT_CORPUS", &corpus).env("GATEWRIGHT_CASES", count.to_string());
    if let Some(language) = language {
        command.env("GATEWRIGHT_LANGUAGE", language);
    }
    process::run(&mut command)
}

#[cfg(unix)]
fn link(folder: &Path, name: &Path) -> Result<(), Failure> {
    std::os::unix::fs::symlink(folder, name).map_err(Failure::io("link", name))
}

#[cfg(not(unix))]
fn link(_: &Path, name: &Path) -> Result<(), Failure> {
    Err(Failure::unexpected(format!("{} cannot be linked on this system", name.display())))
}
