//! Whether the tables of the JDK, of Android and of Kotlin's library spell a name.
//!
//! A name that they have may come from a base or a receiver that nobody can look at. That they
//! lack one says little by itself: see the judgement of names in files without a past.

use std::sync::OnceLock;

use super::{jdk, kotlin};
use crate::references::words::{hash, is_word};

/// How the functions begin that Kotlin calls like properties.
const ACCESSORS: [&str; 3] = ["get", "set", "is"];

/// Whether a table spells a name, or the function behind a property of that name, or the name is
/// one of those that frameworks lend most: of accessors and of what happens.
pub(crate) fn may_be_lent(name: &str) -> bool {
    is_spelt(name) || is_of_framework(name) || {
        let (first, rest) = name.split_at(name.chars().next().map_or(0, char::len_utf8));
        let property = format!("{}{rest}", first.to_uppercase());
        ACCESSORS.iter().any(|accessor| is_spelt(&format!("{accessor}{property}")))
    }
}

fn is_of_framework(name: &str) -> bool {
    let mut starts = ACCESSORS.iter().chain(&["on"]).filter_map(|it| name.strip_prefix(it));
    starts.any(|rest| rest.starts_with(char::is_uppercase))
}

fn is_spelt(name: &str) -> bool {
    static WORDS: OnceLock<Box<[u32]>> = OnceLock::new();
    WORDS.get_or_init(gather).binary_search(&hash(name.as_bytes())).is_ok()
}

/// The hashes of all words of the tables, in order.
fn gather() -> Box<[u32]> {
    let tables = jdk::TABLES.iter().chain([&kotlin::LIBRARY]);
    let words = tables.flat_map(|table| table.as_bytes().split(|byte| !is_word(*byte)));
    let mut hashes: Vec<u32> = words.filter(|word| !word.is_empty()).map(hash).collect();
    hashes.sort_unstable();
    hashes.dedup();
    hashes.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accessors_and_what_happens_may_be_of_any_framework() {
        assert!(may_be_lent("getTillOfDesk") && may_be_lent("onTillOpened"));
        assert!(!may_be_lent("onceOpened") && !may_be_lent("settle"));
    }

    #[test]
    fn names_of_the_tables_and_properties_of_their_functions_are_spelt() {
        for name in ["invalidate", "substringAfter", "contentView", "nanoTime"] {
            assert!(may_be_lent(name), "{name}");
        }
        assert!(!may_be_lent("mergeStatusOfTill"));
    }
}
