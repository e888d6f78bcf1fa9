//! `cargo xtask book`: builds `docs/` with mdBook. `tidy` checks its links.

use crate::failure::Failure;
use crate::setup::Setup;
use crate::{process, tree};

/// Builds the book into the target directory.
pub fn run(setup: &Setup) -> Result<(), Failure> {
    let mut command = process::nice("mdbook");
    command.args(["build", "docs", "--dest-dir"]).arg(tree::target().join("book"));
    process::run(command.env("PATH", setup.path()))
}
