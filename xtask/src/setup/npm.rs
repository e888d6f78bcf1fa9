//! Programs from npm, pinned, each in a directory of its own.

use std::fs;
use std::path::PathBuf;

use super::{Setup, Tool, apt, is_on_path};
use crate::failure::Failure;
use crate::process;

/// A package of npm with its version and the program that it brings.
#[derive(Debug, Clone, Copy)]
pub struct Package {
    /// Its name.
    pub name: &'static str,
    /// The exact version.
    pub version: &'static str,
    /// The program in `node_modules/.bin`.
    pub program: &'static str,
}

impl Package {
    /// The directory of its programs.
    pub fn bin(self, setup: &Setup) -> PathBuf {
        setup.directory(self.name, self.version).join("node_modules/.bin")
    }
}

/// Node itself, from the distribution, unless there is one.
pub fn node() -> [Tool; 2] {
    [apt::tool("nodejs", "node"), apt::tool("npm", "npm")]
}

/// The package as a tool. Needs [`node`] first.
pub fn tool(setup: &Setup, package: Package) -> Tool {
    let bin = package.bin(setup);
    let program = bin.join(package.program);
    Tool {
        name: format!("{} {} (npm)", package.name, package.version),
        check: Box::new(move |setup| program.exists() && is_on_path(&setup.path(), "node")),
        install: Box::new(move |setup| install(setup, package)),
        paths: vec![bin],
    }
}

fn install(setup: &Setup, package: Package) -> Result<(), Failure> {
    let directory = setup.directory(package.name, package.version);
    fs::create_dir_all(&directory).map_err(Failure::io("make", &directory))?;
    let mut command = process::nice("npm");
    command
        .args(["install", "--no-audit", "--no-fund", "--no-save", "--loglevel=error", "--prefix"])
        .arg(&directory)
        .arg(format!("{}@{}", package.name, package.version))
        .env("PATH", setup.path());
    process::run(&mut command)
}
