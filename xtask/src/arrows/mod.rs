//! `cargo xtask arrows`: which crate may use which, proved from cargo's own graph and the sources.
//!
//! The tables here are the design. A change to one of them is a design change.

mod graph;
mod sources;

use crate::failure::Failure;
use crate::metadata::Graph;
use crate::tree;

/// Checks the graph and the sources.
pub fn run() -> Result<(), Failure> {
    let mut found = graph::check(&Graph::read()?);
    found.extend(sources::check(&tree::text_files()?));
    for wrong in &found {
        println!("{wrong}");
    }
    match found.len() {
        0 => {
            println!("arrows: every edge as designed; model and guards reach no IO");
            Ok(())
        }
        count => Err(Failure::Found { check: "wrong arrows", count }),
    }
}
