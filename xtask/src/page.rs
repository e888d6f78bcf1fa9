//! `cargo xtask page`: the review page built anew and used in a real browser.
//!
//! Everything happens in a copy below the target directory, with the packages of
//! the lock file beside it, so that neither the tree nor another run is touched.
//! Pictures of what the browser showed stay in `browser/` of the target directory.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::failure::Failure;
use crate::setup::{self, Setup, browser};
use crate::{process, tree};

/// What makes the page and its tests; what is installed stays out.
const SOURCES: [&str; 10] = [
    "bench",
    "browser",
    "dist",
    "index.html",
    "package.json",
    "package-lock.json",
    "public",
    "src",
    "tsconfig.json",
    "vite.config.ts",
];

/// Builds the page from its sources; what differs from the committed one is a failure.
pub fn rebuild(setup: &Setup) -> Result<(), Failure> {
    let copy = copy_of_web(setup)?;
    for command in [&["tsc", "--noEmit"][..], &["vite", "build", "--logLevel", "warn"][..]] {
        let mut child = process::nice(copy.join("node_modules/.bin").join(command[0]));
        child.args(&command[1..]).env("PATH", setup.path()).current_dir(&copy);
        process::run(&mut child)?;
    }
    let (made, kept) = (files(&copy.join("dist"))?, files(&tree::root().join("web/dist"))?);
    if made == kept {
        return Ok(());
    }
    let message = "web/dist is not what its sources make; run `npm ci && npm run build` in web/";
    Err(Failure::unexpected(message))
}

/// Runs every flow of `web/browser` against the real program.
pub fn flows(setup: &Setup, filter: Option<&str>) -> Result<(), Failure> {
    let mut build = process::cargo(setup);
    process::run(build.args(["build", "--quiet", "--package", "gatewright-cli"]))?;
    let copy = copy_of_web(setup)?;
    let artefacts = tree::target().join("browser");
    setup::clear(&artefacts)?;
    fs::create_dir_all(&artefacts).map_err(Failure::io("make", &artefacts))?;
    let mut failed = 0;
    let mut count = 0;
    for name in names(&copy.join("browser"))? {
        if filter.is_none_or(|part| name.contains(part)) && name.ends_with(".mjs") {
            count += 1;
            let mut command = flow(setup, &copy, &name);
            failed += usize::from(process::run(command.env("ARTEFACTS", &artefacts)).is_err());
        }
    }
    match (count, failed) {
        (0, _) => Err(Failure::unexpected("no flow of that name")),
        (_, 0) => Ok(()),
        (_, count) => Err(Failure::Found { check: "flows that fail in the browser", count }),
    }
}

/// Ten minutes of eight agents and two people, on the program in release.
pub fn soak() -> Result<(), Failure> {
    let setup = setup::run()?;
    let mut build = process::cargo(&setup);
    process::run(build.args(["build", "--release", "--quiet", "--package", "gatewright-cli"]))?;
    let copy = copy_of_web(&setup)?;
    let mut command = flow(&setup, &copy, "soak.mjs");
    let seconds = std::env::var("GATEWRIGHT_SECONDS").unwrap_or_else(|_| "600".to_owned());
    command.env("GATEWRIGHT_SECONDS", seconds);
    process::run(command.env("GATEWRIGHT", tree::target().join("release/gatewright")))
}

/// A script of `web/browser`, to be run on the program that was built.
pub fn flow(setup: &Setup, copy: &Path, name: &str) -> Command {
    let mut command = process::nice("node");
    command
        .arg(Path::new("browser").join(name))
        .env("PATH", setup.path())
        .env("GATEWRIGHT", tree::target().join("debug/gatewright"))
        .current_dir(copy);
    command
}

/// A fresh copy of the sources with the packages beside them.
pub fn copy_of_web(setup: &Setup) -> Result<PathBuf, Failure> {
    let copy = tree::target().join("web");
    setup::clear(&copy)?;
    fs::create_dir_all(&copy).map_err(Failure::io("make", &copy))?;
    for name in SOURCES {
        copy_all(&tree::root().join("web").join(name), &copy.join(name))?;
    }
    let packages = browser::packages(setup, browser::WEB)?.join("node_modules");
    let link = copy.join("node_modules");
    symlink(&packages, &link).map_err(Failure::io("link", &link))?;
    Ok(copy)
}

fn copy_all(from: &Path, to: &Path) -> Result<(), Failure> {
    if !from.is_dir() {
        return fs::copy(from, to).map(|_| ()).map_err(Failure::io("copy", from));
    }
    fs::create_dir_all(to).map_err(Failure::io("make", to))?;
    for name in names(from)?.into_iter().filter(|name| name != "node_modules") {
        copy_all(&from.join(&name), &to.join(&name))?;
    }
    Ok(())
}

/// The names and bytes of a flat directory.
fn files(directory: &Path) -> Result<Vec<(String, Vec<u8>)>, Failure> {
    let read = |name: String| {
        let path = directory.join(&name);
        let bytes = fs::read(&path).map_err(Failure::io("read", &path))?;
        Ok((name, bytes))
    };
    names(directory)?.into_iter().map(read).collect()
}

/// What lies in a directory, sorted.
fn names(directory: &Path) -> Result<Vec<String>, Failure> {
    let entries = fs::read_dir(directory).map_err(Failure::io("list", directory))?;
    let mut names: Vec<String> = entries
        .filter_map(|entry| Some(entry.ok()?.file_name().to_string_lossy().into_owned()))
        .collect();
    names.sort();
    Ok(names)
}
