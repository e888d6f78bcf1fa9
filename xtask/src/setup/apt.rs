//! Packages of the distribution, by name.
//!
//! Their versions are those of the distribution's release; there is no other pin.

use std::process::Command;

use super::{Setup, Tool, is_on_path};
use crate::failure::Failure;
use crate::process;

/// A package and the program that shows that it is here.
const PACKAGES: [(&str, &str); 8] = [
    ("acl", "setfacl"),
    ("attr", "getfattr"),
    ("g++", "g++"),
    ("git", "git"),
    ("neovim", "nvim"),
    ("python3", "python3"),
    ("ripgrep", "rg"),
    ("strace", "strace"),
];

/// One tool for each package.
pub fn tools() -> Vec<Tool> {
    PACKAGES.iter().map(|(package, program)| tool(package, program)).collect()
}

/// A package that is known by one of its programs.
pub fn tool(package: &'static str, program: &'static str) -> Tool {
    Tool {
        name: format!("{package} (apt)"),
        check: Box::new(move |setup: &Setup| is_on_path(&setup.path(), program)),
        install: Box::new(move |_| install(package)),
        paths: Vec::new(),
    }
}

pub(super) fn install(package: &str) -> Result<(), Failure> {
    let arguments = ["install", "--yes", "--no-install-recommends", package];
    if process::succeeds(apt_get().args(arguments)) {
        return Ok(());
    }
    // The lists of a fresh machine are empty or old.
    process::run(apt_get().arg("update"))?;
    process::run(apt_get().args(arguments))
}

fn apt_get() -> Command {
    let is_root = process::capture(Command::new("id").arg("-u")).is_ok_and(|id| id.trim() == "0");
    let mut command = if is_root {
        process::nice("apt-get")
    } else {
        let mut command = process::nice("sudo");
        command.args(["--non-interactive", "DEBIAN_FRONTEND=noninteractive", "apt-get"]);
        command
    };
    command.env("DEBIAN_FRONTEND", "noninteractive").args(["-qq", "-o", "DPkg::Lock::Timeout=120"]);
    command
}
