//! Programs that cargo builds from a pinned version.
//!
//! Those of the tests are built without optimisation and without debug information: they
//! run for seconds, and an optimised build takes minutes on two cores.

use std::process::Command;

use super::{Setup, Tool, clear};
use crate::process;

const CARGO_DENY: &str = "0.20.2";
const MDBOOK: &str = "0.5.4";
// Not 0.27: its renames insert the new name beside the old one.
const KMP_LSP: &str = "0.24.0";

/// `cargo deny`. No other package manager carries a version that reads today's metadata.
pub fn cargo_deny(setup: &Setup) -> Tool {
    tool(setup, "cargo-deny", CARGO_DENY)
}

/// `mdbook`, without the server that shows a book while it is written.
pub fn mdbook(setup: &Setup) -> Tool {
    tool(setup, "mdbook", MDBOOK)
}

/// `kmp-lsp`, the one server of Kotlin that a package manager has.
pub fn kmp_lsp(setup: &Setup) -> Tool {
    tool(setup, "kmp-lsp", KMP_LSP)
}

/// A program of that name, from the crate of that name.
pub fn tool(setup: &Setup, name: &'static str, version: &'static str) -> Tool {
    built(setup, (name, version), |command| {
        command.args(["--debug", "--no-default-features"]).env("CARGO_PROFILE_DEV_DEBUG", "0");
    })
}

/// The same as its users have it, but for optimisation across crates, which takes far longer.
pub fn optimised(setup: &Setup, name: &'static str, version: &'static str) -> Tool {
    built(setup, (name, version), |command| {
        command.env("CARGO_PROFILE_RELEASE_LTO", "off");
    })
}

fn built(
    setup: &Setup,
    (name, version): (&'static str, &'static str),
    how: fn(&mut Command),
) -> Tool {
    let directory = setup.directory(name, version);
    let program = directory.join("bin").join(name);
    let bin = directory.join("bin");
    Tool {
        name: format!("{name} {version} (cargo)"),
        check: Box::new(move |_| program.is_file()),
        install: Box::new(move |setup| {
            let build = directory.join("build");
            let mut command = process::cargo(setup);
            command
                .args(["install", name, "--version", version, "--locked", "--force", "--quiet"])
                .arg("--root")
                .arg(&directory)
                .env("CARGO_TARGET_DIR", &build);
            how(&mut command);
            process::run(&mut command)?;
            clear(&build)
        }),
        paths: vec![bin],
    }
}
