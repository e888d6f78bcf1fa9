//! The names that come with Ruby: constants, methods, features.

use std::collections::HashSet;
use std::sync::OnceLock;

/// The names of Ruby and its own library.
#[derive(Debug, Default)]
pub(super) struct Names {
    pub(super) constants: HashSet<&'static str>,
    pub(super) methods: HashSet<&'static str>,
    pub(super) features: HashSet<&'static str>,
}

impl Names {
    /// The table, read once.
    pub(super) fn get() -> &'static Names {
        static TABLE: OnceLock<Names> = OnceLock::new();
        TABLE.get_or_init(|| {
            let mut names = Names::default();
            let mut part = "";
            for line in include_str!("names.txt").lines() {
                if line.starts_with(['@', '#']) {
                    part = line;
                    continue;
                }
                let words = line.split_whitespace();
                match part {
                    "@constants" => names.constants.extend(words),
                    "@methods" => names.methods.extend(words),
                    _ => names.features.extend(words),
                }
            }
            names
        })
    }
}
