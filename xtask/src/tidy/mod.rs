//! `cargo xtask tidy`: what a reviewer should not have to say.
//!
//! Each rule is one function from files to findings. Exceptions are listed in
//! `xtask/tidy-allow.toml`, each with a reason; one that is no longer needed is
//! a finding too.

mod allow;
mod leftovers;
mod links;
mod modules;
mod sizes;

use std::fmt;

use crate::failure::Failure;
use crate::tree;

use allow::AllowList;

/// Something untidy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Untidy {
    /// The rule.
    pub rule: &'static str,
    /// The file, from the top of the tree.
    pub path: String,
    /// The line number, one-based; 1 for the whole file.
    pub line: usize,
    /// What is meant in that file: a function, a word.
    pub name: String,
    /// What is wrong and what to do.
    pub message: String,
}

impl fmt::Display for Untidy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {} [{}]", self.path, self.line, self.message, self.rule)
    }
}

/// Checks the whole tree.
pub fn run() -> Result<(), Failure> {
    let files = tree::text_files()?;
    let allow = AllowList::read(&tree::root().join("xtask/tidy-allow.toml"))?;
    let mut found = Vec::new();
    for file in files.iter().filter(|file| !file.is_fixture()) {
        found.extend(sizes::check(file));
        found.extend(leftovers::check(file));
    }
    found.extend(modules::check(&files));
    found.extend(links::check(&files));
    let found = allow.filter(found);
    for untidy in &found {
        println!("{untidy}");
    }
    match found.len() {
        0 => {
            println!("tidy: {} files", files.len());
            Ok(())
        }
        count => Err(Failure::Found { check: "untidy places", count }),
    }
}
