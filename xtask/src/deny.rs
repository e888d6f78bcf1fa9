//! `cargo xtask deny`: bans, licences and sources; advisories when their database is here.
//!
//! The advisory database is a git repository that the package clients do not
//! carry. Where it is not on the machine, its check cannot run, and that is
//! said in one loud line; it is not counted as a pass of anything.

use std::fs;
use std::path::PathBuf;

use crate::failure::Failure;
use crate::process;
use crate::setup::Setup;

/// Runs cargo-deny, which `setup` has installed.
pub fn run(setup: &Setup) -> Result<(), Failure> {
    check(setup, &["bans", "licenses", "sources"])?;
    if has_advisories() {
        return check(setup, &["--disable-fetch", "advisories"]);
    }
    println!(
        "WARNING: advisories NOT checked: no advisory database on this machine \
         (fetch it with `cargo deny fetch db` where there is a network)"
    );
    Ok(())
}

fn check(setup: &Setup, what: &[&str]) -> Result<(), Failure> {
    let mut command = process::cargo(setup);
    command.args(["deny", "--log-level", "error", "--all-features", "check"]);
    command.args(["--hide-inclusion-graph"]).args(what);
    process::run(&mut command)
}

/// cargo-deny keeps its databases below cargo's home.
fn has_advisories() -> bool {
    let home = std::env::var_os("CARGO_HOME")
        .map(PathBuf::from)
        .or_else(|| std::env::home_dir().map(|home| home.join(".cargo")));
    let databases = home.map(|home| home.join("advisory-dbs"));
    let entries = databases.and_then(|path| fs::read_dir(path).ok());
    entries.is_some_and(|mut entries| entries.any(|entry| entry.is_ok_and(|e| e.path().is_dir())))
}
