//! The seed of a whole run: one for each state of the tree.
//!
//! What fails at a commit fails there again, on this machine and on any other, and the next
//! commit tries other cases. `GATEWRIGHT_SEED` takes its place; the long runs (`soak`, `fuzz
//! TARGET`) are fresh each time.

use std::process::Command;

use crate::failure::Failure;
use crate::{process, tree};

/// The variable from which every random test takes its seed.
const OWN: &str = "GATEWRIGHT_SEED";
/// The same for property tests.
const OF_PROPERTIES: &str = "PROPTEST_RNG_SEED";

/// The seed that somebody asked for, or that of the commit.
pub fn of_run() -> Result<u64, Failure> {
    if let Some(given) = std::env::var(OWN).ok().and_then(|text| text.trim().parse().ok()) {
        return Ok(given);
    }
    let mut command = Command::new("git");
    command.args(["rev-parse", "HEAD^{tree}"]).current_dir(tree::root());
    let hash = process::capture(&mut command)?;
    of_hash(hash.trim()).ok_or_else(|| Failure::unexpected("git gave no hash for the tree"))
}

/// Hands the seed to all tests that a command runs.
pub fn set(command: &mut Command, seed: u64) {
    command.env(OWN, seed.to_string()).env(OF_PROPERTIES, seed.to_string());
}

fn of_hash(hash: &str) -> Option<u64> {
    u64::from_str_radix(hash.get(..16)?, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_of_the_tree_has_one_seed() {
        let hash = "00000000000000ff5d1dcf0ec5f4f1bd4d4b0b7a";
        assert_eq!(of_hash(hash), Some(255));
        assert_eq!(of_hash("short"), None);
    }
}
